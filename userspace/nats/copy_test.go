// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"errors"
	"math/rand"
	"os"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

func TestCopyWhileWritersRun(t *testing.T) {
	p := newPair(t)
	defer p.publish().stop()
	defer p.follow().stop()
	p.writers(4, 2*time.Second)
	p.expectCopy()
}

func TestCopyOfNothing(t *testing.T) {
	p := newPair(t)
	p.tree = newTree("tree")
	p.copy.store([]entry{{1, 1}, {everything, 2}})
	defer p.publish().stop()
	defer p.follow().stop()
	p.expectCopy()
}

func TestFollowerMayBeFirst(t *testing.T) {
	p := newPair(t)
	defer p.follow().stop()
	time.Sleep(2 * pause)
	defer p.publish().stop()
	p.expectCopy()
}

func TestCopyOfARange(t *testing.T) {
	p := newPair(t)
	outside := []entry{{0, 1}, {999, 2}, {2000, 3}, {everything, 4}}
	p.copy.store(append(outside, entry{1000, 5}))
	publisher := p.publisher()
	publisher.first, publisher.last = 1000, 1999
	defer start(t, publisher.run).stop()
	defer p.follow().stop()
	p.writers(2, time.Second)
	soon(t, "the range is equal", func() bool {
		return reflect.DeepEqual(within(p.copy.all(), 1000, 1999), within(p.tree.all(), 1000, 1999))
	})
	expectEqual(t, append(within(p.copy.all(), 0, 999), within(p.copy.all(), 2000, everything)...), outside)
}

func TestServerIsKilled(t *testing.T) {
	p := newPair(t)
	defer p.publish().stop()
	defer p.follow().stop()
	p.expectCopy()
	changes := len(p.tree.changes)
	for i := 0; i < 3; i++ {
		go p.writers(2, time.Second)
		time.Sleep(time.Second / 2)
		p.server.kill()
		time.Sleep(time.Second)
		p.server.start()
		p.expectCopy()
	}
	p.expectEachChangeOnce(len(p.tree.changes) - changes)
}

func TestEachChangeIsStoredOnce(t *testing.T) {
	p := newPair(t)
	publisher := p.publisher()
	bad := &lossy{publish: publisher.stream.publish, random: rand.New(rand.NewSource(1))}
	publisher.stream.publish = bad.send
	defer start(t, publisher.run).stop()
	defer p.follow().stop()
	p.expectCopy()
	changes := len(p.tree.changes)
	for i := 0; i < 30; i++ {
		p.tree.change(p.random, 10)
		time.Sleep(20 * time.Millisecond)
	}
	p.expectCopy()
	p.expectEachChangeOnce(len(p.tree.changes) - changes)
	if bad.lost == 0 {
		t.Fatal("nothing was lost")
	}
}

func TestPublisherStartsAgain(t *testing.T) {
	p := newPair(t)
	defer p.follow().stop()
	for i := 0; i < 3; i++ {
		publisher := p.publish()
		p.expectCopy()
		publisher.stop()
		p.tree.change(p.random, 500)
	}
	defer p.publish().stop()
	p.expectCopy()
}

func TestFollowerContinues(t *testing.T) {
	p := newPair(t)
	defer p.publish().stop()
	follower := p.follow()
	p.expectCopy()
	follower.stop()
	p.copy.written()
	p.tree.store([]entry{{1, 1}, {2, 2}})
	// The copy is not read again: an entry that is wrong stays so.
	p.copy.entries[everything] = 1
	defer p.follow().stop()
	soon(t, "two writes", func() bool { return p.copy.written() == 2 })
	if p.copy.all()[len(p.copy.entries)-1].key != everything {
		t.Fatal("the follower has read the copy again")
	}
}

// A follower that starts again with a narrower range does not continue an epoch of a wider one.
func TestFollowerContinuesInItsRange(t *testing.T) {
	p := newPair(t)
	defer p.publish().stop()
	follower := p.follow()
	p.expectCopy()
	follower.stop()
	before := p.copy.all()
	narrow := p.follower()
	narrow.first, narrow.last = 1000, 1999
	var said logbook
	narrow.log = said.log
	defer start(t, narrow.run).stop()
	p.tree.store([]entry{{5000, 1}})
	soon(t, "the epoch is refused", func() bool {
		expectEqual(t, p.copy.all(), before)
		return said.count("see --first and --last") > 0
	})
}

func TestFollowerOfAnotherCopyBeginsAgain(t *testing.T) {
	p := newPair(t)
	defer p.publish().stop()
	follower := p.follow()
	p.expectCopy()
	follower.stop()
	// After a reboot the copy is empty, and the file is still there.
	p.copy = newTree("copy of another boot")
	defer p.follow().stop()
	p.expectCopy()
}

func TestFollowerThatIsLateBeginsAgain(t *testing.T) {
	p := newPair(t)
	publisher, follower := p.publish(), p.follow()
	p.expectCopy()
	follower.stop()
	publisher.stop()
	// A new epoch, which removes the messages that come next.
	p.tree.change(p.random, 2000)
	defer p.publish().stop()
	soon(t, "the epoch", func() bool { m := p.messages(); return len(m) > 3 && m[0].kind == kindBegin })
	defer p.follow().stop()
	p.expectCopy()
}

func TestOldProgressIsHarmless(t *testing.T) {
	p := newPair(t)
	defer p.publish().stop()
	follower := p.follow()
	p.expectCopy()
	follower.stop()
	old, err := os.ReadFile(p.state)
	must(t, err)
	follower = p.follow()
	p.writers(2, time.Second)
	p.expectCopy()
	follower.stop()
	// What kill -9 leaves: a file that is older than the copy.
	must(t, os.WriteFile(p.state, old, 0o600))
	defer p.follow().stop()
	p.tree.change(p.random, 10)
	p.expectCopy()
}

// waitingTree is a copy that waits in each call of store until the test says so.
type waitingTree struct {
	memoryName
	storing, goOn chan bool
}

func (t *waitingTree) store(entries []entry) error {
	if len(entries) > 0 {
		t.storing <- true
		<-t.goOn
	}
	return t.memoryName.store(entries)
}

// While messages are applied a second time, the copy can have a state that the tree never had.
func TestCopyThatIsTakenBackIsNotReady(t *testing.T) {
	p := newPair(t)
	publishing, follower := p.publish(), p.follow()
	p.expectCopy()
	follower.stop()
	old, err := os.ReadFile(p.state)
	must(t, err)
	follower = p.follow()
	for i := uint64(1); i <= 2; i++ {
		p.tree.store([]entry{{1, i}})
		p.expectCopy()
	}
	follower.stop()
	publishing.stop()
	must(t, os.WriteFile(p.state, old, 0o600))
	again := p.follower()
	waiting := &waitingTree{memoryName{p.copy}, make(chan bool), make(chan bool)}
	again.sink = waiting
	defer start(t, again.run).stop()
	for i := 0; i < 2; i++ {
		<-waiting.storing
		if again.status().Ready {
			t.Errorf("message %d is applied again, and the copy is ready", i)
		}
		waiting.goOn <- true
	}
	soon(t, "the copy is ready", func() bool { return again.status().Ready })
}

// changeUntilEnd changes the tree, with pauses, until a program ends; then the channel is closed.
func (p *pair) changeUntilEnd(running *running, pause time.Duration) <-chan bool {
	ended := make(chan bool)
	go func() {
		for len(running.done) == 0 {
			p.tree.change(p.random, 1)
			time.Sleep(pause)
		}
		close(ended)
	}()
	return ended
}

func TestSecondPublisherTakesOver(t *testing.T) {
	p := newPair(t)
	first := p.publish()
	defer p.follow().stop()
	p.expectCopy()
	ended := p.changeUntilEnd(first, 0)
	defer p.publish().stop()
	<-ended
	first.expectEnd(errFenced)
	p.expectCopy()
}

// slowSource is a source that takes a while to watch a tree, as a kernel does.
type slowSource struct {
	source
	wait func()
}

func (s slowSource) watch(first, last uint64) (feed, error) {
	s.wait()
	return s.source.watch(first, last)
}

// A publisher that always has stored one more message cannot keep the stream.
func TestBusyPublisherIsReplaced(t *testing.T) {
	p := newPair(t)
	first := p.publish()
	defer p.follow().stop()
	p.expectCopy()
	ended := p.changeUntilEnd(first, time.Millisecond)
	second := p.publisher()
	second.source = slowSource{second.source, func() {
		last := func() uint64 {
			info, err := p.js.StreamInfo(streamName("tree"))
			if err != nil {
				return 0
			}
			return info.State.LastSeq
		}
		for before := last(); last() == before && len(first.done) == 0; {
			time.Sleep(time.Millisecond)
		}
	}}
	defer start(t, second.run).stop()
	<-ended
	first.expectEnd(errFenced)
	p.expectCopy()
	if second.stream.epochs != 1 {
		t.Fatalf("%d epochs instead of one", second.stream.epochs)
	}
}

func TestOverrunBeginsAnEpoch(t *testing.T) {
	p := newPair(t)
	p.tree.ring = 100
	publisher := p.publisher()
	defer start(t, publisher.run).stop()
	defer p.follow().stop()
	p.expectCopy()
	before := publisher.status().Epoch
	p.tree.change(p.random, 5000)
	p.expectCopy()
	if publisher.status().Epoch == before {
		t.Fatal("there was no overrun")
	}
}

// Writers that outrun each scan do not fill the server's disk.
func TestScansThatDoNotEndAreForgotten(t *testing.T) {
	p := newPair(t)
	random := rand.New(rand.NewSource(5))
	p.tree.ring = 100
	p.tree.scanning = func() { p.tree.change(random, 200) }
	publisher := p.publisher()
	var said logbook
	publisher.log = said.log
	defer start(t, publisher.run).stop()
	soon(t, "the third epoch is all that there is", func() bool {
		info, err := p.js.StreamInfo(streamName("tree"))
		return err == nil && info.State.FirstSeq > 4 && info.State.Msgs <= 4
	})
	if n := said.count(errOverrun.Error()); n != 1 {
		t.Fatalf("the log says so %d times", n)
	}
}

// A long scan lets the ring of a watch overrun, unless the publisher reads it meanwhile.
func TestChangesAreReadDuringTheScan(t *testing.T) {
	p := newPair(t)
	for i := 0; i < 5000; i++ {
		p.tree.store([]entry{{uint64(i), 1}})
	}
	random := rand.New(rand.NewSource(4))
	p.tree.ring = 150
	p.tree.scanning = func() { p.tree.change(random, 100) }
	publisher := p.publisher()
	defer start(t, publisher.run).stop()
	defer p.follow().stop()
	soon(t, "the scan ends", func() bool { return publisher.status().Ready })
	p.expectCopy()
}

// Somebody removes messages of the epoch: the copy waits for the next one.
func TestMissingMessagesAreNoticed(t *testing.T) {
	p := newPair(t)
	publisher, follower := p.publisher(), p.follow()
	publishing := start(t, publisher.run)
	p.expectCopy()
	follower.stop()
	before := p.copy.all()
	p.tree.store([]entry{{1, 1}})
	soon(t, "a message", func() bool { return publisher.status().Position == 1 })
	info, err := p.js.StreamInfo(streamName("tree"))
	must(t, err)
	gone := &nats.StreamPurgeRequest{Subject: dataSubject("tree"), Sequence: info.State.LastSeq + 1}
	must(t, p.js.PurgeStream(streamName("tree"), gone))
	defer p.follow().stop()
	p.tree.store([]entry{{2, 2}})
	time.Sleep(3 * pause)
	expectEqual(t, p.copy.all(), before)
	publishing.stop()
	defer p.publish().stop()
	p.expectCopy()
}

// sessionCounter is a copy that counts how often its follower looks whether it has its name: at
// the end of each session at least.
type sessionCounter struct {
	memoryName
	looks atomic.Int64
}

func (c *sessionCounter) named() (bool, error) {
	c.looks.Add(1)
	return c.memoryName.named()
}

// While no publisher begins an epoch, a copy that cannot continue remains as it is.
func TestAGapTakesTheCopyBackToNoOlderState(t *testing.T) {
	for what, lose := range map[string]func(p *pair, last uint64) error{
		"a message is missing": func(p *pair, last uint64) error {
			return p.js.DeleteMsg(streamName("tree"), last)
		},
		"a message is of another epoch": func(p *pair, last uint64) error {
			m := &message{kind: kindChanges, epoch: 1, last: everything}
			return errorOf(p.js.Publish(dataSubject("tree"), m.encode()))
		},
	} {
		p := newPair(t)
		before, publisher := len(p.tree.changes), p.publisher()
		publishing, following := start(t, publisher.run), p.follow()
		p.expectCopy()
		p.tree.change(p.random, 100)
		p.expectCopy()
		following.stop()
		p.tree.store([]entry{{1, 1}})
		soon(t, "a message", func() bool {
			return publisher.status().Position == uint64(len(p.tree.changes)-before)
		})
		publishing.stop()
		must(t, lose(p, publisher.status().Sequence))
		p.copy.written()
		follower, counter := p.follower(), &sessionCounter{memoryName: memoryName{p.copy}}
		var said logbook
		follower.sink, follower.log = counter, said.log
		defer start(t, follower.run).stop()
		soon(t, "the follower waits", func() bool { return said.count(errGap.Error()) > 0 })
		looks := counter.looks.Load()
		soon(t, "it tries again", func() bool { return counter.looks.Load() > looks+4 })
		if n := p.copy.written(); n > 1 {
			t.Errorf("%s: the follower has written %d entries", what, n)
		}
		if follower.status().Behind == 0 {
			t.Errorf("%s: the copy lacks no message", what)
		}
		defer p.publish().stop()
		p.expectCopy()
	}
}

func TestStreamDoesNotGrow(t *testing.T) {
	p := newPair(t)
	publisher := p.publisher()
	publisher.excess = 100
	defer start(t, publisher.run).stop()
	defer p.follow().stop()
	p.expectCopy()
	most := uint64(growth*len(p.tree.all())*2 + 5000)
	for i := 0; i < 20; i++ {
		p.tree.change(p.random, 5000)
		p.expectCopy()
	}
	soon(t, "few messages", func() bool {
		sum := uint64(0)
		for _, m := range p.messages() {
			sum += uint64(m.count())
		}
		return sum < most
	})
}

func TestStreamIsDeleted(t *testing.T) {
	p := newPair(t)
	defer p.publish().stop()
	defer p.follow().stop()
	p.expectCopy()
	must(t, p.js.DeleteStream(streamName("tree")))
	p.tree.change(p.random, 10)
	p.expectCopy()
}

func TestStatus(t *testing.T) {
	p := newPair(t)
	publisher, follower := p.publisher(), p.follower()
	must(t, answer(p.connection, "tree", report{Role: "publisher", Tree: "a"}, publisher.status))
	other, _ := p.server.connect()
	must(t, answer(other, "tree", report{Role: "follower", Tree: "b"}, follower.status))
	other.Flush()
	defer start(t, publisher.run).stop()
	soon(t, "publishing", func() bool { return publisher.status().Ready })
	expectReports(t, other, func(r []report) bool {
		return r[0].Ready && !r[1].Ready && r[1].Behind == r[0].Sequence && r[0].Tree == "a"
	})
	defer start(t, follower.run).stop()
	p.expectCopy()
	p.tree.change(p.random, 10)
	p.expectCopy()
	soon(t, "all is copied", func() bool { return follower.status().Behind == 0 })
	expectReports(t, other, func(r []report) bool {
		return r[1].Ready && r[1].Sequence == r[0].Sequence && r[1].Epoch == r[0].Epoch &&
			r[1].Position == r[1].Head && r[1].Position >= 10 && r[1].Tree == "b"
	})
}

// A publisher that has lost changes says so before it scans the tree again.
func TestPublisherThatLostChangesIsNotReady(t *testing.T) {
	p := newPair(t)
	p.tree.ring = 100
	publisher := p.publisher()
	watching, goOn := make(chan bool), make(chan bool)
	publisher.source = slowSource{publisher.source, func() {
		watching <- true
		<-goOn
	}}
	defer start(t, publisher.run).stop()
	<-watching
	goOn <- true
	soon(t, "an epoch", func() bool { return publisher.status().Ready })
	p.tree.change(p.random, 5000)
	<-watching
	if publisher.status().Ready {
		t.Error("the publisher has lost changes, and is ready")
	}
	goOn <- true
	soon(t, "another epoch", func() bool { return publisher.status().Ready })
}

// A follower that cannot learn how far it is behind is not ready.
func TestFollowerThatKnowsNoEndIsNotReady(t *testing.T) {
	p := newPair(t)
	publishing, follower := p.publish(), p.follower()
	defer start(t, follower.run).stop()
	ready := func() bool { return follower.status().Ready }
	soon(t, "the copy is ready", ready)
	publishing.stop()
	must(t, p.js.DeleteStream(streamName("tree")))
	if ready() {
		t.Error("there is no stream, and the copy is ready")
	}
	must(t, errorOf(streamOf(t, p.connection, p.js).create()))
	if ready() {
		t.Error("the stream is another one, and the copy is ready")
	}
	defer p.publish().stop()
	soon(t, "the copy is ready again", ready)
	p.server.kill()
	if ready() {
		t.Error("no server answers, and the copy is ready")
	}
	p.server.start()
	soon(t, "the server is back", ready)
}

func expectReports(t *testing.T, connection *nats.Conn, right func([]report) bool) {
	t.Helper()
	reports, err := collect(context.Background(), connection, "tree")
	if err != nil || len(reports) != 2 || !right(reports) {
		t.Fatalf("%+v %v", reports, err)
	}
}

func TestMessageOfAnotherPublisherEndsTheFirst(t *testing.T) {
	connection, js := startServer(t).connect()
	first := streamOf(t, connection, js)
	second := streamOf(t, connection, js)
	for _, s := range []*stream{first, second} {
		must(t, s.adopt(context.Background()))
	}
	must(t, second.store(context.Background(), beginSubject("tree"), beginning()))
	err := first.store(context.Background(), dataSubject("tree"), []byte("a"))
	if !errors.Is(err, errFenced) {
		t.Fatal(err)
	}
}

func TestStreamIsDeletedBeforeItHasMessages(t *testing.T) {
	connection, js := startServer(t).connect()
	s := streamOf(t, connection, js)
	must(t, s.adopt(context.Background()))
	must(t, js.DeleteStream(streamName("tree")))
	limited, cancel := context.WithTimeout(context.Background(), 4*patience)
	defer cancel()
	if err := s.store(limited, dataSubject("tree"), nil); !errors.Is(err, errRolledBack) {
		t.Fatal(err)
	}
}

func TestStreamIsDeletedBeforeItForgets(t *testing.T) {
	connection, js := startServer(t).connect()
	s := streamOf(t, connection, js)
	limited, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	if err := s.forget(limited, 2); !errors.Is(err, errRolledBack) {
		t.Fatal(err)
	}
}
