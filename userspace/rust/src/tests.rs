// SPDX-License-Identifier: GPL-2.0
//! What needs no module: the layout of structures, and records.

use crate::abi::{self, Call};
use crate::device::Access;
use crate::record::Record;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) mod early;

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The numbers that expressions in C have, with the UAPI header.
fn in_c(expressions: &[String]) -> Vec<u64> {
    let mut source = String::from(
        "#include <stddef.h>\n#include <stdio.h>\n#include <linux/blink_tree.h>\nint main(void)\n{\n",
    );
    for expression in expressions {
        writeln!(source, "printf(\"%llu\\n\", (unsigned long long)({expression}));").unwrap();
    }
    source.push_str("return 0;\n}\n");
    let program = std::env::temp_dir().join(format!("blinktree-abi-{}", std::process::id()));
    let mut compiler = Command::new("cc")
        .args(["-x", "c", "-", "-I"])
        .arg(top().join("include/uapi"))
        .arg("-o")
        .arg(&program)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    compiler.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
    assert!(compiler.wait().unwrap().success());
    let output = Command::new(&program).output().unwrap();
    std::fs::remove_file(&program).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

macro_rules! layouts {
    ($pairs:ident, $($type:ident $name:literal)*) => {
        $(let name = format!("struct blink_tree_{}", $name);
        $pairs.push((format!("sizeof({name})"), std::mem::size_of::<abi::$type>() as u64));
        for (field, offset, size) in abi::$type::layout() {
            let hidden = matches!(field, "reserved" | "pad" | "pad2");
            let member = if hidden { format!("__{field}") } else { field.into() };
            $pairs.push((format!("offsetof({name}, {member})"), offset as u64));
            $pairs.push((format!("sizeof((({name} *)0)->{member})"), size as u64));
        })*
    };
}

macro_rules! requests {
    ($pairs:ident, $($type:ident)*) => {
        $($pairs.push((
            format!("_IOC_NR(BLINK_TREE_IOC_{})", snake(stringify!($type))),
            u64::from(abi::$type::NUMBER),
        ));
        $pairs.push((
            format!("BLINK_TREE_IOC_{}", snake(stringify!($type))),
            abi::request::<abi::$type>() as u64,
        ));)*
    };
}

macro_rules! constants {
    ($pairs:ident, $prefix:literal, $($name:ident)*) => {
        $($pairs.push((format!("{}{}", $prefix, stringify!($name)), abi::$name as u64));)*
    };
}

/// `RecordScan` is `RECORD_SCAN` in C.
fn snake(name: &str) -> String {
    let mut result = String::new();
    for (at, letter) in name.char_indices() {
        if at > 0 && letter.is_uppercase() {
            result.push('_');
        }
        result.push(letter.to_ascii_uppercase());
    }
    result
}

#[test]
fn abi_is_that_of_the_header() {
    let mut pairs = Vec::new();
    layouts!(pairs, Record "record" Create "ioc_create" Open "ioc_open" Unlink "ioc_unlink" ListEntry "list_entry" List "ioc_list"
        Stats "ioc_stats" Verify "ioc_verify" Attr "ioc_attr" Records "ioc_records"
        RecordScan "ioc_record_scan" RecordErase "ioc_record_erase" Watch "ioc_watch"
        Range "ioc_range" WatchRing "watch_ring" Change "change");
    requests!(pairs, Create Open Unlink List Stats Verify Attr Records RecordScan RecordErase Watch
        Range);
    constants!(pairs, "BLINK_TREE_OP_", LOOKUP INSERT STORE REPLACE ERASE CMPXCHG CMPERASE FLOOR
        CEILING POP_MIN POP_MAX EXPECT ABSENT ADD ADD_SATURATE);
    constants!(pairs, "BLINK_TREE_", NAME_MAX RECORD_KEY_MAX RECORD_VALUE_MAX KEY_U64 KEY_U128
        KEY_MULTI KEY_BYTES CREATE_COMPRESS CREATE_BYTE_VALUES OPEN_READ OPEN_WRITE RECORDS_LOAD RECORDS_COMMIT
        COMMIT_EMPTY COMMIT_CLEAR
        RANGE_LOOKUP RANGE_NEXT RANGE_PREV RANGE_GAP RANGE_STORE RANGE_INSERT RANGE_ALLOC
        RANGE_HIGHEST RANGE_PARTS
        CHANGE_INSERT CHANGE_UPDATE CHANGE_ERASE CHANGE_ERASE_RANGE CHANGE_TREE CHANGE_UNLINKED
        CHANGE_ATTR CHANGE_REFUSED);
    constants!(pairs, "BLINK_TREE_RECORD_SCAN_", FIRST_OPEN LAST_OPEN PREFIX DONE);
    constants!(pairs, "BLINK_TREE_RECORD_ERASE_", FIRST_OPEN LAST_OPEN PREFIX DONE);
    pairs.push(("BLINK_TREE_RECORD_SCAN_DESC".into(), u64::from(abi::SCAN_DESC)));
    pairs.push(("BLINK_TREE_RECORD_SCAN_COUNT".into(), u64::from(abi::SCAN_COUNT)));
    let (names, ours): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    let theirs = in_c(&names);
    assert_eq!(theirs.len(), names.len());
    for ((name, our), their) in names.iter().zip(ours).zip(theirs) {
        assert_eq!(our, their, "{name}");
    }
}

fn bytes(digits: &str) -> Vec<u8> {
    let digit = |at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
    (0..digits.len()).step_by(2).map(digit).collect()
}

/// The strings and numbers of each VECTOR() of the file that all languages share.
fn vectors() -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(top().join("userspace/lib/tests/vectors.inc")).unwrap();
    let text = text.split("*/\n").last().unwrap();
    let calls = text.split("VECTOR(").skip(1);
    calls
        .map(|call| {
            let call = call.trim().trim_end_matches(')');
            let part = |part: &str| part.replace(['"', '\n', ' '], "");
            call.split(',').map(part).collect()
        })
        .collect()
}

#[test]
fn records_are_those_of_all_languages() {
    let vectors = vectors();
    assert!(vectors.len() > 5);
    for vector in vectors {
        let [name, key, value, old, result, flags, stream] = vector.as_slice() else {
            panic!("{vector:?}");
        };
        let stream = bytes(stream);
        let (key, value, old) = (bytes(key), bytes(value), bytes(old));
        let (record, rest) = Record::read(&stream).unwrap();
        assert!(rest.is_empty());
        assert_eq!((record.key, record.value, record.old), (&key[..], &value[..], &old[..]));
        assert_eq!(record.result, result.parse().unwrap());
        assert_eq!(record.flags, flags.parse().unwrap());
        let opcode = match name.as_str() {
            "LOOKUP" => abi::LOOKUP,
            "INSERT" => abi::INSERT,
            "STORE" => abi::STORE,
            "ERASE" => abi::ERASE,
            "CMPXCHG" => abi::CMPXCHG,
            "CMPERASE" => abi::CMPERASE,
            "FLOOR" => abi::FLOOR,
            "POP_MIN" => abi::POP_MIN,
            other => panic!("{other}"),
        };
        assert_eq!(record.opcode, opcode);
        if record.result == 0 && record.flags == 0 {
            let mut written = Vec::new();
            record.write(&mut written).unwrap();
            assert_eq!(written, stream);
        }
    }
}

#[test]
fn access_is_that_of_the_bits() {
    let bits = [0, abi::OPEN_READ, abi::OPEN_WRITE, abi::OPEN_READ | abi::OPEN_WRITE];
    let access = [None, Some(Access::Read), Some(Access::Write), Some(Access::ReadWrite)];
    assert_eq!(bits.map(Access::of_bits), access);
}

#[test]
fn what_is_too_long_is_refused() {
    let long = vec![0; abi::RECORD_VALUE_MAX + 1];
    for record in [
        Record { key: &long[..abi::RECORD_KEY_MAX + 1], ..Default::default() },
        Record { value: &long, ..Default::default() },
        Record { old: &long, ..Default::default() },
    ] {
        assert!(record.write(&mut Vec::new()).is_err());
    }
}

#[test]
fn page_has_the_examples() {
    let page = std::fs::read_to_string(top().join("Documentation/rust.rst")).unwrap();
    let program = include_str!("../examples/pages.rs");
    let blocks: Vec<_> = page.split(".. code-block:: rust\n\n").skip(1).collect();
    assert!(blocks.len() > 3);
    for block in blocks {
        // In the page three spaces come before each line, in the program four.
        let lines = block.lines().take_while(|line| line.is_empty() || line.starts_with(' '));
        let lines =
            lines.map(|line| if line.is_empty() { "\n".into() } else { format!(" {line}\n") });
        let example: String = lines.collect();
        assert!(program.contains(example.trim_end()), "{example}");
    }
}
