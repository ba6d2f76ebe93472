"""Pictures as shapes, and the painters that draw them: SVG, PNG, canvas."""
