#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Derives the polynomials of jit/math and prints jit/math/polynomials.h.

Each is the minimax polynomial of a function on an interval (Remez' exchange), under a weight that
makes the error relative to the function it is part of. Coefficients are rounded to the working
precision; where the interval leaves out 0, one after the other, the constant first, and the others
are fitted again after each, so that they make up for what was rounded away. Needs mpmath.
"""

import argparse
import struct


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, epilog="for example: tools/minimax.py > jit/math/polynomials.h")
    parser.add_argument("names", nargs="*", help="of polynomials; all, if none is given")
    return parser.parse_args()


# First, so that --help needs no mpmath.
OPTIONS = parse_arguments()

from mpmath import (asin, atan, cos, exp, log, lu_solve, matrix, mp, mpf, pi, polyval, sin, sinh,
                    sqrt, tan, tanh)

mp.prec = 160


def rounded(x, double):
    if double:
        return mpf(float(x))
    # float() of the standard library rounds to double; its low bits never matter to the second
    # rounding unless they are exactly half, which no coefficient here is.
    return mpf(struct.unpack("f", struct.pack("f", float(x)))[0])


def remez(function, weight, powers, low, high):
    """Coefficients of t^p for p in powers, minimizing max |weight * (function - polynomial)|."""
    n = len(powers)
    nodes = [(low + high) / 2 + (high - low) / 2 * cos(pi * k / n) for k in range(n, -1, -1)]
    for _ in range(30):
        system = matrix(n + 1, n + 1)
        values = matrix(n + 1, 1)
        for row, t in enumerate(nodes):
            for column, power in enumerate(powers):
                system[row, column] = t**power
            system[row, n] = (-1) ** row / weight(t)
            values[row] = function(t)
        solution = lu_solve(system, values)
        coefficients = [solution[k] for k in range(n)]

        def error(t):
            return weight(t) * (function(t) - sum(c * t**p for c, p in zip(coefficients, powers)))

        count = 60 * (n + 1)
        grid = [low + (high - low) * k / count for k in range(count + 1)]
        errors = [error(t) for t in grid]
        # One extremum for each run of errors of one sign.
        extrema = []
        for t, e in zip(grid, errors):
            if extrema and (e > 0) == (extrema[-1][1] > 0):
                if abs(e) > abs(extrema[-1][1]):
                    extrema[-1] = (t, e)
            else:
                extrema.append((t, e))
        while len(extrema) > n + 1:
            extrema.pop(0 if abs(extrema[0][1]) < abs(extrema[-1][1]) else -1)
        worst = max(abs(e) for e in errors)
        if len(extrema) < n + 1:
            return coefficients, worst
        nodes = [t for t, _ in extrema]
        if worst < 1.0001 * min(abs(e) for _, e in extrema):
            break
    return coefficients, worst


def fit(function, weight, degree, low, high, double=False):
    low, high = mpf(low), mpf(high)
    fixed = []
    while len(fixed) <= degree:
        powers = list(range(len(fixed), degree + 1))

        def rest(t):
            return function(t) - sum(c * t**k for k, c in enumerate(fixed))

        coefficients, worst = remez(rest, weight, powers, low, high)
        if not fixed:
            best = worst
        # Around 0 the higher powers alone cannot make up for anything (no Haar system).
        count = 1 if low > 0 else degree + 1
        fixed += [rounded(c, double) for c in coefficients[:count]]
    worst = max(
        abs(weight(t) * (function(t) - polyval(fixed[::-1], t)))
        for t in (low + (high - low) * k / 997 for k in range(998)))
    return fixed, best, worst


def odd(f, limit):
    """f(x) = x + x z P(z), z = x*x: P with its weight and interval (0 left out: 0/0)."""
    return (lambda z: (f(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z) / f(sqrt(z)),
            mpf(2)**-30, mpf(limit)**2)


quarter = pi / 4 * mpf("1.0001")
half_log2 = log(2) / 2 * mpf("1.0001")
root = sqrt(mpf(2))
tiny = mpf(2)**-40
POLYNOMIALS = {
    # name: (function, weight, low, high, degree, double)
    "kSin": odd(sin, quarter) + (2, False),
    "kCos": (lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, lambda z: z**2 / cos(sqrt(z)),
             mpf(2)**-20, quarter**2, 2, False),
    "kTan": odd(tan, quarter) + (6, False),
    "kAtan": odd(atan, 1) + (8, False),
    "kAsin": odd(asin, mpf("0.5001")) + (4, False),
    "kSinh": odd(sinh, 1) + (3, False),
    "kTanh": odd(tanh, mpf("0.625")) + (4, False),
    # 2^t = 1 + t (log 2 + t P(t))
    "kExp2": (lambda t: ((2**t - 1) / t - log(2)) / t if abs(t) > tiny else log(2)**2 / 2,
              lambda t: t**2 / 2**t, mpf("-0.50001"), mpf("0.5"), 4, False),
    "kExp": (lambda t: (exp(t) - 1 - t) / t**2 if t else mpf(1) / 2, lambda t: t**2 / exp(t),
             -half_log2, half_log2 * mpf("1.0001"), 4, False),
    "kLog": (lambda t: (log(1 + t) - t + t**2 / 2) / t**3 if abs(t) > tiny else mpf(1) / 3,
             lambda t: t**3 / log(1 + t) if abs(t) > tiny else t**2, 1 / root - 1 - mpf("1e-6"),
             root - 1 + mpf("1e-6"), 8, False),
    # log2((1 + s) / (1 - s)) = s P(s*s)
    "kLog2Wide": (lambda z: log((1 + sqrt(z)) / (1 - sqrt(z)), 2) / sqrt(z),
                  lambda z: sqrt(z) / log((1 + sqrt(z)) / (1 - sqrt(z)), 2), mpf(2)**-40,
                  mpf("0.02945"), 5, True),
}

HEADER = """// SPDX-License-Identifier: Apache-2.0

// Coefficients, lowest power first. Written by tools/minimax.py, which says what each approximates.
#pragma once

namespace jit::math {
"""

print(HEADER)
for name in OPTIONS.names or POLYNOMIALS:
    function, weight, low, high, degree, double = POLYNOMIALS[name]
    coefficients, best, worst = fit(function, weight, degree, low, high, double)
    print(f"// Error 2^{float(log(worst, 2)):.1f} (2^{float(log(best, 2)):.1f} before rounding).")
    print(f"inline constexpr {'double' if double else 'float'} {name}[] = {{")
    for c in coefficients:
        mantissa, exponent = float(c).hex().split("p")
        print(f"    {mantissa.rstrip('0')}p{exponent}{'' if double else 'f'},")
    print("};\n")
print("}  // namespace jit::math")
