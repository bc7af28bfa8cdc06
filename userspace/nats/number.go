// SPDX-License-Identifier: GPL-2.0

package main

import (
	"errors"
	"strconv"
	"strings"
)

// number is an option that is a number of 64 bits.
type number uint64

func (n *number) String() string { return strconv.FormatUint(uint64(*n), 10) }

func (n *number) Set(text string) error {
	read, err := parseNumber(text)
	*n = number(read)
	return err
}

// parseNumber reads a number as all programs of the project do (userspace/cli/number.c): it is
// decimal, or hexadecimal after 0x. ParseUint would take octal numbers, signs and underscores
// too.
func parseNumber(text string) (uint64, error) {
	digits, base := text, 10
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X") {
		digits, base = text[2:], 16
	}
	read, err := strconv.ParseUint(digits, base, 64)
	if errors.Is(err, strconv.ErrRange) {
		return 0, errors.New("the number has more than 64 bits")
	}
	if err != nil {
		return 0, errors.New("not a number (decimal, or hexadecimal after 0x)")
	}
	return read, nil
}
