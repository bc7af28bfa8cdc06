// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"sync"
	"time"
)

// A publisher writes a tree to a stream, in epochs. An epoch begins with a message that
// says so, and has the entries of a scan and all changes since its begin. The messages are
// in the order in which the publisher has read the tree and its changes: a change that came
// before a scan passed its key is in the scan, and one that came later is in a later message.
// So the messages of an epoch make a copy of the tree, whatever the copy contained before.
type publisher struct {
	source      source
	stream      *stream
	first, last uint64
	place       string
	// excess is how many more changes than entries an epoch can have.
	excess uint64
	log    func(format string, args ...any)

	// epochs is how many have begun, epoch the number of the last one.
	epochs int
	epoch  uint64
	feed   feed
	buf    []change

	mutex  sync.Mutex
	report report
}

// A new epoch begins when the changes of the last one are growth times as many as its
// entries, and excess more: so a stream has a size in proportion to that of the tree.
const (
	growth        = 4
	defaultExcess = 1 << 22
)

// feedWait is how long the publisher waits for a change before it looks around.
const feedWait = time.Second

// run publishes until the context ends or the tree or the stream cannot be used any more.
func (p *publisher) run(ctx context.Context) error {
	if err := p.stream.adopt(ctx); err != nil {
		return err
	}
	for ctx.Err() == nil {
		err := p.publishEpoch(ctx)
		switch {
		case errors.Is(err, errRolledBack):
			p.log("%v: scanning the tree again", err)
			err = p.stream.adopt(ctx)
		case errors.Is(err, errFenced) && p.epochs == 0:
			// The publisher that began last goes on, also if another one is busy.
			err = p.stream.adopt(ctx)
		case errors.Is(err, errOverrun):
			p.log("%v: scanning it again", err)
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (p *publisher) publishEpoch(ctx context.Context) error {
	changes, err := p.source.watch(p.first, p.last)
	if err != nil {
		return err
	}
	defer changes.close()
	p.feed = changes
	if err := binary.Read(rand.Reader, binary.LittleEndian, &p.epoch); err != nil {
		return err
	}
	p.buf = make([]change, 0, recordsMax)

	err = p.send(ctx, beginSubject(p.stream.name), &message{kind: kindBegin, text: p.place})
	if err != nil {
		return err
	}
	p.epochs++
	begin := p.stream.last
	entries, err := p.scan(ctx)
	if err != nil {
		return err
	}
	// Copies that are still busy with older messages begin again.
	if err := p.stream.forget(ctx, begin); err != nil {
		return err
	}
	p.log("epoch %x begins with %d entries", p.epoch, entries)
	return p.follow(ctx, growth*entries+p.excess)
}

// send completes a message and appends it.
func (p *publisher) send(ctx context.Context, subject string, m *message) error {
	if m.kind != kindEntries {
		m.first, m.last = p.first, p.last
	}
	m.epoch = p.epoch
	m.position = p.feed.position()
	m.head = p.feed.head()
	m.written = time.Now().UnixNano()
	if err := p.stream.append(ctx, subject, m.encode()); err != nil {
		return err
	}
	p.note(m)
	return nil
}

// scan publishes all entries, and the changes that the writers make meanwhile.
func (p *publisher) scan(ctx context.Context) (uint64, error) {
	total := uint64(0)
	for next, scanned := p.first, false; !scanned; {
		entries, err := p.source.scan(next, p.last, recordsMax)
		if err != nil {
			return 0, err
		}
		m := &message{kind: kindEntries, first: next, last: p.last, entries: entries}
		if len(entries) == recordsMax {
			m.last = entries[recordsMax-1].key
		}
		if scanned = m.last == p.last; scanned {
			m.flags = flagScanned
		}
		if err := p.send(ctx, dataSubject(p.stream.name), m); err != nil {
			return 0, err
		}
		total += uint64(len(entries))
		next = m.last + 1
		if _, err := p.drain(ctx, p.feed.head()); err != nil {
			return 0, err
		}
	}
	return total, nil
}

// drain publishes the changes that there are up to a position, and returns their number.
func (p *publisher) drain(ctx context.Context, head uint64) (uint64, error) {
	begin := p.feed.position()
	for p.feed.position() < head {
		changes, err := p.feed.read(p.buf[:0])
		if err != nil {
			return 0, err
		}
		m := &message{kind: kindChanges, changes: changes}
		if err := p.send(ctx, dataSubject(p.stream.name), m); err != nil {
			return 0, err
		}
	}
	return p.feed.position() - begin, nil
}

// follow publishes changes until there are so many that a scan is shorter.
func (p *publisher) follow(ctx context.Context, most uint64) error {
	for total := uint64(0); total < most; {
		changes, err := p.drain(ctx, p.feed.head())
		if err != nil {
			return err
		}
		total += changes
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.feed.wait(feedWait); err != nil {
			return err
		}
	}
	return nil
}

// note remembers what a request for the status asks for.
func (p *publisher) note(m *message) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.report.Epoch = epochText(m.epoch)
	p.report.Sequence = p.stream.last
	p.report.Position, p.report.Head = m.position, m.head
	p.report.Written = time.Unix(0, m.written)
	p.report.Ready = p.report.Ready || m.flags&flagScanned != 0
	if m.kind == kindBegin {
		p.report.Ready = false
	}
}

// status is what this program answers to a request for it.
func (p *publisher) status() report {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.report
}
