# SPDX-License-Identifier: Apache-2.0
"""The table of planters: of each kind of finding, the ways to be wrong."""

import importlib
import random
from dataclasses import dataclass

from plant_matrix import MatrixMaker
from plant_objects import TooLarge
from plant_program import GROUPS, Program
from plant_statements import Maker
from plant_tensor import TensorMaker
from plant_types import TypeMaker

CHECKS = ("memory", "race", "uniform", "float", "uninit")
MOST_ATTEMPTS = 2000
NEVER_MORE = 99  # findings of one bug
ATTEMPTS_A_PLANTER = 6  # so that what is seldom possible is tried, too


@dataclass(frozen=True)
class Planter:
    """One way to be wrong.

    `make(maker)` adds to a program what the bug may be planted in, and `plant(program, kind)` plants it: it changes
    the program, and returns how many findings there are at most, or 0 if it cannot. What it changes must be right
    without the bug. `full`: the workgroup consists of full subgroups. `more`: how many blocks of all sorts are
    beside it at most.
    """
    check: str
    kind: str
    name: str
    make: object
    plant: object
    full: bool = False
    more: int = 2
    weight: int = 1
    most: int = 128  # invocations of a workgroup


def table(check):
    """The planters of a check, by kind."""
    kinds = {}
    for planter in importlib.import_module(f"plant_{check}").PLANTERS:
        kinds.setdefault(planter.kind, []).append(planter)
    return kinds


def blocks_of(program, maker, most):
    """Blocks of all sorts, which are right."""
    chance = program.random
    for _ in range(chance.randrange(1, most + 1)):
        block = maker.block()
        for _ in range(chance.randrange(1, 4)):
            chance.choice((maker.load, maker.load, maker.store, maker.atomic))(block)
    if program.full and chance.random() < 0.25:
        MatrixMaker(maker).make()
    if program.full and chance.random() < 0.1:
        TensorMaker(maker).make()


def note_push_constants(program):
    behind = 0
    for of in reversed([o for o in program.objects if o.memory == "push"]):
        of.behind, behind = behind, behind + of.bytes()


def planted(planters, seed):
    """A program with one of these planters' bugs, of the same kind, as a kernel file; and the planter."""
    kind = planters[0].kind
    for attempt in range(MOST_ATTEMPTS):
        chooser = random.Random(f"{kind} {seed} {attempt // ATTEMPTS_A_PLANTER}")
        planter, = chooser.choices(planters, [p.weight for p in planters])
        chance = random.Random(f"{kind} {seed} {attempt}")
        program = Program(chance)
        program.settle([g for g in GROUPS if g[0] * g[1] * g[2] <= planter.most
                        and (not planter.full or g[0] % program.subgroup == 0)])
        maker = Maker(program, TypeMaker(chance))
        blocks_of(program, maker, planter.more)
        planter.make(maker)
        chance.shuffle(program.blocks)
        note_push_constants(program)
        count = planter.plant(program, kind)
        if count:
            program.head = f"Planted: {planter.name}."
            program.check = planter.check
            program.finding = f"{planter.check} {kind} times {count} * $(BUG){program.said}"
            try:
                return program.file(), planter
            except TooLarge:
                pass
    raise RuntimeError(f"no program to plant {kind} in, of seed {seed}")
