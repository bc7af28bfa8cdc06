// SPDX-License-Identifier: GPL-2.0

package main

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// linesAround is how much is printed before and after what cannot be explained;
// the file of the round has all.
const linesAround = 20

// toExplain is for the search that the report is made of; the verdict has fallen.
const toExplain = 5 * time.Second

func (o operation) name() string {
	if int(o.opcode) < len(opNames) {
		return opNames[o.opcode]
	}
	return "an unknown operation"
}

// arguments is the key, and the values that the operation was given.
func (o operation) arguments() string {
	text := fmt.Sprintf(" %#x", o.key)
	switch o.opcode {
	case opInsert, opStore, opReplace, opGetOrInsert, opAdd:
		text += fmt.Sprintf(" value %#x", o.value)
	case opCmpxchg:
		text += fmt.Sprintf(" from %#x to %#x", o.old, o.value)
	case opCmperase, opExpect:
		text += fmt.Sprintf(" of %#x", o.old)
	}
	return text
}

func (p *part) String() string {
	gap := fmt.Sprintf("keys of numbers %d to %d", p.lo, p.hi)
	switch p.kind {
	case partEmpty:
		return gap + " are absent"
	case partClear:
		return gap + " become absent"
	case partTaken:
		return gap + " are not all absent"
	}
	text := p.asked.name() + p.asked.arguments()
	if p.kind == partHolds {
		return text + " is possible"
	}
	return text + " -> " + answer(p.asked, p.got)
}

func (e *event) String() string {
	text := fmt.Sprintf("client %d: ", e.client)
	if e.parts != nil {
		text += fmt.Sprintf("commit (batch %d)", e.batch)
		for i := range e.parts {
			text += "; " + e.parts[i].String()
		}
		return text
	}
	text += e.record.asked.name()
	if e.record.asked.opcode >= opScan {
		text += fmt.Sprintf(" of %d, which looks at", len(e.entries))
	}
	text += e.asked.arguments()
	if e.batch != 0 {
		text += fmt.Sprintf(" (batch %d, place %d)", e.batch, e.place)
	}
	return text + " -> " + answer(e.asked, e.got)
}

func answer(asked, got operation) string {
	switch result := got.result; {
	case result == resultAbsent:
		return "absent"
	case result == resultPresent:
		return fmt.Sprintf("present, %#x", got.old)
	case result == resultOther:
		return fmt.Sprintf("another, %#x", got.old)
	case result < 0:
		return fmt.Sprintf("error %d", -result)
	}
	switch asked.opcode {
	case opLookup:
		return fmt.Sprintf("%#x", got.value)
	case opFloor, opCeiling:
		return fmt.Sprintf("%#x, value %#x", got.key, got.value)
	case opPopMin, opPopMax:
		return fmt.Sprintf("%#x, which was %#x", got.key, got.old)
	case opReplace, opErase, opCmperase:
		return fmt.Sprintf("was %#x", got.old)
	case opStore, opGetOrInsert, opAdd:
		if got.result == 1 {
			return fmt.Sprintf("was %#x", got.old)
		}
	}
	return "done"
}

// longest is the most of the events that some order explains.
func longest(f *finding) map[*event]bool {
	in := make(map[*event]bool)
	if f.model.Step == nil {
		return in
	}
	_, info := porcupine.CheckOperationsVerbose(f.model, operations(f.events), toExplain)
	for _, partition := range info.PartialLinearizations() {
		for _, order := range partition {
			if len(order) <= len(in) {
				continue
			}
			in = make(map[*event]bool)
			for _, i := range order {
				in[f.events[i]] = true
			}
		}
	}
	return in
}

// describe tells what was found, with the events in the order of their start.
func describe(r *round, f *finding) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %s\n", r, f.what)
	in := longest(f)
	if f.model.Step != nil {
		fmt.Fprintf(&text, "%d operations; the longest order that explains its "+
			"answers has %d. > marks what it cannot go on with.\n",
			len(f.events), len(in))
	}
	events := append([]*event(nil), f.events...)
	sort.Slice(events, func(i, j int) bool { return events[i].start < events[j].start })
	stuck := 0
	for i, e := range events {
		if !in[e] && (in[events[stuck]] || e.end < events[stuck].end) {
			stuck = i
		}
	}
	for i, e := range events {
		if i < stuck-linesAround || i > stuck+linesAround {
			continue
		}
		mark := ' '
		if !in[e] {
			mark = '.'
		}
		if i == stuck {
			mark = '>'
		}
		fmt.Fprintf(&text, "%c [%9d, %9d] %s\n", mark,
			e.start-events[0].start, e.end-events[0].start, e)
	}
	return text.String()
}
