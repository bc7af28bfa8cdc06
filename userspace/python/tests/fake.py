# SPDX-License-Identifier: GPL-2.0
"""Trees without a device: their calls work on a sorted dict or set of encoded keys.

They show what the package makes of an answer. What the kernel answers, the tests of
test_tree.py show.
"""

import errno

from blinktree import Pairs, Tree, _abi, _kinds, _records


class FakeTree(Tree):
    """A tree of one value per key."""

    # pylint: disable-next=super-init-not-called
    def __init__(self, key, value, entries=()):
        self._fd = 1 << 20
        self._key = _kinds.KEYS[_kinds.KEY_NUMBERS[key]]
        self._value = _kinds.VALUES[value == "bytes"]
        self.content = {}
        self.update(entries)

    def close(self):
        """There is no descriptor."""

    def __len__(self):
        return len(self.content)

    def _scan(self, first, last, flags=0):
        keys = sorted(self.content, reverse=bool(flags & _abi.SCAN_DESC))
        for key in keys:
            low = first is None or key > first or (key == first and not flags & _abi.FIRST_OPEN)
            high = last is None or key < last or (key == last and not flags & _abi.LAST_OPEN)
            if low and high:
                yield _records.Record(0, key, self.content[key])

    def _erase(self, first, last, flags=0):
        keys = [record.key for record in self._scan(first, last, flags)]
        for key in keys:
            del self.content[key]
        return len(keys)

    def _execute(self, operations):
        return map(self.answer, operations)

    def answer(self, asked):
        """The result of one operation."""
        key, content = asked.key, self.content
        if asked.opcode in (_abi.POP_MIN, _abi.POP_MAX):
            if not content:
                return _records.Record(asked.opcode, result=-errno.ENOENT)
            key = (min if asked.opcode == _abi.POP_MIN else max)(content)
        elif asked.opcode in (_abi.LOOKUP, _abi.ERASE, _abi.REPLACE) and key not in content:
            return _records.Record(asked.opcode, key, result=-errno.ENOENT)
        old = content.get(key, b"")
        result = int(asked.opcode == _abi.GET_OR_INSERT and key in content)
        if asked.opcode in (_abi.POP_MIN, _abi.POP_MAX, _abi.ERASE):
            del content[key]
        elif asked.opcode in (_abi.STORE, _abi.REPLACE) or (
            asked.opcode == _abi.GET_OR_INSERT and not result
        ):
            content[key] = asked.value
        return _records.Record(asked.opcode, key, old, old, result)


class FakePairs(Pairs):
    """A tree of equal keys: each key of the dict is a pair."""

    # pylint: disable-next=super-init-not-called
    def __init__(self, pairs=()):
        self._fd = 1 << 20
        self._key = _kinds.KEYS[_abi.KEY_MULTI]
        self._value = _kinds.VALUES[False]
        self.content = set()
        self.update(pairs)

    def close(self):
        """There is no descriptor."""

    def __len__(self):
        return len(self.content)

    def order(self, pair):
        """What pairs are sorted by."""
        return self._entry(_records.Record(0, *pair))

    def _scan(self, first, last, flags=0):
        pairs = sorted(self.content, key=self.order, reverse=bool(flags & _abi.SCAN_DESC))
        return (_records.Record(0, *pair) for pair in pairs if not first or pair[0] == first)

    def _erase(self, first, last, flags=0):
        found = [(record.key, record.value) for record in self._scan(first, last)]
        self.content.difference_update(found)
        return len(found)

    def _execute(self, operations):
        return map(self.answer, operations)

    def answer(self, asked):
        """The result of one operation."""
        pair = (asked.key, asked.old if asked.opcode == _abi.CMPERASE else asked.value)
        if asked.opcode == _abi.STORE:
            self.content.add(pair)
        elif asked.opcode == _abi.POP_MIN and self.content:
            pair = min(self.content, key=self.order)
            self.content.remove(pair)
        elif asked.opcode == _abi.CMPERASE and pair in self.content:
            self.content.remove(pair)
        elif asked.opcode != _abi.CEILING or pair not in self.content:
            return _records.Record(asked.opcode, result=-errno.ENOENT)
        return _records.Record(asked.opcode, pair[0], pair[1], pair[1])
