# SPDX-License-Identifier: GPL-2.0
"""Memory of a program, such as arrays of numbers, as ioctls take it."""

import ctypes
import sys
from typing import Any

# The whole range of numbers of 64 bits without sign, as memoryview names them.
_WORDS = ("Q", "L", "@Q", "@L", "=Q", "<Q" if sys.byteorder == "little" else ">Q")


def _fits(view: memoryview, size: int) -> bool:
    """Whether a buffer has bytes, such numbers, or structures of so many bytes."""
    words = view.format in _WORDS and view.itemsize == 8
    structures = view.format.startswith("T{") and view.itemsize == size
    return view.itemsize == 1 or words or structures


def elements(buffer: Any, size: int, writable: bool = False) -> tuple[Any, int]:
    """What keeps the memory of a buffer in its place, and how many elements it has."""
    view = memoryview(buffer)
    if not _fits(view, size):
        raise TypeError(f"bytes or unsigned numbers of 64 bits are needed, not {view.format!r}")
    if not view.c_contiguous or view.nbytes % size:
        raise ValueError(f"a contiguous buffer of {size} bytes for each element is needed")
    if writable and view.readonly:
        raise TypeError("the buffer is read-only")
    memory = ctypes.c_char * view.nbytes
    take = memory.from_buffer_copy if view.readonly else memory.from_buffer
    return take(view) if view.nbytes else memory(), view.nbytes // size
