// path.
const checked = (value, name) => {
  if (typeof value !== 'string') throw Object.assign(new TypeError(`The "${name}" argument must be of type string. Received ${globalThis.__inspect.received(value)}`), { code: 'ERR_INVALID_ARG_TYPE' });
  return value;
};
const ofObject = (value) => {
  if (value === null || typeof value !== 'object') throw Object.assign(new TypeError(`The "pathObject" argument must be of type object. Received ${globalThis.__inspect.received(value)}`), { code: 'ERR_INVALID_ARG_TYPE' });
  return value;
};
const normalizeParts = (path, rooted) => {
  const out = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') out.push(part);
    else if (out.length && out[out.length - 1] !== '..') out.pop();
    else if (!rooted) out.push('..');
  }
  return out.join('/');
};
const path = {
  sep: '/', delimiter: ':',
  isAbsolute: (path) => checked(path, 'path').startsWith('/'),
  normalize(path) {
    if (checked(path, 'path') === '') return '.';
    const rooted = path.startsWith('/');
    let out = normalizeParts(path, rooted);
    if (!out && !rooted) out = '.';
    if (out && path.endsWith('/')) out += '/';
    return (rooted ? '/' : '') + out;
  },
  join: (...parts) => { const joined = parts.filter((part) => checked(part, 'path') !== '').join('/'); return joined ? path.normalize(joined) : '.'; },
  resolve(...parts) {
    let out = '';
    for (const [at, part] of [host.cwd(), ...parts].entries()) out = checked(part, `paths[${at - 1}]`).startsWith('/') ? part : part ? `${out}/${part}` : out;
    return '/' + normalizeParts(out, true);
  },
  dirname(path) {
    const trimmed = checked(path, 'path').replace(/(.)\/+$/, '$1');
    const at = trimmed.lastIndexOf('/');
    return at < 0 ? '.' : at === 0 ? '/' : trimmed.slice(0, at);
  },
  basename(path, suffix) {
    if (suffix !== undefined) checked(suffix, 'suffix');
    const name = checked(path, 'path').replace(/\/+$/, '').split('/').pop();
    return suffix && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
  },
  extname(path_) { const name = path.basename(path_); const at = name.lastIndexOf('.'); return at <= 0 || name === '..' ? '' : name.slice(at); },
  relative(from, to) {
    const [left, right] = [path.resolve(checked(from, 'from')), path.resolve(checked(to, 'to'))].map((path) => path.split('/').filter(Boolean));
    let same = 0;
    while (same < left.length && same < right.length && left[same] === right[same]) same++;
    return [...left.slice(same).map(() => '..'), ...right.slice(same)].join('/');
  },
  parse(text) {
    const [base, ext] = [path.basename(text), path.extname(text)];
    const folder = path.dirname(text), dir = folder === '.' && !/^\.\//.test(text) ? '' : folder;
    return { root: text.startsWith('/') ? '/' : '', dir, base, ext, name: ext ? base.slice(0, -ext.length) : base };
  },
};
// The form of a path of object: the same on both systems.
const formatted = (separator) => (given) => {
  const { dir, root, base, name = '', ext = '' } = ofObject(given);
  const file = base || name + (ext && !ext.startsWith('.') ? `.${ext}` : ext), folder = dir || root;
  return folder ? (folder === root ? folder + file : folder + separator + file) : file;
};
path.format = formatted('/');
path.toNamespacedPath = (text) => text;

// Paths of Windows: a device (a drive's letter, or a server with its share), whether it is rooted, and the parts.
const split = (given) => {
  const [, device = '', rest] = /^([A-Za-z]:|[\\/]{2}[^\\/]+[\\/]+[^\\/]+)?([\s\S]*)$/.exec(given);
  const isServer = device.length > 2;
  return { device: isServer ? device.replace(/\//g, '\\').replace(/([^\\])\\+/g, '$1\\') : device, isRooted: isServer || /^[\\/]/.test(rest), rest };
};
const tidy = (rest, isRooted) => normalizeParts(rest.replace(/\\/g, '/'), isRooted).replace(/\//g, '\\');
const win32 = {
  sep: '\\', delimiter: ';',
  isAbsolute: (text) => split(checked(text, 'path')).isRooted,
  normalize(text) {
    if (checked(text, 'path') === '') return '.';
    const { device, isRooted, rest } = split(text);
    let tail = tidy(rest, isRooted);
    if (!tail && !isRooted) tail = '.';
    if (tail && /[\\/]$/.test(text)) tail += '\\';
    return device + (isRooted ? '\\' : '') + tail;
  },
  join(...parts) {
    const joined = parts.filter((part) => checked(part, 'path') !== '').join('\\');
    // Two separators begin a server only where the first part does.
    return joined ? win32.normalize(/^[\\/]{2}[^\\/]/.test(parts.find((part) => part !== '')) ? joined : joined.replace(/^[\\/]{2,}/, '\\')) : '.';
  },
  resolve(...parts) {
    let device = '', tail = '', isRooted = false;
    for (const part of [...parts].reverse()) {
      if (checked(part, 'path') === '') continue;
      const found = split(part);
      if (found.device && device && found.device.toLowerCase() !== device.toLowerCase()) continue;
      device ||= found.device;
      if (!isRooted) { tail = `${found.rest}\\${tail}`; ({ isRooted } = found); }
      if (isRooted && device) break;
    }
    if (!isRooted) { tail = `${host.cwd()}\\${tail}`; isRooted = true; }
    return `${device}\\${tidy(tail, isRooted)}`;
  },
  dirname(text) {
    const { device, isRooted, rest } = split(checked(text, 'path'));
    const folder = /^([\s\S]*)[\\/][^\\/]+[\\/]*$/.exec(rest)?.[1];
    const root = device + (isRooted ? rest.slice(0, 1) || '\\' : '');
    return folder ? device + folder : root || '.';
  },
  basename(text, suffix) {
    const name = split(checked(text, 'path')).rest.replace(/[\\/]+$/, '').split(/[\\/]/).pop();
    return suffix !== undefined && checked(suffix, 'suffix') && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
  },
  extname: (text) => path.extname(win32.basename(text)),
  relative(from, to) {
    const [left, right] = [win32.resolve(from), win32.resolve(to)].map((one) => one.split('\\').filter((part, at) => part || at === 0));
    let same = 0;
    while (same < left.length && same < right.length && left[same].toLowerCase() === right[same].toLowerCase()) same++;
    return same === 0 ? right.join('\\') : [...left.slice(same).filter(Boolean).map(() => '..'), ...right.slice(same)].join('\\');
  },
  parse(text) {
    const { device, isRooted, rest } = split(checked(text, 'path'));
    const root = device + (isRooted ? rest.slice(0, 1) || '\\' : ''), base = win32.basename(text), ext = win32.extname(text), dir = win32.dirname(text);
    return { root, dir: dir === '.' && !/^\.[\\/]/.test(text) ? '' : dir, base, ext, name: ext ? base.slice(0, -ext.length) : base };
  },
  format: formatted('\\'), toNamespacedPath: (text) => text,
};
win32.win32 = path.win32 = win32;
win32.posix = path.posix = path;
module.exports = path;
