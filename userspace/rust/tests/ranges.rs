// SPDX-License-Identifier: GPL-2.0
//! Ranges of keys with one value each, compared with an array of values: these need the module.

mod common;

use blinktree::{open, unlink, Access, Error, Number, Options, Place, Tree};
use common::{bound, inside, Random};
use std::fmt::Debug;
use std::ops::{Bound, RangeInclusive};

/// Keys of a model are so many: at the begin of all, at their end, or across two halves.
const WIDTH: usize = 40;

/// Numbers as keys.
trait Of: Number + Debug {
    const GREATEST: u128;
    fn of(number: u128) -> Self;
}

impl Of for u64 {
    const GREATEST: u128 = u64::MAX as u128;

    fn of(number: u128) -> Self {
        number as u64
    }
}

impl Of for u128 {
    const GREATEST: u128 = u128::MAX;

    fn of(number: u128) -> Self {
        number
    }
}

/// The values of some keys, from a base on; all others are in a hole.
struct Model {
    base: u128,
    values: [u64; WIDTH],
}

impl Model {
    fn key<K: Of>(&self, place: usize) -> K {
        K::of(self.base + place as u128)
    }

    fn keys<K: Of>(&self, first: usize, last: usize) -> RangeInclusive<K> {
        self.key(first)..=self.key(last)
    }

    /// All ranges and holes, in their order.
    fn all<K: Of>(&self) -> Vec<(RangeInclusive<K>, u64)> {
        let mut found: Vec<(u128, u128, u64)> = Vec::new();
        let inside = self.values.iter().enumerate().map(|(place, value)| {
            let key = self.base + place as u128;
            (key, key, *value)
        });
        let below = (self.base > 0).then(|| (0, self.base - 1, 0));
        let end = self.base + (WIDTH as u128 - 1);
        let above = (end < K::GREATEST).then(|| (end + 1, K::GREATEST, 0));
        for (first, last, value) in below.into_iter().chain(inside).chain(above) {
            match found.last_mut() {
                Some(before) if before.2 == value => before.1 = last,
                _ => found.push((first, last, value)),
            }
        }
        found.into_iter().map(|(first, last, value)| (K::of(first)..=K::of(last), value)).collect()
    }

    fn ranges<K: Of>(&self) -> Vec<(RangeInclusive<K>, u64)> {
        self.all().into_iter().filter(|(_, value)| *value != 0).collect()
    }

    /// Where so many keys in a row are in no range.
    fn gap(&self, size: usize, first: usize, last: usize, place: Place) -> Option<usize> {
        let mut places = (first..=last).filter(|&at| {
            at + size - 1 <= last && self.values[at..at + size].iter().all(|value| *value == 0)
        });
        if place == Place::Lowest {
            places.next()
        } else {
            places.next_back()
        }
    }
}

/// One change at random.
fn change<K: Of>(tree: &Tree<K, u64>, model: &mut Model, random: &mut Random) {
    let ranges = tree.ranges();
    let [a, b] = [(); 2].map(|()| random.below(WIDTH as u64) as usize);
    let (mut low, mut high, mut value) = (a.min(b), a.max(b), 1 + random.below(3));
    let (keys, size) = (model.keys::<K>(low, high), 1 + random.below(4) as usize);
    let place = if random.below(2) == 0 { Place::Lowest } else { Place::Highest };
    match random.below(6) {
        0 => ranges.store(keys, value).unwrap(),
        1 => ranges.store_parts(keys, value).unwrap(),
        2 => {
            let free = model.values[low..=high].iter().all(|value| *value == 0);
            assert_eq!(ranges.insert(keys, value), Ok(free));
            if !free {
                return;
            }
        }
        3 => {
            let found = ranges.alloc(K::of(size as u128), value, keys, place).unwrap();
            let Some(at) = model.gap(size, low, high, place) else {
                return assert_eq!(found, None);
            };
            (low, high) = (at, at + size - 1);
            assert_eq!(found, Some(model.keys(low, high)));
        }
        other => {
            value = 0;
            if other == 4 {
                ranges.erase(keys).unwrap();
            } else {
                ranges.erase_parts(keys).unwrap();
            }
        }
    }
    model.values[low..=high].fill(value);
}

/// One key at random.
fn look<K: Of>(tree: &Tree<K, u64>, model: &Model, random: &mut Random) {
    let ranges = tree.ranges();
    let at = random.below(WIDTH as u64) as usize;
    let key: K = model.key(at);
    let here = model.all::<K>().into_iter().find(|(keys, _)| keys.contains(&key)).unwrap();
    assert_eq!(ranges.get(key.clone()), Ok((here.1 != 0).then_some(here.1)));
    assert_eq!(ranges.lookup(key.clone()), Ok(here));
    let after = model.ranges().into_iter().find(|(keys, _)| *keys.end() >= key);
    assert_eq!(ranges.next(key.clone()), Ok(after));
    let before = model.ranges().into_iter().rev().find(|(keys, _)| *keys.start() <= key);
    assert_eq!(ranges.prev(key), Ok(before));
    let size = 1 + random.below(4) as usize;
    for place in [Place::Lowest, Place::Highest] {
        let gap = model.gap(size, at, WIDTH - 1, place);
        let found = ranges.gap(K::of(size as u128), model.keys::<K>(at, WIDTH - 1), place);
        assert_eq!(found, Ok(gap.map(|at| model.keys(at, at + size - 1))));
    }
}

/// Ranges as an array has them, and iterations from both ends at once.
fn ranges_at<K: Of>(base: u128) {
    let tree: Tree<K, u64> = Options::new().create().unwrap();
    let mut model = Model { base, values: [0; WIDTH] };
    let mut random = Random(1);

    for _ in 0..400 {
        change(&tree, &mut model, &mut random);
        look(&tree, &model, &mut random);
        let mut expected: std::collections::VecDeque<_> = model.ranges::<K>().into();
        let mut all = tree.ranges().iter();
        while !expected.is_empty() {
            if random.below(2) == 0 {
                assert_eq!(all.next(), expected.pop_front().map(Ok));
            } else {
                assert_eq!(all.next_back(), expected.pop_back().map(Ok));
            }
        }
        assert_eq!(if random.below(2) == 0 { all.next() } else { all.next_back() }, None);
        assert!(all.next().is_none() && all.next_back().is_none());
    }
    assert_eq!(tree.verify().unwrap().violation, 0);
}

#[test]
#[ignore = "needs the module"]
fn ranges_of_u64() {
    ranges_at::<u64>(0);
    ranges_at::<u64>(u64::GREATEST + 1 - WIDTH as u128);
}

#[test]
#[ignore = "needs the module"]
fn ranges_of_u128() {
    ranges_at::<u128>(0);
    ranges_at::<u128>((1 << 64) - WIDTH as u128 / 2);
    ranges_at::<u128>(u128::MAX - (WIDTH as u128 - 1));
}

#[test]
#[ignore = "needs the module"]
fn ranges_have_bounds_of_rust() {
    let tree: Tree<u64, u64> = Options::new().create().unwrap();
    let mut random = Random(2);
    let keys = [0, 1, 5, 6, u64::MAX - 1, u64::MAX];

    for _ in 0..300 {
        let [low, high] = [(); 2].map(|()| {
            let key = keys[random.below(6) as usize];
            bound(&mut random, key)
        });
        tree.clear().unwrap();
        let first = match low {
            Bound::Included(key) => Some(key),
            Bound::Excluded(key) => key.checked_add(1),
            Bound::Unbounded => Some(0),
        };
        let last = match high {
            Bound::Included(key) => Some(key),
            Bound::Excluded(key) => key.checked_sub(1),
            Bound::Unbounded => Some(u64::MAX),
        };
        let stored = tree.ranges().store((low, high), 7);
        match first.zip(last).filter(|(first, last)| first <= last) {
            None => assert_eq!(stored, Err(Error::Invalid)),
            Some((first, last)) => {
                assert_eq!(stored, Ok(()));
                let all: Vec<_> = tree.ranges().into_iter().collect();
                assert_eq!(all, [Ok((first..=last, 7))]);
                for key in keys {
                    let value = inside(&key, &low, &high).then_some(7);
                    assert_eq!(tree.ranges().get(key), Ok(value));
                }
            }
        }
    }
}

/// Without bounds a gap is among all keys, and a range can have them all.
fn all_keys<K: Of>() {
    let tree: Tree<K, u64> = Options::new().create().unwrap();
    let ranges = tree.ranges();
    let [greatest, below] = [K::GREATEST, K::GREATEST - 1].map(K::of);
    let gap = |place| ranges.gap(greatest.clone(), .., place).unwrap().unwrap();
    assert_eq!(gap(Place::Lowest), K::of(0)..=below);
    assert_eq!(gap(Place::Highest), K::of(1)..=greatest.clone());
    let taken = ranges.alloc(K::of(1), 5, .., Place::Highest);
    assert_eq!(taken, Ok(Some(greatest.clone()..=greatest.clone())));
    ranges.store(.., 5).unwrap();
    assert_eq!(ranges.lookup(K::of(9)), Ok((K::of(0)..=greatest, 5)));
    assert_eq!(ranges.iter().count() + ranges.iter().rev().count(), 2);
    assert_eq!(ranges.gap(K::of(1), .., Place::Lowest), Ok(None));
    assert_eq!(ranges.alloc(K::of(1), 1, .., Place::Lowest), Ok(None));
    ranges.erase(..).unwrap();
    assert_eq!((ranges.iter().next(), tree.is_empty()), (None, Ok(true)));
}

#[test]
#[ignore = "needs the module"]
fn ranges_have_all_keys() {
    all_keys::<u64>();
    all_keys::<u128>();
}

/// A range that loses too many others is stored in parts only.
#[test]
#[ignore = "needs the module"]
fn large_ranges_are_stored_in_parts() {
    let tree: Tree<u128, u64> = Options::new().create().unwrap();
    tree.load((1..20_000_u64).map(|n| (u128::from(4 * n), n % 2)), 100).unwrap();
    let ranges = tree.ranges();
    assert_eq!(ranges.store(2..=70_001, 7), Err(Error::TooLarge));
    assert_eq!(ranges.erase(2..=70_001), Err(Error::TooLarge));
    assert_eq!(ranges.next(0), Ok(Some((4..=7, 1))));
    assert_eq!(ranges.store_parts(2..=70_001, 7), Ok(()));
    assert_eq!(ranges.next(0), Ok(Some((2..=70_001, 7))));
    assert_eq!(ranges.erase_parts(..=70_001), Ok(()));
    assert_eq!(ranges.next(0), Ok(Some((70_004..=70_007, 1))));
}

#[test]
#[ignore = "needs the module"]
fn ranges_are_refused() {
    let tree: Tree<u64, u64> = Options::new().name("rust.ranges").max_entries(3).create().unwrap();
    let ranges = tree.ranges();
    assert_eq!(ranges.insert(1..=2, 0), Err(Error::Invalid));
    assert_eq!(ranges.alloc(1, 0, .., Place::Lowest), Err(Error::Invalid));
    assert_eq!(ranges.gap(0, .., Place::Lowest), Err(Error::Invalid));
    ranges.store(10..20, 7).unwrap();
    assert_eq!(tree.iter().collect::<Vec<_>>(), [Ok((10, 7)), Ok((20, 0))]);
    assert_eq!(ranges.store(30..40, 7), Err(Error::Full));
    assert_eq!(ranges.insert(19..40, 7), Ok(false));
    let error = ranges.store_parts(30..40, 7).unwrap_err();
    assert_eq!((error.rest, error.error), (30, Error::Full));
    assert_eq!(error.to_string(), "from the key 30 on: the tree has reached its limit");
    let reversed = (Bound::Included(9), Bound::Excluded(5));
    let error = ranges.store_parts(reversed, 7).unwrap_err();
    assert_eq!((error.rest, Error::from(error)), (9, Error::Invalid));

    let read: Tree<u64, u64> = open("rust.ranges", Access::Read).unwrap();
    assert_eq!(read.ranges().get(15), Ok(Some(7)));
    assert_eq!(read.ranges().erase(15..16), Err(Error::Access));
    let write: Tree<u64, u64> = open("rust.ranges", Access::Write).unwrap();
    unlink("rust.ranges").unwrap();
    assert_eq!(write.ranges().erase(15..20), Ok(()));
    assert_eq!(write.ranges().get(15), Err(Error::Access));
    assert_eq!(write.ranges().insert(0..1, 1), Err(Error::Access));
    let mut all = write.ranges().iter();
    assert_eq!((all.next(), all.next(), all.next_back()), (Some(Err(Error::Access)), None, None));
    assert_eq!(ranges.iter().collect::<Vec<_>>(), [Ok((10..=14, 7))]);
}

/// Keys that one thread has are given to no other.
#[test]
#[ignore = "needs the module"]
fn threads_take_gaps() {
    let tree: Tree<u64, u64> = Options::new().create().unwrap();
    std::thread::scope(|scope| {
        let take = |owner| {
            let tree = &tree;
            move || {
                let take = || tree.ranges().alloc(3, owner, 100..1600, Place::Lowest).unwrap();
                std::iter::from_fn(take).map(|keys| *keys.start()).collect::<Vec<_>>()
            }
        };
        let threads: Vec<_> = (1..5).map(|owner| scope.spawn(take(owner))).collect();
        let mut taken: Vec<_> =
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        taken.sort_unstable();
        assert!(taken.into_iter().eq((100..1600).step_by(3)));
    });
}
