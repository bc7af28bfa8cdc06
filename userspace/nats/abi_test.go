// SPDX-License-Identifier: GPL-2.0

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"
)

// The compiler evaluates each expression with the header: it has to be the number here.
var abi = []struct {
	expression string
	number     uint64
}{
	{"BLINK_TREE_IOC_CREATE", iocCreate},
	{"BLINK_TREE_IOC_OPEN", iocOpen},
	{"BLINK_TREE_IOC_BATCH", iocBatch},
	{"BLINK_TREE_IOC_SCAN", iocScan},
	{"BLINK_TREE_IOC_ATTR", iocAttr},
	{"BLINK_TREE_IOC_RECORD_ERASE", iocRecordErase},
	{"BLINK_TREE_IOC_WATCH", iocWatch},
	{"BLINK_TREE_NAME_MAX", nameMax},
	{"BLINK_TREE_WATCH_SLOTS_MIN", slotsMin},
	{"BLINK_TREE_WATCH_SLOTS_MAX", slotsMax},
	{"BLINK_TREE_KEY_U64", keyU64},
	{"BLINK_TREE_CREATE_BYTE_VALUES", createByteValues},
	{"BLINK_TREE_OPEN_READ", openRead},
	{"BLINK_TREE_OPEN_WRITE", openWrite},
	{"BLINK_TREE_OPEN_OWNER", openOwner},
	{"BLINK_TREE_OP_STORE", opStore},
	{"BLINK_TREE_OP_ERASE", opErase},
	{"BLINK_TREE_SCAN_DONE", done},
	{"BLINK_TREE_RECORD_ERASE_DONE", done},
	{"BLINK_TREE_CHANGE_INSERT", opInsert},
	{"BLINK_TREE_CHANGE_UPDATE", opUpdate},
	{"BLINK_TREE_CHANGE_ERASE", opEraseKey},
	{"BLINK_TREE_CHANGE_ERASE_RANGE", opEraseRange},
	{"BLINK_TREE_CHANGE_TREE", opTree},
	{"BLINK_TREE_CHANGE_UNLINKED", opUnlinked},
	{"sizeof(struct blink_tree_ioc_create)", uint64(unsafe.Sizeof(ioctlCreate{}))},
	{"OFFSET(ioc_create, mode)", uint64(unsafe.Offsetof(ioctlCreate{}.mode))},
	{"OFFSET(ioc_create, max_entries)", uint64(unsafe.Offsetof(ioctlCreate{}.maxEntries))},
	{"OFFSET(ioc_create, max_bytes)", uint64(unsafe.Offsetof(ioctlCreate{}.maxBytes))},
	{"OFFSET(ioc_create, name)", uint64(unsafe.Offsetof(ioctlCreate{}.name))},
	{"OFFSET(ioc_create, key)", uint64(unsafe.Offsetof(ioctlCreate{}.key))},
	{"sizeof(struct blink_tree_ioc_open)", uint64(unsafe.Sizeof(ioctlOpen{}))},
	{"OFFSET(ioc_open, uid)", uint64(unsafe.Offsetof(ioctlOpen{}.uid))},
	{"OFFSET(ioc_open, name)", uint64(unsafe.Offsetof(ioctlOpen{}.name))},
	{"sizeof(struct blink_tree_ioc_attr)", uint64(unsafe.Sizeof(ioctlAttr{}))},
	{"OFFSET(ioc_attr, id)", uint64(unsafe.Offsetof(ioctlAttr{}.id))},
	{"OFFSET(ioc_attr, create_flags)", uint64(unsafe.Offsetof(ioctlAttr{}.createFlags))},
	{"OFFSET(ioc_attr, key)", uint64(unsafe.Offsetof(ioctlAttr{}.key))},
	{"sizeof(struct blink_tree_ioc_op)", uint64(unsafe.Sizeof(ioctlOp{}))},
	{"OFFSET(ioc_op, result)", uint64(unsafe.Offsetof(ioctlOp{}.result))},
	{"OFFSET(ioc_op, key)", uint64(unsafe.Offsetof(ioctlOp{}.key))},
	{"OFFSET(ioc_op, value)", uint64(unsafe.Offsetof(ioctlOp{}.value))},
	{"sizeof(struct blink_tree_ioc_batch)", uint64(unsafe.Sizeof(ioctlBatch{}))},
	{"OFFSET(ioc_batch, count)", uint64(unsafe.Offsetof(ioctlBatch{}.count))},
	{"OFFSET(ioc_batch, ops)", uint64(unsafe.Offsetof(ioctlBatch{}.ops))},
	{"OFFSET(ioc_batch, done)", uint64(unsafe.Offsetof(ioctlBatch{}.done))},
	{"OFFSET(ioc_batch, op_size)", uint64(unsafe.Offsetof(ioctlBatch{}.opSize))},
	{"sizeof(struct blink_tree_ioc_scan)", uint64(unsafe.Sizeof(ioctlScan{}))},
	{"OFFSET(ioc_scan, capacity)", uint64(unsafe.Offsetof(ioctlScan{}.capacity))},
	{"OFFSET(ioc_scan, first)", uint64(unsafe.Offsetof(ioctlScan{}.first))},
	{"OFFSET(ioc_scan, last)", uint64(unsafe.Offsetof(ioctlScan{}.last))},
	{"OFFSET(ioc_scan, entries)", uint64(unsafe.Offsetof(ioctlScan{}.entries))},
	{"OFFSET(ioc_scan, count)", uint64(unsafe.Offsetof(ioctlScan{}.count))},
	{"OFFSET(ioc_scan, entry_size)", uint64(unsafe.Offsetof(ioctlScan{}.entrySize))},
	{"sizeof(struct blink_tree_entry)", uint64(unsafe.Sizeof(entry{}))},
	{"OFFSET(entry, value)", uint64(unsafe.Offsetof(entry{}.value))},
	{"sizeof(struct blink_tree_ioc_record_erase)", uint64(unsafe.Sizeof(ioctlRecordErase{}))},
	{"OFFSET(ioc_record_erase, first)", uint64(unsafe.Offsetof(ioctlRecordErase{}.first))},
	{"OFFSET(ioc_record_erase, last)", uint64(unsafe.Offsetof(ioctlRecordErase{}.last))},
	{"OFFSET(ioc_record_erase, first_length)", uint64(unsafe.Offsetof(ioctlRecordErase{}.firstLength))},
	{"OFFSET(ioc_record_erase, last_length)", uint64(unsafe.Offsetof(ioctlRecordErase{}.lastLength))},
	{"sizeof(struct blink_tree_ioc_watch)", uint64(unsafe.Sizeof(ioctlWatch{}))},
	{"OFFSET(ioc_watch, slots)", uint64(unsafe.Offsetof(ioctlWatch{}.slots))},
	{"OFFSET(ioc_watch, first)", uint64(unsafe.Offsetof(ioctlWatch{}.first))},
	{"OFFSET(ioc_watch, last)", uint64(unsafe.Offsetof(ioctlWatch{}.last))},
	{"OFFSET(ioc_watch, last_low)", uint64(unsafe.Offsetof(ioctlWatch{}.lastLow))},
	{"OFFSET(watch_ring, records)", uint64(unsafe.Offsetof(ringBegin{}.records))},
	{"OFFSET(watch_ring, record_size)", uint64(unsafe.Offsetof(ringBegin{}.recordSize))},
	{"OFFSET(watch_ring, slots)", uint64(unsafe.Offsetof(ringBegin{}.slots))},
	{"OFFSET(watch_ring, head)", uint64(unsafe.Offsetof(ringBegin{}.head))},
	{"OFFSET(watch_ring, lost)", uint64(unsafe.Offsetof(ringBegin{}.lost))},
	{"sizeof(struct blink_tree_change)", uint64(unsafe.Sizeof(ringChange{}))},
	{"OFFSET(change, op)", uint64(unsafe.Offsetof(ringChange{}.op))},
	{"OFFSET(change, key)", uint64(unsafe.Offsetof(ringChange{}.key))},
	{"OFFSET(change, last)", uint64(unsafe.Offsetof(ringChange{}.last))},
	{"OFFSET(change, value)", uint64(unsafe.Offsetof(ringChange{}.value))},
}

func TestStructuresAreThoseOfTheHeader(t *testing.T) {
	var source strings.Builder
	source.WriteString("#include <stddef.h>\n#include <stdio.h>\n#include <linux/blink_tree.h>\n" +
		"#define OFFSET(type, member) offsetof(struct blink_tree_##type, member)\n" +
		"int main(void)\n{\n")
	for _, a := range abi {
		fmt.Fprintf(&source, "\tprintf(\"%%llu\\n\", (unsigned long long)%s);\n", a.expression)
	}
	source.WriteString("\treturn 0;\n}\n")
	program := filepath.Join(t.TempDir(), "abi")
	must(t, os.WriteFile(program+".c", []byte(source.String()), 0o600))
	headers := "-I" + filepath.Join(os.Getenv("TOP"), "include", "uapi")
	build := exec.Command(os.Getenv("CC"), headers, "-o", program, program+".c")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	output, err := exec.Command(program).Output()
	must(t, err)
	for i, line := range strings.Fields(string(output)) {
		if want := fmt.Sprint(abi[i].number); line != want {
			t.Errorf("%s is %s, and not %s", abi[i].expression, line, want)
		}
	}
}
