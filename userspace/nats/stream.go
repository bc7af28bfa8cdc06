// SPDX-License-Identifier: GPL-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// A stream of JetStream has the messages of one tree, in the subjects blink.NAME.begin and
// blink.NAME.data. NAME is that of the stream: it need not be the name of a tree.

// patience is how long the server may take to answer, and pause the time between two tries.
const (
	patience = 5 * time.Second
	pause    = 500 * time.Millisecond
)

var (
	// errFenced: another publisher writes to the stream.
	errFenced = errors.New("another publisher has taken over")
	// errRolledBack: the server has lost messages that it had acknowledged.
	errRolledBack = errors.New("the server has lost messages")
)

func streamName(name string) string    { return "blink_" + name }
func beginSubject(name string) string  { return "blink." + name + ".begin" }
func dataSubject(name string) string   { return "blink." + name + ".data" }
func statusSubject(name string) string { return "blink." + name + ".status" }

// checkName refuses names that no subject or no file can have.
func checkName(name string) error {
	if name == "" || len(name) > nameMax {
		return fmt.Errorf("%q: a stream has a name of 1 to %d characters", name, nameMax)
	}
	for _, c := range name {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && c != '_' && c != '-' {
			return fmt.Errorf("%q: a stream's name has letters, digits, - and _; see --stream", name)
		}
	}
	return nil
}

// stream is a stream to which this program appends.
type stream struct {
	js   nats.JetStreamContext
	name string
	// replicas is how many servers of a cluster store a stream that is created.
	replicas int
	// last is the sequence number of the last message.
	last uint64
	log  func(format string, args ...any)
}

// sleep waits, and returns an error if the context ends meanwhile.
func sleep(ctx context.Context, duration time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(duration):
		return nil
	}
}

// retry calls a function until it succeeds or the context ends. It says once what is wrong.
func retry(ctx context.Context, log func(string, ...any), try func() error) error {
	said := ""
	for {
		err := try()
		if err == nil {
			return nil
		}
		if text := err.Error(); text != said && ctx.Err() == nil {
			log("waiting: %v", err)
			said = text
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// lastSequence asks the server for the number of the last message.
func (s *stream) lastSequence() (uint64, error) {
	info, err := s.js.StreamInfo(streamName(s.name), nats.MaxWait(patience))
	if err != nil {
		return 0, err
	}
	return info.State.LastSeq, nil
}

// adopt finds the stream, or creates it, and continues after the messages that there are.
func (s *stream) adopt(ctx context.Context) error {
	return retry(ctx, s.log, func() (err error) {
		s.last, err = s.lastSequence()
		if !errors.Is(err, nats.ErrStreamNotFound) {
			return err
		}
		_, err = s.js.AddStream(&nats.StreamConfig{
			Name:     streamName(s.name),
			Subjects: []string{beginSubject(s.name), dataSubject(s.name)},
			Storage:  nats.FileStorage,
			Replicas: s.replicas,
		}, nats.MaxWait(patience))
		return err
	})
}

// append adds a message, and returns after the server has acknowledged it. The server takes
// it only if it is the next one, so it is there once however often it was sent, and a second
// publisher cannot write in between.
func (s *stream) append(ctx context.Context, subject string, data []byte) error {
	for {
		ack, err := s.publish(ctx, subject, data)
		if err == nil {
			s.last = ack.Sequence
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.log("a message has no acknowledgement: %v", err)
		stored, err := s.settle(ctx, data)
		if stored || err != nil {
			return err
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

func (s *stream) publish(ctx context.Context, subject string, data []byte) (*nats.PubAck, error) {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return s.js.Publish(subject, data, nats.Context(limited),
		nats.ExpectLastSequence(s.last), nats.ExpectStream(streamName(s.name)))
}

// settle finds out whether a message without an acknowledgement is stored.
func (s *stream) settle(ctx context.Context, data []byte) (bool, error) {
	var last uint64
	var next *nats.RawStreamMsg
	gone := false
	err := retry(ctx, s.log, func() (err error) {
		last, err = s.lastSequence()
		if gone = errors.Is(err, nats.ErrStreamNotFound); gone {
			return nil
		}
		if err != nil || last <= s.last {
			return err
		}
		next, err = s.js.GetMsg(streamName(s.name), s.last+1, nats.MaxWait(patience))
		if errors.Is(err, nats.ErrMsgNotFound) {
			return nil
		}
		return err
	})
	switch {
	case err != nil:
		return false, err
	case gone || last < s.last:
		return false, errRolledBack
	case last == s.last:
		return false, nil
	case last == s.last+1 && next != nil && bytes.Equal(next.Data, data):
		s.last = last
		return true, nil
	}
	return false, errFenced
}

// forget removes the messages before a sequence number.
func (s *stream) forget(ctx context.Context, sequence uint64) error {
	// Purging everything before the first message would remove all of them.
	if sequence <= 1 {
		return nil
	}
	gone := false
	err := retry(ctx, s.log, func() error {
		err := s.js.PurgeStream(streamName(s.name),
			&nats.StreamPurgeRequest{Sequence: sequence}, nats.MaxWait(patience))
		if gone = errors.Is(err, nats.ErrStreamNotFound); gone {
			return nil
		}
		return err
	})
	if gone {
		return errRolledBack
	}
	return err
}
