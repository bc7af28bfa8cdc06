// SPDX-License-Identifier: GPL-2.0
//! What trees of all kinds have: a descriptor, and calls with streams of records.

use crate::abi;
use crate::error::{Error, LoadError, Result};
use crate::range::{Bounds, OnRange};
use crate::record::Record;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;

/// Bytes of operations that a call takes, and of their results.
const CHUNK: usize = 1 << 18;

/// The descriptor of a tree.
#[derive(Debug)]
pub(crate) struct Stream {
    pub fd: OwnedFd,
    /// Bytes of the longest result.
    result_max: usize,
}

impl Stream {
    /// Take over the descriptor of a tree that has this kind of keys and these flags.
    pub fn new(fd: OwnedFd, key: u32, flags: u32, result_max: usize) -> Result<Self> {
        let stream = Self { fd, result_max };
        let attr: abi::Attr = stream.ask()?;
        let bytes = u64::from(abi::CREATE_BYTE_VALUES);
        if attr.key != key || attr.create_flags & bytes != u64::from(flags) {
            return Err(Error::Kind);
        }
        Ok(stream)
    }

    /// An ioctl that only answers.
    pub fn ask<T: abi::Call + Default>(&self) -> Result<T> {
        let mut argument = T::default();
        // SAFETY: the structure has no addresses.
        unsafe { abi::call(self, &mut argument) }?;
        Ok(argument)
    }

    /// Execute a stream of one operation.
    pub fn one<T>(&self, stream: &[u8], result: impl Fn(&Record<'_>) -> Result<T>) -> Result<T> {
        let mut outcome = Err(Error::Invalid);
        self.execute(stream, |record| outcome = result(record))?;
        outcome
    }

    /// Execute a stream of operations, and pass on the result of each.
    fn execute(&self, mut stream: &[u8], mut each: impl FnMut(&Record<'_>)) -> Result<()> {
        let mut output = vec![0_u8; self.result_max.max(CHUNK.min(8 * stream.len()))];
        while !stream.is_empty() {
            let mut call = abi::Records {
                input: stream.as_ptr() as u64,
                input_size: stream.len() as u64,
                output: output.as_mut_ptr() as u64,
                output_size: output.len() as u64,
                ..Default::default()
            };
            // SAFETY: the kernel reads the stream, and writes to the output.
            unsafe { abi::call(self, &mut call) }?;
            let mut rest = &output[..call.output_used as usize];
            while let Some((record, after)) = Record::read(rest) {
                each(&record);
                rest = after;
            }
            stream = &stream[call.input_used as usize..];
        }
        Ok(())
    }

    /// Execute a stream of operations at one instant, and pass on the result of each. Returns
    /// whether they took effect.
    pub fn commit(
        &self,
        stream: &[u8],
        count: usize,
        mut each: impl FnMut(&Record<'_>),
    ) -> Result<bool> {
        let mut output = vec![0_u8; self.result_max * count];
        let mut call = abi::Records {
            flags: abi::RECORDS_COMMIT,
            input: stream.as_ptr() as u64,
            input_size: stream.len() as u64,
            output: output.as_mut_ptr() as u64,
            output_size: output.len() as u64,
            ..Default::default()
        };
        // SAFETY: the kernel reads the stream, and writes to the output.
        let done = match unsafe { abi::call(self, &mut call) } {
            Err(Errno::STALE) => false,
            result => result.map(|_| true)?,
        };
        let mut rest = &output[..call.output_used as usize];
        while let Some((record, after)) = Record::read(rest) {
            each(&record);
            rest = after;
        }
        Ok(done)
    }

    /// Execute many operations, which `write` appends to a stream; `each` gets the number
    /// of an operation and its result. An operation that is not valid is left out. An error
    /// comes with the number of the first valid operation that was not executed.
    pub fn batch<T>(
        &self,
        operations: impl IntoIterator<Item = T>,
        write: impl Fn(T, &mut Vec<u8>) -> Result<()>,
        mut each: impl FnMut(usize, &Record<'_>),
    ) -> std::result::Result<(), (usize, Error)> {
        let mut stream = Vec::new();
        let mut numbers = Vec::new();
        let mut flush = |stream: &mut Vec<u8>, numbers: &mut Vec<usize>| {
            let mut next = numbers.drain(..);
            let mut number = || next.next().expect("a result for each operation");
            self.execute(stream, |record| each(number(), record))
                .map_err(|error| (number(), error))?;
            stream.clear();
            Ok(())
        };
        for (number, operation) in operations.into_iter().enumerate() {
            if write(operation, &mut stream).is_ok() {
                numbers.push(number);
            }
            if stream.len() >= CHUNK {
                flush(&mut stream, &mut numbers)?;
            }
        }
        flush(&mut stream, &mut numbers)
    }

    /// Add entries whose keys ascend; `write` appends their insertions to a stream.
    pub fn load<T>(
        &self,
        entries: impl IntoIterator<Item = T>,
        fill: u32,
        write: impl Fn(T, &mut Vec<u8>) -> Result<()>,
    ) -> std::result::Result<u64, LoadError> {
        let mut loaded = 0;
        let mut stream = Vec::new();
        let mut load = |stream: &[u8], valid: Result<()>| {
            self.load_stream(stream, fill, &mut loaded)
                .and(valid)
                .map_err(|error| LoadError { loaded, error })
        };
        for entry in entries {
            let valid = write(entry, &mut stream);
            if valid.is_err() || stream.len() >= CHUNK {
                load(&stream, valid)?;
                stream.clear();
            }
        }
        load(&stream, Ok(()))?;
        Ok(loaded)
    }

    fn load_stream(&self, mut stream: &[u8], fill: u32, loaded: &mut u64) -> Result<()> {
        while !stream.is_empty() {
            let mut call = abi::Records {
                flags: abi::RECORDS_LOAD,
                fill,
                input: stream.as_ptr() as u64,
                input_size: stream.len() as u64,
                ..Default::default()
            };
            // SAFETY: the kernel reads the stream.
            let result = unsafe { abi::call(self, &mut call) };
            *loaded += call.done;
            result?;
            stream = &stream[call.input_used as usize..];
        }
        Ok(())
    }

    /// Read entries at one end of a range; returns the bytes of the output that have some.
    pub fn scan(&self, bounds: &mut Bounds, descending: bool, output: &mut [u8]) -> Result<usize> {
        let mut call = abi::RecordScan {
            output: output.as_mut_ptr() as u64,
            output_size: output.len() as u64,
            ..Default::default()
        };
        call.enter(bounds, if descending { abi::SCAN_DESC } else { 0 });
        // SAFETY: both bounds have room for the longest, and the output is as long as it says.
        unsafe { abi::call(self, &mut call) }?;
        call.leave(bounds, abi::SCAN_DESC);
        Ok(call.output_used as usize)
    }

    /// Call until a range is done, and add up the entries.
    pub fn sum<C: OnRange>(&self, bounds: Option<Bounds>, flags: u32) -> Result<u64> {
        let mut total = 0;
        let Some(mut bounds) = bounds else {
            return Ok(0);
        };
        while bounds.flags & abi::DONE == 0 {
            let mut call = C::default();
            call.enter(&mut bounds, flags);
            // SAFETY: both bounds have room for the longest, and there is no output.
            unsafe { abi::call(self, &mut call) }?;
            call.leave(&mut bounds, flags);
            total += call.count();
        }
        Ok(total)
    }
}

impl AsFd for Stream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}
