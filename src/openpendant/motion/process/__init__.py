"""Process paths: poses along edges and circles with the tool at a chosen angle."""
