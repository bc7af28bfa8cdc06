// SPDX-License-Identifier: GPL-2.0
//! Trees of all kinds, compared with a `BTreeMap`: these need the module.

mod common;

use blinktree::{
    open, trees, unlink, Access, Committed, Compared, Error, Gap, Key, KeyKind, Locking, Op,
    Options, Replication, Tree, Value, ValueKind,
};
use common::{bound, inside, Random};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::Bound;

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
fn trees_are_listed() {
    // More than a call returns.
    let names: Vec<_> = (0..150).map(|n| format!("rust.list.{n:03}")).collect();
    for name in &names {
        Options::new().name(name).create::<u64, u64>().unwrap();
    }
    let options = Options::new().name("rust.listed").mode(0o604).max_entries(9);
    let tree = options.max_bytes(1 << 20).create::<u128, Vec<u8>>().unwrap();
    tree.load([(1, &b"one"[..]), (2, &b"two"[..])], 100).unwrap();
    Options::new().name("rust.pair").create_pairs().unwrap();
    Options::new().name("rust.text").create::<Vec<u8>, u64>().unwrap();
    let listed: Result<Vec<_>, _> = trees().unwrap().collect();
    let mut listed = listed.unwrap();
    assert!(listed.windows(2).all(|two| two[0].id < two[1].id));
    listed.retain(|tree| tree.name.starts_with("rust."));
    let [.., tree, pair, text] = &listed[..] else { panic!() };
    assert!(names.iter().eq(listed.iter().take(150).map(|tree| &tree.name)));
    assert_eq!((listed[0].keys, listed[0].values), (KeyKind::U64, ValueKind::U64));
    assert_eq!((&tree.name[..], tree.keys), ("rust.listed", KeyKind::U128));
    assert_eq!((tree.values, tree.access), (ValueKind::Bytes, Some(Access::ReadWrite)));
    assert_eq!((tree.uid, tree.gid, tree.mode), (0, 0, 0o604));
    assert_eq!((tree.entries, tree.max_entries, tree.max_bytes), (2, 9, 1 << 20));
    assert!(tree.bytes > 0);
    assert_eq!((pair.keys, text.keys), (KeyKind::Pairs, KeyKind::Bytes));
    for tree in &listed {
        unlink(&tree.name).unwrap();
    }
    assert_eq!(trees().unwrap().find(|tree| tree.as_ref().unwrap().name == "rust.text"), None);
}

/// No name is cut off at a NUL.
#[test]
#[ignore = "needs the module"]
fn names_without_nul() {
    let tree: Tree<u64, u64> = Options::new().name("rust.nul").create().unwrap();
    for name in ["rust.nul\0", "\0", "rust\0nul"] {
        assert_eq!(Options::new().name(name).create::<u64, u64>().err(), Some(Error::Invalid));
        assert_eq!(open::<u64, u64>(name, Access::Read).err(), Some(Error::Invalid));
        assert_eq!(unlink(name), Err(Error::Invalid));
    }
    drop(tree);
    unlink("rust.nul").unwrap();
}

/// Such a tree hides the values that it had.
#[test]
#[ignore = "needs the module"]
fn writing_only() {
    let tree: Tree<u128, u64> = Options::new().name("rust.write").create().unwrap();
    tree.load([(1, 10), (2, 20)], 100).unwrap();
    let write: Tree<u128, u64> = open("rust.write", Access::Write).unwrap();
    unlink("rust.write").unwrap();
    assert_eq!(write.store(&1, &11), Ok(Some(0)));
    assert_eq!(write.insert(&1, &12), Ok(Some(0)));
    assert_eq!(write.replace(&1, &13), Ok(Some(0)));
    assert_eq!(write.remove(&2), Ok(Some(0)));
    assert_eq!(write.get(&1), Err(Error::Access));
    assert_eq!(write.batch(&[Op::Store(1, 14)]), Ok(vec![Ok(Some(0))]));
    assert_eq!(tree.iter().collect::<Vec<_>>(), [Ok((1, 14))]);
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
fn numbers_are_added() {
    let tree: Tree<Vec<u8>, u64> = Options::new().create().unwrap();
    assert_eq!(tree.add(b"k", 7), Ok(None));
    assert_eq!(tree.add(b"k", 8_u64.wrapping_neg()), Ok(Some(7)));
    assert_eq!(tree.saturating_add(b"k", 1), Ok(Some(u64::MAX)));
    assert_eq!(tree.saturating_add(b"k", i64::MIN), Ok(Some(u64::MAX)));
    assert_eq!(tree.saturating_add(b"k", i64::MIN), Ok(Some(i64::MAX as u64)));
    assert_eq!(tree.saturating_add(b"new", -1), Ok(None));
    assert_eq!((tree.get(b"k"), tree.get(b"new")), (Ok(Some(0)), Ok(Some(0))));
}

/// Commits that take effect, and one for each condition that is not true.
fn commits<K, V>(tree: &Tree<K, V>)
where
    K: Key + Of + Debug,
    V: Value + Of + Debug + PartialEq + Clone,
{
    let (keys, values) = ([1, 2, 3].map(K::of), [1, 2, 3].map(V::of));
    let [one, two, three] = [0, 1, 2].map(|at| keys[at].borrow());
    let [x, y, z] = [0, 1, 2].map(|at| values[at].borrow());
    let found = |at: usize| Some(values[at].clone());

    let mut commit = tree.commit();
    commit.store(one, x).unwrap().insert(two, y).unwrap();
    commit.absent(three).unwrap().get(one).unwrap();
    assert_eq!(commit.run(), Ok(Committed::Done(vec![None; 4])));

    let mut commit = tree.commit();
    commit.compare_exchange(one, x, z).unwrap().compare_remove(two, y).unwrap();
    commit.get(two).unwrap().expect(one, x).unwrap();
    assert_eq!(commit.run(), Ok(Committed::Done(vec![found(0), found(1), found(1), None])));

    let mut commit = tree.commit();
    commit.replace(one, x).unwrap().store(three, y).unwrap().get(two).unwrap();
    assert_eq!(commit.run(), Ok(Committed::Done(vec![found(2), None, None])));

    for number in 0..3 {
        let mut commit = tree.commit();
        commit.remove(three).unwrap();
        match number {
            0 => commit.expect(one, y),
            1 => commit.absent(one),
            _ => commit.replace(two, x),
        }
        .unwrap();
        let found = if number < 2 { found(0) } else { None };
        assert_eq!(commit.run(), Ok(Committed::Failed { number: 1, found }));
    }
    assert_eq!((tree.get(one), tree.get(three)), (Ok(found(0)), Ok(found(1))));

    let mut commit = tree.commit();
    commit.store(one, y).unwrap().remove(one).unwrap();
    assert_eq!(commit.run(), Err(Error::Invalid));
    let mut commit = tree.commit();
    for _ in 0..33 {
        commit.get(one).unwrap();
    }
    assert_eq!(commit.run(), Err(Error::TooLarge));
    assert_eq!(tree.commit().run(), Ok(Committed::Done(Vec::new())));
}

/// Each operation with a gap that has to be empty, or is cleared. Operation 0 is on one key.
fn gaps<K, V>(tree: &Tree<K, V>)
where
    K: Key + Of + Debug,
    V: Value + Of + Debug + PartialEq + Clone,
{
    let keys = [1, 2, 3, 4, 5].map(K::of);
    let [one, two, three, four, five] = [0, 1, 2, 3, 4].map(|at| keys[at].borrow());
    let (x, y) = (V::of(1), V::of(2));
    let (x, y) = (x.borrow(), y.borrow());

    for number in 0..9 {
        let committed = |gap, end| {
            tree.clear().unwrap();
            tree.load([one, three, four, five].map(|key| (key, x)), 100).unwrap();
            let mut commit = tree.commit();
            match number {
                0 => commit.get(one),
                1 => commit.expect(one, x),
                2 => commit.replace(one, y),
                3 => commit.compare_exchange(one, x, y),
                4 => commit.compare_remove(one, x),
                5 => commit.remove(one),
                6 => commit.absent(two),
                7 => commit.insert(two, y),
                _ => commit.store(two, y),
            }
            .unwrap();
            commit.gap(gap).unwrap().get(end).unwrap();
            let committed = commit.run().unwrap();
            let contains = |key| tree.contains(key).unwrap();
            (committed, contains(three), contains(four), contains(five))
        };
        let occupied = Committed::Occupied { number: 0 };
        assert_eq!(committed(Gap::Empty, five), (occupied, true, true, true), "{number}");
        let (done, ..) = committed(Gap::Empty, three);
        assert!(matches!(done, Committed::Done(_)), "{number}");
        let (done, three, four, five) = committed(Gap::Clear, five);
        assert!(matches!(done, Committed::Done(_)), "{number}");
        assert_eq!((three, four, five), (false, false, true), "{number}");
    }

    tree.clear().unwrap();
    tree.load([one, three, five].map(|key| (key, x)), 100).unwrap();
    assert_eq!(tree.commit().gap(Gap::Empty).err(), Some(Error::Invalid));
    for gap in [Gap::Empty, Gap::Clear] {
        let mut commit = tree.commit();
        commit.get(one).unwrap().get(five).unwrap().gap(gap).unwrap();
        assert_eq!(commit.run(), Err(Error::Invalid));
    }
    let mut commit = tree.commit();
    commit.get(one).unwrap().gap(Gap::Clear).unwrap().expect(five, y).unwrap();
    let found = Some(V::of(1));
    assert_eq!(commit.run(), Ok(Committed::Failed { number: 1, found }));
    assert_eq!(tree.len(), Ok(3));
}

#[test]
#[ignore = "needs the module"]
fn commits_have_gaps() {
    gaps(&Options::new().create::<u64, u64>().unwrap());
    gaps(&Options::new().create::<u128, Vec<u8>>().unwrap());
    gaps(&Options::new().create::<Vec<u8>, Vec<u8>>().unwrap());
    let tree: Tree<u64, u64> = Options::new().create().unwrap();
    tree.store(&2, &0).unwrap();
    let mut commit = tree.commit();
    commit.add(&1, 1).unwrap().gap(Gap::Clear).unwrap();
    commit.saturating_add(&3, 1).unwrap().gap(Gap::Empty).unwrap().absent(&9).unwrap();
    assert_eq!(commit.run(), Ok(Committed::Done(vec![None; 3])));
    assert_eq!(tree.iter().collect::<Vec<_>>(), [Ok((1, 1)), Ok((3, 1))]);
}

#[test]
#[ignore = "needs the module"]
fn commits_have_all_effects_or_none() {
    commits(&Options::new().create::<u64, u64>().unwrap());
    commits(&Options::new().create::<u128, Vec<u8>>().unwrap());
    commits(&Options::new().create::<Vec<u8>, Vec<u8>>().unwrap());
    let tree: Tree<u64, u64> = Options::new().create().unwrap();
    let mut commit = tree.commit();
    commit.add(&1, 5_u64.wrapping_neg()).unwrap().saturating_add(&2, -5).unwrap();
    commit.absent(&1).unwrap();
    assert_eq!(commit.run(), Ok(Committed::Done(vec![None; 3])));
    assert_eq!((tree.get(&1), tree.get(&2)), (Ok(Some(5_u64.wrapping_neg())), Ok(Some(0))));
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
                    if n % 2 == 0 {
                        tree.add(&0, 1).unwrap();
                        continue;
                    }
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
