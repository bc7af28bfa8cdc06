// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats.go"
)

func publish(ctx context.Context, connection *nats.Conn, js nats.JetStreamContext, o *options) error {
	tree := &deviceTree{
		name: o.operands[0], owner: uint32(o.owner), open: openSource, slots: uint32(o.slots),
	}
	if err := tree.reopen(); err != nil {
		return err
	}
	defer tree.close()
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	to, err := newStream(connection, js, o.stream, int(o.replicas), logf)
	if err != nil {
		return err
	}
	p := &publisher{
		source: tree,
		stream: to,
		first:  uint64(o.first),
		last:   uint64(o.last),
		place:  fmt.Sprintf("tree %s of %s", o.operands[0], host),
		excess: defaultExcess,
		log:    logf,
	}
	base := report{Role: "publisher", Tree: o.operands[0]}
	if err := answer(connection, o.stream, base, p.status); err != nil {
		return err
	}
	return p.run(ctx)
}

func follow(ctx context.Context, connection *nats.Conn, js nats.JetStreamContext, o *options) error {
	name := o.operands[0]
	tree := &deviceTree{
		name: o.tree, owner: uint32(o.owner), open: openCopy,
		maxEntries: uint64(o.maxEntries), maxBytes: uint64(o.maxBytes),
	}
	if err := tree.reopen(); err != nil {
		return err
	}
	defer tree.close()
	f := &follower{
		sink: tree, connection: connection, js: js, name: name, state: o.state, log: logf,
		first: uint64(o.first), last: uint64(o.last),
	}
	base := report{Role: "follower", Tree: o.tree}
	if err := answer(connection, name, base, f.status); err != nil {
		return err
	}
	return f.run(ctx)
}

func status(ctx context.Context, connection *nats.Conn, _ nats.JetStreamContext, o *options) error {
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
	if err := createBucket(js, int(o.replicas)); err != nil {
		return err
	}
	return saveSnapshot(ctx, js, o.operands[0], o.owner, o.object)
}

func restore(ctx context.Context, connection *nats.Conn, js nats.JetStreamContext, o *options) error {
	tree := &deviceTree{name: o.operands[1], owner: uint32(o.owner)}
	present, err := tree.present()
	if err != nil {
		return err
	}
	return restoreSnapshot(ctx, connection, js, o.operands[0], tree.name, present)
}
