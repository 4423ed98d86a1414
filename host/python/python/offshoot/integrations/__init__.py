"""Offshoot as the sandbox of other frameworks, one module each; each needs its extra."""
