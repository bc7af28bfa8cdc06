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

// createBucket creates the bucket of snapshots if there is none.
func createBucket(js nats.JetStreamContext, replicas int) error {
	_, err := js.ObjectStore(bucketName)
	if !errors.Is(err, nats.ErrStreamNotFound) {
		return err
	}
	_, err = js.CreateObjectStore(&nats.ObjectStoreConfig{
		Bucket:      bucketName,
		Description: "snapshots of blinktree save",
		Replicas:    replicas,
	})
	return err
}

// saveSnapshot lets a snapshot of a tree of a user be an object.
func saveSnapshot(ctx context.Context, js nats.JetStreamContext, tree string, owner user, name string) error {
	command := exec.CommandContext(ctx, blinktree(), "save", "--owner", owner.String(), tree)
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	return putObject(ctx, js, nats.ObjectMeta{Name: name, Description: "tree " + tree},
		&untilSuccess{output, command.Wait})
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

// restoreSnapshot lets a snapshot be a tree. Any program that may write to the bucket chooses
// the contents, so the name is not the one in the snapshot. A tree that is not present has to be
// a new one: with a mode, the command refuses one that another user has created meanwhile.
func restoreSnapshot(ctx context.Context, connection *nats.Conn, js nats.JetStreamContext,
	name, tree string, present bool) error {
	snapshot, err := getObject(ctx, connection, js, name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	// The end of the context ends the input. The command then removes the tree that it has begun,
	// as it cannot after SIGKILL, nor after the second one of a signal that all programs get.
	command := exec.Command(blinktree(), "restore", "-", tree)
	if !present {
		command.Args = append(command.Args, "--mode", "0600")
	}
	command.Stdin, command.Stdout, command.Stderr = snapshot, os.Stdout, os.Stderr
	return command.Run()
}
