//! Why there is no usable CUDA device, in a sentence with the remedy.

use std::path::Path;

/// The observed facts about a machine's GPU and the library for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The dynamic linker's complaint where libtorch's CUDA half could not be loaded.
    pub load_error: Option<String>,
    /// libtorch says that there is a device that it can use.
    pub usable: bool,
    /// The version of the NVIDIA driver, where one runs.
    pub driver: Option<String>,
    /// There are device files of an NVIDIA GPU.
    pub device_files: bool,
    /// The version of CUDA that libtorch was built for, as 1000 × major + 10 × minor; none = not known.
    pub built_for: Option<u32>,
    /// Compute capability of the first device.
    pub capability: Option<(u32, u32)>,
}

/// The smallest compute capability that libtorch's builds for CUDA 13 are made for.
const LEAST_CAPABILITY: (u32, u32) = (7, 5);
/// The smallest with bf16 in hardware.
const BF16_CAPABILITY: (u32, u32) = (8, 0);

/// The first driver of Linux that runs a major version of CUDA.
fn least_driver(cuda: u32) -> Option<u32> {
    match cuda / 1000 {
        11 => Some(450),
        12 => Some(525),
        13 => Some(580),
        _ => None,
    }
}

/// The fault, and what to do; `None` if the GPU can be used in full.
pub fn sentence(seen: &Seen) -> Option<String> {
    let gpu = seen.device_files || seen.driver.is_some();
    if let Some(error) = &seen.load_error {
        let absent = error.contains("cannot open shared object") && names_our_library(error);
        return Some(match (absent, gpu) {
            (true, false) => "This is libtorch's CPU build, and there is no NVIDIA GPU; the CPU is used.".into(),
            (true, true) => "There is an NVIDIA GPU, but this is libtorch's CPU build: run tools/setup --cuda to get \
                             the CUDA build; until then the CPU is used."
                .into(),
            (false, _) => format!(
                "libtorch's CUDA libraries cannot be loaded ({}): install the CUDA build again, all files together \
                 (tools/setup --cuda), or put its lib folder into LD_LIBRARY_PATH; until then the CPU is used.",
                error.lines().next().unwrap_or_default().trim()
            ),
        });
    }
    if !seen.usable {
        let Some(driver) = &seen.driver else {
            return Some(if seen.device_files {
                "There is an NVIDIA GPU, but its driver does not run: load it (nvidia-smi must list the GPU) and start \
                 the program again; until then the CPU is used."
                    .into()
            } else {
                "libtorch's CUDA build is here, but no NVIDIA driver: install the driver if this machine has an NVIDIA \
                 GPU; the CPU is used."
                    .into()
            });
        };
        let major: Option<u32> = driver
            .split('.')
            .next()
            .and_then(|number| number.parse().ok());
        if let (Some(built_for), Some(major)) = (seen.built_for, major)
            && let Some(least) = least_driver(built_for).filter(|&least| major < least)
        {
            return Some(format!(
                "The NVIDIA driver {driver} is too old for CUDA {}.{}, which libtorch was built for: update the driver \
                 to {least} or newer; until then the CPU is used.",
                built_for / 1000,
                built_for % 1000 / 10
            ));
        }
        return Some(format!(
            "The NVIDIA driver {driver} runs, but libtorch finds no GPU that it may use: look at nvidia-smi, \
             CUDA_VISIBLE_DEVICES and, in a container, whether the GPU is passed in; until then the CPU is used."
        ));
    }
    let (major, minor) = seen.capability?;
    if (major, minor) < LEAST_CAPABILITY {
        return Some(format!(
            "The GPU's compute capability {major}.{minor} is below the {}.{} that this libtorch computes on: use \
             another GPU, or hide this one (CUDA_VISIBLE_DEVICES=) to use the CPU.",
            LEAST_CAPABILITY.0, LEAST_CAPABILITY.1
        ));
    }
    ((major, minor) < BF16_CAPABILITY).then(|| {
        format!(
            "The GPU (compute capability {major}.{minor}) has no bf16: choose the precision fp16 or fp32 for training."
        )
    })
}

/// Whether libtorch cannot compute on a device that it finds.
pub(crate) fn too_old(seen: &Seen) -> bool {
    seen.capability
        .is_some_and(|capability| capability < LEAST_CAPABILITY)
}

/// Whether the linker's error is about libtorch's CUDA library itself, and not about a library that it needs.
fn names_our_library(error: &str) -> bool {
    error.contains(crate::platform::CUDA_LIBRARY)
}

/// The version of the running driver, as the kernel's module states it.
pub(crate) fn driver_version() -> Option<String> {
    driver_in(&std::fs::read_to_string("/proc/driver/nvidia/version").ok()?)
}

fn driver_in(text: &str) -> Option<String> {
    let line = text
        .lines()
        .find(|line| line.starts_with("NVRM version:"))?;
    let version =
        |word: &&str| word.contains('.') && word.chars().all(|c| c.is_ascii_digit() || c == '.');
    line.split_whitespace().find(version).map(str::to_owned)
}

/// Whether there are device files of an NVIDIA GPU.
pub(crate) fn device_files() -> bool {
    ["/dev/nvidia0", "/dev/nvidiactl", "/dev/dxg"]
        .iter()
        .any(|path| Path::new(path).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Change<'a> = &'a dyn Fn(&mut Seen);

    #[test]
    fn every_trouble_is_a_sentence_with_its_remedy() {
        let missing = "libtorch_cuda.so: cannot open shared object file: No such file or directory";
        let needs = "libcudnn.so.9: cannot open shared object file: No such file or directory";
        let seen = |change: Change<'_>| {
            let mut seen = Seen {
                built_for: Some(13_000),
                ..Seen::default()
            };
            change(&mut seen);
            sentence(&seen)
        };
        let gpu = |s: &mut Seen| (s.device_files, s.driver) = (true, Some("580.65.06".into()));
        let cases: [(Change<'_>, &[&str]); 8] = [
            (
                &|s| s.load_error = Some(missing.into()),
                &["CPU build", "no NVIDIA GPU"],
            ),
            (
                &|s| {
                    gpu(s);
                    s.load_error = Some(missing.into());
                },
                &["NVIDIA GPU", "CPU build", "tools/setup --cuda"],
            ),
            (
                &|s| s.load_error = Some(needs.into()),
                &["libcudnn.so.9", "LD_LIBRARY_PATH"],
            ),
            (&|_| {}, &["no NVIDIA driver", "install the driver"]),
            (
                &|s| s.device_files = true,
                &["driver does not run", "nvidia-smi"],
            ),
            (
                &|s| s.driver = Some("535.183.01".into()),
                &["535.183.01", "too old", "13.0", "580 or newer"],
            ),
            (&gpu, &["580.65.06", "CUDA_VISIBLE_DEVICES"]),
            (
                &|s| {
                    gpu(s);
                    (s.usable, s.capability) = (true, Some((6, 1)));
                },
                &["6.1", "7.5", "another GPU"],
            ),
        ];
        for (change, words) in cases {
            let said = seen(change).unwrap();
            assert!(
                words.iter().all(|word| said.contains(word)),
                "{said:?} lacks one of {words:?}"
            );
        }
        let with = |capability| {
            seen(&|s| {
                gpu(s);
                (s.usable, s.capability) = (true, Some(capability));
            })
        };
        assert!(with((7, 5)).unwrap().contains("no bf16"));
        assert_eq!(with((8, 0)), None);
        let capability = |capability| {
            too_old(&Seen {
                capability,
                ..Seen::default()
            })
        };
        assert!(capability(Some((7, 0))) && !capability(Some((7, 5))) && !capability(None));
        assert_eq!(with((9, 0)), None);
    }

    #[test]
    fn the_drivers_version_is_read_from_both_forms() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(driver_in(text).as_deref(), expected, "{text}")
        };
        check(
            "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024\nGCC version: x",
            Some("535.183.01"),
        );
        check(
            "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build  (a@b)\n",
            Some("580.65.06"),
        );
        check("something else", None);
    }
}
