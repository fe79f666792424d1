"""One document's text in, facts out: no I/O, no clock, no index, nothing raised for bad input."""
