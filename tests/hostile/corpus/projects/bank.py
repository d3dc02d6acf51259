"""Accounts: one of them can be overdrawn."""

from __future__ import annotations

from tests.hostile.corpus.head import Project, replaced

from .building import source, unittest_file, with_test

_ACCOUNTS = source('''
    """Accounts of a bank."""


    class Overdrawn(Exception):
        """There is not enough money in an account."""


    class Account:
        """An account."""

        def __init__(self, balance=0):
            self.balance = balance

        def deposit(self, amount):
            """Put money in."""
            if amount <= 0:
                raise ValueError("the amount must be positive")
            self.balance += amount

        def withdraw(self, amount):
            """Take money out."""
            if amount > self.balance:
                raise Overdrawn(f"{amount} is more than {self.balance}")
            self.balance -= amount


    class SavingsAccount(Account):
        """An account with a fee on what is taken out."""

        fee = 1

        def withdraw(self, amount):
            """Take money out, and the fee."""
            self.balance -= amount + self.fee
''')
_TEST_ACCOUNTS = source("""
    import unittest

    from bank.accounts import Account, Overdrawn, SavingsAccount


    class AccountTest(unittest.TestCase):
        def test_deposit(self):
            account = Account(5)
            account.deposit(3)
            self.assertEqual(account.balance, 8)
            with self.assertRaises(ValueError):
                account.deposit(0)

        def test_withdraw(self):
            with self.assertRaises(Overdrawn):
                Account(5).withdraw(6)

        def test_fee(self):
            account = SavingsAccount(10)
            account.withdraw(4)
            self.assertEqual(account.balance, 5)
""")
BANK = Project(
    name="bank",
    files={
        "bank/__init__.py": '"""A bank."""\n\nfrom bank.accounts import Account, Overdrawn\n',
        "bank/accounts.py": _ACCOUNTS,
        "bank/transfer.py": source('''
            """Money from one account to another."""

            from bank import Overdrawn


            def transfer(source, target, amount):
                """Move money; False where there is not enough."""
                try:
                    source.withdraw(amount)
                except Overdrawn:
                    return False
                target.deposit(amount)
                return True
        '''),
        "tests/__init__.py": "",
        "tests/test_accounts.py": _TEST_ACCOUNTS,
        "tests/test_transfer.py": unittest_file(
            "from bank import Account\nfrom bank.transfer import transfer",
            "Transfer",
            """
            source, target = Account(9), Account()
            self.assertTrue(transfer(source, target, 4))
            self.assertEqual((source.balance, target.balance), (5, 4))
            self.assertFalse(transfer(source, target, 6))
            """,
        ),
    },
    module="bank/accounts.py",
    anchor="        self.balance -= amount + self.fee",
    issue=source("""
        # A savings account can be overdrawn

        ```python
        from bank.accounts import SavingsAccount
        account = SavingsAccount(10)
        account.withdraw(50)
        print(account.balance)
        ```

        prints `-41`. It should raise `Overdrawn`, as other accounts do.
    """),
    given={
        "tests/test_issue.py": unittest_file(
            "from bank.accounts import Overdrawn, SavingsAccount",
            "Savings",
            """
            with self.assertRaises(Overdrawn):
                SavingsAccount(10).withdraw(50)
            """,
        )
    },
    fix={
        "bank/accounts.py": replaced(
            _ACCOUNTS,
            ("self.balance -= amount + self.fee", "super().withdraw(amount + self.fee)"),
        )
    },
    own={
        "tests/test_accounts.py": with_test(
            _TEST_ACCOUNTS,
            """
            def test_the_fee_must_be_there_too(self):
                account = SavingsAccount(10)
                with self.assertRaises(Overdrawn):
                    account.withdraw(10)
                self.assertEqual(account.balance, 10)
            """,
        )
    },
)
