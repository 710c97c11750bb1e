//! Numbers to and from a tensor's bytes.

use crate::gguf::Stored;
use crate::{Error, Result};
use lexforge_domain::{Code, Remedy};
use tch::{Device, Kind, Tensor};

pub(crate) use crate::gguf::stored::{Q8_0_BYTES, Q8_0_NUMBERS};

/// The bytes of numbers `[n]` as stored, in a tensor of bytes on the CPU.
///
/// For each block of 32 numbers `Q8_0` computes `d = max |x| / 127`, and stores d in 16 bits and each `x / d` rounded
/// (halves away from zero).
///
/// # Errors
/// [`Code::ModelUnsupported`] if a number cannot be written in the type; if libtorch fails.
pub fn to_bytes(numbers: &Tensor, stored: Stored) -> Result<Tensor> {
    let numbers = numbers
        .f_to_device(Device::Cpu)?
        .f_to_kind(Kind::Float)?
        .f_contiguous()?;
    let bytes = match stored {
        Stored::F32 => numbers.f_view_dtype(Kind::Uint8)?,
        Stored::F16 => {
            let half = numbers.f_to_kind(Kind::Half)?;
            finite(&half, "f16")?;
            half.f_view_dtype(Kind::Uint8)?
        }
        Stored::Q8_0 => {
            let blocks = numbers.f_view([-1, Q8_0_NUMBERS])?;
            let scale = blocks
                .f_abs()?
                .f_amax([1i64].as_slice(), true)?
                .f_div_scalar(127.0)?;
            let half = scale.f_to_kind(Kind::Half)?;
            finite(&half, "q8_0")?;
            let inverse = scale
                .f_reciprocal()?
                .f_masked_fill(&scale.f_eq(0.0)?, 0.0)?;
            let scaled = blocks.f_mul(&inverse)?;
            let whole = scaled
                .f_abs()?
                .f_add_scalar(0.5)?
                .f_floor()?
                .f_mul(&scaled.f_sign()?)?;
            let whole = whole.f_to_kind(Kind::Int8)?.f_view_dtype(Kind::Uint8)?;
            Tensor::f_cat(&[half.f_view_dtype(Kind::Uint8)?, whole], 1)?
        }
    };
    Ok(bytes.f_contiguous()?.f_view([-1])?)
}

fn finite(half: &Tensor, name: &str) -> Result<()> {
    // A sum with infinities or NaN is no finite number either. Zeros stay zeros.
    if half
        .f_mul_scalar(0.0)?
        .f_to_kind(Kind::Float)?
        .f_sum(Kind::Float)?
        .f_double_value(&[])?
        == 0.0
    {
        return Ok(());
    }
    Err(Error::told(
        Code::ModelUnsupported,
        format!("A weight is too large to be written as {name}, or is no number."),
        Remedy::ExportTypes {
            types: "f32, bf16".to_owned(),
        },
    ))
}

/// The numbers of a tensor's bytes, in fp32.
pub fn from_bytes(bytes: &[u8], stored: Stored) -> Result<Tensor> {
    let count = bytes.len() as i64;
    let raw = |kind: Kind| {
        let numbers = count / kind.elt_size_in_bytes() as i64;
        Tensor::f_from_data_size(bytes, &[numbers], kind)
    };
    Ok(match stored {
        Stored::F32 => raw(Kind::Float)?,
        Stored::F16 => raw(Kind::Half)?.f_to_kind(Kind::Float)?,
        Stored::Q8_0 => {
            let blocks = raw(Kind::Uint8)?.f_view([-1, Q8_0_BYTES])?;
            let part = |start, length, kind: Kind| -> Result<Tensor> {
                let part = blocks.f_narrow(1, start, length)?.f_contiguous()?;
                Ok(part.f_view_dtype(kind)?.f_to_kind(Kind::Float)?)
            };
            let (scale, whole) = (part(0, 2, Kind::Half)?, part(2, Q8_0_NUMBERS, Kind::Int8)?);
            whole.f_mul(&scale)?.f_view([-1])?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back(numbers: &Tensor, stored: Stored) -> (Vec<u8>, Tensor) {
        let bytes = Vec::<u8>::try_from(to_bytes(numbers, stored).unwrap()).unwrap();
        let read = from_bytes(&bytes, stored).unwrap();
        (bytes, read)
    }

    #[test]
    fn a_block_is_the_scale_and_the_rounded_numbers() {
        // The largest is 127, so d = 1; 2.5 and -2.5 go away from zero.
        let mut numbers = vec![0f32; 32];
        numbers[..5].copy_from_slice(&[127.0, 2.5, -2.5, 0.49, -0.51]);
        let (bytes, read) = back(&Tensor::from_slice(&numbers), Stored::Q8_0);
        assert_eq!(bytes.len(), 34);
        assert_eq!(bytes[..2], [0x00, 0x3C]); // 1.0 in 16 bits
        assert_eq!(bytes[2..7], [127, 3, 253, 0, 255]);
        assert_eq!(
            Vec::<f32>::try_from(&read.narrow(0, 0, 5)).unwrap(),
            [127.0, 3.0, -3.0, 0.0, -1.0]
        );
        // A block of zeros has no scale to divide by.
        assert_eq!(
            back(
                &Tensor::zeros([64], (Kind::Float, Device::Cpu)),
                Stored::Q8_0
            )
            .0,
            vec![0u8; 68]
        );
    }

    #[test]
    fn numbers_come_back_as_near_as_their_type_allows() {
        tch::manual_seed(3);
        let numbers = Tensor::randn([320], (Kind::Float, Device::Cpu));
        let apart = |stored| {
            (back(&numbers, stored).1 - &numbers)
                .abs()
                .max()
                .double_value(&[])
        };
        assert_eq!(apart(Stored::F32), 0.0);
        assert!(apart(Stored::F16) < 2e-3);
        // Half a step of the largest block's scale, and what its 16 bits round.
        assert!(apart(Stored::Q8_0) < 4.0 / 127.0 * 0.6);
        assert_eq!(Stored::Q8_0.bytes(64), Some(68));
        assert_eq!(Stored::Q8_0.bytes(33), None);
    }

    #[test]
    fn what_does_not_fit_into_16_bits_is_refused() {
        for (number, stored) in [
            (1e5f32, Stored::F16),
            (f32::NAN, Stored::F16),
            (1e7, Stored::Q8_0),
        ] {
            let numbers = Tensor::from_slice(&[number; 32]);
            assert!(to_bytes(&numbers, stored).is_err(), "{number} {stored:?}");
        }
        assert!(to_bytes(&Tensor::from_slice(&[1e6f32; 32]), Stored::Q8_0).is_ok());
    }
}
