// SPDX-License-Identifier: GPL-2.0

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// A message is a header and its records. All numbers have their least significant byte
// first, and the checksum (CRC-32C) is that of the message whose checksum is zero.
//
//	offset  size
//	0       4     magic "BLNF"
//	4       1     version
//	5       1     kind
//	6       2     flags
//	8       8     epoch: a random number, the same in all messages of an epoch
//	16      8     position: the changes before it are in this message or an earlier one
//	24      8     head: the position of the tree's next change
//	32      8     when the message was written, in ns since 1970
//	40      8     first key
//	48      8     last key
//	56      4     number of records, or bytes of the text
//	60      4     checksum
const (
	magic      = 0x464e4c42
	version    = 1
	headerSize = 64
	entrySize  = 16
	changeSize = 24
	// recordsMax is the most records of a message, and placeMax the most bytes of its text.
	recordsMax = 512
	placeMax   = 1024
)

type messageKind uint8

// The kinds of messages.
const (
	// kindBegin begins an epoch: a scan of the keys from first to last, and all changes
	// since its begin. Its text tells a person where the tree is.
	kindBegin messageKind = 1
	// kindEntries has all entries whose keys are from first to last.
	kindEntries messageKind = 2
	// kindChanges has changes.
	kindChanges messageKind = 3
)

// flagScanned: this message ends the scan. A copy is equal to a state of the tree as soon
// as its position is what head is here.
const flagScanned = 1

type entry struct{ key, value uint64 }

// placeOf is the text of a message that begins an epoch: where the tree is, and which it is.
func placeOf(place, identity string) string { return fmt.Sprintf("%s (%s)", place, identity) }

type changeKind uint64

// The kinds of changes.
const (
	// changeStore: operand is the value of key from now on.
	changeStore changeKind = 1
	// changeErase: the tree lost its keys from key to operand.
	changeErase changeKind = 2
	// changeNone: something else happened to the tree. It changes no key, and counts as a
	// change: the positions of messages are those of the kernel's records.
	changeNone changeKind = 3
)

// A change of a commit says how many of the next changes are of the same commit. All of them
// are in one message.
type change struct {
	kind         changeKind
	key, operand uint64
	more         uint32
}

// moreShift is where a record has the number of the next changes of the same commit.
const moreShift = 32

type message struct {
	kind                  messageKind
	flags                 uint16
	epoch, position, head uint64
	written               int64
	first, last           uint64
	text                  string
	entries               []entry
	changes               []change
}

var errMessage = errors.New("not a message of this program")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (m *message) count() int {
	return len(m.text) + len(m.entries) + len(m.changes)
}

func (m *message) encode() []byte {
	data := make([]byte, headerSize, headerSize+m.count()*changeSize)
	little := binary.LittleEndian
	little.PutUint32(data, magic)
	data[4] = version
	data[5] = byte(m.kind)
	little.PutUint16(data[6:], m.flags)
	for i, word := range []uint64{m.epoch, m.position, m.head, uint64(m.written), m.first, m.last} {
		little.PutUint64(data[8+8*i:], word)
	}
	little.PutUint32(data[56:], uint32(m.count()))
	data = append(data, m.text...)
	for _, e := range m.entries {
		data = little.AppendUint64(little.AppendUint64(data, e.key), e.value)
	}
	for _, c := range m.changes {
		data = little.AppendUint64(data, uint64(c.kind)|uint64(c.more)<<moreShift)
		data = little.AppendUint64(little.AppendUint64(data, c.key), c.operand)
	}
	little.PutUint32(data[60:], crc32.Checksum(data, castagnoli))
	return data
}

// checksum is that of a message as it arrived.
func checksum(data []byte) uint32 {
	sum := crc32.Update(0, castagnoli, data[:headerSize-4])
	sum = crc32.Update(sum, castagnoli, make([]byte, 4))
	return crc32.Update(sum, castagnoli, data[headerSize:])
}

func decode(data []byte) (*message, error) {
	little := binary.LittleEndian
	if len(data) < headerSize || little.Uint32(data) != magic {
		return nil, errMessage
	}
	if data[4] != version {
		return nil, fmt.Errorf("a message of version %d, this program knows %d", data[4], version)
	}
	if little.Uint32(data[60:]) != checksum(data) {
		return nil, fmt.Errorf("%w: its checksum is wrong", errMessage)
	}
	word := func(i int) uint64 { return little.Uint64(data[8+8*i:]) }
	m := &message{
		kind: messageKind(data[5]), flags: little.Uint16(data[6:]),
		epoch: word(0), position: word(1), head: word(2), written: int64(word(3)),
		first: word(4), last: word(5),
	}
	return m, m.decodeRecords(little.Uint32(data[56:]), data[headerSize:])
}

// decodeBegin decodes a message that begins an epoch.
func decodeBegin(data []byte) (*message, error) {
	m, err := decode(data)
	if err == nil && m.kind != kindBegin {
		err = fmt.Errorf("%w: it begins no epoch", errMessage)
	}
	return m, err
}

func (m *message) decodeRecords(count uint32, data []byte) error {
	sizes := map[messageKind]uint64{kindBegin: 1, kindEntries: entrySize, kindChanges: changeSize}
	most := map[messageKind]uint32{kindBegin: placeMax, kindEntries: recordsMax, kindChanges: recordsMax}
	size := sizes[m.kind]
	if size == 0 || uint64(len(data)) != uint64(count)*size || count > most[m.kind] {
		return fmt.Errorf("%w: its header and its size do not agree", errMessage)
	}
	if m.first > m.last || m.position > m.head ||
		m.flags != 0 && (m.kind != kindEntries || m.flags != flagScanned) {
		return fmt.Errorf("%w: its header contradicts itself", errMessage)
	}
	switch m.kind {
	case kindBegin:
		m.text = string(data)
	case kindEntries:
		return m.decodeEntries(count, data)
	case kindChanges:
		return m.decodeChanges(count, data)
	}
	return nil
}

func (m *message) decodeEntries(count uint32, data []byte) error {
	little := binary.LittleEndian
	m.entries = make([]entry, count)
	for i := range m.entries {
		m.entries[i] = entry{little.Uint64(data[entrySize*i:]), little.Uint64(data[entrySize*i+8:])}
	}
	for i, e := range m.entries {
		if e.key < m.first || e.key > m.last || i > 0 && e.key <= m.entries[i-1].key {
			return fmt.Errorf("%w: its keys are not in order", errMessage)
		}
	}
	return nil
}

func (m *message) decodeChanges(count uint32, data []byte) error {
	little := binary.LittleEndian
	m.changes = make([]change, count)
	for i := range m.changes {
		at := data[changeSize*i:]
		kind, more := uint32(little.Uint64(at)), uint32(little.Uint64(at)>>moreShift)
		c := change{changeKind(kind), little.Uint64(at[8:]), little.Uint64(at[16:]), more}
		if c.kind < changeStore || c.kind > changeNone {
			return fmt.Errorf("%w: a change of the unknown kind %d", errMessage, c.kind)
		}
		if c.kind == changeErase && c.key > c.operand {
			return fmt.Errorf("%w: a change erases a range without keys", errMessage)
		}
		if i > 0 && m.changes[i-1].more > 0 && c.more != m.changes[i-1].more-1 ||
			uint64(c.more) >= uint64(count)-uint64(i) {
			return fmt.Errorf("%w: a commit is not whole", errMessage)
		}
		m.changes[i] = c
	}
	return nil
}
