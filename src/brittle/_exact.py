"""Exponentials that are the same on every platform.

The C library's differ in the last bit between systems. Where weights are normalised, that bit
decides whether a flat area of level n comes back as n or, truncated, as n - 1: over whole pictures.
"""

from decimal import Decimal, localcontext


def exp(x: float) -> float:
    """Return e**x, correctly rounded.

    >>> exp(0.0), exp(-0.5)
    (1.0, 0.6065306597126334)
    """
    with localcontext() as context:
        context.prec = 40
        return float(Decimal(x).exp())
