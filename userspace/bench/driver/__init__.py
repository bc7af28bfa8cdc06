# SPDX-License-Identifier: GPL-2.0
"""The parts that all benchmarks share."""
