"""Tell in which files of the tree the functions and classes live that a statement calls."""

import ast
import os
import sys


def origins(tree, namespace):
    """Paths relative to the working directory, the call that is made last first."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            path = file_of(value_of(node.func, namespace))
            if path and path not in found:
                found.append(path)
    return found


def value_of(node, namespace):
    """What a name or a chain of attributes stands for, None where that would take a call."""
    if isinstance(node, ast.Name):
        return namespace.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = value_of(node.value, namespace)
        if owner is None:
            return None
        holder = owner if isinstance(owner, (type, type(ast))) else type(owner)
        return getattr(holder, node.attr, None)
    return None


def file_of(value):
    value = getattr(value, "__wrapped__", value)
    code = getattr(getattr(value, "__func__", value), "__code__", None)
    module = sys.modules.get(getattr(value, "__module__", None) or "")
    path = code.co_filename if code is not None else getattr(module, "__file__", None)
    if not path:
        return None
    relative = os.path.relpath(path, os.getcwd())
    return None if relative.startswith("..") else relative.replace(os.sep, "/")
