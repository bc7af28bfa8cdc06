// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"fmt"
	"time"
)

// patience is how long the server may take to answer, and pause the time between two tries.
// A program that is busy looks every lookPeriod at what no message and no change tells.
const (
	patience   = 5 * time.Second
	pause      = 500 * time.Millisecond
	lookPeriod = time.Second
)

// sleep waits, and returns an error if the context ends meanwhile.
func sleep(ctx context.Context, duration time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(duration):
		return nil
	}
}

// trouble logs why a program does not go on: the same reason at most once in a period.
type trouble struct {
	log  func(format string, args ...any)
	said string
	when time.Time
}

const troublePeriod = time.Minute

func (t *trouble) say(format string, err error) {
	text := fmt.Sprintf(format, err)
	if text == t.said && time.Since(t.when) < troublePeriod {
		return
	}
	t.log("%s", text)
	t.said, t.when = text, time.Now()
}

// retry calls a function until it succeeds or the context ends.
func retry(ctx context.Context, log func(string, ...any), try func() error) error {
	trouble := trouble{log: log}
	for {
		err := try()
		if err == nil {
			return nil
		}
		if ctx.Err() == nil {
			trouble.say("waiting: %v", err)
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}
