"""The user's own rules: read as source, checked against a game, and put in place of the book's."""
