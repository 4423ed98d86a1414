"""What the measured clients share: a round for each line of standard input, its times as a line of JSON."""

import json
import sys
import time

SMALL, LARGE = b"a" * (1 << 10), b"b" * (1 << 20)


def serve(steps):
    """Each step is a name and a function of what earlier steps gave; a name that is empty is not measured."""
    for _ in sys.stdin:
        times, given = {}, {}
        for name, step in steps:
            begun = time.perf_counter()
            given[name] = step(given)
            if name:
                times[name] = (time.perf_counter() - begun) * 1000
        print(json.dumps(times), flush=True)


def expect(found, wanted):
    """Checks what came back, so that nothing is measured that did not happen."""
    if found != wanted:
        raise AssertionError(f"{found!r:.200}")


def files(write, read):
    """The steps for files: the same content goes and comes."""
    return [
        ("write 1 KiB", lambda given: write(given, "small", SMALL)),
        ("read 1 KiB", lambda given: expect(bytes(read(given, "small")), SMALL)),
        ("write 1 MiB", lambda given: write(given, "large", LARGE)),
        ("read 1 MiB", lambda given: expect(bytes(read(given, "large")), LARGE)),
    ]
