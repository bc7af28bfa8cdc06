# SPDX-License-Identifier: GPL-2.0
"""Measuring this tree beside other indexes, by kinds of keys."""
