# SPDX-License-Identifier: GPL-2.0
"""Counting instructions of indexes and of ioctls: what ./run is made of."""
