// SPDX-License-Identifier: GPL-2.0

package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// startCluster starts servers that store streams together.
func startCluster(t *testing.T, n int) []*server {
	t.Helper()
	servers := make([]*server, n)
	var routes []string
	for i := range servers {
		servers[i] = &server{t: t, folder: t.TempDir(), name: fmt.Sprint("s", i), port: freePort(t)}
		routes = append(routes, fmt.Sprintf("nats-route://127.0.0.1:%d", freePort(t)))
	}
	for i, s := range servers {
		s.config = fmt.Sprintf("cluster { name: c, listen: \"%s\", routes: [%s] }\n",
			strings.TrimPrefix(routes[i], "nats-route://"), strings.Join(routes, ", "))
		s.start()
		t.Cleanup(s.kill)
	}
	return servers
}

func urls(servers []*server) string {
	var all []string
	for _, s := range servers {
		all = append(all, s.url())
	}
	return strings.Join(all, ",")
}

// leader returns the server that leads the stream.
func leader(t *testing.T, js nats.JetStreamContext, servers []*server) *server {
	t.Helper()
	var found *server
	soon(t, "the stream has a leader", func() bool {
		info, err := js.StreamInfo(streamName("tree"), nats.MaxWait(time.Second))
		for _, s := range servers {
			if err == nil && info.Cluster != nil && s.name == info.Cluster.Leader {
				found = s
			}
		}
		return found != nil
	})
	return found
}

func TestClusterLosesItsLeader(t *testing.T) {
	servers := startCluster(t, 3)
	p := newPairAt(t, &options{server: urls(servers)})
	publisher := p.publisher()
	publisher.stream.replicas = 3
	defer start(t, publisher.run).stop()
	defer p.follow().stop()
	p.expectCopy()
	changes := len(p.tree.changes)
	lost := leader(t, p.js, servers)
	written := make(chan bool)
	go func() {
		p.writers(2, time.Second)
		close(written)
	}()
	time.Sleep(time.Second / 2)
	lost.kill()
	<-written
	p.expectCopy()
	info, err := p.js.StreamInfo(streamName("tree"))
	if err != nil || info.Config.Replicas != 3 {
		t.Fatalf("%+v %v", info, err)
	}
	p.expectEachChangeOnce(len(p.tree.changes) - changes)
}
