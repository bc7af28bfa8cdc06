# SPDX-License-Identifier: GPL-2.0
"""Counting the memory references of NUMA nodes: what ./run is made of."""
