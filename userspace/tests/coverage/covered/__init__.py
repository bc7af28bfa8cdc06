# SPDX-License-Identifier: GPL-2.0
"""What the tests run of the module: what ../coverage is made of."""
