"""Offshoot as the sandbox of other frameworks, a module each; each needs its extra."""
