//! Frozen weights in four bits: NF4 (Dettmers et al. 2023, QLoRA) in the layout of bitsandbytes, without its second
//! quantisation of the scales.
//!
//! 64 neighbouring numbers of a matrix are a block. The largest magnitude of the block is stored in fp32. Each number
//! of the block is divided by this magnitude, and stored as the nearest of sixteen values. This takes 4.5 bits for each
//! number. Whenever the matrix is multiplied, its numbers are unpacked again (cpp/nf4.cpp).

use crate::{Result, shim};
use tch::{Device, Kind, Tensor};

/// Numbers of a block.
pub const BLOCK: i64 = 64;
/// Bytes of a number.
pub const WIDTH: f64 = 0.5 + 4.0 / BLOCK as f64;

/// The sixteen values, as in cpp/nf4.cpp: quantiles of the normal distribution, 0 among them.
const VALUES: [f32; 16] = [
    -1.0,
    -0.696_192_8,
    -0.525_073_05,
    -0.394_917_5,
    -0.284_441_38,
    -0.184_773_43,
    -0.091_050_036,
    0.0,
    0.079_580_3,
    0.160_930_2,
    0.246_112_3,
    0.337_915_24,
    0.440_709_83,
    0.562_617,
    0.722_956_84,
    1.0,
];

/// Blocks that are packed at a time.
const PIECE: i64 = 1 << 16;

/// A matrix in four bits.
pub struct Nf4 {
    /// Two codes a byte, the first in the high half: `[numbers / 2]`.
    pub codes: Tensor,
    /// Largest magnitude of each block, fp32: `[blocks]`.
    pub largest: Tensor,
    /// Rows.
    pub outputs: i64,
    /// Columns.
    pub inputs: i64,
}

impl Nf4 {
    /// A matrix `[outputs, inputs]` packed; `None` if the matrix does not fill whole blocks.
    pub fn of(weight: &Tensor) -> Result<Option<Self>> {
        let (size, count) = (weight.size(), weight.numel() as i64);
        let &[outputs, inputs] = size.as_slice() else {
            return Ok(None);
        };
        if count == 0 || count % BLOCK != 0 {
            return Ok(None);
        }
        let _no_grad = tch::no_grad_guard();
        let device = weight.device();
        // A number becomes the code of as many middles between two values as lie below it.
        let middles: Vec<f32> = VALUES
            .windows(2)
            .map(|pair| (pair[0] + pair[1]) / 2.0)
            .collect();
        let middles = Tensor::f_from_slice(&middles)?.f_to_device(device)?;
        let blocks = weight.f_contiguous()?.f_view([-1, BLOCK])?;
        let (mut codes, mut largest) = (Vec::new(), Vec::new());
        let mut start = 0;
        while start < blocks.size()[0] {
            let piece = blocks
                .f_narrow(0, start, PIECE.min(blocks.size()[0] - start))?
                .f_to_kind(Kind::Float)?;
            let most = piece.f_abs()?.f_amax([1i64].as_slice(), true)?;
            // A block of zeros is divided by 1.
            let scaled = piece.f_div(&most.f_masked_fill(&most.f_eq(0.0)?, 1.0)?)?;
            let code = Tensor::f_bucketize(&scaled, &middles, true, false)?
                .f_to_kind(Kind::Uint8)?
                .f_view([-1, 2])?;
            let high = code.f_select(1, 0)?.f_mul_scalar(16)?;
            codes.push(high.f_add(&code.f_select(1, 1)?)?.f_to_kind(Kind::Uint8)?);
            largest.push(most.f_view([-1])?);
            start += PIECE;
        }
        Ok(Some(Self {
            codes: Tensor::f_cat(&codes, 0)?,
            largest: Tensor::f_cat(&largest, 0)?,
            outputs,
            inputs,
        }))
    }

    /// The unpacked numbers, in fp32.
    pub fn dense(&self) -> Result<Tensor> {
        shim::nf4_dense(&self.codes, &self.largest, [self.outputs, self.inputs])
    }

    /// `W x + b` of token vectors `[tokens, inputs]`.
    ///
    /// # Errors
    /// If the shapes do not fit.
    pub fn linear(&self, x: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
        shim::nf4_linear(x, &self.codes, &self.largest, self.outputs, bias)
    }

    /// The device of its tensors.
    pub fn device(&self) -> Device {
        self.codes.device()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::lora::{Linear, Pass};

    fn apart(a: &Tensor, b: &Tensor) -> f64 {
        (a - b).abs().max().double_value(&[])
    }

    #[test]
    fn values_come_back_as_themselves_and_others_as_the_nearest() {
        let mut numbers: Vec<f32> = VALUES.iter().map(|v| v * 3.0).collect();
        numbers.extend([0.12, -0.13, 2.6, -2.5]);
        numbers.resize(128, 0.0);
        let packed = Nf4::of(&Tensor::from_slice(&numbers).view([2, 64]))
            .unwrap()
            .unwrap();
        assert_eq!((packed.codes.numel(), packed.largest.numel()), (64, 2));
        assert_eq!(
            Vec::<u8>::try_from(&packed.codes.narrow(0, 0, 2)).unwrap(),
            [0x01, 0x23]
        );
        let back = Vec::<f32>::try_from(packed.dense().unwrap().view([-1])).unwrap();
        for (value, back) in VALUES.iter().zip(&back) {
            assert!((value * 3.0 - back).abs() < 1e-6, "{value} {back}");
        }
        // The middles beside 0 are at 3 · 0.0398 and -3 · 0.0455.
        assert!((back[16] - 3.0 * VALUES[8]).abs() < 1e-6 && back[17] == 0.0);
        assert!((back[18] - 3.0).abs() < 1e-6 && (back[19] - 3.0 * VALUES[1]).abs() < 1e-6);
        assert!(back[64..].iter().all(|b| *b == 0.0));
        assert!(
            Nf4::of(&Tensor::zeros([3, 21], (Kind::Float, Device::Cpu)))
                .unwrap()
                .is_none()
        );
    }

    /// A layer in four bits is the dense layer of its own numbers, forward and in every gradient.
    #[test]
    fn a_layer_in_four_bits_is_that_of_its_numbers() {
        tch::manual_seed(11);
        let random = |shape: &[i64]| Tensor::randn(shape, (Kind::Float, Device::Cpu));
        let (weight, bias) = (random(&[48, 64]) * 0.2, random(&[48]));
        let dense = Nf4::of(&weight).unwrap().unwrap().dense().unwrap();
        let off = apart(&dense, &weight);
        assert!(off > 1e-3 && off < 0.15, "{off}");
        let (a, b) = (random(&[4, 64]) * 0.1, random(&[48, 4]) * 0.1);
        for adapted in [false, true] {
            for bias in [None, Some(bias.shallow_clone())] {
                let layer = |weight: &Tensor, four_bits: bool| {
                    let mut layer = Linear::new(
                        "q".into(),
                        weight.copy(),
                        bias.as_ref().map(Tensor::shallow_clone),
                    );
                    if four_bits {
                        assert!(layer.pack().unwrap());
                    }
                    if adapted {
                        layer.attach(&a, &b, 0.5, 0.0).unwrap();
                    }
                    assert_eq!(layer.shape(), (48, 64));
                    layer
                };
                let input = random(&[7, 64]);
                let gradient = random(&[7, 48]);
                let run = |layer: &Linear| {
                    let x = input.copy().set_requires_grad(true);
                    let out = layer.forward(&x, Pass::Train).unwrap();
                    shim::backward(&out, &gradient).unwrap();
                    let mut all = vec![out.detach(), x.grad()];
                    all.extend(
                        layer
                            .low_rank()
                            .iter()
                            .flat_map(|low| [low.a.grad(), low.b.grad()]),
                    );
                    all
                };
                for (by_four, by_dense) in run(&layer(&weight, true))
                    .iter()
                    .zip(run(&layer(&dense, false)))
                {
                    assert!(by_dense.abs().max().double_value(&[]) > 0.1);
                    assert!(
                        apart(by_four, &by_dense) < 1e-5,
                        "{}",
                        apart(by_four, &by_dense)
                    );
                }
            }
        }
    }
}
