// SPDX-License-Identifier: GPL-2.0
//! Trees of equal keys, compared with a `BTreeSet`: these need the module.

mod common;

use blinktree::{open, open_pairs, unlink, Access, Change, Error, Options, Pairs};
use common::{bound, inside, Random};
use std::collections::{BTreeSet, VecDeque};

const MAX: u64 = u64::MAX;

/// A pair of few keys and values, the least and the greatest among them.
fn pair(random: &mut Random) -> (u64, u64) {
    let [key, value] = [(); 2].map(|()| match random.below(9) {
        0 => 0,
        8 => MAX,
        other => other << 33 | other,
    });
    (key, value)
}

fn new() -> Pairs {
    Options::new().create_pairs().unwrap()
}

#[test]
#[ignore = "needs the module"]
fn pairs_are_a_set() {
    let pairs = new();
    let mut model = BTreeSet::new();
    let mut random = Random(1);

    for _ in 0..3000 {
        let pair = pair(&mut random);
        let floor = model.range(..=pair).next_back().copied();
        let ceiling = model.range(pair..).next().copied();
        match random.below(7) {
            0 | 1 => assert_eq!(pairs.insert(pair), Ok(model.insert(pair))),
            2 => assert_eq!(pairs.remove(pair), Ok(model.remove(&pair))),
            3 => assert_eq!(pairs.contains(pair), Ok(model.contains(&pair))),
            4 => {
                assert_eq!(pairs.floor(pair), Ok(floor));
                assert_eq!(pairs.ceiling(pair), Ok(ceiling));
            }
            5 => {
                assert_eq!(pairs.pop_min(pair), Ok(ceiling));
                ceiling.map(|pair| model.remove(&pair));
            }
            _ => {
                assert_eq!(pairs.pop_max(pair), Ok(floor));
                floor.map(|pair| model.remove(&pair));
            }
        }
    }
    assert_eq!(pairs.iter().collect::<Result<BTreeSet<_>, _>>(), Ok(model));
    assert_eq!(pairs.verify().unwrap().violation, 0);
    pairs.clear().unwrap();
    assert_eq!(pairs.is_empty(), Ok(true));
}

#[test]
#[ignore = "needs the module"]
fn pairs_have_ranges() {
    let pairs = new();
    let mut random = Random(2);

    for _ in 0..300 {
        pairs.clear().unwrap();
        let model: BTreeSet<_> = (0..40).map(|_| pair(&mut random)).collect();
        assert_eq!(pairs.load(model.iter().copied(), 90), Ok(model.len() as u64));
        let [low, high] = [(); 2].map(|()| {
            let key = pair(&mut random);
            bound(&mut random, key)
        });
        let mut expected: VecDeque<_> =
            model.iter().copied().filter(|pair| inside(pair, &low, &high)).collect();
        assert_eq!(pairs.count((low, high)), Ok(expected.len() as u64));
        let mut range = pairs.range((low, high)).unwrap();
        while !expected.is_empty() {
            if random.below(2) == 0 {
                assert_eq!(range.next().unwrap(), Ok(expected.pop_front().unwrap()));
            } else {
                assert_eq!(range.next_back().unwrap(), Ok(expected.pop_back().unwrap()));
            }
        }
        assert!(range.next().is_none() && range.next_back().is_none());
        let inside = model.iter().filter(|pair| inside(*pair, &low, &high)).count() as u64;
        assert_eq!(pairs.remove_range((low, high)), Ok(inside));
        assert_eq!(pairs.len(), Ok(model.len() as u64 - inside));
    }
}

#[test]
#[ignore = "needs the module"]
fn keys_have_values() {
    let pairs = new();
    // More than a call takes; each pair twice.
    let many = (0..20_000).flat_map(|n| [(n % 3, n), (n % 3, n)]);
    assert_eq!(pairs.insert_all(many), Ok(20_000));
    pairs.insert((MAX, MAX)).unwrap();
    pairs.insert((MAX, 0)).unwrap();
    let values = |key| pairs.values(key).unwrap().map(Result::unwrap);
    assert!(values(1).eq((0..20_000).filter(|n| n % 3 == 1)));
    assert!(values(1).rev().eq((0..20_000).rev().filter(|n| n % 3 == 1)));
    assert!(values(MAX).eq([0, MAX]));
    assert_eq!(values(7).next(), None);
    assert_eq!((pairs.count_values(2), pairs.count_values(7)), (Ok(6666), Ok(0)));
    assert_eq!((pairs.remove_key(MAX), pairs.remove_key(MAX)), (Ok(2), Ok(0)));
    assert_eq!(pairs.load([(0, 1), (0, 2)], 100), Ok(2));
    let error = pairs.load([(3, 1), (3, 2), (1, 1), (3, 3)], 100).unwrap_err();
    assert_eq!((error.loaded, error.error), (2, Error::Exists));
    assert_eq!(pairs.verify().unwrap().violation, 0);
}

#[test]
#[ignore = "needs the module"]
fn pairs_have_limits() {
    let pairs = Options::new().max_entries(3).create_pairs().unwrap();
    assert_eq!(pairs.insert_all((0..9).map(|n| (n, n))), Err(Error::Full));
    assert_eq!(pairs.len(), Ok(3));
    assert_eq!(Options::new().compress(true).create_pairs().err(), Some(Error::Invalid));
}

#[test]
#[ignore = "needs the module"]
fn pairs_have_names() {
    let pairs = Options::new().name("rust.pairs").create_pairs().unwrap();
    pairs.insert((5, 6)).unwrap();
    drop(pairs);
    assert_eq!(open::<u64, u64>("rust.pairs", Access::Read).err(), Some(Error::Kind));
    let read = open_pairs("rust.pairs", Access::Read).unwrap();
    assert_eq!((read.contains((5, 6)), read.insert((5, 7))), (Ok(true), Err(Error::Access)));
    let write = open_pairs("rust.pairs", Access::Write).unwrap();
    assert_eq!((write.insert((5, 6)), write.insert((5, 7))), (Ok(false), Ok(true)));
    assert_eq!(write.pop_min((0, 0)), Err(Error::Access));
    unlink("rust.pairs").unwrap();
    Options::new().name("rust.numbers").create::<u64, u64>().unwrap();
    assert_eq!(open_pairs("rust.numbers", Access::Read).err(), Some(Error::Kind));
    unlink("rust.numbers").unwrap();
}

#[test]
#[ignore = "needs the module"]
fn pairs_are_watched() {
    let pairs = new();
    let mut watch = pairs.watch((2, 5)..(4, 0), 64).unwrap();
    for pair in [(2, 4), (2, 5), (3, MAX), (3, 0), (4, 0)] {
        pairs.insert(pair).unwrap();
    }
    pairs.remove((3, 0)).unwrap();
    let changes: Vec<_> = std::iter::from_fn(|| watch.read().unwrap()).collect();
    let keys = |change: &Change<(u64, u64)>| match change {
        Change::Insert { key, .. } => (*key, true),
        Change::Erase { key, .. } => (*key, false),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        changes.iter().map(keys).collect::<Vec<_>>(),
        [((2, 5), true), ((3, MAX), true), ((3, 0), true), ((3, 0), false)]
    );
    assert_eq!(pairs.watch((1, 0)..(1, 0), 0).err(), Some(Error::Invalid));
}
