// SPDX-License-Identifier: GPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
)

func TestTroubleIsSaidOnce(t *testing.T) {
	var said []string
	log := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	reasons := []error{errors.New("a"), errors.New("a"), errors.New("b"), errors.New("b"), nil}
	err := retry(context.Background(), log, func() error {
		reason := reasons[0]
		reasons = reasons[1:]
		return reason
	})
	if want := []string{"waiting: a", "waiting: b"}; err != nil || !reflect.DeepEqual(said, want) {
		t.Fatalf("%q %v", said, err)
	}
}
