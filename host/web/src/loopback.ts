// The network of one sandbox: TCP and UDP between its processes, in memory. Nothing leads beyond it.

import { errno } from "./errno.js";
import { OpenObject, Pipe, PipeReader, PipeWriter } from "./object.js";
import { Wakers } from "./signal.js";

/** Ports that are given out to whoever names none, as on Linux. */
const FIRST = 32768;
const LAST = 60999;
/** Connections that may wait to be accepted, whatever a listener asks for. */
export const BACKLOG = 128;
/** Bytes that wait at one port of UDP at most, and what a datagram takes beside its content. */
const MAILBOX = 208 << 10;
const OVERHEAD = 64;
/** Bytes of the largest datagram, as of UDP over IPv4. */
export const LARGEST = 65507;

export type Protocol = "tcp" | "udp";

/** An address of IPv4 (four numbers) or IPv6 (eight), with a port. */
export interface Address {
  ip: number[];
  port: number;
}

export const isV6 = ({ ip }: Address): boolean => ip.length === 8;
export const isAny = ({ ip }: Address): boolean => ip.every((part) => part === 0);
export const isLoopback = ({ ip }: Address): boolean =>
  ip.length === 4 ? ip[0] === 127 : ip.every((part, n) => part === (n === 7 ? 1 : 0));
const local = (v6: boolean): number[] => (v6 ? [0, 0, 0, 0, 0, 0, 0, 1] : [127, 0, 0, 1]);
export const any = (v6: boolean): number[] => new Array<number>(v6 ? 8 : 4).fill(0);
export const isSame = (one: Address, other: Address): boolean =>
  one.port === other.port && one.ip.join() === other.ip.join();

/** The addresses of a name or of an address as text; none where nobody has that name. */
export function resolve(name: string, hostname: string): number[][] {
  const literal = name.replace(/^\[|\]$/g, "");
  const four = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(literal);
  if (four) {
    const ip = four.slice(1).map(Number);
    return ip.every((part) => part < 256) ? [ip] : [];
  }
  if (literal.includes(":")) return six(literal);
  const known = name.replace(/\.$/, "").toLowerCase();
  const here = known === "localhost" || known.endsWith(".localhost") || known === hostname.toLowerCase();
  return here ? [local(false), local(true)] : [];
}

function six(text: string): number[][] {
  const [head, tail, more] = text.split("::");
  const parts = (part: string | undefined) => (part ? part.split(":") : []);
  const [before, after] = [parts(head), parts(tail)];
  const missing = 8 - before.length - after.length;
  const all = tail === undefined ? before : [...before, ...new Array<string>(Math.max(0, missing)).fill("0"), ...after];
  const valid = more === undefined && all.length === 8 && all.every((part) => /^[\da-f]{1,4}$/i.test(part));
  return valid ? [all.map((part) => parseInt(part, 16))] : [];
}

/** Where something that is sent to `to` arrives: as on Linux, "any address" is the own one. */
function reached(to: Address): Address {
  if (isAny(to)) return { ip: local(isV6(to)), port: to.port };
  if (!isLoopback(to)) throw errno("access-denied");
  return to;
}

/** The address that the other side sees. */
const source = (from: Address, to: Address): Address => (isAny(from) ? { ip: local(isV6(to)), port: from.port } : from);

interface Bound {
  claim: Claim;
  open: Listener | Mailbox | undefined;
}

/** An address that somebody has, until it is released. */
export class Claim {
  constructor(private readonly loopback: Loopback, readonly protocol: Protocol, readonly address: Address) {}
  release(): void {
    this.loopback.give(this);
  }
}

/** A socket as `/proc/net` shows it. */
export interface SocketInfo {
  protocol: Protocol;
  local: Address;
  remote: Address | undefined;
  number: bigint;
}

export class Loopback {
  private readonly bound = new Map<string, Bound[]>();
  private readonly connections = new Set<Connection>();
  private ephemeral = FIRST - 1;
  /** Woken when somebody connects, listens, accepts or sends a datagram. */
  readonly wakers = new Wakers();

  private key(protocol: Protocol, address: Address): string {
    return `${protocol}${isV6(address) ? 6 : 4}:${address.port}`;
  }

  /** Takes an address; port 0 takes a free one. */
  claim(protocol: Protocol, wanted: Address): Claim {
    if (!isAny(wanted) && !isLoopback(wanted)) throw errno("address-not-bindable");
    const address = wanted.port === 0 ? { ip: wanted.ip, port: this.free(protocol, wanted) } : wanted;
    const key = this.key(protocol, address);
    const others = this.bound.get(key) ?? [];
    const taken = others.some(({ claim }) => isAny(wanted) || isAny(claim.address) || isSame(claim.address, address));
    if (taken) throw errno("address-in-use");
    const claim = new Claim(this, protocol, address);
    this.bound.set(key, [...others, { claim, open: undefined }]);
    return claim;
  }

  /** A port that nobody has, taken in turn so that none is used again soon. */
  private free(protocol: Protocol, { ip }: Address): number {
    for (let tries = FIRST; tries <= LAST; tries++) {
      this.ephemeral = this.ephemeral < LAST ? this.ephemeral + 1 : FIRST;
      if (!this.bound.has(this.key(protocol, { ip, port: this.ephemeral }))) return this.ephemeral;
    }
    throw errno("address-in-use");
  }

  give(claim: Claim): void {
    const key = this.key(claim.protocol, claim.address);
    const left = (this.bound.get(key) ?? []).filter((one) => one.claim !== claim);
    if (left.length > 0) this.bound.set(key, left);
    else this.bound.delete(key);
    this.wakers.wake();
  }

  /** Lets others reach a claimed address. */
  open<T extends Listener | Mailbox>(claim: Claim, open: T): T {
    const bound = this.bound.get(this.key(claim.protocol, claim.address))?.find((one) => one.claim === claim);
    if (bound) bound.open = open;
    this.wakers.wake();
    return open;
  }

  private find(protocol: Protocol, to: Address): Bound["open"] {
    const fits = ({ claim }: Bound) => isAny(claim.address) || isSame(claim.address, to);
    return this.bound.get(this.key(protocol, to))?.find(fits)?.open;
  }

  /** Whether a connection could be made or refused now. */
  hasRoom(to: Address): boolean {
    const found = this.find("tcp", isAny(to) ? reached(to) : to);
    return !(found instanceof Listener) || found.hasRoom;
  }

  /** Connects with whoever listens at `to`: the near end, which keeps the claim; none where too many wait already. */
  connect(from: Claim, to: Address): Connection | undefined {
    to = reached(to);
    const listener = this.find("tcp", to);
    if (!(listener instanceof Listener)) throw errno("connection-refused");
    if (!listener.hasRoom) return undefined;
    const wakers = new Wakers();
    const [there, back] = [new Pipe(wakers), new Pipe(wakers)];
    const address = source(from.address, to);
    const near = new Connection(this, address, to, back, there, wakers, from);
    const far = new Connection(this, to, address, there, back, wakers);
    this.connections.add(near).add(far);
    listener.waiting.push(far.retain());
    this.wakers.wake();
    return near;
  }

  /** Connects with the first address at which somebody listens, from a port of its own. */
  reach(addresses: Address[]): Connection {
    let refusal: unknown = errno("connection-refused");
    for (const to of addresses) {
      const claim = this.claim("tcp", { ip: any(isV6(to)), port: 0 });
      try {
        const connection = this.connect(claim, to);
        if (connection) return connection;
      } catch (thrown) {
        refusal = thrown;
      }
      claim.release();
    }
    throw refusal;
  }

  /** Sends a datagram; nobody hears whether it arrived. */
  send(from: Address, to: Address, data: Uint8Array): void {
    to = reached(to);
    const mailbox = this.find("udp", to);
    if (mailbox instanceof Mailbox) mailbox.post(source(from, to), data);
    this.wakers.wake();
  }

  /** The end of a connection that has these ports. */
  connection(near: number, far: number): Connection | undefined {
    for (const one of this.connections) if (one.local.port === near && one.remote.port === far) return one;
    return undefined;
  }

  forget(connection: Connection): void {
    this.connections.delete(connection);
  }

  /** All sockets that have an address, in the order of their ports. */
  sockets(): SocketInfo[] {
    const open = [...this.bound.values()].flat().filter(({ open }) => open !== undefined);
    const bound = open.map(({ claim: { protocol, address } }) => ({ protocol, local: address, remote: undefined, number: 0n }));
    bound.sort((one, other) => one.local.port - other.local.port);
    const connected = [...this.connections].map(({ local, remote, inode }): SocketInfo => ({ protocol: "tcp", local, remote, number: inode }));
    return [...bound, ...connected];
  }
}

/** Those who want to be connected with whoever listens. */
export class Listener {
  readonly waiting: Connection[] = [];
  private most = BACKLOG;
  set backlog(most: number) {
    this.most = Math.max(1, Math.min(BACKLOG, most));
  }
  get hasRoom(): boolean {
    return this.waiting.length < this.most;
  }
  /** Nobody accepts any more. */
  close(): void {
    for (const connection of this.waiting.splice(0)) connection.release();
  }
}

/** One end of a connection. When nobody has it open any more, both directions end. */
export class Connection extends OpenObject {
  private reader: PipeReader | undefined;
  private writer: PipeWriter | undefined;

  constructor(
    private readonly loopback: Loopback,
    readonly local: Address,
    readonly remote: Address,
    incoming: Pipe,
    outgoing: Pipe,
    wakers: Wakers,
    /** The near port, taken as long as the connection is. */
    private readonly claim?: Claim,
  ) {
    super(wakers);
    this.reader = new PipeReader(incoming).retain();
    this.writer = new PipeWriter(outgoing).retain();
  }
  get inode(): bigint {
    return this.number;
  }
  protected override close(): void {
    this.shut("receive");
    this.shut("send");
    this.claim?.release();
    this.loopback.forget(this);
  }
  /** Ends one direction; the other side sees the end, or that nobody receives. */
  shut(direction: "receive" | "send"): void {
    const end = direction === "send" ? "writer" : "reader";
    this[end]?.release();
    this[end] = undefined;
  }
  override read(most: number): Uint8Array | undefined {
    return this.reader ? this.reader.read(most) : new Uint8Array();
  }
  override write(bytes: Uint8Array): number | undefined {
    if (!this.writer) throw errno("broken-pipe");
    return this.writer.write(bytes);
  }
  override isReadable(): boolean {
    return this.reader?.isReadable() ?? true;
  }
  override isWritable(): boolean {
    return this.writer?.isWritable() ?? true;
  }
}

/** The datagrams that wait at one port. What finds no room is lost, as on any network. */
export class Mailbox {
  private arrived: { from: Address; data: Uint8Array }[] = [];
  private bytes = 0;
  private peer: Address | undefined;

  /** Takes datagrams from `peer` alone, and forgets those that others sent. */
  connect(peer: Address | undefined): void {
    this.peer = peer;
    if (!peer) return;
    this.arrived = this.arrived.filter(({ from }) => isSame(from, peer));
    this.bytes = this.arrived.reduce((sum, { data }) => sum + data.length + OVERHEAD, 0);
  }
  post(from: Address, data: Uint8Array): void {
    const size = data.length + OVERHEAD;
    if ((this.peer && !isSame(this.peer, from)) || this.bytes + size > MAILBOX) return;
    this.arrived.push({ from, data });
    this.bytes += size;
  }
  receive(): { from: Address; data: Uint8Array } | undefined {
    const next = this.arrived.shift();
    if (next) this.bytes -= next.data.length + OVERHEAD;
    return next;
  }
  get isEmpty(): boolean {
    return this.arrived.length === 0;
  }
}
