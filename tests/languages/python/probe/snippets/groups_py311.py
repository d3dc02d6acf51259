def f(kind):
    try:
        raise ExceptionGroup("g", [kind("x"), OSError("y")])
    except* ValueError as group:
        note = len(group.exceptions)
    except* (KeyError,
             TypeError):
        note = "key"
    except* OSError:
        note = "os"
    return note


calls = [lambda: f(ValueError), lambda: f(KeyError)]
