"""Every request comes from another address, so that limits do not hide what is behind them."""

import random

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    address = f"10.{random.randrange(256)}.{random.randrange(256)}.{random.randrange(256)}"
    case.headers = {**(case.headers or {}), "X-Forwarded-For": address}
