"""The doors: the command line (and later the server and web page), thin over the same few functions."""

from __future__ import annotations
