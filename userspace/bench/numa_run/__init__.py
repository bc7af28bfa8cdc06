# SPDX-License-Identifier: GPL-2.0
"""Counting the memory references of NUMA nodes: what ../numa is made of."""
