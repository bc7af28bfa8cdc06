// SPDX-License-Identifier: GPL-2.0

package main

import (
	"os"
	"testing"
	"time"
)

func TestTheTreeThatHasTheNameIsPublished(t *testing.T) {
	p := newPair(t)
	defer p.publish().stop()
	defer p.follow().stop()
	p.expectCopy()
	former, before := p.tree, p.copy.all()
	former.unnamed.Store(true)
	time.Sleep(2 * lookPeriod)
	former.change(p.random, 100)
	time.Sleep(2 * pause)
	expectEqual(t, p.copy.all(), before)
	p.tree = newTree("another")
	p.tree.change(p.random, 500)
	former.heir.Store(p.tree)
	p.expectCopy()
	p.tree.change(p.random, 100)
	p.expectCopy()
}

func TestATreeLosesItsNameDuringTheScan(t *testing.T) {
	p := newPair(t)
	former := p.tree
	p.tree = newTree("another")
	p.tree.change(p.random, 500)
	former.heir.Store(p.tree)
	former.scanning = func() {
		former.unnamed.Store(true)
		time.Sleep(lookPeriod)
		former.change(p.random, 1)
	}
	publisher := p.publisher()
	publisher.source = &memoryName{former}
	defer start(t, publisher.run).stop()
	defer p.follow().stop()
	p.expectCopy()
	if publisher.stream.epochs != 2 {
		t.Fatalf("%d epochs instead of 2", publisher.stream.epochs)
	}
}

// While the server is away, the trees lose their names.
func TestNamesAreLookedAtWithoutServer(t *testing.T) {
	p := newPair(t)
	publisher, follower := p.publisher(), p.follower()
	var published, copied logbook
	publisher.log, follower.log = published.log, copied.log
	publisher.stream.log = published.log
	defer start(t, publisher.run).stop()
	defer start(t, follower.run).stop()
	p.expectCopy()
	p.server.kill()
	former, formerCopy := p.tree, p.copy
	former.change(p.random, 1)
	p.tree, p.copy = newTree("another"), newTree("another copy")
	p.tree.change(p.random, 500)
	soon(t, "the publisher waits for the server", func() bool { return published.count("waiting: ") > 0 })
	for _, lost := range []struct {
		tree, heir *memoryTree
		said       *logbook
	}{{former, p.tree, &published}, {formerCopy, p.copy, &copied}} {
		lost.tree.heir.Store(lost.heir)
		lost.tree.unnamed.Store(true)
		soon(t, "it is noticed", func() bool { return lost.said.count(errNameLost.Error()) > 0 })
	}
	p.server.start()
	p.expectCopy()
}

func TestATreeThatCannotBeOpenedEndsThePublisher(t *testing.T) {
	p := newPair(t)
	publisher := p.publisher()
	publisher.source = &brokenName{memoryName{p.tree}}
	p.tree.unnamed.Store(true)
	start(t, publisher.run).expectEnd(os.ErrPermission)
}

// brokenName leads to a tree that this program may not read.
type brokenName struct{ memoryName }

func (*brokenName) reopen() error { return os.ErrPermission }

func TestTheTreeThatHasTheNameIsTheCopy(t *testing.T) {
	p := newPair(t)
	defer p.publish().stop()
	follower := p.follow()
	p.expectCopy()
	for _, busy := range []bool{true, false} {
		former := p.copy
		p.copy = newTree("the copy after " + former.name)
		p.copy.store([]entry{{everything, 1}})
		former.heir.Store(p.copy)
		former.unnamed.Store(true)
		if busy {
			p.writers(1, 2*lookPeriod)
		}
		p.expectCopy()
	}
	follower.stop()
	if noted, err := loadProgress(p.state, p.copy.name); err != nil || noted.Sequence == 0 {
		t.Fatalf("the file is not of this copy: %v", err)
	}
}

// Somebody says all the time that there are messages.
func TestNamesAreLookedAtMeanwhile(t *testing.T) {
	p := newPair(t)
	publisher := p.publish()
	follower := p.follower()
	var said logbook
	follower.log = said.log
	defer start(t, follower.run).stop()
	p.expectCopy()
	publisher.stop()
	liar, _ := p.server.connect()
	former := p.copy
	p.copy = newTree("another copy")
	former.heir.Store(p.copy)
	former.unnamed.Store(true)
	soon(t, "it is noticed", func() bool {
		liar.Publish(moreSubject("tree"), nil)
		return said.count(errNameLost.Error()) > 0
	})
}
