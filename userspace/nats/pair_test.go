// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// running is a publisher or a follower that runs.
type running struct {
	t      *testing.T
	cancel context.CancelFunc
	done   chan error
}

func start(t *testing.T, run func(context.Context) error) *running {
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{t, cancel, make(chan error, 1)}
	go func() { r.done <- run(ctx) }()
	t.Cleanup(cancel)
	return r
}

// stop ends it as SIGTERM does.
func (r *running) stop() {
	r.t.Helper()
	r.cancel()
	if err := <-r.done; !errors.Is(err, context.Canceled) {
		r.t.Fatalf("it ended with: %v", err)
	}
}

// pair is a server, a tree with some entries, and a copy of it.
type pair struct {
	t          *testing.T
	server     *server
	connection *nats.Conn
	js         nats.JetStreamContext
	tree, copy *memoryTree
	state      string
	random     *rand.Rand
}

func newPair(t *testing.T) *pair {
	p := &pair{
		t: t, server: startServer(t), tree: newTree("tree"), copy: newTree("copy"),
		state:  filepath.Join(t.TempDir(), "folder", "copy.json"),
		random: rand.New(rand.NewSource(1)),
	}
	p.connection, p.js = p.server.connect()
	p.tree.change(p.random, 3000)
	return p
}

func (p *pair) publisher() *publisher {
	return &publisher{
		source: p.tree, last: everything, excess: defaultExcess, log: p.t.Logf,
		stream: &stream{js: p.js, name: "tree", replicas: 1, log: p.t.Logf},
	}
}

func (p *pair) follower() *follower {
	return &follower{sink: p.copy, js: p.js, name: "tree", state: p.state, log: p.t.Logf}
}

func (p *pair) publish() *running { return start(p.t, p.publisher().run) }
func (p *pair) follow() *running  { return start(p.t, p.follower().run) }

func soon(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !happened(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within two minutes: %s", what)
		}
	}
}

// expectCopy waits until the copy is equal.
func (p *pair) expectCopy() {
	p.t.Helper()
	soon(p.t, "the copy is equal", func() bool { return reflect.DeepEqual(p.copy.all(), p.tree.all()) })
}

// messages returns all messages of the stream.
func (p *pair) messages() []*message {
	p.t.Helper()
	info, err := p.js.StreamInfo(streamName("tree"))
	if err != nil {
		p.t.Fatal(err)
	}
	var all []*message
	for i := info.State.FirstSeq; i <= info.State.LastSeq; i++ {
		raw, err := p.js.GetMsg(streamName("tree"), i)
		if errors.Is(err, nats.ErrMsgNotFound) {
			continue // A publisher has removed it meanwhile.
		}
		if err != nil {
			p.t.Fatal(err)
		}
		m, err := decode(raw.Data)
		if err != nil {
			p.t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

// expectEachChangeOnce: the messages of the last epoch have all changes, each once.
func (p *pair) expectEachChangeOnce(changes int) {
	p.t.Helper()
	position := uint64(0)
	for _, m := range p.messages() {
		if m.kind == kindBegin {
			position = 0
		}
		if position += uint64(len(m.changes)); m.position != position {
			p.t.Fatalf("position %d after %d changes", m.position, position)
		}
	}
	if position != uint64(changes) {
		p.t.Fatalf("%d changes instead of %d", position, changes)
	}
}

// writers changes the tree from several goroutines for a time.
func (p *pair) writers(n int, duration time.Duration) {
	var all sync.WaitGroup
	end := time.Now().Add(duration)
	for i := 0; i < n; i++ {
		random := rand.New(rand.NewSource(int64(i)))
		all.Add(1)
		go func() {
			defer all.Done()
			for time.Now().Before(end) {
				p.tree.change(random, 10)
				time.Sleep(time.Millisecond)
			}
		}()
	}
	all.Wait()
}

// lossy is a connection that loses messages on the way, and acknowledgements on the way back.
type lossy struct {
	nats.JetStreamContext
	mutex  sync.Mutex
	random *rand.Rand
	lost   int
}

func (l *lossy) Publish(subject string, data []byte, options ...nats.PubOpt) (*nats.PubAck, error) {
	l.mutex.Lock()
	luck := l.random.Intn(8)
	if luck < 2 {
		l.lost++
	}
	l.mutex.Unlock()
	if luck == 0 {
		return nil, fmt.Errorf("the message is lost")
	}
	ack, err := l.JetStreamContext.Publish(subject, data, options...)
	if luck == 1 {
		return nil, fmt.Errorf("the acknowledgement is lost")
	}
	return ack, err
}
