// SPDX-License-Identifier: GPL-2.0

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"sort"
	"strings"
	"syscall"
	"unsafe"
)

// The ioctls of linux/blink_tree.h. The tests compare them with the header.
const (
	devicePath = "/dev/blink_tree"
	nameMax    = 64
	slotsMin   = 64
	slotsMax   = 1 << 20

	iocCreate      = 0xc060bd01
	iocOpen        = 0xc050bd02
	iocBatch       = 0xc018bd06
	iocScan        = 0xc030bd07
	iocAttr        = 0xc080bd0c
	iocRecordErase = 0xc028bd10
	iocWatch       = 0xc028bd12

	keyU64           = 0
	createByteValues = 1 << 1
	openRead         = 1 << 0
	openWrite        = 1 << 1
	openOwner        = 1 << 2
	opLookup         = 0
	opStore          = 2
	opErase          = 4
	done             = 1 << 31
	batchCommit      = 1 << 0
	commitMax        = 32
	commitClear      = 1 << 1
)

type ioctlCreate struct {
	flags, mode                               uint32
	maxEntries                                uint64
	name                                      [nameMax]byte
	replication, locking, placement, reserved uint8
	key                                       uint32
	maxBytes                                  uint64
}

type ioctlOpen struct {
	flags, uid uint32
	id         uint64
	name       [nameMax]byte
}

type ioctlAttr struct {
	flags, known                    uint32
	id                              uint64
	uid, gid, mode, key             uint32
	maxEntries                      uint64
	name                            [nameMax]byte
	maxBytes, createFlags           uint64
	replication, locking, placement uint8
	reserved                        [5]uint8
}

type ioctlOp struct {
	opcode, flags   uint16
	result          int32
	key, value, old uint64
}

type ioctlBatch struct {
	flags, count uint32
	ops          unsafe.Pointer
	done, opSize uint32
}

type ioctlScan struct {
	flags, capacity     uint32
	first, last         uint64
	entries             unsafe.Pointer
	count               uint64
	entrySize, reserved uint32
}

type ioctlRecordErase struct {
	flags, reserved         uint32
	first, last             unsafe.Pointer
	firstLength, lastLength uint32
	count                   uint64
}

// errKind: only keys and values of 64 bits have messages.
var errKind = errors.New("keys and values of the tree are not of 64 bits each")

// ioctl calls the device; a signal of the runtime makes it start again.
func ioctl(file *os.File, number uintptr, argument unsafe.Pointer) (int, error) {
	for {
		value, _, errno := syscall.Syscall(syscall.SYS_IOCTL, file.Fd(), number, uintptr(argument))
		runtime.KeepAlive(file)
		if errno == 0 {
			return int(value), nil
		}
		if errno != syscall.EINTR {
			return -1, errno
		}
	}
}

// deviceTree is a tree of the kernel.
type deviceTree struct {
	file *os.File
	name string
	// owner is the user whose tree it has to be: every user can take a name that is free.
	owner uint32
	// maxEntries and maxBytes are the limits of a tree that open creates, 0 for none.
	maxEntries, maxBytes uint64
	// open opens the tree that has the name.
	open func(*deviceTree) (*os.File, error)
	// slots is how many changes its watches can be behind, 0 for the kernel's choice.
	slots uint32
}

// control calls an ioctl of the device that returns the descriptor of a tree.
func control(name string, number uintptr, argument unsafe.Pointer) (*os.File, error) {
	device, err := os.OpenFile(devicePath, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer device.Close()
	fd, err := ioctl(device, number, argument)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	file := os.NewFile(uintptr(fd), name)
	if err := checkKind(file); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return file, nil
}

// checkTree refuses names that no tree can have.
func checkTree(name string) error {
	if name == "" || len(name) >= nameMax {
		return fmt.Errorf("%q: a tree has a name of 1 to %d characters", name, nameMax-1)
	}
	return nil
}

// openTree opens a tree for reading, or for reading and writing.
func (tree *deviceTree) openTree(flags uint32) (*os.File, error) {
	call := ioctlOpen{flags: flags | openOwner, uid: tree.owner}
	if err := checkTree(tree.name); err != nil {
		return nil, err
	}
	copy(call.name[:], tree.name)
	file, err := control(tree.name, iocOpen, unsafe.Pointer(&call))
	if errors.Is(err, syscall.EPERM) {
		err = fmt.Errorf("%w: it does not belong to the user %d; see --owner", err, tree.owner)
	}
	return file, err
}

// present is whether there is a tree of the owner that has the name, of any kind. If there is
// none, it is an error unless this user can create one for the owner.
func (tree *deviceTree) present() (bool, error) {
	file, err := tree.openTree(openWrite)
	file.Close()
	switch {
	case err == nil || errors.Is(err, errKind):
		return true, nil
	case errors.Is(err, syscall.ENOENT) && int(tree.owner) == os.Geteuid():
		return false, nil
	}
	return false, err
}

// openSource opens a tree that is published.
func openSource(tree *deviceTree) (*os.File, error) { return tree.openTree(openRead) }

// openCopy opens a tree for a copy, and creates it if there is none: only for this user, as a
// new tree belongs to its creator.
func openCopy(tree *deviceTree) (*os.File, error) {
	for {
		file, err := tree.openTree(openRead | openWrite)
		if !errors.Is(err, syscall.ENOENT) || int(tree.owner) != os.Geteuid() {
			return file, err
		}
		call := ioctlCreate{mode: 0o600, maxEntries: tree.maxEntries, maxBytes: tree.maxBytes}
		copy(call.name[:], tree.name)
		file, err = control(tree.name, iocCreate, unsafe.Pointer(&call))
		// Another program can have taken the name meanwhile.
		if !errors.Is(err, syscall.EEXIST) {
			return file, err
		}
	}
}

// reopen closes the former tree first: if that has no name, its memory is free from now on.
func (tree *deviceTree) reopen() (err error) {
	tree.close()
	tree.file, err = tree.open(tree)
	return err
}

func (tree *deviceTree) close() {
	tree.file.Close()
}

func attributesOf(file *os.File) (ioctlAttr, error) {
	var call ioctlAttr
	_, err := ioctl(file, iocAttr, unsafe.Pointer(&call))
	return call, err
}

func checkKind(file *os.File) error {
	attributes, err := attributesOf(file)
	if err != nil {
		return err
	}
	if attributes.key != keyU64 || attributes.createFlags&createByteValues != 0 {
		return errKind
	}
	return nil
}

// named asks the tree for its name: that of a tree that was removed is empty, and no other
// tree can have its name before.
func (tree *deviceTree) named() (bool, error) {
	attributes, err := attributesOf(tree.file)
	name, _, _ := strings.Cut(string(attributes.name[:]), "\x00")
	return name == tree.name, err
}

// identity differs for all trees of all boots: numbers of trees begin again with the
// module, and the inode of the module's folder is then another one.
func (tree *deviceTree) identity() (string, error) {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", err
	}
	var module syscall.Stat_t
	if err := syscall.Stat("/sys/module/blink_tree", &module); err != nil {
		return "", err
	}
	attributes, err := attributesOf(tree.file)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s/%d/%d", strings.TrimSpace(string(boot)), module.Ino, attributes.id), nil
}

// scan returns entries of a range in ascending order: less than were asked for only if
// there are no more.
func (tree *deviceTree) scan(first, last uint64, most int) ([]entry, error) {
	entries := make([]entry, most)
	found := 0
	for found < most {
		call := ioctlScan{
			capacity:  uint32(most - found),
			first:     first,
			last:      last,
			entries:   unsafe.Pointer(&entries[found]),
			entrySize: uint32(unsafe.Sizeof(entry{})),
		}
		if _, err := ioctl(tree.file, iocScan, unsafe.Pointer(&call)); err != nil {
			return nil, err
		}
		found += int(call.count)
		if call.flags&done != 0 {
			break
		}
		first = call.first
	}
	return entries[:found], nil
}

// store stores entries whose keys differ.
func (tree *deviceTree) store(entries []entry) error {
	ops := make([]ioctlOp, len(entries))
	for i, entry := range entries {
		ops[i] = ioctlOp{opcode: opStore, key: entry.key, value: entry.value}
	}
	return tree.batch(ops)
}

// erase removes keys, which may be absent.
func (tree *deviceTree) erase(keys []uint64) error {
	ops := make([]ioctlOp, len(keys))
	for i, key := range keys {
		ops[i] = ioctlOp{opcode: opErase, key: key}
	}
	return tree.batch(ops)
}

func (tree *deviceTree) batch(ops []ioctlOp) error {
	for begin := 0; begin < len(ops); {
		call := ioctlBatch{
			count:  uint32(len(ops) - begin),
			ops:    unsafe.Pointer(&ops[begin]),
			opSize: uint32(unsafe.Sizeof(ioctlOp{})),
		}
		if _, err := ioctl(tree.file, iocBatch, unsafe.Pointer(&call)); err != nil {
			return err
		}
		begin += int(call.done)
	}
	for _, op := range ops {
		if op.result < 0 && op.result != -int32(syscall.ENOENT) {
			return fmt.Errorf("key %d: %w", op.key, syscall.Errno(-op.result))
		}
	}
	return nil
}

// commitOf is the operations of a commit, in the order of their keys. Keys that are erased
// together are a gap between two keys. There are none if these do not exist, or if the
// changes are not in the order of their keys, as those of the kernel are.
func commitOf(changes []change) []ioctlOp {
	byKey := make(map[uint64]ioctlOp)
	put := func(opcode, flags uint16, key, value uint64) {
		op := byKey[key]
		if opcode != opLookup {
			op.opcode, op.value = opcode, value
		}
		op.flags |= flags
		op.key = key
		byKey[key] = op
	}
	for i, c := range changes {
		if i > 0 && c.key <= endOf(changes[i-1]) {
			return nil
		}
		switch {
		case c.kind == changeStore:
			put(opStore, 0, c.key, c.operand)
		case c.key == c.operand:
			put(opErase, 0, c.key, 0)
		case c.key == 0 || c.operand == math.MaxUint64:
			return nil
		default:
			put(opLookup, commitClear, c.key-1, 0)
			put(opLookup, 0, c.operand+1, 0)
		}
	}
	ops := make([]ioctlOp, 0, len(byKey))
	for _, op := range byKey {
		ops = append(ops, op)
	}
	sort.Slice(ops, func(i, j int) bool { return ops[i].key < ops[j].key })
	return ops
}

// endOf is the last key of a change.
func endOf(c change) uint64 {
	if c.kind == changeErase {
		return c.operand
	}
	return c.key
}

// notCommitted says that a commit is too large for the copy, or erases absent keys. Its changes can
// still be possible one by one.
var notCommitted = []error{
	syscall.ESTALE, syscall.E2BIG, syscall.ENOSPC, syscall.EDQUOT, syscall.ENOMEM,
}

func (tree *deviceTree) commit(changes []change) (bool, error) {
	ops := commitOf(changes)
	if len(ops) == 0 || len(ops) > commitMax {
		return false, nil
	}
	call := ioctlBatch{
		flags:  batchCommit,
		count:  uint32(len(ops)),
		ops:    unsafe.Pointer(&ops[0]),
		opSize: uint32(unsafe.Sizeof(ioctlOp{})),
	}
	_, err := ioctl(tree.file, iocBatch, unsafe.Pointer(&call))
	for _, refusal := range notCommitted {
		if errors.Is(err, refusal) {
			return false, nil
		}
	}
	return err == nil, err
}

func (tree *deviceTree) eraseRange(first, last uint64) error {
	bounds := new([2][8]byte)
	binary.BigEndian.PutUint64(bounds[0][:], first)
	binary.BigEndian.PutUint64(bounds[1][:], last)
	call := ioctlRecordErase{
		first:       unsafe.Pointer(&bounds[0]),
		last:        unsafe.Pointer(&bounds[1]),
		firstLength: 8,
		lastLength:  8,
	}
	for call.flags&done == 0 {
		if _, err := ioctl(tree.file, iocRecordErase, unsafe.Pointer(&call)); err != nil {
			return err
		}
	}
	return nil
}
