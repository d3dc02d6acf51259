"""The paper's tables and analyses, made from the reports of replays."""
