// SPDX-License-Identifier: GPL-2.0
//! An HdrHistogram of nanoseconds, to three digits.

use hdrhistogram::Histogram;

type Latency = Histogram<u64>;

/// What is longer counts as so long.
const HOUR: u64 = 3_600_000_000_000;

#[no_mangle]
pub extern "C" fn histogram_create() -> *mut Latency {
    let histogram = Histogram::new_with_max(HOUR, 3).expect("valid bounds");
    Box::into_raw(Box::new(histogram))
}

#[no_mangle]
pub unsafe extern "C" fn histogram_destroy(histogram: *mut Latency) {
    drop(Box::from_raw(histogram))
}

#[no_mangle]
pub unsafe extern "C" fn histogram_record(histogram: &mut Latency, ns: u64) {
    histogram.saturating_record(ns)
}

#[no_mangle]
pub unsafe extern "C" fn histogram_merge(to: &mut Latency, from: &Latency) {
    to.add(from).expect("equal bounds")
}

#[no_mangle]
pub unsafe extern "C" fn histogram_quantile(histogram: &Latency, share: f64) -> f64 {
    histogram.value_at_quantile(share) as f64
}
