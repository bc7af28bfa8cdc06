// SPDX-License-Identifier: GPL-2.0

package main

import (
	"errors"
	"time"
)

// source is a tree that is published.
type source interface {
	// scan returns entries of a range in ascending order: less than most only if there
	// are no more.
	scan(first, last uint64, most int) ([]entry, error)
	watch(first, last uint64) (feed, error)
	identity() (string, error)
}

// sink is a tree that is a copy.
type sink interface {
	scan(first, last uint64, most int) ([]entry, error)
	// store stores entries whose keys differ.
	store(entries []entry) error
	// erase removes keys, which may be absent.
	erase(keys []uint64) error
	eraseRange(first, last uint64) error
	identity() (string, error)
}

// errOverrun: the feed has lost changes.
var errOverrun = errors.New("the publisher was slower than the writers of the tree")

// feed is the changes of a range of a tree since it was opened, in order.
type feed interface {
	// read appends changes to a slice until it has its capacity.
	read(changes []change) ([]change, error)
	// position is that of the change that is read next, head that of the next one that
	// a writer will make.
	position() uint64
	head() uint64
	// wait returns when there may be a change, or after the time.
	wait(limit time.Duration) error
	close()
}
