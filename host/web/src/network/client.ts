// Requests out of a sandbox through `fetch`, and those to a server inside it over its loopback.

import { concat } from "../kernel.js";
import type { Connection } from "../loopback.js";
import { firstOf, woken } from "../signal.js";
import { LIMITS, NetworkError, Policy, type Secret } from "./policy.js";

export interface Request {
  method: string;
  url: URL;
  /** Names in lower case. */
  headers: Map<string, string>;
  body: Uint8Array | undefined;
}

export interface Response {
  status: number;
  /** The words after the status, where they are known. */
  reason: string;
  version: string;
  headers: [string, string][];
  /** The body as it comes. */
  pieces: AsyncIterable<Uint8Array>;
}

export const header = ({ headers }: Response, name: string): string | undefined => headers.find(([own]) => own === name)?.[1];

export type Fetch = (url: string, init: RequestInit) => Promise<globalThis.Response>;

/** What a sandbox sees in the place of a secret. */
const HIDDEN = "[secret]";

const tooLarge = (what: string, limit: number) => new NetworkError("too-large", `the ${what} is longer than ${limit} bytes`);

/** No more bytes than an answer may have. */
async function* bounded(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = LIMITS.response;
  for await (const piece of pieces) {
    left -= piece.length;
    if (left < 0) throw tooLarge("answer", LIMITS.response);
    yield piece;
  }
}

/** Makes the requests of one sandbox under its policy. */
export class Client {
  constructor(readonly policy: Policy, private readonly fetch: Fetch | undefined) {}

  /** Sends a request where the policy allows it. It is not redirected. */
  async send(request: Request, signal: AbortSignal): Promise<Response> {
    const { method, url, body } = request;
    this.policy.check(method, url);
    if (body && body.length > LIMITS.request) throw tooLarge("request", LIMITS.request);
    if (!this.fetch) throw new NetworkError("unreachable", "this engine has no fetch");
    const secrets = this.policy.secretsFor(url);
    const headers = new Headers([...request.headers]);
    for (const { header, value } of secrets) headers.set(header, value);
    const all = firstOf(signal, AbortSignal.timeout(LIMITS.timeMs));
    const init: RequestInit = { method, headers, redirect: "manual", signal: all };
    if (body) init.body = body as Uint8Array<ArrayBuffer>;
    let answer: globalThis.Response;
    try {
      answer = await this.fetch(url.href, init);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (all.aborted) throw new NetworkError("timeout", `the request to ${url.origin} timed out`);
      throw new NetworkError("unreachable", `could not connect to ${url.origin}${cause(error)}`);
    }
    if (answer.type === "opaqueredirect") {
      throw new NetworkError("broken", `${url.origin} redirects, and a page is not told where to`);
    }
    const shown = (text: string) => hide(text, secrets);
    const known = [...answer.headers].map(([name, value]): [string, string] => [name, shown(value)]);
    // The engine has decoded it.
    const decoded = answer.headers.has("content-encoding");
    const kept = decoded ? known.filter(([name]) => name !== "content-encoding" && name !== "content-length") : known;
    const pieces = bounded(content(answer, all, url));
    return {
      status: answer.status,
      reason: answer.statusText,
      version: "1.1",
      headers: kept,
      pieces: secrets.length > 0 ? hidden(pieces, secrets) : pieces,
    };
  }
}

function cause(error: unknown): string {
  const code = (error as { cause?: { code?: string } })?.cause?.code;
  return typeof code === "string" ? ` (${code})` : "";
}

async function* content(answer: globalThis.Response, signal: AbortSignal, { origin }: URL): AsyncGenerator<Uint8Array> {
  const reader = answer.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch {
    if (signal.aborted) throw new NetworkError("timeout", `the request to ${origin} timed out`);
    throw new NetworkError("broken", `the exchange with ${origin} broke off`);
  } finally {
    // Who stops reading has no use for the rest.
    void reader.cancel().catch(() => undefined);
  }
}

/** The forms in which a server may give a secret back. */
function forms({ value }: Secret): string[] {
  const bytes = new TextEncoder().encode(value);
  const base64 = btoa(String.fromCharCode(...bytes));
  const token = value.replace(/^(Bearer|Basic|Token) /i, "");
  const all = [value, token, base64, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)];
  return [...new Set(all)].filter((form) => form.length > 3).sort((one, other) => other.length - one.length);
}

function hide(text: string, secrets: Secret[]): string {
  for (const secret of secrets) for (const form of forms(secret)) text = text.replaceAll(form, HIDDEN);
  return text;
}

/** The whole answer with the values of secrets taken out, since one may lie across two pieces. */
async function* hidden(pieces: AsyncIterable<Uint8Array>, secrets: Secret[]): AsyncGenerator<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  // A character for each byte: headers, and so secrets, are such texts.
  const text = new TextDecoder("latin1").decode(concat(all));
  const clean = hide(text, secrets);
  if (clean === text) yield concat(all);
  else yield new TextEncoder().encode(hide(new TextDecoder().decode(concat(all)), secrets));
}

/** Reads from a connection by lines and lengths. */
class Reader {
  private kept: Uint8Array = new Uint8Array();
  constructor(private readonly connection: Connection, private readonly signal: AbortSignal, private readonly origin: string) {}

  /** More bytes; false at the end. */
  private async more(): Promise<boolean> {
    const deadline = performance.now() + LIMITS.timeMs;
    for (;;) {
      this.signal.throwIfAborted();
      if (performance.now() >= deadline) throw new NetworkError("timeout", `the request to ${this.origin} timed out`);
      const piece = this.connection.read(64 << 10);
      if (piece) {
        this.kept = concat([this.kept, piece]);
        return piece.length > 0;
      }
      await woken([this.connection.wakers], Math.min(deadline, performance.now() + 1000));
    }
  }
  broken(): NetworkError {
    return new NetworkError("broken", `the exchange with ${this.origin} broke off`);
  }
  async line(): Promise<string> {
    for (;;) {
      const end = this.kept.indexOf(10);
      if (end >= 0) {
        const line = String.fromCharCode(...this.kept.subarray(0, end)).replace(/\r$/, "");
        this.kept = this.kept.subarray(end + 1);
        return line;
      }
      if (this.kept.length > 64 << 10 || !(await this.more())) throw this.broken();
    }
  }
  /** So many bytes, by pieces; without a length up to the end. */
  async *take(length?: number): AsyncGenerator<Uint8Array> {
    for (let left = length ?? Infinity; left > 0; ) {
      if (this.kept.length === 0 && !(await this.more())) {
        if (length === undefined) return;
        throw this.broken();
      }
      const piece = this.kept.subarray(0, left);
      this.kept = this.kept.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }
  async *chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const size = parseInt(await this.line(), 16);
      if (!(size >= 0)) throw this.broken();
      yield* this.take(size);
      if (size > 0) await this.line();
      else {
        while ((await this.line()) !== "");
        return;
      }
    }
  }
}

const title = (name: string) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

/** Sends a request to a server inside the sandbox, in HTTP/1.1. It carries none of the policy's secrets. */
export async function sendOver(connection: Connection, request: Request, signal: AbortSignal): Promise<Response> {
  const { method, url, body } = request;
  const lines = [`${method} ${url.pathname}${url.search} HTTP/1.1`, `Host: ${url.host}`];
  for (const [name, value] of request.headers) if (name !== "host") lines.push(`${title(name)}: ${value}`);
  if (body) lines.push(`Content-Length: ${body.length}`);
  const head = new TextEncoder().encode(`${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`);
  const reader = new Reader(connection, signal, url.origin);
  try {
    for (let rest = concat([head, body ?? new Uint8Array()]); rest.length > 0; ) {
      signal.throwIfAborted();
      const count = connection.write(rest);
      if (count === undefined) await woken([connection.wakers]);
      else rest = rest.subarray(count);
    }
  } catch {
    signal.throwIfAborted();
    throw reader.broken();
  }
  for (;;) {
    const [, version, status, reason] = /^HTTP\/(\d\.\d) (\d{3}) ?(.*)$/.exec(await reader.line()) ?? [];
    if (!version || !status) throw reader.broken();
    const headers: [string, string][] = [];
    for (let line = await reader.line(); line !== ""; line = await reader.line()) {
      const at = line.indexOf(":");
      if (at < 0 || headers.length > 256) throw reader.broken();
      headers.push([line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]);
    }
    // What only says that more will come.
    if (status.startsWith("1")) continue;
    const answer = { status: Number(status), reason: reason ?? "", version, headers };
    const response = { ...answer, pieces: nothing() as AsyncIterable<Uint8Array> };
    if (method === "HEAD" || status === "204" || status === "304") return response;
    const length = header(response, "content-length");
    const chunked = /chunked/i.test(header(response, "transfer-encoding") ?? "");
    const pieces = chunked ? reader.chunks() : reader.take(length === undefined ? undefined : Number(length));
    return { ...answer, pieces: bounded(pieces) };
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
