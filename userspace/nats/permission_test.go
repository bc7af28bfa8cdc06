// SPDX-License-Identifier: GPL-2.0

package main

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// permitted is a server with the users of the example for administrators, and one that may do
// everything.
func permitted(t *testing.T) *server {
	t.Helper()
	example, err := os.ReadFile("permissions.conf")
	must(t, err)
	config := regexp.MustCompile(`\$[A-Z]+_PASSWORD`).ReplaceAllString(string(example), "secret")
	config = regexp.MustCompile(`\bages\b`).ReplaceAllString(config, "tree")
	config = regexp.MustCompile(`\bblink_ages\b`).ReplaceAllString(config, "blink_tree")
	config = regexp.MustCompile(`users: \[`).ReplaceAllString(config, "$0 { user: all, password: secret }")
	return startServerWith(t, config)
}

// as is a pair, of which the connection is that of a user; refused has what the server refuses.
func (s *server) as(t *testing.T, name string) (p *pair, refused chan error) {
	t.Helper()
	p = newPairAt(t, &options{server: s.with(name + ":secret"), inbox: "_INBOX_" + name})
	refused = make(chan error, 1000)
	p.connection.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err })
	return p, refused
}

// refusals returns what the server has refused so far: the errors come in their order, and
// the last one is that of a subject that no user has.
func refusals(t *testing.T, connection *nats.Conn, refused chan error) (all []error) {
	t.Helper()
	must(t, connection.Publish("the.last", nil))
	for {
		select {
		case err := <-refused:
			if strings.Contains(err.Error(), "the.last") {
				return all
			}
			all = append(all, err)
		case <-time.After(4 * patience):
			t.Fatal("the server refuses nothing")
		}
	}
}

func expectNoRefusal(t *testing.T, name string, connection *nats.Conn, refused chan error) {
	t.Helper()
	if all := refusals(t, connection, refused); len(all) > 0 {
		t.Errorf("%s: %v", name, all)
	}
}

// expectRight: a user may do something if it is one of these users.
func expectRight(t *testing.T, connection *nats.Conn, refused chan error, name, users, subject string,
	do func() error) {
	t.Helper()
	must(t, do())
	may := regexp.MustCompile(`\b` + name + `\b`).MatchString(users)
	if all := refusals(t, connection, refused); (len(all) == 0) != may {
		t.Errorf("%s, %s: %v", name, subject, all)
	}
}

// Each program works with the permissions of the example.
func TestPermissionsSuffice(t *testing.T) {
	s := permitted(t)
	p, refusedPublisher := s.as(t, "publish")
	publisher := p.publisher()
	must(t, answer(p.connection, "tree", report{Role: "publisher"}, publisher.status))
	defer start(t, publisher.run).stop()
	q, refusedFollower := s.as(t, "follow")
	q.tree = p.tree
	follower := q.follower()
	must(t, answer(q.connection, "tree", report{Role: "follower"}, follower.status))
	defer start(t, follower.run).stop()
	p.writers(2, time.Second)
	q.expectCopy()
	asker, refusedStatus := s.as(t, "status")
	reports, err := collect(context.Background(), asker.connection, "tree")
	if err != nil || len(reports) != 2 || !reports[0].Ready {
		t.Fatalf("%+v %v", reports, err)
	}
	must(t, publisher.stream.forget(context.Background(), publisher.status().Sequence))
	expectNoRefusal(t, "publish", p.connection, refusedPublisher)
	expectNoRefusal(t, "follow", q.connection, refusedFollower)
	expectNoRefusal(t, "status", asker.connection, refusedStatus)
}

func TestPermissionsOfSnapshotsSuffice(t *testing.T) {
	s := permitted(t)
	p, refused := s.as(t, "snapshot")
	must(t, createBucket(p.js, 1))
	data := bytes.Repeat([]byte("0123456789"), 50000)
	for i := 0; i < 2; i++ {
		err := putObject(context.Background(), p.js, nats.ObjectMeta{Name: "ages"}, bytes.NewReader(data))
		must(t, err)
	}
	expectNoRefusal(t, "snapshot", p.connection, refused)
	q, refused := s.as(t, "restore")
	if got, err := read(q.connection, q.js, "ages"); err != nil || !bytes.Equal(got, data) {
		t.Fatalf("%d bytes: %v", len(got), err)
	}
	expectNoRefusal(t, "restore", q.connection, refused)
}

// Each user may do to the stream, the snapshots and other programs what its program does, and
// nothing else.
func TestPermissionsAreNotWider(t *testing.T) {
	s := permitted(t)
	p := newPairAt(t, &options{server: s.with("all:secret")})
	publishing := p.publish()
	soon(t, "a stream", func() bool { _, err := p.js.StreamInfo(streamName("tree")); return err == nil })
	publishing.stop()
	must(t, createBucket(p.js, 1))
	may := map[string]string{
		"blink.tree.data": "publish", "blink.tree.begin": "publish", "blink.tree.more": "publish",
		"$JS.API.STREAM.PURGE.blink_tree":                "publish",
		"$JS.API.STREAM.DELETE.blink_tree":               "",
		"$JS.API.STREAM.UPDATE.blink_tree":               "",
		"$JS.API.STREAM.MSG.DELETE.blink_tree":           "",
		"$JS.API.STREAM.CREATE.blink_tree":               "publish",
		"$JS.API.STREAM.CREATE.other":                    "",
		"$JS.API.STREAM.MSG.GET.blink_tree":              "publish follow",
		"$JS.API.STREAM.MSG.GET.blink_other":             "",
		"$JS.API.CONSUMER.CREATE.blink_tree":             "",
		"$JS.API.STREAM.NAMES":                           "",
		"$JS.API.STREAM.PURGE.OBJ_blinktree-snapshots":   "snapshot",
		"$JS.API.STREAM.DELETE.OBJ_blinktree-snapshots":  "",
		"$JS.API.STREAM.MSG.GET.OBJ_blinktree-snapshots": "snapshot restore",
		"$O.blinktree-snapshots.C.a":                     "snapshot",
		"$O.blinktree-snapshots.M.YWdlcw==":              "snapshot",
		"$O.blinktree-snapshots.M.b3RoZXI=":              "",
		"blink.tree.status":                              "status",
		"blink.tree.answer.a":                            "publish follow",
		"_INBOX.a":                                       "", "_INBOX_publish.a": "", "_INBOX_follow.a": "", "_INBOX_restore.a": "",
		"blink.other.data": "", "blink.other.status": "", "$SYS.REQ.SERVER.PING": "",
	}
	hears := map[string]string{
		">": "", "_INBOX.>": "", "_INBOX_publish.>": "publish", "_INBOX_follow.>": "follow",
		"_INBOX_status.>": "status", "_INBOX_snapshot.>": "snapshot", "_INBOX_restore.>": "restore",
		"blink.tree.data": "", "blink.tree.status": "publish follow", "blink.tree.answer.*": "status",
		"$JS.API.>": "", "$O.>": "", "blink.tree.more": "follow",
	}
	for _, name := range []string{"publish", "follow", "status", "snapshot", "restore"} {
		q, refused := s.as(t, name)
		for subject, users := range may {
			expectRight(t, q.connection, refused, name, users, subject, func() error {
				return q.connection.Publish(subject, []byte("{}"))
			})
		}
		for subject, users := range hears {
			expectRight(t, q.connection, refused, name, users, subject, func() error {
				_, err := q.connection.SubscribeSync(subject)
				return err
			})
		}
	}
}

// twoAccounts has the stream in one account, of which another one may make requests.
const twoAccounts = `
accounts {
  STREAM {
    jetstream: enabled
    users: [ { user: all, password: secret } ]
    exports: [ { service: "$JS.API.STREAM.INFO.blink_tree" } ]
  }
  OTHER {
    users: [ { user: follow, password: secret } ]
    imports: [ { service: { account: STREAM, subject: "$JS.API.STREAM.INFO.blink_tree" } } ]
  }
}
`

// The comments of the example say the truth: a user who may make a request has the answer stored
// in the stream, unless the user has another account.
func TestAnswersStayInAccounts(t *testing.T) {
	for name, s := range map[string]*server{"one": permitted(t), "several": startServerWith(t, twoAccounts)} {
		_, js := connectTo(t, &options{server: s.with("all:secret")})
		must(t, errorOf((&stream{js: js, name: "tree", replicas: 1}).create()))
		other, _ := connectTo(t, &options{server: s.with("follow:secret")})
		stored := func() bool {
			info, err := js.StreamInfo(streamName("tree"))
			return err == nil && info.State.Msgs > 0
		}
		request, answer := "$JS.API.STREAM.INFO.blink_tree", dataSubject("tree")
		if name == "one" {
			must(t, other.PublishRequest(request, answer, nil))
			soon(t, "the answer is stored", stored)
			continue
		}
		answers, err := other.SubscribeSync(answer)
		if err == nil {
			err = other.PublishRequest(request, answer, nil)
		}
		if err == nil {
			_, err = answers.NextMsg(4 * patience)
		}
		if err != nil || stored() {
			t.Fatalf("%s: stored: %t, %v", name, stored(), err)
		}
	}
}
