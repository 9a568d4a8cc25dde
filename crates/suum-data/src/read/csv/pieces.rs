//! Blocks of all files, in order, each with its header.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::vec;

use super::blocks::{Block, Blocks};
use super::header::Header;
use crate::cells::fault::Fault;
use crate::read::compression::Compression;
use crate::read::first_failure::FirstFailures;
use crate::read::progress::Progress;
use crate::scan::csv_form::CsvForm;
use crate::sink::job::Job;

/// One CSV file or stream to read.
pub(crate) struct Input<'a> {
    name: Option<String>,
    origin: Origin<'a>,
}

enum Origin<'a> {
    Path(PathBuf, Option<Compression>),
    Reader(Box<dyn Read + Send + 'a>),
}

impl<'a> Input<'a> {
    pub(crate) fn path(path: &Path, compression: Option<Compression>) -> Self {
        Self {
            name: Some(path.display().to_string()),
            origin: Origin::Path(path.to_owned(), compression),
        }
    }

    pub(crate) fn reader(name: Option<String>, reader: Box<dyn Read + Send + 'a>) -> Self {
        Self { name, origin: Origin::Reader(reader) }
    }
}

/// Block with all that is needed to parse it, or the fault that kept it from being read.
pub(super) struct Piece {
    /// The position among all pieces of all files.
    pub(super) order: u64,
    /// The position of the file among the inputs.
    pub(super) file: usize,
    pub(super) content: Result<Content, PieceFault>,
}

pub(super) struct Content {
    pub(super) header: Arc<Header>,
    pub(super) block: Block,
    /// Position of the first record: after the header in the first block of a file.
    pub(super) start: usize,
}

/// Fault in place of a block: of the next record, or of the file as a whole.
pub(super) struct PieceFault {
    pub(super) fault: Fault,
    pub(super) of_record: bool,
}

/// Reads the inputs one after the other, block by block.
pub(super) struct Pieces<'a> {
    names: Vec<Option<String>>,
    origins: vec::IntoIter<Origin<'a>>,
    current: Option<(Blocks<'a>, Option<Arc<Header>>)>,
    // Files begun so far; the current one is the last of them.
    files: usize,
    order: u64,
    jobs: &'a [Job<'a>],
    form: CsvForm,
    progress: &'a Progress,
    failed: &'a FirstFailures,
    block_bytes: usize,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(
        inputs: Vec<Input<'a>>,
        jobs: &'a [Job<'a>],
        form: CsvForm,
        progress: &'a Progress,
        failed: &'a FirstFailures,
        block_bytes: usize,
    ) -> Self {
        let (names, origins): (_, Vec<_>) =
            inputs.into_iter().map(|input| (input.name, input.origin)).unzip();
        let origins = origins.into_iter();
        Self {
            names,
            origins,
            current: None,
            files: 0,
            order: 0,
            jobs,
            form,
            progress,
            failed,
            block_bytes,
        }
    }

    /// The names of the inputs, for refusals.
    pub(super) fn names(&self) -> Vec<Option<String>> {
        self.names.clone()
    }

    fn read(&mut self) -> Result<Option<Content>, PieceFault> {
        let of_file = |fault| PieceFault { fault, of_record: false };
        loop {
            let Some((blocks, header)) = &mut self.current else {
                let Some(origin) = self.origins.next() else { return Ok(None) };
                self.files += 1;
                let failed = |error: std::io::Error| of_file(error.into());
                // Progress of a compressed file counts its own bytes, not the decompressed ones.
                let (reader, progress): (Box<dyn Read + Send + 'a>, _) = match origin {
                    Origin::Reader(reader) => (reader, Some(self.progress)),
                    Origin::Path(path, None) => {
                        (Box::new(File::open(path).map_err(failed)?), Some(self.progress))
                    }
                    Origin::Path(path, Some(packed)) => {
                        (packed.open(&path, self.progress).map_err(of_file)?, None)
                    }
                };
                let blocks =
                    Blocks::open(reader, self.block_bytes, self.form, progress).map_err(of_file)?;
                self.current = Some((blocks, None));
                continue;
            };
            let of_record = header.is_some();
            match (blocks.next().map_err(|fault| PieceFault { fault, of_record })?, &header) {
                (Some(block), Some(header)) => {
                    return Ok(Some(Content { header: Arc::clone(header), block, start: 0 }));
                }
                (Some(block), None) => {
                    let delimiter = self.form.delimiter.byte();
                    if let Some((found, start)) =
                        Header::read(&block, delimiter, self.jobs).map_err(of_file)?
                    {
                        let found = Arc::new(found);
                        *header = Some(Arc::clone(&found));
                        return Ok(Some(Content { header: found, block, start }));
                    }
                }
                (None, Some(_)) => self.current = None,
                (None, None) => return Err(of_file(Fault::Empty)),
            }
        }
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let order = self.order;
        if self.failed.is_over(order) {
            return None;
        }
        self.order += 1;
        let content = match self.progress.is_cancelled() {
            true => Err(PieceFault { fault: Fault::Cancelled, of_record: false }),
            false => self.read().transpose()?,
        };
        if content.is_err() {
            self.failed.report_all(order);
        }
        Some(Piece { order, file: self.files.saturating_sub(1), content })
    }
}
