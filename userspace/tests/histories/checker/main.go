// SPDX-License-Identifier: GPL-2.0

// blink_linear checks histories of concurrent operations: whether some order,
// in which one took effect after the other, each between its start and its end,
// explains all answers.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// Exit statuses.
const (
	allExplained   = 0
	rejected       = 1
	wrongUsage     = 2
	recorderFailed = 3
)

var (
	keep = flag.String("keep", "blink_linear",
		"where a rejected round is left: NAME.history, NAME.txt")
	patience = flag.Duration("patience", 30*time.Second,
		"for one search; none that takes longer is believed")
	lookupsInOrder = flag.Bool("lookups-in-order", false,
		"demand that lookups of one key in a batch are in their order, too")
)

func usage() {
	out := flag.CommandLine.Output()
	fmt.Fprint(out, `usage: blink_linear [OPTION]... FILE
       blink_linear [OPTION]... -- RECORDER [ARGUMENT]...
Check the histories of a file, or those that a recorder writes.
`)
	flag.PrintDefaults()
	fmt.Fprint(out, `Exit status: 0 all is explained, 1 something is not, 2 wrong usage or no
history, 3 the recorder failed.
`)
}

func die(status int, err error) {
	fmt.Fprintln(os.Stderr, "blink_linear:", err)
	os.Exit(status)
}

// A verdict is on one round.
type verdict struct {
	round  *round
	counts counts
	found  *finding
}

// judge checks all rounds that can be read, until one is rejected.
func judge(from io.Reader) (total counts, bad *verdict, err error) {
	rounds := make(chan *round)
	verdicts := make(chan verdict)
	stop := make(chan struct{})
	go func() {
		defer close(rounds)
		for {
			var r *round
			if r, err = readRound(from); err != nil {
				return
			}
			select {
			case rounds <- r:
			case <-stop:
				return
			}
		}
	}()
	var workers sync.WaitGroup
	for i := 0; i < runtime.NumCPU(); i++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for r := range rounds {
				c, found := check(r, *patience)
				verdicts <- verdict{r, c, found}
			}
		}()
	}
	go func() {
		workers.Wait()
		close(verdicts)
	}()
	for v := range verdicts {
		v := v
		total.add(v.counts)
		if v.found != nil && bad == nil {
			bad = &v
			close(stop)
		}
	}
	if err == io.EOF {
		err = nil
	}
	return total, bad, err
}

// tell prints what is wrong and keeps it.
func tell(bad *verdict) {
	text := describe(bad.round, bad.found)
	fmt.Print(text)
	fmt.Printf("kept: %s.history, %s.txt\n", *keep, *keep)
	if err := os.WriteFile(*keep+".history", bad.round.raw, 0o666); err != nil {
		die(rejected, err)
	}
	if err := os.WriteFile(*keep+".txt", []byte(text), 0o666); err != nil {
		die(rejected, err)
	}
}

// conclude prints the sums; no history, or one without any overlap, shows nothing.
func conclude(total counts) {
	fmt.Printf("%d rounds, %d operations, %d keys, %d overlaps; %d keys of scans; "+
		"%d scans at one moment; %d commits, of which %d took effect; %d floors, ceilings and "+
		"commits of several keys in %d windows, %d too wide\n", total.rounds, total.records,
		total.keys, total.overlaps, total.scanned, total.atOnce, total.commits,
		total.committed, total.nearest, total.windows, total.wide)
	fmt.Printf("operations %d\n", total.records)
	if total.overlaps == 0 {
		die(wrongUsage, fmt.Errorf("no operation overlapped another"))
	}
}

func checkFile(name string) {
	file, err := os.Open(name)
	if err != nil {
		die(wrongUsage, err)
	}
	total, bad, err := judge(bufio.NewReader(file))
	if bad != nil {
		tell(bad)
		os.Exit(rejected)
	}
	if err != nil {
		die(wrongUsage, fmt.Errorf("%s: %w", name, err))
	}
	conclude(total)
}

func checkRecorder(words []string) {
	recorder := exec.Command(words[0], words[1:]...)
	recorder.Stderr = os.Stderr
	out, err := recorder.StdoutPipe()
	if err == nil {
		err = recorder.Start()
	}
	if err != nil {
		die(recorderFailed, err)
	}
	total, bad, readErr := judge(bufio.NewReader(out))
	if bad != nil {
		recorder.Process.Kill()
		recorder.Wait()
		tell(bad)
		os.Exit(rejected)
	}
	if err := recorder.Wait(); err != nil {
		die(recorderFailed, fmt.Errorf("the recorder: %w", err))
	}
	if readErr != nil {
		die(wrongUsage, readErr)
	}
	conclude(total)
}

func main() {
	flag.Usage = usage
	flag.Parse()
	dashes := len(os.Args) > flag.NArg() && os.Args[len(os.Args)-flag.NArg()-1] == "--"
	switch {
	case flag.NArg() == 0:
		usage()
		os.Exit(wrongUsage)
	case dashes:
		checkRecorder(flag.Args())
	case flag.NArg() == 1:
		checkFile(flag.Arg(0))
	default:
		usage()
		os.Exit(wrongUsage)
	}
	os.Exit(allExplained)
}
