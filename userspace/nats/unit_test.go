// SPDX-License-Identifier: GPL-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mostExposure is in tenths of what "systemd-analyze security" prints: 100 is a unit without
// any protection.
const mostExposure = "35"

var program = regexp.MustCompile(`(?m)^(Exec\w+)=blinktree\S*`)

func TestUnitsAreRight(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("there is no systemd-analyze")
	}
	units := strings.Fields(os.Getenv("UNITS"))
	if len(units) != 2 {
		t.Fatalf("%q are not two units", units)
	}
	units = append(units, filepath.Join(os.Getenv("TOP"), "userspace/cli/blinktree-snapshot@.service"))
	for _, unit := range units {
		text, err := os.ReadFile(unit)
		must(t, err)
		// The program need not be installed here.
		verified := program.ReplaceAllString(string(text), "$1=/bin/true")
		instance := filepath.Join(t.TempDir(), strings.Replace(filepath.Base(unit), "@", "@ages", 1))
		must(t, os.WriteFile(instance, []byte(verified), 0o600))
		for _, words := range [][]string{
			{"verify", "--man=no", instance},
			{"security", "--no-pager", "--offline=yes", "--threshold=" + mostExposure, instance},
		} {
			output, err := exec.Command(analyze, words...).CombinedOutput()
			if err != nil || words[0] == "verify" && len(output) > 0 {
				t.Errorf("%v: %v: %s", words, err, output)
			}
		}
	}
}
