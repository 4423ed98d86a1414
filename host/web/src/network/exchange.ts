// What `curl` and `wget` share: one request with its redirects, and the files of the sandbox.

import { concat, type FunctionCall } from "../kernel.js";
import { header, sendOver, type Client, type Request, type Response } from "./client.js";
import { httpUrl, NetworkError } from "./policy.js";

const encoder = new TextEncoder();

/** The header for `NAME:PASSWORD`. */
export const basic = (user: string): string => `Basic ${btoa(String.fromCharCode(...encoder.encode(user)))}`;

/** A request for what somebody typed; a missing scheme is `http`, a name and password become a header. */
export function request(method: string, text: string): Request {
  const full = text.includes("://") ? text : `http://${text}`;
  const headers = new Map<string, string>();
  let url: URL | undefined;
  try {
    url = new URL(full);
  } catch {
    // What follows says what is wrong.
  }
  if (!url) return { method, url: httpUrl(full), headers, body: undefined };
  if (url.username || url.password) {
    headers.set("authorization", basic(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`));
  }
  url.username = url.password = url.hash = "";
  return { method, url: httpUrl(url.href), headers, body: undefined };
}

/** Asks what the policy allows, and otherwise who listens in the sandbox. */
export async function send(client: Client, call: FunctionCall, request: Request): Promise<Response> {
  const { policy } = client;
  try {
    policy.check(request.method, request.url);
  } catch (refusal) {
    if (request.url.protocol === "http:") {
      const { hostname, port } = request.url;
      try {
        return await sendOver(call.connect(hostname, Number(port || 80)), request, call.signal);
      } catch (thrown) {
        if (thrown instanceof NetworkError) throw thrown;
        call.signal.throwIfAborted();
        const refused = (thrown as { code?: string }).code === "connection-refused" && policy.isClosed;
        if (refused) throw new NetworkError("refused", `Failed to connect to ${hostname} port ${port || 80}: Connection refused`);
      }
    }
    if (policy.isClosed) throw new NetworkError("closed", "this sandbox has no network");
    throw refusal;
  }
  return client.send(request, call.signal);
}

/** Where an answer leads, if anywhere. */
export function location({ url }: Request, response: Response): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(response.status)) return undefined;
  try {
    const to = new URL(header(response, "location") ?? "http://", url);
    to.hash = "";
    return to;
  } catch {
    return undefined;
  }
}

/** The request that a redirect asks for. Another origin gets no credentials. */
export function follow(before: Request, status: number, to: URL, keepsMethod = false): Request {
  const { method } = before;
  const becomesGet = (status === 303 && method !== "HEAD") || ((status === 301 || status === 302) && method === "POST");
  const headers = new Map(before.headers);
  if (becomesGet) headers.delete("content-type");
  if (to.origin !== before.url.origin) for (const name of ["authorization", "cookie"]) headers.delete(name);
  return { method: becomesGet && !keepsMethod ? "GET" : method, url: to, headers, body: becomesGet ? undefined : before.body };
}

/** The last part of a URL's path, as a name for a file; none for a folder, `.` and `..`. */
export function fileName({ pathname }: URL): string | undefined {
  let name = pathname.replace(/^.*\//, "");
  try {
    name = decodeURIComponent(name);
  } catch {
    // It stays as it is.
  }
  return name === "" || name === "." || name === ".." || /[/\0]/.test(name) ? undefined : name;
}

/** Bytes by pieces to standard output for none or `-`, or to a file that is made when the first byte comes. */
export class Sink {
  written = 0;
  private made = false;
  constructor(private readonly call: FunctionCall, private readonly name: string | undefined, private readonly append = false) {}
  async write(piece: Uint8Array): Promise<void> {
    this.written += piece.length;
    if (this.name === undefined || this.name === "-") return this.call.output(1, piece);
    this.call.write(this.name, piece, this.append || this.made);
    this.made = true;
  }
  /** Makes the file where nothing came. */
  async finish(): Promise<void> {
    if (!this.made && this.name !== undefined && this.name !== "-") await this.write(new Uint8Array());
  }
}

/** A file, or standard input for `-`. */
export async function readFile(call: FunctionCall, name: string, most: number): Promise<Uint8Array> {
  return name === "-" ? call.input(most) : call.read(name);
}

export { concat };
