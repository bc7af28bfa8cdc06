// SPDX-License-Identifier: GPL-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/nats-io/nats.go"
)

// blinktreeScript stands for the command: it saves the file named as the tree, which
// belongs to a user, and restores to a file.
const blinktreeScript = `#!/bin/sh
case $1 in
save) cat "$4" ;;
restore)
	[ $# = 3 ] || [ "$4 $5" = "--mode 0600" ] || exit 1
	cat > "$3"
	echo "$#" > "$3.words"
	;;
esac
`

func TestSnapshotsOnTheServer(t *testing.T) {
	folder := t.TempDir()
	must(t, os.WriteFile(filepath.Join(folder, "blinktree"), []byte(blinktreeScript), 0o755))
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	connection, js := startServer(t).connect()
	must(t, createBucket(js, 1))
	from, to := filepath.Join(folder, "from"), filepath.Join(folder, "to")
	for _, size := range []int{0, 1, 1 << 20, 3} {
		data := bytes.Repeat([]byte{byte(size)}, size)
		must(t, os.WriteFile(from, data, 0o600))
		must(t, saveSnapshot(context.Background(), js, from, 0, "object"))
		// The object remains as it was if the command fails.
		if err := saveSnapshot(context.Background(), js, from+"absent", 0, "object"); err == nil {
			t.Fatal("the command failed")
		}
		must(t, restoreSnapshot(context.Background(), connection, js, "object", to, true))
		if got, err := os.ReadFile(to); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%d bytes instead of %d, %v", len(got), len(data), err)
		}
	}
	// A tree that exists keeps its mode; "blinktree" refuses one that exists if it gets a mode.
	for present, want := range map[bool]string{true: "3\n", false: "5\n"} {
		must(t, restoreSnapshot(context.Background(), connection, js, "object", to, present))
		if got, err := os.ReadFile(to + ".words"); err != nil || string(got) != want {
			t.Errorf("%t: %q words: %v", present, got, err)
		}
	}
	must(t, createBucket(js, 1))
	if err := restoreSnapshot(context.Background(), connection, js, "absent", to, true); err == nil {
		t.Fatal("there is no such object")
	}
}

// slowScript stands for the command, which has read the begin of the snapshot and then waits.
const slowScript = `#!/bin/sh
head -c 1 > "$3"
until [ -e "$3.go" ]; do sleep 0.1; done
cat > "$3"
echo > "$3.removed"
`

// A command that restores can remove what it has begun after the signal that ends this program.
func TestRestoreEndsTheCommandGently(t *testing.T) {
	folder := t.TempDir()
	must(t, os.WriteFile(filepath.Join(folder, "blinktree"), []byte(slowScript), 0o755))
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	connection, js := startServer(t).connect()
	must(t, createBucket(js, 1))
	data := bytes.NewReader(make([]byte, 8*chunkSize))
	must(t, putObject(context.Background(), js, nats.ObjectMeta{Name: "object"}, data))
	to := filepath.Join(folder, "to")
	restoring := start(t, func(ctx context.Context) error {
		return restoreSnapshot(ctx, connection, js, "object", to, true)
	})
	soon(t, "the command reads", func() bool { info, err := os.Stat(to); return err == nil && info.Size() > 0 })
	restoring.cancel()
	must(t, os.WriteFile(to+".go", nil, 0o600))
	restoring.expectEnd(context.Canceled)
	if info, err := os.Stat(to); err != nil || info.Size() >= data.Size() {
		t.Errorf("the command has read all: %v", err)
	}
	if _, err := os.Stat(to + ".removed"); err != nil {
		t.Error("the command did not end by itself")
	}
}

// read returns the contents of an object.
func read(connection *nats.Conn, js nats.JetStreamContext, name string) ([]byte, error) {
	o, err := getObject(context.Background(), connection, js, name)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(o)
}

// The library of NATS reads what this program writes, and the other way round.
func TestObjectsAreThoseOfTheLibrary(t *testing.T) {
	connection, js := startServer(t).connect()
	must(t, createBucket(js, 1))
	store, err := js.ObjectStore(bucketName)
	must(t, err)
	data := bytes.Repeat([]byte("0123456789"), 50000)
	must(t, putObject(context.Background(), js, nats.ObjectMeta{Name: "ours"}, bytes.NewReader(data)))
	if got, err := store.GetBytes("ours"); err != nil || !bytes.Equal(got, data) {
		t.Fatalf("%d bytes: %v", len(got), err)
	}
	must(t, errorOf(store.PutBytes("theirs", data)))
	if got, err := read(connection, js, "theirs"); err != nil || !bytes.Equal(got, data) {
		t.Fatalf("%d bytes: %v", len(got), err)
	}
}

// The chunks of an object whose description is refused are removed.
func TestChunksOfARefusedObject(t *testing.T) {
	_, js := startServer(t).connect()
	// Without rollups no description replaces another one.
	_, err := js.AddStream(&nats.StreamConfig{
		Name: bucketStream, Subjects: []string{"$O." + bucketName + ".>"},
	})
	must(t, err)
	err = putObject(context.Background(), js, nats.ObjectMeta{Name: "object"}, strings.NewReader("good"))
	var refusal *nats.APIError
	if !errors.As(err, &refusal) {
		t.Fatal(err)
	}
	if info, err := js.StreamInfo(bucketStream); err != nil || info.State.Msgs != 0 {
		t.Fatalf("%+v: %v", info, err)
	}
}

// overtaken is a server at which another program stores an object before each of a few
// descriptions of this program.
type overtaken struct {
	nats.JetStreamContext
	times int
	put   func(nats.JetStreamContext) error
}

func (o *overtaken) PublishMsg(m *nats.Msg, opts ...nats.PubOpt) (*nats.PubAck, error) {
	if m.Subject == describeSubject("object") && o.times > 0 {
		o.times--
		if err := o.put(o.JetStreamContext); err != nil {
			return nil, err
		}
	}
	return o.JetStreamContext.PublishMsg(m, opts...)
}

// Of snapshots that are stored at once, one remains: its chunks and its description.
func TestSnapshotsAtOnce(t *testing.T) {
	connection, js := startServer(t).connect()
	must(t, createBucket(js, 1))
	put := func(js nats.JetStreamContext, text string) error {
		return putObject(context.Background(), js, nats.ObjectMeta{Name: "object"}, strings.NewReader(text))
	}
	must(t, put(js, "former"))
	other := func(js nats.JetStreamContext) error { return put(js, "other") }
	for times, want := range map[int]string{1: "last", descriptionTries: "other"} {
		if err := put(&overtaken{js, times, other}, "last"); (err == nil) != (want == "last") {
			t.Errorf("%d times: %v", times, err)
		}
		if got, err := read(connection, js, "object"); err != nil || string(got) != want {
			t.Errorf("%d times: %q: %v", times, got, err)
		}
		if info, err := js.StreamInfo(bucketStream); err != nil || info.State.Msgs != 2 {
			t.Errorf("%d times: %+v: %v", times, info, err)
		}
	}
}

// pausing is contents of which the server answers nothing once they are read.
type pausing struct{ server *server }

func (p pausing) Read(data []byte) (int, error) {
	return len(data), p.server.pause()
}

// A server that does not answer is a failure, and no reason to wait for ever.
func TestObjectsOfASilentServer(t *testing.T) {
	s := startServer(t)
	connection, js := s.connect()
	must(t, createBucket(js, 1))
	for what, ask := range map[string]func(context.Context) error{
		"a chunk": func(ctx context.Context) error {
			return putObject(ctx, js, nats.ObjectMeta{Name: "object"}, pausing{s})
		},
		"a description": func(ctx context.Context) error {
			if err := s.pause(); err != nil {
				return err
			}
			_, err := getObject(ctx, connection, js, "object")
			return err
		},
	} {
		t.Log(what)
		start(t, ask).expectEnd(context.DeadlineExceeded)
		s.process.Process.Signal(syscall.SIGCONT)
	}
}

// A description that another program has written lies. It does not lead this program to other
// objects, to read or to remove them.
func TestDescriptionsLie(t *testing.T) {
	connection, js := startServer(t).connect()
	must(t, createBucket(js, 1))
	ctx := context.Background()
	put := func(name string) {
		t.Helper()
		must(t, putObject(ctx, js, nats.ObjectMeta{Name: name}, strings.NewReader("good")))
	}
	put("other")
	other, _, err := describe(ctx, js, "other")
	must(t, err)
	for what, lie := range map[string]string{
		"all chunks":     `{"nuid":">","size":4,"chunks":1}`,
		"each chunk":     `{"nuid":"*","size":4,"chunks":1}`,
		"no id":          `{"nuid":"","size":4,"chunks":1}`,
		"a link":         `{"nuid":"a","options":{"link":{"bucket":"b","name":"other"}}}`,
		"too short":      `{"nuid":"` + other.NUID + `","size":3,"digest":"` + other.Digest + `"}`,
		"too long":       `{"nuid":"` + other.NUID + `","size":5,"digest":"` + other.Digest + `"}`,
		"a wrong digest": `{"nuid":"` + other.NUID + `","size":4,"digest":"SHA-256=a"}`,
		"a huge size":    `{"nuid":"a","size":18446744073709551615}`,
		"no JSON":        `{`,
	} {
		must(t, errorOf(js.Publish(describeSubject("lie"), []byte(lie))))
		if got, err := read(connection, js, "lie"); err == nil || len(got) > 0 && what != "too long" {
			t.Errorf("%s: %q", what, got)
		}
	}
	for _, id := range []string{">", "*", other.NUID} {
		must(t, errorOf(js.Publish(describeSubject("lie"), []byte(`{"nuid":"`+id+`","size":4}`))))
		put("lie")
		if got, err := read(connection, js, "other"); err != nil || string(got) != "good" {
			t.Fatalf("another object is removed: %v", err)
		}
	}
}
