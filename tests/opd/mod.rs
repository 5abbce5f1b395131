//! Runs the built program in a directory of its own.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A directory that is gone at the end of the test.
pub struct Place(PathBuf);

impl Place {
    pub fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("opd-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, contents: &[u8]) {
        std::fs::write(self.path(name), contents).unwrap();
    }

    /// Every file, hidden ones too.
    #[allow(dead_code)] // not every test file asks
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // Not there is as good as removed.
        std::fs::remove_dir_all(&self.0).unwrap_or(());
    }
}

pub struct Output {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// `opd` with arguments separated by spaces.
pub fn opd(place: &Place, arguments: &str) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_opd"))
        .args(arguments.split_whitespace())
        .current_dir(&place.0)
        .output()
        .unwrap();
    Output {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// [`opd`] with something on its standard input.
#[allow(dead_code)] // not every test file feeds
pub fn fed(place: &Place, arguments: &str, input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_opd"))
        .args(arguments.split_whitespace())
        .current_dir(&place.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Whoever refuses the call does not read to the end.
    child.stdin.take().unwrap().write_all(input).unwrap_or_default();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Output { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// The greatest resident memory, in bytes, of a call that must succeed: `VmHWM`, read until the end; 0 where there is no /proc.
#[allow(dead_code)] // not every test file measures
pub fn peak_memory(place: &Place, arguments: &str) -> u64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_opd"))
        .args(arguments.split_whitespace())
        .current_dir(&place.0)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut peak = 0;
    loop {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kilobytes.unwrap_or(0) << 10);
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "{arguments}");
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    if peak == 0 {
        eprintln!("!!! SKIPPED: no /proc here, so memory was not measured");
    }
    peak
}

/// An NPY array with a chosen header.
#[allow(dead_code)] // not every test file writes archives
pub fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

#[allow(dead_code)]
pub fn integers(values: &[i64]) -> Vec<u8> {
    npy("<i8", &format!("({},)", values.len()), &values.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>())
}

#[allow(dead_code)]
pub fn floats(values: &[f64]) -> Vec<u8> {
    npy("<f8", &format!("({},)", values.len()), &values.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>())
}

#[allow(dead_code)]
pub fn npz(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    use std::io::Write;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in arrays {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}
