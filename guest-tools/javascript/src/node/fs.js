// fs: the calls that wait; those with callbacks and promises are made of them.
(() => {
  'use strict';
  const host = globalThis.__host;
  const TEXTS = {
    ENOENT: 'no such file or directory', EACCES: 'permission denied', EEXIST: 'file already exists',
    EISDIR: 'illegal operation on a directory', ENOTDIR: 'not a directory', ENOTEMPTY: 'directory not empty',
    EROFS: 'read-only file system', ENOSPC: 'no space left on device', EPIPE: 'broken pipe', EINVAL: 'invalid argument',
    EXDEV: 'cross-device link not permitted', EIO: 'i/o error', EBADF: 'bad file descriptor',
  };
  const NUMBERS = { ENOENT: -2, EACCES: -13, EEXIST: -17, EISDIR: -21, ENOTDIR: -20, ENOTEMPTY: -39, EROFS: -30, ENOSPC: -28, EPIPE: -32, EINVAL: -22, EXDEV: -18, EIO: -5, EBADF: -9 };
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
      this.mode = found.kind === 'directory' ? 0o40755 : found.kind === 'link' ? 0o120777 : 0o100644;
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
      return run('open', path, undefined, () => (/^utf-?8$/i.test(encoding || '') ? host.read(path, true) : decoded(host.read(path, false), encoding)));
    },
    writeFile(path, data, options) {
      const flag = (options && options.flag) || 'w';
      if (path === 1 || path === 2) return void host.writeDescriptor(path, bytesOf(data, options));
      if (typeof path === 'number') return void sync.write(path, data);
      path = text(path);
      run('open', path, undefined, () => host.write(path, bytesOf(data, options), flag.includes('a'), flag.includes('x')));
    },
    appendFile(path, data, options) { sync.writeFile(path, data, { encoding: encodingOf(options), flag: 'a' }); },
    access(path) { stat(true, 'access')(path); },
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
      for (const part of globalThis.__require('path').resolve(text(path)).split('/').filter(Boolean)) {
        at = at === '/' ? `/${part}` : `${at}/${part}`;
        if (stat(false, 'realpath')(at).isSymbolicLink()) at = sync.realpath(globalThis.__require('path').resolve(at, '..', host.readLink(at)));
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
  fs.createWriteStream = (path, options) => {
    const events = new (globalThis.__require('events'))();
    sync.writeFile(path, '', options && options.flags === 'a' ? { flag: 'a' } : undefined);
    return Object.assign(events, {
      path, writable: true,
      write(chunk) { sync.appendFile(path, chunk); return true; },
      end(chunk, done) { if (chunk !== undefined && typeof chunk !== 'function') this.write(chunk); setImmediate(() => { events.emit('finish'); events.emit('close'); if (typeof done === 'function') done(); }); },
    });
  };
  fs.createReadStream = (path, options) => {
    const events = new (globalThis.__require('events'))();
    let encoding = encodingOf(options);
    const start = () => setImmediate(() => {
      try { const data = sync.readFile(path, encoding); if (data.length) events.emit('data', data); events.emit('end'); events.emit('close'); } catch (error) { events.emit('error', error); }
    });
    start();
    return Object.assign(events, { path, setEncoding(name) { encoding = name; return events; }, pipe(target) { events.on('data', (data) => target.write(data)); return target; }, async *[Symbol.asyncIterator]() { yield sync.readFile(path, encoding); } });
  };
  globalThis.__fs = fs;
})();
