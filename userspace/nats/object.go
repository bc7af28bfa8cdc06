// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"
)

// Objects of a bucket of the server, as the tool nats and the library of NATS store them: a
// message that describes the object, and its chunks. This program reads and writes them itself.
// The library removes and reads the chunks that a description names, whatever it names: one
// written by another program can name the chunks of all objects, or an object of another bucket.

const (
	bucketStream = "OBJ_" + bucketName
	chunkSize    = 1 << 17
)

var errObject = errors.New("the description of the object is not right")

func describeSubject(object string) string {
	return "$O." + bucketName + ".M." + base64.URLEncoding.EncodeToString([]byte(object))
}

func chunkSubject(id string) string { return "$O." + bucketName + ".C." + id }

// idOf begins the ids of an object's chunks, so that a description of another object does not
// have this one's removed.
func idOf(object string) string { return fmt.Sprintf("%.10x-", sha256.Sum256([]byte(object))) }

// parseObject reads a description.
func parseObject(data []byte) (*nats.ObjectInfo, error) {
	info := &nats.ObjectInfo{}
	if err := json.Unmarshal(data, info); err != nil {
		return nil, fmt.Errorf("%w: %v", errObject, err)
	}
	if checkName(info.NUID) != nil || info.Opts != nil && info.Opts.Link != nil {
		return nil, errObject
	}
	return info, nil
}

// describe returns the description of an object, and the number of its message: 0 if there is none.
func describe(ctx context.Context, js nats.JetStreamContext,
	object string) (*nats.ObjectInfo, uint64, error) {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	last, err := js.GetLastMsg(bucketStream, describeSubject(object), nats.Context(limited))
	if err != nil {
		return nil, 0, err
	}
	info, err := parseObject(last.Data)
	return info, last.Sequence, err
}

// publishPart stores a message of an object. A server that was started again does not answer to
// what the former one got.
func publishPart(ctx context.Context, js nats.JetStreamContext, m *nats.Msg) error {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := js.PublishMsg(m, nats.Context(limited))
	return err
}

// putObject lets an object have contents. It is replaced at the end: if that fails, it is as it
// was.
func putObject(ctx context.Context, js nats.JetStreamContext, meta nats.ObjectMeta, from io.Reader) error {
	info := &nats.ObjectInfo{ObjectMeta: meta, Bucket: bucketName, NUID: idOf(meta.Name) + unguessable()}
	if err := putChunks(ctx, js, info, from); err != nil {
		forgetChunks(js, info)
		return err
	}
	former, err := putDescription(ctx, js, info)
	if err != nil {
		return err
	}
	if former != nil && strings.HasPrefix(former.NUID, idOf(meta.Name)) {
		forgetChunks(js, former)
	}
	return nil
}

// descriptionTries is how often a program tries to replace a description that others replace.
const descriptionTries = 10

// putDescription replaces the description of an object, and returns the former one. The message
// demands the number of the former one, so each program removes the chunks of the one that its
// own has replaced. If the server refuses the description, nobody can find its chunks.
func putDescription(ctx context.Context, js nats.JetStreamContext,
	info *nats.ObjectInfo) (*nats.ObjectInfo, error) {
	data, err := json.Marshal(info)
	if err != nil {
		return nil, err
	}
	description := nats.NewMsg(describeSubject(info.Name))
	description.Header.Set(nats.MsgRollup, nats.MsgRollupSubject)
	description.Data = data
	for try := 1; ; try++ {
		former, sequence, err := describe(ctx, js, info.Name)
		if err != nil && !missing(err) && !errors.Is(err, errObject) {
			forgetChunks(js, info)
			return nil, err
		}
		description.Header.Set(nats.ExpectedLastSubjSeqHdr, strconv.FormatUint(sequence, 10))
		err = publishPart(ctx, js, description)
		var refusal *nats.APIError
		if !errors.As(err, &refusal) {
			// A server that has not answered can have stored it.
			return former, err
		}
		if refusal.ErrorCode != nats.JSErrCodeStreamWrongLastSequence || try == descriptionTries {
			forgetChunks(js, info)
			return nil, err
		}
	}
}

func putChunks(ctx context.Context, js nats.JetStreamContext, info *nats.ObjectInfo, from io.Reader) error {
	sum, chunk := sha256.New(), make([]byte, chunkSize)
	for {
		n, err := io.ReadFull(from, chunk)
		if n > 0 {
			sum.Write(chunk[:n])
			info.Size += uint64(n)
			info.Chunks++
			part := &nats.Msg{Subject: chunkSubject(info.NUID), Data: chunk[:n]}
			if err := publishPart(ctx, js, part); err != nil {
				return err
			}
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			info.Digest = nats.GetObjectDigestValue(sum)
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// forgetChunks removes the chunks of an object that nobody can find any more.
func forgetChunks(js nats.JetStreamContext, info *nats.ObjectInfo) {
	err := js.PurgeStream(bucketStream, &nats.StreamPurgeRequest{Subject: chunkSubject(info.NUID)})
	if err != nil {
		logf("chunks that nobody can find are not removed: %v", err)
	}
}

// object is an io.Reader of the contents of an object. Its last chunk is read only after all of
// it turned out to be right.
type object struct {
	ctx        context.Context
	connection *nats.Conn
	info       *nats.ObjectInfo
	chunk      []byte
	next, size uint64
	sum        hash.Hash
}

func getObject(ctx context.Context, connection *nats.Conn, js nats.JetStreamContext,
	name string) (*object, error) {
	info, _, err := describe(ctx, js, name)
	if err == nil && info.Deleted {
		err = nats.ErrObjectNotFound
	}
	return &object{ctx: ctx, connection: connection, info: info, next: 1, sum: sha256.New()}, err
}

func (o *object) Read(data []byte) (int, error) {
	for len(o.chunk) == 0 {
		if o.size == o.info.Size {
			return 0, io.EOF
		}
		if err := o.more(); err != nil {
			return 0, err
		}
	}
	n := copy(data, o.chunk)
	o.chunk = o.chunk[n:]
	return n, nil
}

// more fetches a chunk.
func (o *object) more() error {
	m, err := getMessage(o.ctx, o.connection, bucketStream,
		which{Sequence: o.next, NextOf: chunkSubject(o.info.NUID)})
	if err != nil {
		return err
	}
	o.next, o.chunk = m.Sequence+1, m.Data
	o.size += uint64(len(o.chunk))
	o.sum.Write(o.chunk)
	if len(o.chunk) == 0 || o.size > o.info.Size ||
		o.size == o.info.Size && nats.GetObjectDigestValue(o.sum) != o.info.Digest {
		o.chunk = nil
		return errors.New("the object is damaged")
	}
	return nil
}
