//! The device of the tensors, and the number of threads.

use crate::cuda::{self, Seen};
use crate::platform::{CUDA_LIBRARY, processors};
use crate::shim;
use lexforge_domain::protocol::Precision;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use tch::{Device, Kind};

/// Whether jobs use the GPU, and what is to be said of it.
static CUDA: OnceLock<(bool, Option<String>)> = OnceLock::new();

/// Loads libtorch's CUDA half if it is installed. This must be the program's first call to libtorch. If any other call
/// asks about CUDA before, the process never finds it.
pub fn prepare() {
    cuda();
}

fn cuda() -> &'static (bool, Option<String>) {
    CUDA.get_or_init(|| {
        let load_error = shim::load_cuda(CUDA_LIBRARY)
            .err()
            .map(|error| error.to_string());
        let loaded = load_error.is_none();
        let usable = loaded && tch::Cuda::is_available();
        let seen = Seen {
            usable,
            driver: cuda::driver_version(),
            device_files: cuda::device_files(),
            built_for: if loaded { shim::cuda_built_for() } else { None },
            capability: if usable {
                shim::cuda_capability()
            } else {
                None
            },
            load_error,
        };
        (usable && !cuda::too_old(&seen), cuda::sentence(&seen))
    })
}

/// A note about CUDA: why there is no device, or what it lacks. `None` if it can be used in full.
pub fn cuda_note() -> Option<String> {
    cuda().1.clone()
}

/// Number of the GPU that this process uses.
static GPU: OnceLock<usize> = OnceLock::new();

/// Chooses the GPU with this number. Call it before the first call of [`device()`]. If several processes run on one
/// machine, each chooses its own GPU.
pub(crate) fn choose_gpu(number: usize) {
    let _ = GPU.set(number);
}

/// Whether this process leaves the GPU to another one.
static LEFT: AtomicBool = AtomicBool::new(false);

/// Computes on the CPU from now on, because another process has the GPU. Before anything is loaded.
pub(crate) fn leave_gpu() {
    LEFT.store(true, Ordering::Relaxed);
}

/// The device that jobs use.
pub fn device() -> Device {
    if LEFT.load(Ordering::Relaxed) {
        return Device::Cpu;
    }
    let chosen = GPU.get().copied().unwrap_or(0);
    match cuda().0 {
        // More processes than GPUs share them.
        true => Device::Cuda(chosen % (tch::Cuda::device_count().max(1) as usize)),
        false => Device::Cpu,
    }
}

/// `cpu` or `cuda:0`.
pub fn name(device: Device) -> String {
    match device {
        Device::Cuda(index) => format!("cuda:{index}"),
        _ => "cpu".into(),
    }
}

/// All devices by name.
pub fn names() -> Vec<String> {
    let mut names = vec!["cpu".to_owned()];
    if cuda().0 {
        names.extend((0..tch::Cuda::device_count()).map(|index| format!("cuda:{index}")));
    }
    names
}

/// Compute capability from which on a GPU computes in bf16 (Ampere).
const BF16_FROM: (u32, u32) = (8, 0);

/// The type of a decoder's frozen weights on a device.
pub fn kind(precision: Precision, device: Device) -> Kind {
    match (precision, device) {
        (Precision::Fp32, _) | (Precision::Auto | Precision::Nf4, Device::Cpu) => Kind::Float,
        (Precision::Fp16, _) => Kind::Half,
        (Precision::Auto | Precision::Nf4, Device::Cuda(_))
            if shim::cuda_capability().is_some_and(|c| c < BF16_FROM) =>
        {
            Kind::Half
        }
        (Precision::Bf16 | Precision::Auto | Precision::Nf4, _) => Kind::BFloat16,
    }
}

/// Its name in results.
pub fn kind_name(kind: Kind) -> String {
    match kind {
        Kind::BFloat16 => "bf16",
        Kind::Half => "fp16",
        _ => "fp32",
    }
    .into()
}

/// Index of a CUDA device, for its random number generator.
pub(crate) fn cuda_index(device: Device) -> Option<usize> {
    match device {
        Device::Cuda(index) => Some(index),
        _ => None,
    }
}

/// Threads of one of so many processes on this machine, where a job does not say it.
pub(crate) fn threads_of_one(processes: usize) -> usize {
    (processors() / processes.max(1)).max(1)
}

/// Sets how many threads libtorch uses (0 = all processors) and gives their number. May be called once in a process:
/// libtorch fixes its pool of operation threads at the first use.
pub fn set_threads(wanted: usize) -> usize {
    static INTEROP: OnceLock<()> = OnceLock::new();
    let threads = if wanted == 0 { processors() } else { wanted };
    INTEROP.get_or_init(|| tch::set_num_interop_threads(1));
    tch::set_num_threads(i32::try_from(threads).unwrap_or(i32::MAX));
    // The tokenizer has a pool of its own, as large as the machine.
    tokenizers::utils::parallelism::set_parallelism(threads > 1);
    threads
}
