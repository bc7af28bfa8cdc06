// SPDX-License-Identifier: GPL-2.0

package main

import (
	"errors"
	"time"
)

// opened is a tree that was opened by its name.
type opened interface {
	// identity differs for all trees.
	identity() (string, error)
	// named returns whether the tree still has the name by which it was opened.
	named() (bool, error)
	// reopen opens the tree that has the name now, instead of this one.
	reopen() error
}

// errNameLost: the tree was removed or renamed. Its name may lead to another tree.
var errNameLost = errors.New("the tree does not have this name any more")

// checkNamed returns errNameLost if the tree has lost its name.
func checkNamed(tree opened) error {
	named, err := tree.named()
	if err == nil && !named {
		return errNameLost
	}
	return err
}

// readable is the entries of a tree.
type readable interface {
	// scan returns entries of a range in ascending order: less than most only if there
	// are no more.
	scan(first, last uint64, most int) ([]entry, error)
}

// writable is entries that can be changed.
type writable interface {
	readable
	// store stores entries whose keys differ.
	store(entries []entry) error
	// erase removes keys, which may be absent.
	erase(keys []uint64) error
	eraseRange(first, last uint64) error
	// commit makes changes at one moment. It makes none if that is not possible, as they
	// are too many, or if a key that they erase is absent.
	commit(changes []change) (bool, error)
}

// source is a tree that is published.
type source interface {
	opened
	readable
	watch(first, last uint64) (feed, error)
}

// sink is a tree that is a copy.
type sink interface {
	opened
	writable
}

// errOverrun: the feed has lost changes.
var errOverrun = errors.New("the publisher was slower than the writers of the tree")

// feed is the changes of a range of a tree since it was opened, in order.
type feed interface {
	// read appends changes to a slice while there is room, also for all of a commit.
	read(changes []change) ([]change, error)
	// position is that of the change that is read next, head that of the next one that
	// a writer will make.
	position() uint64
	head() uint64
	// wait returns when there may be a change, or after the time.
	wait(limit time.Duration) error
	close()
}
