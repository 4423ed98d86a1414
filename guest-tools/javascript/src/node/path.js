// path.
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
  isAbsolute: (path) => path.startsWith('/'),
  normalize(path) {
    if (path === '') return '.';
    const rooted = path.startsWith('/');
    let out = normalizeParts(path, rooted);
    if (!out && !rooted) out = '.';
    if (out && path.endsWith('/')) out += '/';
    return (rooted ? '/' : '') + out;
  },
  join: (...parts) => { const joined = parts.filter((part) => part !== '').join('/'); return joined ? path.normalize(joined) : '.'; },
  resolve(...parts) {
    let out = '';
    for (const part of [host.cwd(), ...parts]) out = part.startsWith('/') ? part : part ? `${out}/${part}` : out;
    return '/' + normalizeParts(out, true);
  },
  dirname(path) {
    const trimmed = path.replace(/(.)\/+$/, '$1');
    const at = trimmed.lastIndexOf('/');
    return at < 0 ? '.' : at === 0 ? '/' : trimmed.slice(0, at).replace(/(.)\/+$/, '$1');
  },
  basename(path, suffix) {
    const name = path.replace(/\/+$/, '').split('/').pop();
    return suffix && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
  },
  extname(path_) { const name = path.basename(path_); const at = name.lastIndexOf('.'); return at <= 0 ? '' : name.slice(at); },
  relative(from, to) {
    const [left, right] = [path.resolve(from), path.resolve(to)].map((path) => path.split('/').filter(Boolean));
    let same = 0;
    while (same < left.length && same < right.length && left[same] === right[same]) same++;
    return [...left.slice(same).map(() => '..'), ...right.slice(same)].join('/');
  },
  parse(text) {
    const [base, ext] = [path.basename(text), path.extname(text)];
    const dir = text.includes('/') ? path.dirname(text) : '';
    return { root: text.startsWith('/') ? '/' : '', dir, base, ext, name: ext ? base.slice(0, -ext.length) : base };
  },
  format: ({ dir, root, base, name = '', ext = '' }) => { const file = base ?? name + ext; return dir ? (dir === root ? dir + file : `${dir}/${file}`) : (root || '') + file; },
};
path.posix = path;
path.toNamespacedPath = (text) => text;
module.exports = path;
