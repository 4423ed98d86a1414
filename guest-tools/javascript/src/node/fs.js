// fs: the calls that wait; those with callbacks and promises are made of them.
const TEXTS = {
  ENOENT: 'no such file or directory', EACCES: 'permission denied', EEXIST: 'file already exists',
  EISDIR: 'illegal operation on a directory', ENOTDIR: 'not a directory', ENOTEMPTY: 'directory not empty',
  EROFS: 'read-only file system', EFBIG: 'file too large', ENOSPC: 'no space left on device', EPIPE: 'broken pipe', EINVAL: 'invalid argument',
  EXDEV: 'cross-device link not permitted', EIO: 'i/o error', EBADF: 'bad file descriptor', ELOOP: 'too many symbolic links encountered', EPERM: 'operation not permitted', ENOTSUP: 'operation not supported on socket', ENAMETOOLONG: 'name too long', EMFILE: 'too many open files',
};
const NUMBERS = { ENOENT: -2, EACCES: -13, EEXIST: -17, EISDIR: -21, ENOTDIR: -20, ENOTEMPTY: -39, EROFS: -30, EFBIG: -27, ENOSPC: -28, EPIPE: -32, EINVAL: -22, EXDEV: -18, EIO: -5, EBADF: -9, ELOOP: -40, EPERM: -1, ENOTSUP: -95, ENAMETOOLONG: -36, EMFILE: -24 };
const fail = (code, syscall, path, dest) => {
  const where = path === undefined ? '' : ` '${path}'${dest === undefined ? '' : ` -> '${dest}'`}`;
  const error = new Error(`${code}: ${TEXTS[code] || code}, ${syscall}${where}`);
  return Object.assign(error, { errno: NUMBERS[code], code, syscall }, path === undefined ? {} : { path }, dest === undefined ? {} : { dest });
};
const run = (syscall, path, dest, call) => {
  try { return call(); } catch (error) {
    throw error instanceof Error && error.message in TEXTS ? fail(error.message, syscall, path, dest) : error;
  }
};
const text = (path) => (path instanceof Uint8Array ? host.decode(path) : path && path.href ? decodeURIComponent(path.pathname) : path);
const encodingOf = (options) => (typeof options === 'string' ? options : options && options.encoding);
const bytesOf = (data, options) => (typeof data === 'string'
  ? (/^utf-?8$/i.test(encodingOf(options) || 'utf8') ? data : new Uint8Array(Buffer.from(data, encodingOf(options))))
  : ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : String(data));
const decoded = (bytes, encoding) => { const buffer = Buffer.from(bytes); return encoding ? buffer.toString(encoding) : buffer; };

class Stats {
  constructor(found) {
    this.size = found.size;
    this.mode = { directory: 0o40000, link: 0o120000 }[found.kind] ?? 0o100000;
    this.mode |= found.mode ?? { directory: 0o755, link: 0o777 }[found.kind] ?? 0o644;
    this.mtimeMs = this.ctimeMs = this.birthtimeMs = found.modified;
    this.atimeMs = found.accessed;
    this.mtime = this.ctime = this.birthtime = new Date(found.modified);
    this.atime = new Date(found.accessed);
    Object.defineProperty(this, 'kind', { value: found.kind });
  }
  isFile() { return this.kind === 'file'; }
  isDirectory() { return this.kind === 'directory'; }
  isSymbolicLink() { return this.kind === 'link'; }
  isFIFO() { return false; } isSocket() { return false; } isBlockDevice() { return false; } isCharacterDevice() { return false; }
}
class Dirent extends Stats {
  constructor(name, kind, path) { super({ kind, size: 0, modified: 0, accessed: 0 }); for (const key of Object.keys(this)) delete this[key]; this.name = name; this.path = this.parentPath = path; }
}
const stat = (follow, syscall) => (path, options) => {
  path = text(path);
  try { return new Stats(run(syscall, path, undefined, () => host.stat(path, follow))); } catch (error) {
    if (options && options.throwIfNoEntry === false && error.code === 'ENOENT') return undefined;
    throw error;
  }
};
const open = new Map();
let next = 3;
const file = (fd, syscall) => { const found = open.get(fd); if (!found) throw fail('EBADF', syscall); return found; };
const list = (path, options, prefix = '') => {
  const names = run('scandir', path, undefined, () => host.list(path));
  const out = [];
  for (const entry of names ? names.split('\0') : []) {
    const [name, kind] = [entry.slice(0, -1), { d: 'directory', l: 'link', f: 'file' }[entry.slice(-1)]];
    out.push(options && options.withFileTypes ? new Dirent(name, kind, path) : prefix + name);
    if (options && options.recursive && kind === 'directory') out.push(...list(`${path}/${name}`, options, `${prefix}${name}/`));
  }
  return out;
};
const sync = {
  readFile(path, options) {
    const encoding = encodingOf(options);
    if (path === 0 || path === '/dev/stdin') return decoded(host.readDescriptor(0), encoding);
    if (typeof path === 'number') path = file(path, 'read').path;
    path = text(path);
    if (stat(true, 'open')(path).isDirectory()) throw fail('EISDIR', 'read');
    return run('open', path, undefined, () => (/^utf-?8$/i.test(encoding || '') ? host.read(path, true) : decoded(host.read(path, false), encoding)));
  },
  chmod(path, mode) { path = text(path); run('chmod', path, undefined, () => host.setMode(path, typeof mode === 'string' ? parseInt(mode, 8) : mode)); },
  utimes() {}, fsync() {}, fdatasync() {},
  symlink(target, path) { run('symlink', text(target), text(path), () => host.symbolicLink(text(target), text(path))); },
  ftruncate(fd, length) { sync.truncate(file(fd, 'ftruncate').path, length); },
  opendir(path) { const entries = list(text(path), { withFileTypes: true }); return { path, read: async () => entries.shift() ?? null, readSync: () => entries.shift() ?? null, close: async () => {}, closeSync() {}, async *[Symbol.asyncIterator]() { yield* entries; } }; },
  writeFile(path, data, options) {
    const flag = (options && options.flag) || 'w';
    if (path === 1 || path === 2) return void host.writeDescriptor(path, bytesOf(data, options));
    if (typeof path === 'number') return void sync.write(path, data);
    path = text(path);
    const bytes = bytesOf(data, options);
    try { host.write(path, bytes, flag.includes('a'), flag.includes('x')); } catch (error) {
      if (!(error.message in TEXTS)) throw error;
      // What has no room is open already.
      throw ['ENOSPC', 'EFBIG', 'EIO'].includes(error.message) ? fail(error.message, 'write') : fail(error.message, 'open', path);
    }
  },
  appendFile(path, data, options) { sync.writeFile(path, data, { encoding: encodingOf(options), flag: 'a' }); },
  access(path, mode = 0) {
    const found = stat(true, 'access')(path);
    if (mode & 1 && found.isFile() && !host.isExecutable(text(path))) throw fail('EACCES', 'access', text(path));
  },
  stat: stat(true, 'stat'), lstat: stat(false, 'lstat'),
  readdir(path, options) { return list(text(path), options); },
  mkdir(path, options) {
    path = text(path);
    run('mkdir', path, undefined, () => host.makeDirectory(path, !!(options && options.recursive)));
  },
  mkdtemp(prefix) { const path = prefix + Buffer.from(host.random(3)).toString('hex'); sync.mkdir(path); return path; },
  rmdir(path, options) { path = text(path); run('rmdir', path, undefined, () => host.removeDirectory(path, !!(options && options.recursive))); },
  unlink(path) { path = text(path); run('unlink', path, undefined, () => host.remove(path)); },
  rm(path, options = {}) {
    path = text(path);
    const found = stat(false, 'rm')(path, { throwIfNoEntry: !options.force });
    if (!found) return;
    if (!found.isDirectory()) sync.unlink(path);
    else if (options.recursive) run('rm', path, undefined, () => host.removeDirectory(path, true));
    else throw Object.assign(new Error(`Path is a directory: rm returned EISDIR (is a directory) ${path}`), { code: 'ERR_FS_EISDIR' });
  },
  rename(from, to) { run('rename', text(from), text(to), () => host.rename(text(from), text(to))); },
  copyFile(from, to) { run('copyfile', text(from), text(to), () => host.write(text(to), host.read(text(from), false), false, false)); },
  cp(from, to, options = {}) {
    if (!sync.stat(from).isDirectory()) return sync.copyFile(from, to);
    if (!options.recursive) throw fail('EISDIR', 'cp', from);
    sync.mkdir(to, { recursive: true });
    for (const name of sync.readdir(from)) sync.cp(`${from}/${name}`, `${to}/${name}`, options);
  },
  link(from, to) { run('link', text(from), text(to), () => host.link(text(from), text(to))); },
  readlink(path) { return run('readlink', text(path), undefined, () => host.readLink(text(path))); },
  realpath(path) {
    let at = '/';
    for (const part of require('path').resolve(text(path)).split('/').filter(Boolean)) {
      at = at === '/' ? `/${part}` : `${at}/${part}`;
      if (stat(false, 'realpath')(at).isSymbolicLink()) at = sync.realpath(require('path').resolve(at, '..', host.readLink(at)));
    }
    return at;
  },
  truncate(path, length = 0) { const data = sync.readFile(path); sync.writeFile(path, Buffer.concat([data.subarray(0, length), Buffer.alloc(Math.max(0, length - data.length))])); },
  open(path, flags = 'r') {
    path = text(path);
    if (/[wax]/.test(flags)) run('open', path, undefined, () => host.write(path, '', /a/.test(flags), /x/.test(flags)));
    else if (!sync.stat(path)) throw fail('ENOENT', 'open', path);
    open.set(next, { path, at: 0, append: /a/.test(flags) });
    return next++;
  },
  close(fd) { file(fd, 'close'); open.delete(fd); },
  read(fd, buffer, offset = 0, length = buffer.length - offset, position = null) {
    if (offset !== null && typeof offset === 'object') ({ offset = 0, length = buffer.length - offset, position = null } = offset);
    let bytes;
    if (fd === 0) bytes = host.readDescriptor(Math.max(1, length));
    else {
      const handle = file(fd, 'read');
      const at = position ?? handle.at;
      bytes = sync.readFile(handle.path).subarray(at, at + length);
      if (position === null) handle.at += bytes.length;
    }
    buffer.set(bytes, offset);
    return bytes.length;
  },
  write(fd, data, ...rest) {
    let bytes = typeof data === 'string' ? Buffer.from(data) : data;
    if (typeof data !== 'string' && typeof rest[0] === 'number') bytes = data.subarray(rest[0], rest[0] + (rest[1] ?? data.length));
    if (fd === 1 || fd === 2) { host.writeDescriptor(fd, new Uint8Array(bytes)); return bytes.length; }
    host.write(file(fd, 'write').path, new Uint8Array(bytes), true, false);
    return bytes.length;
  },
  fstat(fd) { return fd <= 2 ? new Stats({ kind: 'other', size: 0, modified: 0, accessed: 0 }) : sync.stat(file(fd, 'fstat').path); },
};
const fs = { constants: { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1, COPYFILE_EXCL: 1 }, Stats, Dirent, promises: {} };
for (const [name, call] of Object.entries(sync)) {
  fs[`${name}Sync`] = call;
  fs.promises[name] = async (...rest) => call(...rest);
  fs[name] = (...rest) => {
    const done = rest.pop();
    if (typeof done !== 'function') throw new TypeError('The "cb" argument must be of type function.');
    setImmediate(() => {
      let result;
      try { result = call(...rest); } catch (error) { return done(error); }
      done(null, result);
    });
  };
}
fs.existsSync = (path) => { try { sync.stat(path); return true; } catch { return false; } };
fs.exists = (path, done) => setImmediate(() => done(fs.existsSync(path)));
fs.createWriteStream = (file, options) => {
  const { Writable } = require('stream');
  const given = typeof options === 'string' ? { encoding: options } : options || {};
  const flags = given.flags || 'w';
  let fd = given.fd;
  const out = new Writable({
    decodeStrings: true,
    construct(done) { try { fd ??= sync.open(file, flags); } catch (error) { return done(error); } out.fd = fd; out.emit('open', fd); out.emit('ready'); done(); },
    write(chunk, encoding, done) { try { sync.write(fd, chunk); out.bytesWritten += chunk.length; done(); } catch (error) { done(error); } },
    destroy(error, done) { if (fd !== undefined) try { sync.close(fd); } catch { /* It is closed already. */ } done(error); },
  });
  return Object.assign(out, { path: file, bytesWritten: 0 });
};
fs.createReadStream = (file, options) => {
  const { Readable } = require('stream');
  const given = typeof options === 'string' ? { encoding: options } : options || {};
  const end = given.end === undefined ? Infinity : given.end + 1;
  let fd = given.fd, at = given.start ?? 0;
  const input = new Readable({
    encoding: given.encoding, highWaterMark: given.highWaterMark ?? 65536,
    construct(done) { try { fd ??= sync.open(file, 'r'); } catch (error) { return done(error); } input.emit('open', fd); input.emit('ready'); done(); },
    read(size) {
      try {
        const buffer = Buffer.alloc(Math.min(given.highWaterMark ?? 65536, end - at));
        const count = buffer.length ? sync.read(fd, buffer, 0, buffer.length, at) : 0;
        at += count;
        input.push(count ? buffer.subarray(0, count) : null);
      } catch (error) { input.destroy(error); }
    },
    destroy(error, done) { if (fd !== undefined) try { sync.close(fd); } catch { /* It is closed already. */ } done(error); },
  });
  return Object.assign(input, { path: file });
};
class FileHandle {
  constructor(fd) { this.fd = fd; }
  async read(buffer, ...rest) { return { bytesRead: sync.read(this.fd, buffer, ...rest), buffer }; }
  async write(data, ...rest) { return { bytesWritten: sync.write(this.fd, data, ...rest), buffer: data }; }
  async readFile(options) { return sync.readFile(this.fd, options); }
  async writeFile(data, options) { return sync.writeFile(this.fd, data, options); }
  async appendFile(data, options) { return sync.writeFile(this.fd, data, options); }
  async stat() { return sync.fstat(this.fd); }
  async truncate(length) { return sync.ftruncate(this.fd, length); }
  async sync() {} async datasync() {}
  async close() { sync.close(this.fd); }
  async *readLines(options) { yield* require('readline').createInterface({ input: this.createReadStream(options) }); }
  createReadStream(options) { return fs.createReadStream(null, { ...options, fd: this.fd }); }
  createWriteStream(options) { return fs.createWriteStream(null, { ...options, fd: this.fd }); }
  [Symbol.asyncDispose]() { return this.close(); }
}
fs.promises.open = async (file, flags) => new FileHandle(sync.open(file, flags));
fs.promises.constants = fs.constants;
// A descriptor of the sandbox that a child can inherit, for one of this file's.
fs._inherit = (fd, writes) => host.openDescriptor(file(fd, 'open').path, writes);
module.exports = fs;
