# SPDX-License-Identifier: GPL-2.0
"""Measuring this tree alone, in variants that are compared with the first one."""
