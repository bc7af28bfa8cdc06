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

// apply makes changes of the range from first to last in their order. Of the changes of a
// key between two ranges that are erased, it makes the last one.
func apply(tree writable, changes []change, first, last uint64) error {
	var pending folded
	for _, c := range changes {
		switch {
		case c.kind == changeNone:
		case c.kind == changeStore && (c.key < first || c.key > last):
		case c.kind == changeStore || c.key == c.operand && c.key >= first && c.key <= last:
			pending.add(c)
		default:
			if err := pending.flush(tree); err != nil {
				return err
			}
			if err := eraseWithin(tree, c, first, last); err != nil {
				return err
			}
		}
	}
	return pending.flush(tree)
}

func eraseWithin(tree writable, c change, first, last uint64) error {
	from, to := c.key, c.operand
	if from < first {
		from = first
	}
	if to > last {
		to = last
	}
	if from > to {
		return nil
	}
	return tree.eraseRange(from, to)
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
