// What a sandbox may ask the network for, as data: the rules of the native runtime.

import { InvalidError } from "../errors.js";
import { resolve } from "../loopback.js";

/** A header that the host adds to requests to an origin; the sandbox never sees its value. */
export interface Secret {
  origin: string;
  header: string;
  value: string;
}

/** Why there is no answer. */
export class NetworkError extends Error {
  constructor(
    readonly kind: "invalid" | "denied" | "timeout" | "too-large" | "broken" | "unreachable" | "refused" | "closed",
    message: string,
  ) {
    super(message);
  }
}

const invalid = (text: string, reason: string) =>
  new InvalidError(`${text}: ${reason}`, { code: "INVALID", operation: "network" });

/** The URL of a request: `http` or `https` with a host and without a name or password. */
export function httpUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new NetworkError("invalid", `${text}: it is no URL`);
  }
  const fault =
    !/^https?:$/.test(url.protocol) ? "only http and https are spoken"
    : url.username || url.password ? "a name and a password don't belong into a URL"
    : url.hostname === "" ? "it names no host"
    : undefined;
  if (fault) throw new NetworkError("invalid", `${url.origin}: ${fault}`);
  return url;
}

const port = (url: URL) => url.port || (url.protocol === "https:" ? "443" : "80");

/** The host where it is an address. */
function literal({ hostname }: URL): number[] | undefined {
  return /^[\d.]+$/.test(hostname) || hostname.startsWith("[") ? resolve(hostname, "")[0] : undefined;
}

/** Whether packets to this address leave for the public internet; the ranges are those of IANA's registries. */
export function isPublic(ip: number[]): boolean {
  if (ip.length === 4) return isPublicV4(ip as [number, number, number, number]);
  const carried = carriedV4(ip);
  if (carried) return isPublicV4(carried);
  const [first, second] = ip as [number, number];
  const special =
    (first === 0x2001 && (second <= 0x1ff || second === 0xdb8)) || (first === 0x3fff && second <= 0xfff);
  return first >= 0x2000 && first < 0x4000 && !special;
}

function isPublicV4([a, b, c]: [number, number, number, number]): boolean {
  return !(
    a === 0 || a === 10 || a === 127 || a >= 224 ||
    (a === 100 && b >= 64 && b <= 127) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 0 && (c === 0 || c === 2)) ||
    (a === 192 && b === 88 && c === 99) ||
    (a === 192 && b === 168) ||
    (a === 198 && (b === 18 || b === 19)) ||
    (a === 198 && b === 51 && c === 100) ||
    (a === 203 && b === 0 && c === 113)
  );
}

/** The IPv4 address within one of IPv6: mapped, compatible, NAT64, 6to4. */
function carriedV4(ip: number[]): [number, number, number, number] | undefined {
  const of = (high: number, low: number): [number, number, number, number] => [high >> 8, high & 255, low >> 8, low & 255];
  const starts = (...parts: number[]) => parts.every((part, n) => ip[n] === part);
  if (starts(0, 0, 0, 0, 0, 0) || starts(0, 0, 0, 0, 0, 0xffff) || starts(0, 0, 0, 0, 0xffff, 0)) return of(ip[6]!, ip[7]!);
  if (starts(0x64, 0xff9b, 0, 0, 0, 0)) return of(ip[6]!, ip[7]!);
  return ip[0] === 0x2002 ? of(ip[1]!, ip[2]!) : undefined;
}

/** Scheme, hosts, port and a path prefix: `https://*.example.com:8443/v1/`. */
class Pattern {
  private readonly url: URL;
  /** What stands in front of the host: any name, or any label. */
  private readonly hosts: "any" | "below" | "exactly";
  constructor(text: string) {
    const star = /^(https?:\/\/)\*(\.[^*/]*)?((?::\d+)?(?:\/.*)?)$/i.exec(text);
    if (!star && text.includes("*")) throw invalid(text, "a * stands for whole labels in front");
    this.hosts = !star ? "exactly" : star[2] ? "below" : "any";
    try {
      this.url = httpUrl(star ? `${star[1]}${star[2]?.slice(1) ?? "any"}${star[3]}` : text);
    } catch (error) {
      throw invalid(text, (error as Error).message);
    }
    if (this.url.search) throw invalid(text, "a rule has no query");
  }

  matches(url: URL): boolean {
    const { protocol, pathname } = this.url;
    return protocol === url.protocol && port(this.url) === port(url) && this.matchesHost(url) && matchesPath(pathname, url.pathname);
  }

  private matchesHost(url: URL): boolean {
    if (this.hosts === "any") return true;
    if (this.hosts === "exactly") return this.url.hostname === url.hostname;
    return literal(url) === undefined && url.hostname.endsWith(`.${this.url.hostname}`);
  }

  /** Whether it names an address, or this very machine, on purpose. */
  get isInternal(): boolean {
    return this.hosts === "exactly" && (this.url.hostname === "localhost" || literal(this.url) !== undefined);
  }
}

function matchesPath(prefix: string, path: string): boolean {
  if (prefix === "/") return true;
  // A server may decode these before it looks for `..`, which the parser of URLs does not.
  if (/%(2f|5c|2e|00)/i.test(path) || !path.startsWith(prefix)) return false;
  const rest = path.slice(prefix.length);
  return rest === "" || prefix.endsWith("/") || rest.startsWith("/");
}

interface Rule {
  pattern: Pattern;
  methods: string[];
}

/** Reads `[METHOD,…] ORIGIN`. */
function rule(text: string): Rule {
  const [, methods, origin] = /^(?:(.*)\s)?\s*(\S+)$/.exec(text.trim()) ?? [];
  if (!origin) throw invalid(text, "it is no rule");
  const all = methods === undefined ? ["GET", "HEAD"] : methods.split(",").map((one) => one.trim()).filter((one) => one !== "");
  for (const method of all) if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(method)) throw invalid(method, "it is no method");
  return { pattern: new Pattern(origin), methods: all };
}

/** Bytes of a request's body and of an answer's, and milliseconds of an exchange. */
export const LIMITS = { request: 16 << 20, response: 64 << 20, timeMs: 60_000 };

/** What may be asked, and what the host adds. Without rules nothing may. */
export class Policy {
  private readonly rules: Rule[];
  private readonly secrets: { pattern: Pattern; secret: Secret }[];
  constructor(rules: string[], secrets: Secret[]) {
    this.rules = rules.map(rule);
    if (secrets.length > 0 && rules.length === 0) throw invalid("secrets", "without a network policy they would never be sent");
    this.secrets = secrets.map((secret) => {
      try {
        new Headers([[secret.header, secret.value]]);
      } catch {
        throw invalid(secret.header, "it cannot be a header with this value");
      }
      if (secret.value === "") throw invalid(secret.header, "its value cannot be in a header");
      return { pattern: new Pattern(secret.origin), secret };
    });
  }

  get isClosed(): boolean {
    return this.rules.length === 0;
  }

  /**
   * Throws where no rule allows the request. What a name resolves to nobody can see here, so a name that leads into the
   * host's own networks is not noticed.
   */
  check(method: string, url: URL): void {
    const address = literal(url);
    const internal = url.hostname === "localhost" || (address !== undefined && !isPublic(address));
    const allows = ({ pattern, methods }: Rule) =>
      pattern.matches(url) && methods.includes(method) && (pattern.isInternal || !internal);
    if (!this.rules.some(allows)) throw new NetworkError("denied", `the network policy refuses ${method} ${url.origin}`);
  }

  secretsFor(url: URL): Secret[] {
    return this.secrets.filter(({ pattern }) => pattern.matches(url)).map(({ secret }) => secret);
  }
}
