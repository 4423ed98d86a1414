// `wasi:cli`: arguments, environment, exit, standard streams and terminals.

import type { Imports } from "../component.js";
import { Ended, exited } from "../errno.js";
import type { Guest } from "../kernel.js";
import { Closed } from "../object.js";
import { textOf } from "../text.js";
import { ObjectInput, ObjectOutput } from "./streams.js";

const object = (guest: Guest, number: number) => guest.descriptor(number) ?? new Closed();
const terminal = (guest: Guest, number: number) => (guest.descriptor(number)?.terminal ? {} : undefined);

export const CLI: Imports<Guest> = {
  "wasi:cli/environment#get-environment": (guest) =>
    guest.startup.environment.map(([name, value]) => [textOf(name), textOf(value)]),
  "wasi:cli/environment#get-arguments": (guest) => guest.startup.arguments.map(textOf),
  "wasi:cli/environment#initial-cwd": (guest) => {
    guest.knowsDirectory = true;
    return textOf(guest.startup.directory);
  },
  "wasi:cli/exit#exit": (_, status: { ok: boolean }) => {
    throw new Ended(exited(status.ok ? 0 : 1));
  },
  "wasi:cli/exit#exit-with-code": (_, status: number) => {
    throw new Ended(exited(status));
  },
  "wasi:cli/stdin#get-stdin": (guest) => new ObjectInput(guest, object(guest, 0)),
  "wasi:cli/stdout#get-stdout": (guest) => new ObjectOutput(guest, object(guest, 1)),
  "wasi:cli/stderr#get-stderr": (guest) => new ObjectOutput(guest, object(guest, 2)),
  "wasi:cli/terminal-stdin#get-terminal-stdin": (guest) => terminal(guest, 0),
  "wasi:cli/terminal-stdout#get-terminal-stdout": (guest) => terminal(guest, 1),
  "wasi:cli/terminal-stderr#get-terminal-stderr": (guest) => terminal(guest, 2),
};
