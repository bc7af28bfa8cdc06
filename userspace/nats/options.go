// SPDX-License-Identifier: GPL-2.0

package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"

	"github.com/nats-io/nats.go"
)

// defaultSlots is how many changes a publisher can be behind: 8 MiB of the kernel.
const defaultSlots = 1 << 17

// key is an option that is a key.
type key uint64

func (k *key) String() string { return strconv.FormatUint(uint64(*k), 10) }

func (k *key) Set(text string) error {
	number, err := strconv.ParseUint(text, 0, 64)
	*k = key(number)
	return err
}

type options struct {
	stream, tree, state, object  string
	server, creds, ca, cert, key string
	first, last                  key
	slots                        uint
	replicas                     int
	json                         bool
	operands                     []string
}

func publishOptions(set *flag.FlagSet, o *options) {
	o.last = math.MaxUint64
	set.StringVar(&o.stream, "stream", "", "")
	set.Var(&o.first, "first", "")
	set.Var(&o.last, "last", "")
	set.UintVar(&o.slots, "slots", defaultSlots, "")
	set.IntVar(&o.replicas, "replicas", 1, "")
}

func followOptions(set *flag.FlagSet, o *options) {
	set.StringVar(&o.tree, "tree", "", "")
	set.StringVar(&o.state, "state", "", "")
}

func statusOptions(set *flag.FlagSet, o *options) {
	set.BoolVar(&o.json, "json", false, "")
}

func snapshotOptions(set *flag.FlagSet, o *options) {
	set.StringVar(&o.object, "object", "", "")
	set.IntVar(&o.replicas, "replicas", 1, "")
}

func serverOptions(set *flag.FlagSet, o *options) {
	url := os.Getenv("NATS_URL")
	if url == "" {
		url = nats.DefaultURL
	}
	set.StringVar(&o.server, "server", url, "")
	set.StringVar(&o.creds, "creds", "", "")
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
	return o, nil
}

// discard takes what the package flag would print.
type discard struct{}

func (discard) Write(data []byte) (int, error) { return len(data), nil }
