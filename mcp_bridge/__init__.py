"""The only package that knows MCP: tools, wire shapes, HTTP and stdio."""
