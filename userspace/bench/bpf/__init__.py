# SPDX-License-Identifier: GPL-2.0
"""Counting the cost of lookups in BPF programs."""
