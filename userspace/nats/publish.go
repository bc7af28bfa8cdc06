// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io/fs"
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
	// place tells a person where the tree is.
	place string
	// excess is how many more changes than entries an epoch can have.
	excess uint64
	log    func(format string, args ...any)

	// epoch is the number of the last one, and partial whether its scan has not ended.
	epoch   uint64
	partial bool
	feed    feed
	buf     []change
	looked  time.Time
	// trouble says why an epoch did not last, and delay is the last pause behind one.
	trouble trouble
	delay   time.Duration

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
	p.trouble = trouble{log: p.log}
	p.stream.look = p.look
	ready := func(context.Context) error { return nil }
	prepare := p.stream.adopt
	for ctx.Err() == nil {
		err := prepare(ctx)
		if err == nil {
			prepare = ready
			err = p.publishEpoch(ctx)
		}
		if err != nil {
			p.unready()
		}
		switch {
		case errors.Is(err, errRolledBack):
			prepare = p.stream.adopt
			err = p.rest(ctx, err)
		case errors.Is(err, errForeign):
			prepare = p.stream.pass
			err = p.rest(ctx, err)
		case errors.Is(err, errOverrun):
			err = p.rest(ctx, err)
		case errors.Is(err, errNameLost):
			p.log("%v: publishing the one that has it", err)
			err = p.reopen(ctx)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// rest says why the tree is scanned again, and pauses: the reason may last. As long as no scan
// ends, each pause is twice as long as the last one, up to a limit.
func (p *publisher) rest(ctx context.Context, reason error) error {
	p.trouble.say("%v: scanning the tree again", reason)
	if p.delay *= 2; !p.partial || p.delay < pause {
		p.delay = pause
	}
	if p.delay > patience {
		p.delay = patience
	}
	return sleep(ctx, p.delay)
}

// reopen waits until a tree has the name.
func (p *publisher) reopen(ctx context.Context) error {
	var failed error
	err := retry(ctx, p.log, func() error {
		if failed = p.source.reopen(); errors.Is(failed, fs.ErrNotExist) {
			return failed
		}
		return nil
	})
	if err != nil {
		return err
	}
	return failed
}

func (p *publisher) publishEpoch(ctx context.Context) error {
	identity, err := p.source.identity()
	if err != nil {
		return err
	}
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

	begins := &message{kind: kindBegin, text: placeOf(p.place, identity)}
	if err := p.send(ctx, beginSubject(p.stream.name), begins); err != nil {
		return err
	}
	if err := p.stream.flush(ctx); err != nil {
		return err
	}
	begin := p.stream.last
	// No copy can use an epoch without a whole scan. The stream would grow as long as none
	// ends.
	if p.partial {
		if err := p.stream.forget(ctx, begin); err != nil {
			return err
		}
	}
	p.partial = true
	entries, err := p.scan(ctx)
	if err != nil {
		return err
	}
	p.partial = false
	// Copies that are still busy with older messages begin again.
	if err := p.stream.forget(ctx, begin); err != nil {
		return err
	}
	p.log("epoch %x begins with %d entries", p.epoch, entries)
	return p.follow(ctx, begin, growth*entries+p.excess)
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
	return p.stream.append(ctx, subject, m.encode(), func() { p.note(m) })
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
	return total, p.stream.flush(ctx)
}

// look notices at times what no change tells.
func (p *publisher) look() error {
	if time.Since(p.looked) < lookPeriod {
		return nil
	}
	p.looked = time.Now()
	return checkNamed(p.source)
}

// drain publishes the changes that there are up to a position, and returns their number.
func (p *publisher) drain(ctx context.Context, head uint64) (uint64, error) {
	if err := p.look(); err != nil {
		return 0, err
	}
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

// follow publishes changes until there are so many that a scan is shorter. While the tree
// does not change, it looks whether the stream still has all messages since a sequence number.
func (p *publisher) follow(ctx context.Context, begin, most uint64) error {
	checked := time.Now()
	for total := uint64(0); total < most; {
		changes, err := p.drain(ctx, p.feed.head())
		if err != nil {
			return err
		}
		total += changes
		if err := p.stream.flush(ctx); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.feed.wait(feedWait); err != nil {
			return err
		}
		if time.Since(checked) > patience {
			if err := p.stream.check(ctx, begin); err != nil {
				return err
			}
			checked = time.Now()
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
	// The server can acknowledge messages of an epoch that the publisher has given up.
	if m.kind == kindBegin || m.epoch != p.epoch {
		p.report.Ready = false
	}
}

// unready remembers that the stream lacks changes until the scan of the next epoch has ended.
func (p *publisher) unready() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.report.Ready = false
}

// status is what this program answers to a request for it.
func (p *publisher) status() report {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.report
}
