// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"net"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// texts returns the contents of all messages of the stream.
func texts(t *testing.T, js nats.JetStreamContext) []string {
	t.Helper()
	info, err := js.StreamInfo(streamName("tree"))
	must(t, err)
	var all []string
	for i := uint64(1); i <= info.State.LastSeq; i++ {
		m, err := js.GetMsg(streamName("tree"), i)
		must(t, err)
		all = append(all, string(m.Data))
	}
	return all
}

// expectNumbers: the messages are the numbers, each once and in order.
func expectNumbers(t *testing.T, all []string, n int) {
	t.Helper()
	if len(all) != n {
		t.Fatalf("%d messages instead of %d", len(all), n)
	}
	for i, text := range all {
		if text != fmt.Sprint(i) {
			t.Fatalf("message %d is %s", i, text)
		}
	}
}

func TestWindowWhileTheServerIsKilled(t *testing.T) {
	server := startServer(t)
	connection, js := server.connect()
	s := streamOf(t, connection, js)
	ctx := context.Background()
	must(t, s.adopt(ctx))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for i := 0; i < 3; i++ {
			time.Sleep(time.Second)
			server.kill()
			server.start()
		}
	}()
	stored, n := 0, 0
	for going := true; going; n++ {
		select {
		case <-ended:
			going = false
		default:
		}
		must(t, s.append(ctx, dataSubject("tree"), []byte(fmt.Sprint(n)), func() { stored++ }))
	}
	if err := s.flush(ctx); err != nil || stored != n {
		t.Fatalf("%d of %d are stored: %v", stored, n, err)
	}
	expectNumbers(t, texts(t, js), n)
}

func TestWindowWithLosses(t *testing.T) {
	connection, js := startServer(t).connect()
	s := streamOf(t, connection, js)
	ctx := context.Background()
	must(t, s.adopt(ctx))
	bad := &lossy{publish: s.publish, random: rand.New(rand.NewSource(1))}
	for n := 0; n < 400; n++ {
		// Most messages are not lost, so that windows are filled.
		s.publish = connection.PublishMsg
		if n%50 > 40 {
			s.publish = bad.send
		}
		must(t, s.append(ctx, dataSubject("tree"), []byte(fmt.Sprint(n)), func() {}))
	}
	if err := s.flush(ctx); err != nil || bad.lost == 0 {
		t.Fatal(err, bad.lost)
	}
	expectNumbers(t, texts(t, js), 400)
}

// An answer to a message that was given up is no answer to one that is in the window now.
func TestLateAnswersAreIgnored(t *testing.T) {
	connection, js := startServer(t).connect()
	s := streamOf(t, connection, js)
	ctx := context.Background()
	must(t, s.adopt(ctx))
	for i := 0; i < 3; i++ {
		must(t, s.append(ctx, dataSubject("tree"), nil, func() {}))
	}
	connection.Flush()
	must(t, js.DeleteStream(streamName("tree")))
	must(t, s.adopt(ctx))
	// The first message is lost: an old answer must not stand for it.
	lost := false
	s.publish = func(m *nats.Msg) error {
		if !lost {
			lost = true
			return nil
		}
		return connection.PublishMsg(m)
	}
	for n := 0; n < 2; n++ {
		must(t, s.store(ctx, dataSubject("tree"), []byte(fmt.Sprint(n))))
	}
	expectNumbers(t, texts(t, js), 2)
}

// The acknowledgement of a begin is lost, and another program writes behind it: the begin is
// still that of this publisher.
func TestOwnBeginInFrontOfAForeignMessage(t *testing.T) {
	connection, js := startServer(t).connect()
	s := streamOf(t, connection, js)
	ctx := context.Background()
	must(t, s.adopt(ctx))
	must(t, s.store(ctx, dataSubject("tree"), []byte("before")))
	s.publish = func(m *nats.Msg) error {
		m.Reply = ""
		connection.PublishMsg(m)
		must(t, errorOf(js.Publish(dataSubject("tree"), []byte("foreign"))))
		return errors.New("the acknowledgement is lost")
	}
	if err := s.store(ctx, beginSubject("tree"), beginning()); err != nil || s.last != 2 {
		t.Fatalf("the begin has the number %d: %v", s.last, err)
	}
	s.publish = connection.PublishMsg
	if err := s.store(ctx, dataSubject("tree"), []byte("after")); !errors.Is(err, errForeign) {
		t.Fatal(err)
	}
}

// A publisher whose window is full is fenced: none of its messages is behind the begin of the
// other one.
func TestWindowOfAFencedPublisher(t *testing.T) {
	server := startServer(t)
	connection, js := server.connect()
	other, otherJS := server.connect()
	ctx := context.Background()
	for round := 0; round < 20; round++ {
		first, second := streamOf(t, connection, js), streamOf(t, other, otherJS)
		must(t, first.adopt(ctx))
		ended := make(chan error)
		go func() {
			for {
				if err := first.append(ctx, dataSubject("tree"), []byte("first"), func() {}); err != nil {
					ended <- err
					return
				}
			}
		}()
		time.Sleep(5 * time.Millisecond)
		err := errFenced
		for errors.Is(err, errFenced) || errors.Is(err, errForeign) {
			if err = second.adopt(ctx); err == nil {
				err = second.store(ctx, beginSubject("tree"), beginning())
			}
		}
		must(t, err)
		if err := <-ended; !errors.Is(err, errFenced) {
			t.Fatal(err)
		}
		if err := second.store(ctx, dataSubject("tree"), []byte("second")); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
}

// How long a publisher takes for a message of 512 changes, if the network takes a millisecond
// each way.
func BenchmarkWindow(b *testing.B) {
	server := startServer(b)
	connection, js := connectTo(b, &options{server: "nats://" + slowWay(b, server.port, time.Millisecond)})
	s := streamOf(b, connection, js)
	ctx := context.Background()
	must(b, s.adopt(ctx))
	m := &message{kind: kindChanges, changes: make([]change, recordsMax)}
	data := m.encode()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		must(b, s.append(ctx, dataSubject("tree"), data, func() {}))
	}
	must(b, s.flush(ctx))
}

// slowWay is an address that leads to a port of this machine, a time later.
func slowWay(t testing.TB, port int, delay time.Duration) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
			if err != nil {
				from.Close()
				continue
			}
			go copyLater(from, to, delay)
			go copyLater(to, from, delay)
		}
	}()
	return listener.Addr().String()
}

func copyLater(from, to net.Conn, delay time.Duration) {
	type part struct {
		data []byte
		when time.Time
	}
	parts := make(chan part, 1<<12)
	go func() {
		defer to.Close()
		for p := range parts {
			time.Sleep(time.Until(p.when))
			to.Write(p.data)
		}
	}()
	defer close(parts)
	for {
		data := make([]byte, 1<<16)
		n, err := from.Read(data)
		if err != nil {
			return
		}
		parts <- part{data[:n], time.Now().Add(delay)}
	}
}

func TestTheWindowIsFull(t *testing.T) {
	s := &stream{name: "n"}
	s.sent = make([]sent, window-1)
	if s.full("entries") {
		t.Fatal("a message has no room")
	}
	s.sent = make([]sent, window)
	if !s.full("entries") {
		t.Fatal("a message too many has room")
	}
}
