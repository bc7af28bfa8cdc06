// SPDX-License-Identifier: GPL-2.0

package main

import (
	"fmt"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

// A finding is what is wrong with a round: events that no order explains, or a
// record that is wrong by itself.
type finding struct {
	what   string
	events []*event
	model  porcupine.Model
}

// counts is how much was checked.
type counts struct {
	rounds, records, keys, windows, nearest, wide, scanned, atOnce, overlaps int
	commits, committed                                                       int
}

func (c *counts) add(d counts) {
	c.rounds += d.rounds
	c.records += d.records
	c.keys += d.keys
	c.windows += d.windows
	c.nearest += d.nearest
	c.wide += d.wide
	c.scanned += d.scanned
	c.atOnce += d.atOnce
	c.overlaps += d.overlaps
	c.commits += d.commits
	c.committed += d.committed
}

// A history is a round taken apart: the events of each key; and those of several at one
// moment, which are floors, ceilings and pops, commits, and scans of a tree of one leaf.
type history struct {
	*round
	perKey  [][]*event
	nearest []*event
	counts  counts
}

// malformed tells what is wrong with a record whatever the tree was like.
func (r *round) malformed(rec *record) string {
	if rec.end < rec.start {
		return "the clock went back"
	}
	asked, got := rec.asked, rec.got
	switch {
	case asked.opcode > opScanDesc || got.opcode != asked.opcode:
		return "an unknown operation"
	case asked.isCommit() && (asked.opcode >= opScan || asked.isNearest()):
		return "an operation that cannot be in a commit"
	case asked.opcode >= opScan:
		return r.malformedScan(rec)
	case !asked.isNearest() || got.result != 0:
		if got.key != asked.key {
			return "the answer has another key"
		}
	case !r.isKey(got.key):
		return "a key was found that there never is"
	case asked.isBelow() && got.key > asked.key,
		!asked.isBelow() && got.key < asked.key:
		return "a key on the wrong side"
	}
	if asked.isNearest() && got.result != 0 && got.result != resultAbsent {
		return "an error that cannot be"
	}
	return ""
}

func (r *round) malformedScan(rec *record) string {
	for i, e := range rec.entries {
		if e.key < rec.asked.key || e.key > rec.asked.value {
			return "a scan returned a key beyond its range"
		}
		if !r.isKey(e.key) {
			return "a scan returned a key that there never is"
		}
		if i == 0 {
			continue
		}
		last := rec.entries[i-1].key
		if rec.asked.opcode == opScan && e.key <= last ||
			rec.asked.opcode == opScanDesc && e.key >= last {
			return "the keys of a scan are not in order"
		}
	}
	return ""
}

// takeApart makes events of records.
func takeApart(r *round) (*history, *finding) {
	h := &history{round: r, perKey: make([][]*event, r.keys)}
	for i := range r.records {
		rec := &r.records[i]
		if what := r.malformed(rec); what != "" {
			e := &event{record: rec, asked: rec.asked, got: rec.got}
			return nil, &finding{what: what, events: []*event{e}}
		}
		switch {
		case rec.asked.isCommit():
			if rec.place != 0 {
				continue
			}
			if what := h.addCommit(r.commitAt(i)); what != "" {
				e := &event{record: rec, asked: rec.asked, got: rec.got}
				return nil, &finding{what: what, events: []*event{e}}
			}
		case rec.asked.opcode >= opScan:
			h.addScan(rec)
		case rec.asked.isNearest():
			h.addNearest(rec)
		default:
			h.add(r.rank(rec.asked.key),
				&event{record: rec, asked: rec.asked, got: rec.got})
		}
	}
	h.counts.rounds = 1
	h.counts.records = len(r.records)
	return h, nil
}

func (h *history) add(rank int, e *event) {
	e.lo, e.hi = rank, rank
	e.bit = 1 << e.place
	h.perKey[rank] = append(h.perKey[rank], e)
}

func (o operation) isPop() bool {
	return o.opcode == opPopMin || o.opcode == opPopMax
}

// isNearest tells whether the answer can be another key than the one asked for.
func (o operation) isNearest() bool {
	return o.opcode == opFloor || o.opcode == opCeiling || o.isPop()
}

func (o operation) isBelow() bool {
	return o.opcode == opFloor || o.opcode == opPopMax
}

func (e *event) isPop() bool     { return e.asked.isPop() }
func (e *event) isNearest() bool { return e.asked.isNearest() }
func (e *event) isBelow() bool   { return e.asked.isBelow() }

func (e *event) isUpdate() bool {
	return e.asked.opcode != opLookup && !e.isNearest()
}

// inOrder tells whether two operations of a batch have an order: those on one
// key, but for two lookups, which the ring lets overtake each other; a floor or
// ceiling and an update; and a pop and anything.
func inOrder(a, b *event) bool {
	if a.isPop() || b.isPop() {
		return true
	}
	if a.isNearest() || b.isNearest() {
		return a.isUpdate() || b.isUpdate()
	}
	return a.lo == b.lo && (a.isUpdate() || b.isUpdate() || *lookupsInOrder)
}

// order notes what of the same batch comes before each event, of these events.
func order(events []*event) {
	type call struct{ client, batch uint32 }
	batches := make(map[call][]*event)
	for _, e := range events {
		e.before = 0
		if e.batch != 0 {
			id := call{e.client, e.batch}
			batches[id] = append(batches[id], e)
		}
	}
	for _, batch := range batches {
		for _, a := range batch {
			for _, b := range batch {
				if a.place < b.place && inOrder(a, b) {
					b.before |= a.bit
				}
			}
		}
	}
}

// addScan makes a scan a lookup of each key of its range: one that it returned
// was found, any other one was not. Each was looked at at a moment of its own,
// unless the tree was one leaf, of which the keys are those of one moment.
func (h *history) addScan(rec *record) {
	values := make(map[uint64]uint64, len(rec.entries))
	for _, e := range rec.entries {
		values[e.key] = e.value
	}
	first, last := h.rank(rec.asked.key+h.step-1), h.rank(rec.asked.value)
	whole := &event{record: rec, asked: rec.asked, got: rec.got, lo: first, hi: last}
	for rank := first; rank <= last; rank++ {
		asked := operation{opcode: opLookup, key: h.key(rank)}
		got := asked
		value, found := values[asked.key]
		got.value = value
		if !found {
			got.result = resultAbsent
		}
		h.add(rank, &event{record: rec, asked: asked, got: got})
		h.counts.scanned++
		whole.values = append(whole.values, value)
	}
	if h.oneLeaf && rec.asked.old == oneCall && len(whole.values) > 1 {
		h.nearest = append(h.nearest, whole)
		h.counts.atOnce++
	}
}

// addNearest notes which keys an answer says something of. A pop that removed a key
// is an erasure of this key, too.
func (h *history) addNearest(rec *record) {
	e := &event{record: rec, asked: rec.asked, got: rec.got, hi: int(h.keys) - 1}
	found := rec.got.result == 0
	if e.isBelow() {
		e.hi = h.rank(rec.asked.key)
		if found {
			e.lo = h.rank(rec.got.key)
		}
	} else {
		e.lo = h.rank(rec.asked.key)
		if h.key(e.lo) != rec.asked.key {
			e.lo++
		}
		if found {
			e.hi = h.rank(rec.got.key)
		}
	}
	e.bit = 1 << e.place
	h.nearest = append(h.nearest, e)
	if e.isPop() && found {
		erase := operation{opcode: opErase, key: rec.got.key}
		got := erase
		got.old = rec.got.old
		h.add(h.rank(erase.key), &event{record: rec, whole: e, asked: erase, got: got})
	}
}

func operations(events []*event) []porcupine.Operation {
	list := make([]porcupine.Operation, len(events))
	for i, e := range events {
		list[i] = porcupine.Operation{
			ClientId: int(e.client), Input: e, Call: e.start, Return: e.end,
		}
	}
	return list
}

// explained looks for an order; no answer within the time is a finding too.
func explained(what string, model porcupine.Model, events []*event,
	patience time.Duration) *finding {
	order(events)
	result := porcupine.CheckOperationsTimeout(model, operations(events), patience)
	switch result {
	case porcupine.Ok:
		return nil
	case porcupine.Illegal:
		return &finding{"no order explains the answers about " + what, events, model}
	default:
		return &finding{"no order was found in time for " + what, events, model}
	}
}

// overlapping counts events that were not alone.
func overlapping(events []*event) int {
	sorted := append([]*event(nil), events...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].start < sorted[j].start })
	n, end := 0, int64(0)
	for i, e := range sorted {
		if i > 0 && e.start <= end {
			n++
		}
		if e.end > end {
			end = e.end
		}
	}
	return n
}

// checkKeys looks at each key by itself, and returns the finding with the fewest
// events.
func (h *history) checkKeys(patience time.Duration) *finding {
	var smallest *finding
	for rank, events := range h.perKey {
		h.counts.keys++
		h.counts.overlaps += overlapping(events)
		what := fmt.Sprintf("key %#x", h.key(rank))
		found := explained(what, keyModel, events, patience)
		if found != nil && (smallest == nil || len(events) < len(smallest.events)) {
			smallest = found
		}
	}
	return smallest
}

// project takes what was asked of the keys from lo to hi, and nothing else;
// the parts of scans are left out, as they took effect at different moments.
func (h *history) project(lo, hi int) (events []*event, nearest int) {
	for _, list := range h.perKey[lo : hi+1] {
		for _, e := range list {
			if e.record.asked.opcode < opScan && e.parts == nil &&
				(e.whole == nil || e.whole.lo < lo || e.whole.hi > hi) {
				events = append(events, e)
			}
		}
	}
	for _, e := range h.nearest {
		if e.parts != nil {
			e = e.within(lo, hi)
		}
		if e != nil && e.lo >= lo && e.hi <= hi {
			events = append(events, e)
			if e.parts == nil || e.lo < e.hi {
				nearest++
			}
		}
	}
	return events, nearest
}

func (h *history) checkWindow(lo, hi int, patience time.Duration) *finding {
	events, nearest := h.project(lo, hi)
	if nearest == 0 {
		return nil
	}
	h.counts.windows++
	what := fmt.Sprintf("keys %#x to %#x", h.key(lo), h.key(hi))
	return explained(what, windowModel(lo), events, patience)
}

// narrowest finds a smaller window that no order explains either.
func (h *history) narrowest(found *finding, lo, hi int, patience time.Duration) *finding {
	sort.Slice(h.nearest, func(i, j int) bool {
		a, b := h.nearest[i], h.nearest[j]
		return a.hi-a.lo < b.hi-b.lo
	})
	for _, e := range h.nearest {
		if e.lo < lo || e.hi > hi || e.lo > e.hi {
			continue
		}
		if smaller := h.checkWindow(e.lo, e.hi, patience); smaller != nil {
			return smaller
		}
	}
	return found
}

// checkNearest looks at windows that overlap; an answer is wide if it says
// something of more keys than fit any.
func (h *history) checkNearest(patience time.Duration) *finding {
	last := int(h.keys) - 1
	covered := make(map[*event]bool)
	for lo := 0; ; lo += windowKeys / 2 {
		hi := lo + windowKeys - 1
		if hi > last {
			hi = last
		}
		for _, e := range h.nearest {
			if e.lo >= lo && e.hi <= hi {
				covered[e] = true
			}
		}
		if found := h.checkWindow(lo, hi, patience); found != nil {
			return h.narrowest(found, lo, hi, patience)
		}
		if hi == last {
			break
		}
	}
	h.counts.nearest = len(covered)
	h.counts.wide = len(h.nearest) - len(covered)
	return nil
}

// check looks at one round.
func check(r *round, patience time.Duration) (counts, *finding) {
	h, found := takeApart(r)
	if found != nil {
		return counts{}, found
	}
	found = h.checkKeys(patience)
	if found == nil {
		found = h.checkNearest(patience)
	}
	return h.counts, found
}
