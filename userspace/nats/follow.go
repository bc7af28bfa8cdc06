// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// A follower keeps a tree equal to the one that a stream describes.
type follower struct {
	sink       sink
	connection *nats.Conn
	js         nats.JetStreamContext
	name       string
	state      string
	log        func(format string, args ...any)
	// first and last are the keys that the follower may change, whatever the stream says.
	first, last uint64

	progress progress
	// created is when the server created the stream that the copy follows.
	created time.Time
	// again is the number of the last message that the copy can have already, although the
	// progress is before it: the file that was loaded can be older than the copy.
	again  uint64
	looked time.Time
	saving trouble

	mutex sync.Mutex
	noted standing
}

// standing is how far a copy is in a stream.
type standing struct {
	progress
	created time.Time
	again   uint64
}

var (
	// errGap: the next message is not there any more, or belongs to another epoch. The copy
	// remains as it is until an epoch begins behind the gap. If the follower applied the last
	// epoch again, the copy would go back to older states, and end at the same gap.
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
	// The follower that saved it had other options: the begin of the epoch is weighed again.
	if f.progress.First < f.first || f.progress.Last > f.last {
		f.progress = progress{Copy: identity}
	}
	if f.again = 0; f.progress.Epoch != "" {
		f.again = math.MaxUint64
	}
	f.saving = trouble{log: f.log}
	err = f.progress.save(f.state)
	if err != nil && !diskFull(err) {
		return err
	}
	if err != nil {
		f.saving.say("the progress is not saved: %v", err)
	}
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

// ahead is how many messages a follower asks for at a time.
const ahead = 32

// session applies messages from where the copy is, or from the last begin of an epoch,
// until something is wrong or the stream is another one. It asks for messages by their numbers:
// a consumer of the server would deliver them to any program that knows a subject, and let
// each program of that subject add others.
func (f *follower) session(ctx context.Context) error {
	subscription, more, err := f.listen()
	if err != nil {
		return err
	}
	defer subscription.Unsubscribe()
	info, err := f.info()
	if err != nil {
		return err
	}
	created := info.Created
	next, err := f.next(ctx)
	if err != nil || next == 0 {
		return err
	}
	f.created = created
	if f.again == math.MaxUint64 {
		f.again = info.State.LastSeq
	}
	if next == f.progress.Sequence+1 {
		f.note()
	}
	for {
		if info, err = f.info(); err != nil {
			return err
		}
		last := info.State.LastSeq
		if last+1 < next || !info.Created.Equal(created) {
			return nil
		}
		for next <= last {
			if next, err = f.receiveSome(ctx, next, last); err != nil {
				return err
			}
		}
		if err := f.wait(ctx, more); err != nil {
			return err
		}
	}
}

// listen hears when the publisher has stored messages. Two such calls are as good as one.
func (f *follower) listen() (*nats.Subscription, <-chan bool, error) {
	more := make(chan bool, 1)
	subscription, err := f.connection.Subscribe(moreSubject(f.name), func(*nats.Msg) {
		select {
		case more <- true:
		default:
		}
	})
	return subscription, more, err
}

// wait returns when there may be messages.
func (f *follower) wait(ctx context.Context, more <-chan bool) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-more:
	case <-time.After(lookPeriod):
	}
	return f.lookAgain()
}

// receiveSome applies the next messages, and returns the number of the one behind them.
func (f *follower) receiveSome(ctx context.Context, next, last uint64) (uint64, error) {
	if last-next >= ahead {
		last = next + ahead - 1
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	messages, failed := make([]*nats.RawStreamMsg, last-next+1), make([]error, last-next+1)
	var all sync.WaitGroup
	for i := range messages {
		all.Add(1)
		go func(i int) {
			defer all.Done()
			messages[i], failed[i] = getMessage(limited, f.connection, streamName(f.name),
				which{Sequence: next + uint64(i)})
		}(i)
	}
	all.Wait()
	for i, m := range messages {
		err := failed[i]
		if ctx.Err() != nil {
			return next, ctx.Err()
		}
		if errors.Is(err, nats.ErrMsgNotFound) {
			return next, errGap
		}
		if err == nil {
			err = f.receive(m)
		}
		if err != nil {
			return next, err
		}
		next++
	}
	return next, nil
}

// next is the sequence number of the message from which the copy continues; 0 if the stream
// has none.
func (f *follower) next(ctx context.Context) (uint64, error) {
	begin, err := getMessage(ctx, f.connection, streamName(f.name), which{LastOf: beginSubject(f.name)})
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
	// A publisher whose first begin has no acknowledgement can store it a second time.
	if f.progress.Epoch == epochText(m.epoch) && f.progress.Sequence >= begin.Sequence {
		return f.progress.Sequence + 1, nil
	}
	return begin.Sequence, nil
}

func (f *follower) info() (*nats.StreamInfo, error) {
	return f.js.StreamInfo(streamName(f.name), nats.MaxWait(patience))
}

// receive applies a message.
func (f *follower) receive(arrived *nats.RawStreamMsg) error {
	sequence := arrived.Sequence
	m, err := decode(arrived.Data)
	if err == nil && m.kind != kindBegin && epochText(m.epoch) != f.progress.Epoch {
		return errGap
	}
	if err == nil {
		err = f.believe(m, arrived.Subject)
	}
	if err != nil {
		// The publisher begins an epoch behind a message of another program.
		return fmt.Errorf("message %d: %w", sequence, err)
	}
	if err := f.apply(m); err != nil {
		return fmt.Errorf("%w: message %d: %v", errApply, sequence, err)
	}
	f.progress.Sequence = sequence
	f.progress.Position, f.progress.Head = m.position, m.head
	f.progress.Written = time.Unix(0, m.written)
	f.note()
	return f.lookAgain()
}

// believe refuses messages that do not continue the epoch. A chunk of the scan erases all other
// keys of its range, so the ranges of chunks follow each other within that of the epoch, and
// this is one that the follower may change.
func (f *follower) believe(m *message, subject string) error {
	p, why := &f.progress, ""
	switch {
	case (m.kind == kindBegin) != (subject == beginSubject(f.name)):
		why = "its subject is that of another kind"
	case m.kind == kindBegin && (m.first < f.first || m.last > f.last):
		return fmt.Errorf("its range is from %d to %d; see --first and --last", m.first, m.last)
	case m.kind == kindBegin && m.position != 0:
		why = "an epoch begins behind changes"
	case m.kind == kindBegin:
	case m.position != p.Position+uint64(len(m.changes)) || m.head < p.Head:
		why = "changes are missing"
	case m.kind == kindChanges && (m.first != p.First || m.last != p.Last):
		why = "its range is not that of the epoch"
	case m.kind == kindEntries && (p.Scanned || m.first != p.Next || m.last > p.Last):
		why = "its range does not continue the scan"
	case m.kind == kindEntries && (m.flags&flagScanned != 0) != (m.last == p.Last):
		why = "it ends the scan elsewhere"
	}
	if why != "" {
		return fmt.Errorf("%w: %s", errMessage, why)
	}
	return nil
}

func (f *follower) apply(m *message) error {
	p := &f.progress
	switch m.kind {
	case kindBegin:
		if strings.HasSuffix(m.text, placeOf("", p.Copy)) {
			return errItself
		}
		f.again = 0
		*p = progress{Copy: p.Copy, Epoch: epochText(m.epoch), First: m.first, Last: m.last, Next: m.first}
		f.log("epoch %s begins: %s", p.Epoch, m.text)
	case kindEntries:
		if err := merge(f.sink, m.entries, m.first, m.last); err != nil {
			return err
		}
		if p.Next = m.last + 1; m.flags&flagScanned != 0 {
			p.Scanned, p.Target = true, m.head
		}
	case kindChanges:
		return apply(f.sink, m.changes, p.First, p.Last)
	}
	return nil
}

// lookAgain looks, unless that was done a moment ago.
func (f *follower) lookAgain() error {
	if time.Since(f.looked) < lookPeriod {
		return nil
	}
	return f.look()
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
	f.noted = standing{f.progress, f.created, f.again}
}

// status is what this program answers to a request for it.
func (f *follower) status() report {
	f.mutex.Lock()
	p := f.noted
	f.mutex.Unlock()
	r := report{
		Epoch: p.Epoch, Sequence: p.Sequence, Position: p.Position, Head: p.Head,
		Written: p.Written, Ready: p.Scanned && p.Position >= p.Target && p.Sequence >= p.again,
	}
	info, err := f.js.StreamInfo(streamName(f.name), nats.MaxWait(statusPatience))
	if err == nil && info.State.LastSeq > p.Sequence {
		r.Behind = info.State.LastSeq - p.Sequence
	}
	// Otherwise the follower does not know how many messages the copy lacks.
	r.Ready = r.Ready && err == nil && info.State.LastSeq >= p.Sequence && info.Created.Equal(p.created)
	return r
}
