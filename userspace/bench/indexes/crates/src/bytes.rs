// SPDX-License-Identifier: GPL-2.0
//! The skip list with strings of bytes as keys, for userspace/bench/keys.

use crossbeam_skiplist::SkipMap;
use std::ops::Bound;
use std::slice;

/// KEY_MAX of keys.h.
const KEY_MAX: usize = 1024;

type Strings = SkipMap<Box<[u8]>, u64>;

#[no_mangle]
pub extern "C" fn skiplist_bytes_create() -> *mut Strings {
    Box::into_raw(Box::default())
}

/// Whether the key was absent: the value of one that is present stays.
#[no_mangle]
pub unsafe extern "C" fn skiplist_bytes_insert(
    map: &Strings,
    data: *const u8,
    length: usize,
    value: u64,
) -> bool {
    let key: Box<[u8]> = slice::from_raw_parts(data, length).into();
    *map.get_or_insert(key, value).value() == value
}

#[no_mangle]
pub unsafe extern "C" fn skiplist_bytes_lookup(
    map: &Strings,
    data: *const u8,
    length: usize,
    value: &mut u64,
) -> bool {
    match map.get(slice::from_raw_parts(data, length)) {
        Some(found) => {
            *value = *found.value();
            true
        }
        None => false,
    }
}

#[no_mangle]
pub unsafe extern "C" fn skiplist_bytes_scan(
    map: &Strings,
    data: *const u8,
    length: usize,
    nr: u32,
    sum: &mut u64,
    copies: *mut [u8; KEY_MAX],
) -> u32 {
    let copies = slice::from_raw_parts_mut(copies, nr as usize);
    let first = Bound::Included(slice::from_raw_parts(data, length));
    let mut got = 0;
    for (copy, entry) in copies.iter_mut().zip(map.range::<[u8], _>((first, Bound::Unbounded))) {
        let key = entry.key();
        copy[..key.len()].copy_from_slice(key);
        *sum += *entry.value();
        got += 1;
    }
    got
}
