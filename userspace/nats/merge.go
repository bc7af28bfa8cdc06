// SPDX-License-Identifier: GPL-2.0

package main

// merge lets a tree have exactly these entries from first to last. It writes only what
// differs: a copy that begins again is mostly right already.
func merge(tree writable, entries []entry, first, last uint64) error {
	for next := first; ; next++ {
		own, err := tree.scan(next, last, recordsMax)
		if err != nil {
			return err
		}
		end := last
		if len(own) == recordsMax {
			end = own[recordsMax-1].key
		}
		n := 0
		for n < len(entries) && entries[n].key <= end {
			n++
		}
		if err := mergePart(tree, own, entries[:n]); err != nil {
			return err
		}
		if entries = entries[n:]; end == last {
			return nil
		}
		next = end
	}
}

// mergePart replaces entries of the tree by others of the same range.
func mergePart(tree writable, own, wanted []entry) error {
	var gone []uint64
	var changed []entry
	for len(own) > 0 || len(wanted) > 0 {
		switch {
		case len(wanted) == 0 || len(own) > 0 && own[0].key < wanted[0].key:
			gone = append(gone, own[0].key)
			own = own[1:]
		case len(own) == 0 || wanted[0].key < own[0].key:
			changed = append(changed, wanted[0])
			wanted = wanted[1:]
		default:
			if own[0].value != wanted[0].value {
				changed = append(changed, wanted[0])
			}
			own, wanted = own[1:], wanted[1:]
		}
	}
	if err := tree.erase(gone); err != nil {
		return err
	}
	return tree.store(changed)
}

// apply makes changes of the range from first to last in their order, those of a commit at
// one moment.
func apply(tree writable, changes []change, first, last uint64) error {
	var pending folded
	for len(changes) > 0 {
		n := 1 + int(changes[0].more)
		together := clipped(changes[:n], first, last)
		changes = changes[n:]
		if needCommit(together) {
			if err := pending.flush(tree); err != nil {
				return err
			}
			committed, err := tree.commit(together)
			if err != nil {
				return err
			}
			if committed {
				continue
			}
		}
		if err := pending.apply(tree, together); err != nil {
			return err
		}
	}
	return pending.flush(tree)
}

// needCommit is whether only a commit makes the changes at one moment. A range that is erased
// alone can be a gap that a commit has cleared.
func needCommit(changes []change) bool {
	return len(changes) > 1 ||
		len(changes) == 1 && changes[0].kind == changeErase && changes[0].key < changes[0].operand
}

// clipped is the changes of keys from first to last.
func clipped(changes []change, first, last uint64) []change {
	var found []change
	for _, c := range changes {
		if c.kind == changeErase && c.key < first {
			c.key = first
		}
		if c.kind == changeErase && c.operand > last {
			c.operand = last
		}
		if c.kind == changeErase && c.key <= c.operand ||
			c.kind == changeStore && c.key >= first && c.key <= last {
			found = append(found, c)
		}
	}
	return found
}

// apply makes changes one by one. Of the changes of a key between two ranges that are erased,
// it makes the last one.
func (f *folded) apply(tree writable, changes []change) error {
	for _, c := range changes {
		if c.kind == changeStore || c.key == c.operand {
			f.add(c)
			continue
		}
		if err := f.flush(tree); err != nil {
			return err
		}
		if err := tree.eraseRange(c.key, c.operand); err != nil {
			return err
		}
	}
	return nil
}

// folded is changes of different keys.
type folded struct {
	at      map[uint64]int
	changes []change
}

func (f *folded) add(c change) {
	if f.at == nil {
		f.at = make(map[uint64]int)
	}
	if i, found := f.at[c.key]; found {
		f.changes[i] = c
		return
	}
	f.at[c.key] = len(f.changes)
	f.changes = append(f.changes, c)
}

func (f *folded) flush(tree writable) error {
	var gone []uint64
	var changed []entry
	for _, c := range f.changes {
		if c.kind == changeErase {
			gone = append(gone, c.key)
		} else {
			changed = append(changed, entry{c.key, c.operand})
		}
	}
	*f = folded{}
	if err := tree.erase(gone); err != nil {
		return err
	}
	return tree.store(changed)
}
