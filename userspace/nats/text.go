// SPDX-License-Identifier: GPL-2.0

package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Texts of peers, of servers and of files end in logs and on terminals. These functions write
// the characters that control either as escapes: control characters, characters that change
// the direction of a text, those without a width, and separators of lines.

// visible returns a text in which each byte of such a character, or of none, is \xHH.
func visible(text string) string {
	return escaped(text, func(part string, _ rune) string {
		shown := ""
		for i := 0; i < len(part); i++ {
			shown += fmt.Sprintf(`\x%02x`, part[i])
		}
		return shown
	})
}

// visibleJSON returns a text of JSON with the same contents.
func visibleJSON(text string) string {
	return escaped(text, func(part string, c rune) string {
		if c > 0xffff {
			high, low := utf16.EncodeRune(c)
			return fmt.Sprintf(`\u%04x\u%04x`, high, low)
		}
		return fmt.Sprintf(`\u%04x`, c)
	})
}

func escaped(text string, escape func(part string, c rune) string) string {
	var shown strings.Builder
	for len(text) > 0 {
		c, size := utf8.DecodeRuneInString(text)
		part := text[:size]
		if !strconv.IsPrint(c) || c == utf8.RuneError && size == 1 {
			part = escape(part, c)
		}
		shown.WriteString(part)
		text = text[size:]
	}
	return shown.String()
}
