"""What a search may do besides UCT, each in a folder of its own.

A feature has up to six files: `settings.py`, what users may set; `records.py`, its memory;
`feature.py`, which fills that memory; `kernels.py`, what it does; `reference.py`, the same in plain
Python, as the papers put it. It is entered in `registry.py`, in `engine/layout.py`, and with the
phases it takes part in, in `hooks.py`.
"""
