// SPDX-License-Identifier: GPL-2.0
//! Operations as records, and what the records of their results say.

use crate::error::Result;
use crate::kind::{Key, Value};
use crate::record::Record;
use crate::tree::Compared;
use rustix::io::Errno;

pub fn operation<K: Key, V: Value>(
    opcode: u16,
    key: &K::Ref,
    value: Option<&V::Ref>,
    old: Option<&V::Ref>,
    stream: &mut Vec<u8>,
) -> Result<()> {
    let key = K::bytes(key);
    let value = value.map(V::bytes);
    let old = old.map(V::bytes);
    Record {
        opcode,
        key: key.as_ref(),
        value: value.as_ref().map_or(&[], AsRef::as_ref),
        old: old.as_ref().map_or(&[], AsRef::as_ref),
        ..Default::default()
    }
    .write(stream)
}

fn errno(result: i32) -> Errno {
    Errno::from_raw_os_error(-result)
}

fn absent<T>(result: i32) -> Result<Option<T>> {
    match errno(result) {
        Errno::NOENT => Ok(None),
        other => Err(other.into()),
    }
}

pub fn found<V: Value>(record: &Record<'_>) -> Result<Option<V>> {
    match record.result {
        0 => Ok(Some(V::from_bytes(record.value))),
        result => absent(result),
    }
}

pub fn inserted<V: Value>(record: &Record<'_>) -> Result<Option<V>> {
    match record.result {
        0 => Ok(None),
        result if errno(result) == Errno::EXIST => Ok(Some(V::from_bytes(record.old))),
        result => Err(errno(result).into()),
    }
}

pub fn stored<V: Value>(record: &Record<'_>) -> Result<Option<V>> {
    match record.result {
        0 => Ok(None),
        1 => Ok(Some(V::from_bytes(record.old))),
        result => Err(errno(result).into()),
    }
}

pub fn former<V: Value>(record: &Record<'_>) -> Result<Option<V>> {
    match record.result {
        0 => Ok(Some(V::from_bytes(record.old))),
        result => absent(result),
    }
}

pub fn compared<V: Value>(record: &Record<'_>) -> Result<Compared<V>> {
    match record.result {
        0 => Ok(Compared::Done),
        result if errno(result) == Errno::STALE => Ok(Compared::Other(V::from_bytes(record.old))),
        result if errno(result) == Errno::NOENT => Ok(Compared::Absent),
        result => Err(errno(result).into()),
    }
}

/// Whether an operation took effect: it did not if its result is this error.
pub fn effective(record: &Record<'_>, unless: Errno) -> Result<bool> {
    match record.result {
        0 => Ok(true),
        result if errno(result) == unless => Ok(false),
        result => Err(errno(result).into()),
    }
}

pub fn near<K: Key, V: Value>(record: &Record<'_>) -> Result<Option<(K, V)>> {
    match record.result {
        0 => Ok(Some((K::from_bytes(record.key), V::from_bytes(record.value)))),
        result => absent(result),
    }
}

pub fn popped<K: Key, V: Value>(record: &Record<'_>) -> Result<Option<(K, V)>> {
    match record.result {
        0 => Ok(Some((K::from_bytes(record.key), V::from_bytes(record.old)))),
        result => absent(result),
    }
}
