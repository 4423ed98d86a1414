// `curl`: the options and messages are those of the native runtime's.

import { Errno } from "../errno.js";
import type { FunctionCall } from "../kernel.js";
import { firstOf } from "../signal.js";
import type { Client, Request, Response } from "./client.js";
import { header } from "./client.js";
import { basic, concat, fileName, follow, location, readFile, request, send, Sink } from "./exchange.js";
import { Mistake, parse, table } from "./options.js";
import { LIMITS, NetworkError } from "./policy.js";

const FLAGS = table(`#,progress-bar A,user-agent= D,dump-header= F,form= G,get H,header= I,head L,location N,no-buffer
  O,remote-name R,remote-time S,show-error T,upload-file= V,version X,request= b,cookie= compressed connect-timeout= create-dirs
  d,data= data-ascii= data-binary= data-raw= data-urlencode= e,referer= f,fail fail-early fail-with-body form-string= g,globoff
  h,help http1.1 http2 i,include 4,ipv4 6,ipv6 json= location-trusted max-filesize= max-redirs= m,max-time= no-progress-meter
  o,output= output-dir= post301 post302 post303 r,range= retry= retry-all-errors retry-connrefused retry-delay= retry-max-time=
  s,silent ssl-reqd tlsv1.2 tlsv1.3 url= u,user= v,verbose w,write-out= q,disable`);

const VERSION = "curl 7.88.1 (offshoot 0.1.0)\nProtocols: http https\nFeatures: HTTP2 SSL\n";
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A status to end with, and what is said. */
class Failed {
  constructor(readonly status: number, readonly text: string) {}
}

interface Content {
  bytes: Uint8Array;
  kind: string | undefined;
  json: boolean;
}

/** The options that were given, by their long names. */
class Options {
  readonly urls: string[] = [];
  /** One for each URL, in order; none for `-O`. */
  readonly outputs: (string | undefined)[] = [];
  readonly headers: string[] = [];
  readonly data: { kind: string; value: string }[] = [];
  readonly form: { value: string; literal: boolean }[] = [];
  private readonly rest = new Map<string, string>();
  constructor(words: string[]) {
    const lines: Record<string, string> = { "user-agent": "User-Agent: ", referer: "Referer: ", cookie: "Cookie: ", range: "Range: bytes=", header: "" };
    for (const item of parse(FLAGS, words)) {
      if ("operand" in item) this.urls.push(item.operand);
      else if (item.option === "url") this.urls.push(item.value);
      else if (item.option === "output") this.outputs.push(item.value);
      else if (item.option === "remote-name") this.outputs.push(undefined);
      else if (lines[item.option] !== undefined) this.headers.push(lines[item.option] + item.value);
      else if (/^(data|json)/.test(item.option)) this.data.push({ kind: item.option, value: item.value });
      else if (/^form/.test(item.option)) this.form.push({ value: item.value, literal: item.option === "form-string" });
      else this.rest.set(item.option, item.value);
    }
  }
  has(name: string): boolean {
    return this.rest.has(name);
  }
  get(name: string): string | undefined {
    return this.rest.get(name);
  }
  number(name: string): number | undefined {
    const text = this.rest.get(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (text.trim() === "" || !Number.isFinite(value)) throw new Failed(2, `option --${name}: expected a proper numerical parameter`);
    return value;
  }
  get follows(): boolean {
    return this.has("location") || this.has("location-trusted");
  }
  get complains(): boolean {
    return !this.has("silent") || this.has("show-error");
  }
}

/** Runs one call. */
export async function curl(client: Client, call: FunctionCall): Promise<number> {
  const say = (text: string) => call.output(2, encoder.encode(text));
  let options: Options;
  try {
    options = new Options(call.arguments.slice(1).map((word) => decoder.decode(word)));
  } catch (mistake) {
    if (!(mistake instanceof Mistake)) throw mistake;
    const reason = mistake.isUnknown ? "is unknown or not supported in this sandbox" : "requires parameter";
    await say(`curl: option ${mistake.option}: ${reason}\ncurl: try 'curl --help' or 'curl --manual' for more information\n`);
    return 2;
  }
  if (options.has("help") || options.has("version")) {
    const names = FLAGS.map(([short, long, value]) => ` ${short ? `-${short}, ` : "    "}--${long}${value ? " <value>" : ""}\n`);
    await call.output(1, encoder.encode(options.has("help") ? `Usage: curl [options...] <url>\n${names.join("")}` : VERSION));
    return 0;
  }
  if (options.urls.length === 0) {
    await say("curl: (2) no URL specified\n");
    return 2;
  }
  let status = 0;
  try {
    const content = await contentOf(options, call);
    for (const index of options.urls.keys()) status = (await new Transfer(client, call, options, content, index).run()) || status;
  } catch (failed) {
    if (!(failed instanceof Failed)) throw failed;
    status = failed.status;
    if (options.complains) await say(`curl: (${failed.status}) ${failed.text}\n`);
  }
  return status;
}

/** Reads files and joins what is to be sent, once for all URLs. */
async function contentOf(options: Options, call: FunctionCall): Promise<Content | undefined> {
  const file = async (name: string) => {
    try {
      return await readFile(call, name, LIMITS.request);
    } catch (thrown) {
      const reason = thrown instanceof Errno ? thrown.code : String(thrown);
      throw new Failed(26, `Failed to open/read local data from file/application: ${name}: ${reason}`);
    }
  };
  const upload = options.get("upload-file");
  if (upload !== undefined) return { bytes: await file(upload === "." ? "-" : upload), kind: undefined, json: false };
  if (options.form.length > 0) return multipart(options, file);
  if (options.data.length === 0) return undefined;
  const json = options.data.some(({ kind }) => kind === "json");
  const pieces: Uint8Array[] = [];
  for (const { kind, value } of options.data) {
    if (pieces.length > 0 && !json) pieces.push(encoder.encode("&"));
    pieces.push(await piece(kind, value, file));
  }
  return { bytes: concat(pieces), kind: json ? "application/json" : "application/x-www-form-urlencoded", json };
}

type ReadFile = (name: string) => Promise<Uint8Array>;

async function piece(kind: string, value: string, file: ReadFile): Promise<Uint8Array> {
  if (kind === "data-raw") return encoder.encode(value);
  if (kind === "data-urlencode") return encoded(value, file);
  if (!value.startsWith("@")) return encoder.encode(value);
  const bytes = await file(value.slice(1));
  return kind === "data" || kind === "data-ascii" ? bytes.filter((byte) => byte !== 13 && byte !== 10 && byte !== 0) : bytes;
}

/** `content`, `=content`, `name=content`, `@file`, `name@file`. */
async function encoded(text: string, file: ReadFile): Promise<Uint8Array> {
  const at = text.search(/[=@]/);
  const name = at < 0 ? "" : text.slice(0, at);
  const bytes = at >= 0 && text[at] === "@" ? await file(text.slice(at + 1)) : encoder.encode(text.slice(at + 1));
  const plain = (byte: number) => /[A-Za-z0-9._~-]/.test(String.fromCharCode(byte));
  const hex = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  const content = [...bytes].map((byte) => (plain(byte) ? String.fromCharCode(byte) : byte === 32 ? "+" : hex(byte))).join("");
  return encoder.encode(name ? `${name}=${content}` : content);
}

async function multipart(options: Options, file: ReadFile): Promise<Content> {
  const form = new FormData();
  for (const { value: text, literal } of options.form) {
    const at = text.indexOf("=");
    if (at <= 0) throw new Failed(2, `Illegally formatted input field: ${text}`);
    const [name, value] = [text.slice(0, at), text.slice(at + 1)];
    const [path = "", ...facts] = value.slice(1).split(";");
    if (literal || !/^[@<]/.test(value)) form.append(name, value);
    else if (value.startsWith("<")) form.append(name, decoder.decode(await file(path)));
    else {
      const fact = (name: string) => facts.find((fact) => fact.startsWith(`${name}=`))?.slice(name.length + 1);
      const blob = new Blob([(await file(path)) as Uint8Array<ArrayBuffer>], { type: fact("type") ?? "application/octet-stream" });
      form.append(name, blob, fact("filename") ?? path.replace(/^.*\//, ""));
    }
  }
  const body = new globalThis.Response(form);
  return { bytes: new Uint8Array(await body.arrayBuffer()), kind: body.headers.get("content-type") ?? undefined, json: false };
}

/** One URL of a call. */
class Transfer {
  private readonly began = performance.now();
  private readonly facts: Record<string, string | number> = { http_code: "000", response_code: "000" };
  private headers: [string, string][] = [];
  private readonly text: string;
  constructor(
    private readonly client: Client,
    private readonly call: FunctionCall,
    private readonly options: Options,
    private readonly content: Content | undefined,
    private readonly index: number,
  ) {
    this.text = options.urls[index]!;
  }

  private say(text: string): Promise<void> {
    return this.call.output(2, encoder.encode(text));
  }

  async run(): Promise<number> {
    let failed: Failed | undefined;
    const most = this.options.number("max-time");
    const late = most === undefined ? undefined : AbortSignal.timeout(Math.ceil(most * 1000));
    const call = late ? { ...this.call, signal: firstOf(this.call.signal, late) } : this.call;
    try {
      await this.attempts(call);
    } catch (thrown) {
      failed = this.failure(thrown, late);
    }
    const status = failed?.status ?? 0;
    if (failed && this.options.complains) await this.say(`curl: (${failed.status}) ${failed.text}\n`);
    await this.writeOut(failed);
    return status;
  }

  private failure(thrown: unknown, late: AbortSignal | undefined): Failed {
    if (thrown instanceof Failed) return thrown;
    if (late?.aborted) {
      const time = Math.round(performance.now() - this.began);
      return new Failed(28, `Operation timed out after ${time} milliseconds with ${this.facts.size_download ?? 0} bytes received`);
    }
    if (thrown instanceof Errno) return new Failed(23, `Failure writing output to destination: ${thrown.code}`);
    if (!(thrown instanceof NetworkError)) throw thrown;
    const status = { invalid: 3, timeout: 28, "too-large": 63, broken: 56, denied: 7, unreachable: 7, refused: 7, closed: 7 }[thrown.kind];
    return new Failed(status, `${thrown.kind === "invalid" ? "URL rejected: " : ""}${thrown.message}`);
  }

  private async attempts(call: FunctionCall): Promise<void> {
    const retries = this.options.number("retry") ?? 0;
    const fixed = this.options.number("retry-delay");
    for (let attempt = 0, delay = 1; ; attempt++, delay = Math.min(delay * 2, 600)) {
      if (await this.attempt(call, attempt >= retries)) return;
      await new Promise((resolve) => setTimeout(resolve, (fixed ?? delay) * 1000));
      call.signal.throwIfAborted();
    }
  }

  private isTransient(error: unknown): boolean {
    if (!(error instanceof NetworkError)) return false;
    const all = this.options.has("retry-all-errors");
    if (error.kind === "refused") return all || this.options.has("retry-connrefused");
    return error.kind === "timeout" || (all && ["broken", "unreachable"].includes(error.kind));
  }

  /** One attempt, through all redirects; false where another one is worth it. */
  private async attempt(call: FunctionCall, last: boolean): Promise<boolean> {
    let asked = this.request();
    const name = this.output(asked);
    if (name !== undefined && this.options.has("create-dirs")) call.makeParents(name);
    const body = new Sink(call, name);
    const dump = this.options.get("dump-header");
    const heads = dump === undefined ? undefined : new Sink(call, dump);
    const most = this.options.follows ? (this.options.number("max-redirs") ?? 50) : 0;
    for (let redirects = 0; ; redirects++) {
      if (this.options.has("verbose")) await this.showRequest(asked);
      let answer: Response;
      try {
        answer = await send(this.client, call, asked);
      } catch (error) {
        if (!last && this.isTransient(error)) return false;
        throw error;
      }
      if (!last && [408, 429, 500, 502, 503, 504].includes(answer.status)) return false;
      const to = location(asked, answer);
      this.note(asked, answer, to, redirects);
      const head = headerLines(answer);
      await heads?.write(head);
      if (this.options.has("verbose")) await this.say(decoder.decode(head).replace(/^/gm, "< ").replace(/< $/, ""));
      if (this.options.has("include") || this.options.has("head")) await body.write(head);
      if (!to || !this.options.follows) return this.finish(answer, body);
      if (most >= 0 && redirects >= most) throw new Failed(47, `Maximum (${most}) redirects followed`);
      asked = this.turned(asked, answer.status, to);
    }
  }

  private turned(asked: Request, status: number, to: URL): Request {
    const next = follow(asked, this.options.has(`post${status}`) ? 307 : status, to, this.options.has("request"));
    if (!this.options.has("location-trusted")) return next;
    const headers = new Map([...asked.headers].filter(([name]) => name !== "content-type"));
    return { ...next, headers: new Map([...next.headers, ...headers]) };
  }

  private async finish(answer: Response, body: Sink): Promise<boolean> {
    const fails = answer.status >= 400 && (this.options.has("fail") || this.options.has("fail-with-body"));
    const refusal = new Failed(22, `The requested URL returned error: ${answer.status}`);
    if (fails && !this.options.has("fail-with-body")) throw refusal;
    const before = body.written;
    if (!this.options.has("head")) {
      const most = this.options.number("max-filesize") ?? Infinity;
      for await (const piece of answer.pieces) {
        if (body.written - before + piece.length > most) throw new Failed(63, "Exceeded the maximum allowed file size");
        await body.write(piece);
        this.facts.size_download = body.written - before;
      }
    }
    await body.finish();
    if (fails) throw refusal;
    return true;
  }

  /** The file that belongs to this URL, if any. */
  private output({ url }: Request): string | undefined {
    const { outputs } = this.options;
    if (this.index >= outputs.length) return undefined;
    const name = outputs[this.index] ?? fileName(url);
    if (name === undefined) throw new Failed(23, "Remote file name has no length");
    const directory = this.options.get("output-dir");
    return directory !== undefined && name !== "-" ? `${directory}/${name}` : name;
  }

  private request(): Request {
    const { options, content, text } = this;
    if (/[{}[\]]/.test(text) && !text.includes("://[") && !options.has("globoff")) {
      throw new Failed(3, "URL globbing is not supported in this sandbox; -g takes the URL as it is");
    }
    const scheme = /^([^/]*):\/\//.exec(text)?.[1];
    if (scheme !== undefined && !/^https?$/i.test(scheme)) throw new Failed(1, `Protocol "${scheme}" not supported`);
    const uploads = options.has("upload-file");
    const usual = options.has("head") ? "HEAD" : content && uploads ? "PUT" : content && !options.has("get") ? "POST" : "GET";
    const asked = request(options.get("request") ?? usual, text);
    const upload = options.get("upload-file");
    if (upload !== undefined && upload !== "-" && asked.url.pathname.endsWith("/")) {
      asked.url.pathname += encodeURIComponent(upload.replace(/^.*\//, ""));
    }
    this.setHeaders(asked);
    if (content && options.has("get")) {
      asked.url.search += `${asked.url.search ? "&" : "?"}${decoder.decode(content.bytes)}`;
    } else if (content) asked.body = content.bytes;
    return asked;
  }

  private setHeaders({ headers }: Request): void {
    const { options, content } = this;
    headers.set("user-agent", "curl/7.88.1").set("accept", "*/*");
    const user = options.get("user");
    if (user !== undefined) headers.set("authorization", basic(user));
    if (content && !options.has("get")) {
      if (content.kind) headers.set("content-type", content.kind);
      if (content.json) headers.set("accept", "application/json");
    }
    const own = new Set<string>();
    for (const line of options.headers) {
      // `Name: value` replaces what curl itself sets, `Name:` removes it, `Name;` sends it empty.
      const [, name = "", mark, value = ""] = /^([!#$%&'*+.^_`|~\w-]+)([:;])\s*(.*)$/s.exec(line) ?? [];
      if (name === "" || (mark === ";" && value !== "")) throw new Failed(2, `header ${JSON.stringify(line)} is not understood`);
      const key = name.toLowerCase();
      if (mark === ":" && value === "") headers.delete(key);
      else headers.set(key, own.has(key) ? `${headers.get(key)}, ${value}` : value);
      own.add(key);
    }
  }

  private showRequest({ method, url, headers }: Request): Promise<void> {
    const lines = [...headers].map(([name, value]) => `> ${name}: ${value}\n`);
    return this.say(`> ${method} ${url.pathname}${url.search} HTTP/1.1\n> Host: ${url.host}\n${lines.join("")}>\n`);
  }

  private note({ method, url, body }: Request, answer: Response, to: URL | undefined, redirects: number): void {
    this.headers = answer.headers;
    const status = String(answer.status).padStart(3, "0");
    Object.assign(this.facts, {
      http_code: status,
      response_code: status,
      http_version: answer.version,
      method,
      url_effective: url.href,
      scheme: url.protocol.slice(0, -1),
      content_type: header(answer, "content-type") ?? "",
      redirect_url: to?.href ?? "",
      num_redirects: redirects,
      num_headers: answer.headers.length,
      size_upload: body?.length ?? 0,
      size_header: headerLines(answer).length,
    });
  }

  /** Fills `%{name}` and `\n` in the format of `--write-out`; unknown names vanish, as in curl. */
  private async writeOut(failed: Failed | undefined): Promise<void> {
    let format = this.options.get("write-out");
    if (format === undefined) return;
    if (format.startsWith("@")) format = decoder.decode(await readFile(this.call, format.slice(1), 1 << 20));
    const seconds = (performance.now() - this.began) / 1000;
    const facts: Record<string, string | number> = {
      num_connects: 0, ssl_verify_result: 0, urlnum: 0, size_download: 0, ...this.facts,
      url: this.text,
      time_total: seconds.toFixed(6),
      speed_download: Math.round(Number(this.facts.size_download ?? 0) / seconds),
      exitcode: failed?.status ?? 0,
      errormsg: failed?.text ?? "",
    };
    const field = (name: string) => this.headers.find(([own]) => own === name.toLowerCase())?.[1] ?? "";
    const letters: Record<string, string> = { n: "\n", t: "\t", r: "\r" };
    const text = format.replace(/%%|%\{([^}]*)\}|%header\{([^}]*)\}|\\(.)/g, (all, name, of, letter) => {
      if (name !== undefined) return String(facts[name] ?? "");
      if (of !== undefined) return field(of);
      return all === "%%" ? "%" : (letters[letter] ?? all);
    });
    await this.call.output(1, encoder.encode(text));
  }
}

/** The headers of an answer as lines, with the empty one at the end. */
export function headerLines({ version, status, reason, headers }: Response): Uint8Array {
  const title = (name: string) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
  const lines = headers.map(([name, value]) => `${title(name)}: ${value}\r\n`);
  return encoder.encode(`HTTP/${version} ${status} ${reason || (REASONS[status] ?? "")}\r\n${lines.join("")}\r\n`);
}

/** The words that servers of HTTP/2 do not send. */
const REASONS: Record<number, string> = {
  200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 301: "Moved Permanently", 302: "Found", 303: "See Other",
  304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
  404: "Not Found", 405: "Method Not Allowed", 409: "Conflict", 429: "Too Many Requests", 500: "Internal Server Error",
  502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
};
