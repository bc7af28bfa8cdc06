// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/nats-io/nats.go"
)

// report is what a publisher or a follower says of itself.
type report struct {
	Role string `json:"role"`
	Host string `json:"host"`
	Tree string `json:"tree"`
	PID  int    `json:"pid"`
	// Epoch and Sequence name the last message that was acknowledged or applied; Written
	// is when it was written, Position and Head what it says.
	Epoch    string    `json:"epoch"`
	Sequence uint64    `json:"sequence"`
	Position uint64    `json:"position"`
	Head     uint64    `json:"head"`
	Written  time.Time `json:"written"`
	// Ready is whether the stream has the whole scan, or the copy is equal to a state of
	// the tree. A follower is not ready while it does not know how far it is behind.
	Ready bool `json:"ready"`
	// Behind is how many messages of the stream a follower has not applied yet.
	Behind uint64 `json:"behind"`
}

// collectTime is how long "status" waits for answers, and statusPatience how long a follower
// asks the server for the last message before it answers.
const (
	collectTime    = time.Second
	statusPatience = collectTime / 2
)

func epochText(epoch uint64) string { return strconv.FormatUint(epoch, 16) }

// textMax is the most bytes of a text of a report, and reportsMax the most reports of a stream.
const (
	textMax    = 256
	reportsMax = 1 << 12
)

var errReport = errors.New("not a report of this program")

// parseReport reads the report of a peer, which can be any program.
func parseReport(data []byte) (r report, err error) {
	if json.Unmarshal(data, &r) != nil || r.Role != "publisher" && r.Role != "follower" {
		return r, errReport
	}
	for _, text := range []string{r.Host, r.Tree, r.Epoch} {
		if len(text) > textMax {
			return r, errReport
		}
	}
	return r, nil
}

// answerable is whether a request for the status of a stream has an answer. The answer is
// published with the rights of this program, which the program that asks may not have: so it
// goes to no subject but those for answers.
func answerable(name, reply string) bool {
	token := strings.TrimPrefix(reply, answerSubject(name))
	return token != reply && checkName(token) == nil
}

// answer lets a program answer requests for its status.
func answer(connection *nats.Conn, name string, base report, status func() report) error {
	_, err := connection.Subscribe(statusSubject(name), func(request *nats.Msg) {
		if !answerable(name, request.Reply) {
			return
		}
		r := status()
		r.Role, r.Tree, r.PID = base.Role, base.Tree, os.Getpid()
		r.Host, _ = os.Hostname()
		if data, err := json.Marshal(r); err == nil {
			connection.Publish(request.Reply, data)
		}
	})
	return err
}

// collect asks all programs of a stream for their status, and waits a time for answers.
func collect(ctx context.Context, connection *nats.Conn, name string) ([]report, error) {
	reply := answerSubject(name) + unguessable()
	answers, err := connection.SubscribeSync(reply)
	if err != nil {
		return nil, err
	}
	defer answers.Unsubscribe()
	if err := connection.PublishRequest(statusSubject(name), reply, nil); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, collectTime)
	defer cancel()
	reports := []report{}
	for len(reports) < reportsMax {
		message, err := answers.NextMsgWithContext(limited)
		if err != nil {
			break
		}
		if r, err := parseReport(message.Data); err == nil {
			reports = append(reports, r)
		}
	}
	sort.Slice(reports, func(i, j int) bool {
		a, b := reports[i], reports[j]
		return a.Role > b.Role || a.Role == b.Role && a.Host < b.Host
	})
	return reports, ctx.Err()
}

// show prints reports as a table.
func show(out io.Writer, reports []report, now time.Time) error {
	table := tabwriter.NewWriter(out, 0, 8, 1, ' ', 0)
	fmt.Fprintln(table, "ROLE\tHOST\tTREE\tREADY\tEPOCH\tSEQUENCE\tPOSITION\tBEHIND\tAGE")
	for _, r := range reports {
		age := "-"
		if !r.Written.IsZero() {
			age = now.Sub(r.Written).Round(time.Second).String()
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%t\t%.8s\t%d\t%d\t%d\t%s\n", r.Role,
			visible(r.Host), visible(r.Tree), r.Ready, visible(r.Epoch), r.Sequence, r.Position, r.Behind, age)
	}
	return table.Flush()
}

// showJSON prints reports, each as an object in a line.
func showJSON(out io.Writer, reports []report) error {
	for _, r := range reports {
		data, err := json.Marshal(r)
		if err == nil {
			_, err = fmt.Fprintln(out, visibleJSON(string(data)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
