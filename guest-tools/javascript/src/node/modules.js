// require, for files, folders, JSON and the modules of Node.
(() => {
  'use strict';
  const library = globalThis.__library;
  const { fs, path } = library;
  const cache = {};
  let main;
  const builtin = (name) => library[name.startsWith('node:') ? name.slice(5) : name];
  const isFile = (file) => fs.existsSync(file) && fs.statSync(file).isFile();
  const asFile = (base) => ['', '.js', '.json', '.cjs', '.mjs'].map((end) => base + end).find(isFile);
  const asFolder = (base) => {
    const description = `${base}/package.json`;
    const main = isFile(description) && JSON.parse(fs.readFileSync(description, 'utf8')).main;
    return (main && (asFile(path.join(base, main)) || asFile(path.join(base, main, 'index')))) || asFile(`${base}/index`);
  };
  const resolve = (name, folder) => {
    const find = (base) => asFile(base) || asFolder(base);
    let found;
    if (/^(\.{0,2}\/|\.{1,2}$)/.test(name)) found = find(path.resolve(folder, name));
    else {
      for (let at = folder; !found; at = path.dirname(at)) {
        found = find(path.join(at, 'node_modules', name));
        if (at === '/') break;
      }
    }
    if (found) return fs.realpathSync(found);
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
  };
  const load = (file, parent) => {
    if (cache[file]) return cache[file].exports;
    const module = { exports: {}, id: file, filename: file, loaded: false, children: [], parent, paths: [] };
    cache[file] = module;
    main ??= module;
    const text = fs.readFileSync(file, 'utf8').replace(/^\ufeff/, '');
    try {
      if (file.endsWith('.json')) module.exports = JSON.parse(text);
      else {
        const folder = path.dirname(file);
        const body = new Function('exports', 'require', 'module', '__filename', '__dirname', text.replace(/^#!.*/, ''));
        body.call(module.exports, module.exports, requireFrom(folder, module), module, file, folder);
      }
    } catch (error) {
      delete cache[file];
      throw error;
    }
    module.loaded = true;
    return module.exports;
  };
  const requireFrom = (folder, parent) => {
    const require = (name) => builtin(name) ?? load(resolve(name, folder), parent);
    require.resolve = (name) => (builtin(name) ? name : resolve(name, folder));
    require.cache = cache;
    require.main = main;
    return require;
  };
  library.module = { createRequire: (file) => requireFrom(path.dirname(String(file).replace(/^file:\/\//, ''))), builtinModules: Object.keys(library) };
  const here = requireFrom(process.cwd());
  globalThis.__require = here;
  globalThis.require = here;
  globalThis.module = { exports: {} };
  globalThis.exports = globalThis.module.exports;
  globalThis.__exports = (name) => {
    const found = here(name);
    const usable = (key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== 'default' && !['delete', 'new', 'class', 'function', 'in', 'if'].includes(key);
    return Object.keys(found).filter(usable).join(',');
  };
  globalThis.__main = (file) => {
    const found = asFile(path.resolve(file)) || (fs.existsSync(file) && asFolder(path.resolve(file)));
    if (!found) throw Object.assign(new Error(`Cannot find module '${path.resolve(file)}'`), { code: 'MODULE_NOT_FOUND' });
    return load(fs.realpathSync(found), null);
  };
})();
