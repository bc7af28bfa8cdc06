// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// Acknowledgements that another program than the server writes.

// windowOf is a stream with messages on the way, whose acknowledgements the test writes.
func windowOf(t testing.TB, messages int) *stream {
	s := &stream{name: "tree", inbox: "inbox", id: "id", last: 100, epochs: 1, more: func() {}}
	s.publish = func(*nats.Msg) error { return nil }
	for i := 0; i < messages; i++ {
		must(t, s.append(context.Background(), dataSubject("tree"), nil, func() {}))
	}
	return s
}

func TestForgedAcknowledgementsAreIgnored(t *testing.T) {
	right := `{"stream":"blink_tree","seq":103}`
	for _, c := range []struct {
		subject, data string
		known         bool
		refused       bool
	}{
		{"inbox.3", right, true, false},
		{"inbox.3", `{"stream":"blink_tree","seq":103,"duplicate":true}`, true, true},
		{"inbox.3", `{"stream":"blink_other","seq":103}`, true, true},
		{"inbox.3", `{"seq":103}`, true, true},
		{"inbox.3", `{"stream":"blink_tree","seq":104}`, true, true},
		{"inbox.3", `{"stream":"blink_tree","seq":18446744073709551615}`, true, true},
		{"inbox.3", `{"stream":"blink_tree","seq":-1}`, true, true},
		{"inbox.3", `{}`, true, true},
		{"inbox.3", "", true, true},
		{"inbox.0", right, false, false},
		{"inbox.5", `{"stream":"blink_tree","seq":105}`, false, false},
		{"inbox.18446744073709551615", right, false, false},
		{"inbox.18446744073709551616", right, false, false},
		{"inbox.-1", right, false, false},
		{"inbox.x", right, false, false},
		{"inbox", right, false, false},
	} {
		s := windowOf(t, 4)
		stored, known, err := s.weigh(&nats.Msg{Subject: c.subject, Data: []byte(c.data)})
		if known != c.known || (err != nil) != c.refused || known && err == nil && stored != 3 {
			t.Errorf("%s %s: %d %t %v", c.subject, c.data, stored, known, err)
		}
	}
}

// forge publishes acknowledgements to the inbox of a publisher, with each number that it may
// use soon.
func forge(connection *nats.Conn, inbox string, numbers, sequence uint64) {
	for n := uint64(0); n < numbers; n++ {
		connection.Publish(fmt.Sprintf("%s.%d", inbox, n),
			[]byte(fmt.Sprintf(`{"stream":"blink_tree","seq":%d}`, sequence+n)))
	}
	connection.Flush()
}

// A begin is what a publisher removes older messages by, so an acknowledgement alone does not
// tell where it is: here the server has not got it at all.
func TestForgedAcknowledgementOfABegin(t *testing.T) {
	connection, js := startServer(t).connect()
	s := streamOf(t, connection, js)
	ctx := context.Background()
	must(t, s.adopt(ctx))
	for n := 0; n < 3; n++ {
		must(t, errorOf(js.Publish(dataSubject("tree"), []byte("former"))))
	}
	s.publish = func(m *nats.Msg) error {
		s.publish = connection.PublishMsg
		forge(connection, s.inbox, 5, 1<<62)
		return nil
	}
	if err := s.store(ctx, beginSubject("tree"), beginning()); err != nil || s.last != 4 {
		t.Fatalf("the begin has the number %d: %v", s.last, err)
	}
}

// The stream has all changes in the end, whatever a stranger acknowledges.
func TestForgedAcknowledgementsLoseNothing(t *testing.T) {
	p := newPair(t)
	publisher := p.publisher()
	bad := &lossy{publish: publisher.stream.publish, random: p.random}
	liar, _ := p.server.connect()
	publisher.stream.publish = func(m *nats.Msg) error {
		forge(liar, publisher.stream.inbox, 40, publisher.stream.last)
		return bad.send(m)
	}
	publishing := start(t, publisher.run)
	defer p.follow().stop()
	for i := 0; i < 10; i++ {
		p.tree.change(p.random, 10)
		time.Sleep(20 * time.Millisecond)
	}
	p.expectCopy()
	publishing.stop()
}

// What a stranger sees in a stream does not tell where the publisher waits for answers.
func TestTheStreamDoesNotTellTheInbox(t *testing.T) {
	p := newPair(t)
	publisher := p.publisher()
	defer start(t, publisher.run).stop()
	soon(t, "publishing", func() bool { return publisher.status().Ready })
	for i := uint64(1); i <= publisher.status().Sequence; i++ {
		m, err := p.js.GetMsg(streamName("tree"), i)
		must(t, err)
		if text := fmt.Sprint(m.Header, string(m.Data)); strings.Contains(text, publisher.stream.inbox) {
			t.Fatalf("message %d: %s", i, text)
		}
	}
}
