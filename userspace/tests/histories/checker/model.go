// SPDX-License-Identifier: GPL-2.0

package main

import "github.com/anishathalye/porcupine"

// An event is something that took effect at one moment between start and end.
//
// A commit has parts, what it says of each of its keys. Of one key or a window, an event has
// those about these keys, which are as much of one moment.
//
// The values are what a scan found of the keys from lo to hi, at one moment.
//
// Of a batch, some took effect in their order: before has a bit for each event
// that comes earlier, bit is its own; see order.
//
// A pop is an erasure of the key that it removed, and an event of its own about
// the keys that it passed over: whole leads from the former to the latter.
type event struct {
	*record
	whole       *event
	asked, got  operation
	lo, hi      int
	before, bit uint16
	values      []uint64
	parts       []part
}

// apply is one key: its value before, 0 if it is absent, and after. It is false
// if the answer was not possible with that value.
func apply(value uint64, asked, got operation) (uint64, bool) {
	result, old := got.result, got.old
	switch asked.opcode {
	case opLookup:
		if value == 0 {
			return 0, result == resultAbsent
		}
		return value, result == 0 && got.value == value
	case opInsert:
		if value == 0 {
			return asked.value, result == 0
		}
		return value, result == resultPresent && (old == value || asked.old == untold)
	case opStore:
		if value == 0 {
			return asked.value, result == 0
		}
		return asked.value, result == 1 && old == value
	case opAdd:
		if value == 0 {
			return asked.value, result == 0
		}
		return value + asked.value, result == 1 && old == value
	case opGetOrInsert:
		if value == 0 {
			return asked.value, result == 0
		}
		return value, result == 1 && old == value
	case opAbsent:
		if value == 0 {
			return 0, result == 0
		}
		return value, result == resultPresent && old == value
	}
	if value == 0 {
		return 0, result == resultAbsent
	}
	switch asked.opcode {
	case opReplace:
		return asked.value, result == 0 && old == value
	case opErase:
		return 0, result == 0 && old == value
	case opCmpxchg:
		if value == asked.old {
			return asked.value, result == 0
		}
		return value, result == resultOther && old == value
	case opCmperase:
		if value == asked.old {
			return 0, result == 0 && old == value
		}
		return value, result == resultOther && old == value
	case opExpect:
		if value == asked.old {
			return value, result == 0
		}
		return value, result == resultOther && old == value
	}
	return 0, false
}

// progress is what of a client's latest batch has taken effect.
type progress struct {
	batch uint32
	done  uint16
}

func (p progress) with(e *event) (progress, bool) {
	if e.batch == 0 {
		return p, true
	}
	if p.batch != e.batch {
		p = progress{batch: e.batch}
	}
	ok := p.done&e.before == e.before
	p.done |= e.bit
	return p, ok
}

// keyState is one key, and how far batches are.
type keyState struct {
	value    uint64
	progress [maxClients]progress
}

func (s keyState) step(e *event) (bool, keyState) {
	var first, second bool
	if e.parts != nil {
		first = s.commit(e)
	} else {
		s.value, first = apply(s.value, e.asked, e.got)
	}
	s.progress[e.client], second = s.progress[e.client].with(e)
	return first && second, s
}

func (s *keyState) commit(e *event) bool {
	value := [1]uint64{s.value}
	possible := commit(value[:], e.lo, e.parts)
	s.value = value[0]
	return possible
}

var keyModel = porcupine.Model{
	Init: func() interface{} { return keyState{} },
	Step: func(state, input, _ interface{}) (bool, interface{}) {
		return state.(keyState).step(input.(*event))
	},
}

// windowKeys is how many neighbours are looked at as one object.
const windowKeys = 64

type windowState struct {
	value    [windowKeys]uint64
	progress [maxClients]progress
}

// nearest tells whether the answer of a floor, ceiling or pop was possible: the key
// that it found had that value, and those that it passed over were absent. A pop
// removes the key.
func (s *windowState) nearest(e *event, first int) bool {
	lo, hi := e.lo-first, e.hi-first
	if e.got.result == 0 {
		found, value := hi, e.got.value
		if e.isBelow() {
			found = lo
			lo++
		} else {
			hi--
		}
		if e.isPop() {
			value = e.got.old
		}
		if s.value[found] != value {
			return false
		}
		if e.isPop() {
			s.value[found] = 0
		}
	}
	for ; lo <= hi; lo++ {
		if s.value[lo] != 0 {
			return false
		}
	}
	return true
}

// scanned tells whether a scan could find these values, and no others, at once.
func (s *windowState) scanned(e *event, first int) bool {
	for i, value := range e.values {
		if s.value[e.lo-first+i] != value {
			return false
		}
	}
	return true
}

func (s windowState) step(e *event, first int) (bool, windowState) {
	var inTurn, possible bool
	s.progress[e.client], inTurn = s.progress[e.client].with(e)
	if e.parts != nil {
		possible = commit(s.value[:], first, e.parts)
	} else if e.isNearest() {
		possible = s.nearest(e, first)
	} else if e.values != nil {
		possible = s.scanned(e, first)
	} else {
		value := &s.value[e.lo-first]
		*value, possible = apply(*value, e.asked, e.got)
	}
	return inTurn && possible, s
}

// windowModel is the neighbours from the key of rank first on.
func windowModel(first int) porcupine.Model {
	return porcupine.Model{
		Init: func() interface{} { return windowState{} },
		Step: func(state, input, _ interface{}) (bool, interface{}) {
			return state.(windowState).step(input.(*event), first)
		},
	}
}
