// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// which is a request for a stored message: that with a number, the last one of a subject, or the
// next one of a subject from a number on.
type which struct {
	Sequence uint64 `json:"seq,omitempty"`
	LastOf   string `json:"last_by_subj,omitempty"`
	NextOf   string `json:"next_by_subj,omitempty"`
}

// getMessage returns a stored message. The library does not return one whose header it cannot
// read, and panics at some of them. The server stores any bytes as a header.
func getMessage(ctx context.Context, connection *nats.Conn, stream string,
	which which) (*nats.RawStreamMsg, error) {
	request, err := json.Marshal(which)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	m, err := connection.RequestWithContext(limited, "$JS.API.STREAM.MSG.GET."+stream, request)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Error   *nats.APIError `json:"error"`
		Message struct {
			Subject  string    `json:"subject"`
			Sequence uint64    `json:"seq"`
			Header   []byte    `json:"hdrs"`
			Data     []byte    `json:"data"`
			Time     time.Time `json:"time"`
		} `json:"message"`
	}
	if err := json.Unmarshal(m.Data, &answer); err != nil {
		return nil, err
	}
	if answer.Error != nil {
		return nil, answer.Error
	}
	found := answer.Message
	return &nats.RawStreamMsg{
		Subject: found.Subject, Sequence: found.Sequence, Header: headerOf(found.Header),
		Data: found.Data, Time: found.Time,
	}, nil
}

// headerOf is the lines of a header that are fields, whatever the others are.
func headerOf(data []byte) nats.Header {
	header := nats.Header{}
	for _, line := range strings.Split(string(data), "\r\n") {
		if name, value, found := strings.Cut(line, ":"); found {
			header.Add(name, strings.TrimSpace(value))
		}
	}
	return header
}
