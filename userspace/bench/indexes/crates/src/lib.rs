// SPDX-License-Identifier: GPL-2.0
//! Two concurrent indexes, with the operations of struct lab_index_ops.
//!
//! congee is an adaptive radix tree with optimistic lock coupling, the other a
//! skip list. Each call is in an epoch of its own, as a user's would be.

mod bytes;
mod histogram;

use congee::Congee;
use crossbeam_skiplist::map::Entry as SkipEntry;
use crossbeam_skiplist::SkipMap;
use std::ffi::c_void;
use std::ops::Bound;
use std::slice;

/// As struct blink_tree_entry.
#[repr(C)]
pub struct Entry {
    key: u64,
    value: u64,
}

type Art = Congee<usize, usize>;
type List = SkipMap<u64, u64>;

/// Part of an array of LAB_SCAN_MAX, as an index of usize takes it.
const ENTRIES: usize = 48;

const ENOENT: i32 = 2;
const ENOMEM: i32 = 12;

/// 0, or an error as a number of the C library.
fn unless(error: i32, good: bool) -> i32 {
    if good {
        0
    } else {
        -error
    }
}

#[no_mangle]
pub extern "C" fn congee_create(_ops: *const c_void, _params: *const c_void) -> *mut Art {
    Box::into_raw(Box::default())
}

#[no_mangle]
pub unsafe extern "C" fn congee_destroy(map: *mut Art) {
    drop(Box::from_raw(map))
}

#[no_mangle]
pub unsafe extern "C" fn congee_store(map: &Art, key: u64, value: u64) -> i32 {
    unless(ENOMEM, map.insert(key as usize, value as usize, &map.pin()).is_ok())
}

#[no_mangle]
pub unsafe extern "C" fn congee_lookup(map: &Art, key: u64, value: &mut u64) -> i32 {
    let found = map.get(&(key as usize), &map.pin());
    unless(ENOENT, found.map(|found| *value = found as u64).is_some())
}

#[no_mangle]
pub unsafe extern "C" fn congee_erase(map: &Art, key: u64) -> i32 {
    unless(ENOENT, map.remove(&(key as usize), &map.pin()).is_some())
}

#[no_mangle]
pub unsafe extern "C" fn congee_scan(map: &Art, key: u64, entry: *mut Entry, nr: u32) -> u32 {
    let mut found = [(0, 0); ENTRIES];
    let nr = ENTRIES.min(nr as usize);
    let got = map.range(&(key as usize), &usize::MAX, &mut found[..nr], &map.pin());
    let entry = slice::from_raw_parts_mut(entry, nr);
    for (to, from) in entry.iter_mut().zip(&found[..got]) {
        *to = Entry { key: from.0 as u64, value: from.1 as u64 };
    }
    got as u32
}

#[no_mangle]
pub extern "C" fn skiplist_create(_ops: *const c_void, _params: *const c_void) -> *mut List {
    Box::into_raw(Box::default())
}

#[no_mangle]
pub unsafe extern "C" fn skiplist_destroy(map: *mut List) {
    drop(Box::from_raw(map))
}

#[no_mangle]
pub unsafe extern "C" fn skiplist_store(map: &List, key: u64, value: u64) -> i32 {
    map.insert(key, value);
    0
}

#[no_mangle]
pub unsafe extern "C" fn skiplist_lookup(map: &List, key: u64, value: &mut u64) -> i32 {
    let found = map.get(&key);
    unless(ENOENT, found.map(|found| *value = *found.value()).is_some())
}

#[no_mangle]
pub unsafe extern "C" fn skiplist_erase(map: &List, key: u64) -> i32 {
    unless(ENOENT, map.remove(&key).is_some())
}

#[no_mangle]
pub unsafe extern "C" fn skiplist_scan(map: &List, key: u64, entry: *mut Entry, nr: u32) -> u32 {
    let entry = slice::from_raw_parts_mut(entry, nr as usize);
    let mut got = 0;
    for (to, from) in entry.iter_mut().zip(map.range(key..)) {
        *to = Entry { key: *from.key(), value: *from.value() };
        got += 1;
    }
    got
}

#[no_mangle]
pub unsafe extern "C" fn skiplist_floor(map: &List, key: u64, entry: &mut Entry) -> i32 {
    let found = map.upper_bound(Bound::Included(&key));
    let copy = |found: SkipEntry<u64, u64>| *entry = Entry { key: *found.key(), value: *found.value() };
    unless(ENOENT, found.map(copy).is_some())
}
