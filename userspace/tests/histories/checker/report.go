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

func (e *event) String() string {
	name := "an unknown operation"
	if int(e.record.asked.opcode) < len(opNames) {
		name = opNames[e.record.asked.opcode]
	}
	text := fmt.Sprintf("client %d: %s", e.client, name)
	if e.record.asked.opcode >= opScan {
		text += fmt.Sprintf(" of %d, which looks at", len(e.entries))
	}
	text += fmt.Sprintf(" %#x", e.asked.key)
	switch e.asked.opcode {
	case opInsert, opStore, opReplace, opGetOrInsert, opAdd:
		text += fmt.Sprintf(" value %#x", e.asked.value)
	case opCmpxchg:
		text += fmt.Sprintf(" from %#x to %#x", e.asked.old, e.asked.value)
	case opCmperase:
		text += fmt.Sprintf(" of %#x", e.asked.old)
	}
	if e.batch != 0 {
		text += fmt.Sprintf(" (batch %d, place %d)", e.batch, e.place)
	}
	return text + " -> " + e.answer()
}

func (e *event) answer() string {
	switch result := e.got.result; {
	case result == resultAbsent:
		return "absent"
	case result == resultPresent:
		return fmt.Sprintf("present, %#x", e.got.old)
	case result == resultOther:
		return fmt.Sprintf("another, %#x", e.got.old)
	case result < 0:
		return fmt.Sprintf("error %d", -result)
	}
	switch e.asked.opcode {
	case opLookup:
		return fmt.Sprintf("%#x", e.got.value)
	case opFloor, opCeiling:
		return fmt.Sprintf("%#x, value %#x", e.got.key, e.got.value)
	case opPopMin, opPopMax:
		return fmt.Sprintf("%#x, which was %#x", e.got.key, e.got.old)
	case opReplace, opErase, opCmperase:
		return fmt.Sprintf("was %#x", e.got.old)
	case opStore, opGetOrInsert, opAdd:
		if e.got.result == 1 {
			return fmt.Sprintf("was %#x", e.got.old)
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
