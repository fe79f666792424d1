"""Owns everything on disk, and the daemon: catalog, full text, graph, uses, watching, configuration, command line."""
