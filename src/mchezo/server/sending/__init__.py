"""Notices on their way out: when one is due, what it says, and how it is sent by Web Push, e-mail or webhook."""
