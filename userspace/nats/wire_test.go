// SPDX-License-Identifier: GPL-2.0

package main

import (
	"encoding/binary"
	"errors"
	"reflect"
	"testing"
)

var samples = []*message{
	{kind: kindBegin, epoch: 7, first: 1, last: 9, written: -1, text: "tree a of b"},
	{kind: kindEntries, flags: flagScanned, epoch: 1 << 63, position: 3, head: 4, first: 5,
		last: everything, entries: []entry{{5, 1}, {6, everything}}},
	{kind: kindEntries, last: everything, entries: []entry{}},
	{kind: kindChanges, last: 1, changes: []change{
		{kind: changeStore, key: 1, operand: 2}, {kind: changeErase, key: 3, operand: 4},
		{kind: changeNone}, {kind: changeStore, key: 1, more: 1}, {kind: changeStore, key: 2},
	}},
}

func TestMessagesKeepTheirContents(t *testing.T) {
	for _, m := range samples {
		got, err := decode(m.encode())
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Fatalf("%+v became %+v, %v", m, got, err)
		}
	}
}

func TestDamagedMessagesAreRefused(t *testing.T) {
	for _, m := range samples {
		data := m.encode()
		for i := range data {
			data[i] ^= 4
			if _, err := decode(data); err == nil {
				t.Fatalf("byte %d of %+v was damaged", i, m)
			}
			data[i] ^= 4
		}
		for n := range data {
			if _, err := decode(data[:n]); err == nil {
				t.Fatalf("%+v was cut at %d", m, n)
			}
		}
	}
}

func TestWrongRecordsAreRefused(t *testing.T) {
	for _, m := range []*message{
		{kind: kindEntries, last: 9, entries: []entry{{2, 0}, {1, 0}}},
		{kind: kindEntries, last: 9, entries: []entry{{1, 0}, {1, 0}}},
		{kind: kindEntries, first: 1, last: 9, entries: []entry{{0, 0}}},
		{kind: kindEntries, last: 9, entries: []entry{{10, 0}}},
		{kind: kindEntries, first: 2, last: 1},
		{kind: kindChanges, position: 5, head: 4},
		{kind: kindChanges, changes: []change{{}}},
		{kind: kindChanges, flags: flagScanned},
		{kind: kindEntries, flags: 2},
		{kind: kindChanges, changes: []change{{kind: 4}}},
		{kind: kindChanges, changes: []change{{kind: changeStore, more: 1}}},
		{kind: kindChanges, changes: []change{
			{kind: changeStore, more: 2}, {kind: changeStore}, {kind: changeStore},
		}},
		{kind: kindChanges, changes: []change{
			{kind: changeStore, more: 1}, {kind: changeStore, more: 1}, {kind: changeStore},
		}},
		{kind: 9},
	} {
		if _, err := decode(m.encode()); !errors.Is(err, errMessage) {
			t.Fatalf("%+v: %v", m, err)
		}
	}
}

// Messages of other versions are whole, and may mean something else.
func TestOtherVersionsAreRefused(t *testing.T) {
	for _, number := range []byte{0, version + 1, 255} {
		data := samples[0].encode()
		data[4] = number
		binary.LittleEndian.PutUint32(data[60:], checksum(data))
		if _, err := decode(data); err == nil {
			t.Fatalf("a message of version %d", number)
		}
	}
}
