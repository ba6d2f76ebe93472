"""Rules of one's own: read as text, checked against a game, put in the place of the book's."""
