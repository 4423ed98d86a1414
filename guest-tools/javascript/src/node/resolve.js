// Where the name of a module leads: files, folders, node_modules, package.json.
const path = require('path');
const fs = require('fs');

const isFile = (file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
const isFolder = (file) => fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
const packages = new Map();

const packageAt = (folder) => {
  if (!packages.has(folder)) {
    const file = path.join(folder, 'package.json');
    let found = null;
    if (isFile(file)) {
      try { found = JSON.parse(fs.readFileSync(file, 'utf8')); } catch (error) {
        throw Object.assign(new Error(`Invalid package config ${file}. ${error.message}`), { code: 'ERR_INVALID_PACKAGE_CONFIG' });
      }
    }
    packages.set(folder, found);
  }
  return packages.get(folder);
};
const scopeOf = (file) => {
  for (let at = path.dirname(file); ; at = path.dirname(at)) {
    if (path.basename(at) !== 'node_modules') { const found = packageAt(at); if (found) return [at, found]; }
    if (at === '/') return ['/', null];
  }
};

// Which language a file is in: module, commonjs or json. Where no package says it, its text does.
const formatOf = (file) => {
  const end = path.extname(file);
  if (end === '.mjs') return 'module';
  if (end === '.cjs') return 'commonjs';
  if (end === '.json') return 'json';
  const type = scopeOf(file)[1]?.type;
  if (type === 'module' || type === 'commonjs') return type;
  if (file.includes('/node_modules/') || end !== '.js') return 'commonjs';
  const text = fs.readFileSync(file, 'utf8');
  return /^\s*(import\s*[\w{*'"]|export\s+(default|const|let|var|class|function|async|\{|\*)|export\s*[{*])/m.test(text) && !/\b(module\.exports|require\()/.test(text) ? 'module' : 'commonjs';
};

const asFile = (base) => ['', '.js', '.json', '.cjs', '.mjs', '.node'].map((end) => base + end).find(isFile);
const asFolder = (base) => {
  if (!isFolder(base)) return undefined;
  const { main } = packageAt(base) || {};
  const named = typeof main === 'string' && (asFile(path.join(base, main)) || asFile(path.join(base, main, 'index')));
  return named || asFile(path.join(base, 'index'));
};
const notFound = (name, from, code = 'MODULE_NOT_FOUND') => {
  const where = code === 'MODULE_NOT_FOUND' ? `\nRequire stack:\n- ${from}` : ` imported from ${from}`;
  const kind = code === 'MODULE_NOT_FOUND' || name.startsWith('/') ? 'module' : 'package';
  return Object.assign(new Error(`Cannot find ${kind} '${name}'${where}`), { code, requireStack: [from] });
};

// The file for a value below `exports` or `imports`.
const target = (value, star, folder, conditions) => {
  if (typeof value === 'string') {
    const filled = star === undefined ? value : value.replaceAll('*', star);
    return filled.startsWith('./') ? path.join(folder, filled) : filled;
  }
  if (Array.isArray(value)) {
    for (const one of value) { const found = target(one, star, folder, conditions); if (found) return found; }
    return undefined;
  }
  if (value === null || typeof value !== 'object') return value === null ? null : undefined;
  for (const [condition, one] of Object.entries(value)) {
    if (condition !== 'default' && !conditions.includes(condition)) continue;
    const found = target(one, star, folder, conditions);
    if (found !== undefined) return found;
  }
  return undefined;
};
const inMap = (map, key, folder, conditions) => {
  if (Object.hasOwn(map, key) && !key.includes('*')) return target(map[key], undefined, folder, conditions);
  let best;
  for (const pattern of Object.keys(map)) {
    const [start, end, more] = pattern.split('*');
    if (end === undefined || more !== undefined || !key.startsWith(start) || !key.endsWith(end) || key.length < pattern.length) continue;
    if (!best || start.length > best.start.length) best = { pattern, start, star: key.slice(start.length, key.length - end.length) };
  }
  return best && target(map[best.pattern], best.star, folder, conditions);
};
const exported = (folder, description, subpath, conditions) => {
  let map = description.exports;
  if (typeof map === 'string' || Array.isArray(map) || !Object.keys(map).some((key) => key.startsWith('.'))) map = { '.': map };
  const found = inMap(map, subpath, folder, conditions);
  if (found) return found;
  const what = subpath === '.' ? 'No "exports" main defined' : `Package subpath '${subpath}' is not defined by "exports"`;
  throw Object.assign(new Error(`${what} in ${folder}/package.json`), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' });
};

const paths = (folder) => {
  const out = [];
  for (let at = folder; ; at = path.dirname(at)) {
    if (path.basename(at) !== 'node_modules') out.push(path.join(at, 'node_modules'));
    if (at === '/') break;
  }
  return [...out, ...(process.env.NODE_PATH || '').split(':').filter(Boolean), '/usr/lib/node_modules'];
};
const inPackage = (name, from, conditions) => {
  const [, own, rest] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(name) || [];
  const [scope, description] = scopeOf(from);
  if (description?.name === own && description.exports) return exported(scope, description, `.${rest}`, conditions);
  for (const folder of paths(path.dirname(from))) {
    const base = path.join(folder, own);
    if (isFolder(base)) {
      const found = packageAt(base);
      if (found?.exports !== undefined && found.exports !== null) return exported(base, found, `.${rest}`, conditions);
    }
    const found = asFile(path.join(folder, name)) || asFolder(path.join(folder, name));
    if (found) return found;
  }
  return undefined;
};
const resolve = (given, from, conditions, isImport = false) => {
  const code = isImport ? 'ERR_MODULE_NOT_FOUND' : 'MODULE_NOT_FOUND';
  let name = given, found;
  if (name.startsWith('node:')) throw Object.assign(new Error(`No such built-in module: ${name}`), { code: 'ERR_UNKNOWN_BUILTIN_MODULE' });
  if (name.startsWith('file:')) name = require('url').fileURLToPath(name);
  if (/^(https?|data):/.test(name)) throw Object.assign(new Error(`Only URLs with a scheme in: file and node are supported. Received protocol '${name.split(':')[0]}:'`), { code: 'ERR_UNSUPPORTED_ESM_URL_SCHEME' });
  if (isImport && /^\.{0,2}\//.test(name)) name = name.replace(/[?#].*$/, '');
  if (/^(\.{0,2}\/|\.{1,2}$)/.test(name)) {
    const base = path.resolve(path.dirname(from), name);
    found = (!name.endsWith('/') && asFile(base)) || asFolder(base);
    if (!found && isImport) throw notFound(base, from, code);
  } else if (name.startsWith('#')) {
    const [folder, description] = scopeOf(from);
    found = description?.imports && inMap(description.imports, name, folder, conditions);
    if (!found) throw Object.assign(new TypeError(`Package import specifier "${name}" is not defined imported from ${from}`), { code: 'ERR_PACKAGE_IMPORT_NOT_DEFINED' });
    if (!found.startsWith('/')) found = resolve(found, from, conditions, isImport);
  } else found = inPackage(name, from, conditions);
  if (!found || !isFile(found)) throw notFound(given, from, code);
  return fs.realpathSync(found);
};
const main = (file) => {
  const base = path.resolve(file);
  const found = asFile(base) || asFolder(base);
  if (!found) throw Object.assign(new Error(`Cannot find module '${base}'`), { code: 'MODULE_NOT_FOUND', requireStack: [] });
  return fs.realpathSync(found);
};

module.exports = { resolve, formatOf, paths, main };
