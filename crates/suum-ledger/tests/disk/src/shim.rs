//! A file system for SQLite that passes everything on and keeps a log.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fs;
use std::mem::size_of;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use rusqlite::ffi;

/// What was done to a file, which is named by the last part of its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// Opened, and created if it was not there.
    Open(String),
    /// Bytes were written at an offset.
    Write(String, u64, Vec<u8>),
    /// Cut to a size.
    Truncate(String, u64),
    /// Everything written to it so far is on the disk, and its name too.
    Sync(String),
    /// Deleted; true if that is on the disk already.
    Delete(String, bool),
    /// The watched file was replaced by this content, durably and as a whole.
    Replaced(Vec<u8>),
    /// The caller was told something: see [`mark`].
    Mark(usize),
}

/// Which operation is to fail, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failing {
    /// The operation, counted from zero. Opening is not counted.
    pub at: usize,
    /// SQLite's code for the failure.
    pub code: c_int,
    /// Whether all that follow fail too.
    pub for_good: bool,
}

#[derive(Default)]
struct Log {
    ops: Vec<Op>,
    watched: PathBuf,
    content: Vec<u8>,
    failing: Option<Failing>,
    count: usize,
}

static LOG: Mutex<Option<Log>> = Mutex::new(None);

fn log() -> MutexGuard<'static, Option<Log>> {
    LOG.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Log {
    fn look(&mut self) {
        let content = fs::read(&self.watched).unwrap_or_default();
        if content != self.content {
            self.content.clone_from(&content);
            self.ops.push(Op::Replaced(content));
        }
    }
}

/// Notes an operation on a file of the watched folder, or says how it is to fail.
fn note(path: &Path, op: impl FnOnce(String) -> Op) -> Result<(), c_int> {
    let mut log = log();
    let Some(log) = log.as_mut().filter(|log| path.parent() == log.watched.parent()) else {
        return Ok(());
    };
    log.look();
    let op = op(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
    if !matches!(op, Op::Open(_)) {
        let count = log.count;
        log.count += 1;
        if let Some(failing) = log.failing
            && (count == failing.at || failing.for_good && count > failing.at)
        {
            return Err(failing.code);
        }
    }
    log.ops.push(op);
    Ok(())
}

/// Starts a new log of all files in the folder of `watched`, which is a file that is replaced as a
/// whole.
///
/// Files that were opened before are logged too, if [`install`] had been called before that.
pub fn record(watched: &Path, failing: Option<Failing>) {
    install();
    let content = fs::read(watched).unwrap_or_default();
    // As SQLite names its files: without symbolic links.
    let watched = watched.canonicalize().unwrap_or_else(|_| watched.to_owned());
    *log() = Some(Log { watched, content, failing, ..Log::default() });
}

/// Puts into the log that the caller was told that step `step` is done.
pub fn mark(step: usize) {
    if let Some(log) = log().as_mut() {
        log.look();
        log.ops.push(Op::Mark(step));
    }
}

/// Ends the log and returns it.
pub fn take() -> Vec<Op> {
    log().take().map(|log| log.ops).unwrap_or_default()
}

/// Our part of an open file; the operating system's part lies behind it.
#[repr(C)]
struct File {
    base: ffi::sqlite3_file,
    // Owned; null for files without a path.
    path: *mut PathBuf,
}

unsafe fn real(file: *mut ffi::sqlite3_file) -> *mut ffi::sqlite3_file {
    unsafe { file.cast::<u8>().add(size_of::<File>()).cast() }
}

unsafe fn path_of<'a>(file: *mut ffi::sqlite3_file) -> Option<&'a PathBuf> {
    unsafe { (*file.cast::<File>()).path.as_ref() }
}

/// `None` for a null pointer: a temporary file.
unsafe fn to_path(path: *const c_char) -> Option<PathBuf> {
    if path.is_null() {
        return None;
    }
    Some(unsafe { CStr::from_ptr(path) }.to_string_lossy().into_owned().into())
}

/// Calls a method of the operating system's part.
macro_rules! pass {
    ($file:expr, $method:ident $(, $argument:expr)*) => {{
        let real = real($file);
        match (*(*real).pMethods).$method {
            Some(method) => method(real $(, $argument)*),
            None => ffi::SQLITE_ERROR,
        }
    }};
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    unsafe {
        let code = pass!(file, xClose);
        let own = file.cast::<File>();
        if !(*own).path.is_null() {
            drop(Box::from_raw((*own).path));
            (*own).path = ptr::null_mut();
        }
        code
    }
}

unsafe extern "C" fn read(
    file: *mut ffi::sqlite3_file,
    to: *mut c_void,
    amount: c_int,
    offset: i64,
) -> c_int {
    unsafe { pass!(file, xRead, to, amount, offset) }
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    from: *const c_void,
    amount: c_int,
    offset: i64,
) -> c_int {
    unsafe {
        if let Some(path) = path_of(file) {
            let bytes = std::slice::from_raw_parts(from.cast::<u8>(), amount as usize);
            if let Err(code) = note(path, |name| Op::Write(name, offset as u64, bytes.to_vec())) {
                return code;
            }
        }
        pass!(file, xWrite, from, amount, offset)
    }
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, size: i64) -> c_int {
    unsafe {
        if let Some(path) = path_of(file)
            && let Err(code) = note(path, |name| Op::Truncate(name, size as u64))
        {
            return code;
        }
        pass!(file, xTruncate, size)
    }
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, flags: c_int) -> c_int {
    unsafe {
        if let Some(path) = path_of(file)
            && let Err(code) = note(path, Op::Sync)
        {
            return code;
        }
        pass!(file, xSync, flags)
    }
}

unsafe extern "C" fn size(file: *mut ffi::sqlite3_file, to: *mut i64) -> c_int {
    unsafe { pass!(file, xFileSize, to) }
}

unsafe extern "C" fn lock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    unsafe { pass!(file, xLock, level) }
}

unsafe extern "C" fn unlock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    unsafe { pass!(file, xUnlock, level) }
}

unsafe extern "C" fn check_lock(file: *mut ffi::sqlite3_file, to: *mut c_int) -> c_int {
    unsafe { pass!(file, xCheckReservedLock, to) }
}

unsafe extern "C" fn control(
    file: *mut ffi::sqlite3_file,
    op: c_int,
    argument: *mut c_void,
) -> c_int {
    unsafe { pass!(file, xFileControl, op, argument) }
}

unsafe extern "C" fn sector(file: *mut ffi::sqlite3_file) -> c_int {
    unsafe { pass!(file, xSectorSize) }
}

unsafe extern "C" fn characteristics(file: *mut ffi::sqlite3_file) -> c_int {
    unsafe { pass!(file, xDeviceCharacteristics) }
}

static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    // The first version: without shared memory and memory maps, which a rollback journal does not
    // need.
    iVersion: 1,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_lock),
    xFileControl: Some(control),
    xSectorSize: Some(sector),
    xDeviceCharacteristics: Some(characteristics),
    xShmMap: None,
    xShmLock: None,
    xShmBarrier: None,
    xShmUnmap: None,
    xFetch: None,
    xUnfetch: None,
};

static PARENT: AtomicPtr<ffi::sqlite3_vfs> = AtomicPtr::new(ptr::null_mut());

unsafe extern "C" fn open(
    _: *mut ffi::sqlite3_vfs,
    path: *const c_char,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    unsafe {
        let own = file.cast::<File>();
        (*own).base.pMethods = ptr::null();
        (*own).path = ptr::null_mut();
        let parent = PARENT.load(Ordering::SeqCst);
        let Some(open) = (*parent).xOpen else { return ffi::SQLITE_CANTOPEN };
        let code = open(parent, path, real(file), flags, out);
        if !(*real(file)).pMethods.is_null() {
            (*own).base.pMethods = &METHODS;
            if let Some(path) = to_path(path) {
                // Opening never fails.
                let _ = note(&path, Op::Open);
                (*own).path = Box::into_raw(Box::new(path));
            }
        }
        code
    }
}

unsafe extern "C" fn delete(
    _: *mut ffi::sqlite3_vfs,
    path: *const c_char,
    sync_folder: c_int,
) -> c_int {
    unsafe {
        if let Some(path) = to_path(path)
            && let Err(code) = note(&path, |name| Op::Delete(name, sync_folder != 0))
        {
            return code;
        }
        let parent = PARENT.load(Ordering::SeqCst);
        (*parent)
            .xDelete
            .map_or(ffi::SQLITE_IOERR_DELETE, |delete| delete(parent, path, sync_folder))
    }
}

/// Makes this the file system of all databases that the process opens from now on.
pub fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| unsafe {
        ffi::sqlite3_initialize();
        let parent = ffi::sqlite3_vfs_find(ptr::null());
        assert!(!parent.is_null(), "SQLite has no file system");
        PARENT.store(parent, Ordering::SeqCst);
        // All that does not touch the content of files stays as it is.
        let mut own = ptr::read(parent);
        own.szOsFile += size_of::<File>() as c_int;
        own.pNext = ptr::null_mut();
        own.zName = c"suum-recorded".as_ptr();
        own.xOpen = Some(open);
        own.xDelete = Some(delete);
        assert_eq!(ffi::sqlite3_vfs_register(Box::leak(Box::new(own)), 1), ffi::SQLITE_OK);
    });
}
