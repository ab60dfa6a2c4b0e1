"""Says whether what is shown holds."""


def shows(what: str, holds: bool) -> None:
    print("ok" if holds else "not ok", "-", what, flush=True)
