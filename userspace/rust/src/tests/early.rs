// SPDX-License-Identifier: GPL-2.0
//! Batches that a call ends early, on a kernel that does so on request.

use crate::abi::{self, Call};
use crate::record::Record;
use crate::{BatchError, Error, Key, Op, Pairs, Tree};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::cell::RefCell;

/// What a call does: so many operations, or none because of an error.
type Answer = Result<usize, Errno>;

/// The kind of keys of a tree, and the answers to the calls that follow.
struct Kernel {
    key: u32,
    answers: Vec<Answer>,
}

thread_local! {
    /// It answers the calls of this thread in place of the module.
    static KERNEL: RefCell<Option<Kernel>> = const { RefCell::new(None) };
}

/// The answer to a call; `None` without such a kernel.
pub(crate) fn answer<T: Call>(argument: &mut T) -> Option<rustix::io::Result<i32>> {
    KERNEL.with_borrow_mut(|kernel| {
        let kernel = kernel.as_mut()?;
        let argument: *mut T = argument;
        Some(match T::NUMBER {
            abi::Attr::NUMBER => {
                // SAFETY: the number is that of the structure.
                unsafe { (*argument.cast::<abi::Attr>()).key = kernel.key };
                Ok(0)
            }
            abi::Records::NUMBER => {
                // SAFETY: the number is that of the structure.
                let call = unsafe { &mut *argument.cast::<abi::Records>() };
                kernel.answers.remove(0).map(|number| execute(call, number))
            }
            _ => Err(Errno::NOTTY),
        })
    })
}

/// Execute the first operations of a stream whose results have room: all keys are present and
/// have the value 7.
fn execute(call: &mut abi::Records, number: usize) -> i32 {
    let (input, length) = (call.input as *const u8, call.input_size as usize);
    // SAFETY: the caller has made the stream.
    let mut rest = unsafe { std::slice::from_raw_parts(input, length) };
    let (mut results, mut fit) = (Vec::new(), 0);
    for _ in 0..number {
        let Some((record, after)) = Record::read(rest) else { break };
        let seven = 7_u64.to_ne_bytes();
        Record { value: &seven, old: &seven, ..record }.write(&mut results).unwrap();
        if results.len() as u64 > call.output_size {
            break;
        }
        rest = after;
        fit = results.len();
    }
    // SAFETY: the output has room for so many bytes.
    unsafe { results.as_ptr().copy_to_nonoverlapping(call.output as *mut u8, fit) };
    call.input_used = (length - rest.len()) as u64;
    call.output_used = fit as u64;
    0
}

/// A descriptor whose calls have these answers.
fn descriptor(key: u32, answers: &[Answer]) -> OwnedFd {
    let answers = answers.to_vec();
    KERNEL.set(Some(Kernel { key, answers }));
    std::fs::File::open("/dev/null").unwrap().into()
}

fn tree<K: Key>(answers: &[Answer]) -> Tree<K, u64> {
    descriptor(K::KIND, answers).try_into().unwrap()
}

#[test]
fn batch() {
    let gets = [1, 2, 3, 4, 5].map(Op::Get);
    let all = tree::<u64>(&[Ok(2), Ok(2), Ok(9)]).batch(&gets);
    assert_eq!(all, Ok(vec![Ok(Some(7)); 5]));
    for (answers, done) in [
        (vec![Err(Errno::AGAIN)], 0),
        (vec![Ok(2), Err(Errno::AGAIN)], 2),
        (vec![Ok(2), Ok(1), Err(Errno::AGAIN)], 3),
    ] {
        let results = vec![Ok(Some(7)); done];
        let ended = tree::<u64>(&answers).batch(&gets);
        assert_eq!(ended, Err(BatchError { results, error: Error::Os(Errno::AGAIN) }));
    }
}

/// An operation that is not valid has its result if those before it were executed.
#[test]
fn not_valid() {
    let long = || Op::Get(vec![0; abi::RECORD_KEY_MAX + 1]);
    let ops = [long(), Op::Remove(vec![1]), long(), long(), Op::Remove(vec![2]), long()];
    let invalid = Err(Error::Invalid);
    let (error, found) = (Error::NoMemory, Ok(Some(7)));
    for (answers, results) in [
        (vec![Err(Errno::NOMEM)], vec![invalid]),
        (vec![Ok(1), Err(Errno::NOMEM)], vec![invalid, found, invalid, invalid]),
    ] {
        let ended = tree::<Vec<u8>>(&answers).batch(&ops);
        assert_eq!(ended, Err(BatchError { results, error }));
    }
}

/// The operations are passed in chunks: the second one ends early.
#[test]
fn chunks() {
    let gets: Vec<_> = (0..20_000).map(Op::Get).collect();
    let all: Answer = Ok(usize::MAX);
    let ended = tree::<u64>(&[all, all, Ok(1), Err(Errno::NOMEM)]).batch(&gets).unwrap_err();
    // An operation has 32 bytes.
    let done = (256 << 10) / 32 + 1;
    assert_eq!(ended.results, vec![Ok(Some(7)); done]);
    assert_eq!(ended.to_string(), format!("after {done} operations: there is no memory"));
    assert_eq!(Error::from(ended), Error::NoMemory);
}

#[test]
fn pairs() {
    let pairs = Pairs::try_from(descriptor(abi::KEY_MULTI, &[Ok(1), Err(Errno::NOMEM)])).unwrap();
    assert_eq!(pairs.insert_all([(1, 2), (3, 4)]), Err(Error::NoMemory));
}
