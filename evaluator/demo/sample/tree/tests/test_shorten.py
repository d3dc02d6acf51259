import unittest

from wordtools.shorten import shorten


class ShortenTest(unittest.TestCase):
    def test_short_text_stays(self):
        self.assertEqual(shorten("word", 10), "word")

    def test_long_text_is_cut(self):
        self.assertEqual(shorten("a long sentence", 9), "a long...")
