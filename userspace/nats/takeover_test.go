// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// Of publishers that begin at once, one goes on.
func TestPublishersFight(t *testing.T) {
	p := newPair(t)
	defer p.follow().stop()
	const n = 4
	ended := make(chan error, n)
	for i := 0; i < n; i++ {
		publisher := p.publisher()
		publisher.source = slowSource{publisher.source, func() { time.Sleep(5 * time.Millisecond) }}
		running := start(t, func(ctx context.Context) error {
			err := publisher.run(ctx)
			ended <- err
			return err
		})
		defer running.cancel()
	}
	for i := 0; i < n-1; {
		select {
		case err := <-ended:
			if !errors.Is(err, errFenced) {
				t.Fatal(err)
			}
			i++
		case <-time.After(time.Millisecond):
			p.tree.change(p.random, 1)
		}
	}
	p.expectCopy()
	p.tree.change(p.random, 100)
	p.expectCopy()
	if len(ended) > 0 {
		t.Fatalf("the last publisher has ended too: %v", <-ended)
	}
}

// A publisher that begins an epoch again does not take the stream from one that began later.
func TestNextEpochTakesOverNothing(t *testing.T) {
	connection, js := startServer(t).connect()
	first, second := streamOf(t, connection, js), streamOf(t, connection, js)
	ctx := context.Background()
	epoch := uint64(0)
	begin := func(s *stream) error {
		epoch++
		return s.store(ctx, beginSubject("tree"), (&message{kind: kindBegin, epoch: epoch}).encode())
	}
	for _, s := range []*stream{first, second} {
		must(t, s.adopt(ctx))
		must(t, begin(s))
	}
	must(t, errorOf(js.Publish(dataSubject("tree"), []byte("foreign"))))
	if err := first.pass(ctx); !errors.Is(err, errFenced) {
		t.Fatal(err)
	}
	if err := begin(first); !errors.Is(err, errFenced) {
		t.Fatal(err)
	}
	must(t, second.pass(ctx))
	must(t, begin(second))
}

// A begin that a publisher gave up, because the server had lost messages, arrives late.
func TestOwnBeginIsNoOtherPublisher(t *testing.T) {
	connection, js := startServer(t).connect()
	ctx := context.Background()
	s := streamOf(t, connection, js)
	must(t, s.adopt(ctx))
	late := nats.NewMsg(beginSubject("tree"))
	s.publish = func(m *nats.Msg) error {
		late.Header, late.Data = m.Header, m.Data
		return nil
	}
	must(t, s.append(ctx, beginSubject("tree"), beginning(), func() {}))
	s.publish = connection.PublishMsg
	must(t, s.adopt(ctx))
	must(t, errorOf(js.PublishMsg(late)))
	if err := s.store(ctx, dataSubject("tree"), []byte("a")); !errors.Is(err, errForeign) {
		t.Fatal(err)
	}
	must(t, s.pass(ctx))
	must(t, s.store(ctx, beginSubject("tree"), beginning()))
}

// The former publisher begins one more epoch before the new one knows. The new one takes over.
func TestFormerPublisherBeginsOnceMore(t *testing.T) {
	connection, js := startServer(t).connect()
	ctx := context.Background()
	former, s := streamOf(t, connection, js), streamOf(t, connection, js)
	begin := func(s *stream, epoch uint64) error {
		return s.store(ctx, beginSubject("tree"), (&message{kind: kindBegin, epoch: epoch}).encode())
	}
	must(t, former.adopt(ctx))
	must(t, begin(former, 1))
	must(t, s.adopt(ctx))
	must(t, begin(former, 2))
	must(t, begin(s, 3))
	if s.last != 3 {
		t.Fatalf("the begin has the number %d", s.last)
	}
	if err := begin(former, 4); !errors.Is(err, errFenced) {
		t.Fatal(err)
	}
	must(t, s.store(ctx, dataSubject("tree"), []byte("after")))
}

// Two publishers took over one after the other, and the server loses what one or both of them
// had written. The second one goes on, whichever is back first.
func TestLossesChangeNothing(t *testing.T) {
	connection, js := startServer(t).connect()
	ctx := context.Background()
	begin := func(s *stream) error {
		if err := s.adopt(ctx); err != nil {
			return err
		}
		return s.store(ctx, beginSubject("tree"), beginning())
	}
	losses := map[string]func(second *stream){
		"the stream": func(*stream) {
			must(t, js.DeleteStream(streamName("tree")))
		},
		"the second begin": func(second *stream) {
			must(t, js.DeleteMsg(streamName("tree"), second.last))
		},
	}
	for name, lose := range losses {
		for _, firstIsBack := range []bool{true, false} {
			first, second := streamOf(t, connection, js), streamOf(t, connection, js)
			for _, s := range []*stream{first, second} {
				must(t, begin(s))
			}
			lose(second)
			if firstIsBack {
				must(t, begin(first))
			}
			if err := begin(second); err != nil {
				t.Fatalf("%s lost, the first one is back: %v: %v", name, firstIsBack, err)
			}
			if err := begin(first); !errors.Is(err, errFenced) {
				t.Fatalf("%s lost: the first one goes on: %v", name, err)
			}
			must(t, begin(second))
		}
	}
}

// The acknowledgement of the begin that takes over is lost.
func TestTakeoverWithoutAcknowledgement(t *testing.T) {
	connection, js := startServer(t).connect()
	ctx := context.Background()
	for _, stored := range []bool{true, false} {
		s := streamOf(t, connection, js)
		must(t, s.adopt(ctx))
		before := s.last
		s.publish = func(m *nats.Msg) error {
			s.publish = connection.PublishMsg
			must(t, errorOf(js.Publish(dataSubject("tree"), []byte("former"))))
			if stored {
				m.Reply = ""
				connection.PublishMsg(m)
			}
			return errors.New("it is lost")
		}
		data := (&message{kind: kindBegin, epoch: before + 1}).encode()
		if err := s.store(ctx, beginSubject("tree"), data); err != nil || s.last != before+2 {
			t.Fatalf("the begin has the number %d: %v", s.last, err)
		}
		must(t, s.store(ctx, dataSubject("tree"), []byte("after")))
	}
}

// A publisher whose first begin is stored, and overtaken by that of another one before it knows,
// does not take the stream back when the server has forgotten the identity of its begin.
func TestOvertakenBeginIsNotRepeated(t *testing.T) {
	server := startServer(t)
	connection, js := server.connect()
	ctx := context.Background()
	for _, c := range []struct {
		answered bool
		window   time.Duration
		restarts bool
	}{
		{true, 3 * time.Second, false}, {false, 3 * time.Second, false},
		{false, 2 * time.Minute, false}, {false, 2 * time.Minute, true},
	} {
		must(t, errorOf(js.AddStream(&nats.StreamConfig{
			Name:       streamName("tree"),
			Subjects:   []string{beginSubject("tree"), dataSubject("tree")},
			Duplicates: c.window,
		})))
		first, second := streamOf(t, connection, js), streamOf(t, connection, js)
		must(t, first.adopt(ctx))
		first.publish = func(m *nats.Msg) error {
			first.publish = connection.PublishMsg
			if !c.answered {
				m.Reply = ""
			}
			must(t, connection.PublishMsg(m))
			must(t, connection.Flush())
			must(t, second.adopt(ctx))
			must(t, second.store(ctx, beginSubject("tree"), (&message{kind: kindBegin, epoch: 2}).encode()))
			must(t, second.store(ctx, dataSubject("tree"), []byte("second")))
			if c.restarts {
				// The server learns the identities from the messages that are left.
				must(t, second.forget(ctx, second.last-1))
				server.kill()
				server.start()
			}
			return nil
		}
		began := time.Now()
		err := first.store(ctx, beginSubject("tree"), (&message{kind: kindBegin, epoch: 1}).encode())
		if !errors.Is(err, errFenced) {
			t.Errorf("%+v: after %v: %v", c, time.Since(began), err)
		}
		if c.answered && time.Since(began) > patience {
			t.Errorf("%+v: it took %v", c, time.Since(began))
		}
		if c.window < patience {
			time.Sleep(c.window)
		}
		if err := second.store(ctx, dataSubject("tree"), []byte("second")); err != nil {
			t.Errorf("%+v: the second one: %v", c, err)
		}
		must(t, js.DeleteStream(streamName("tree")))
	}
}
