// SPDX-License-Identifier: GPL-2.0
//! The examples of Documentation/rust.rst, in its order.
use blinktree::{Change, Committed, Error, Gap, Options, Tree};

fn numbers() -> Result<(), Error> {
    use blinktree::{open, Access, Options, Replication, Tree};

    let ports: Tree<u64, u64> =
        Options::new().name("ports").replication(Replication::Inner).create()?;
    ports.load([(22, 1), (80, 2), (443, 2)], 90)?;
    let read: Tree<u64, u64> = open("ports", Access::Read)?;
    assert_eq!(read.ceiling(&100)?, Some((443, 2)));
    blinktree::unlink("ports")?;
    Ok(())
}

fn commits() -> Result<(), Error> {
    let accounts: Tree<u64, u64> = Options::new().create()?;
    accounts.store(&1, &100)?;
    let mut commit = accounts.commit();
    commit.compare_exchange(&1, &100, &70)?.add(&2, 30)?;
    assert_eq!(commit.run()?, Committed::Done(vec![Some(100), None]));
    Ok(())
}

fn gaps() -> Result<(), Error> {
    let sums: Tree<u64, u64> = Options::new().create()?;
    sums.load([(1, 10), (2, 20), (3, 30), (9, 90)], 100)?;
    let mut commit = sums.commit();
    commit.store(&1, &60)?.gap(Gap::Clear)?.expect(&9, &90)?;
    assert_eq!(commit.run()?, Committed::Done(vec![Some(10), None]));
    let mut commit = sums.commit();
    commit.insert(&5, &50)?.get(&1)?.gap(Gap::Empty)?.get(&9)?;
    assert_eq!(commit.run()?, Committed::Done(vec![None, Some(60), Some(90)]));
    Ok(())
}

fn pairs() -> Result<(), Error> {
    let pairs = Options::new().create_pairs()?;
    pairs.insert_all([(1, 20), (1, 10), (2, 30)])?;
    assert_eq!(pairs.values(1)?.collect::<Result<Vec<_>, _>>()?, [10, 20]);
    assert_eq!(pairs.range((1, 15)..)?.next(), Some(Ok((1, 20))));
    assert_eq!(pairs.remove_key(1)?, 2);
    Ok(())
}

fn ranges() -> Result<(), Error> {
    use blinktree::Place;

    let tree: Tree<u64, u64> = Options::new().create()?;
    let ports = tree.ranges();
    ports.store(..1024, 1)?;
    assert_eq!(ports.alloc(16, 7, 1000..65536, Place::Lowest)?, Some(1024..=1039));
    assert!(!ports.insert(1030..1050, 9)?);
    ports.erase(100..200)?;
    assert_eq!(ports.get(1030)?, Some(7));
    assert_eq!(ports.next(100)?, Some((200..=1023, 1)));
    for range in ports {
        let (keys, owner) = range?;
        println!("{} to {}: {owner}", keys.start(), keys.end());
    }
    Ok(())
}

fn watches() -> Result<(), Error> {
    let tree: Tree<u64, u64> = Options::new().create()?;
    let mut watch = tree.watch(.., 0)?;
    tree.store(&7, &70)?;
    assert_eq!(watch.read()?, Some(Change::Insert { key: 7, value: 70 }));
    Ok(())
}

fn lists() -> Result<(), Error> {
    for tree in blinktree::trees()? {
        let tree = tree?;
        println!("{} {:?} {}", tree.name, tree.keys, tree.entries);
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    numbers()?;
    commits()?;
    gaps()?;
    pairs()?;
    ranges()?;
    watches()?;
    lists()
}
