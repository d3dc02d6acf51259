import contextlib


class Custom(Exception):
    pass


def raising(kind):
    try:
        if kind:
            raise kind(
                "text",
            )
    except ValueError:
        return "value"
    except (KeyError,
            IndexError) as error:
        return repr(error)
    except Custom: return "custom"
    except:
        return "other"
    else:
        note = "none"
    finally:
        note = "done"
    return note


def nested():
    try:
        try:
            1 / 0
        finally:
            x = 1
    except ZeroDivisionError as error:
        try:
            raise Custom("b") from error
        except Custom:
            pass
    with contextlib.suppress(KeyError), \
            contextlib.suppress(ValueError):
        raise ValueError
    with contextlib.suppress(
        TypeError
    ) as nothing:
        return nothing


def propagates():
    x = 1
    return (  # begun, never ended
        x
        + undefined
        + x
    )


kinds = (None, ValueError, KeyError, IndexError, Custom, OSError)
calls = [lambda kind=kind: raising(kind) for kind in kinds] + [nested, propagates]
