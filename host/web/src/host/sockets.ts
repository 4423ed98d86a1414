// `wasi:sockets` over the loopback of the sandbox. An address beyond it is `access-denied`, a name that is neither
// `localhost` nor the sandbox's own `name-unresolvable`.

import type { Imports } from "../component.js";
import { Errno, errno, StreamFailure } from "../errno.js";
import type { Guest } from "../kernel.js";
import {
  any, BACKLOG, Claim, Connection, isAny, isLoopback, isSame, isV6, LARGEST, Listener, Mailbox, resolve, type Address, type Loopback,
} from "../loopback.js";
import { ObjectInput, ObjectOutput, Pollable } from "./streams.js";

/** `ip-socket-address`. */
type SocketAddress = { tag: "ipv4" | "ipv6"; val: { port: number; address: number[] } };
type Family = "ipv4" | "ipv6";

/** Datagrams that one call takes or gives at most, and bytes that one call gives. */
const AT_ONCE = 64;
const READ_BYTES = 64 << 10;
const SECOND = 1_000_000_000n;

/** The address, where it is of the socket's family; IPv4 within IPv6 is none, as WASI has it. */
function checked(family: Family, { tag, val }: SocketAddress): Address {
  const mapped = val.address.length === 8 && val.address[5] === 0xffff && val.address.slice(0, 5).every((part) => part === 0);
  if (tag !== family || mapped) throw errno("invalid-argument");
  return { ip: val.address, port: val.port };
}

const told = (address: Address): SocketAddress =>
  isV6(address)
    ? { tag: "ipv6", val: { port: address.port, flowInfo: 0, address: address.ip, scopeId: 0 } as SocketAddress["val"] }
    : { tag: "ipv4", val: { port: address.port, address: address.ip } };

/** WASI refuses 0 for all numbers that a socket can be told. */
function positive<T extends number | bigint>(value: T): T {
  if (value === 0 || value === 0n) throw errno("invalid-argument");
  return value;
}

/** Counts one more open socket of the process. */
function open(guest: Guest): void {
  if (guest.sockets >= guest.kernel.limits.openFiles) throw errno("new-socket-limit");
  guest.sockets += 1;
}

/** A write to a connection whose other end is closed fails, and ends nobody. */
class SocketOutput extends ObjectOutput {
  protected override put(bytes: Uint8Array): number | undefined {
    try {
      return super.put(bytes);
    } catch (thrown) {
      throw thrown instanceof Errno && thrown.code === "broken-pipe" ? new StreamFailure("closed") : thrown;
    }
  }
}

type State =
  | { is: "unbound" }
  | { is: "closed" }
  | { is: "binding"; claim: Claim }
  | { is: "bound"; claim: Claim }
  | { is: "connecting"; claim: Claim; to: Address; done: Connection | Errno | undefined }
  | { is: "connected"; connection: Connection }
  | { is: "starting"; claim: Claim; listener: Listener }
  | { is: "listening"; claim: Claim; listener: Listener };

/** What means nothing within one machine, kept for whoever asks. */
const OPTIONS = {
  "keep-alive-enabled": false as boolean | number | bigint,
  "keep-alive-idle-time": 7200n * SECOND,
  "keep-alive-interval": 75n * SECOND,
  "keep-alive-count": 9,
  "hop-limit": 64,
  "unicast-hop-limit": 64,
  "receive-buffer-size": 65536n,
  "send-buffer-size": 65536n,
};
type Options = Record<keyof typeof OPTIONS, boolean | number | bigint>;

/** `tcp-socket`. */
class TcpSocket {
  state: State = { is: "unbound" };
  options: Options = { ...OPTIONS };
  backlog = BACKLOG;
  constructor(readonly guest: Guest, readonly family: Family) {
    open(guest);
  }
  get loopback(): Loopback {
    return this.guest.kernel.loopback;
  }
  /** Takes the state for a change of it; what is none of `from` refuses. */
  in<K extends State["is"]>(from: K, code: string): Extract<State, { is: K }> {
    if (this.state.is !== from) throw errno(code);
    return this.state as Extract<State, { is: K }>;
  }
  idle(): void {
    if (["binding", "connecting", "starting"].includes(this.state.is)) throw errno("concurrency-conflict");
  }
  isReady(): boolean {
    if (this.state.is === "connecting") return this.state.done !== undefined || this.loopback.hasRoom(this.state.to);
    return this.state.is !== "listening" || this.state.listener.waiting.length > 0;
  }
  local(): Address {
    if (this.state.is === "connected") return this.state.connection.local;
    if (!("claim" in this.state) || this.state.is === "binding") throw errno("invalid-state");
    return this.state.claim.address;
  }
  streams(connection: Connection): [ObjectInput, ObjectOutput] {
    return [new ObjectInput(this.guest, connection), new SocketOutput(this.guest, connection)];
  }
  drop(): void {
    const { state } = this;
    this.state = { is: "closed" };
    this.guest.sockets -= 1;
    if ("listener" in state) state.listener.close();
    if (state.is === "connected") state.connection.release();
    else if (state.is === "connecting" && state.done instanceof Connection) state.done.release();
    else if ("claim" in state) state.claim.release();
  }
}

/** Begins to connect; a listener with too many who wait is asked again. */
function attempt(socket: TcpSocket, claim: Claim, to: Address): Connection | Errno | undefined {
  try {
    return socket.loopback.connect(claim, to)?.retain();
  } catch (thrown) {
    if (thrown instanceof Errno) return thrown;
    throw thrown;
  }
}

const TCP: Imports<Guest> = {
  "start-bind": (_, socket: TcpSocket, _network, given: SocketAddress) => {
    socket.idle();
    const address = checked(socket.family, given);
    socket.in("unbound", "invalid-state");
    socket.state = { is: "binding", claim: socket.loopback.claim("tcp", address) };
  },
  "finish-bind": (_, socket: TcpSocket) => {
    socket.state = { is: "bound", claim: socket.in("binding", "not-in-progress").claim };
  },
  "start-connect": (_, socket: TcpSocket, _network, given: SocketAddress) => {
    socket.idle();
    const to = checked(socket.family, given);
    if (to.port === 0) throw errno("invalid-argument");
    let claim: Claim;
    if (socket.state.is === "bound") claim = socket.state.claim;
    else {
      socket.in("unbound", "invalid-state");
      claim = socket.loopback.claim("tcp", { ip: any(isV6(to)), port: 0 });
    }
    socket.state = { is: "connecting", claim, to, done: attempt(socket, claim, to) };
  },
  "finish-connect": (_, socket: TcpSocket) => {
    const { claim, to, done } = socket.in("connecting", "not-in-progress");
    const result = done ?? attempt(socket, claim, to);
    if (result === undefined) throw errno("would-block");
    if (result instanceof Errno) {
      claim.release();
      socket.state = { is: "closed" };
      throw result;
    }
    socket.state = { is: "connected", connection: result };
    return socket.streams(result);
  },
  "start-listen": (_, socket: TcpSocket) => {
    socket.idle();
    const { claim } = socket.in("bound", "invalid-state");
    const listener = new Listener();
    listener.backlog = socket.backlog;
    socket.state = { is: "starting", claim, listener: socket.loopback.open(claim, listener) };
  },
  "finish-listen": (_, socket: TcpSocket) => {
    socket.state = { ...socket.in("starting", "not-in-progress"), is: "listening" };
  },
  accept: (guest, socket: TcpSocket) => {
    const { listener } = socket.in("listening", "invalid-state");
    if (listener.waiting.length === 0) throw errno("would-block");
    const accepted = new TcpSocket(guest, socket.family);
    const connection = listener.waiting.shift()!;
    socket.loopback.wakers.wake();
    accepted.state = { is: "connected", connection };
    accepted.options = { ...socket.options };
    return [accepted, ...accepted.streams(connection)];
  },
  "local-address": (_, socket: TcpSocket) => told(socket.local()),
  "remote-address": (_, socket: TcpSocket) => told(socket.in("connected", "invalid-state").connection.remote),
  "is-listening": (_, socket: TcpSocket) => socket.state.is === "listening",
  "address-family": (_, socket: TcpSocket) => socket.family,
  "set-listen-backlog-size": (_, socket: TcpSocket, value: bigint) => {
    const backlog = Number(positive(value));
    if (socket.state.is === "connected" || socket.state.is === "connecting") throw errno("invalid-state");
    if ("listener" in socket.state) socket.state.listener.backlog = backlog;
    socket.backlog = backlog;
  },
  subscribe: (_, socket: TcpSocket) => new Pollable(() => socket.isReady(), [socket.loopback.wakers]),
  shutdown: (_, socket: TcpSocket, which: "receive" | "send" | "both") => {
    const { connection } = socket.in("connected", "invalid-state");
    if (which !== "send") connection.shut("receive");
    if (which !== "receive") connection.shut("send");
  },
};

/** A port of UDP with what arrives there; streams keep it, too. */
class Port {
  private holders = 1;
  constructor(readonly claim: Claim, readonly mailbox: Mailbox) {}
  retain(): this {
    this.holders += 1;
    return this;
  }
  release(): void {
    if (--this.holders === 0) this.claim.release();
  }
}

/** `udp-socket`. */
class UdpSocket {
  port: Port | undefined;
  bound = false;
  peer: Address | undefined;
  options: Options = { ...OPTIONS, "receive-buffer-size": 212_992n, "send-buffer-size": 212_992n };
  constructor(readonly guest: Guest, readonly family: Family) {
    open(guest);
  }
  ready(): Port {
    if (!this.bound || !this.port) throw errno("invalid-state");
    return this.port;
  }
  drop(): void {
    this.guest.sockets -= 1;
    this.port?.release();
  }
}

/** `incoming-datagram-stream`. */
class Incoming {
  constructor(readonly loopback: Loopback, readonly port: Port) {
    port.retain();
  }
  drop(): void {
    this.port.release();
  }
}

/** `outgoing-datagram-stream`. */
class Outgoing {
  /** How many may be sent before the next question. */
  permitted = 0n;
  constructor(readonly socket: UdpSocket, readonly port: Port, readonly peer: Address | undefined) {
    port.retain();
  }
  drop(): void {
    this.port.release();
  }
  send({ data, remoteAddress }: Datagram): void {
    const given = remoteAddress && checked(this.socket.family, remoteAddress);
    const to = given ?? this.peer;
    const other = this.peer && given && !isSame(this.peer, given);
    if (!to || to.port === 0 || other) throw errno("invalid-argument");
    if (data.length > LARGEST) throw errno("datagram-too-large");
    this.socket.guest.kernel.loopback.send(this.port.claim.address, to, data);
  }
}

interface Datagram {
  data: Uint8Array;
  remoteAddress: SocketAddress | undefined;
}

const UDP: Imports<Guest> = {
  "start-bind": (guest, socket: UdpSocket, _network, given: SocketAddress) => {
    const address = checked(socket.family, given);
    if (socket.port) throw errno(socket.bound ? "invalid-state" : "concurrency-conflict");
    const { loopback } = guest.kernel;
    const claim = loopback.claim("udp", address);
    socket.port = new Port(claim, loopback.open(claim, new Mailbox()));
  },
  "finish-bind": (_, socket: UdpSocket) => {
    if (!socket.port || socket.bound) throw errno("not-in-progress");
    socket.bound = true;
  },
  stream: (guest, socket: UdpSocket, given: SocketAddress | undefined) => {
    const port = socket.ready();
    const peer = given && checked(socket.family, given);
    if (peer && (peer.port === 0 || isAny(peer))) throw errno("invalid-argument");
    if (peer && !isLoopback(peer)) throw errno("access-denied");
    socket.peer = peer;
    port.mailbox.connect(peer);
    return [new Incoming(guest.kernel.loopback, port), new Outgoing(socket, port, peer)];
  },
  "local-address": (_, socket: UdpSocket) => told(socket.ready().claim.address),
  "remote-address": (_, socket: UdpSocket) => {
    if (!socket.peer) throw errno("invalid-state");
    return told(socket.peer);
  },
  "address-family": (_, socket: UdpSocket) => socket.family,
  subscribe: () => new Pollable(() => true, []),
};

/** A getter and a setter for each option of a socket. */
function options(kind: "tcp" | "udp"): Imports<Guest> {
  const all: Imports<Guest> = {};
  for (const name of Object.keys(OPTIONS) as (keyof Options)[]) {
    const full = `wasi:sockets/${kind}#[method]${kind}-socket.`;
    all[`${full}${name}`] = (_, socket: TcpSocket | UdpSocket) => socket.options[name];
    all[`${full}set-${name}`] = (_, socket: TcpSocket | UdpSocket, value: boolean | number | bigint) => {
      socket.options[name] = typeof value === "boolean" ? value : positive(value);
    };
  }
  return all;
}

const methods = (prefix: string, all: Imports<Guest>): Imports<Guest> =>
  Object.fromEntries(Object.entries(all).map(([name, run]) => [`${prefix}${name}`, run]));

/** `resolve-address-stream`. */
class Addresses {
  constructor(private readonly all: number[][]) {}
  next() {
    const ip = this.all.shift();
    return ip && { tag: ip.length === 8 ? "ipv6" : "ipv4", val: ip };
  }
}

export const SOCKETS: Imports<Guest> = {
  "wasi:sockets/network#network-error-code": () => undefined,
  "wasi:sockets/instance-network#instance-network": () => ({}),
  "wasi:sockets/tcp-create-socket#create-tcp-socket": (guest, family: Family) => new TcpSocket(guest, family),
  "wasi:sockets/udp-create-socket#create-udp-socket": (guest, family: Family) => new UdpSocket(guest, family),
  "wasi:sockets/ip-name-lookup#resolve-addresses": (guest, _network, name: string) => {
    const found = resolve(name, guest.kernel.identity.hostname);
    if (found.length === 0) throw errno("name-unresolvable");
    return new Addresses(found);
  },
  "wasi:sockets/ip-name-lookup#[method]resolve-address-stream.resolve-next-address": (_, stream: Addresses) => stream.next(),
  "wasi:sockets/ip-name-lookup#[method]resolve-address-stream.subscribe": () => new Pollable(() => true, []),
  ...options("tcp"),
  ...options("udp"),
  ...methods("wasi:sockets/tcp#[method]tcp-socket.", TCP),
  ...methods("wasi:sockets/udp#[method]udp-socket.", UDP),
  "wasi:sockets/udp#[method]incoming-datagram-stream.receive": (_, stream: Incoming, most: bigint) => {
    const received = [];
    const { mailbox } = stream.port;
    for (let bytes = 0; received.length < Math.min(Number(most), AT_ONCE) && bytes < READ_BYTES; ) {
      const datagram = mailbox.receive();
      if (!datagram) break;
      bytes += datagram.data.length;
      received.push({ data: datagram.data, remoteAddress: told(datagram.from) });
    }
    return received;
  },
  "wasi:sockets/udp#[method]incoming-datagram-stream.subscribe": (_, { port, loopback }: Incoming) =>
    new Pollable(() => !port.mailbox.isEmpty, [loopback.wakers]),
  "wasi:sockets/udp#[method]outgoing-datagram-stream.check-send": (_, stream: Outgoing) => (stream.permitted = BigInt(AT_ONCE)),
  "wasi:sockets/udp#[method]outgoing-datagram-stream.send": (_, stream: Outgoing, datagrams: Datagram[]) => {
    if (BigInt(datagrams.length) > stream.permitted) throw new TypeError("datagrams without a permit");
    stream.permitted -= BigInt(datagrams.length);
    for (const [sent, datagram] of datagrams.entries()) {
      try {
        stream.send(datagram);
      } catch (thrown) {
        // What was sent before is told first; the next call tells the error.
        if (sent > 0) return BigInt(sent);
        throw thrown;
      }
    }
    return BigInt(datagrams.length);
  },
  "wasi:sockets/udp#[method]outgoing-datagram-stream.subscribe": () => new Pollable(() => true, []),
};
