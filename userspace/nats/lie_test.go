// SPDX-License-Identifier: GPL-2.0

package main

import (
	"encoding/binary"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// foreign are keys beside the range of a follower, which no message may change.
var foreign = []entry{{0, 1}, {999, 2}, {2000, 3}, {everything, 4}}

// followerOf is a follower of the keys from 1000 to 1999, without a server.
func followerOf(t testing.TB) (*follower, *memoryTree) {
	tree := newTree("copy")
	tree.store(append([]entry{{1000, 5}, {1500, 6}}, foreign...))
	return &follower{
		sink: &memoryName{tree}, name: "tree", first: 1000, last: 1999, looked: time.Now(),
		state: t.TempDir() + "/copy.json", log: func(string, ...any) {},
		progress: progress{Copy: "copy"},
	}, tree
}

// tell lets a follower receive a message, and returns its error.
func (f *follower) tell(m *message) error {
	subject := dataSubject(f.name)
	if m.kind == kindBegin {
		subject = beginSubject(f.name)
	}
	return f.receive(&nats.RawStreamMsg{
		Subject: subject, Sequence: f.progress.Sequence + 1, Data: m.encode(),
	})
}

func expectForeignKeys(t testing.TB, tree *memoryTree) {
	t.Helper()
	all := tree.all()
	got := append(within(all, 0, 999), within(all, 2000, everything)...)
	if !reflect.DeepEqual(got, foreign) {
		t.Fatalf("the keys of others are %v", got)
	}
}

// Each message lies in one field. The follower refuses it, and changes nothing.
func TestLiesAreRefused(t *testing.T) {
	begin := func() *message { return &message{kind: kindBegin, epoch: 1, first: 1000, last: 1999} }
	chunk := func() *message {
		return &message{kind: kindEntries, epoch: 1, first: 1200, last: 1300, position: 1, head: 5}
	}
	changes := func() *message {
		return &message{kind: kindChanges, epoch: 1, first: 1000, last: 1999, position: 3, head: 5,
			changes: []change{
				{kind: changeStore, key: 1000, operand: 7},
				{kind: changeErase, key: 1500, operand: 1500},
			}}
	}
	for what, lie := range map[string]func() *message{
		"the epoch is all keys":    func() *message { m := begin(); m.first, m.last = 0, everything; return m },
		"one key before the range": func() *message { m := begin(); m.first--; return m },
		"one key behind the range": func() *message { m := begin(); m.last++; return m },
		"an epoch behind changes":  func() *message { m := begin(); m.position, m.head = 1, 1; return m },
		"a begin that ends a scan": func() *message { m := begin(); m.flags = flagScanned; return m },
		"a chunk of all keys":      func() *message { m := chunk(); m.first, m.last = 0, 1<<62; return m },
		"a chunk up to the end":    func() *message { m := chunk(); m.last = everything; return m },
		"a chunk twice":            func() *message { m := chunk(); m.first, m.last = 1100, 1199; return m },
		"a chunk is left out":      func() *message { m := chunk(); m.first++; return m },
		"the scan ends early":      func() *message { m := chunk(); m.flags = flagScanned; return m },
		"the scan does not end":    func() *message { m := chunk(); m.last = 1999; return m },
		"an unknown flag":          func() *message { m := chunk(); m.flags = 2; return m },
		"another range":            func() *message { m := changes(); m.first++; return m },
		"changes are left out":     func() *message { m := changes(); m.position++; return m },
		"changes come twice":       func() *message { m := changes(); m.position--; return m },
		"the head goes back":       func() *message { m := changes(); m.head = 3; return m },
		"behind the head":          func() *message { m := changes(); m.position = 6; return m },
		"a range backwards":        func() *message { m := changes(); m.changes[1].key, m.changes[1].operand = 2, 1; return m },
		"a huge position":          func() *message { m := changes(); m.position, m.head = everything, everything; return m },
	} {
		f, tree := followerOf(t)
		for _, m := range []*message{
			begin(),
			{kind: kindEntries, epoch: 1, first: 1000, last: 1199, entries: []entry{{1000, 5}}, head: 1},
			{kind: kindChanges, epoch: 1, first: 1000, last: 1999, position: 1, head: 4,
				changes: []change{{kind: changeStore, key: 1100, operand: 8}}},
		} {
			must(t, f.tell(m))
		}
		before, progress := tree.all(), f.progress
		if err := f.tell(lie()); err == nil || errors.Is(err, errApply) || errors.Is(err, errGap) {
			t.Errorf("%s: %v", what, err)
		}
		expectEqual(t, tree.all(), before)
		if f.progress != progress {
			t.Errorf("%s: %+v became %+v", what, progress, f.progress)
		}
		for _, m := range []*message{chunk(), changes()} {
			if err := f.tell(m); err != nil {
				t.Fatalf("%s: the truth behind it: %v", what, err)
			}
		}
	}
}

func TestSubjectsHaveTheirKinds(t *testing.T) {
	f, _ := followerOf(t)
	begin := &message{kind: kindBegin, epoch: 1, first: 1000, last: 1999}
	for _, subject := range []string{dataSubject("tree"), beginSubject("other"), ""} {
		if f.receive(&nats.RawStreamMsg{Subject: subject, Sequence: 1, Data: begin.encode()}) == nil {
			t.Errorf("an epoch begins in %q", subject)
		}
	}
}

// FuzzMessages: a message is refused, or has exactly the bytes that it would be sent with.
func FuzzMessages(f *testing.F) {
	for _, m := range samples {
		f.Add(m.encode())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, checked := range [][]byte{data, withChecksum(data)} {
			if m, err := decode(checked); err == nil && string(m.encode()) != string(checked) {
				t.Fatalf("%x became %x", checked, m.encode())
			}
		}
	})
}

// withChecksum lets data have the checksum that it should have.
func withChecksum(data []byte) []byte {
	data = append([]byte(nil), data...)
	if len(data) >= headerSize {
		binary.LittleEndian.PutUint32(data[60:], checksum(data))
	}
	return data
}

// FuzzFollower: messages that a hostile publisher writes, of which any field can lie, change no
// key that the follower may not change, and let nothing panic. A byte is the length of a
// message, in words: the words are its header and its records.
func FuzzFollower(f *testing.F) {
	sequence := []byte{}
	for _, m := range []*message{
		{kind: kindBegin, epoch: 1, first: 1000, last: 1999},
		{kind: kindEntries, epoch: 1, first: 1000, last: 1199, entries: []entry{{1000, 5}}, head: 1},
		{kind: kindChanges, epoch: 1, first: 1000, last: 1999, position: 2, head: 4,
			changes: []change{
				{kind: changeStore, key: 1100, operand: 8},
				{kind: changeErase, operand: everything},
			}},
		{kind: kindEntries, epoch: 1, flags: flagScanned, first: 1200, last: 1999, position: 2, head: 4},
	} {
		data := m.encode()
		sequence = append(append(sequence, byte(len(data)/8)), data...)
		f.Add(sequence)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		follower, tree := followerOf(t)
		for len(data) > 0 {
			size := 8 * int(data[0])
			if size > len(data)-1 {
				size = len(data) - 1
			}
			part := withChecksum(data[1 : 1+size])
			data = data[1+size:]
			subject := dataSubject("tree")
			if size > 5 && part[5] == byte(kindBegin) {
				subject = beginSubject("tree")
			}
			err := follower.receive(&nats.RawStreamMsg{
				Subject: subject, Sequence: follower.progress.Sequence + 1, Data: part,
			})
			if errors.Is(err, errGap) {
				follower.progress = progress{Copy: "copy"}
			}
			expectForeignKeys(t, tree)
		}
	})
}

// FuzzAcknowledgements: whatever comes to the inbox, no more messages are stored than there
// are in the window, and their numbers are right.
func FuzzAcknowledgements(f *testing.F) {
	f.Add("inbox.3", []byte(`{"stream":"blink_tree","seq":103}`))
	f.Add("inbox.5", []byte(`{"stream":"blink_tree","seq":105}`))
	f.Add("inbox.18446744073709551615", []byte(`{"error":{"code":400}}`))
	f.Fuzz(func(t *testing.T, subject string, data []byte) {
		s := windowOf(t, 4)
		stored, known, err := s.weigh(&nats.Msg{Subject: subject, Data: data})
		if !known || err != nil {
			return
		}
		if stored == 0 || stored > 4 {
			t.Fatalf("%d messages of 4", stored)
		}
		s.acknowledged(stored)
		if s.last != 100+stored {
			t.Fatalf("the last one has the number %d", s.last)
		}
	})
}

// FuzzReports: a report is refused, or printed without harm.
func FuzzReports(f *testing.F) {
	f.Add([]byte(`{"role":"publisher","host":"one","tree":"ages","written":"2026-01-02T03:04:05Z"}`))
	f.Add([]byte(`{"role":"follower","host":"\u001b\u202e\u2028","written":"9999-12-31T23:59:59-23:59"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := parseReport(data)
		if err != nil {
			return
		}
		var out safe
		must(t, show(&out, []report{r}, time.Now()))
		if err := showJSON(&out, []report{r}); err != nil || out.harmful {
			t.Fatalf("%+v: %v", r, err)
		}
	})
}

// safe is an output that looks for characters that do harm.
type safe struct{ harmful bool }

func (s *safe) Write(data []byte) (int, error) {
	s.harmful = s.harmful || harmful(string(data))
	return len(data), nil
}

// FuzzObjects: a description is refused, or leads to the chunks of one object.
func FuzzObjects(f *testing.F) {
	f.Add([]byte(`{"name":"today","nuid":"abc","size":4,"chunks":1,"digest":"SHA-256=a"}`))
	f.Add([]byte(`{"nuid":">"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		info, err := parseObject(data)
		if err == nil && (strings.ContainsAny(chunkSubject(info.NUID), "*> ") ||
			strings.Count(chunkSubject(info.NUID), ".") != 3) {
			t.Fatal(info.NUID)
		}
	})
}
