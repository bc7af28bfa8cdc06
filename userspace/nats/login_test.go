// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// expectCopyBy starts a publisher and a follower with these options.
func expectCopyBy(t *testing.T, o *options) {
	t.Helper()
	p := newPairAt(t, o)
	defer p.publish().stop()
	defer p.follow().stop()
	p.expectCopy()
}

// expectRefused: the server does not let a program in, whether that would wait or not.
func expectRefused(t *testing.T, o *options) {
	t.Helper()
	for _, forever := range []bool{false, true} {
		connection, _, err := connect(context.Background(), o, forever)
		if err == nil {
			connection.Close()
			t.Fatal("the server let it in")
		}
		if strings.Contains(err.Error(), "secret") {
			t.Fatal(err)
		}
	}
}

// A server can be so busy that each step of a connection takes too long.
func TestUnreachableServers(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{&net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}, true},
		{&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, true},
		{&net.OpError{Op: "write", Err: os.ErrDeadlineExceeded}, true},
		{io.EOF, true},
		{nats.ErrTimeout, true},
		{nats.ErrNoServers, true},
		{&net.OpError{Op: "remote error", Err: errors.New("tls: bad certificate")}, false},
		{nats.ErrAuthorization, false},
		{os.ErrNotExist, false},
		{nil, false},
	} {
		if unreachable(c.err) != c.want {
			t.Errorf("%v: %t", c.err, !c.want)
		}
	}
}

// The first attempt does not tell that the server refuses; the second one does.
func TestBusyServerThatRefuses(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer listener.Close()
	go func() {
		for first := true; ; first = false {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			if !first {
				fmt.Fprint(client, "INFO {\"max_payload\":1000,\"auth_required\":true}\r\n")
				client.Read(make([]byte, 1000))
				fmt.Fprint(client, "-ERR 'Authorization Violation'\r\n")
			}
			client.Close()
		}
	}()
	o := &options{server: "nats://" + listener.Addr().String()}
	if _, _, err := connect(context.Background(), o, true); !errors.Is(err, nats.ErrAuthorization) {
		t.Fatal(err)
	}
}

func TestServerMayComeLater(t *testing.T) {
	s := &server{t: t, folder: t.TempDir(), name: "late", port: freePort(t)}
	started := make(chan struct{})
	go func() {
		defer close(started)
		time.Sleep(2 * pause)
		s.start()
	}()
	connection, _ := s.connect()
	<-started
	s.kill()
	connection.Close()
}

// with returns the URL of a server with the words of a user.
func (s *server) with(words string) string {
	return strings.Replace(s.url(), "//", "//"+words+"@", 1)
}

// writeSecret writes a file that only this user reads.
func writeSecret(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestUserAndPassword(t *testing.T) {
	s := startServerWith(t, "authorization { users: [ { user: one, password: secret } ] }")
	expectCopyBy(t, &options{server: s.with("one:secret")})
	expectRefused(t, &options{server: s.with("one:secret2")})
	expectRefused(t, &options{server: s.with("one:%secret")})
	expectRefused(t, &options{server: s.url()})
}

func TestToken(t *testing.T) {
	s := startServerWith(t, "authorization { token: secret }")
	expectCopyBy(t, &options{server: s.with("secret")})
	expectRefused(t, &options{server: s.with("secret2")})
}

// newKey returns a key, with its public half and its seed as texts.
func newKey(t *testing.T, create func() (nkeys.KeyPair, error)) (nkeys.KeyPair, string, string) {
	t.Helper()
	pair, err := create()
	must(t, err)
	public, err := pair.PublicKey()
	must(t, err)
	seed, err := pair.Seed()
	must(t, err)
	return pair, public, string(seed)
}

func TestNkey(t *testing.T) {
	_, public, seed := newKey(t, nkeys.CreateUser)
	_, _, other := newKey(t, nkeys.CreateUser)
	s := startServerWith(t, fmt.Sprintf("authorization { users: [ { nkey: %s } ] }", public))
	expectCopyBy(t, &options{server: s.url(), nkey: writeSecret(t, "nkey", seed)})
	expectRefused(t, &options{server: s.url(), nkey: writeSecret(t, "nkey", other)})
	expectRefused(t, &options{server: s.url(), nkey: filepath.Join(t.TempDir(), "absent")})
}

// token returns a JSON web token, as the tool nsc makes them.
func token(t *testing.T, issuer nkeys.KeyPair, subject string, claims map[string]any) string {
	t.Helper()
	public, err := issuer.PublicKey()
	must(t, err)
	claims["version"] = 2
	body := map[string]any{"jti": subject, "iss": public, "sub": subject, "nats": claims}
	text := ""
	for _, part := range []any{map[string]string{"typ": "JWT", "alg": "ed25519-nkey"}, body} {
		data, err := json.Marshal(part)
		must(t, err)
		text += base64.RawURLEncoding.EncodeToString(data) + "."
	}
	signature, err := issuer.Sign([]byte(strings.TrimSuffix(text, ".")))
	must(t, err)
	return text + base64.RawURLEncoding.EncodeToString(signature)
}

func TestCredentials(t *testing.T) {
	operator, operatorName, _ := newKey(t, nkeys.CreateOperator)
	account, accountName, _ := newKey(t, nkeys.CreateAccount)
	_, systemName, _ := newKey(t, nkeys.CreateAccount)
	_, userName, seed := newKey(t, nkeys.CreateUser)
	_, _, other := newKey(t, nkeys.CreateUser)
	plain := map[string]any{"subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1,
		"wildcards": true, "conn": -1, "leaf": -1}
	storing := map[string]any{"mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1}
	for name, limit := range plain {
		storing[name] = limit
	}
	accountToken := token(t, operator, accountName, map[string]any{"type": "account", "limits": storing})
	systemToken := token(t, operator, systemName, map[string]any{"type": "account", "limits": plain})
	s := startServerWith(t, fmt.Sprintf("operator: %s\nsystem_account: %s\nresolver: MEMORY\n"+
		"resolver_preload: { %s: %s, %s: %s }\n",
		token(t, operator, operatorName, map[string]any{"type": "operator"}), systemName,
		accountName, accountToken, systemName, systemToken))
	limits := map[string]any{"type": "user", "subs": -1, "data": -1, "payload": -1}
	user := token(t, account, userName, limits)
	credentials := func(seed string) string {
		return writeSecret(t, "creds", fmt.Sprintf("-----BEGIN NATS USER JWT-----\n%s\n"+
			"------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n%s\n"+
			"------END USER NKEY SEED------\n", user, seed))
	}
	expectCopyBy(t, &options{server: s.url(), creds: credentials(seed)})
	expectRefused(t, &options{server: s.url(), creds: credentials(other)})
}

// A server that does not know the user any more can learn of it again.
func TestServerRefusesForAWhile(t *testing.T) {
	s := startServerWith(t, "authorization { users: [ { user: one, password: secret } ] }")
	p := newPairAt(t, &options{server: s.with("one:secret")})
	defer p.publish().stop()
	defer p.follow().stop()
	p.expectCopy()
	right := s.config
	for _, s.config = range []string{strings.Replace(right, "one", "two", 1), right} {
		s.kill()
		p.tree.change(p.random, 10)
		s.start()
		time.Sleep(6 * pause)
	}
	p.expectCopy()
}
