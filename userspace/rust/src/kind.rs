// SPDX-License-Identifier: GPL-2.0
//! Kinds of keys and values, and how records contain them.

use crate::abi;
use std::borrow::Borrow;

mod sealed {
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for u128 {}
    impl Sealed for Vec<u8> {}
    impl Sealed for (u64, u64) {}
}

/// The type of keys of a tree: `u64`, `u128`, or `Vec<u8>` for byte strings.
///
/// Functions take keys as `Self::Ref`, which is `[u8]` for byte strings.
pub trait Key: sealed::Sealed + Borrow<Self::Ref> + Clone + Ord {
    /// A key that somebody else owns.
    type Ref: ?Sized + Ord;
    #[doc(hidden)]
    const KIND: u32;
    #[doc(hidden)]
    const LONGEST: usize;
    #[doc(hidden)]
    fn bytes(key: &Self::Ref) -> impl AsRef<[u8]> + '_;
    #[doc(hidden)]
    fn from_bytes(bytes: &[u8]) -> Self;
}

/// The type of values of a tree: `u64`, or `Vec<u8>` for byte strings.
pub trait Value: sealed::Sealed + Borrow<Self::Ref> + Clone {
    /// A value that somebody else owns.
    type Ref: ?Sized;
    #[doc(hidden)]
    const FLAGS: u32;
    #[doc(hidden)]
    const LONGEST: usize;
    #[doc(hidden)]
    fn bytes(value: &Self::Ref) -> impl AsRef<[u8]> + '_;
    #[doc(hidden)]
    fn from_bytes(bytes: &[u8]) -> Self;
}

/// The type of keys that are numbers: `u64` or `u128`.
pub trait Number: Key<Ref = Self> + Watched {}

/// The type of keys whose changes a watch tells: a number, or `(u64, u64)` for a pair of
/// [`Pairs`](crate::Pairs).
pub trait Watched: sealed::Sealed + Clone + Ord {
    #[doc(hidden)]
    const MIN: Self;
    #[doc(hidden)]
    const MAX: Self;
    #[doc(hidden)]
    fn above(&self) -> Option<Self>;
    #[doc(hidden)]
    fn below(&self) -> Option<Self>;
    /// As two words: the key of 64 bits, or the upper half, and the lower half.
    #[doc(hidden)]
    fn halves(&self) -> (u64, u64);
    #[doc(hidden)]
    fn from_halves(high: u64, low: u64) -> Self;
}

macro_rules! number {
    ($type:ident, $kind:ident, $halves:expr, $join:expr) => {
        impl Key for $type {
            type Ref = Self;
            const KIND: u32 = abi::$kind;
            const LONGEST: usize = std::mem::size_of::<Self>();

            fn bytes(key: &Self) -> impl AsRef<[u8]> + '_ {
                key.to_be_bytes()
            }

            fn from_bytes(bytes: &[u8]) -> Self {
                Self::from_be_bytes(bytes.try_into().expect("the kernel's length"))
            }
        }

        impl Number for $type {}

        impl Watched for $type {
            const MIN: Self = Self::MIN;
            const MAX: Self = Self::MAX;

            fn above(&self) -> Option<Self> {
                self.checked_add(1)
            }

            fn below(&self) -> Option<Self> {
                self.checked_sub(1)
            }

            fn halves(&self) -> (u64, u64) {
                $halves(*self)
            }

            fn from_halves(high: u64, low: u64) -> Self {
                $join(high, low)
            }
        }
    };
}

number!(u64, KEY_U64, |key| (key, 0), |high, _| high);
number!(u128, KEY_U128, |key| ((key >> 64) as u64, key as u64), |high, low| u128::from(high) << 64
    | u128::from(low));

impl Watched for (u64, u64) {
    const MIN: Self = (u64::MIN, u64::MIN);
    const MAX: Self = (u64::MAX, u64::MAX);

    fn above(&self) -> Option<Self> {
        Some(u128::from_halves(self.0, self.1).above()?.halves())
    }

    fn below(&self) -> Option<Self> {
        Some(u128::from_halves(self.0, self.1).below()?.halves())
    }

    fn halves(&self) -> (u64, u64) {
        *self
    }

    fn from_halves(high: u64, low: u64) -> Self {
        (high, low)
    }
}

impl Key for Vec<u8> {
    type Ref = [u8];
    const KIND: u32 = abi::KEY_BYTES;
    const LONGEST: usize = abi::RECORD_KEY_MAX;

    fn bytes(key: &[u8]) -> impl AsRef<[u8]> + '_ {
        key
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        bytes.to_vec()
    }
}

impl Value for u64 {
    type Ref = Self;
    const FLAGS: u32 = 0;
    const LONGEST: usize = 8;

    fn bytes(value: &Self) -> impl AsRef<[u8]> + '_ {
        value.to_ne_bytes()
    }

    /// The kernel hides a former value from a tree that is open for writing only: zero.
    fn from_bytes(bytes: &[u8]) -> Self {
        match bytes {
            [] => 0,
            _ => Self::from_ne_bytes(bytes.try_into().expect("the kernel's length")),
        }
    }
}

impl Value for Vec<u8> {
    type Ref = [u8];
    const FLAGS: u32 = abi::CREATE_BYTE_VALUES;
    const LONGEST: usize = abi::RECORD_VALUE_MAX;

    fn bytes(value: &[u8]) -> impl AsRef<[u8]> + '_ {
        value
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        bytes.to_vec()
    }
}
