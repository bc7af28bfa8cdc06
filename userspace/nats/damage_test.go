// SPDX-License-Identifier: GPL-2.0

package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/nats-io/nats.go"
)

// A machine that loses power can leave a file without contents.
func TestDamagedProgressIsIgnored(t *testing.T) {
	for _, text := range []string{"", "{", "[]", "null"} {
		path := filepath.Join(t.TempDir(), "copy.json")
		must(t, os.WriteFile(path, []byte(text), 0o600))
		p, err := loadProgress(path, "copy")
		if err != nil || p != (progress{Copy: "copy"}) {
			t.Fatalf("%q: %+v %v", text, p, err)
		}
	}
}

// The file cannot be written for a while: it becomes older, and the copy goes on.
func TestFullDiskIsNoReasonToEnd(t *testing.T) {
	p := newPair(t)
	defer p.publish().stop()
	follower := p.follow()
	p.expectCopy()
	obstacle := p.state + ".new"
	must(t, os.Mkdir(obstacle, 0o700))
	p.writers(1, 2*lookPeriod)
	p.expectCopy()
	must(t, os.Remove(obstacle))
	follower.stop()
}

// A disk that is full when the follower starts is no reason either.
func TestFullDiskAtTheStartIsNoReasonToEnd(t *testing.T) {
	p := newPair(t)
	must(t, os.MkdirAll(filepath.Dir(p.state), 0o700))
	full := p.state + ".new"
	must(t, os.Symlink("/dev/full", full))
	var said logbook
	follower := p.follower()
	follower.log = said.log
	following := start(t, follower.run)
	soon(t, "the follower goes on or ends", func() bool {
		return said.count("the progress is not saved") > 0 || len(following.done) > 0
	})
	if len(following.done) > 0 {
		t.Fatal(<-following.done)
	}
	defer p.publish().stop()
	p.expectCopy()
	must(t, os.Remove(full))
	following.stop()
}

func TestProgressThatCannotBeWrittenAtAllEndsTheFollower(t *testing.T) {
	p := newPair(t)
	follower := p.follower()
	follower.state = filepath.Join(t.TempDir(), "file", "copy.json")
	must(t, os.WriteFile(filepath.Dir(follower.state), nil, 0o600))
	start(t, follower.run).expectEnd(syscall.ENOTDIR)
}

// A full disk does not hide why a follower ends.
func TestFullDiskHidesNoReason(t *testing.T) {
	p := newPair(t)
	follower := p.follower()
	follower.sink = &fullTree{memoryName{p.copy}}
	running := start(t, follower.run)
	soon(t, "the file", func() bool {
		_, err := os.Stat(p.state)
		return err == nil
	})
	must(t, os.Mkdir(p.state+".new", 0o700))
	defer p.publish().stop()
	running.expectEnd(errApply)
}

// Messages, or the stream, are removed while the tree does not change.
func TestLostMessagesAreWrittenAgain(t *testing.T) {
	p := newPair(t)
	publisher := p.publisher()
	defer start(t, publisher.run).stop()
	soon(t, "an epoch", func() bool { return publisher.status().Ready })
	name := streamName("tree")
	for what, lose := range map[string]func() error{
		"all messages": func() error { return p.js.PurgeStream(name) },
		"a message":    func() error { return p.js.DeleteMsg(name, publisher.status().Sequence-1) },
		"the begin": func() error {
			return p.js.PurgeStream(name, &nats.StreamPurgeRequest{Subject: beginSubject("tree")})
		},
		"the stream": func() error { return p.js.DeleteStream(name) },
	} {
		before := publisher.status().Epoch
		if err := lose(); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		soon(t, what+" came again", func() bool {
			now := publisher.status()
			return now.Ready && now.Epoch != before
		})
	}
	defer p.follow().stop()
	p.expectCopy()
}

// Somebody else's message is no reason to end: the publisher begins again behind it, and the
// follower goes on there.
func TestForeignMessagesAreLeftBehind(t *testing.T) {
	leaveBehind(t, func(p *pair, subject string) error {
		return errorOf(p.js.Publish(subject, []byte("hello")))
	})
}

// The server stores any bytes as a header.
func TestDamagedHeadersAreLeftBehind(t *testing.T) {
	headers := []string{"no header\r\n\r\n", "NATS/1.0 1\r\n\r\n"}
	leaveBehind(t, func(p *pair, subject string) error {
		header := headers[0]
		headers[0], headers[1] = headers[1], headers[0]
		connection, err := net.Dial("tcp", strings.TrimPrefix(p.server.url(), "nats://"))
		if err != nil {
			return err
		}
		defer connection.Close()
		const text = "hello"
		fmt.Fprintf(connection, "CONNECT {\"headers\":true,\"verbose\":false}\r\n"+
			"HPUB %s %d %d\r\n%s%s\r\nPING\r\n",
			subject, len(header), len(header+text), header, text)
		for lines := bufio.NewScanner(connection); lines.Scan(); {
			if lines.Text() == "PONG" {
				return nil
			}
		}
		return io.ErrUnexpectedEOF
	})
}

// leaveBehind lets another program publish to each subject, while the publisher has changes and
// while it has none.
func leaveBehind(t *testing.T, publish func(p *pair, subject string) error) {
	t.Helper()
	p := newPair(t)
	publisher := p.publisher()
	defer start(t, publisher.run).stop()
	defer p.follow().stop()
	for _, subject := range []string{dataSubject("tree"), beginSubject("tree")} {
		for _, busy := range []bool{true, false} {
			soon(t, "an epoch", func() bool { return publisher.status().Ready })
			before := publisher.status().Epoch
			must(t, publish(p, subject))
			if busy {
				p.tree.change(p.random, 1)
			}
			soon(t, "another epoch", func() bool { return publisher.status().Epoch != before })
			p.expectCopy()
		}
	}
}

// While there is no publisher, a follower waits at such a message.
func TestFollowerWaitsAtForeignMessages(t *testing.T) {
	p := newPair(t)
	publisher, follower := p.publish(), p.follower()
	var said logbook
	follower.log = said.log
	defer start(t, follower.run).stop()
	for i, subject := range []string{dataSubject("tree"), beginSubject("tree")} {
		p.expectCopy()
		publisher.stop()
		must(t, errorOf(p.js.Publish(subject, []byte("hello"))))
		soon(t, "the follower waits", func() bool { return said.count("waiting: message") > i })
		p.tree.change(p.random, 100)
		publisher = p.publish()
	}
	p.expectCopy()
	publisher.stop()
}

func TestIdlePublisherNoticesAnother(t *testing.T) {
	p := newPair(t)
	first := p.publisher()
	running := start(t, first.run)
	soon(t, "an epoch", func() bool { return first.status().Ready })
	defer p.publish().stop()
	running.expectEnd(errFenced)
}

// A follower that wrote to the tree of the publisher would undo what others write.
func TestATreeIsNoCopyOfItself(t *testing.T) {
	p := newPair(t)
	defer p.publish().stop()
	p.copy = p.tree
	p.follow().expectEnd(errApply)
}

func TestFullCopyEndsTheFollower(t *testing.T) {
	p := newPair(t)
	defer p.publish().stop()
	follower := p.follower()
	follower.sink = &fullTree{memoryName{p.copy}}
	start(t, follower.run).expectEnd(errApply)
	if stopped, err := loadProgress(p.state, follower.progress.Copy); err != nil || stopped.Scanned {
		t.Fatalf("the scan is said to have ended: %v", err)
	}
	// It continues as soon as there is room.
	defer p.follow().stop()
	p.expectCopy()
}

// fullTree has no room for the last message of a scan, which is not full.
type fullTree struct{ memoryName }

func (t *fullTree) store(entries []entry) error {
	if len(entries) < recordsMax {
		return os.ErrInvalid
	}
	return t.memoryName.store(entries)
}
