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
pub fn libtorch_version() -> String {
    // SAFETY: a constant, NUL-terminated string of the shim.
    unsafe { CStr::from_ptr(lexforge_shim_libtorch_version()) }
        .to_string_lossy()
        .into_owned()
}

/// Makes libtorch's CUDA half known to this process.
///
/// # Errors
/// The dynamic linker's message, if the library is not there.
pub fn load_cuda(library: &str) -> Result<()> {
    let name = CString::new(library).map_err(|e| Error::Shim(e.to_string()))?;
    // SAFETY: the name is NUL-terminated and outlives the call. libtorch's static initialisers are meant to run when
    // the library is loaded, as they do when Python loads it.
    checked(unsafe { lexforge_shim_load_cuda(name.as_ptr()) })
}

/// If a mapped file becomes shorter while it is read, the system ends the process (SIGBUS). After a call of this
/// function, the process first writes `message` to standard error and ends with `code`. The function has no effect on
/// Windows, where a mapped file cannot become shorter.
pub fn tell_bus_errors(message: &str, code: i32) {
    let Ok(message) = CString::new(message) else {
        return;
    };
    // SAFETY: the message is NUL-terminated and copied; the handler only writes it and ends the process.
    unsafe { lexforge_shim_tell_bus_errors(message.as_ptr(), code) };
}

/// From here on this process ends without libtorch's destructors, which take a third of the time that loading it takes.
/// To be called when all is done.
pub fn end_without_destructors() {
    // SAFETY: takes nothing, and only tells the C library what to do first when the process ends.
    unsafe { lexforge_shim_end_without_destructors() };
}

/// The version of CUDA that the loaded half was built for, as 1000 × major + 10 × minor; none = not known.
pub fn cuda_built_for() -> Option<u32> {
    // SAFETY: takes nothing and gives a number.
    u32::try_from(unsafe { lexforge_shim_cuda_built_for() })
        .ok()
        .filter(|&version| version > 0)
}

/// Compute capability of the first CUDA device; none = not known.
pub fn cuda_capability() -> Option<(u32, u32)> {
    // SAFETY: takes nothing and gives a number, 100 × major + minor.
    let number = u32::try_from(unsafe { lexforge_shim_cuda_capability() })
        .ok()
        .filter(|&number| number > 0)?;
    Some((number / 100, number % 100))
}

/// State of the generator of a device (`None` = CPU) as bytes in a tensor.
pub fn generator_state(cuda_index: Option<usize>) -> Result<Tensor> {
    // SAFETY: the call takes a number and writes to `out` alone.
    new_tensor(|out| unsafe { lexforge_shim_rng_get(index(cuda_index), out) })
}

/// Puts a generator back into a state that [`generator_state`] gave.
///
/// # Errors
/// If the state is not one of this generator.
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
/// If the lists differ in length or libtorch fails.
pub fn adamw(tensors: &AdamWTensors<'_>, numbers: AdamWNumbers) -> Result<()> {
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

/// `W x + b` of token vectors `[tokens, inputs]` with weights in four bits ([`crate::adapters::nf4`]): codes, the
/// largest magnitude of each block, and rows.
///
/// # Errors
/// If the shapes do not fit.
pub fn nf4_linear(
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
pub fn nf4_dense(codes: &Tensor, largest: &Tensor, [outputs, inputs]: [i64; 2]) -> Result<Tensor> {
    // SAFETY: as in `low_rank_linear`.
    new_tensor(|out| unsafe {
        lexforge_shim_nf4_dense(raw(codes), raw(largest), outputs, inputs, out)
    })
}

/// `x w / √(mean(x²) + ε)` over the last dimension, w frozen; fp32 on the CPU.
///
/// # Errors
/// For other types and devices.
pub fn rms_norm(x: &Tensor, weight: &Tensor, epsilon: f64) -> Result<Tensor> {
    // SAFETY: as in `low_rank_linear`.
    new_tensor(|out| unsafe { lexforge_shim_rms_norm(raw(x), raw(weight), epsilon, out) })
}

/// Rotary embedding: vectors `[tokens, heads, head size]` rotated by tables of cosines and sines `[tokens, 1, head
/// size]`; fp32 on the CPU.
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

/// `W x + b` of rows `[rows, inputs]`; fp32 on the CPU. The outputs of a row have the same bits whatever other rows are
/// in the batch. No gradient is kept.
///
/// # Errors
/// For other types, devices and shapes.
pub fn rows_linear(x: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    let bias = bias.map_or(std::ptr::null_mut(), raw);
    // SAFETY: pointers to live tensors, or null for no bias; the shim checks shapes before it reads.
    new_tensor(|out| unsafe { lexforge_shim_rows_linear(raw(x), raw(weight), bias, out) })
}

/// The tokens that one text's new token sees, for [`attend_step`].
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
pub fn attend_step(
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
    /// Waits until all processes are there.
    ///
    /// # Errors
    /// If a process does not come in time, or the store through which they meet cannot be reached or served.
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

    /// Normally distributed numbers with a gradient.
    fn random(shape: &[i64], kind: Kind) -> Tensor {
        Tensor::randn(shape, (Kind::Float, Device::Cpu))
            .to_kind(kind)
            .set_requires_grad(true)
    }

    /// Compares two computations of the same inputs: what they give, and the gradients of what needs one.
    fn same(inputs: &[&Tensor], by_hand: Tensor, by_libtorch: Tensor, within: f64) {
        let difference = |a: &Tensor, b: &Tensor| (a - b).abs().max().double_value(&[]);
        assert!(
            difference(&by_hand, &by_libtorch) < within,
            "{}",
            difference(&by_hand, &by_libtorch)
        );
        let gradient = by_hand.randn_like();
        let gradients = |out: &Tensor| {
            backward(out, &gradient).unwrap();
            inputs
                .iter()
                .map(|input| {
                    let gradient = input.grad().copy();
                    let mut input = input.shallow_clone();
                    input.zero_grad();
                    gradient
                })
                .collect::<Vec<_>>()
        };
        for (a, b) in gradients(&by_hand).iter().zip(gradients(&by_libtorch)) {
            let largest = b.abs().max().double_value(&[]);
            assert!(
                largest > 0.1 && difference(a, &b) < within * largest.max(1.0),
                "{}",
                difference(a, &b)
            );
        }
    }

    #[test]
    fn layers_by_hand_have_the_gradients_of_libtorch() {
        tch::manual_seed(5);
        // 100 is no multiple of the width of any processor's registers.
        for width in [100, 8] {
            let (x, weight) = (
                random(&[7, 3, width], Kind::Float),
                random(&[width], Kind::Float).detach(),
            );
            same(
                &[&x],
                rms_norm(&x, &weight, 1e-6).unwrap(),
                x.rms_norm([width], Some(&weight), 1e-6),
                1e-5,
            );
            let up = random(&[7, 3, width], Kind::Float);
            same(&[&x, &up], gate(&x, &up).unwrap(), x.silu() * &up, 1e-5);
        }
        for (kind, within) in [(Kind::Float, 1e-4), (Kind::BFloat16, 0.1)] {
            let x = random(&[9, 20], kind);
            let (weight, bias) = (
                random(&[12, 20], kind).detach(),
                random(&[12], kind).detach(),
            );
            let (a, b) = (random(&[4, 20], Kind::Float), random(&[12, 4], Kind::Float));
            for bias in [None, Some(&bias)] {
                let layer = LowRankTensors {
                    weight: &weight,
                    largest: None,
                    bias,
                    a: &a,
                    b: &b,
                };
                let low = x
                    .to_kind(Kind::Float)
                    .linear(&a, None::<Tensor>)
                    .linear(&b, None::<Tensor>)
                    * 0.5;
                let plain = (x.linear(&weight, bias).to_kind(Kind::Float) + low).to_kind(kind);
                same(
                    &[&x, &a, &b],
                    low_rank_linear(&x, &layer, 0.5, 0.0).unwrap(),
                    plain,
                    within,
                );
            }
        }
    }

    #[test]
    fn a_row_is_the_same_to_the_bit_whatever_stands_beside_it() {
        let _no_grad = tch::no_grad_guard();
        tch::manual_seed(8);
        for (outputs, inputs) in [(37, 100), (64, 16), (5, 7), (200, 512)] {
            let x = Tensor::randn([70, inputs], (Kind::Float, Device::Cpu));
            let weight = Tensor::randn([outputs, inputs], (Kind::Float, Device::Cpu));
            let bias = Tensor::randn([outputs], (Kind::Float, Device::Cpu));
            let all = rows_linear(&x, &weight, Some(&bias)).unwrap();
            let exact = x.to_kind(Kind::Double).linear(
                &weight.to_kind(Kind::Double),
                Some(&bias.to_kind(Kind::Double)),
            );
            assert!((&all - exact).abs().max().double_value(&[]) < 1e-4);
            for (start, count) in [
                (0, 1),
                (3, 1),
                (5, 2),
                (9, 3),
                (20, 4),
                (31, 6),
                (2, 33),
                (69, 1),
            ] {
                let some = rows_linear(&x.narrow(0, start, count), &weight, Some(&bias)).unwrap();
                assert_eq!(
                    some,
                    all.narrow(0, start, count),
                    "{outputs} {inputs} {start} {count}"
                );
            }
        }
        assert!(
            rows_linear(
                &Tensor::zeros([1, 3], (Kind::Float, Device::Cpu)),
                &Tensor::zeros([2, 4], (Kind::Float, Device::Cpu)),
                None
            )
            .is_err()
        );
    }

    #[test]
    fn a_step_of_attention_is_libtorchs_and_the_same_to_the_bit_in_any_company() {
        let _no_grad = tch::no_grad_guard();
        tch::manual_seed(9);
        let random = |shape: &[i64]| Tensor::randn(shape, (Kind::Float, Device::Cpu));
        for (heads, key_heads, width) in [(8, 4, 64), (4, 4, 8), (6, 2, 24)] {
            let lengths = [0i64, 1, 40, 300];
            let texts = lengths.len() as i64;
            let (q, k, v) = (
                random(&[texts, heads, width]),
                random(&[texts, key_heads, width]),
                random(&[texts, key_heads, width]),
            );
            let caches: Vec<(Tensor, Tensor)> = lengths
                .iter()
                .map(|length| {
                    (
                        random(&[length + 5, key_heads, width]),
                        random(&[length + 5, key_heads, width]),
                    )
                })
                .collect();
            for window in [i64::MAX, 16] {
                let step = |text: usize| StepCache {
                    keys: &caches[text].0,
                    values: &caches[text].1,
                    first: (lengths[text] + 1 - window.min(lengths[text] + 1)).max(0),
                    length: lengths[text],
                };
                let all: Vec<StepCache<'_>> = (0..lengths.len()).map(step).collect();
                let together = attend_step(&q, &k, &v, &all).unwrap();
                for (text, (keys, values)) in caches.iter().enumerate() {
                    let own = |x: &Tensor| x.narrow(0, text as i64, 1);
                    let alone = attend_step(&own(&q), &own(&k), &own(&v), &[step(text)]).unwrap();
                    assert_eq!(alone, own(&together));
                    let StepCache { first, length, .. } = step(text);
                    assert_eq!(keys.get(length), k.get(text as i64));
                    let seen = |held: &Tensor| {
                        held.narrow(0, first, length + 1 - first)
                            .unsqueeze(0)
                            .transpose(1, 2)
                    };
                    let expected = Tensor::scaled_dot_product_attention(
                        &own(&q).unsqueeze(2),
                        &seen(keys),
                        &seen(values),
                        None::<Tensor>,
                        0.0,
                        false,
                        None,
                        heads != key_heads,
                    );
                    let difference = (alone - expected.reshape([1, -1]))
                        .abs()
                        .max()
                        .double_value(&[]);
                    assert!(difference < 1e-5, "{heads} {width} {length}: {difference}");
                }
            }
            let full = StepCache {
                keys: &caches[0].0,
                values: &caches[0].1,
                first: 0,
                length: 5,
            };
            let own = |x: &Tensor| x.narrow(0, 0, 1);
            assert!(attend_step(&own(&q), &own(&k), &own(&v), &[full]).is_err());
        }
    }

    #[test]
    fn one_adamw_step_is_that_of_the_formula() {
        // One weight 1.0 with gradient 0.5: m̂/√v̂ = 1, so p = 1·(1 − lr·wd) − lr·1.
        let one = |x: f32| vec![Tensor::from_slice(&[x])];
        let (p, g, m, v) = (one(1.0), one(0.5), one(0.0), one(0.0));
        let s = vec![Tensor::from(0f32)];
        let tensors = AdamWTensors {
            parameters: &p,
            gradients: &g,
            averages: &m,
            squares: &v,
            steps: &s,
        };
        let numbers = AdamWNumbers {
            learning_rate: 0.1,
            beta1: 0.9,
            beta2: 0.999,
            weight_decay: 0.01,
            epsilon: 1e-8,
        };
        adamw(&tensors, numbers).unwrap();
        assert!((p[0].double_value(&[0]) - (1.0 - 0.1 * 0.01 - 0.1)).abs() < 1e-6);
        assert!((s[0].double_value(&[]) - 1.0).abs() < 1e-12);
        let short = AdamWTensors {
            steps: &[],
            ..tensors
        };
        assert!(adamw(&short, numbers).is_err());
    }

    #[test]
    fn a_library_that_is_not_there_is_an_error_with_its_name() {
        let error = load_cuda("liblexforge_absent.so").unwrap_err().to_string();
        assert!(error.contains("liblexforge_absent"), "{error}");
    }
}
