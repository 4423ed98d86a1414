// The files that every sandbox starts with, as the native runtime makes them.

import { ROOT, type Tree } from "./tree.js";

const bytes = (text: string) => new TextEncoder().encode(text);

const DIRECTORIES: [string, number][] = [
  ["/dev", 0o755],
  ["/etc", 0o755],
  ["/home", 0o755],
  ["/mnt", 0o755],
  ["/opt", 0o755],
  ["/proc", 0o555],
  ["/root", 0o700],
  ["/run", 0o755],
  ["/srv", 0o755],
  ["/tmp", 0o1777],
  ["/usr", 0o755],
  ["/usr/bin", 0o755],
  ["/usr/lib", 0o755],
  ["/usr/local", 0o755],
  ["/usr/local/bin", 0o755],
  ["/usr/sbin", 0o755],
  ["/usr/share", 0o755],
  ["/var", 0o755],
  ["/var/log", 0o755],
  ["/var/tmp", 0o1777],
];

/** Symbolic links, target first. */
const LINKS: [string, string][] = [
  ["usr/bin", "/bin"],
  ["usr/lib", "/lib"],
  ["usr/sbin", "/sbin"],
  ["/proc/mounts", "/etc/mtab"],
];

const FILES: [string, string][] = [
  ["/etc/os-release", 'NAME="Offshoot"\nID=offshoot\nPRETTY_NAME="Offshoot 0.1.0"\nVERSION_ID="0.1.0"\n'],
  ["/etc/shells", "/bin/sh\n/bin/bash\n/usr/bin/sh\n/usr/bin/bash\n"],
  ["/etc/hosts", "127.0.0.1\tlocalhost\n::1\tlocalhost\n"],
  ["/etc/issue", "Offshoot\n"],
  ["/etc/fstab", ""],
  ["/etc/lsb-release", "DISTRIB_ID=Offshoot\nDISTRIB_RELEASE=0.1.0\n"],
  ["/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"],
  ["/etc/timezone", "Etc/UTC\n"],
  ["/etc/profile", "export PATH=/usr/local/bin:/usr/bin:/bin\n"],
];

/** The account that commands run as. */
export const USER = { uid: 1000, gid: 1000, user: "user", group: "user", hostname: "sandbox" };
export const HOME = "/home/user";

/** Writes the tree into an empty filesystem. */
export function populate(tree: Tree, commands: string[]): void {
  for (const [path, mode] of DIRECTORIES) {
    tree.makeDirectory(ROOT, bytes(path), mode);
    tree.setMode(ROOT, bytes(path), mode);
  }
  for (const [target, path] of LINKS) tree.symlink(ROOT, bytes(target), bytes(path));
  for (const [path, text] of FILES) tree.writeFile(ROOT, bytes(path), bytes(text), 0o644);
  for (const name of [...commands, "bash", "sh"]) writeCommand(tree, name);
  if (commands.includes("python3")) populatePython(tree);
  tree.makeDevices(bytes("/dev"));
  tree.mountViews(bytes("/proc"));
  const passwd = `root:x:0:0:root:/root:/bin/bash\nuser:x:1000:1000:user:${HOME}:/bin/bash\n`;
  tree.writeFile(ROOT, bytes("/etc/passwd"), bytes(passwd), 0o644);
  tree.writeFile(ROOT, bytes("/etc/group"), bytes("root:x:0:\nuser:x:1000:\n"), 0o644);
  tree.writeFile(ROOT, bytes("/etc/hostname"), bytes(`${USER.hostname}\n`), 0o644);
  createOwned(tree, HOME);
}

/** The command `pip`. */
const PIP = "#!/usr/bin/python3\nimport sys\nfrom pip._internal.cli.main import main\nsys.exit(main())\n";

/** CPython's own names are one program, so that the name by which it was called arrives. */
function populatePython(tree: Tree): void {
  for (const name of ["python", "python3.14"]) tree.symlink(ROOT, bytes("python3"), bytes(`/usr/bin/${name}`));
  for (const name of ["pip", "pip3"]) {
    const path = bytes(`/usr/bin/${name}`);
    tree.writeFile(ROOT, path, bytes(PIP), 0o755);
    tree.setMode(ROOT, path, 0o755);
  }
  tree.makeDirectories(ROOT, bytes("/usr/lib/python3.14"), 0o755);
}

/** What belongs to the system and is not among what is saved, again. */
export function attach(tree: Tree): void {
  for (const [path, mount] of [["/proc", "mountViews"], ["/dev/fd", "mountDescriptors"]] as const) {
    // Where a directory for it is missing, it is not there.
    if (exists(tree, bytes(path))) tree[mount](bytes(path));
  }
}

/** Makes the executable file that stands for the program `name`. */
export function writeCommand(tree: Tree, name: string): void {
  const path = bytes(`/usr/bin/${name}`);
  const content = `\x7fOFFSHOOT program ${name}\n`;
  // What is there already is left alone, so that a sandbox that wakes is what it was.
  if (exists(tree, path) && new TextDecoder().decode(tree.readFile(ROOT, path)) === content) return;
  tree.writeFile(ROOT, path, bytes(content), 0o755);
  tree.setMode(ROOT, path, 0o755);
}

/** Makes a directory that the user owns, and missing ones above it; those that exist keep their owner. */
export function createOwned(tree: Tree, path: string): void {
  for (let end = path.indexOf("/", 1); ; end = path.indexOf("/", end + 1)) {
    const part = bytes(end < 0 ? path : path.slice(0, end));
    if (part.length > 0 && !exists(tree, part)) {
      tree.makeDirectory(ROOT, part, 0o755);
      tree.setOwner(ROOT, part, USER.uid, USER.gid, true);
    }
    if (end < 0) return;
  }
}

function exists(tree: Tree, path: Uint8Array): boolean {
  try {
    tree.stat(ROOT, path, true);
    return true;
  } catch {
    return false;
  }
}
