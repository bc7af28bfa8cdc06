// SPDX-License-Identifier: GPL-2.0

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
)

// blinktreeScript stands for the command: it saves the file named as the tree, and restores
// to a file.
const blinktreeScript = `#!/bin/sh
case $1 in
save) cat "$2" ;;
restore) cat > "$3" ;;
esac
`

func TestSnapshotsOnTheServer(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "blinktree"), []byte(blinktreeScript), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	_, js := startServer(t).connect()
	store, err := bucket(js, 1)
	if err != nil {
		t.Fatal(err)
	}
	from, to := filepath.Join(folder, "from"), filepath.Join(folder, "to")
	for _, size := range []int{0, 1, 1 << 20, 3} {
		data := bytes.Repeat([]byte{byte(size)}, size)
		if err := os.WriteFile(from, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := saveSnapshot(context.Background(), store, from, "object"); err != nil {
			t.Fatal(err)
		}
		// The object remains as it was if the command fails.
		if err := saveSnapshot(context.Background(), store, from+"absent", "object"); err == nil {
			t.Fatal("the command failed")
		}
		if err := restoreSnapshot(context.Background(), store, "object", to); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(to); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%d bytes instead of %d, %v", len(got), len(data), err)
		}
	}
	if _, err := bucket(js, 1); err != nil {
		t.Fatal(err)
	}
	if err := restoreSnapshot(context.Background(), store, "absent", to); err == nil {
		t.Fatal("there is no such object")
	}
}
