//! The types of numbers that are written.

/// Numbers of a block of `Q8_0`.
pub(crate) const Q8_0_NUMBERS: i64 = 32;

/// Bytes of a block of `Q8_0`: a scale of 16 bits and a byte for each number.
pub(crate) const Q8_0_BYTES: i64 = 34;

/// How a tensor's numbers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// 32 bits.
    F32,
    /// 16 bits.
    F16,
    /// Blocks of 32 numbers of 8 bits with a scale of 16.
    Q8_0,
}

impl Stored {
    const ALL: [Self; 3] = [Self::F32, Self::F16, Self::Q8_0];

    /// The format's number for it.
    pub fn code(self) -> u32 {
        match self {
            Self::F32 => 0,
            Self::F16 => 1,
            Self::Q8_0 => 8,
        }
    }

    /// The type that a number of the format's means.
    pub fn of_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|stored| stored.code() == code)
    }

    /// Numbers that are stored together, and the bytes that they take.
    pub fn block(self) -> (u64, u64) {
        match self {
            Self::F32 => (1, 4),
            Self::F16 => (1, 2),
            Self::Q8_0 => (Q8_0_NUMBERS as u64, Q8_0_BYTES as u64),
        }
    }

    /// Bytes of so many numbers; `None` if they do not fill whole blocks, or are beyond all measure.
    pub fn bytes(self, numbers: u64) -> Option<u64> {
        let (count, bytes) = self.block();
        if numbers.is_multiple_of(count) {
            (numbers / count).checked_mul(bytes)
        } else {
            None
        }
    }
}
