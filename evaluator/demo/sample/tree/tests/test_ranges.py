import unittest

from wordtools.ranges import parse_ranges


class ParseRangesTest(unittest.TestCase):
    def test_range(self):
        self.assertEqual(parse_ranges("1-3"), [1, 2, 3])
