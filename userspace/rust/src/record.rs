// SPDX-License-Identifier: GPL-2.0
//! Streams of records: operations to the kernel, and results or entries from it.

use crate::abi;
use crate::error::{Error, Result};

const HEADER: usize = std::mem::size_of::<abi::Record>();

/// An operation, or a result with its fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record<'a> {
    pub opcode: u16,
    pub key: &'a [u8],
    pub value: &'a [u8],
    pub old: &'a [u8],
    pub result: i32,
    pub flags: u16,
}

pub const fn padded(length: usize) -> usize {
    (length + 7) & !7
}

/// Set the flags of an operation, of which this is the record.
pub fn set_flags(operation: &mut [u8], flags: u16) {
    let at = std::mem::offset_of!(abi::Record, flags);
    operation[at..at + 2].copy_from_slice(&flags.to_ne_bytes());
}

/// Bytes of a record whose fields have so many.
pub const fn size(key: usize, value: usize, old: usize) -> usize {
    HEADER + padded(key) + padded(value) + padded(old)
}

impl<'a> Record<'a> {
    /// Append an operation to a stream.
    pub fn write(&self, stream: &mut Vec<u8>) -> Result<()> {
        if self.key.len() > abi::RECORD_KEY_MAX
            || self.value.len() > abi::RECORD_VALUE_MAX
            || self.old.len() > abi::RECORD_VALUE_MAX
        {
            return Err(Error::Invalid);
        }
        let length = size(self.key.len(), self.value.len(), self.old.len());
        stream.extend((length as u32).to_ne_bytes());
        stream.extend(self.opcode.to_ne_bytes());
        stream.extend([0; 6]);
        for field in [self.key, self.value, self.old] {
            stream.extend((field.len() as u16).to_ne_bytes());
        }
        stream.extend([0; 6]);
        for field in [self.key, self.value, self.old] {
            stream.extend(field);
            stream.resize(stream.len() + padded(field.len()) - field.len(), 0);
        }
        Ok(())
    }

    /// The first record of a stream that the kernel has written, and those after it.
    pub fn read(stream: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let half = |at: usize| u16::from_ne_bytes([stream[at], stream[at + 1]]);
        let word = |at: usize| [stream[at], stream[at + 1], stream[at + 2], stream[at + 3]];

        if stream.is_empty() {
            return None;
        }
        let mut at = HEADER;
        let mut field = |length: u16| {
            let begin = at;
            at += padded(length as usize);
            &stream[begin..begin + length as usize]
        };
        let record = Self {
            opcode: half(4),
            flags: half(6),
            result: i32::from_ne_bytes(word(8)),
            key: field(half(12)),
            value: field(half(14)),
            old: field(half(16)),
        };
        Some((record, &stream[u32::from_ne_bytes(word(0)) as usize..]))
    }
}
