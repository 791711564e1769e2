# SPDX-License-Identifier: Apache-2.0
"""What gdb (12 and newer) adds for shaders that the Tessera driver has compiled with TESSERA_DEBUG=1: the commands
`tessera ...`, functions for conditions, and how values are shown. gdb loads it with the driver, by the file
libvulkan_tessera.so-gdb.py; `source` of that does, too.
"""

import gdb

from tessera_gdb import choice, commands, values

commands.register()
choice.register()
gdb.pretty_printers.append(values.printer)
values.allow_buffers()
