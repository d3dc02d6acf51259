"""Language models, and what steers them: prefixes, soft prompts and prompt generators."""
