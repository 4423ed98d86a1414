"""`ensurepip` where pip is part of the library: makes the scripts that call it, in an environment of `venv`."""

import argparse
import os
import sys
import sysconfig

__all__ = ["version", "bootstrap"]


def version():
    """The version of pip that there is."""
    import pip

    return pip.__version__


def bootstrap(*, root=None, upgrade=False, user=False, altinstall=False, default_pip=False, verbosity=0):
    """Makes `pip3` and `pip3.14`, `pip` with `default_pip` and not the first with `altinstall`."""
    if altinstall and default_pip:
        raise ValueError("Cannot use altinstall and default_pip together")
    sys.audit("ensurepip.bootstrap", root)
    short = f"{sys.version_info.major}.{sys.version_info.minor}"
    names = [f"pip{short}", *["pip3"] * (not altinstall), *["pip"] * default_pip]
    folder = sysconfig.get_path("scripts", "posix_user") if user else sysconfig.get_path("scripts")
    if root is not None:
        folder = os.path.join(root, folder.lstrip("/"))
    os.makedirs(folder, exist_ok=True)
    for name in names:
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!{sys.executable}\nimport sys\nfrom pip._internal.cli.main import main\nsys.exit(main())\n")
        os.chmod(path, 0o755)
    if verbosity:
        print(f"pip {version()}: {', '.join(names)} in {folder}")


def _main(argv=None):
    parser = argparse.ArgumentParser(color=True)
    parser.add_argument(
        "--version",
        action="version",
        version=f"pip {version()}",
        help="Show the version of pip that is bundled with this Python.",
    )
    parser.add_argument("-v", "--verbose", action="count", default=0, dest="verbosity", help="Give more output.")
    parser.add_argument("-U", "--upgrade", action="store_true", help="Accepted, without effect.")
    parser.add_argument("--user", action="store_true", help="Install using the user scheme.")
    parser.add_argument("--root", help="Install everything relative to this alternate root directory.")
    parser.add_argument("--altinstall", action="store_true", help="Make only the script with the whole version.")
    parser.add_argument("--default-pip", action="store_true", help="Make the script `pip`, too.")
    chosen = parser.parse_args(argv)
    bootstrap(
        root=chosen.root,
        upgrade=chosen.upgrade,
        user=chosen.user,
        verbosity=chosen.verbosity,
        altinstall=chosen.altinstall,
        default_pip=chosen.default_pip,
    )
    return 0
