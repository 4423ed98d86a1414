"""The standard library's `json.encoder`; what nests too deep for native code raises."""

import _imp

# Its names belong to this module.
exec(_imp.get_frozen_object("_json_encoder"), globals())

import _sandbox

_make_encoder = c_make_encoder


def c_make_encoder(*arguments):
    encode = _make_encoder(*arguments)

    def checked(value, level):
        _sandbox.check_nesting(value)
        return encode(value, level)

    return checked
