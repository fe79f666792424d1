"""What the user must act on. Everything else is a value or a bug."""

from __future__ import annotations


class IndexerError(Exception):
    """Shown to the user in one line that says what is wrong and how to mend it; `status` is the exit status."""

    status = 2


class BadInput(IndexerError):
    """The command or the question cannot be understood."""


class ConfigError(IndexerError):
    """A configuration file has an unknown key, a wrong type or is no TOML; names file, key and line."""


class NotFound(IndexerError):
    """The answer is "no": the id, path or root is not in the index."""

    status = 1


class Unavailable(IndexerError):
    """The index cannot be used now: locked by another process, of a newer version, or the port is taken."""

    status = 3
