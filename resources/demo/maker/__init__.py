# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of make_demo.py: the demo's text, tokenizer, base model and data."""
