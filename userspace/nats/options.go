// SPDX-License-Identifier: GPL-2.0

package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/nats-io/nats.go"
)

const (
	// defaultSlots is how many changes a publisher can be behind: 8 MiB of the kernel.
	defaultSlots = 1 << 17
	// replicasMax is the most servers that store a stream.
	replicasMax = 5
	// stateFolder has the files that say how far copies are.
	stateFolder = "/var/lib/blinktree-nats"
)

type options struct {
	stream, tree, state, object string
	server, creds, nkey         string
	ca, cert, key               string
	first, last, slots          number
	replicas                    number
	json                        bool
	operands                    []string
}

func publishOptions(set *flag.FlagSet, o *options) {
	o.last, o.slots = math.MaxUint64, defaultSlots
	set.StringVar(&o.stream, "stream", "", "")
	set.Var(&o.first, "first", "")
	set.Var(&o.last, "last", "")
	set.Var(&o.slots, "slots", "")
	replicasOption(set, o)
}

func replicasOption(set *flag.FlagSet, o *options) {
	o.replicas = 1
	set.Var(&o.replicas, "replicas", "")
}

func checkReplicas(o *options) error {
	if o.replicas < 1 || o.replicas > replicasMax {
		return fmt.Errorf("--replicas: %d is not from 1 to %d", o.replicas, replicasMax)
	}
	return nil
}

func completePublish(o *options) error {
	if o.stream == "" {
		o.stream = o.operands[0]
	}
	switch {
	case o.slots < slotsMin || o.slots > slotsMax || o.slots&(o.slots-1) != 0:
		return fmt.Errorf("--slots: %d is no power of two from %d to %d", o.slots, slotsMin, slotsMax)
	case o.first > o.last:
		return errors.New("--first is greater than --last")
	}
	if err := checkReplicas(o); err != nil {
		return err
	}
	if err := checkTree(o.operands[0]); err != nil {
		return err
	}
	return checkName(o.stream)
}

func followOptions(set *flag.FlagSet, o *options) {
	set.StringVar(&o.tree, "tree", "", "")
	set.StringVar(&o.state, "state", "", "")
}

func completeFollow(o *options) error {
	if err := checkName(o.operands[0]); err != nil {
		return err
	}
	if o.tree == "" {
		o.tree = o.operands[0]
	}
	if err := checkTree(o.tree); err != nil {
		return err
	}
	if o.state != "" {
		return nil
	}
	o.state = filepath.Join(stateFolder, o.tree+".json")
	if err := checkName(o.tree); err != nil {
		return fmt.Errorf("--state is missing: %w", err)
	}
	return nil
}

func statusOptions(set *flag.FlagSet, o *options) {
	set.BoolVar(&o.json, "json", false, "")
}

func completeStatus(o *options) error { return checkName(o.operands[0]) }

func snapshotOptions(set *flag.FlagSet, o *options) {
	set.StringVar(&o.object, "object", "", "")
	replicasOption(set, o)
}

func completeSnapshot(o *options) error {
	if o.object == "" {
		o.object = o.operands[0]
	}
	if err := checkReplicas(o); err != nil {
		return err
	}
	return checkTree(o.operands[0])
}

func restoreOptions(*flag.FlagSet, *options) {}

func completeRestore(o *options) error {
	if len(o.operands) < 2 {
		return nil
	}
	return checkTree(o.operands[1])
}

func serverOptions(set *flag.FlagSet, o *options) {
	url := os.Getenv("NATS_URL")
	if url == "" {
		url = nats.DefaultURL
	}
	set.StringVar(&o.server, "server", url, "")
	set.StringVar(&o.creds, "creds", "", "")
	set.StringVar(&o.nkey, "nkey", "", "")
	set.StringVar(&o.ca, "ca", "", "")
	set.StringVar(&o.cert, "cert", "", "")
	set.StringVar(&o.key, "key", "", "")
}

// parse takes options before, between and after operands.
func (c *command) parse(name string, words []string) (*options, error) {
	o := &options{}
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.Usage = func() {}
	set.SetOutput(discard{})
	c.options(set, o)
	serverOptions(set, o)
	for {
		if err := set.Parse(words); err != nil {
			return nil, err
		}
		if words = set.Args(); len(words) == 0 {
			break
		}
		o.operands = append(o.operands, words[0])
		words = words[1:]
	}
	if len(o.operands) < c.least || len(o.operands) > c.most {
		return nil, fmt.Errorf("%s takes %d to %d operands", name, c.least, c.most)
	}
	return o, c.complete(o)
}

// discard takes what the package flag would print.
type discard struct{}

func (discard) Write(data []byte) (int, error) { return len(data), nil }
