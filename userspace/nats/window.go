// SPDX-License-Identifier: GPL-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// A window is the messages that a stream has sent and that the server has not acknowledged: so
// a publisher sends many in the time of a round trip.
//
// Each message is stored once and in order, whatever is lost. It demands the sequence number
// of the message before it, so the server can store it at one place only, and only once
// however often it is sent. This does not suffice for a message that is sent before the one in
// front of it is acknowledged: a second publisher could take the place of the former, and the
// latter would follow the stranger. So such a message also demands the identity of the message
// in front of it. If one message of the window is stored, all before it are, therefore: an
// acknowledgement is one of all messages before, and after a failure the last message of the
// stream tells how far the window is stored.
const window = 32

// sent is a message of the window. No other one ever has its number.
type sent struct {
	number  uint64
	subject string
	data    []byte
	stored  func()
}

// identity is what a message is known by, and what the next one demands. The server sends the
// answer elsewhere: programs that read the stream know identities.
func (s *stream) identity(i int) string { return fmt.Sprintf("%s.%d", s.id, s.sent[i].number) }

// full is whether a message of a subject has to wait for room. The begin of an epoch is alone
// in the window.
func (s *stream) full(subject string) bool {
	alone := subject == beginSubject(s.name) || s.beginning()
	return len(s.sent) >= window || alone && len(s.sent) > 0
}

// takingOver is whether the window is the first begin of this program. A busy publisher always
// stores one more message first, so the begin cannot demand the number of the last message. It
// demands that of the last begin: so the server can store it at one place only, too. The messages
// of the former publisher demand numbers, so it cannot write behind this begin.
func (s *stream) takingOver() bool { return s.epochs == 0 && s.beginning() }

// beginning is whether the window is the begin of an epoch.
func (s *stream) beginning() bool {
	return len(s.sent) > 0 && s.sent[0].subject == beginSubject(s.name)
}

// append adds a message behind the window. The function is called when the server has
// acknowledged the message, by this or a later call.
func (s *stream) append(ctx context.Context, subject string, data []byte, stored func()) error {
	for s.full(subject) {
		if err := s.advance(ctx); err != nil {
			return err
		}
	}
	s.count++
	s.sent = append(s.sent, sent{s.count, subject, data, stored})
	s.transmit(len(s.sent) - 1)
	return nil
}

// flush returns after the server has acknowledged all messages.
func (s *stream) flush(ctx context.Context) error {
	for len(s.sent) > 0 {
		if err := s.advance(ctx); err != nil {
			return err
		}
	}
	return s.remember(ctx)
}

// transmit sends a message of the window. If that fails, the next call of advance settles.
func (s *stream) transmit(i int) {
	m := nats.NewMsg(s.sent[i].subject)
	m.Reply = fmt.Sprintf("%s.%d", s.inbox, s.sent[i].number)
	m.Data = s.sent[i].data
	m.Header.Set(nats.MsgIdHdr, s.identity(i))
	m.Header.Set(nats.ExpectedStreamHdr, streamName(s.name))
	if s.takingOver() {
		m.Header.Set(nats.ExpectedLastSubjSeqHdr, strconv.FormatUint(s.former.Sequence, 10))
	} else {
		m.Header.Set(nats.ExpectedLastSeqHdr, strconv.FormatUint(s.last+uint64(i), 10))
	}
	if s.beginning() && !s.since.IsZero() {
		m.Header.Set(sinceHdr, s.since.Format(time.RFC3339Nano))
	}
	if i > 0 {
		m.Header.Set(nats.ExpectedLastMsgIdHdr, s.identity(i-1))
	}
	if err := s.publish(m); err != nil {
		s.failed = err
	}
}

// advance waits until the server has acknowledged the first message at least. Older messages
// are removed up to a begin, so its place is what the server says when it is asked: another
// program can write to the inbox.
func (s *stream) advance(ctx context.Context) error {
	stored, err := s.answer(ctx)
	if err == nil && !s.beginning() {
		s.acknowledged(stored)
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		s.trouble.say("a message has no acknowledgement: %v", err)
	}
	return s.settle(ctx)
}

// answer waits for an answer, and returns how many messages of the window are stored.
func (s *stream) answer(ctx context.Context) (uint64, error) {
	if err := s.failed; err != nil {
		s.failed = nil
		return 0, err
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		m, err := s.answers.NextMsgWithContext(limited)
		if err != nil {
			return 0, err
		}
		if stored, known, err := s.weigh(m); known {
			return stored, err
		}
	}
}

// weigh returns how many messages of the window are stored according to an answer, if it is
// one to a message of the window. A message that was sent twice has two answers, and others
// were given up. An answer that is forged can acknowledge a message that the server does not
// have: the server refuses the next one, and the publisher begins an epoch.
func (s *stream) weigh(m *nats.Msg) (stored uint64, known bool, err error) {
	number, err := strconv.ParseUint(m.Subject[strings.LastIndex(m.Subject, ".")+1:], 10, 64)
	if err != nil || len(s.sent) == 0 || number < s.sent[0].number ||
		number-s.sent[0].number >= uint64(len(s.sent)) {
		return 0, false, nil
	}
	stored = number - s.sent[0].number + 1
	sequence, err := verdict(m, streamName(s.name))
	if err == nil && !s.beginning() && sequence != s.last+stored {
		err = fmt.Errorf("it has the number %d instead of %d", sequence, s.last+stored)
	}
	return stored, true, err
}

// errDuplicate: the server has a message with the identity of this one.
var errDuplicate = errors.New("the server has it already, or another one in its place")

// verdict is the sequence number that an answer acknowledges.
func verdict(m *nats.Msg, stream string) (uint64, error) {
	var answer struct {
		nats.PubAck
		Error *nats.APIError `json:"error"`
	}
	switch {
	case m.Header.Get("Status") != "":
		return 0, nats.ErrNoStreamResponse
	case json.Unmarshal(m.Data, &answer) != nil:
		return 0, nats.ErrInvalidJSAck
	case answer.Error != nil:
		return 0, answer.Error
	case answer.Stream != stream:
		return 0, nats.ErrInvalidJSAck
	case answer.Duplicate:
		return 0, errDuplicate
	}
	return answer.Sequence, nil
}

func (s *stream) acknowledged(n uint64) {
	defer s.more()
	for ; n > 0; n-- {
		s.last++
		if s.beginning() {
			s.epochs++
		}
		s.sent[0].stored()
		s.sent = s.sent[1:]
	}
}

// settle finds out which messages of the window are stored, and sends the others again.
func (s *stream) settle(ctx context.Context) error {
	info, err := ask(ctx, s, s.info, nats.ErrStreamNotFound)
	if err := s.compare(info, err); err != nil {
		return err
	}
	if s.beginning() {
		if found, err := s.findBegin(ctx); found || err != nil {
			return err
		}
	}
	stored := info.State.LastSeq - s.last
	if s.takingOver() {
		stored = 0
	}
	if stored > uint64(len(s.sent)) {
		return s.stranger(ctx)
	}
	if stored == 0 {
		err = sleep(ctx, pause)
	} else {
		err = s.confirm(ctx, stored)
	}
	if err != nil {
		return err
	}
	for i := range s.sent {
		s.transmit(i)
	}
	return nil
}

// findBegin takes the begin of an epoch as stored if it is in the stream: messages of other
// programs can be behind it already.
func (s *stream) findBegin(ctx context.Context) (bool, error) {
	begin, err := s.lastBegin(ctx)
	if err != nil {
		return false, err
	}
	if begin.Sequence > s.last && bytes.Equal(begin.Data, s.sent[0].data) {
		s.last = begin.Sequence - 1
		s.acknowledged(1)
		return true, nil
	}
	if s.takingOver() {
		err = s.follows(begin)
	}
	return false, err
}

// follows lets the first begin of this program demand the number of another begin than before: if
// the former publisher has begun an epoch once more, or the last begin is gone. A third publisher
// has taken over if its begin came meanwhile: it may have been stored behind that of this
// program, and have removed it.
func (s *stream) follows(begin *nats.RawStreamMsg) error {
	_, err := decodeBegin(begin.Data)
	if begin.Sequence > s.former.Sequence && err == nil && !s.mine(begin) &&
		writerOf(begin) != writerOf(s.former) {
		return errFenced
	}
	s.former = begin
	return nil
}

// confirm takes so many messages as stored if the last of them is in the stream.
func (s *stream) confirm(ctx context.Context, stored uint64) error {
	last, err := ask(ctx, s, func() (*nats.RawStreamMsg, error) {
		return getMessage(ctx, s.connection, streamName(s.name), which{Sequence: s.last + stored})
	}, nats.ErrMsgNotFound, nats.ErrStreamNotFound)
	if err != nil && !missing(err) {
		return err
	}
	if err != nil || !bytes.Equal(last.Data, s.sent[stored-1].data) {
		return s.stranger(ctx)
	}
	s.acknowledged(stored)
	return nil
}
