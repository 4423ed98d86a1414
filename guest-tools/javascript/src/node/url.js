// url.
const path = require('path');
class URLSearchParams {
  #pairs = [];
  constructor(init = '') {
    const decode = (text) => decodeURIComponent(text.replace(/\+/g, ' '));
    if (typeof init === 'string') {
      for (const part of init.replace(/^\?/, '').split('&').filter(Boolean)) {
        const at = part.indexOf('=');
        this.#pairs.push(at < 0 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))]);
      }
    } else this.#pairs = [...(init[Symbol.iterator] ? init : Object.entries(init))].map(([name, value]) => [String(name), String(value)]);
  }
  get(name) { const pair = this.#pairs.find((pair) => pair[0] === name); return pair ? pair[1] : null; }
  getAll(name) { return this.#pairs.filter((pair) => pair[0] === name).map((pair) => pair[1]); }
  has(name) { return this.get(name) !== null; }
  append(name, value) { this.#pairs.push([name, String(value)]); }
  delete(name) { this.#pairs = this.#pairs.filter((pair) => pair[0] !== name); }
  set(name, value) { const pair = this.#pairs.find((pair) => pair[0] === name); if (pair) { this.delete(name); pair[1] = String(value); this.#pairs.push(pair); } else this.append(name, value); }
  sort() { this.#pairs.sort((left, right) => (left[0] < right[0] ? -1 : left[0] > right[0] ? 1 : 0)); }
  forEach(call) { this.#pairs.forEach(([name, value]) => call(value, name, this)); }
  keys() { return this.#pairs.map((pair) => pair[0])[Symbol.iterator](); }
  values() { return this.#pairs.map((pair) => pair[1])[Symbol.iterator](); }
  entries() { return this.#pairs[Symbol.iterator](); }
  [Symbol.iterator]() { return this.entries(); }
  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    const pairs = this.#pairs.map((pair) => pair.map((one) => inspect(one)).join(' => '));
    return pairs.length ? `URLSearchParams { ${pairs.join(', ')} }` : 'URLSearchParams {}';
  }
  get size() { return this.#pairs.length; }
  toString() { const encode = (text) => encodeURIComponent(text).replace(/%20/g, '+').replace(/[!'()~]/g, (mark) => '%' + mark.charCodeAt(0).toString(16).toUpperCase()); return this.#pairs.map((pair) => pair.map(encode).join('=')).join('&'); }
}
class URL {
  constructor(text, base) {
    let found = /^([a-z][a-z0-9+.-]*:)(?:\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^:/?#]*)(?::(\d+))?)?([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(String(text).trim());
    if (!found && base !== undefined) {
      const from = new URL(base);
      const parts = /^(\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/.exec(String(text));
      if (parts[1]) return new URL(from.protocol + text);
      const target = parts[2] === '' ? from.pathname : parts[2].startsWith('/') ? parts[2] : from.pathname.replace(/[^/]*$/, '') + parts[2];
      return new URL(`${from.protocol}//${from.username ? `${from.username}${from.password ? `:${from.password}` : ''}@` : ''}${from.host}${target}` + (parts[3] ?? (parts[2] === '' ? from.search : '')) + (parts[4] ?? ''));
    }
    if (!found) throw Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input: String(text) });
    const [, protocol, username = '', password = '', hostname = '', port = '', pathname, search = '', hash = ''] = found;
    const standard = { 'http:': '80', 'https:': '443', 'ftp:': '21' }[protocol.toLowerCase()];
    Object.assign(this, { protocol: protocol.toLowerCase(), username, password, hostname: hostname.toLowerCase(), port: port === standard ? '' : port, hash: hash === '#' ? '' : hash });
    this.pathname = standard || protocol === 'file:' ? path.normalize(pathname || '/').replace(/ /g, '%20') : pathname;
    this.searchParams = new URLSearchParams(search);
    this.search = search === '?' ? '' : search;
  }
  get [Symbol.toStringTag]() { return 'URL'; }
  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    const { href, origin, protocol, username, password, host, hostname, port, pathname, search, searchParams, hash } = this;
    return `URL ${inspect({ href, origin, protocol, username, password, host, hostname, port, pathname, search, searchParams, hash }, options)}`;
  }
  get host() { return this.hostname + (this.port ? `:${this.port}` : ''); }
  get origin() { return /^(https?|ftp|wss?):$/.test(this.protocol) ? `${this.protocol}//${this.host}` : 'null'; }
  get href() {
    const query = this.searchParams.toString() === new URLSearchParams(this.search).toString() ? this.search : `?${this.searchParams}`;
    const user = this.username ? `${this.username}${this.password ? `:${this.password}` : ''}@` : '';
    return `${this.protocol}//${user}${this.host}${this.pathname}${query}${this.hash}`;
  }
  toString() { return this.href; }
  toJSON() { return this.href; }
  static canParse(text, base) { try { new URL(text, base); return true; } catch { return false; } }
}
const fileURLToPath = (url) => {
  const found = typeof url === 'string' ? new URL(url) : url;
  if (found.protocol !== 'file:') throw Object.assign(new TypeError('The URL must be of scheme file'), { code: 'ERR_INVALID_URL_SCHEME' });
  return decodeURIComponent(found.pathname);
};
const pathToFileURL = (file) => new URL(`file://${encodeURI(path.resolve(file)).replace(/[?#]/g, encodeURIComponent)}`);
const parse = (text, withQuery) => {
  const [, protocol = null, slashes, auth = null, host = null, pathname = null, search = null, hash = null] = /^([a-z][\w+.-]*:)?(\/\/)?(?:([^@/?#]*)@)?((?<=\/\/[^/?#]*)[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(text.trim()) || [];
  const [, hostname = null, port = null] = host ? /^(.*?)(?::(\d+))?$/.exec(host) : [];
  const query = search ? search.slice(1) : null;
  return { protocol, slashes: !!slashes || null, auth, host: host || null, port, hostname, hash, search, query: withQuery ? require('querystring').parse(query || '') : query, pathname: pathname || null, path: (pathname || '') + (search || '') || null, href: text.trim() };
};
const format = (url) => (url instanceof URL ? url.href : `${url.protocol || ''}${url.slashes || /^https?:?$/.test(url.protocol || '') ? '//' : ''}${url.auth ? `${url.auth}@` : ''}${url.host || (url.hostname || '') + (url.port ? `:${url.port}` : '')}${url.pathname || ''}${url.search || (url.query ? `?${require('querystring').stringify(url.query)}` : '')}${url.hash || ''}`);
module.exports = { URL, URLSearchParams, fileURLToPath, pathToFileURL, parse, format, resolve: (from, to) => new URL(to, new URL(from, 'resolve://')).href.replace(/^resolve:\/\//, '') };
