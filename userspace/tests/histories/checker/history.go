// SPDX-License-Identifier: GPL-2.0

package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// What a recorder writes: see ../history.h.
const (
	magic      = 0x32524c42
	headSize   = 80
	recordSize = 96
	entrySize  = 16
	maxClients = 8
	maxRecords = 8 * 16384
	maxEntries = 8 * 32768
)

// Operation codes of <linux/blink_tree.h>, and two of the recorder's.
const (
	opLookup = iota
	opInsert
	opStore
	opReplace
	opErase
	opCmpxchg
	opCmperase
	opFloor
	opCeiling
	opGetOrInsert
	opPopMin
	opPopMax
	opExpect
	opAbsent
	opAdd
	opAddSaturate
	opScan
	opScanDesc
)

// Flags of operations: of <linux/blink_tree.h>, for commits, and the recorder's.
const (
	gapEmpty = 1 << 0
	gapClear = 1 << 1
	inCommit = 1 << 15
)

var opNames = [...]string{
	"lookup", "insert", "store", "replace", "erase", "cmpxchg",
	"cmperase", "floor", "ceiling", "get or insert", "pop min", "pop max",
	"expect", "absent", "add", "add within limits", "scan", "scan down",
}

// What a recorder notes in the operation as it was asked.
const (
	untold  = 1<<64 - 1 // an insertion that does not tell what is there: a load
	oneCall = 1         // a scan of one call
)

// Results of operations.
const (
	resultAbsent   = -2   // -ENOENT
	resultPresent  = -17  // -EEXIST
	resultNotEmpty = -39  // -ENOTEMPTY
	resultOther    = -116 // -ESTALE
	resultCanceled = -125 // -ECANCELED
)

type operation struct {
	opcode     uint16
	flags      uint16
	result     int32
	key        uint64
	value, old uint64
}

type entry struct {
	key, value uint64
}

// A record is an operation, what it was before and after, and when.
type record struct {
	start, end int64
	asked, got operation
	client     uint32
	batch      uint32
	place      uint32
	entries    []entry
}

// A round is the history of one tree, which was empty at first.
type round struct {
	raw           []byte
	clients       uint32
	seed, number  uint64
	base, step    uint64
	keys, nearest uint32
	mode          string
	oneLeaf       bool
	records       []record
}

func (r *round) String() string {
	return fmt.Sprintf("mode %s, seed %d, round %d, %d clients, %d keys",
		r.mode, r.seed, r.number, r.clients, r.keys)
}

// rank is the number of a key there can be, or of the next one below.
func (r *round) rank(key uint64) int {
	return int((key - r.base) / r.step)
}

func (r *round) isKey(key uint64) bool {
	return key >= r.base && (key-r.base)%r.step == 0 &&
		(key-r.base)/r.step < uint64(r.keys)
}

func (r *round) key(rank int) uint64 {
	return r.base + uint64(rank)*r.step
}

func decodeOperation(data []byte) operation {
	le := binary.LittleEndian
	return operation{
		opcode: le.Uint16(data),
		flags:  le.Uint16(data[2:]),
		result: int32(le.Uint32(data[4:])),
		key:    le.Uint64(data[8:]),
		value:  le.Uint64(data[16:]),
		old:    le.Uint64(data[24:]),
	}
}

func (r *round) decodeHead(head []byte) (records, entries uint32, err error) {
	le := binary.LittleEndian
	records, entries = le.Uint32(head[8:]), le.Uint32(head[12:])
	r.clients = le.Uint32(head[4:])
	r.seed, r.number = le.Uint64(head[16:]), le.Uint64(head[24:])
	r.base, r.step = le.Uint64(head[32:]), le.Uint64(head[40:])
	r.keys, r.nearest = le.Uint32(head[48:]), le.Uint32(head[52:])
	r.mode = string(bytes.TrimRight(head[56:72], "\x00"))
	r.oneLeaf = le.Uint32(head[72:]) != 0
	if le.Uint32(head) != magic || records > maxRecords || entries > maxEntries ||
		r.clients > maxClients || r.step == 0 || r.keys == 0 {
		return 0, 0, errors.New("this is no history")
	}
	return records, entries, nil
}

func (r *round) decodeRecords(data []byte, count uint32) error {
	le := binary.LittleEndian
	entries := data[count*recordSize:]
	r.records = make([]record, count)
	for i := range r.records {
		from := data[i*recordSize:]
		rec := &r.records[i]
		rec.start, rec.end = int64(le.Uint64(from)), int64(le.Uint64(from[8:]))
		rec.asked, rec.got = decodeOperation(from[16:]), decodeOperation(from[48:])
		rec.client, rec.batch = le.Uint32(from[80:]), le.Uint32(from[84:])
		rec.place = le.Uint32(from[88:])
		rec.entries = make([]entry, le.Uint32(from[92:]))
		if rec.client >= r.clients || len(rec.entries)*entrySize > len(entries) {
			return errors.New("a record that cannot be")
		}
		for j := range rec.entries {
			rec.entries[j] = entry{le.Uint64(entries), le.Uint64(entries[8:])}
			entries = entries[entrySize:]
		}
	}
	return nil
}

// readRound reads the next round; io.EOF if there is none.
func readRound(from io.Reader) (*round, error) {
	head := make([]byte, headSize)
	if _, err := io.ReadFull(from, head); err != nil {
		return nil, err
	}
	r := &round{}
	records, entries, err := r.decodeHead(head)
	if err != nil {
		return nil, err
	}
	r.raw = make([]byte, headSize+records*recordSize+entries*entrySize)
	copy(r.raw, head)
	if _, err := io.ReadFull(from, r.raw[headSize:]); err != nil {
		return nil, err
	}
	return r, r.decodeRecords(r.raw[headSize:], records)
}
