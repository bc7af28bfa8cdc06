// SPDX-License-Identifier: GPL-2.0
//! Trees of all kinds, compared with a `BTreeMap`: these need the module.

use blinktree::{
    open, unlink, Access, Compared, Error, Key, Locking, Op, Options, Replication, Tree, Value,
};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::Bound;

/// Numbers at random: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// Keys and values made of a small number; keys in its order.
trait Of {
    fn of(number: u64) -> Self;
}

impl Of for u64 {
    fn of(number: u64) -> Self {
        number << 40 | number
    }
}

impl Of for u128 {
    fn of(number: u64) -> Self {
        u128::from(number) << 64 | 7
    }
}

impl Of for Vec<u8> {
    fn of(number: u64) -> Self {
        match number {
            0 => Vec::new(),
            _ => format!("{number:05}{}", "x".repeat(number as usize % 60)).into_bytes(),
        }
    }
}

fn bound<K>(random: &mut Random, key: K) -> Bound<K> {
    match random.below(5) {
        0 => Bound::Unbounded,
        1 | 2 => Bound::Excluded(key),
        _ => Bound::Included(key),
    }
}

fn inside<K: Ord>(key: &K, low: &Bound<K>, high: &Bound<K>) -> bool {
    (match low {
        Bound::Included(low) => key >= low,
        Bound::Excluded(low) => key > low,
        Bound::Unbounded => true,
    }) && match high {
        Bound::Included(high) => key <= high,
        Bound::Excluded(high) => key < high,
        Bound::Unbounded => true,
    }
}

fn borrowed<K: Key>(bound: &Bound<K>) -> Bound<&K::Ref> {
    match bound {
        Bound::Included(key) => Bound::Included(key.borrow()),
        Bound::Excluded(key) => Bound::Excluded(key.borrow()),
        Bound::Unbounded => Bound::Unbounded,
    }
}

/// All operations on random keys, as a `BTreeMap` does them.
fn operations<K, V>(tree: &Tree<K, V>)
where
    K: Key + Of + Debug,
    V: Value + Of + Debug + PartialEq,
{
    let mut model = BTreeMap::new();
    let mut random = Random(1);

    for _ in 0..2000 {
        let (key, value) = (K::of(random.below(80)), V::of(random.below(9)));
        let (k, v) = (key.borrow(), value.borrow());
        let present = model.get::<K>(&key).cloned();
        match random.below(9) {
            0 => assert_eq!(tree.get(k).unwrap(), present),
            1 => {
                assert_eq!(tree.insert(k, v).unwrap(), present);
                model.entry(key).or_insert(value);
            }
            2 => assert_eq!(tree.store(k, v).unwrap(), model.insert(key.clone(), value.clone())),
            3 => {
                assert_eq!(tree.replace(k, v).unwrap(), present);
                model.entry(key).and_modify(|it| *it = value);
            }
            4 => assert_eq!(tree.remove(k).unwrap(), model.remove::<K>(&key)),
            5 => {
                let new = V::of(10);
                let result = tree.compare_exchange(k, v, new.borrow()).unwrap();
                match present {
                    None => assert_eq!(result, Compared::Absent),
                    Some(it) if it == value => {
                        assert_eq!(result, Compared::Done);
                        model.insert(key, new);
                    }
                    Some(it) => assert_eq!(result, Compared::Other(it)),
                }
            }
            6 => {
                let result = tree.compare_remove(k, v).unwrap();
                match present {
                    None => assert_eq!(result, Compared::Absent),
                    Some(it) if it == value => {
                        assert_eq!(result, Compared::Done);
                        model.remove::<K>(&key);
                    }
                    Some(it) => assert_eq!(result, Compared::Other(it)),
                }
            }
            7 => {
                let entry = |(key, value): (&K, &V)| (key.clone(), value.clone());
                let floor = model.range::<K, _>(..=&key).next_back().map(entry);
                let ceiling = model.range::<K, _>(&key..).next().map(entry);
                assert_eq!(tree.floor(k).unwrap(), floor);
                assert_eq!(tree.ceiling(k).unwrap(), ceiling);
            }
            _ => {
                let least = model.range::<K, _>(&key..).next().map(|(key, _)| key.clone());
                let expected = least.and_then(|key| model.remove_entry::<K>(&key));
                assert_eq!(tree.pop_min(k).unwrap(), expected);
                let greatest = model.range::<K, _>(..=&key).next_back().map(|(key, _)| key.clone());
                let expected = greatest.and_then(|key| model.remove_entry::<K>(&key));
                assert_eq!(tree.pop_max(k).unwrap(), expected);
            }
        }
    }
    let all: Result<Vec<_>, _> = tree.iter().collect();
    assert_eq!(all.unwrap(), model.into_iter().collect::<Vec<_>>());
    assert_eq!(tree.verify().unwrap().violation, 0);
    tree.clear().unwrap();
    assert!(tree.is_empty().unwrap());
}

/// Loads, batches, and ranges from both ends at once.
fn ranges<K, V>(tree: &Tree<K, V>)
where
    K: Key + Of + Debug,
    V: Value + Of + Debug + PartialEq,
{
    let entries: Vec<(K, V)> = (0..3000).map(|n| (K::of(3 * n), V::of(n % 70))).collect();
    let mut random = Random(2);

    let loaded = tree.load(entries.iter().map(|(k, v)| (k.borrow(), v.borrow())), 90);
    assert_eq!(loaded, Ok(3000));
    assert_eq!(tree.len(), Ok(3000));
    let again = tree.load(entries.iter().map(|(k, v)| (k.borrow(), v.borrow())), 90).unwrap_err();
    assert_eq!((again.loaded, again.error), (0, Error::Exists));
    for _ in 0..60 {
        let [low, high] = [(); 2].map(|()| {
            let key = K::of(match random.below(4) {
                0 => random.below(3),
                _ => random.below(9500),
            });
            bound(&mut random, key)
        });
        let expected = entries.iter().filter(|(key, _)| inside(key, &low, &high)).cloned();
        let mut expected: std::collections::VecDeque<_> = expected.collect();
        let range = (borrowed(&low), borrowed(&high));
        assert_eq!(tree.count(range).unwrap(), expected.len() as u64);
        let mut range = tree.range(range).unwrap();
        let odds = random.below(5);
        while !expected.is_empty() {
            if random.below(4) < odds {
                assert_eq!(range.next().unwrap().unwrap(), expected.pop_front().unwrap());
            } else {
                assert_eq!(range.next_back().unwrap().unwrap(), expected.pop_back().unwrap());
            }
        }
        assert!(range.next().is_none() && range.next_back().is_none());
    }
    let gets: Vec<_> = (0..9000).map(|n| Op::Get(K::of(n))).collect();
    for (n, result) in tree.batch(&gets).unwrap().into_iter().enumerate() {
        let expected = (n % 3 == 0).then(|| entries[n / 3].1.clone());
        assert_eq!(result, Ok(expected));
    }
    let (a, b) = (K::of(6), K::of(7));
    let ops = [
        Op::Remove(a.clone()),
        Op::Insert(b.clone(), V::of(1)),
        Op::Insert(b.clone(), V::of(2)),
        Op::Store(b.clone(), V::of(3)),
        Op::Replace(a.clone(), V::of(4)),
    ];
    let results: Vec<_> = tree.batch(&ops).unwrap().into_iter().map(Result::unwrap).collect();
    assert_eq!(results, [Some(V::of(2)), None, Some(V::of(1)), Some(V::of(1)), None]);
    let removed = tree.remove_range((Bound::Excluded(b.borrow()), Bound::Unbounded)).unwrap();
    assert_eq!(removed, 2997);
    assert_eq!(tree.len(), Ok(3));
}

fn all<K, V>(options: &Options)
where
    K: Key + Of + Debug,
    V: Value + Of + Debug + PartialEq,
{
    let tree = options.create::<K, V>().unwrap();
    operations(&tree);
    ranges(&tree);
}

#[test]
#[ignore = "needs the module"]
fn u64_u64() {
    all::<u64, u64>(&Options::new());
}

#[test]
#[ignore = "needs the module"]
fn u64_compressed() {
    all::<u64, u64>(&Options::new().compress(true));
}

#[test]
#[ignore = "needs the module"]
fn u64_bytes() {
    all::<u64, Vec<u8>>(&Options::new());
}

#[test]
#[ignore = "needs the module"]
fn u128_u64() {
    all::<u128, u64>(&Options::new().replication(Replication::Full));
}

#[test]
#[ignore = "needs the module"]
fn bytes_bytes() {
    all::<Vec<u8>, Vec<u8>>(&Options::new());
}

#[test]
#[ignore = "needs the module"]
fn bytes_u64() {
    all::<Vec<u8>, u64>(&Options::new().replication(Replication::Inner).locking(Locking::Cohort));
}

#[test]
#[ignore = "needs the module"]
fn names() {
    let options = Options::new().name("rust.names").mode(0o640).max_entries(2);
    let tree = options.create::<u64, u64>().unwrap();
    assert_eq!(options.create::<u64, u64>().unwrap_err(), Error::Exists);
    tree.insert(&1, &1).unwrap();
    tree.insert(&2, &2).unwrap();
    assert_eq!(tree.insert(&3, &3), Err(Error::Full));
    drop(tree);
    let read = open::<u64, u64>("rust.names", Access::Read).unwrap();
    assert_eq!(read.get(&2), Ok(Some(2)));
    assert_eq!(read.remove(&2), Err(Error::Access));
    assert_eq!(open::<u128, u64>("rust.names", Access::Read).unwrap_err(), Error::Kind);
    assert_eq!(open::<u64, Vec<u8>>("rust.names", Access::Read).unwrap_err(), Error::Kind);
    unlink("rust.names").unwrap();
    assert_eq!(open::<u64, u64>("rust.names", Access::Read).unwrap_err(), Error::NotFound);
    assert_eq!(
        Options::new().name(&"x".repeat(64)).create::<u64, u64>().unwrap_err(),
        Error::Invalid
    );
    assert_eq!(Options::new().name("-").create::<u64, u64>().unwrap_err(), Error::Invalid);
}

#[test]
#[ignore = "needs the module"]
fn prefixes() {
    let tree: Tree<Vec<u8>, u64> = Options::new().create().unwrap();
    for (n, key) in [&b""[..], b"a", b"ab", b"ab\0", b"b"].into_iter().enumerate() {
        tree.store(key, &(n as u64)).unwrap();
    }
    let values = |range: blinktree::Range<'_, Vec<u8>, u64>| -> Vec<u64> {
        range.map(|entry| entry.unwrap().1).collect()
    };
    assert_eq!(values(tree.prefix(b"ab").unwrap()), [2, 3]);
    assert_eq!(values(tree.prefix(b"").unwrap()), [0, 1, 2, 3, 4]);
    assert_eq!(tree.store(&[0; 1025], &0), Err(Error::Invalid));
    let ops = [Op::Store(b"c".to_vec(), 5), Op::Get(vec![0; 1025]), Op::Get(b"c".to_vec())];
    assert_eq!(tree.batch(&ops), Ok(vec![Ok(None), Err(Error::Invalid), Ok(Some(5))]));
    let numbers: Tree<u128, u64> = Options::new().create().unwrap();
    numbers.store(&(5 << 120), &1).unwrap();
    numbers.store(&(6 << 120), &2).unwrap();
    assert_eq!(numbers.prefix(&[5]).unwrap().count(), 1);
}

#[test]
#[ignore = "needs the module"]
fn threads_lose_nothing() {
    let tree: Tree<u64, u64> = Options::new().create().unwrap();
    tree.store(&0, &0).unwrap();
    std::thread::scope(|scope| {
        for id in 0..4 {
            let tree = &tree;
            scope.spawn(move || {
                for n in 0..500 {
                    assert_eq!(tree.insert(&(1 + 4 * n + id), &n), Ok(None));
                    loop {
                        let total = tree.get(&0).unwrap().unwrap();
                        if tree.compare_exchange(&0, &total, &(total + 1)) == Ok(Compared::Done) {
                            break;
                        }
                    }
                }
            });
        }
    });
    assert_eq!((tree.len(), tree.get(&0)), (Ok(2001), Ok(Some(2000))));
}
