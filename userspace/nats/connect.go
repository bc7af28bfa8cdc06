// SPDX-License-Identifier: GPL-2.0

package main

import (
	"fmt"

	"github.com/nats-io/nats.go"
)

// connect returns a connection, which connects again whenever the server is gone.
func connect(o *options, forever bool) (*nats.Conn, nats.JetStreamContext, error) {
	with := []nats.Option{
		nats.Name("blinktree-nats"),
		// What was sent without a server is sent again, by those that wait for answers.
		nats.ReconnectBufSize(-1),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(pause),
		nats.RetryOnFailedConnect(forever),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				logf("the connection is lost: %v", err)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) { logf("connected to %s", c.ConnectedAddr()) }),
	}
	if o.creds != "" {
		with = append(with, nats.UserCredentials(o.creds))
	}
	if o.ca != "" {
		with = append(with, nats.RootCAs(o.ca))
	}
	if o.cert != "" || o.key != "" {
		with = append(with, nats.ClientCert(o.cert, o.key))
	}
	connection, err := nats.Connect(o.server, with...)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", o.server, err)
	}
	js, err := connection.JetStream()
	return connection, js, err
}
