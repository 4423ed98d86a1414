"""The standard library's `pickle`; what nests too deep for native code raises."""

import _imp

# Its names belong to this module, and its functions are asked for there.
exec(_imp.get_frozen_object("_frozen_pickle"), globals())

import _sandbox

_dump, _dumps = dump, dumps


def dump(obj, *arguments, **named):
    _sandbox.check_nesting(obj)
    return _dump(obj, *arguments, **named)


def dumps(obj, *arguments, **named):
    _sandbox.check_nesting(obj)
    return _dumps(obj, *arguments, **named)
