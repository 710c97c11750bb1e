//! What libtorch has and its Rust binding lacks, through the C++ shim in `cpp/shim.cpp`: the state of
//! the random number generators, the fused AdamW step and loading the CUDA half at run time.
#![allow(unsafe_code)] // Calls into C++; each block says why it is sound.

use crate::{Error, Result};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use tch::Tensor;

unsafe extern "C" {
    fn lexforge_shim_error() -> *const c_char;
    fn lexforge_shim_libtorch_version() -> *const c_char;
    fn lexforge_shim_load_cuda(library: *const c_char) -> c_int;
    fn lexforge_shim_rng_get(cuda_index: c_int, out: *mut *mut c_void) -> c_int;
    fn lexforge_shim_rng_set(cuda_index: c_int, state: *mut c_void) -> c_int;
    fn lexforge_shim_adamw(
        parameters: *mut *mut c_void,
        gradients: *mut *mut c_void,
        averages: *mut *mut c_void,
        squares: *mut *mut c_void,
        steps: *mut *mut c_void,
        count: usize,
        learning_rate: f64,
        beta1: f64,
        beta2: f64,
        weight_decay: f64,
        epsilon: f64,
    ) -> c_int;
}

/// The version of libtorch that the shim was compiled against.
pub fn libtorch_version() -> String {
    // SAFETY: a constant, NUL-terminated string of the shim.
    unsafe { CStr::from_ptr(lexforge_shim_libtorch_version()) }.to_string_lossy().into_owned()
}

/// Makes libtorch's CUDA half known to this process.
///
/// # Errors
/// The dynamic linker's message where the library is not there.
pub fn load_cuda(library: &str) -> Result<()> {
    let name = CString::new(library).map_err(|e| Error::Shim(e.to_string()))?;
    // SAFETY: the name is NUL-terminated and outlives the call; libtorch's static initialisers are
    // meant to run at this time (it is how Python loads it).
    checked(unsafe { lexforge_shim_load_cuda(name.as_ptr()) })
}

/// State of the generator of a device (`None` = CPU) as bytes in a tensor.
///
/// # Errors
/// Where libtorch refuses.
pub fn generator_state(cuda_index: Option<usize>) -> Result<Tensor> {
    let mut out = std::ptr::null_mut();
    // SAFETY: on success the shim has put an owned `at::Tensor*` into `out`, which `from_ptr` takes over.
    unsafe {
        checked(lexforge_shim_rng_get(index(cuda_index), &raw mut out))?;
        Ok(Tensor::from_ptr(out.cast::<torch_sys::C_tensor>()))
    }
}

/// Puts a generator back into a state that [`generator_state`] gave.
///
/// # Errors
/// Where the state is not one of this generator.
pub fn set_generator_state(cuda_index: Option<usize>, state: &Tensor) -> Result<()> {
    // SAFETY: the pointer is that of a live tensor, which the shim only reads.
    checked(unsafe { lexforge_shim_rng_set(index(cuda_index), raw(state)) })
}

/// The tensors of one AdamW step, each list in the same order; `steps` are float scalars.
pub struct AdamWTensors<'a> {
    /// Parameters, changed in place.
    pub parameters: &'a [Tensor],
    /// Their gradients.
    pub gradients: &'a [Tensor],
    /// First moments, changed in place.
    pub averages: &'a [Tensor],
    /// Second moments, changed in place.
    pub squares: &'a [Tensor],
    /// Steps made, counted up in place.
    pub steps: &'a [Tensor],
}

/// The numbers of one AdamW step.
#[derive(Clone, Copy, Debug)]
pub struct AdamWNumbers {
    /// Learning rate of this step.
    pub learning_rate: f64,
    /// Decay of the first moment.
    pub beta1: f64,
    /// Decay of the second moment.
    pub beta2: f64,
    /// Decoupled weight decay.
    pub weight_decay: f64,
    /// Added to the denominator.
    pub epsilon: f64,
}

/// One fused AdamW step, in place.
///
/// # Errors
/// Where the lists differ in length or libtorch refuses.
pub fn adamw(tensors: &AdamWTensors<'_>, numbers: AdamWNumbers) -> Result<()> {
    let count = tensors.parameters.len();
    let lists = [tensors.parameters, tensors.gradients, tensors.averages, tensors.squares, tensors.steps];
    if lists.iter().any(|list| list.len() != count) {
        return Err(Error::Shim("AdamW was given lists of different lengths".into()));
    }
    let [mut p, mut g, mut m, mut v, mut s] = lists.map(|list| list.iter().map(raw).collect::<Vec<_>>());
    // SAFETY: five arrays of `count` pointers to live tensors; the shim changes their contents the way
    // tch's own in-place methods do, and keeps no pointer.
    checked(unsafe {
        lexforge_shim_adamw(
            p.as_mut_ptr(),
            g.as_mut_ptr(),
            m.as_mut_ptr(),
            v.as_mut_ptr(),
            s.as_mut_ptr(),
            count,
            numbers.learning_rate,
            numbers.beta1,
            numbers.beta2,
            numbers.weight_decay,
            numbers.epsilon,
        )
    })
}

fn raw(tensor: &Tensor) -> *mut c_void {
    tensor.as_ptr().cast_mut().cast()
}

fn index(cuda_index: Option<usize>) -> c_int {
    cuda_index.and_then(|i| c_int::try_from(i).ok()).unwrap_or(-1)
}

fn checked(status: c_int) -> Result<()> {
    if status == 0 {
        return Ok(());
    }
    // SAFETY: the shim keeps the message of this thread's last error, NUL-terminated, until the next one.
    let message = unsafe { CStr::from_ptr(lexforge_shim_error()) };
    Err(Error::Shim(message.to_string_lossy().into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tch::{Device, Kind};

    #[test]
    fn a_generator_put_back_gives_the_same_numbers() {
        tch::manual_seed(7);
        let state = generator_state(None).unwrap();
        let draw = || Vec::<f32>::try_from(Tensor::rand([5], (Kind::Float, Device::Cpu))).unwrap();
        let first = draw();
        assert_ne!(first, draw());
        set_generator_state(None, &state).unwrap();
        assert_eq!(first, draw());
    }

    #[test]
    fn one_adamw_step_is_that_of_the_formula() {
        // One weight 1.0 with gradient 0.5: m̂/√v̂ = 1, so p = 1·(1 − lr·wd) − lr·1.
        let one = |x: f32| vec![Tensor::from_slice(&[x])];
        let (p, g, m, v) = (one(1.0), one(0.5), one(0.0), one(0.0));
        let s = vec![Tensor::from(0f32)];
        let tensors = AdamWTensors { parameters: &p, gradients: &g, averages: &m, squares: &v, steps: &s };
        let numbers = AdamWNumbers { learning_rate: 0.1, beta1: 0.9, beta2: 0.999, weight_decay: 0.01, epsilon: 1e-8 };
        adamw(&tensors, numbers).unwrap();
        assert!((p[0].double_value(&[0]) - (1.0 - 0.1 * 0.01 - 0.1)).abs() < 1e-6);
        assert!((s[0].double_value(&[]) - 1.0).abs() < 1e-12);
        let short = AdamWTensors { steps: &[], ..tensors };
        assert!(adamw(&short, numbers).is_err());
    }

    #[test]
    fn a_library_that_is_not_there_is_an_error_with_its_name() {
        let error = load_cuda("liblexforge_absent.so").unwrap_err().to_string();
        assert!(error.contains("liblexforge_absent"), "{error}");
    }
}
