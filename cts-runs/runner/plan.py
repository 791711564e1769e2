# SPDX-License-Identifier: Apache-2.0

"""What a run is to do, with all that can be wrong about it found before it begins."""

from runner import case_lists, deqp_files, driver, outputs, shards
from runner.batch import Deqp
from runner.times import Times, read_times
from runner.verdicts import Expectations
from runner.waivers import Waivers

_LOG_OPTIONS = ["--deqp-log-images=disable", "--deqp-shadercache=disable"]


class Plan:
    """`names` are this shard's. `about` are the parts of the record that are known by now."""

    def __init__(self, arguments):
        self.deqp = Deqp(arguments.deqp, [*_LOG_OPTIONS, *arguments.argument])
        if not arguments.logs:
            self.deqp.arguments.append("--deqp-log-shader-sources=disable")
        self.waivers = Waivers(_read(arguments.waivers), arguments.waivers)
        baseline = deqp_files.read_results(arguments.baseline) if arguments.baseline else {}
        self.expectations = Expectations(
            self.waivers,
            {name: status for name, (status, _) in baseline.items()},
            deqp_files.read_expressions(arguments.flakes) if arguments.flakes else (),
        )
        skips = deqp_files.read_expressions(arguments.skips) if arguments.skips else ()
        self.times = read_times(arguments.times) if arguments.times.is_file() else Times()
        listed = case_lists.read_words(arguments.cases)
        self.outputs = outputs.Outputs(arguments)
        if arguments.logs:
            outputs.check_folder(arguments.logs)
        # What it is comes first: a program that is no deqp-vk gets no patterns to expand.
        self.about = {} if arguments.list else driver.describe(self.deqp)
        names, absent = case_lists.expand(listed, self.deqp, arguments.seed)
        if arguments.sample is not None:
            names = case_lists.sample(names, arguments.sample, arguments.seed)
        self.names = [name for name in names if not any(skip.search(name) for skip in skips)]
        self.about["skips"] = len(names) - len(self.names)
        self.about["absent_lists"] = absent
        if not self.names:
            raise case_lists.CaseListError(f"{arguments.skips} leaves out every case")
        if arguments.shard:
            self._take_shard(*arguments.shard)

    def _take_shard(self, index, count):
        whole = self.names
        self.names = shards.divide(whole, count, self.times)[index - 1]
        if not self.names:
            raise case_lists.CaseListError(
                f"shard {index}/{count} has no case: there are {len(whole)}; make fewer shards"
            )
        self.about["shard"] = {
            "index": index,
            "count": count,
            "of": len(self.names),
            "cases": len(whole),
            "list": shards.digest(whole),
        }


def _read(path):
    try:
        return path.read_text()
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text") from None
