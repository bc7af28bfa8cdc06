// SPDX-License-Identifier: GPL-2.0
//! Watches of trees: these need the module.

use blinktree::{open, unlink, Access, Change, Error, Number, Options, Tree, Watch};
use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::fd::AsFd;
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

fn new<K: Number>() -> Tree<K, u64> {
    Options::new().create().unwrap()
}

/// All changes that there are.
fn all<K: Number>(watch: &mut Watch<K>) -> Vec<Change<K>> {
    std::iter::from_fn(|| watch.read().unwrap()).collect()
}

fn apply(copy: &mut BTreeMap<u64, u64>, change: Change<u64>) {
    match change {
        Change::Insert { key, value } | Change::Update { key, value, .. } => {
            copy.insert(key, value);
        }
        Change::Erase { key, .. } => {
            copy.remove(&key);
        }
        Change::EraseRange { first, last } => copy.retain(|key, _| !(first..=last).contains(key)),
        other => panic!("{other:?}"),
    }
}

#[test]
#[ignore = "needs the module"]
fn changes_come_in_order() {
    let tree = new::<u64>();
    tree.store(&1, &10).unwrap();
    let mut watch = tree.watch(.., 0).unwrap();
    assert_eq!((watch.position(), watch.head(), watch.read()), (0, 0, Ok(None)));
    tree.store(&1, &11).unwrap();
    tree.store(&2, &20).unwrap();
    tree.remove(&2).unwrap();
    tree.remove_range(0..5).unwrap();
    assert_eq!(
        all(&mut watch),
        [
            Change::Update { key: 1, value: 11, old: 10 },
            Change::Insert { key: 2, value: 20 },
            Change::Erase { key: 2, old: 20 },
            Change::Erase { key: 1, old: 11 },
        ]
    );
    assert_eq!((watch.position(), watch.head()), (4, 4));
}

#[test]
#[ignore = "needs the module"]
fn ranges_have_bounds() {
    let tree = new::<u128>();
    let last = 1 << 100 | 7;
    let mut watches = [tree.watch(5..=last, 64).unwrap(), tree.watch(4..last + 1, 64).unwrap()];
    for key in [3, 5, last, last + 1] {
        tree.store(&key, &1).unwrap();
    }
    for watch in &mut watches {
        let [one, two] = all(watch)[..] else { panic!() };
        assert_eq!(one, Change::Insert { key: 5, value: 1 });
        assert_eq!(two, Change::Insert { key: last, value: 1 });
    }
    assert_eq!(tree.watch(6..6, 0).err(), Some(Error::Invalid));
    assert_eq!(tree.watch(..0, 0).err(), Some(Error::Invalid));
}

#[test]
#[ignore = "needs the module"]
fn overruns_are_told_once() {
    let tree = new::<u64>();
    let mut watch = tree.watch(.., 64).unwrap();
    for key in 0..65 {
        tree.store(&key, &key).unwrap();
    }
    assert_eq!(watch.read(), Err(Error::Overrun));
    assert_eq!((watch.position(), watch.read()), (65, Ok(None)));
    tree.remove(&7).unwrap();
    assert_eq!(all(&mut watch), [Change::Erase { key: 7, old: 7 }]);
}

#[test]
#[ignore = "needs the module"]
fn watches_wait() {
    let tree = new::<u64>();
    let mut watch = tree.watch(.., 0).unwrap();
    let begin = Instant::now();
    assert_eq!(watch.wait(Some(Duration::from_millis(200))), Ok(false));
    assert!(begin.elapsed() >= Duration::from_millis(200));
    assert_eq!(watch.wait(Some(Duration::ZERO)), Ok(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(200));
            for key in 0..100 {
                tree.store(&key, &key).unwrap();
            }
        });
        let keys: Vec<u64> = watch
            .take(100)
            .map(|change| match change.unwrap() {
                Change::Insert { key, .. } => key,
                other => panic!("{other:?}"),
            })
            .collect();
        assert!(keys.into_iter().eq(0..100));
    });
}

fn readable(watch: &Watch<u64>) -> bool {
    poll(&mut [PollFd::new(watch, PollFlags::IN)], Some(&Timespec::default())).unwrap() > 0
}

/// A loop over many descriptors reads until there is nothing more, and waits.
#[test]
#[ignore = "needs the module"]
fn no_change_is_left_to_poll_for() {
    let tree = new::<u64>();
    let mut watch = tree.watch(.., 0).unwrap();
    for value in 0..2 {
        tree.store(&1, &value).unwrap();
        assert!(readable(&watch));
        assert_eq!(all(&mut watch).len(), 1);
        assert!(!readable(&watch));
    }
}

/// A program can wait longer than any clock runs.
#[test]
#[ignore = "needs the module"]
fn long_timeouts() {
    let tree = new::<u64>();
    for (key, seconds) in [1 << 40, u64::MAX].into_iter().enumerate() {
        let mut watch = tree.watch(.., 64).unwrap();
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(100));
                tree.store(&(key as u64), &1).unwrap();
            });
            assert_eq!(watch.wait(Some(Duration::from_secs(seconds))), Ok(true));
        });
    }
}

/// A copy that four threads keep busy, with a ring that is too small.
#[test]
#[ignore = "needs the module"]
fn copies_are_equal() {
    const WRITERS: u64 = 4;
    let tree = new::<u64>();
    let left = AtomicUsize::new(WRITERS as usize);
    let mut watch = tree.watch(.., 64).unwrap();
    let mut copy = BTreeMap::new();
    thread::scope(|scope| {
        for id in 0..WRITERS {
            let (tree, left) = (&tree, &left);
            scope.spawn(move || {
                let mut state = id + 1;
                for _ in 0..5000 {
                    state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(id);
                    let key = (state >> 40) % 500;
                    if state >> 63 == 0 {
                        tree.store(&key, &state).unwrap();
                    } else {
                        tree.remove(&key).unwrap();
                    }
                }
                left.fetch_sub(1, Ordering::SeqCst);
            });
        }
        while left.load(Ordering::SeqCst) > 0 || watch.head() > watch.position() {
            match watch.read() {
                Ok(Some(change)) => apply(&mut copy, change),
                Ok(None) => thread::yield_now(),
                Err(error) => {
                    assert_eq!(error, Error::Overrun);
                    copy = tree.iter().map(Result::unwrap).collect();
                }
            }
        }
    });
    assert!(watch.position() > 10_000);
    assert_eq!(copy, tree.iter().map(Result::unwrap).collect());
}

#[test]
#[ignore = "needs the module"]
fn limits_are_errors() {
    let tree = new::<u64>();
    assert_eq!(tree.watch(.., 100).err(), Some(Error::Invalid));
    let watches: Vec<_> = (0..8).map(|_| tree.watch(.., 64).unwrap()).collect();
    assert_eq!(tree.watch(.., 0).err(), Some(Error::Os(Errno::USERS)));
    assert!(watches[0].as_fd().try_clone_to_owned().is_ok());
    drop(watches);
    assert!(tree.watch(.., 0).is_ok());
}

#[test]
#[ignore = "needs the module"]
fn the_tree_itself() {
    let name = "rs.watch";
    let tree: Tree<u64, u64> = Options::new().name(name).max_entries(1).create().unwrap();
    let mut watch = tree.watch(100.., 64).unwrap();
    tree.store(&1, &1).unwrap();
    for key in 2..5 {
        assert!(tree.store(&key, &1).is_err());
    }
    unlink(name).unwrap();
    assert_eq!(all(&mut watch), [Change::Refused { error: Errno::NOSPC }, Change::Unlinked]);
    assert_eq!((watch.ended(), watch.wait(Some(Duration::ZERO))), (Ok(false), Ok(false)));
    tree.store(&1, &2).unwrap();
    assert_eq!(watch.read(), Ok(None));
}

/// Without name and descriptor a tree does not change any more.
#[test]
#[ignore = "needs the module"]
fn watches_end() {
    let name = "rs.watch.end";
    let tree: Tree<u64, u64> = Options::new().name(name).create().unwrap();
    let mut watch = tree.watch(.., 64).unwrap();
    drop(tree);
    assert_eq!(watch.ended(), Ok(false));
    let again = open::<u64, u64>(name, Access::ReadWrite).unwrap();
    unlink(name).unwrap();
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(100));
            again.store(&7, &70).unwrap();
        });
        let changes: Vec<_> = watch.by_ref().map(Result::unwrap).collect();
        assert_eq!(changes, [Change::Unlinked, Change::Insert { key: 7, value: 70 }]);
    });
    assert_eq!((watch.ended(), watch.wait(None), watch.read()), (Ok(true), Ok(false), Ok(None)));
}
