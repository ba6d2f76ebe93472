def event_text(table, row):
    return f"row {tuple(row)}"
