// Reads how the core modules of a component are joined, where it is made of several that share one memory, as
// `componentize-py` makes them: an instance a step, and where each of its imports comes from.

const NAMES = { module: 1, instance: 2, alias: 6, canon: 8 };
/** Kinds of what a core module exports. */
const FUNCTION = 0;
const MEMORY = 2;

class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }
  byte() {
    return this.bytes[this.at++];
  }
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }
  text() {
    const length = this.number();
    this.at += length;
    return Buffer.from(this.bytes.subarray(this.at - length, this.at)).toString();
  }
  list(item) {
    return Array.from({ length: this.number() }, () => item());
  }
}

/** The parts of a component that its core instances are made of. */
function parts(component) {
  const found = { modules: [], instances: [], spaces: [[], [], [], []], reallocs: new Set() };
  const sections = new Reader(component, 8);
  while (sections.at < component.length) {
    const id = sections.byte();
    const length = sections.number();
    const body = component.subarray(sections.at, sections.at + length);
    sections.at += length;
    const read = new Reader(body);
    if (id === NAMES.module) found.modules.push(body);
    if (id === NAMES.instance) read.list(() => found.instances.push(instance(read)));
    if (id === NAMES.alias) read.list(() => alias(read, found.spaces));
    if (id === NAMES.canon) read.list(() => canon(read, found));
  }
  return found;
}

function instance(read) {
  if (read.byte() === 0) {
    const module = read.number();
    const args = read.list(() => [read.text(), (read.byte(), read.number())]);
    return { module, args: Object.fromEntries(args) };
  }
  return { exports: Object.fromEntries(read.list(() => [read.text(), [read.byte(), read.number()]])) };
}

function alias(read, spaces) {
  const sort = read.byte();
  const core = sort === 0 ? read.byte() : undefined;
  const target = read.byte();
  if (target === 2) return void [read.number(), read.number()];
  const source = { instance: read.number(), name: read.text() };
  if (target === 1) spaces[core].push(source);
}

function canon(read, { spaces, reallocs }) {
  const kind = read.byte();
  const options = () =>
    read.list(() => {
      const option = read.byte();
      if (option > 2 && option !== 6) {
        const index = read.number();
        if (option === 4) reallocs.add(index);
      }
    });
  switch (kind) {
    case 0: // lift
      read.byte();
      read.number();
      options();
      return void read.number();
    case 1: // lower
      read.byte();
      read.number();
      options();
      break;
    case 2:
    case 3:
    case 4: // new, drop, rep
      read.number();
      break;
    default:
      throw new Error(`a component with the built-in ${kind} is not understood`);
  }
  spaces[FUNCTION].push({ host: true });
}

/** Whether a module is the table of indirection that `wit-component` puts in front of functions that come later. */
const isShim = (module) => WebAssembly.Module.exports(module).some(({ name }) => name === "$imports");
const isFixup = (module) => WebAssembly.Module.imports(module).some(({ name }) => name === "$imports");
/** Whether a module is what gives a host the memory, which this one has by itself. */
const isReach = (module) => WebAssembly.Module.exports(module).some(({ name }) => name === "aim");
const isInterface = (name) => name.includes(":");

/**
 * The modules of a component and the steps that join them: `{ module, imports: { from: { name: source } } }`, a source being
 * `[step, name]`. What is not listed is the host's.
 */
export function composition(component) {
  const { modules: bytes, instances, spaces, reallocs } = parts(component);
  const modules = bytes.map((module) => new WebAssembly.Module(module));
  const steps = new Map();
  const kept = [];
  const fixups = {};
  const real = (index) => instances[index].module !== undefined;
  instances.forEach(({ module, args }, index) => {
    if (module === undefined || isShim(modules[module]) || isReach(modules[module])) return;
    if (isFixup(modules[module])) return Object.assign(fixups, instances[args[""]].exports);
    steps.set(index, kept.length);
    kept.push(index);
  });
  const follow = (source) => {
    if (source.host) return undefined;
    const { instance, name } = source;
    if (real(instance) && isShim(modules[instances[instance].module])) {
      const [kind, index] = fixups[name];
      return follow(spaces[kind][index]);
    }
    return [steps.get(instance), name];
  };
  const exported = (from, name) => {
    if (real(from)) return follow({ instance: from, name });
    const found = instances[from].exports[name];
    return found && follow(spaces[found[0]][found[1]]);
  };
  const used = [...new Set(kept.map((index) => instances[index].module))];
  const plan = kept.map((index) => {
    const { module, args } = instances[index];
    const imports = {};
    for (const { module: from, name } of WebAssembly.Module.imports(modules[module])) {
      if (isInterface(from)) continue;
      const source = exported(args[from], name);
      if (!source) throw new Error(`nothing gives ${from} ${name}`);
      (imports[from] ??= {})[name] = source[1] === name ? source[0] : source;
    }
    return { module: used.indexOf(module), imports };
  });
  const runs = ({ name }) => /^wasi:cli\/run@.*#run$/.test(name);
  const entry = plan.findIndex(({ module }) => WebAssembly.Module.exports(modules[used[module]]).some(runs));
  const [memory] = spaces[MEMORY];
  const [realloc] = reallocs;
  return {
    modules: used.map((module) => bytes[module]),
    plan: { steps: plan, memory: follow(memory), realloc: follow(spaces[FUNCTION][realloc]), entry },
  };
}
