"""Points of TAP 13 for scripts in Python. Scripts of other folders put scripts/run on their path first."""


class Tap:
    def __init__(self):
        self.number, self.failed = 0, 0
        print("TAP version 13")

    def point(self, is_ok, text):
        """Prints one point, returns is_ok."""
        self.number += 1
        self.failed += not is_ok
        print("%sok %d - %s" % ("" if is_ok else "not ", self.number, text), flush=True)
        return is_ok
