# SPDX-License-Identifier: GPL-2.0
"""Counting the cache lines and instructions of operations."""
