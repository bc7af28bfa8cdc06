// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// A follower keeps a tree equal to the one that a stream describes.
type follower struct {
	sink  sink
	js    nats.JetStreamContext
	name  string
	state string
	log   func(format string, args ...any)

	progress progress
	looked   time.Time
	saving   trouble

	mutex sync.Mutex
	noted progress
}

var (
	// errGap: the next message is not there any more, or belongs to another stream.
	errGap = errors.New("the messages that the copy needs next are gone")
	// errApply: the copy cannot be written, or is no copy of this tree.
	errApply = errors.New("copying")
	// errItself: the follower would undo the changes of other programs.
	errItself = errors.New("the copy is the tree that is published")
)

// run follows the stream until the context ends or the copy cannot be written. The copy is
// the tree that has the name.
func (f *follower) run(ctx context.Context) error {
	for {
		err := f.followInto(ctx)
		if !errors.Is(err, errNameLost) {
			return err
		}
		f.log("%v: copying into the one that has it", err)
		if err := f.sink.reopen(); err != nil {
			return err
		}
	}
}

// followInto follows the stream with the tree that is open.
func (f *follower) followInto(ctx context.Context) error {
	identity, err := f.sink.identity()
	if err != nil {
		return err
	}
	if f.progress, err = loadProgress(f.state, identity); err != nil {
		return err
	}
	if err := f.progress.save(f.state); err != nil {
		return err
	}
	f.saving = trouble{log: f.log}
	f.note()
	err = f.sessions(ctx)
	saving := f.progress.save(f.state)
	if saving != nil && ctx.Err() != nil {
		return saving
	}
	if saving != nil {
		f.saving.say("the progress is not saved: %v", saving)
	}
	return err
}

func (f *follower) sessions(ctx context.Context) error {
	trouble := trouble{log: f.log}
	for {
		err := f.session(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errApply) || errors.Is(err, errNameLost):
			return err
		case errors.Is(err, errGap):
			trouble.say("%v: beginning again", err)
			f.progress = progress{Copy: f.progress.Copy}
		case err != nil:
			trouble.say("waiting: %v", err)
		}
		// While no server answers, no session looks.
		if err := checkNamed(f.sink); err != nil {
			return err
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// session applies messages from where the copy is, or from the last begin of an epoch,
// until something is wrong or the server has been silent.
func (f *follower) session(ctx context.Context) error {
	info, err := f.info()
	if err != nil {
		return err
	}
	created := info.Created
	next, err := f.next()
	if err != nil || next == 0 {
		return err
	}
	subscription, err := f.js.SubscribeSync("blink."+f.name+".*", nats.OrderedConsumer(),
		nats.BindStream(streamName(f.name)), nats.StartSequence(next))
	if err != nil {
		return err
	}
	defer subscription.Unsubscribe()
	for silent := false; !silent; {
		limited, cancel := context.WithTimeout(ctx, patience)
		arrived, err := subscription.NextMsgWithContext(limited)
		cancel()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, context.DeadlineExceeded):
			silent, err = f.silent(next, created)
		case err == nil:
			err = f.receive(arrived, next)
			next++
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// next is the sequence number of the message from which the copy continues; 0 if the stream
// has none.
func (f *follower) next() (uint64, error) {
	begin, err := f.js.GetLastMsg(streamName(f.name), beginSubject(f.name), nats.MaxWait(patience))
	if errors.Is(err, nats.ErrMsgNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	m, err := decodeBegin(begin.Data)
	if err != nil {
		return 0, fmt.Errorf("message %d: %w", begin.Sequence, err)
	}
	if f.progress.Epoch == epochText(m.epoch) {
		return f.progress.Sequence + 1, nil
	}
	return begin.Sequence, nil
}

func (f *follower) info() (*nats.StreamInfo, error) {
	return f.js.StreamInfo(streamName(f.name), nats.MaxWait(patience))
}

// silent decides whether messages should have come in the time that passed, or the stream
// is another one.
func (f *follower) silent(next uint64, created time.Time) (bool, error) {
	if err := f.look(); err != nil {
		return true, err
	}
	info, err := f.info()
	if err != nil {
		return true, err
	}
	return info.State.LastSeq+1 != next || !info.Created.Equal(created), nil
}

// receive applies a message, which has to have the expected sequence number.
func (f *follower) receive(arrived *nats.Msg, expected uint64) error {
	metadata, err := arrived.Metadata()
	if err != nil {
		return err
	}
	sequence := metadata.Sequence.Stream
	if sequence != expected {
		return errGap
	}
	m, err := decode(arrived.Data)
	if err != nil {
		// The publisher begins an epoch behind a message of another program.
		return fmt.Errorf("message %d: %w", sequence, err)
	}
	if m.kind != kindBegin && epochText(m.epoch) != f.progress.Epoch {
		return errGap
	}
	if err := f.apply(m); err != nil {
		return fmt.Errorf("%w: message %d: %v", errApply, sequence, err)
	}
	f.progress.Sequence = sequence
	f.progress.Position, f.progress.Head = m.position, m.head
	f.progress.Written = time.Unix(0, m.written)
	f.note()
	if time.Since(f.looked) < lookPeriod {
		return nil
	}
	return f.look()
}

func (f *follower) apply(m *message) error {
	p := &f.progress
	switch m.kind {
	case kindBegin:
		if strings.HasSuffix(m.text, placeOf("", p.Copy)) {
			return errItself
		}
		*p = progress{Copy: p.Copy, Epoch: epochText(m.epoch), First: m.first, Last: m.last}
		f.log("epoch %s begins: %s", p.Epoch, m.text)
	case kindEntries:
		if err := merge(f.sink, m.entries, m.first, m.last); err != nil {
			return err
		}
		if m.flags&flagScanned != 0 {
			p.Scanned, p.Target = true, m.head
		}
	case kindChanges:
		return apply(f.sink, m.changes, p.First, p.Last)
	}
	return nil
}

// look saves the progress, if the copy still has its name. If that fails, the file is older,
// and the follower that starts again applies more messages twice.
func (f *follower) look() error {
	if err := checkNamed(f.sink); err != nil {
		return err
	}
	f.looked = time.Now()
	if err := f.progress.save(f.state); err != nil {
		f.saving.say("the progress is not saved: %v", err)
	}
	return nil
}

// note remembers what a request for the status asks for.
func (f *follower) note() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.noted = f.progress
}

// status is what this program answers to a request for it.
func (f *follower) status() report {
	f.mutex.Lock()
	p := f.noted
	f.mutex.Unlock()
	r := report{
		Epoch: p.Epoch, Sequence: p.Sequence, Position: p.Position, Head: p.Head,
		Written: p.Written, Ready: p.Scanned && p.Position >= p.Target,
	}
	info, err := f.js.StreamInfo(streamName(f.name), nats.MaxWait(statusPatience))
	if err == nil && info.State.LastSeq > p.Sequence {
		r.Behind = info.State.LastSeq - p.Sequence
	}
	return r
}
