// `wget`: files by URL, without recursion.

import { Errno } from "../errno.js";
import type { FunctionCall } from "../kernel.js";
import { header, type Client, type Request } from "./client.js";
import { headerLines } from "./curl.js";
import { basic, fileName, follow, location, readFile, request, send, Sink } from "./exchange.js";
import { Mistake, parse, table } from "./options.js";
import { LIMITS, NetworkError } from "./policy.js";

const FLAGS = table(`O,output-document= P,directory-prefix= S,server-response T,timeout= U,user-agent= V,version body-data=
  body-file= content-on-error h,help header= i,input-file= max-redirect= method= nc,no-clobber nv,no-verbose password= post-data=
  post-file= progress= q,quiet show-progress spider t,tries= user= v,verbose`);

/** GNU's statuses. */
const GENERIC = 1;
const PARSE = 2;
const IO = 3;
const NETWORK = 4;
const SERVER = 8;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

class Failed {
  constructor(readonly status: number, readonly text: string) {}
}

/** Runs one call. */
export async function wget(client: Client, call: FunctionCall): Promise<number> {
  const say = (text: string) => call.output(2, encoder.encode(text));
  const options = new Map<string, string>();
  const urls: string[] = [];
  const headers: string[] = [];
  try {
    for (const item of parse(FLAGS, call.arguments.slice(1).map((word) => decoder.decode(word)))) {
      if ("operand" in item) urls.push(item.operand);
      else if (item.option === "header") headers.push(item.value);
      else options.set(item.option, item.value);
    }
  } catch (mistake) {
    if (!(mistake instanceof Mistake)) throw mistake;
    const text = mistake.isUnknown ? `unrecognized or unsupported option '${mistake.option}'` : `option '${mistake.option}' requires an argument`;
    await say(`wget: ${text}\nTry \`wget --help' for more options.\n`);
    return PARSE;
  }
  if (options.has("help") || options.has("version")) {
    const names = FLAGS.map(([short, long, value]) => `  ${short ? `-${short}, ` : "    "}--${long}${value ? "=VALUE" : ""}\n`);
    const help = `Usage: wget [OPTION]... [URL]...\n${names.join("")}`;
    await call.output(1, encoder.encode(options.has("help") ? help : "GNU Wget 1.21.3 (offshoot 0.1.0)\n"));
    return 0;
  }
  let status = 0;
  try {
    const list = options.get("input-file");
    if (list !== undefined) urls.push(...decoder.decode(await read(call, list)).split("\n").map((url) => url.trim()).filter((url) => url !== ""));
    if (urls.length === 0) throw new Failed(GENERIC, "missing URL");
    const body = await bodyOf(call, options);
    for (const url of urls) status = (await new Download(client, call, options, headers, body, url).run()) || status;
  } catch (failed) {
    if (!(failed instanceof Failed)) throw failed;
    await say(`wget: ${failed.text}\n`);
    status = failed.status;
  }
  return status;
}

async function read(call: FunctionCall, name: string): Promise<Uint8Array> {
  try {
    return await readFile(call, name, LIMITS.request);
  } catch (thrown) {
    throw new Failed(IO, `${name}: ${thrown instanceof Errno ? thrown.code : thrown}`);
  }
}

async function bodyOf(call: FunctionCall, options: Map<string, string>): Promise<Uint8Array | undefined> {
  const text = options.get("post-data") ?? options.get("body-data");
  const file = options.get("post-file") ?? options.get("body-file");
  return file !== undefined ? read(call, file) : text === undefined ? undefined : encoder.encode(text);
}

/** One URL of a call. */
class Download {
  constructor(
    private readonly client: Client,
    private readonly call: FunctionCall,
    private readonly options: Map<string, string>,
    private readonly headers: string[],
    private readonly body: Uint8Array | undefined,
    private readonly text: string,
  ) {}

  async run(): Promise<number> {
    try {
      await this.download();
      return 0;
    } catch (thrown) {
      const failed = this.failure(thrown);
      if (!this.options.has("quiet")) await this.say(`${failed.text}\n`);
      return failed.status;
    }
  }

  private failure(thrown: unknown): Failed {
    if (thrown instanceof Failed) return thrown;
    if (thrown instanceof Errno) return new Failed(IO, `wget: ${thrown.code}`);
    if (!(thrown instanceof NetworkError)) throw thrown;
    if (thrown.kind === "closed") return new Failed(NETWORK, `wget: (${NETWORK}) ${thrown.message}`);
    return new Failed(thrown.kind === "invalid" ? GENERIC : NETWORK, `wget: ${thrown.message}`);
  }

  private say(text: string): Promise<void> {
    return this.call.output(2, encoder.encode(text));
  }
  private async tell(text: string): Promise<void> {
    if (!this.options.has("quiet") && !this.options.has("no-verbose")) await this.say(text);
  }

  private async download(): Promise<void> {
    let asked = this.request();
    const name = this.name(asked.url);
    const document = this.options.get("output-document");
    if (document === undefined && this.options.has("no-clobber") && this.call.exists(name)) {
      return this.tell(`File '${name}' already there; not retrieving.\n`);
    }
    const most = Number(this.options.get("max-redirect") ?? 20);
    for (let redirects = 0; ; redirects++) {
      await this.tell(`${asked.method} ${asked.url.href}\n`);
      const answer = await send(this.client, this.call, asked);
      await this.tell(`${answer.status} ${answer.reason}\n`);
      if (this.options.has("server-response")) await this.say(decoder.decode(headerLines(answer)).trim().replace(/^/gm, "  ") + "\n");
      const to = location(asked, answer);
      if (to) {
        if (redirects >= most) throw new Failed(SERVER, `${most} redirections exceeded.`);
        asked = follow(asked, answer.status, to, this.options.has("method"));
        continue;
      }
      const fails = answer.status >= 400;
      const refusal = new Failed(SERVER, `ERROR ${answer.status}: ${answer.reason}.`);
      if (fails && !this.options.has("content-on-error")) throw refusal;
      if (this.options.has("spider")) return;
      const sink = new Sink(this.call, document ?? name);
      for await (const piece of answer.pieces) await sink.write(piece);
      await sink.finish();
      if (fails) throw refusal;
      const length = header(answer, "content-length") ?? sink.written;
      if (!this.options.has("quiet")) await this.say(`${asked.url.href} -> "${document ?? name}" [${length}]\n`);
      return;
    }
  }

  private request(): Request {
    const { options } = this;
    const usual = options.has("spider") ? "HEAD" : options.has("post-data") || options.has("post-file") ? "POST" : "GET";
    const asked = request(options.get("method") ?? usual, this.text);
    asked.body = this.body;
    asked.headers.set("user-agent", options.get("user-agent") ?? "Wget/1.21.3").set("accept", "*/*");
    if (this.body) asked.headers.set("content-type", "application/x-www-form-urlencoded");
    const user = options.get("user");
    if (user !== undefined) asked.headers.set("authorization", basic(`${user}:${options.get("password") ?? ""}`));
    for (const line of this.headers) {
      const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(line) ?? [];
      if (name === undefined) throw new Failed(GENERIC, `--header: Invalid header '${line}'.`);
      asked.headers.set(name.toLowerCase(), value!);
    }
    return asked;
  }

  private name(url: URL): string {
    const query = url.search ? `?${url.search.slice(1).replaceAll("/", "%2F")}` : "";
    const name = (fileName(url) ?? "index.html") + query;
    const prefix = this.options.get("directory-prefix");
    return prefix === undefined ? name : `${prefix.replace(/\/+$/, "")}/${name}`;
  }
}
