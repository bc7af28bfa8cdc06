# SPDX-License-Identifier: GPL-2.0
"""Kinds of keys and values: what they are in Python, and as bytes of a record."""

import operator
import sys
from dataclasses import dataclass
from typing import Any, Callable, Literal, SupportsIndex

from . import _abi

Order = Literal["big", "little"]


def _number(size: int, order: Order) -> Callable[[Any], bytes]:
    def encode(number: Any) -> bytes:
        return operator.index(number).to_bytes(size, order)

    return encode


def _from(order: Order) -> Callable[[bytes], int]:
    def decode(data: bytes) -> int:
        return int.from_bytes(data, order)

    return decode


def string(longest: int) -> Callable[[Any], bytes]:
    """How bytes of a limited length are encoded."""

    def encode(data: Any) -> bytes:
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"bytes were expected, not {type(data).__name__}")
        if memoryview(data).nbytes > longest:
            raise ValueError(f"more than {longest} bytes")
        return bytes(data)

    return encode


def summand(number: SupportsIndex, saturate: bool) -> int:
    """What ADD or ADD_SATURATE adds, as a number without a sign."""
    exact = operator.index(number)
    if not -(1 << 63) <= exact < 1 << (63 if saturate else 64):
        raise OverflowError("the number is too far from 0")
    return exact % (1 << 64)


def total(before: int, number: SupportsIndex, saturate: bool) -> int:
    """The value that it makes."""
    exact = before + operator.index(number)
    return min(max(exact, 0), (1 << 64) - 1) if saturate else exact % (1 << 64)


@dataclass(frozen=True)
class Kind:
    """How keys or values are written into a record, and read from it.

    Numbers raise OverflowError if they are negative or have too many bits.
    """

    name: str
    longest: int
    encode: Callable[[Any], bytes]
    decode: Callable[[bytes], Any]


KEYS: dict[int, Kind] = {
    _abi.KEY_U64: Kind("u64", 8, _number(8, "big"), _from("big")),
    _abi.KEY_U128: Kind("u128", 16, _number(16, "big"), _from("big")),
    _abi.KEY_MULTI: Kind("multi", 8, _number(8, "big"), _from("big")),
    _abi.KEY_BYTES: Kind("bytes", _abi.RECORD_KEY_MAX, string(_abi.RECORD_KEY_MAX), bytes),
}
KEY_NUMBERS = {kind.name: number for number, kind in KEYS.items()}
VALUES: dict[bool, Kind] = {
    False: Kind("u64", 8, _number(8, sys.byteorder), _from(sys.byteorder)),
    True: Kind("bytes", _abi.RECORD_VALUE_MAX, string(_abi.RECORD_VALUE_MAX), bytes),
}


def key_name(number: int) -> str:
    """The name of a kind of keys, also of one that a later module has."""
    return KEYS[number].name if number in KEYS else f"unknown {number}"


def halves(kind: Kind, key: Any, otherwise: int) -> tuple[int, int]:
    """The upper and the lower half of a bound, as ioctls take it."""
    if key is None or kind.name == "bytes":
        return otherwise, otherwise
    number = int.from_bytes(kind.encode(key), "big")
    return divmod(number, 1 << 64) if kind.longest == 16 else (number, otherwise)


def joined(kind: Kind, high: int, low: int) -> int:
    """The number of two halves."""
    return high << 64 | low if kind.longest == 16 else high
