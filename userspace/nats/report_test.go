// SPDX-License-Identifier: GPL-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// Requests and reports of programs that are none of ours.

// A program that answers with its own rights to a subject that the asker names would do there
// what the asker may not do.
func TestStatusAnswersToNoOtherSubject(t *testing.T) {
	p := newPair(t)
	publisher := p.publisher()
	must(t, answer(p.connection, "tree", report{Role: "publisher"}, publisher.status))
	defer start(t, publisher.run).stop()
	soon(t, "publishing", func() bool { return publisher.status().Ready })
	asker, _ := p.server.connect()
	heard, err := asker.SubscribeSync(">")
	must(t, err)
	replies := []string{
		"$JS.API.STREAM.PURGE.blink_tree", "$JS.API.STREAM.DELETE.blink_tree",
		"blink.tree.data", "blink.tree.begin", "blink.tree.status", "blink.tree.answer",
		"blink.tree.answer.a.b", "blink.tree.answer.>", "blink.tree.answer.*",
		"blink.other.answer.a", "_INBOX.a", "$SYS.REQ.SERVER.PING", "",
	}
	for _, reply := range replies {
		must(t, asker.PublishRequest(statusSubject("tree"), reply, nil))
	}
	// The answer to this request comes behind all others.
	if reports, err := collect(context.Background(), asker, "tree"); err != nil || len(reports) != 1 {
		t.Fatalf("%v %v", reports, err)
	}
	info, err := p.js.StreamInfo(streamName("tree"))
	if err != nil || info.State.FirstSeq != 1 || info.State.Msgs != publisher.status().Sequence {
		t.Fatalf("%+v %v", info, err)
	}
	for {
		m, err := heard.NextMsg(time.Millisecond)
		if err != nil {
			break
		}
		var r report
		ours := strings.HasPrefix(m.Subject, "blink.tree.answer.") && len(m.Subject) > 40
		if json.Unmarshal(m.Data, &r) == nil && r.Role != "" && !ours {
			t.Errorf("the program answers to %s", m.Subject)
		}
	}
}

// dirty is a text that does something to a terminal or to the lines of a log.
const dirty = "a\x1b[2J\u202e\u200b\u2028\u2029\x00\x7f\u0085\t\n\xffz"

// harmful are the characters and bytes that no output may have.
func harmful(text string) bool {
	return strings.ContainsAny(text, "\x1b\u202e\u200b\u2028\u2029\x00\x7f\u0085\t") ||
		strings.Contains(text, "\xff")
}

func TestReportsOfStrangersAreHarmless(t *testing.T) {
	data, err := json.Marshal(report{Role: "publisher", Host: dirty, Tree: dirty, Epoch: dirty})
	must(t, err)
	for _, bad := range []string{
		"", "{}", "[]", "null", `{"role":"x"}`, `{"role":"follower","sequence":-1}`,
		`{"role":"follower","host":"` + strings.Repeat("a", 1000) + `"}`,
	} {
		if r, err := parseReport([]byte(bad)); err == nil {
			t.Errorf("%s is %+v", bad, r)
		}
	}
	r, err := parseReport(data)
	must(t, err)
	var table, lines bytes.Buffer
	if show(&table, []report{r}, time.Now()) != nil || showJSON(&lines, []report{r}) != nil {
		t.Fatal("it is not printed")
	}
	if harmful(table.String()) || harmful(lines.String()) || strings.Count(table.String(), "\n") != 2 {
		t.Errorf("%q %q", table.String(), lines.String())
	}
	var again report
	if err := json.Unmarshal(lines.Bytes(), &again); err != nil || again != r {
		t.Errorf("%+v became %+v: %v", r, again, err)
	}
}

func TestTextsOfPeersAreVisible(t *testing.T) {
	for text, want := range map[string]string{
		dirty:     `a\x1b[2J\xe2\x80\xae\xe2\x80\x8b\xe2\x80\xa8\xe2\x80\xa9\x00\x7f\xc2\x85\x09\x0a\xffz`,
		"\xc2":    `\xc2`,
		"ä 漢 ✓ -": "ä 漢 ✓ -",
	} {
		if got := visible(text); got != want {
			t.Errorf("%q became %s", text, got)
		}
	}
}
