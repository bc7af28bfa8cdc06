# SPDX-License-Identifier: GPL-2.0
"""Guests, their logs, and the tests that run in them: what vm and check share."""
