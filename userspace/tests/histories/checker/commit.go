// SPDX-License-Identifier: GPL-2.0

package main

// What a part of a commit says about the keys from lo to hi.
type partKind int

const (
	partAnswer partKind = iota // one key: the operation and its answer
	partHolds                  // one key: the condition of the operation is true
	partEmpty                  // all are absent
	partClear                  // all become absent
	partTaken                  // some are present
)

// A part is what a commit says of one key, or of the keys of a gap, at its one moment.
type part struct {
	kind       partKind
	lo, hi     int
	asked, got operation
}

func lesser(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func greater(a, b int) int {
	if a > b {
		return a
	}
	return b
}

func (o operation) isCommit() bool { return o.flags&inCommit != 0 }

func (o operation) changes() bool {
	return o.opcode != opLookup && o.opcode != opExpect && o.opcode != opAbsent
}

// holds tells whether the operation would not fail its commit.
func (o operation) holds(value uint64) bool {
	switch o.opcode {
	case opInsert, opAbsent:
		return value == 0
	case opReplace, opErase:
		return value != 0
	case opCmpxchg, opCmperase, opExpect:
		return value != 0 && value == o.old
	}
	return true
}

// fails tells whether the answer is a reason for which a commit fails.
func fails(got operation) bool {
	return got.result < 0 && got.result != resultCanceled &&
		!(got.opcode == opLookup && got.result == resultAbsent)
}

func allAbsent(values []uint64) bool {
	for _, value := range values {
		if value != 0 {
			return false
		}
	}
	return true
}

// possible tells whether a part is true of the values of its keys.
func (p *part) possible(values []uint64) bool {
	switch p.kind {
	case partAnswer:
		_, possible := apply(values[0], p.asked, p.got)
		return possible
	case partHolds:
		return p.asked.holds(values[0])
	case partEmpty:
		return allAbsent(values)
	case partTaken:
		return !allAbsent(values)
	}
	return true
}

// commit tells whether all parts are true of the values, of which the first is that of
// the key of rank first, and makes the changes. Each key has one at most.
func commit(values []uint64, first int, parts []part) bool {
	for i := range parts {
		p := &parts[i]
		if !p.possible(values[p.lo-first : p.hi-first+1]) {
			return false
		}
	}
	for i := range parts {
		p := &parts[i]
		switch {
		case p.kind == partAnswer && p.asked.changes():
			value := &values[p.lo-first]
			*value, _ = apply(*value, p.asked, p.got)
		case p.kind == partClear:
			for rank := p.lo; rank <= p.hi; rank++ {
				values[rank-first] = 0
			}
		}
	}
	return true
}

// within is the part as far as it concerns the keys from lo to hi.
func (p part) within(lo, hi int) (part, bool) {
	whole := p.lo >= lo && p.hi <= hi
	if p.kind == partTaken {
		return p, whole
	}
	p.lo, p.hi = greater(p.lo, lo), lesser(p.hi, hi)
	return p, p.lo <= p.hi
}

// within is the event as far as it concerns the keys from lo to hi, or nil.
func (e *event) within(lo, hi int) *event {
	var parts []part
	for _, p := range e.parts {
		if p, some := p.within(lo, hi); some {
			parts = append(parts, p)
		}
	}
	if parts == nil {
		return nil
	}
	return &event{record: e.record, asked: e.asked, got: e.got, parts: parts,
		lo: greater(e.lo, lo), hi: lesser(e.hi, hi)}
}

// commitAt returns the records of the commit whose first one is of this number.
func (r *round) commitAt(i int) []record {
	end := i + 1
	for end < len(r.records) && r.records[end].client == r.records[i].client &&
		r.records[end].batch == r.records[i].batch {
		end++
	}
	return r.records[i:end]
}

// failure is the number of the operation for which a commit failed; it is that of all
// operations if none did. False: some took effect, and others did not.
func failure(records []record) (int, bool) {
	failed := len(records)
	canceled := 0
	for i := range records {
		switch {
		case records[i].got.result == resultCanceled:
			canceled++
		case fails(records[i].got):
			failed = i
		}
	}
	if failed == len(records) {
		return failed, canceled == 0
	}
	return failed, canceled == len(records)-1
}

// gap is the part about the gap behind a key, if one of its operations has a flag.
func (h *history) gap(records []record, i, failed int) (part, bool) {
	key, flags := records[i].asked.key, uint16(0)
	p := part{lo: h.rank(key) + 1, hi: int(h.keys) - 1}
	for k := range records {
		other := records[k].asked
		switch {
		case other.key == key && k > i:
			return p, false // The last operation on the key has the gap.
		case other.key == key:
			flags |= other.flags
		case other.key > key:
			p.hi = lesser(p.hi, h.rank(other.key)-1)
		}
	}
	switch {
	case i == failed && records[i].got.result == resultNotEmpty:
		p.kind = partTaken
		return p, true
	case flags&gapEmpty != 0 && i < failed:
		p.kind = partEmpty
	case flags&gapClear != 0 && failed == len(records):
		p.kind = partClear
	default:
		return p, false
	}
	return p, p.lo <= p.hi
}

// parts tells what a commit says of its keys. Of one that failed, the conditions before
// the one that was not true were.
func (h *history) parts(records []record, failed int) (parts []part) {
	for i := range records {
		asked, got := records[i].asked, records[i].got
		p := part{asked: asked, got: got, lo: h.rank(asked.key), hi: h.rank(asked.key)}
		if i < failed && failed < len(records) || got.result == resultNotEmpty {
			p.kind = partHolds
		}
		if i <= failed {
			parts = append(parts, p)
		}
		if p, some := h.gap(records, i, failed); some {
			parts = append(parts, p)
		}
	}
	return parts
}

// addCommit notes what a commit says of each of its keys, and of all at one moment.
func (h *history) addCommit(records []record) string {
	failed, whole := failure(records)
	if !whole {
		return "a commit took effect in part"
	}
	first := &records[0]
	e := &event{record: first, asked: first.asked, got: first.got, lo: int(h.keys),
		parts: h.parts(records, failed)}
	for _, p := range e.parts {
		e.lo, e.hi = lesser(e.lo, p.lo), greater(e.hi, p.hi)
	}
	for rank := e.lo; rank <= e.hi; rank++ {
		if of := e.within(rank, rank); of != nil {
			h.perKey[rank] = append(h.perKey[rank], of)
		}
	}
	h.nearest = append(h.nearest, e)
	h.counts.commits++
	if failed == len(records) {
		h.counts.committed++
	}
	return ""
}
