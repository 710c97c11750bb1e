//! Functions of libtorch that its Rust binding lacks, called through the C++ shim in `cpp`: the state of the random
//! number generators, the fused AdamW step, loading the CUDA half at run time, and frozen layers whose gradients are
//! written by hand (`layers.cpp`).
//!
//! One file because it holds every call into C++, so that `unsafe` can be reviewed in one place.
#![allow(unsafe_code)] // Calls into C++; each block says why it is sound.

use crate::{Error, Result};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use tch::Tensor;

unsafe extern "C" {
    fn lexforge_shim_error() -> *const c_char;
    fn lexforge_shim_libtorch_version() -> *const c_char;
    fn lexforge_shim_cuda_built_for() -> c_int;
    fn lexforge_shim_cuda_capability() -> c_int;
    fn lexforge_shim_load_cuda(library: *const c_char) -> c_int;
    fn lexforge_shim_rng_get(cuda_index: c_int, out: *mut *mut c_void) -> c_int;
    fn lexforge_shim_rng_set(cuda_index: c_int, state: *mut c_void) -> c_int;
    fn lexforge_shim_nf4_linear(
        x: *mut c_void,
        codes: *mut c_void,
        largest: *mut c_void,
        bias: *mut c_void,
        outputs: i64,
        out: *mut *mut c_void,
    ) -> c_int;
    fn lexforge_shim_nf4_dense(
        codes: *mut c_void,
        largest: *mut c_void,
        outputs: i64,
        inputs: i64,
        out: *mut *mut c_void,
    ) -> c_int;
    fn lexforge_shim_low_rank_linear(
        x: *mut c_void,
        weight: *mut c_void,
        largest: *mut c_void,
        bias: *mut c_void,
        a: *mut c_void,
        b: *mut c_void,
        scale: f64,
        dropout: f64,
        out: *mut *mut c_void,
    ) -> c_int;
    fn lexforge_shim_rms_norm(
        x: *mut c_void,
        weight: *mut c_void,
        epsilon: f64,
        out: *mut *mut c_void,
    ) -> c_int;
    fn lexforge_shim_turn(
        x: *mut c_void,
        cosines: *mut c_void,
        sines: *mut c_void,
        out: *mut *mut c_void,
    ) -> c_int;
    fn lexforge_shim_gate(gate: *mut c_void, up: *mut c_void, out: *mut *mut c_void) -> c_int;
    fn lexforge_shim_end_without_destructors();
    fn lexforge_shim_tell_bus_errors(message: *const c_char, code: c_int);
    fn lexforge_shim_rows_linear(
        x: *mut c_void,
        weight: *mut c_void,
        bias: *mut c_void,
        out: *mut *mut c_void,
    ) -> c_int;
    fn lexforge_shim_attend_step(
        query: *mut c_void,
        key: *mut c_void,
        value: *mut c_void,
        keys: *mut *mut c_void,
        values: *mut *mut c_void,
        firsts: *const i64,
        lengths: *const i64,
        texts: usize,
        out: *mut *mut c_void,
    ) -> c_int;
    fn lexforge_shim_backward(x: *mut c_void, gradient: *mut c_void) -> c_int;
    fn lexforge_shim_group_open(
        host: *const c_char,
        port: c_int,
        rank: c_int,
        world: c_int,
        serve: c_int,
        listener: c_int,
        join_s: c_int,
        answer_s: c_int,
        out: *mut *mut c_void,
    ) -> c_int;
    fn lexforge_shim_group_sum(group: *mut c_void, tensor: *mut c_void) -> c_int;
    fn lexforge_shim_group_share(group: *mut c_void, tensor: *mut c_void) -> c_int;
    fn lexforge_shim_group_close(group: *mut c_void);
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
pub(crate) fn libtorch_version() -> String {
    // SAFETY: a constant, NUL-terminated string of the shim.
    unsafe { CStr::from_ptr(lexforge_shim_libtorch_version()) }
        .to_string_lossy()
        .into_owned()
}

/// Makes libtorch's CUDA half known to this process.
///
/// # Errors
/// The dynamic linker's message, if the library does not exist.
pub(crate) fn load_cuda(library: &str) -> Result<()> {
    let name = CString::new(library).map_err(|e| Error::Shim(e.to_string()))?;
    // SAFETY: the name is NUL-terminated and outlives the call. libtorch's static initialisers are meant to run when
    // the library is loaded, as they do when Python loads it.
    checked(unsafe { lexforge_shim_load_cuda(name.as_ptr()) })
}

/// If a mapped file becomes shorter while it is read, the system ends the process (SIGBUS). After a call of this
/// function, the process first writes `message` to standard error and ends with `code`. The function has no effect on
/// Windows, where a mapped file cannot become shorter.
pub(crate) fn tell_bus_errors(message: &str, code: i32) {
    let Ok(message) = CString::new(message) else {
        return;
    };
    // SAFETY: the message is NUL-terminated and copied; the handler only writes it and ends the process.
    unsafe { lexforge_shim_tell_bus_errors(message.as_ptr(), code) };
}

/// After a call of this function, the process ends without running libtorch's destructors, which take a third as long
/// as loading libtorch. Call it when all work is done.
pub fn end_without_destructors() {
    // SAFETY: takes nothing, and only tells the C library what to do first when the process ends.
    unsafe { lexforge_shim_end_without_destructors() };
}

/// The version of CUDA that the loaded half was built for, as 1000 × major + 10 × minor; none = not known.
pub(crate) fn cuda_built_for() -> Option<u32> {
    // SAFETY: takes nothing and gives a number.
    u32::try_from(unsafe { lexforge_shim_cuda_built_for() })
        .ok()
        .filter(|&version| version > 0)
}

/// Compute capability of the first CUDA device; none = not known.
pub(crate) fn cuda_capability() -> Option<(u32, u32)> {
    // SAFETY: takes nothing and gives a number, 100 × major + minor.
    let number = u32::try_from(unsafe { lexforge_shim_cuda_capability() })
        .ok()
        .filter(|&number| number > 0)?;
    Some((number / 100, number % 100))
}

/// State of the generator of a device (`None` = CPU) as bytes in a tensor.
pub(crate) fn generator_state(cuda_index: Option<usize>) -> Result<Tensor> {
    // SAFETY: the call takes a number and writes to `out` alone.
    new_tensor(|out| unsafe { lexforge_shim_rng_get(index(cuda_index), out) })
}

/// Puts a generator back into a state that [`generator_state`] gave.
///
/// # Errors
/// If the state is not one of this generator.
pub(crate) fn set_generator_state(cuda_index: Option<usize>, state: &Tensor) -> Result<()> {
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
/// If the lists differ in length or libtorch fails.
pub(crate) fn adamw(tensors: &AdamWTensors<'_>, numbers: AdamWNumbers) -> Result<()> {
    let count = tensors.parameters.len();
    let lists = [
        tensors.parameters,
        tensors.gradients,
        tensors.averages,
        tensors.squares,
        tensors.steps,
    ];
    if lists.iter().any(|list| list.len() != count) {
        return Err(Error::Shim(
            "AdamW was given lists of different lengths".into(),
        ));
    }
    let [mut p, mut g, mut m, mut v, mut s] =
        lists.map(|list| list.iter().map(raw).collect::<Vec<_>>());
    // SAFETY: five arrays of `count` pointers to live tensors. The shim changes the contents of the tensors in the same
    // way as tch's own in-place methods, and keeps no pointer.
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

/// The tensors of a frozen linear layer with its low-rank part.
pub struct LowRankTensors<'a> {
    /// Frozen weights `[outputs, inputs]`, or their codes where `largest` is given.
    pub weight: &'a Tensor,
    /// Largest magnitude of each block of four-bit weights.
    pub largest: Option<&'a Tensor>,
    /// Frozen bias `[outputs]`.
    pub bias: Option<&'a Tensor>,
    /// Down projection `[r, inputs]`, fp32.
    pub a: &'a Tensor,
    /// Up projection `[outputs, r]`, fp32.
    pub b: &'a Tensor,
}

/// `W x + b + scale · B A dropout(x)` of token vectors `[tokens, inputs]`. For the gradient only the input and the
/// narrow (rank-wide) tensors are kept. On the CPU, a seed from libtorch's generator determines the positions that
/// dropout clears.
///
/// # Errors
/// If the shapes do not fit.
pub fn low_rank_linear(
    x: &Tensor,
    layer: &LowRankTensors<'_>,
    scale: f64,
    dropout: f64,
) -> Result<Tensor> {
    let [bias, largest] =
        [layer.bias, layer.largest].map(|given| given.map_or(std::ptr::null_mut(), raw));
    // SAFETY: pointers to live tensors, or null for none; the shim keeps references of its own.
    new_tensor(|out| unsafe {
        let (a, b) = (raw(layer.a), raw(layer.b));
        lexforge_shim_low_rank_linear(
            raw(x),
            raw(layer.weight),
            largest,
            bias,
            a,
            b,
            scale,
            dropout,
            out,
        )
    })
}

/// `W x + b` of token vectors `[tokens, inputs]` with weights in four bits ([`crate::adapters::nf4`]). The weights are
/// given as codes and the largest magnitude of each block; `outputs` is the number of their rows.
///
/// # Errors
/// If the shapes do not fit.
pub(crate) fn nf4_linear(
    x: &Tensor,
    codes: &Tensor,
    largest: &Tensor,
    outputs: i64,
    bias: Option<&Tensor>,
) -> Result<Tensor> {
    let bias = bias.map_or(std::ptr::null_mut(), raw);
    // SAFETY: as in `low_rank_linear`.
    new_tensor(|out| unsafe {
        lexforge_shim_nf4_linear(raw(x), raw(codes), raw(largest), bias, outputs, out)
    })
}

/// The weights `[outputs, inputs]` unpacked from four bits to fp32.
///
/// # Errors
/// If the shapes do not fit.
pub(crate) fn nf4_dense(
    codes: &Tensor,
    largest: &Tensor,
    [outputs, inputs]: [i64; 2],
) -> Result<Tensor> {
    // SAFETY: as in `low_rank_linear`.
    new_tensor(|out| unsafe {
        lexforge_shim_nf4_dense(raw(codes), raw(largest), outputs, inputs, out)
    })
}

/// `x w / √(mean(x²) + ε)` over the last dimension. The weight `w` is not trained. Only fp32 on the CPU is supported.
///
/// # Errors
/// For other types and devices.
pub(crate) fn rms_norm(x: &Tensor, weight: &Tensor, epsilon: f64) -> Result<Tensor> {
    // SAFETY: as in `low_rank_linear`.
    new_tensor(|out| unsafe { lexforge_shim_rms_norm(raw(x), raw(weight), epsilon, out) })
}

/// Rotary embedding: vectors `[tokens, heads, head size]` rotated by tables of cosines and sines `[tokens, 1, head
/// size]`. Only fp32 on the CPU is supported.
///
/// # Errors
/// For other types, devices and shapes.
pub fn turn(x: &Tensor, cosines: &Tensor, sines: &Tensor) -> Result<Tensor> {
    // SAFETY: as in `low_rank_linear`.
    new_tensor(|out| unsafe { lexforge_shim_turn(raw(x), raw(cosines), raw(sines), out) })
}

/// `silu(gate) · up`, keeping only these two for the gradient.
pub fn gate(gate: &Tensor, up: &Tensor) -> Result<Tensor> {
    // SAFETY: as in `low_rank_linear`.
    new_tensor(|out| unsafe { lexforge_shim_gate(raw(gate), raw(up), out) })
}

/// `W x + b` of rows `[rows, inputs]`. Only fp32 on the CPU is supported. The outputs of a row have the same bits
/// whatever other rows are in the batch. No gradient is kept.
///
/// # Errors
/// For other types, devices and shapes.
pub(crate) fn rows_linear(x: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    let bias = bias.map_or(std::ptr::null_mut(), raw);
    // SAFETY: pointers to live tensors, or null for no bias; the shim checks shapes before it reads.
    new_tensor(|out| unsafe { lexforge_shim_rows_linear(raw(x), raw(weight), bias, out) })
}

/// The tokens that one text's new token sees, for `attend_step`.
pub struct StepCache<'a> {
    /// Keys `[reserved tokens, key heads, head size]`, changed in place.
    pub keys: &'a Tensor,
    /// Values, as the keys.
    pub values: &'a Tensor,
    /// First token that is seen.
    pub first: i64,
    /// Tokens before the new one.
    pub length: i64,
}

/// Attention of one new token of each text to the cache of that text: `[texts, heads × head size]`. The token's key and
/// value `[texts, key heads, head size]` are added to the cache. Only fp32 on the CPU is supported. No gradient is
/// kept.
///
/// # Errors
/// For other types, devices and shapes, and if a cache has no space.
pub(crate) fn attend_step(
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    caches: &[StepCache<'_>],
) -> Result<Tensor> {
    let mut keys: Vec<_> = caches.iter().map(|cache| raw(cache.keys)).collect();
    let mut values: Vec<_> = caches.iter().map(|cache| raw(cache.values)).collect();
    let firsts: Vec<i64> = caches.iter().map(|cache| cache.first).collect();
    let lengths: Vec<i64> = caches.iter().map(|cache| cache.length).collect();
    // SAFETY: each of the four arrays has as many entries as there are texts, and the entries point to live tensors.
    // The shim checks shapes and free space before it writes into the caches, as tch's own in-place methods do. It
    // keeps no pointer.
    new_tensor(|out| unsafe {
        lexforge_shim_attend_step(
            raw(query),
            raw(key),
            raw(value),
            keys.as_mut_ptr(),
            values.as_mut_ptr(),
            firsts.as_ptr(),
            lengths.as_ptr(),
            caches.len(),
            out,
        )
    })
}

/// Given the gradient of a tensor, adds to the gradients of everything that the tensor was computed from.
pub fn backward(x: &Tensor, gradient: &Tensor) -> Result<()> {
    // SAFETY: pointers to live tensors, which the call only reads.
    checked(unsafe { lexforge_shim_backward(raw(x), raw(gradient)) })
}

/// The address at which processes meet to form a group.
pub struct Meeting<'a> {
    /// Host of the store.
    pub host: &'a str,
    /// Its port.
    pub port: u16,
    /// This process's number.
    pub rank: usize,
    /// Processes.
    pub world: usize,
    /// This process serves the store, on this bound socket if there is one.
    pub serve: bool,
    /// See `serve`; the store takes it over.
    pub listener: Option<i32>,
    /// Longest wait for the others to come, in seconds.
    pub join_s: i32,
    /// Longest wait for the others' part of a sum, in seconds.
    pub answer_s: i32,
}

/// A group of processes that sum tensors of the CPU (c10d with Gloo).
pub struct Group(*mut c_void);

impl Group {
    /// Waits until all processes have joined the group.
    ///
    /// # Errors
    /// If a process does not join in time, or the store through which they meet cannot be reached or served.
    pub fn meet(meeting: &Meeting<'_>) -> Result<Self> {
        let host = CString::new(meeting.host).map_err(|e| Error::Shim(e.to_string()))?;
        let number =
            |n: usize| c_int::try_from(n).map_err(|_| Error::Shim(format!("{n} is no rank")));
        let (rank, world) = (number(meeting.rank)?, number(meeting.world)?);
        let mut group = std::ptr::null_mut();
        // SAFETY: the host is NUL-terminated and outlives the call; `group` is written on success alone.
        checked(unsafe {
            lexforge_shim_group_open(
                host.as_ptr(),
                c_int::from(meeting.port),
                rank,
                world,
                c_int::from(meeting.serve),
                meeting.listener.unwrap_or(-1),
                meeting.join_s,
                meeting.answer_s,
                &raw mut group,
            )
        })?;
        Ok(Self(group))
    }

    /// Replaces the tensor by its sum over all processes. Each process gets the same bits.
    ///
    /// # Errors
    /// If a process has ended or does not answer in time.
    pub fn sum(&self, tensor: &Tensor) -> Result<()> {
        // SAFETY: the group lives as long as this value; the tensor is changed in place as tch's methods do it.
        checked(unsafe { lexforge_shim_group_sum(self.0, raw(tensor)) })
    }

    /// Replaces the tensor by the one that process 0 has.
    ///
    /// # Errors
    /// As [`Group::sum`].
    pub fn share(&self, tensor: &Tensor) -> Result<()> {
        // SAFETY: as in `sum`.
        checked(unsafe { lexforge_shim_group_share(self.0, raw(tensor)) })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // SAFETY: made by `meet` and closed once.
        unsafe { lexforge_shim_group_close(self.0) }
    }
}

fn new_tensor(call: impl FnOnce(*mut *mut c_void) -> c_int) -> Result<Tensor> {
    let mut out = std::ptr::null_mut();
    checked(call(&raw mut out))?;
    // SAFETY: on success the shim has put an owned `at::Tensor*` into `out`, which `from_ptr` takes over.
    Ok(unsafe { Tensor::from_ptr(out.cast::<torch_sys::C_tensor>()) })
}

fn raw(tensor: &Tensor) -> *mut c_void {
    tensor.as_ptr().cast_mut().cast()
}

fn index(cuda_index: Option<usize>) -> c_int {
    cuda_index
        .and_then(|i| c_int::try_from(i).ok())
        .unwrap_or(-1)
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
mod tests;
