// SPDX-License-Identifier: GPL-2.0

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// constant: the compiler evaluates the expression with the header, and gets the number here.
type constant struct {
	expression string
	number     uint64
}

var abi = []constant{
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
	{"BLINK_TREE_OP_LOOKUP", opLookup},
	{"BLINK_TREE_OP_STORE", opStore},
	{"BLINK_TREE_OP_ERASE", opErase},
	{"BLINK_TREE_BATCH_COMMIT", batchCommit},
	{"BLINK_TREE_COMMIT_MAX", commitMax},
	{"BLINK_TREE_COMMIT_CLEAR", commitClear},
	{"BLINK_TREE_SCAN_DONE", done},
	{"BLINK_TREE_RECORD_ERASE_DONE", done},
	{"BLINK_TREE_CHANGE_INSERT", opInsert},
	{"BLINK_TREE_CHANGE_UPDATE", opUpdate},
	{"BLINK_TREE_CHANGE_ERASE", opEraseKey},
	{"BLINK_TREE_CHANGE_ERASE_RANGE", opEraseRange},
	{"BLINK_TREE_CHANGE_TREE", opTree},
	{"BLINK_TREE_CHANGE_UNLINKED", opUnlinked},
}

var structures = map[string]any{
	"ioc_create": ioctlCreate{}, "ioc_open": ioctlOpen{}, "ioc_attr": ioctlAttr{}, "ioc_op": ioctlOp{},
	"ioc_batch": ioctlBatch{}, "ioc_scan": ioctlScan{}, "entry": entry{}, "change": ringChange{},
	"ioc_record_erase": ioctlRecordErase{}, "ioc_watch": ioctlWatch{}, "watch_ring": ringBegin{},
}

var capital = regexp.MustCompile("[A-Z]")

// inHeader is what the header calls a field: maxBytes is max_bytes there, and reserved __reserved.
func inHeader(field string) string {
	switch field {
	case "reserved", "pad", "pad2":
		return "__" + field
	}
	return strings.ToLower(capital.ReplaceAllString(field, "_$0"))
}

func TestStructuresAreThoseOfTheHeader(t *testing.T) {
	for name, value := range structures {
		kind, name := reflect.TypeOf(value), "struct blink_tree_"+name
		add := func(expression string, number uintptr) {
			abi = append(abi, constant{expression, uint64(number)})
		}
		add("sizeof("+name+")", kind.Size())
		for i := 0; i < kind.NumField(); i++ {
			field := kind.Field(i)
			add(fmt.Sprintf("offsetof(%s, %s)", name, inHeader(field.Name)), field.Offset)
		}
	}
	var source strings.Builder
	source.WriteString("#include <stddef.h>\n#include <stdio.h>\n#include <linux/blink_tree.h>\n" +
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
