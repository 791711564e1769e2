# SPDX-License-Identifier: Apache-2.0

"""Runs the Vulkan CTS in batches that survive crashes and hangs. README.md beside it says how."""
