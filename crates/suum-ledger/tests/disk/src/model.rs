//! What can be on the disk after the power failed.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::Op;

/// Sectors are written whole or not at all.
const SECTOR: usize = 512;

/// What becomes of writes that were not synced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// All are on the disk: the process died, and the operating system lived.
    Nothing,
    /// None is.
    Everything,
    /// Each is or is not, by chance.
    SomeWrites(u64),
    /// Each sector of each is or is not, by chance, and what a file grew by may hold anything.
    SomeSectors(u64),
}

#[derive(Debug, Clone)]
enum Pending {
    Write(u64, Vec<u8>),
    Truncate(u64),
}

#[derive(Debug, Clone, Default)]
struct File {
    content: Vec<u8>,
    // Whether its name is on the disk.
    named: bool,
    pending: Vec<Pending>,
}

/// A folder as the disk knows it, while a log is replayed.
#[derive(Debug, Clone)]
pub struct Disk {
    files: BTreeMap<String, File>,
    watched: (String, Vec<u8>),
    // Deleted, but their names may still be on the disk.
    ghosts: BTreeMap<String, File>,
    forgetful: bool,
}

impl Disk {
    /// The files of a folder, all on the disk; `watched` is the one that is replaced as a whole.
    pub fn new(folder: &Path, watched: &str) -> io::Result<Self> {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let file = File { content: fs::read(entry.path())?, named: true, pending: Vec::new() };
            files.insert(entry.file_name().to_string_lossy().into_owned(), file);
        }
        let content = files.remove(watched).map(|file| file.content).unwrap_or_default();
        Ok(Self {
            files,
            watched: (watched.to_owned(), content),
            ghosts: BTreeMap::new(),
            forgetful: false,
        })
    }

    /// The same disk, but one that forgets deletions until something else is synced: what happens
    /// without the sync of the folder.
    #[must_use]
    pub fn forgetful(mut self) -> Self {
        self.forgetful = true;
        self
    }

    /// Does what was done.
    pub fn apply(&mut self, op: &Op) {
        match op {
            Op::Open(name) => {
                self.files.entry(name.clone()).or_default();
            }
            Op::Write(name, offset, bytes) => {
                self.file(name).pending.push(Pending::Write(*offset, bytes.clone()));
            }
            Op::Truncate(name, size) => self.file(name).pending.push(Pending::Truncate(*size)),
            Op::Sync(name) => {
                self.ghosts.clear();
                let file = self.file(name);
                file.named = true;
                for pending in std::mem::take(&mut file.pending) {
                    apply(&mut file.content, &pending, |_| true, 0);
                }
            }
            Op::Delete(name, durable) => {
                let file = self.files.remove(name);
                if let Some(file) = file.filter(|file| file.named && (self.forgetful || !durable)) {
                    self.ghosts.insert(name.clone(), file);
                }
            }
            Op::Replaced(content) => self.watched.1.clone_from(content),
            Op::Mark(_) => {}
        }
    }

    fn file(&mut self, name: &str) -> &mut File {
        self.files.entry(name.to_owned()).or_default()
    }

    /// Writes into an empty folder what could be there after the power failed now.
    pub fn lose_power(&self, loss: Loss, folder: &Path) -> io::Result<()> {
        let mut dice = ChaCha8Rng::seed_from_u64(match loss {
            Loss::SomeWrites(seed) | Loss::SomeSectors(seed) => seed,
            Loss::Nothing | Loss::Everything => 0,
        });
        let mut survives = || match loss {
            Loss::Nothing => true,
            Loss::Everything => false,
            _ => dice.next_u32() & 1 == 1,
        };
        for (name, ghost) in &self.ghosts {
            if !survives() {
                fs::write(folder.join(name), &ghost.content)?;
            }
        }
        for (name, file) in &self.files {
            // A file without a name on the disk may be gone altogether, whatever was written.
            if !file.named && !survives() {
                continue;
            }
            let mut content = file.content.clone();
            for pending in &file.pending {
                let garbage = if matches!(loss, Loss::SomeSectors(_)) { 0xa5 } else { 0 };
                if matches!(loss, Loss::SomeSectors(_)) {
                    apply(&mut content, pending, |_| survives(), garbage);
                } else if survives() {
                    apply(&mut content, pending, |_| true, garbage);
                }
            }
            fs::write(folder.join(name), content)?;
        }
        let (name, content) = &self.watched;
        fs::write(folder.join(name), content)
    }
}

/// Applies the sectors of a write that `survive`; what a file grows by without them holds
/// `garbage`.
fn apply(
    content: &mut Vec<u8>,
    pending: &Pending,
    mut survive: impl FnMut(usize) -> bool,
    garbage: u8,
) {
    match pending {
        Pending::Truncate(size) => {
            if survive(0) {
                content.resize(*size as usize, 0);
            }
        }
        Pending::Write(offset, bytes) => {
            let start = *offset as usize;
            let end = start + bytes.len();
            let mut position = start;
            while position < end {
                let next = ((position / SECTOR + 1) * SECTOR).min(end);
                if survive(position / SECTOR) {
                    if content.len() < next {
                        content.resize(next, garbage);
                    }
                    content[position..next].copy_from_slice(&bytes[position - start..next - start]);
                }
                position = next;
            }
        }
    }
}
