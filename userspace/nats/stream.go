// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// A stream of JetStream has the messages of one tree, in the subjects blink.NAME.begin and
// blink.NAME.data. NAME is that of the stream: it need not be the name of a tree.

var (
	// errFenced: another publisher writes to the stream.
	errFenced = errors.New("another publisher has taken over")
	// errRolledBack: the server has lost messages that it had acknowledged.
	errRolledBack = errors.New("the server has lost messages")
	// errForeign: the stream has a message that no publisher has written.
	errForeign = errors.New("the stream has a message of another program")
)

func streamName(name string) string    { return "blink_" + name }
func beginSubject(name string) string  { return "blink." + name + ".begin" }
func dataSubject(name string) string   { return "blink." + name + ".data" }
func statusSubject(name string) string { return "blink." + name + ".status" }
func moreSubject(name string) string   { return "blink." + name + ".more" }
func answerSubject(name string) string { return "blink." + name + ".answer." }

// checkName refuses names that no subject or no file can have.
func checkName(name string) error {
	if name == "" || len(name) > nameMax {
		return fmt.Errorf("%q: such a name has 1 to %d characters", name, nameMax)
	}
	for _, c := range name {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && c != '_' && c != '-' {
			return fmt.Errorf("%q: such a name has letters, digits, - and _ only", name)
		}
	}
	return nil
}

// stream is a stream to which this program appends.
type stream struct {
	connection *nats.Conn
	js         nats.JetStreamContext
	name       string
	// replicas is how many servers of a cluster store a stream that is created.
	replicas int
	// last is the sequence number of the last message that the server has acknowledged.
	last uint64
	// created is when the server created the stream.
	created time.Time
	// former is the last begin of other programs that the first one of this program follows.
	former *nats.RawStreamMsg
	// epochs is how many begins of this program the server has acknowledged, and since when it
	// stored the first one.
	epochs int
	since  time.Time
	log    func(format string, args ...any)
	// look is called before each question to the server. Its error ends the waiting.
	look func() error

	// sent is the window, and count how many messages there ever were. The answers of the
	// server come to inbox; failed is why a message could not be sent. The messages have the
	// id of this publisher, and so do not tell their readers the inbox.
	sent    []sent
	count   uint64
	inbox   string
	id      string
	answers *nats.Subscription
	publish func(*nats.Msg) error
	// more tells followers that there are messages.
	more    func()
	failed  error
	trouble trouble
}

// unguessable returns a name that no other program knows.
func unguessable() string {
	random := make([]byte, 20)
	if _, err := rand.Read(random); err != nil {
		panic(err) // The kernel always has random numbers.
	}
	return hex.EncodeToString(random)
}

func newStream(connection *nats.Conn, js nats.JetStreamContext, name string, replicas int,
	log func(string, ...any)) (*stream, error) {
	inbox := connection.NewInbox()
	answers, err := connection.SubscribeSync(inbox + ".*")
	return &stream{
		connection: connection, js: js, name: name, replicas: replicas, log: log, inbox: inbox, answers: answers,
		id: unguessable(), publish: connection.PublishMsg, trouble: trouble{log: log},
		look: func() error { return nil },
		more: func() { connection.Publish(moreSubject(name), nil) },
	}, err
}

// ask repeats a question to the server until the context ends or it has an answer. Some errors
// are answers.
func ask[T any](ctx context.Context, s *stream, question func() (T, error),
	answers ...error) (answer T, err error) {
	ended := retry(ctx, s.log, func() error {
		if err = s.look(); err != nil {
			return nil
		}
		answer, err = question()
		for _, known := range answers {
			if errors.Is(err, known) {
				return nil
			}
		}
		return err
	})
	if ended != nil {
		err = ended
	}
	return answer, err
}

func (s *stream) info() (*nats.StreamInfo, error) {
	return s.js.StreamInfo(streamName(s.name), nats.MaxWait(patience))
}

// adopt finds the stream, or creates it, and continues after the messages that there are: unless
// they are those of a publisher that took over later.
func (s *stream) adopt(ctx context.Context) error {
	info, err := ask(ctx, s, func() (*nats.StreamInfo, error) {
		info, err := s.info()
		if errors.Is(err, nats.ErrStreamNotFound) {
			return s.create()
		}
		return info, err
	})
	if err == nil {
		s.last, s.created = info.State.LastSeq, info.Created
		s.sent = nil
		s.former, err = s.lastBegin(ctx)
	}
	if err == nil && s.epochs > 0 {
		err = s.yield(ctx)
	}
	return err
}

func (s *stream) create() (*nats.StreamInfo, error) {
	return s.js.AddStream(&nats.StreamConfig{
		Name:     streamName(s.name),
		Subjects: []string{beginSubject(s.name), dataSubject(s.name)},
		Storage:  nats.FileStorage,
		Replicas: s.replicas,
	}, nats.MaxWait(patience))
}

// compare tells by what the server says of the stream whether it is the one that this program
// writes to, with all messages that the server has acknowledged.
func (s *stream) compare(info *nats.StreamInfo, err error) error {
	if errors.Is(err, nats.ErrStreamNotFound) {
		return errRolledBack
	}
	if err == nil && (info.State.LastSeq < s.last || !info.Created.Equal(s.created)) {
		return errRolledBack
	}
	return err
}

// missing is whether the server has no such message.
func missing(err error) bool {
	return errors.Is(err, nats.ErrMsgNotFound) || errors.Is(err, nats.ErrStreamNotFound)
}

// lastBegin is the last message of the subject of begins; its number is 0 if there is none.
func (s *stream) lastBegin(ctx context.Context) (*nats.RawStreamMsg, error) {
	begin, err := ask(ctx, s, func() (*nats.RawStreamMsg, error) {
		return getMessage(ctx, s.connection, streamName(s.name), which{LastOf: beginSubject(s.name)})
	}, nats.ErrMsgNotFound, nats.ErrStreamNotFound)
	if missing(err) {
		return &nats.RawStreamMsg{}, nil
	}
	return begin, err
}

// writerOf is the id of the publisher that has written the message.
func writerOf(m *nats.RawStreamMsg) string {
	id, _, _ := strings.Cut(m.Header.Get(nats.MsgIdHdr), ".")
	return id
}

// mine is whether this program has written the message.
func (s *stream) mine(m *nats.RawStreamMsg) bool { return writerOf(m) == s.id }

// sinceHdr is a header of all begins of a publisher but the first one: when the server stored
// that.
const sinceHdr = "Blink-Since"

// sinceOf is when the publisher of a begin took over, by the clock of the server.
func sinceOf(begin *nats.RawStreamMsg) time.Time {
	if since, err := time.Parse(time.RFC3339Nano, begin.Header.Get(sinceHdr)); err == nil {
		return since
	}
	return begin.Time
}

// remember learns since when this program writes to the stream.
func (s *stream) remember(ctx context.Context) error {
	if s.epochs == 0 || !s.since.IsZero() {
		return nil
	}
	begin, err := s.lastBegin(ctx)
	if err == nil && s.mine(begin) {
		s.since = begin.Time
	}
	return err
}

// yield ends the program if the last begin is that of a publisher that took over later. So
// the right one goes on after the server has lost messages, or the stream, of both.
func (s *stream) yield(ctx context.Context) error {
	begin, err := s.lastBegin(ctx)
	if err != nil || begin.Sequence == 0 || s.mine(begin) {
		return err
	}
	if _, err := decodeBegin(begin.Data); err == nil && sinceOf(begin).After(s.since) {
		return errFenced
	}
	return nil
}

// stranger tells whose the messages behind those of this program are: a publisher begins an
// epoch before it writes anything else. A begin of this program can be there too, if it was late
// and this program had given it up.
func (s *stream) stranger(ctx context.Context) error {
	begin, err := s.lastBegin(ctx)
	if err != nil {
		return err
	}
	if begin.Sequence <= s.last || s.mine(begin) {
		return errForeign
	}
	if _, err := decodeBegin(begin.Data); err != nil {
		return errForeign
	}
	return errFenced
}

// pass continues behind the messages of other programs. The next begin demands the number that
// is the last one here, so a publisher that begins meanwhile is noticed too.
func (s *stream) pass(ctx context.Context) error {
	info, err := ask(ctx, s, s.info, nats.ErrStreamNotFound)
	if err := s.compare(info, err); err != nil {
		return err
	}
	if err := s.stranger(ctx); !errors.Is(err, errForeign) {
		return err
	}
	s.last, s.sent = info.State.LastSeq, nil
	return nil
}

// check looks once whether the stream has all messages from a sequence number to the last one
// of this program, and no other. A server that does not answer is no error yet.
func (s *stream) check(ctx context.Context, begin uint64) error {
	info, err := s.info()
	if err != nil && !errors.Is(err, nats.ErrStreamNotFound) {
		return nil
	}
	if err := s.compare(info, err); err != nil {
		return err
	}
	state := info.State
	switch {
	case state.LastSeq > s.last:
		return s.stranger(ctx)
	case state.FirstSeq > begin || state.Msgs < s.last-begin+1:
		return errRolledBack
	}
	return nil
}

// forget removes the messages before a sequence number.
func (s *stream) forget(ctx context.Context, sequence uint64) error {
	// Purging everything before the first message would remove all of them.
	if sequence <= 1 {
		return nil
	}
	_, err := ask(ctx, s, func() (bool, error) {
		return true, s.js.PurgeStream(streamName(s.name),
			&nats.StreamPurgeRequest{Sequence: sequence}, nats.MaxWait(patience))
	}, nats.ErrStreamNotFound)
	if errors.Is(err, nats.ErrStreamNotFound) {
		return errRolledBack
	}
	return err
}
