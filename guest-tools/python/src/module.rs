//! The module `_sandbox`: the interfaces of [`crate::sandbox`] for `library/*.py`.

#![allow(
    unsafe_code,
    missing_docs,
    reason = "the macro writes unsafe code and items without comments"
)]

use rustpython_vm::pymodule;

pub(crate) use _sandbox::module_def;

#[pymodule]
mod _sandbox {
    use crate::depth;
    use crate::sandbox::{
        Errno, ExitStatus, FileKind, FileStat, Timestamp, absolute, describe, directory, process,
        vfs,
    };
    use rustpython_vm::builtins::{
        PyBaseExceptionRef, PyBytes, PyBytesRef, PyStr, PyStrRef, PyTypeRef,
    };
    use rustpython_vm::convert::ToPyObject;
    use rustpython_vm::{AsObject, PyObjectRef, PyRef, PyResult, VirtualMachine};

    /// The exception that Python has for the error.
    fn failure(errno: Errno, path: Option<&PyBytesRef>, vm: &VirtualMachine) -> PyBaseExceptionRef {
        let (number, text) = describe(errno);
        let class = vm.ctx.exceptions.os_error.to_owned();
        // `_errors.py` knows errors of the system by this end.
        let text = format!("{text} (os error {number})");
        let mut arguments = vec![number.to_pyobject(vm), text.clone().to_pyobject(vm)];
        if let Some(path) = path {
            let name = String::from_utf8_lossy(path.as_bytes()).into_owned();
            arguments.push(name.to_pyobject(vm));
        }
        match class.as_object().call(arguments, vm) {
            Ok(error) => error.downcast().unwrap_or_else(|_| vm.new_os_error(text)),
            Err(error) => error,
        }
    }

    /// Sets an attribute of a built-in type, which programs cannot.
    #[pyfunction]
    fn set_on_type(class: PyTypeRef, name: PyStrRef, value: PyObjectRef, vm: &VirtualMachine) {
        class.set_attr(vm.ctx.intern_str(name.to_string_lossy().as_ref()), value);
    }

    /// Raises where native code could not follow the value into its depth.
    #[pyfunction]
    fn check_nesting(value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        match depth::nests_too_deep(value) {
            true => Err(depth::too_deep("while encoding an object", vm)),
            false => Ok(()),
        }
    }

    /// The same for the JSON value that begins at the index, counted in characters.
    #[pyfunction]
    fn check_json(text: PyObjectRef, index: usize, vm: &VirtualMachine) -> PyResult<()> {
        let Some(text) = text.downcast_ref::<PyStr>() else {
            return Ok(());
        };
        let text = text.as_bytes();
        let begins = |byte: &u8| byte & 0xc0 != 0x80;
        let start = match index {
            0 => 0,
            _ => {
                let mut starts = (0..text.len()).filter(|&at| begins(&text[at]));
                starts.nth(index).unwrap_or(text.len())
            }
        };
        match depth::json_nests_too_deep(&text[start..]) {
            true => Err(depth::too_deep("while decoding a JSON value", vm)),
            false => Ok(()),
        }
    }

    /// Ends the process at once.
    #[pyfunction]
    fn leave(status: i32) {
        crate::sandbox::leave(status);
    }

    fn on_path<T>(
        path: &PyBytesRef,
        vm: &VirtualMachine,
        operation: impl FnOnce(&[u8]) -> Result<T, Errno>,
    ) -> PyResult<T> {
        absolute(path.as_bytes())
            .and_then(|path| operation(&path))
            .map_err(|errno| failure(errno, Some(path), vm))
    }

    fn nanoseconds(time: Timestamp) -> i128 {
        i128::from(time.seconds) * 1_000_000_000 + i128::from(time.nanoseconds)
    }

    fn status(found: FileStat, vm: &VirtualMachine) -> PyObjectRef {
        let kind: u32 = match found.kind {
            FileKind::Regular => 0o100_000,
            FileKind::Directory => 0o040_000,
            FileKind::Symlink => 0o120_000,
            FileKind::Fifo => 0o010_000,
            FileKind::CharacterDevice => 0o020_000,
        };
        let times = [found.accessed, found.modified, found.changed].map(nanoseconds);
        let mut fields = vec![
            (kind | found.mode).to_pyobject(vm),
            found.inode.to_pyobject(vm),
            found.device.to_pyobject(vm),
            found.links.to_pyobject(vm),
            found.uid.to_pyobject(vm),
            found.gid.to_pyobject(vm),
            found.size.to_pyobject(vm),
        ];
        fields.extend(times.map(|time| time.to_pyobject(vm)));
        fields.push(found.blocks.to_pyobject(vm));
        vm.ctx.new_tuple(fields).into()
    }

    /// Mode, inode, device, links, owner, group, size, three times in nanoseconds, and blocks.
    #[pyfunction]
    fn stat(path: PyBytesRef, follow: bool, vm: &VirtualMachine) -> PyResult {
        on_path(&path, vm, |path| vfs::stat(path, follow)).map(|found| status(found, vm))
    }

    /// Whether there is such a name, a symbolic link that leads nowhere included.
    #[pyfunction]
    fn exists(path: PyBytesRef) -> bool {
        absolute(path.as_bytes()).is_ok_and(|path| vfs::stat(&path, false).is_ok())
    }

    #[pyfunction]
    fn access(path: PyBytesRef, bits: u32) -> bool {
        let mut mode = vfs::AccessMode::empty();
        for (bit, flag) in [
            (4, vfs::AccessMode::READ),
            (2, vfs::AccessMode::WRITE),
            (1, vfs::AccessMode::EXECUTE),
        ] {
            if bits & bit != 0 {
                mode |= flag;
            }
        }
        absolute(path.as_bytes()).is_ok_and(|path| vfs::access(&path, mode).is_ok())
    }

    #[pyfunction]
    fn canonicalize(path: PyBytesRef, vm: &VirtualMachine) -> PyResult<Vec<u8>> {
        on_path(&path, vm, vfs::canonicalize)
    }

    #[pyfunction]
    fn symlink(target: PyBytesRef, path: PyBytesRef, vm: &VirtualMachine) -> PyResult<()> {
        on_path(&path, vm, |path| vfs::symlink(target.as_bytes(), path))
    }

    #[pyfunction]
    fn make_fifo(path: PyBytesRef, mode: u32, vm: &VirtualMachine) -> PyResult<()> {
        on_path(&path, vm, |path| vfs::make_fifo(path, mode))
    }

    #[pyfunction]
    fn set_mode(path: PyBytesRef, mode: u32, vm: &VirtualMachine) -> PyResult<()> {
        on_path(&path, vm, |path| vfs::set_mode(path, mode))
    }

    /// A negative number keeps owner or group.
    #[pyfunction]
    fn set_owner(
        path: PyBytesRef,
        owner: i64,
        group: i64,
        follow: bool,
        vm: &VirtualMachine,
    ) -> PyResult<()> {
        let (owner, group) = (u32::try_from(owner).ok(), u32::try_from(group).ok());
        on_path(&path, vm, |path| vfs::set_owner(path, owner, group, follow))
    }

    /// Bytes in all, bytes free, inodes in all, inodes free.
    #[pyfunction]
    fn space(path: PyBytesRef, vm: &VirtualMachine) -> PyResult<(u64, u64, u64, u64)> {
        let found = on_path(&path, vm, vfs::stat_filesystem)?;
        Ok((
            found.total_bytes,
            found.free_bytes,
            found.total_inodes,
            found.free_inodes,
        ))
    }

    /// Process, parent, owner, group, their names, and the host's name.
    #[pyfunction]
    fn identify(vm: &VirtualMachine) -> PyObjectRef {
        let found = process::identify();
        let fields = vec![
            found.pid.to_pyobject(vm),
            found.parent.to_pyobject(vm),
            found.uid.to_pyobject(vm),
            found.gid.to_pyobject(vm),
            found.user.to_pyobject(vm),
            found.group.to_pyobject(vm),
            found.hostname.to_pyobject(vm),
        ];
        vm.ctx.new_tuple(fields).into()
    }

    /// Sets the mask where it is not negative; the one before.
    #[pyfunction]
    fn umask(mask: i64) -> u32 {
        let before = process::get_umask();
        if let Ok(mask) = u32::try_from(mask) {
            process::set_umask(mask & 0o777);
        }
        before
    }

    /// Opens for a child: `r`, `w` or `a`.
    #[pyfunction]
    fn open(path: PyBytesRef, how: String, vm: &VirtualMachine) -> PyResult<u32> {
        use vfs::OpenFlags as Flags;
        let flags = match how.as_str() {
            "r" => Flags::READ,
            "w" => Flags::WRITE | Flags::CREATE | Flags::TRUNCATE,
            _ => Flags::WRITE | Flags::CREATE | Flags::APPEND,
        };
        on_path(&path, vm, |path| vfs::open(path, flags, 0o666))
    }

    #[pyfunction]
    fn seek(descriptor: u32, offset: i64, vm: &VirtualMachine) -> PyResult<u64> {
        vfs::seek(descriptor, offset, vfs::Whence::Start).map_err(|errno| failure(errno, None, vm))
    }

    #[pyfunction]
    fn close(descriptor: u32) {
        vfs::close(descriptor);
    }

    #[pyfunction]
    fn pipe(vm: &VirtualMachine) -> PyResult<(u32, u32)> {
        let ends = process::pipe().map_err(|errno| failure(errno, None, vm))?;
        Ok((ends.reader, ends.writer))
    }

    /// What is there; nothing at the end, None where the pipe is empty.
    #[pyfunction]
    fn read(descriptor: u32, most: u32, vm: &VirtualMachine) -> PyResult<Option<PyRef<PyBytes>>> {
        match vfs::read(descriptor, most) {
            Ok(bytes) => Ok(Some(vm.ctx.new_bytes(bytes))),
            Err(Errno::Again) => Ok(None),
            Err(errno) => Err(failure(errno, None, vm)),
        }
    }

    /// How many bytes were taken; None where the pipe is full.
    #[pyfunction]
    fn write(descriptor: u32, bytes: PyBytesRef, vm: &VirtualMachine) -> PyResult<Option<u32>> {
        match vfs::write(descriptor, bytes.as_bytes()) {
            Ok(count) => Ok(Some(count)),
            Err(Errno::Again) => Ok(None),
            Err(errno) => Err(failure(errno, None, vm)),
        }
    }

    /// Starts a process with the descriptors as its first ones; its number. Variables are `NAME=VALUE`.
    #[pyfunction]
    fn spawn(
        path: PyBytesRef,
        arguments: Vec<PyBytesRef>,
        environment: Vec<PyBytesRef>,
        folder: Option<PyBytesRef>,
        streams: Vec<u32>,
        vm: &VirtualMachine,
    ) -> PyResult<u32> {
        let owned = |bytes: &PyBytesRef| bytes.as_bytes().to_vec();
        let folder = match &folder {
            Some(folder) => {
                absolute(folder.as_bytes()).map_err(|errno| failure(errno, Some(folder), vm))?
            }
            None => directory(),
        };
        let variable = |bytes: &PyBytesRef| {
            let text = bytes.as_bytes();
            let sign = text.iter().position(|&byte| byte == b'=')?;
            Some((text[..sign].to_vec(), text[sign + 1..].to_vec()))
        };
        let options = |path: &[u8]| process::SpawnOptions {
            path: path.to_vec(),
            arguments: arguments.iter().map(owned).collect(),
            environment: environment.iter().filter_map(variable).collect(),
            directory: folder.clone(),
            umask: process::get_umask(),
            descriptors: (0..).zip(streams.iter().copied()).collect(),
            task: None,
        };
        on_path(&path, vm, |path| process::spawn(&options(path)))
    }

    /// The status as `subprocess` counts it: negative for a signal.
    fn code(status: ExitStatus) -> i32 {
        match status {
            ExitStatus::Exited(code) => i32::from(code),
            ExitStatus::Signalled(signal) => -i32::from(signal),
        }
    }

    #[pyfunction]
    fn wait(process: u32, vm: &VirtualMachine) -> PyResult<i32> {
        process::wait(process)
            .map(code)
            .map_err(|errno| failure(errno, None, vm))
    }

    /// None while it runs.
    #[pyfunction]
    fn try_wait(process: u32, vm: &VirtualMachine) -> PyResult<Option<i32>> {
        process::try_wait(process)
            .map(|status| status.map(code))
            .map_err(|errno| failure(errno, None, vm))
    }

    #[pyfunction]
    fn kill(process: u32, signal: u8, vm: &VirtualMachine) -> PyResult<()> {
        process::kill(process, signal).map_err(|errno| failure(errno, None, vm))
    }
}
