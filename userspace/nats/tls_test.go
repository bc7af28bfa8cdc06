// SPDX-License-Identifier: GPL-2.0

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"testing"
	"time"
)

// certificate is a certificate with its key, in memory and in files.
type certificate struct {
	parsed    *x509.Certificate
	key       *ecdsa.PrivateKey
	cert, pem string
}

// newCertificate makes a certificate that an authority signs; an authority signs its own.
func newCertificate(t *testing.T, name string, authority *certificate) *certificate {
	t.Helper()
	c := &certificate{}
	var err error
	if c.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{CommonName: name},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		NotAfter:     time.Now().Add(time.Hour),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	signer := &certificate{parsed: template, key: c.key}
	if authority == nil {
		template.IsCA, template.BasicConstraintsValid = true, true
		template.KeyUsage |= x509.KeyUsageCertSign
	} else {
		signer = authority
	}
	der, err := x509.CreateCertificate(rand.Reader, template, signer.parsed, &c.key.PublicKey, signer.key)
	must(t, err)
	if c.parsed, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalECPrivateKey(c.key)
	must(t, err)
	c.cert = writePEM(t, "CERTIFICATE", der)
	c.pem = writePEM(t, "EC PRIVATE KEY", private)
	return c
}

func writePEM(t *testing.T, kind string, der []byte) string {
	t.Helper()
	return writeSecret(t, "pem", string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})))
}

func TestTLS(t *testing.T) {
	authority := newCertificate(t, "authority", nil)
	other := newCertificate(t, "another authority", nil)
	host, user := newCertificate(t, "host", authority), newCertificate(t, "user", authority)
	stranger := newCertificate(t, "stranger", other)
	files := fmt.Sprintf("cert_file: %q, key_file: %q, ca_file: %q", host.cert, host.pem, authority.cert)

	s := startServerWith(t, "tls { "+files+" }")
	expectCopyBy(t, &options{server: s.url(), ca: authority.cert})
	expectRefused(t, &options{server: s.url(), ca: other.cert})
	expectRefused(t, &options{server: s.url()})

	plain := fmt.Sprintf("tls://127.0.0.1:%d", startServer(t).port)
	expectRefused(t, &options{server: plain, ca: authority.cert})

	s = startServerWith(t, "tls { verify: true, "+files+" }")
	expectCopyBy(t, &options{server: s.url(), ca: authority.cert, cert: user.cert, key: user.pem})
	expectRefused(t, &options{server: s.url(), ca: authority.cert})
	expectRefused(t, &options{server: s.url(), ca: authority.cert, cert: stranger.cert, key: stranger.pem})
}
