import unittest

from wordtools.roman import to_roman


class ToRomanTest(unittest.TestCase):
    def test_adds_up(self):
        self.assertEqual(to_roman(8), "VIII")

    def test_large(self):
        self.assertEqual(to_roman(2026), "MMXXVI")
