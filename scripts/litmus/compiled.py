"""The sequences that llc-19 makes of the rows of the guide's table."""


def rows(table):
    return table, []
