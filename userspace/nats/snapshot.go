// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/nats-io/nats.go"
)

// Snapshots are files of "blinktree save", kept as objects of a bucket of the server: so
// there is one format, and a snapshot can be read without this program.

// bucketName is the bucket of snapshots.
const bucketName = "blinktree-snapshots"

// blinktree finds the command: beside this program, otherwise in PATH.
func blinktree() string {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), "blinktree")
		if _, err := os.Stat(beside); err == nil {
			return beside
		}
	}
	return "blinktree"
}

// bucket returns the bucket of snapshots, and creates it if there is none.
func bucket(js nats.JetStreamContext, replicas int) (nats.ObjectStore, error) {
	store, err := js.ObjectStore(bucketName)
	if !errors.Is(err, nats.ErrStreamNotFound) {
		return store, err
	}
	return js.CreateObjectStore(&nats.ObjectStoreConfig{
		Bucket:      bucketName,
		Description: "snapshots of blinktree save",
		Replicas:    replicas,
	})
}

// saveSnapshot lets a snapshot of a tree be an object. An object is replaced at the end: if
// the command fails, the object is as it was.
func saveSnapshot(ctx context.Context, store nats.ObjectStore, tree, object string) error {
	command := exec.CommandContext(ctx, blinktree(), "save", tree)
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	_, err = store.Put(&nats.ObjectMeta{Name: object, Description: "tree " + tree},
		&untilSuccess{output, command.Wait}, nats.Context(ctx))
	return err
}

// untilSuccess reads what a command prints; its end is an error if the command failed.
type untilSuccess struct {
	output interface{ Read([]byte) (int, error) }
	wait   func() error
}

func (u *untilSuccess) Read(data []byte) (int, error) {
	n, err := u.output.Read(data)
	if n > 0 || err == nil {
		return n, nil
	}
	if failed := u.wait(); failed != nil {
		return 0, fmt.Errorf("blinktree save: %w", failed)
	}
	return 0, err
}

// restoreSnapshot lets a snapshot be a tree; an empty name is the one in the snapshot.
func restoreSnapshot(ctx context.Context, store nats.ObjectStore, object, tree string) error {
	snapshot, err := store.Get(object, nats.Context(ctx))
	if err != nil {
		return fmt.Errorf("%s: %w", object, err)
	}
	defer snapshot.Close()
	words := []string{"restore", "-"}
	if tree != "" {
		words = append(words, tree)
	}
	command := exec.CommandContext(ctx, blinktree(), words...)
	command.Stdin, command.Stdout, command.Stderr = snapshot, os.Stdout, os.Stderr
	return command.Run()
}
