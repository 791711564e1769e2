# SPDX-License-Identifier: Apache-2.0

"""Asks a deqp-vk what it is, and which driver it finds, before anything runs."""

import re
import tempfile
from pathlib import Path

from runner.batch import BatchRunner, Limits
from runner.build_id import drivers
from runner.verdicts import failed

_CASE = "dEQP-VK.info.device"  # logs the versions of the device and its driver
_KEYS = ("apiVersion", "driverVersion", "deviceName")
_SECONDS = 60  # a driver's first device may take a while


class ProbeError(Exception):
    pass


def describe(deqp):
    """Names and versions of the CTS, the device and the driver, as parts of a record."""
    results = []
    with tempfile.TemporaryDirectory(prefix="cts-runs.") as name:
        folder = Path(name)
        runner = BatchRunner(deqp, Limits(_SECONDS), folder, results.append, lambda *incident: None)
        try:
            runner.run([_CASE])
        except OSError as error:
            raise ProbeError(f"{deqp.program} cannot be run: {error.strerror}") from None
        with open(folder / "output.txt", "rb") as output:
            said = output.read(4096)
    result = results[0]
    if not runner.session and b"dEQP" not in said:
        raise ProbeError(
            f"{deqp.program} is no deqp-vk: it writes no log ({result.message or result.status});"
            " give the deqp-vk that the CTS's build made"
        )
    # A deqp-vk that was built without this group still names the device in its log.
    if not runner.session.get("deviceName") or (failed(result.status) and result.status != "Missing"):
        raise ProbeError(
            f"deqp-vk finds no device ({result.message}); let VK_DRIVER_FILES name the manifest of"
            " a driver"
        )
    found = re.findall(rf"({'|'.join(_KEYS)}):\s*([^\n<]+)", result.log)
    device = {key: value.strip() for key, value in found}
    device.setdefault("deviceName", runner.session["deviceName"])
    cts = {key: runner.session.get(key, "") for key in ("releaseName", "releaseId")}
    return {"cts": cts, "device": device, "drivers": drivers()}
