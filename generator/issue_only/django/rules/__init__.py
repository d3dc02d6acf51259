"""Rules: each turns a ticket that reports in one way into attempts at a test."""
