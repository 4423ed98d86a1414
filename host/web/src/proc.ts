// `/proc`: what scripts read about the sandbox and its processes, made when it is opened, from the list that `kill` and
// `ps` go by. What nobody counts inside is 0 or not there.

import { errno } from "./errno.js";
import type { Kernel } from "./kernel.js";
import { any, isV6, type Address, type Protocol } from "./loopback.js";
import type { Entry, ProcessInfo } from "./process.js";
import { asBytes, type Source, type SourceStat } from "./source.js";
import type { FileKind } from "./tree.js";

const PAGE = 4096;
/** Nanoseconds of a tick, in which Linux counts. */
const TICK = 10_000_000n;
/** Bytes of a name as Linux shows it. */
const NAME = 15;
const RELEASE = "6.1.0-offshoot";
const BUILD = "#1 SMP Offshoot";
const MOUNTED = "mounts";

const decoder = new TextDecoder();
const text = (bytes: Uint8Array | undefined) => decoder.decode(bytes ?? new Uint8Array());

/** A process, or a task of one. */
interface Seen {
  info: ProcessInfo;
  entry: Entry;
  directory: Uint8Array;
  program: string;
  memory: number;
}

type Content = (seen: Seen, own: boolean) => string;

/** What `/proc` shows of one kernel. */
export class Proc implements Source {
  private readonly began: bigint;
  private readonly bootId: string;
  constructor(private readonly kernel: Kernel) {
    const { seconds, nanoseconds } = kernel.sources.wall();
    this.began = seconds * 1_000_000_000n + BigInt(nanoseconds) - kernel.sources.monotonic();
    this.bootId = this.uuid();
  }

  private readonly files: Record<string, () => string> = {
    cmdline: () => "\n",
    cpuinfo: () => "processor\t: 0\nvendor_id\t: Offshoot\nmodel name\t: WebAssembly\nsiblings\t: 1\ncore id\t\t: 0\ncpu cores\t: 1\n\n",
    filesystems: () => "nodev\ttmpfs\nnodev\tproc\nnodev\toverlay\n",
    loadavg: () => {
      const all = this.kernel.table.list();
      return `0.00 0.00 0.00 1/${all.length} ${all.at(-1)?.pid ?? 0}\n`;
    },
    meminfo: () => this.meminfo(),
    "net/tcp": () => this.sockets("tcp", false),
    "net/tcp6": () => this.sockets("tcp", true),
    "net/udp": () => this.sockets("udp", false),
    "net/udp6": () => this.sockets("udp", true),
    stat: () =>
      `cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\nintr 0\nctxt 0\nbtime ${this.began / 1_000_000_000n}\n` +
      `processes ${this.kernel.table.given}\nprocs_running 1\nprocs_blocked 0\nsoftirq 0\n`,
    swaps: () => "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n",
    "sys/kernel/hostname": () => `${this.kernel.identity.hostname}\n`,
    "sys/kernel/osrelease": () => `${RELEASE}\n`,
    "sys/kernel/ostype": () => "Linux\n",
    "sys/kernel/pid_max": () => "4194304\n",
    "sys/kernel/random/boot_id": () => `${this.bootId}\n`,
    "sys/kernel/random/uuid": () => `${this.uuid()}\n`,
    "sys/kernel/version": () => `${BUILD}\n`,
    uptime: () => {
      const hundredths = this.kernel.sources.monotonic() / TICK;
      return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")} 0.00\n`;
    },
    version: () => `Linux version ${RELEASE} ${BUILD}\n`,
  };

  private readonly ofProcess: Record<string, Content> = {
    cgroup: () => "0::/\n",
    cmdline: ({ info }) => info.arguments.map((one) => `${text(one)}\0`).join(""),
    comm: (seen) => `${this.name(seen)}\n`,
    environ: ({ entry }) => (entry.image?.environment ?? []).map(([name, value]) => `${text(name)}=${text(value)}\0`).join(""),
    limits: () => this.limits(),
    mountinfo: () => this.mounts((at, path, kind, access) => `${at} 1 0:${at} / ${path} ${access} - ${kind} ${kind} ${access}\n`),
    mounts: () => this.mounts((_, path, kind, access) => `${kind} ${path} ${kind} ${access} 0 0\n`),
    stat: (seen, own) => this.statOf(seen, own),
    statm: ({ memory }) => `${memory / PAGE} ${memory / PAGE} 0 0 0 ${memory / PAGE} 0\n`,
    status: (seen, own) => this.status(seen, own),
  };

  private find(pid: number): Seen {
    const { table } = this.kernel;
    const entry = table.get(pid);
    if (entry && entry.end === undefined) return this.seen(entry, entry.info(), entry.directory);
    for (const owner of table.living()) {
      const task = owner.tasks.find((task) => task.pid === pid);
      if (task) return this.seen(owner, task, task.directory ?? owner.directory);
    }
    throw errno("no-entry");
  }

  private seen(entry: Entry, info: ProcessInfo, directory: Uint8Array): Seen {
    const base = text(info.arguments[0]).replace(/^.*\//, "");
    const program = info.arguments !== entry.args && this.kernel.programs.has(base) ? `/usr/bin/${base}` : entry.program;
    return { info, entry, directory, program, memory: entry.image?.memory() ?? 0 };
  }

  private name({ info }: Seen): string {
    return text(info.arguments[0]).replace(/^.*\//, "").slice(0, NAME);
  }

  private parent({ info }: Seen): number {
    return this.kernel.table.list().find(({ pid }) => pid === info.pid)?.parent ?? info.parent;
  }

  /** What a path is: of a process, a link, a directory with its names, or a file. */
  private place(process: number, path: string): { seen?: Seen; kind: FileKind; mode: number; link?: string; names?: string[]; read?: () => string; descriptor?: number } {
    const [first = "", ...rest] = path.split("/");
    if (/^[1-9]\d*$/.test(first)) return this.inProcess(process, this.find(Number(first)), rest.join("/"));
    const link = (target: string) => ({ kind: "symlink" as const, mode: 0o777, link: target });
    if (path === MOUNTED) return link("self/mounts");
    if (process !== 0 && path === "self") return link(String(process));
    if (process !== 0 && path === "thread-self") return link(`${process}/task/${process}`);
    const read = Object.hasOwn(this.files, path) ? this.files[path] : undefined;
    if (read) return { kind: "regular", mode: 0o444, read };
    const inside = Object.keys(this.files).filter((file) => path === "" || file.startsWith(`${path}/`));
    if (inside.length === 0) throw errno("no-entry");
    const names = new Set(inside.map((file) => file.slice(path === "" ? 0 : path.length + 1).split("/", 1)[0]!));
    if (path === "") {
      names.add(MOUNTED);
      if (process !== 0) names.add("self").add("thread-self");
      for (const { pid } of this.kernel.table.list()) names.add(String(pid));
    }
    return { kind: "directory", mode: 0o555, names: [...names] };
  }

  private inProcess(process: number, seen: Seen, path: string): ReturnType<Proc["place"]> {
    const own = seen.info.pid === process;
    // Its only thread is the process once more.
    const thread = /^task\/(\d+)(?:\/(.*))?$/.exec(path);
    if (thread && Number(thread[1]) !== seen.info.pid) throw errno("no-entry");
    const item = thread ? (thread[2] ?? "") : path;
    const file = (read: Content, mode = 0o444) => ({ seen, kind: "regular" as const, mode, read: () => read(seen, own) });
    const link = (target: string) => ({ seen, kind: "symlink" as const, mode: 0o777, link: target });
    const directory = (names: string[], mode = 0o555) => ({ seen, kind: "directory" as const, mode, names });
    const descriptors = seen.entry.handles ? undefined : seen.entry.image?.descriptors();
    const number = /^fd\/(\d+)$/.exec(item)?.[1];
    switch (item) {
      case "": {
        const more = ["cwd", "exe", "root", thread ? "children" : "task", ...(own ? ["fd"] : [])];
        return directory([...Object.keys(this.ofProcess), ...more].sort());
      }
      case "cwd":
        return link(text(seen.directory));
      case "exe":
        return link(seen.program);
      case "root":
        return link("/");
      case "fd":
        if (own) return directory((descriptors ?? [0, 1, 2]).map(String), 0o500);
        break;
      case "task":
        if (!thread) return directory([String(seen.info.pid)]);
        break;
      case "children":
        if (thread) {
          const children = this.kernel.table.list().filter(({ parent }) => parent === seen.info.pid);
          return file(() => children.map(({ pid }) => `${pid} `).join(""));
        }
        break;
      default:
        if (number !== undefined && own && (descriptors?.includes(Number(number)) ?? Number(number) < 1024)) {
          return { seen, kind: "character-device", mode: 0o666, descriptor: Number(number) };
        }
        if (Object.hasOwn(this.ofProcess, item)) return file(this.ofProcess[item]!, item === "environ" ? 0o400 : 0o444);
    }
    throw errno("no-entry");
  }

  stat(process: number, path: string): SourceStat {
    const { seen, kind, mode, descriptor = 0 } = this.place(process, path);
    const at = this.began + (seen ? seen.info.started : 0n);
    const { uid, gid } = seen ? this.kernel.identity : { uid: 0, gid: 0 };
    const modified = { seconds: at / 1_000_000_000n, nanoseconds: Number(at % 1_000_000_000n) };
    return { kind, descriptor, mode, uid, gid, size: 0n, modified };
  }
  list(process: number, path: string): string[] {
    const { names } = this.place(process, path);
    if (!names) throw errno("not-directory");
    return names;
  }
  readLink(process: number, path: string): string {
    const { link } = this.place(process, path);
    if (link === undefined) throw errno("invalid");
    return link;
  }
  read(process: number, path: string): Uint8Array {
    const { read } = this.place(process, path);
    if (!read) throw errno("invalid");
    return asBytes(read());
  }

  private uuid(): string {
    const bytes = this.kernel.sources.bytes(16).slice();
    bytes[6] = (bytes[6]! & 0x0f) | 0x40;
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }

  private meminfo(): string {
    const total = this.kernel.limits.totalMemory / 1024;
    const free = Math.max(0, total - this.kernel.memory() / 1024);
    const rows: [string, number][] = [["MemTotal", total], ["MemFree", free], ["MemAvailable", free]];
    for (const name of ["Buffers", "Cached", "SwapCached", "SwapTotal", "SwapFree", "Shmem", "SReclaimable"]) rows.push([name, 0]);
    return rows.map(([name, amount]) => `${`${name}:`.padEnd(15)} ${String(amount).padStart(8)} kB\n`).join("");
  }

  private state(own: boolean): [string, string] {
    return own ? ["R", "running"] : ["S", "sleeping"];
  }

  private statOf(seen: Seen, own: boolean): string {
    const { pid, started } = seen.info;
    const numbers = `${started / TICK} ${seen.memory} ${seen.memory / PAGE} 18446744073709551615`;
    return `${pid} (${this.name(seen)}) ${this.state(own)[0]} ${this.parent(seen)} ${pid} ${pid} 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 ` +
      `${numbers}${" 0".repeat(12)} 17${" 0".repeat(14)}\n`;
  }

  private status(seen: Seen, own: boolean): string {
    const { uid, gid } = this.kernel.identity;
    const [letter, word] = this.state(own);
    const { pid } = seen.info;
    const size = seen.memory / 1024;
    const head =
      `Name:\t${this.name(seen)}\nState:\t${letter} (${word})\nTgid:\t${pid}\nNgid:\t0\nPid:\t${pid}\nPPid:\t${this.parent(seen)}\n` +
      `TracerPid:\t0\nUid:\t${uid}\t${uid}\t${uid}\t${uid}\nGid:\t${gid}\t${gid}\t${gid}\t${gid}\n` +
      `FDSize:\t${this.kernel.limits.openFiles}\nGroups:\t${gid} \n`;
    const amounts: [string, number][] = [
      ["VmPeak", size], ["VmSize", size], ["VmLck", 0], ["VmPin", 0], ["VmHWM", size], ["VmRSS", size], ["RssAnon", size],
      ["RssFile", 0], ["RssShmem", 0], ["VmData", size], ["VmSwap", 0],
    ];
    const rows = amounts.map(([name, amount]) => `${name}:\t${String(amount).padStart(8)} kB\n`);
    return `${head}${rows.join("")}Threads:\t1\nCpus_allowed:\t1\nCpus_allowed_list:\t0\n`;
  }

  private limits(): string {
    const { processes, openFiles } = this.kernel.limits;
    const rows: [string, number | undefined, string][] = [
      ["cpu time", undefined, "seconds"], ["file size", undefined, "bytes"], ["data size", undefined, "bytes"],
      ["core file size", 0, "bytes"], ["resident set", undefined, "bytes"], ["processes", processes, "processes"],
      ["open files", openFiles, "files"], ["address space", this.kernel.limits.memory, "bytes"],
    ];
    const line = (name: string, soft: string, hard: string, unit: string) =>
      `${name.padEnd(25)} ${soft.padEnd(20)} ${hard.padEnd(20)} ${unit.padEnd(10)}\n`;
    const row = ([name, most, unit]: (typeof rows)[number]) => {
      const shown = most === undefined ? "unlimited" : String(most);
      return line(`Max ${name}`, shown, shown, unit);
    };
    return line("Limit", "Soft Limit", "Hard Limit", "Units") + rows.map(row).join("");
  }

  private mounts(line: (at: number, path: string, kind: string, access: string) => string): string {
    const own = this.kernel.mounts.map(({ path, mode }) => [path, "overlay", mode === "cow" ? "rw" : "ro"]);
    const all = [["/", "tmpfs", "rw"], ["/proc", "proc", "ro"], ...own];
    const escaped = (path: string) => path.replace(/[ \t\n\\]/g, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, "0")}`);
    return all.map(([path, kind, access], n) => line(n + 1, escaped(path!), kind!, access!)).join("");
  }

  private sockets(protocol: Protocol, v6: boolean): string {
    const [local, remote] = v6
      ? ["local_address                        ", "remote_address                       "]
      : ["local_address", "rem_address  "];
    const head = `  sl  ${local} ${remote} st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n`;
    const wanted = this.kernel.loopback.sockets().filter((one) => one.protocol === protocol && isV6(one.local) === v6);
    const rows = wanted.map((socket, n) => {
      const state = protocol === "udp" ? "07" : socket.remote ? "01" : "0A";
      const [near, far] = [hex(socket.local), hex(socket.remote ?? { ip: any(v6), port: 0 })];
      const user = String(this.kernel.identity.uid).padStart(5);
      return `${String(n).padStart(4)}: ${near} ${far} ${state} 00000000:00000000 00:00000000 00000000 ${user}        0 0\n`;
    });
    return head + rows.join("");
  }
}

/** An address as Linux writes it: words in the order of the machine. */
function hex({ ip, port }: Address): string {
  const octets = ip.length === 4 ? ip : ip.flatMap((part) => [part >> 8, part & 255]);
  const two = (byte: number) => byte.toString(16).toUpperCase().padStart(2, "0");
  let all = "";
  for (let at = 0; at < octets.length; at += 4) all += octets.slice(at, at + 4).reverse().map(two).join("");
  return `${all}:${port.toString(16).toUpperCase().padStart(4, "0")}`;
}
