// SPDX-License-Identifier: GPL-2.0

package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// The structures of linux/blink_tree_watch.h. The tests compare them with the header.
type ioctlWatch struct {
	flags, slots                   uint32
	first, firstLow, last, lastLow uint64
}

type ringBegin struct {
	records, recordSize uint32
	slots               uint64
	reserved            [6]uint64
	head                uint64
	pad                 [7]uint64
	lost                uint64
	pad2                [7]uint64
}

type ringChange struct {
	seq                                    uint64
	op, more                               uint32
	key, keyLow, last, lastLow, value, old uint64
}

const (
	opInsert     = 1
	opUpdate     = 2
	opEraseKey   = 3
	opEraseRange = 4
	// From here on a record has no key, and tells of the tree itself.
	opTree     = 16
	opUnlinked = 16
)

// ring is the feed of a tree of the kernel.
type ring struct {
	file   *os.File
	memory []byte
	begin  *ringBegin
	next   uint64
}

func (tree *deviceTree) watch(first, last uint64) (feed, error) {
	call := ioctlWatch{slots: tree.slots, first: first, last: last, lastLow: math.MaxUint64}
	fd, err := ioctl(tree.file, iocWatch, unsafe.Pointer(&call))
	if err != nil {
		return nil, fmt.Errorf("%s: watching it: %w", tree.name, err)
	}
	memory, err := mapRing(fd)
	if err != nil {
		syscall.Close(fd)
		return nil, fmt.Errorf("%s: mapping its changes: %w", tree.name, err)
	}
	// os.File polls descriptors that do not block; no other error of this call is possible.
	syscall.SetNonblock(fd, true)
	return &ring{
		file:   os.NewFile(uintptr(fd), tree.name),
		memory: memory,
		begin:  (*ringBegin)(unsafe.Pointer(&memory[0])),
	}, nil
}

// mapRing maps the ring, whose begin says how large it is.
func mapRing(fd int) ([]byte, error) {
	page, err := syscall.Mmap(fd, 0, os.Getpagesize(), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	begin := *(*ringBegin)(unsafe.Pointer(&page[0]))
	if err := syscall.Munmap(page); err != nil {
		return nil, err
	}
	size := int(begin.records) + int(begin.slots)*int(begin.recordSize)
	return syscall.Mmap(fd, 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
}

func (r *ring) close() {
	r.file.Close()
	syscall.Munmap(r.memory)
}

func (r *ring) position() uint64 { return r.next }

func (r *ring) head() uint64 { return atomic.LoadUint64(&r.begin.head) }

// errSoon: the writer of a record has not finished yet; errNone: there is no record yet.
var (
	errSoon = errors.New("soon")
	errNone = errors.New("none")
)

// one reads the change at the position, by the steps of the header. Go's atomic loads keep
// their order, and the words of a record that a writer overwrites are loaded that way too.
func (r *ring) one() (change, error) {
	offset := uintptr(r.begin.records) +
		uintptr(r.next&(r.begin.slots-1))*uintptr(r.begin.recordSize)
	slot := (*ringChange)(unsafe.Pointer(&r.memory[offset]))
	expected := 2*r.next + 2
	switch seq := atomic.LoadUint64(&slot.seq); {
	case seq > expected:
		return change{}, errOverrun
	case seq < expected:
		return change{}, r.missing()
	}
	op, more := atomic.LoadUint32(&slot.op), atomic.LoadUint32(&slot.more)
	key, last := atomic.LoadUint64(&slot.key), atomic.LoadUint64(&slot.last)
	value := atomic.LoadUint64(&slot.value)
	if atomic.LoadUint64(&slot.seq) != expected {
		return change{}, errOverrun
	}
	switch {
	case op == opInsert || op == opUpdate:
		return change{changeStore, key, value, more}, nil
	case op == opEraseKey || op == opEraseRange:
		return change{changeErase, key, last, more}, nil
	case op == opUnlinked:
		return change{}, errNameLost
	case op >= opTree:
		return change{kind: changeNone}, nil
	}
	return change{}, fmt.Errorf("a change of the unknown kind %d", op)
}

func (r *ring) missing() error {
	if atomic.LoadUint64(&r.begin.lost) > r.next {
		return errOverrun
	}
	if r.head() > r.next {
		return errSoon
	}
	return errNone
}

// read returns errNameLost where the tree lost its name, once the changes before have been
// read. The changes of a commit have consecutive records, and are read together.
func (r *ring) read(changes []change) ([]change, error) {
	for len(changes) < cap(changes) {
		c, err := r.one()
		switch err {
		case nil:
			if int(c.more) >= cap(changes)-len(changes) {
				return changes, nil
			}
			changes = append(changes, c)
			r.next++
		case errNameLost:
			if len(changes) > 0 {
				return changes, nil
			}
			return changes, err
		case errSoon:
			runtime.Gosched()
		case errNone:
			return changes, nil
		default:
			return changes, err
		}
	}
	return changes, nil
}

func (r *ring) wait(limit time.Duration) error {
	if err := r.file.SetReadDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	for r.head() <= r.next {
		var head [8]byte
		_, err := r.file.Read(head[:])
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}
