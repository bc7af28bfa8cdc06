// SPDX-License-Identifier: GPL-2.0

// blinktree-nats keeps copies of trees on other machines, by streams of a NATS server.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/nats-io/nats.go"
)

const usage = `Usage: blinktree-nats COMMAND [OPTIONS] OPERANDS

Keep copies of trees on other machines, by streams of a NATS server.

Commands:
  publish TREE            write TREE and its changes to a stream
  follow NAME             keep a tree equal to the one of the stream NAME
  status NAME             say how far the programs of a stream are
  snapshot TREE           store a snapshot of TREE on the server
  restore OBJECT TREE     create a tree from a snapshot, or add its entries

Options of publish and follow:
      --first KEY         least key to publish, or to change (default: 0)
      --last KEY          greatest key to publish, or to change
Option of publish, follow, snapshot and restore:
      --owner USER        the user to whom the tree has to belong, a name or a
                          number (default: the one that runs this program)
Options of publish:
      --stream NAME       name of the stream (default: TREE)
      --slots N           changes of which the kernel keeps records, a power of
                          two from 64 to 1048576 (default: 131072)
Option of publish and snapshot:
      --replicas N        servers to store what is created, 1 to 5 (default: 1)
Options of follow:
      --tree TREE         name of the copy (default: NAME)
      --state FILE        where to note how far the copy is
                          (default: /var/lib/blinktree-nats/TREE.json)
      --max-entries N     limit of a copy that is created (default: 0, none)
      --max-bytes N       limit of the memory of a copy that is created
                          (default: 0, none)
Option of status:
      --json              print JSON, an object in each line
Option of snapshot:
      --object NAME       name of the snapshot (default: TREE)

Options of every command:
      --server URL        URLs of servers, separated by commas
                          (default: $NATS_URL, or nats://127.0.0.1:4222)
      --inbox PREFIX      where answers of the server go (default: _INBOX)
      --creds FILE        credentials of a user
      --nkey FILE         seed of the key of a user
      --ca FILE           certificates of authorities, for TLS
      --cert FILE         certificate of this program, for TLS
      --key FILE          its key
  -h, --help              print this help, and exit
      --version           print the version, and exit

Numbers are decimal, or hexadecimal after 0x.

Exit status:
  0  success; publish and follow end so after SIGINT or SIGTERM
  1  status: no program answered
  2  the command line has a mistake
  3  something failed
  4  publish: another publisher has taken over
`

const (
	exitAbsent  = 1
	exitUsage   = 2
	exitFailure = 3
	exitFenced  = 4
)

// release is the version of the project; the Makefile sets it.
var release = "unknown"

// command is a command: how many operands it takes, which options, and what it does.
type command struct {
	least, most int
	options     func(*flag.FlagSet, *options)
	// complete sets what the command line leaves open, and finds its mistakes.
	complete func(*options) error
	run      func(context.Context, *nats.Conn, nats.JetStreamContext, *options) error
}

var commands = map[string]command{
	"publish":  {1, 1, publishOptions, completePublish, publish},
	"follow":   {1, 1, followOptions, completeFollow, follow},
	"status":   {1, 1, statusOptions, completeStatus, status},
	"snapshot": {1, 1, snapshotOptions, completeSnapshot, snapshot},
	"restore":  {2, 2, ownerOption, completeRestore, restore},
}

var errNobody = errors.New("no program answered")

func logf(format string, args ...any) {
	fmt.Fprintln(os.Stderr, "blinktree-nats:", visible(fmt.Sprintf(format, args...)))
}

// run runs a command, and returns the exit status.
func run(words []string) int {
	if len(words) == 0 {
		fmt.Fprint(os.Stderr, usage)
		return exitUsage
	}
	if words[0] == "--help" || words[0] == "-h" || words[0] == "help" {
		fmt.Print(usage)
		return 0
	}
	if words[0] == "--version" {
		fmt.Println("blinktree-nats", release)
		return 0
	}
	c, known := commands[words[0]]
	if !known {
		logf("%s: no such command; see --help", words[0])
		return exitUsage
	}
	o, err := c.parse(words[0], words[1:])
	if errors.Is(err, flag.ErrHelp) {
		fmt.Print(usage)
		return 0
	}
	if err != nil {
		logf("%v; see --help", err)
		return exitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	serves := words[0] == "publish" || words[0] == "follow"
	connection, js, err := connect(ctx, o, serves)
	if err == nil {
		defer connection.Close()
		err = c.run(ctx, connection, js, o)
	}
	if serves && errors.Is(err, context.Canceled) {
		return 0
	}
	return exitStatus(err, o)
}

// exitStatus says how a command has failed.
func exitStatus(err error, o *options) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errNobody):
		logf("%s: %v", o.operands[0], err)
		return exitAbsent
	}
	logf("%v", err)
	if errors.Is(err, errFenced) {
		return exitFenced
	}
	return exitFailure
}

func main() {
	os.Exit(run(os.Args[1:]))
}
