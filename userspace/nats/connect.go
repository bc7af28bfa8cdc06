// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"

	"github.com/nats-io/nats.go"
)

// connect returns a connection, which connects again whenever the server is gone. With
// forever it waits for a server that cannot be reached; one that refuses is an error. After
// the first connection a server that refuses is asked again too: it may have been started
// with an old configuration, and files of credentials are read anew each time.
func connect(ctx context.Context, o *options, forever bool) (*nats.Conn, nats.JetStreamContext, error) {
	with, err := connectOptions(o)
	if err != nil {
		return nil, nil, err
	}
	var connection *nats.Conn
	var refused error
	err = retry(ctx, logf, func() error {
		var err error
		if connection, err = nats.Connect(o.server, with...); err != nil {
			err = fmt.Errorf("%s: %w", withoutSecrets(o.server), withoutURL(err))
		}
		if forever && unreachable(err) {
			return err
		}
		refused = err
		return nil
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return nil, nil, err
	}
	js, err := connection.JetStream()
	return connection, js, err
}

// withoutURL takes the URL, and so its secrets, out of an error.
func withoutURL(err error) error {
	var unread *url.Error
	if errors.As(err, &unread) {
		return unread.Err
	}
	return err
}

func connectOptions(o *options) ([]nats.Option, error) {
	with := []nats.Option{
		nats.Name("blinktree-nats"),
		// What was sent without a server is sent again, by those that wait for answers.
		nats.ReconnectBufSize(-1),
		nats.Timeout(patience),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(pause),
		nats.IgnoreAuthErrorAbort(),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				logf("the connection is lost: %v", err)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) { logf("connected to %s", c.ConnectedAddr()) }),
	}
	refused := trouble{log: logf}
	with = append(with, nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		refused.say("the server says: %v", err)
	}))
	if o.inbox != "" {
		with = append(with, nats.CustomInboxPrefix(o.inbox))
	}
	if o.creds != "" {
		with = append(with, nats.UserCredentials(o.creds))
	}
	if o.nkey != "" {
		nkey, err := nats.NkeyOptionFromSeed(o.nkey)
		if err != nil {
			return nil, fmt.Errorf("--nkey: %w", err)
		}
		with = append(with, nkey)
	}
	if o.ca != "" {
		with = append(with, nats.RootCAs(o.ca))
	}
	if o.cert != "" || o.key != "" {
		with = append(with, nats.ClientCert(o.cert, o.key))
	}
	return with, nil
}

// unreachable is whether no server has answered. Refusals are answers, and errors of TLS too:
// their operations are "local error" and "remote error".
func unreachable(err error) bool {
	var operation *net.OpError
	if errors.As(err, &operation) {
		return !strings.HasSuffix(operation.Op, " error")
	}
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, io.EOF)
}

// withoutSecrets returns the URLs of servers without users, passwords and tokens.
func withoutSecrets(servers string) string {
	all := strings.Split(servers, ",")
	for i, text := range all {
		scheme, host, found := strings.Cut(text, "//")
		if !found {
			scheme, host = "", text
		} else {
			scheme += "//"
		}
		all[i] = scheme + host[strings.LastIndex(host, "@")+1:]
	}
	return strings.Join(all, ",")
}
