//! Room that runs out: a small file system, or a limit on the size of a file, as ordinary users have it.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_truthkeeper-writer");
const BYTES_OF_A_FACT: u32 = 6_000;

/// A file system of few bytes, some of them taken, that goes away with this value.
pub(super) struct SmallDisk {
    pub(super) folder: PathBuf,
}

impl SmallDisk {
    /// Nothing, which is said, where mounting is not permitted.
    pub(super) fn mount(folder: PathBuf, bytes: u64, taken: u64) -> Option<Self> {
        fs::create_dir(&folder).unwrap();
        let size = format!("size={bytes}");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&folder).output();
        match mounted {
            Ok(output) if output.status.success() => {}
            Ok(output) => {
                eprintln!("skipped: cannot mount: {}", String::from_utf8_lossy(&output.stderr).trim());
                return None;
            }
            Err(error) => {
                eprintln!("skipped: cannot mount: {error}");
                return None;
            }
        }
        let disk = Self { folder };
        fs::write(disk.taken(), vec![1; usize::try_from(taken).unwrap()]).unwrap();
        Some(disk)
    }

    fn taken(&self) -> PathBuf {
        self.folder.join("taken by somebody else")
    }

    pub(super) fn free(&self) {
        fs::remove_file(self.taken()).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg("-l").arg(&self.folder).status();
        if !std::thread::panicking() {
            assert!(unmounted.unwrap().success(), "the test's own file system can be unmounted");
        }
    }
}

/// A process that writes a fact for each key that it is given.
pub(super) struct Filling {
    child: Child,
    keys: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Filling {
    pub(super) fn start(address: &Path) -> Self {
        Self::start_with(address, BYTES_OF_A_FACT)
    }

    /// Each fact has so many bytes.
    pub(super) fn start_with(address: &Path, bytes: u32) -> Self {
        let mut command = Command::new(PROGRAM);
        command.args(["fill", address.to_str().unwrap(), &bytes.to_string()]);
        Self::spawn(command)
    }

    /// No file may grow beyond so many blocks of 512 bytes, until [`Filling::unlimit`]. The signal that would end the
    /// process is ignored, as it is in a service.
    pub(super) fn start_limited(address: &Path, blocks: u32) -> Self {
        let mut command = Command::new("sh");
        command.args([
            "-c",
            "trap '' XFSZ; ulimit -S -f \"$1\"; shift; exec \"$@\"",
            "sh",
            &blocks.to_string(),
        ]);
        command.args([PROGRAM, "fill", address.to_str().unwrap(), &BYTES_OF_A_FACT.to_string()]);
        Self::spawn(command)
    }

    fn spawn(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let keys = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().unwrap());
        let mut filling = Self { child, keys, answers };
        assert_eq!(filling.answer(), "open");
        filling
    }

    /// False, which is said, where this machine has no such command.
    pub(super) fn unlimit(&self) -> bool {
        let pid = self.child.id().to_string();
        match Command::new("prlimit").args(["--fsize=unlimited:", "--pid", &pid]).status() {
            Ok(status) => {
                assert!(status.success());
                true
            }
            Err(error) => {
                eprintln!("skipped: the limit cannot be lifted: {error}");
                false
            }
        }
    }

    /// What came of writing a fact with this key.
    pub(super) fn write(&mut self, key: &str) -> String {
        self.write_at_once(&[key.to_owned()]).remove(0)
    }

    /// What came of writing facts with these keys at once, so that some of them share a transaction.
    pub(super) fn write_at_once(&mut self, keys: &[String]) -> Vec<String> {
        self.begin(keys);
        self.answers(keys)
    }

    /// Lets it write facts with these keys; [`Filling::answers`] says what came of them.
    pub(super) fn begin(&mut self, keys: &[String]) {
        writeln!(self.keys.as_mut().unwrap(), "{}", keys.join(" ")).unwrap();
    }

    pub(super) fn answers(&mut self, keys: &[String]) -> Vec<String> {
        keys.iter().map(|_| self.answer()).collect()
    }

    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    pub(super) fn end(mut self) {
        drop(self.keys.take());
        assert!(self.child.wait().unwrap().success());
    }
}
