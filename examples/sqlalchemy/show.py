"""Says whether what is shown holds."""


def shows(what, holds):
    print("ok" if holds else "not ok", "-", what, flush=True)
