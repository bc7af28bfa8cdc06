// SPDX-License-Identifier: GPL-2.0

package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	accounts "os/user"
	"path/filepath"
	"strconv"

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

// user is an option that is a user: a name, or a number.
type user uint32

func (u *user) String() string { return strconv.FormatUint(uint64(*u), 10) }

func (u *user) Set(text string) error {
	if known, err := accounts.Lookup(text); err == nil {
		text = known.Uid
	}
	uid, err := parseNumber(text)
	// The greatest number means no user to the kernel.
	if err != nil || uid >= math.MaxUint32 {
		return errors.New("there is no such user")
	}
	*u = user(uid)
	return nil
}

type options struct {
	stream, tree, state, object string
	server, creds, nkey         string
	ca, cert, key, inbox        string
	first, last, slots          number
	maxEntries, maxBytes        number
	owner                       user
	replicas                    number
	json                        bool
	operands                    []string
}

func publishOptions(set *flag.FlagSet, o *options) {
	o.slots = defaultSlots
	set.StringVar(&o.stream, "stream", "", "")
	treeOptions(set, o)
	set.Var(&o.slots, "slots", "")
	replicasOption(set, o)
}

// treeOptions are those of the programs that serve a range of a tree.
func treeOptions(set *flag.FlagSet, o *options) {
	o.last = math.MaxUint64
	set.Var(&o.first, "first", "")
	set.Var(&o.last, "last", "")
	ownerOption(set, o)
}

func ownerOption(set *flag.FlagSet, o *options) {
	o.owner = user(os.Geteuid())
	set.Var(&o.owner, "owner", "")
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

func checkRange(o *options) error {
	if o.first > o.last {
		return errors.New("--first is greater than --last")
	}
	return nil
}

// firstError is the first mistake of some checks.
func firstError(mistakes ...error) error {
	for _, mistake := range mistakes {
		if mistake != nil {
			return mistake
		}
	}
	return nil
}

func completePublish(o *options) error {
	if o.stream == "" {
		o.stream = o.operands[0]
	}
	if o.slots < slotsMin || o.slots > slotsMax || o.slots&(o.slots-1) != 0 {
		return fmt.Errorf("--slots: %d is no power of two from %d to %d", o.slots, slotsMin, slotsMax)
	}
	return firstError(checkRange(o), checkReplicas(o), checkTree(o.operands[0]), checkName(o.stream))
}

func followOptions(set *flag.FlagSet, o *options) {
	set.StringVar(&o.tree, "tree", "", "")
	set.StringVar(&o.state, "state", "", "")
	set.Var(&o.maxEntries, "max-entries", "")
	set.Var(&o.maxBytes, "max-bytes", "")
	treeOptions(set, o)
}

func completeFollow(o *options) error {
	if o.tree == "" {
		o.tree = o.operands[0]
	}
	err := firstError(checkRange(o), checkName(o.operands[0]), checkTree(o.tree))
	if err != nil || o.state != "" {
		return err
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
	ownerOption(set, o)
	replicasOption(set, o)
}

func completeSnapshot(o *options) error {
	if o.object == "" {
		o.object = o.operands[0]
	}
	return firstError(checkReplicas(o), checkTree(o.operands[0]))
}

func completeRestore(o *options) error {
	return checkTree(o.operands[1])
}

func serverOptions(set *flag.FlagSet, o *options) {
	url := os.Getenv("NATS_URL")
	if url == "" {
		url = nats.DefaultURL
	}
	set.StringVar(&o.server, "server", url, "")
	set.StringVar(&o.inbox, "inbox", "_INBOX", "")
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
	if err := checkName(o.inbox); err != nil {
		return nil, fmt.Errorf("--inbox: %w", err)
	}
	return o, c.complete(o)
}

// discard takes what the package flag would print.
type discard struct{}

func (discard) Write(data []byte) (int, error) { return len(data), nil }
