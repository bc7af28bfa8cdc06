// SPDX-License-Identifier: GPL-2.0

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// Mistakes on the command line are found while no server can be reached.
func TestMistakesNeedNoServer(t *testing.T) {
	t.Setenv("NATS_URL", fmt.Sprintf("nats://127.0.0.1:%d", freePort(t)))
	long := strings.Repeat("a", nameMax)
	for _, line := range []string{
		"publish ages --stream a.b",
		"publish ages --stream " + long + "a",
		"publish a.b",
		"publish --stream b " + long,
		"publish ages --first 2 --last 1",
		"publish ages --slots 0",
		"publish ages --slots 32",
		"publish ages --slots 96",
		"publish ages --slots 2097152",
		"publish ages --slots 4294967360",
		"publish ages --replicas 0",
		"publish ages --replicas 6",
		"follow a.b",
		"follow ages --first 2 --last 1",
		"follow ages --tree " + long,
		"follow ages --tree a.b",
		"status a.b",
		"snapshot " + long,
		"snapshot ages --replicas -1",
		"restore today",
		"restore today " + long,
		"status ages --inbox $JS.API",
	} {
		status := make(chan int, 1)
		go func() { status <- run(strings.Fields(line)) }()
		select {
		case got := <-status:
			if got != exitUsage {
				t.Errorf("%s: status %d", line, got)
			}
		case <-time.After(2 * patience):
			t.Errorf("%s: it waits for a server", line)
		}
	}
}

func TestOptionsAreCompleted(t *testing.T) {
	for line, right := range map[string]func(o *options) bool{
		"publish ages --slots 64":             func(o *options) bool { return o.stream == "ages" },
		"publish a.b --stream c":              func(o *options) bool { return o.stream == "c" },
		"publish ages --slots 1048576":        func(o *options) bool { return o.last == everything },
		"follow ages":                         func(o *options) bool { return o.tree == "ages" && o.state == stateFolder+"/ages.json" },
		"follow ages --tree a.b --state file": func(o *options) bool { return o.state == "file" },
		"snapshot a.b":                        func(o *options) bool { return o.object == "a.b" },
	} {
		words := strings.Fields(line)
		c := commands[words[0]]
		if o, err := c.parse(words[0], words[1:]); err != nil || !right(o) {
			t.Errorf("%s: %+v %v", line, o, err)
		}
	}
}

func TestOwnersAreUsers(t *testing.T) {
	self := uint32(os.Geteuid())
	for text, want := range map[string]uint32{"": self, "--owner root": 0, "--owner 010": 10} {
		for _, command := range []string{"publish ages", "follow ages", "snapshot ages", "restore a ages"} {
			words := append(strings.Fields(command), strings.Fields(text)...)
			if o, err := parseWords(words); err != nil || uint32(o.owner) != want {
				t.Errorf("%s %s: %+v %v", command, text, o, err)
			}
		}
	}
	for _, text := range []string{"4294967295", "4294967296", "-1", "", "no such user"} {
		if _, err := parseWords([]string{"publish", "ages", "--owner", text}); err == nil {
			t.Errorf("%q is a user", text)
		}
	}
}
