// `offshoot:sandbox/process`: processes, pipes and signals.

import type { Imports } from "../component.js";
import { errno, type End } from "../errno.js";
import type { Guest } from "../kernel.js";
import { Descriptors, pipe } from "../object.js";
import { LAST_SIGNAL, type Entry } from "../process.js";
import { after } from "./streams.js";

interface SpawnOptions {
  path: Uint8Array;
  arguments: Uint8Array[];
  environment: [Uint8Array, Uint8Array][];
  directory: Uint8Array;
  umask: number;
  descriptors: [number, number][];
  task: number | undefined;
}

interface Task {
  pid: number;
  parent: number;
  arguments: Uint8Array[];
  directory: Uint8Array;
}

function child(guest: Guest, pid: number): Entry {
  const entry = guest.kernel.table.get(pid);
  if (!entry || entry.parent !== guest.entry.pid) throw errno("child");
  return entry;
}

/** How a child ended, after which it is forgotten. */
function reap(guest: Guest, entry: Entry) {
  if (entry.end === undefined) return undefined;
  guest.kernel.table.reap(entry);
  return status(entry.end);
}

function status(end: End) {
  switch (end.kind) {
    case "exited":
      return { tag: "exited", val: end.status };
    case "signalled":
      return { tag: "signalled", val: end.signal };
    default:
      return { tag: "signalled", val: end.kind === "limit" ? 9 : 6 };
  }
}

/** The table of a child: nothing but what it is given. */
function inherited(guest: Guest, given: [number, number][]): Descriptors {
  const descriptors = new Descriptors(guest.kernel.limits.openFiles);
  for (const [number, own] of given) descriptors.put(number, guest.descriptors.get(own));
  return descriptors;
}

export const PROCESSES: Imports<Guest> = {
  "offshoot:sandbox/process#connection": (guest, local: number, remote: number) => {
    const found = guest.kernel.loopback.connection(local, remote);
    if (!found) throw errno("no-device");
    return guest.descriptors.insert(found);
  },
  "offshoot:sandbox/process#opened": (guest, inode: bigint, offset: bigint) => {
    const object = guest.rememberedFile(inode);
    if (!object) throw errno("bad-descriptor");
    if (object.canSeek) object.seek(offset, "start");
    return guest.descriptors.insert(object);
  },
  "offshoot:sandbox/process#identify": (guest) => ({
    pid: guest.entry.pid,
    parent: guest.entry.parent,
    ...guest.kernel.identity,
  }),
  "offshoot:sandbox/process#get-umask": (guest) => guest.startup.umask,
  "offshoot:sandbox/process#set-umask": (guest, mask: number) => {
    guest.startup.umask = mask & 0o777;
  },
  "offshoot:sandbox/process#pipe": (guest) => {
    const [reader, writer] = pipe();
    const read = guest.descriptors.insert(reader);
    try {
      return { reader: read, writer: guest.descriptors.insert(writer) };
    } catch (thrown) {
      guest.descriptors.close(read);
      throw thrown;
    }
  },
  "offshoot:sandbox/process#spawn": (guest, options: SpawnOptions) => {
    const descriptors = inherited(guest, options.descriptors);
    const { path, task, umask, ...startup } = options;
    const { group, pid } = guest.entry;
    try {
      return guest.kernel.spawn(group, pid, path, { ...startup, umask: umask & 0o777 }, descriptors, task).pid;
    } catch (thrown) {
      descriptors.closeAll();
      throw thrown;
    }
  },
  "offshoot:sandbox/process#try-wait": (guest, pid: number) => reap(guest, child(guest, pid)),
  "offshoot:sandbox/process#wait": (guest, pid: number) => {
    const entry = child(guest, pid);
    const waited = guest.wait(() => entry.end !== undefined, [entry.wakers], { child: entry });
    return after(waited, () => {
      const end = reap(guest, entry);
      if (!end) throw errno("child");
      return end;
    });
  },
  "offshoot:sandbox/process#kill": (guest, pid: number, number: number) => {
    if (number > LAST_SIGNAL) throw errno("invalid");
    guest.kernel.table.signal(pid, number);
    guest.entry.check();
  },
  "offshoot:sandbox/process#set-tasks": (guest, tasks: Task[]) => {
    const { entry, kernel } = guest;
    const started = kernel.sources.monotonic();
    entry.tasks = [];
    for (const task of tasks) {
      if (task.pid === entry.pid) entry.directory = task.directory;
      else entry.tasks.push({ ...task, started, arguments: task.arguments.length > 0 ? task.arguments : entry.args });
    }
  },
  "offshoot:sandbox/process#list-processes": (guest) => guest.kernel.table.list(),
};
