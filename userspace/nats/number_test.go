// SPDX-License-Identifier: GPL-2.0

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A text is a number here where it is one for the command, which is tested by the same file.
func TestNumbersAreThoseOfTheCommand(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(os.Getenv("TOP"), "userspace/cli/tests/numbers.json"))
	must(t, err)
	var texts struct {
		Numbers map[string]uint64
		None    []string
	}
	must(t, json.Unmarshal(text, &texts))
	for text, want := range texts.Numbers {
		if got, err := parseNumber(text); err != nil || got != want {
			t.Errorf("%q is %d: %v", text, got, err)
		}
	}
	for _, text := range texts.None {
		if got, err := parseNumber(text); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
	if len(texts.Numbers) == 0 || len(texts.None) == 0 {
		t.Error("the file of the command has no texts")
	}
}

// Each option that is a number is read by these rules.
func TestOptionsAreDecimal(t *testing.T) {
	for _, line := range []string{
		"publish ages --first %", "publish ages --last %", "publish ages --slots %",
		"publish ages --replicas %", "snapshot ages --replicas %",
	} {
		for _, text := range []string{"0b1", "0o7", "1_0", "+1", "-1", "", "1.0"} {
			words := strings.Fields(line)
			words[len(words)-1] = text
			if _, err := parseWords(words); err == nil {
				t.Errorf("%q is accepted", words)
			}
		}
	}
	o, err := parseWords(strings.Fields("publish ages --first 010 --slots 0x40 --replicas 03"))
	if err != nil || o.first != 10 || o.slots != 64 || o.replicas != 3 {
		t.Errorf("%+v: %v", o, err)
	}
}

func parseWords(words []string) (*options, error) {
	c := commands[words[0]]
	return c.parse(words[0], words[1:])
}
