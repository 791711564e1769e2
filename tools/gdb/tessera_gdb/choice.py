# SPDX-License-Identifier: Apache-2.0
"""Whose values variables show: the choice that was made, wherever the program stops."""

import sys

import gdb

from tessera_gdb.shader import HAS_ENDED, Shader, find_shader


class Choice:
    """Who is looked at wherever that is live: a lane of each subgroup, or an invocation."""

    lane = None
    invocation = None
    told = None
    is_at_breakpoint = False

    @classmethod
    def choose(cls, lane=None, invocation=None):
        cls.lane, cls.invocation = lane, invocation

    @classmethod
    def apply(cls, shader):
        stream = shader.looked_at
        now = stream.field("lane")
        lane = None
        if cls.lane is not None:
            lane = now // shader.subgroup_size * shader.subgroup_size + cls.lane
        elif cls.invocation is not None:
            found = shader.find(cls.invocation)
            lane = found[1] if found and found[0] is stream else None
        if lane is not None and lane != now and lane in stream.live():
            stream.look_at(lane)

    @classmethod
    def looks_at(cls, shader, invocation):
        """Whether it is live here, and looked at."""
        lane = shader.looked_at.field("lane")
        return shader.looked_at.invocation(lane) == invocation and lane in shader.looked_at.live()

    @classmethod
    def tell(cls, shader):
        """Says who is looked at, where it is not who was."""
        text = shader.looked_at.describe(shader.looked_at.field("lane"))
        if text != cls.told:
            gdb.write(f"[{text}]\n")
        cls.told = text

    @classmethod
    def show(cls, shader):
        """Who is looked at, and where that is."""
        stream = shader.looked_at
        lane = stream.field("lane")
        cls.told = stream.describe(lane)
        notes = ""
        if stream.at > 0:
            notes = f"; waits at the barrier in line {stream.at}, code and line are those of another subgroup"
        elif stream.at == HAS_ENDED:
            notes = "; has ended, values are the last ones"
        elif lane not in stream.live():
            notes = "; not live here, values are the last ones"
        gdb.write(f"[{cls.told}{notes}]\n")
        forget_variables()


def on_stop(event):
    Choice.is_at_breakpoint = isinstance(event, gdb.BreakpointEvent)
    try:
        shader = find_shader()
        running = shader.running() if shader is not None else None
        if running is None:
            return
        if shader.looked_at is not running:
            shader.show(running)
        Shader.moved.clear()
        Choice.apply(shader)
        Choice.tell(shader)
    except gdb.error:  # at the kernel's first instructions, which have not set its memory up
        pass


def on_continue(_):
    try:
        Shader.put_back()
    except gdb.error:  # it runs already: on_stop does
        pass


def forget_variables():
    """Of an editor that speaks DAP: gdb gives it the same values until the program goes on."""
    scopes, varref, server = (sys.modules.get(f"gdb.dap.{name}") for name in ("scopes", "varref", "server"))
    try:
        scopes.clear_scopes(None)
        varref.clear_vars(None)
        if server.client_bool_capability("supportsInvalidatedEvent"):
            server.send_event("invalidated", {"areas": ["variables"]})
    except AttributeError:  # there is none, or it does that in another way
        pass


def for_lanes(stream, lanes, body):
    """Calls body(lane) looking at each; the last one stays where it returns True."""
    before = stream.field("lane")
    chosen = None
    try:
        for lane in lanes:
            stream.look_at(lane)
            if body(lane):
                chosen = lane
                break
    finally:
        stream.look_at(before if chosen is None else chosen)
    return chosen


def register():
    gdb.events.stop.connect(on_stop)
    gdb.events.cont.connect(on_continue)
