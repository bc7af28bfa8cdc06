// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// must ends a test of which a step has failed.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// errorOf is the error of a step of which the test needs no other result.
func errorOf[T any](_ T, err error) error { return err }

// server is a nats-server of this test, with a folder of its own.
type server struct {
	t      testing.TB
	folder string
	// name is that of the server, and config what else it is configured to.
	name, config string
	port         int
	process      *exec.Cmd
}

func startServer(t testing.TB) *server {
	t.Helper()
	return startServerWith(t, "")
}

func startServerWith(t testing.TB, config string) *server {
	t.Helper()
	s := &server{t: t, folder: t.TempDir(), name: "one", config: config, port: freePort(t)}
	s.start()
	t.Cleanup(s.kill)
	return s
}

func freePort(t testing.TB) int {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer free.Close()
	return free.Addr().(*net.TCPAddr).Port
}

func (s *server) start() {
	s.t.Helper()
	config := filepath.Join(s.folder, "config")
	must(s.t, os.WriteFile(config, []byte(s.config), 0o600))
	s.process = exec.Command("nats-server", "-js", "-sd", s.folder, "-a", "127.0.0.1",
		"-p", fmt.Sprint(s.port), "-n", s.name, "-c", config, "-l", config+".log")
	must(s.t, s.process.Start())
	for try := 0; try < 600; try++ {
		connection, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", s.port))
		if err == nil {
			connection.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	log, _ := os.ReadFile(config + ".log")
	s.t.Fatalf("nats-server does not answer: %s", log)
}

// kill is SIGKILL.
func (s *server) kill() {
	s.process.Process.Kill()
	s.process.Wait()
}

// pause stops the server, and waits until each of its threads stands still.
func (s *server) pause() error {
	s.process.Process.Signal(syscall.SIGSTOP)
	for {
		threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", s.process.Process.Pid))
		still := err == nil
		for _, path := range threads {
			stat, _ := os.ReadFile(path)
			still = still && strings.Contains(string(stat), ") T ")
		}
		if still || len(threads) == 0 {
			return err
		}
		time.Sleep(time.Millisecond)
	}
}

func (s *server) url() string { return fmt.Sprintf("nats://127.0.0.1:%d", s.port) }

func (s *server) connect() (*nats.Conn, nats.JetStreamContext) {
	s.t.Helper()
	return connectTo(s.t, &options{server: s.url()})
}

func connectTo(t testing.TB, o *options) (*nats.Conn, nats.JetStreamContext) {
	t.Helper()
	connection, js, err := connect(context.Background(), o, true)
	must(t, err)
	t.Cleanup(connection.Close)
	return connection, js
}
