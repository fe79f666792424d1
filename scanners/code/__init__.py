"""Symbols of source files by tree-sitter: what is defined where, with its signature and its comment."""

from __future__ import annotations

from scanners.code.scanner import CodeScanner

__all__ = ["CodeScanner"]
