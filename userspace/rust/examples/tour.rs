// SPDX-License-Identifier: GPL-2.0
use blinktree::{Compared, Options, Tree};

fn main() -> blinktree::Result<()> {
    let names: Tree<Vec<u8>, Vec<u8>> = Options::new().create()?;
    names.store(b"ada", b"Lovelace")?;
    names.store(b"alan", b"Turing")?;
    names.store(b"grace", b"Hopper")?;
    println!("{:?}", names.floor(b"bob")?.is_some()); // true
    for entry in names.prefix(b"a")?.rev() {
        let (name, surname) = entry?; // alan, then ada
        println!("{} {}", name.escape_ascii(), surname.escape_ascii());
    }
    let counters: Tree<u64, u64> = Options::new().create()?;
    counters.insert(&17, &1)?;
    assert_eq!(counters.compare_exchange(&17, &1, &2)?, Compared::Done);
    println!("{:?}", counters.range(10..20)?.next()); // Some(Ok((17, 2)))
    Ok(())
}
