"""Accounts, fixed in other ways."""

from __future__ import annotations

from tests.hostile.corpus.projects import BANK

from .building import honest

HEADS = [
    honest(
        "bank-checked",
        "another way: the amount is checked in place",
        BANK,
        {
            **BANK.own,
            **BANK.inside("""
                if amount + self.fee > self.balance:
                    raise Overdrawn(f"{amount} and the fee are more than {self.balance}")
            """),
        },
    ),
    honest(
        "bank-new-exception",
        "with an exception of its own, of the reported kind",
        BANK,
        {
            **BANK.own,
            BANK.module: BANK.inside("""
                if amount + self.fee > self.balance:
                    raise NoMoneyForFee(f"{amount} leaves no fee")
            """)[BANK.module].replace(
                "class Account:",
                'class NoMoneyForFee(Overdrawn):\n    """The fee cannot be paid."""\n\n\n'
                "class Account:",
            ),
        },
    ),
    honest(
        "bank-refactored",
        "the classes share one method that takes money out",
        BANK,
        {
            **BANK.own,
            BANK.module: BANK.files[BANK.module]
            .replace(
                "        if amount > self.balance:\n"
                '            raise Overdrawn(f"{amount} is more than {self.balance}")\n'
                "        self.balance -= amount\n",
                "        cost = self.cost(amount)\n        if cost > self.balance:\n"
                '            raise Overdrawn(f"{cost} is more than {self.balance}")\n'
                "        self.balance -= cost\n\n    def cost(self, amount):\n"
                '        """What it costs to take an amount out."""\n        return amount\n',
            )
            .replace(
                '    def withdraw(self, amount):\n        """Take money out, and the fee."""\n'
                "        self.balance -= amount + self.fee",
                '    def cost(self, amount):\n        """The amount and the fee."""\n'
                "        return amount + self.fee",
            ),
        },
    ),
]
