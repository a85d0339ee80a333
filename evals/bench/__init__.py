"""Benchmarks: what the built-in voice, a dispatch and a start cost, as JSON, repeatable with ``make bench``."""
