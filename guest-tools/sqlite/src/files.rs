//! SQLite's files over the standard library.
//!
//! The files of a sandbox lie in memory and change in the order of the writes, so nothing is synced.
//! What write-ahead logging shares between processes is memory of this one: its lock keeps the others out.

use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use crate::error::Error;
use crate::ffi;
use crate::host::host;
use crate::lock::{self, Lock};

const LONGEST_PATH: c_int = 4096;
/// The Unix epoch in milliseconds of the Julian day.
const EPOCH: i64 = 210_866_760_000_000;

/// What SQLite keeps for an open file: its own part first.
#[repr(C)]
struct Slot {
    base: ffi::sqlite3_file,
    open: *mut Opened,
}

struct Opened {
    file: File,
    path: PathBuf,
    delete_on_close: bool,
    level: c_int,
    lock: Option<Lock>,
    shared: Vec<Box<[u64]>>,
}

/// Makes this the way to files that SQLite takes by default.
///
/// # Safety
/// SQLite is initialised, and no connection is open.
pub(crate) unsafe fn register() -> Result<(), Error> {
    // SAFETY: a structure of numbers and of pointers to functions that may be absent.
    let mut vfs: ffi::sqlite3_vfs = unsafe { std::mem::zeroed() };
    vfs.iVersion = 2;
    vfs.szOsFile = size_of::<Slot>() as c_int;
    vfs.mxPathname = LONGEST_PATH;
    vfs.zName = c"offshoot".as_ptr();
    vfs.xOpen = Some(open);
    vfs.xDelete = Some(delete);
    vfs.xAccess = Some(access);
    vfs.xFullPathname = Some(full_path);
    vfs.xRandomness = Some(randomness);
    vfs.xSleep = Some(sleep);
    vfs.xCurrentTime = Some(current_day);
    vfs.xCurrentTimeInt64 = Some(current_time);
    vfs.xGetLastError = Some(last_error);
    // SAFETY: the structure lives as long as the process.
    let code = unsafe { ffi::sqlite3_vfs_register(Box::leak(Box::new(vfs)), 1) };
    match code {
        ffi::SQLITE_OK => Ok(()),
        code => Err(Error::from_code(code)),
    }
}

static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(take_lock),
    xUnlock: Some(give_lock),
    xCheckReservedLock: Some(check_reserved),
    xFileControl: Some(control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(characteristics),
    xShmMap: Some(map_shared),
    xShmLock: Some(lock_shared),
    xShmBarrier: Some(barrier),
    xShmUnmap: Some(unmap_shared),
    xFetch: None,
    xUnfetch: None,
};

/// The open file behind SQLite's pointer.
///
/// # Safety
/// `file` is a [`Slot`] that [`open`] filled and [`close`] did not empty, and nothing else refers to it.
unsafe fn opened<'a>(file: *mut ffi::sqlite3_file) -> &'a mut Opened {
    // SAFETY: as above.
    unsafe { &mut *(*file.cast::<Slot>()).open }
}

/// The path in a C string.
///
/// # Safety
/// `name` is a C string.
unsafe fn path_of(name: *const c_char) -> PathBuf {
    // SAFETY: as above; on Unix and WASI any bytes are a valid string of the system.
    unsafe {
        let bytes = CStr::from_ptr(name).to_bytes();
        PathBuf::from(OsStr::from_encoded_bytes_unchecked(bytes))
    }
}

unsafe extern "C" fn open(
    _vfs: *mut ffi::sqlite3_vfs,
    name: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: SQLite passes a slot of the size it was told, and a name or null.
    unsafe {
        let slot = file.cast::<Slot>();
        (*slot).base.pMethods = std::ptr::null();
        let path = (!name.is_null()).then(|| path_of(name));
        let Ok((handle, path, read_only)) = open_file(path, flags) else {
            return ffi::SQLITE_CANTOPEN;
        };
        let handle = Opened {
            file: handle,
            path,
            delete_on_close: flags & ffi::SQLITE_OPEN_DELETEONCLOSE != 0,
            level: ffi::SQLITE_LOCK_NONE,
            lock: None,
            shared: Vec::new(),
        };
        (*slot).open = Box::into_raw(Box::new(handle));
        (*slot).base.pMethods = &METHODS;
        if !out_flags.is_null() {
            let access = if read_only {
                ffi::SQLITE_OPEN_READONLY
            } else {
                ffi::SQLITE_OPEN_READWRITE
            };
            let both = ffi::SQLITE_OPEN_READONLY | ffi::SQLITE_OPEN_READWRITE;
            *out_flags = flags & !both | access;
        }
    }
    ffi::SQLITE_OK
}

/// Opens a file, without a name a temporary one; and whether only for reading.
fn open_file(path: Option<PathBuf>, flags: c_int) -> io::Result<(File, PathBuf, bool)> {
    let has = |flag: c_int| flags & flag != 0;
    let Some(path) = path else {
        let path = temporary_name();
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path)?;
        // It stays readable until it is closed.
        fs::remove_file(&path)?;
        return Ok((file, path, false));
    };
    if path.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    let write = has(ffi::SQLITE_OPEN_READWRITE);
    let opened = OpenOptions::new()
        .read(true)
        .write(write)
        .create(write && has(ffi::SQLITE_OPEN_CREATE))
        .create_new(has(ffi::SQLITE_OPEN_CREATE) && has(ffi::SQLITE_OPEN_EXCLUSIVE))
        .open(&path);
    match opened {
        Err(error)
            if write
                && matches!(
                    error.kind(),
                    ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
                ) =>
        {
            Ok((File::open(&path)?, path, true))
        }
        opened => Ok((opened?, path, !write)),
    }
}

fn temporary_name() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::var_os("SQLITE_TMPDIR").or_else(|| std::env::var_os("TMPDIR"));
    let folder = folder.map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
    folder.join(format!("etilqs_{}_{count}", host().pid))
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    // SAFETY: SQLite closes a file once; then nothing refers to it.
    let opened = unsafe { Box::from_raw((*file.cast::<Slot>()).open) };
    if opened.delete_on_close {
        let _ = fs::remove_file(&opened.path);
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn read(
    file: *mut ffi::sqlite3_file,
    buffer: *mut c_void,
    length: c_int,
    offset: ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite's buffer has `length` bytes.
    let (opened, buffer) = unsafe {
        let buffer = std::slice::from_raw_parts_mut(buffer.cast::<u8>(), length as usize);
        (opened(file), buffer)
    };
    match read_at(&mut opened.file, buffer, offset as u64) {
        Ok(count) if count == buffer.len() => ffi::SQLITE_OK,
        Ok(count) => {
            buffer[count..].fill(0);
            ffi::SQLITE_IOERR_SHORT_READ
        }
        Err(_) => ffi::SQLITE_IOERR_READ,
    }
}

fn read_at(file: &mut File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.seek(SeekFrom::Start(offset))?;
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    buffer: *const c_void,
    length: c_int,
    offset: ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite's buffer has `length` bytes.
    let (opened, buffer) = unsafe {
        let buffer = std::slice::from_raw_parts(buffer.cast::<u8>(), length as usize);
        (opened(file), buffer)
    };
    let written = opened
        .file
        .seek(SeekFrom::Start(offset as u64))
        .and_then(|_| opened.file.write_all(buffer));
    result(written, ffi::SQLITE_IOERR_WRITE)
}

fn result(done: io::Result<()>, otherwise: c_int) -> c_int {
    match done {
        Ok(()) => ffi::SQLITE_OK,
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge
            ) =>
        {
            ffi::SQLITE_FULL
        }
        Err(_) => otherwise,
    }
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, size: ffi::sqlite3_int64) -> c_int {
    // SAFETY: the file is open.
    let opened = unsafe { opened(file) };
    result(opened.file.set_len(size as u64), ffi::SQLITE_IOERR_TRUNCATE)
}

unsafe extern "C" fn sync(_file: *mut ffi::sqlite3_file, _flags: c_int) -> c_int {
    ffi::SQLITE_OK
}

unsafe extern "C" fn file_size(
    file: *mut ffi::sqlite3_file,
    size: *mut ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: the file is open, and SQLite wants the answer in `size`.
    unsafe {
        match opened(file).file.metadata() {
            Ok(metadata) => {
                *size = metadata.len() as ffi::sqlite3_int64;
                ffi::SQLITE_OK
            }
            Err(_) => ffi::SQLITE_IOERR_FSTAT,
        }
    }
}

unsafe extern "C" fn take_lock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: the file is open.
    let opened = unsafe { opened(file) };
    if opened.lock.is_none() {
        match lock::acquire(&opened.path) {
            Some(lock) => opened.lock = Some(lock),
            None => return ffi::SQLITE_BUSY,
        }
    }
    opened.level = opened.level.max(level);
    ffi::SQLITE_OK
}

unsafe extern "C" fn give_lock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: the file is open.
    let opened = unsafe { opened(file) };
    opened.level = opened.level.min(level);
    if opened.level == ffi::SQLITE_LOCK_NONE {
        opened.lock = None;
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn check_reserved(file: *mut ffi::sqlite3_file, reserved: *mut c_int) -> c_int {
    // SAFETY: the file is open. Only this process can have it reserved while it holds the lock.
    unsafe { *reserved = c_int::from(opened(file).level >= ffi::SQLITE_LOCK_RESERVED) };
    ffi::SQLITE_OK
}

unsafe extern "C" fn control(
    _file: *mut ffi::sqlite3_file,
    _operation: c_int,
    _argument: *mut c_void,
) -> c_int {
    ffi::SQLITE_NOTFOUND
}

unsafe extern "C" fn sector_size(_file: *mut ffi::sqlite3_file) -> c_int {
    4096
}

unsafe extern "C" fn characteristics(_file: *mut ffi::sqlite3_file) -> c_int {
    ffi::SQLITE_IOCAP_POWERSAFE_OVERWRITE
        | ffi::SQLITE_IOCAP_SAFE_APPEND
        | ffi::SQLITE_IOCAP_SEQUENTIAL
}

unsafe extern "C" fn map_shared(
    file: *mut ffi::sqlite3_file,
    region: c_int,
    size: c_int,
    extend: c_int,
    mapped: *mut *mut c_void,
) -> c_int {
    // SAFETY: the file is open, and SQLite wants the address in `mapped`. Regions stay where they are:
    // only the list of them grows.
    unsafe {
        let (opened, region) = (opened(file), region as usize);
        if region >= opened.shared.len() && extend == 0 {
            *mapped = std::ptr::null_mut();
            return ffi::SQLITE_OK;
        }
        while opened.shared.len() <= region {
            let words = (size as usize).div_ceil(size_of::<u64>());
            opened.shared.push(vec![0; words].into_boxed_slice());
        }
        *mapped = opened.shared[region].as_mut_ptr().cast();
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn lock_shared(
    _file: *mut ffi::sqlite3_file,
    _first: c_int,
    _count: c_int,
    _flags: c_int,
) -> c_int {
    ffi::SQLITE_OK
}

unsafe extern "C" fn barrier(_file: *mut ffi::sqlite3_file) {}

unsafe extern "C" fn unmap_shared(file: *mut ffi::sqlite3_file, _delete: c_int) -> c_int {
    // SAFETY: the file is open, and SQLite is done with the regions.
    unsafe { opened(file).shared.clear() };
    ffi::SQLITE_OK
}

unsafe extern "C" fn delete(
    _vfs: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    _sync: c_int,
) -> c_int {
    // SAFETY: SQLite passes a C string.
    match fs::remove_file(unsafe { path_of(name) }) {
        Ok(()) => ffi::SQLITE_OK,
        Err(error) if error.kind() == ErrorKind::NotFound => ffi::SQLITE_IOERR_DELETE_NOENT,
        Err(_) => ffi::SQLITE_IOERR_DELETE,
    }
}

unsafe extern "C" fn access(
    _vfs: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    flags: c_int,
    answer: *mut c_int,
) -> c_int {
    // SAFETY: SQLite passes a C string and wants the answer in `answer`.
    unsafe {
        let path = path_of(name);
        let yes = if flags == ffi::SQLITE_ACCESS_EXISTS {
            // An empty journal is none.
            fs::metadata(&path).is_ok_and(|file| !file.is_file() || file.len() > 0)
        } else {
            OpenOptions::new()
                .read(true)
                .write(true)
                .open(&path)
                .is_ok()
        };
        *answer = c_int::from(yes);
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn full_path(
    _vfs: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    size: c_int,
    out: *mut c_char,
) -> c_int {
    // SAFETY: SQLite passes a C string and a buffer of `size` bytes.
    unsafe {
        let path = resolve(&path_of(name));
        let bytes = path.as_os_str().as_encoded_bytes();
        if bytes.len() >= size as usize {
            return ffi::SQLITE_CANTOPEN;
        }
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), out.cast::<u8>(), bytes.len());
        *out.add(bytes.len()) = 0;
    }
    ffi::SQLITE_OK
}

/// The path from the root, through symbolic links at its end: a journal lies beside its database.
fn resolve(path: &Path) -> PathBuf {
    let mut path = (host().directory)().join(path);
    for _ in 0..40 {
        let Ok(target) = fs::read_link(&path) else {
            break;
        };
        path = path.parent().unwrap_or(Path::new("/")).join(target);
    }
    path
}

unsafe extern "C" fn randomness(
    _vfs: *mut ffi::sqlite3_vfs,
    length: c_int,
    out: *mut c_char,
) -> c_int {
    // SAFETY: SQLite's buffer has `length` bytes.
    let buffer = unsafe { std::slice::from_raw_parts_mut(out.cast::<u8>(), length as usize) };
    match getrandom::fill(buffer) {
        Ok(()) => length,
        Err(_) => 0,
    }
}

unsafe extern "C" fn sleep(_vfs: *mut ffi::sqlite3_vfs, microseconds: c_int) -> c_int {
    std::thread::sleep(Duration::from_micros(microseconds.max(0) as u64));
    microseconds
}

unsafe extern "C" fn current_time(
    _vfs: *mut ffi::sqlite3_vfs,
    milliseconds: *mut ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite wants the answer in `milliseconds`.
    unsafe { *milliseconds = now() };
    ffi::SQLITE_OK
}

unsafe extern "C" fn current_day(_vfs: *mut ffi::sqlite3_vfs, day: *mut f64) -> c_int {
    // SAFETY: SQLite wants the answer in `day`.
    unsafe { *day = now() as f64 / 86_400_000.0 };
    ffi::SQLITE_OK
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    EPOCH + since.map_or(0, |since| since.as_millis() as i64)
}

unsafe extern "C" fn last_error(
    _vfs: *mut ffi::sqlite3_vfs,
    _size: c_int,
    _out: *mut c_char,
) -> c_int {
    0
}
