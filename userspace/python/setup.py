# SPDX-License-Identifier: GPL-2.0
"""The version of the package is that of the module; pyproject.toml has the rest."""

import pathlib
import re

from setuptools import setup

HEADER = pathlib.Path(__file__).resolve().parents[2] / "module" / "version.h"

setup(version=re.search(r'BLINK_VERSION "(.*)"', HEADER.read_text())[1])
