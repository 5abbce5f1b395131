//! NPZ: every row that comes out is within the ranges of the specification, and a problem prints as one that reads back the same. Most changes
//! of bytes end at a checksum, so the archive is read a second time with its checksums made right; what was read the first time is read again.
#![no_main]

use flate2::read::DeflateDecoder;
use libfuzzer_sys::fuzz_target;
use offline_primal_dual::data::{InputError, Problem, Row, RowSpec, Setting, with_archive};
use offline_primal_dual::number::exact::BigRational;
use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

fn rows(bytes: &[u8], setting: Setting) -> Result<Vec<Row>, InputError> {
    let spec = RowSpec { setting, states: 5, actions: 3 };
    let sources = std::array::from_fn(|_| Cursor::new(bytes));
    with_archive(Path::new("fuzz.npz"), spec, sources, |rows| {
        let mut all = Vec::new();
        while let Some(row) = rows.next_row()? {
            assert!(row.x0 < 5 && row.x < 5 && row.x_next < 5 && row.a < 3);
            assert!((0.0..=1.0).contains(&row.r) && (0.0..1.0).contains(&row.u));
            all.push(row);
        }
        rows.finish()?;
        Ok(all)
    })
}

/// Problems are read from files only.
fn problem(bytes: &[u8]) {
    static FILE: LazyLock<PathBuf> =
        LazyLock::new(|| std::env::temp_dir().join(format!("fuzz-{}.npz", std::process::id())));
    std::fs::write(&*FILE, bytes).expect("a temporary file");
    match Problem::<BigRational>::read(&FILE) {
        Ok(problem) => {
            let printed = problem.to_json();
            let again = Problem::<BigRational>::parse(Path::new("fuzz.json"), &printed).expect("its own output");
            assert_eq!(again.to_json(), printed);
        }
        Err(error) => assert_eq!(error.to_string().lines().count(), 1),
    }
}

/// Bytes from `at`, as a number.
fn little(bytes: &[u8], at: usize, width: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(width)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

fn checksum(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

/// Where an entry's two checksums are, and what they should be; `at` is its place in the central directory.
fn right_checksum(bytes: &[u8], at: usize) -> Option<([usize; 2], u32)> {
    let (method, local) = (little(bytes, at + 10, 2)?, little(bytes, at + 42, 4)?);
    let start = local + 30 + little(bytes, local + 26, 2)? + little(bytes, local + 28, 2)?;
    let packed = bytes.get(start..start.checked_add(little(bytes, at + 20, 4)?)?)?;
    let contents = match method {
        0 => packed.to_vec(),
        8 => {
            let mut contents = Vec::new();
            DeflateDecoder::new(packed).take(1 << 20).read_to_end(&mut contents).ok()?;
            contents
        }
        _ => return None,
    };
    Some(([at + 16, local + 14], checksum(&contents)))
}

fn repaired(bytes: &[u8]) -> Vec<u8> {
    let mut repaired = bytes.to_vec();
    for at in (0..bytes.len()).filter(|at| bytes[*at..].starts_with(b"PK\x01\x02")) {
        if let Some((places, right)) = right_checksum(&repaired, at) {
            for place in places {
                if let Some(place) = repaired.get_mut(place..place + 4) {
                    place.copy_from_slice(&right.to_le_bytes());
                }
            }
        }
    }
    repaired
}

fuzz_target!(|bytes: &[u8]| {
    let repaired = repaired(bytes);
    for setting in [Setting::Discounted, Setting::Average] {
        let after = rows(&repaired, setting);
        if let Ok(before) = rows(bytes, setting) {
            assert_eq!(format!("{before:?}"), format!("{:?}", after.expect("its checksums were right")));
        }
    }
    problem(&repaired);
});
