"""The standard library's `json.scanner`; what nests too deep for native code raises."""

import _imp

# Its names belong to this module.
exec(_imp.get_frozen_object("_json_scanner"), globals())

import _sandbox

_make_scanner = make_scanner


def make_scanner(context):
    scan = _make_scanner(context)

    def checked(string, index):
        _sandbox.check_json(string, index)
        return scan(string, index)

    return checked
