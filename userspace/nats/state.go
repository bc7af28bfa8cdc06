// SPDX-License-Identifier: GPL-2.0

package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// progress is how far a copy is. It is kept in a file, so that a follower that starts again
// continues where it was. The file can be older than the copy: the messages that are applied
// again end with the same entries.
type progress struct {
	// Copy is the identity of the tree that is the copy: after a reboot it is empty.
	Copy string `json:"copy"`
	// Epoch is the number of the epoch, and Sequence that of the last message applied.
	Epoch    string `json:"epoch"`
	Sequence uint64 `json:"sequence"`
	// First and Last are the range of the epoch.
	First uint64 `json:"first"`
	Last  uint64 `json:"last"`
	// Next is the first key of the next chunk of the scan. Scanned is whether the copy has the
	// whole scan, and Target the position from
	// which it is equal to a state of the tree.
	Next    uint64 `json:"next"`
	Scanned bool   `json:"scanned"`
	Target  uint64 `json:"target"`
	// Position, Head and Written are those of the last message applied.
	Position uint64    `json:"position"`
	Head     uint64    `json:"head"`
	Written  time.Time `json:"written"`
}

// loadProgress returns the progress of a copy; none, if the file has none of this copy. A file
// that cannot be read as one is such a file: a machine that lost power can leave it empty.
func loadProgress(path, identity string) (progress, error) {
	fresh := progress{Copy: identity}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fresh, nil
	}
	if err != nil {
		return fresh, err
	}
	var p progress
	if json.Unmarshal(data, &p) != nil || p.Copy != identity {
		return fresh, nil
	}
	return p, nil
}

// diskFull is whether a file cannot be written for lack of room, which can change.
func diskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// save replaces the file at one moment.
func (p *progress) save(path string) error {
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temporary := path + ".new"
	if err := os.WriteFile(temporary, append(data, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}
