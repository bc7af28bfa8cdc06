// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
)

func publish(ctx context.Context, connection *nats.Conn, js nats.JetStreamContext, o *options) error {
	name := o.stream
	if name == "" {
		name = o.operands[0]
	}
	if err := checkName(name); err != nil {
		return err
	}
	if o.slots > math.MaxUint32 {
		return fmt.Errorf("--slots: %w", syscall.EINVAL)
	}
	if o.first > o.last {
		return fmt.Errorf("--first is greater than --last")
	}
	tree, err := openTree(o.operands[0], false)
	if err != nil {
		return err
	}
	defer tree.close()
	tree.slots = uint32(o.slots)
	identity, err := tree.identity()
	if err != nil {
		return err
	}
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	p := &publisher{
		source: tree,
		stream: &stream{js: js, name: name, replicas: o.replicas, log: logf},
		first:  uint64(o.first),
		last:   uint64(o.last),
		place:  fmt.Sprintf("tree %s of %s (%s)", o.operands[0], host, identity),
		excess: defaultExcess,
		log:    logf,
	}
	base := report{Role: "publisher", Tree: o.operands[0]}
	if err := answer(connection, name, base, p.status); err != nil {
		return err
	}
	return p.run(ctx)
}

func follow(ctx context.Context, connection *nats.Conn, js nats.JetStreamContext, o *options) error {
	name := o.operands[0]
	if err := checkName(name); err != nil {
		return err
	}
	if o.tree == "" {
		o.tree = name
	}
	tree, err := openCopy(o.tree)
	if err != nil {
		return err
	}
	defer tree.close()
	if o.state == "" {
		if err := checkName(o.tree); err != nil {
			return fmt.Errorf("--state is missing: %w", err)
		}
		o.state = filepath.Join("/var/lib/blinktree-nats", o.tree+".json")
	}
	f := &follower{sink: tree, js: js, name: name, state: o.state, log: logf}
	base := report{Role: "follower", Tree: o.tree}
	if err := answer(connection, name, base, f.status); err != nil {
		return err
	}
	return f.run(ctx)
}

func status(ctx context.Context, connection *nats.Conn, _ nats.JetStreamContext, o *options) error {
	if err := checkName(o.operands[0]); err != nil {
		return err
	}
	reports, err := collect(ctx, connection, o.operands[0])
	switch {
	case err != nil:
		return err
	case len(reports) == 0:
		return errNobody
	case o.json:
		return showJSON(os.Stdout, reports)
	}
	return show(os.Stdout, reports, time.Now())
}

func snapshot(ctx context.Context, _ *nats.Conn, js nats.JetStreamContext, o *options) error {
	store, err := bucket(js, o.replicas)
	if err != nil {
		return err
	}
	if o.object == "" {
		o.object = o.operands[0]
	}
	return saveSnapshot(ctx, store, o.operands[0], o.object)
}

func restore(ctx context.Context, _ *nats.Conn, js nats.JetStreamContext, o *options) error {
	store, err := js.ObjectStore(bucketName)
	if err != nil {
		return fmt.Errorf("no snapshots: %w", err)
	}
	return restoreSnapshot(ctx, store, o.operands[0], append(o.operands, "")[1])
}
