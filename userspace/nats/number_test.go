// SPDX-License-Identifier: GPL-2.0

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The texts of the command's own test, with the numbers that they are: "is" and "is_none", and
// the list of texts that are none.
var (
	isNumber = regexp.MustCompile(`is\("([^"]*)", (\w+)\)`)
	isNone   = regexp.MustCompile(`is_none\("([^"]*)"\)`)
	noneList = regexp.MustCompile(`(?s)texts\[\] = \{(.*?)\};`)
	quoted   = regexp.MustCompile(`"([^"]*)"`)
)

func TestNumbersAreThoseOfTheCommand(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(os.Getenv("TOP"), "userspace/cli/tests/number_test.c"))
	if err != nil {
		t.Fatal(err)
	}
	source := strings.ReplaceAll(string(text), "UINT64_MAX", "0xffffffffffffffff")
	good := isNumber.FindAllStringSubmatch(source, -1)
	for _, found := range good {
		want, err := strconv.ParseUint(found[2], 0, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := parseNumber(found[1]); err != nil || got != want {
			t.Errorf("%q is %d: %v", found[1], got, err)
		}
	}
	bad := append(isNone.FindAllStringSubmatch(source, -1),
		quoted.FindAllStringSubmatch(noneList.FindString(source), -1)...)
	for _, found := range bad {
		if got, err := parseNumber(found[1]); err == nil {
			t.Errorf("%q is %d", found[1], got)
		}
	}
	if len(good) < 9 || len(bad) < 20 {
		t.Fatalf("the test of the command has %d numbers and %d other texts", len(good), len(bad))
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
