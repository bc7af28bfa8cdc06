// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"path/filepath"
	"reflect"
	"strings"
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

// expectEnd waits until it has ended with an error.
func (r *running) expectEnd(want error) {
	r.t.Helper()
	select {
	case err := <-r.done:
		if !errors.Is(err, want) {
			r.t.Fatal(err)
		}
	case <-time.After(4 * patience):
		r.t.Fatal("it goes on")
	}
}

// pair is a tree with some entries, and a copy of it, by a server.
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
	server := startServer(t)
	p := newPairAt(t, &options{server: server.url()})
	p.server = server
	return p
}

// newPairAt is a pair by servers that run already.
func newPairAt(t *testing.T, o *options) *pair {
	p := &pair{
		t: t, tree: newTree("tree"), copy: newTree("copy"),
		state:  filepath.Join(t.TempDir(), "folder", "copy.json"),
		random: rand.New(rand.NewSource(1)),
	}
	p.connection, p.js = connectTo(t, o)
	p.tree.change(p.random, 3000)
	return p
}

func streamOf(t testing.TB, connection *nats.Conn, js nats.JetStreamContext) *stream {
	t.Helper()
	s, err := newStream(connection, js, "tree", 1, t.Logf)
	must(t, err)
	return s
}

// store appends a message, and waits until it is stored.
func (s *stream) store(ctx context.Context, subject string, data []byte) error {
	if err := s.append(ctx, subject, data, func() {}); err != nil {
		return err
	}
	return s.flush(ctx)
}

// beginning is a message that begins an epoch.
func beginning() []byte { return (&message{kind: kindBegin}).encode() }

func (p *pair) publisher() *publisher {
	return &publisher{
		source: &memoryName{p.tree}, last: everything, excess: defaultExcess, log: p.t.Logf,
		stream: streamOf(p.t, p.connection, p.js),
	}
}

func (p *pair) follower() *follower {
	return &follower{
		sink: &memoryName{p.copy}, connection: p.connection, js: p.js, name: "tree",
		state: p.state, last: everything, log: p.t.Logf,
	}
}

func (p *pair) publish() *running { return start(p.t, p.publisher().run) }
func (p *pair) follow() *running  { return start(p.t, p.follower().run) }

// logbook has what a program logs.
type logbook struct {
	mutex sync.Mutex
	lines []string
}

func (l *logbook) log(format string, args ...any) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

// count is the number of lines that have a text.
func (l *logbook) count(text string) int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	n := 0
	for _, line := range l.lines {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

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
	must(p.t, err)
	var all []*message
	for i := info.State.FirstSeq; i <= info.State.LastSeq; i++ {
		raw, err := p.js.GetMsg(streamName("tree"), i)
		if errors.Is(err, nats.ErrMsgNotFound) {
			continue // A publisher has removed it meanwhile.
		}
		must(p.t, err)
		m, err := decode(raw.Data)
		must(p.t, err)
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

// lossy loses messages on the way, and acknowledgements on the way back.
type lossy struct {
	publish func(*nats.Msg) error
	random  *rand.Rand
	lost    int
}

func (l *lossy) send(m *nats.Msg) error {
	switch l.random.Intn(8) {
	case 0:
		l.lost++
		return fmt.Errorf("the message is lost")
	case 1:
		l.lost++
		m.Reply = nats.NewInbox()
	}
	return l.publish(m)
}
