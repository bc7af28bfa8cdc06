// SPDX-License-Identifier: GPL-2.0

package main

import (
	"fmt"
	"net"
	"os/exec"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// server is a nats-server of this test, with a folder of its own.
type server struct {
	t       *testing.T
	folder  string
	port    int
	process *exec.Cmd
}

func startServer(t *testing.T) *server {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, folder: t.TempDir(), port: free.Addr().(*net.TCPAddr).Port}
	free.Close()
	s.start()
	t.Cleanup(s.kill)
	return s
}

func (s *server) start() {
	s.t.Helper()
	s.process = exec.Command("nats-server", "-js", "-sd", s.folder, "-a", "127.0.0.1",
		"-p", fmt.Sprint(s.port))
	if err := s.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	for try := 0; try < 600; try++ {
		connection, err := nats.Connect(s.url())
		if err == nil {
			connection.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.t.Fatal("nats-server does not answer")
}

// kill is SIGKILL.
func (s *server) kill() {
	s.process.Process.Kill()
	s.process.Wait()
}

func (s *server) url() string { return fmt.Sprintf("nats://127.0.0.1:%d", s.port) }

func (s *server) connect() (*nats.Conn, nats.JetStreamContext) {
	s.t.Helper()
	connection, js, err := connect(&options{server: s.url()}, true)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(connection.Close)
	return connection, js
}
