// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
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
	saved    time.Time

	mutex sync.Mutex
	noted progress
}

var (
	// errGap: the next message is not there any more, or belongs to another stream.
	errGap = errors.New("the messages that the copy needs next are gone")
	// errApply: the copy cannot be written, or is no copy of this tree.
	errApply = errors.New("copying")
)

// savePeriod is how old the file of the progress can be.
const savePeriod = time.Second

// run follows the stream until the context ends or the copy cannot be written.
func (f *follower) run(ctx context.Context) error {
	identity, err := f.sink.identity()
	if err != nil {
		return err
	}
	if f.progress, err = loadProgress(f.state, identity); err != nil {
		return err
	}
	f.note()
	err = f.sessions(ctx)
	if saving := f.progress.save(f.state); saving != nil {
		return saving
	}
	return err
}

func (f *follower) sessions(ctx context.Context) error {
	said := ""
	for {
		err := f.session(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errApply):
			return err
		case errors.Is(err, errGap):
			f.log("%v: beginning again", err)
			f.progress = progress{Copy: f.progress.Copy}
		case err != nil && err.Error() != said:
			f.log("waiting: %v", err)
			said = err.Error()
		case err == nil:
			said = ""
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
	m, err := decode(begin.Data)
	if err != nil {
		return 0, fmt.Errorf("%w: message %d: %v", errApply, begin.Sequence, err)
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
	if err := f.saveProgress(time.Now()); err != nil {
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
		return fmt.Errorf("%w: message %d: %v", errApply, sequence, err)
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
	if time.Since(f.saved) < savePeriod {
		return nil
	}
	return f.saveProgress(time.Now())
}

func (f *follower) apply(m *message) error {
	p := &f.progress
	switch m.kind {
	case kindBegin:
		*p = progress{Copy: p.Copy, Epoch: epochText(m.epoch), First: m.first, Last: m.last}
		f.log("epoch %s begins: %s", p.Epoch, m.text)
	case kindEntries:
		if m.flags&flagScanned != 0 {
			p.Scanned, p.Target = true, m.head
		}
		return merge(f.sink, m.entries, m.first, m.last)
	case kindChanges:
		return apply(f.sink, m.changes, p.First, p.Last)
	}
	return nil
}

func (f *follower) saveProgress(now time.Time) error {
	f.saved = now
	if err := f.progress.save(f.state); err != nil {
		return fmt.Errorf("%w: %v", errApply, err)
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
	info, err := f.info()
	if err == nil && info.State.LastSeq > p.Sequence {
		r.Behind = info.State.LastSeq - p.Sequence
	}
	return r
}
