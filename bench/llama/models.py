# SPDX-License-Identifier: Apache-2.0

"""Which models bench/models measures, in which types of weights, and what it holds their figures against."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from llama.architectures import ARCHITECTURES
from llama.gguf import F16, F32, write
from llama.programs import Failure

PROMPT, TOKENS = "prompt", "tokens"
SIZES = {PROMPT: 512, TOKENS: 32}  # for which there are targets

# Types of weights by architecture. Those that the files are not written in are llama-quantize's.
WEIGHTS = {
    "llama": ["f32", "f16", "bf16", "q8_0", "q4_0", "q4_K_M", "q6_K"],
    "qwen3": ["f16", "q8_0", "q4_K_M"],
    "qwen3moe": ["f16", "q4_K_M", "mxfp4"],
    "gpt2": ["f16", "q8_0", "q4_0"],
}
WRITTEN = {"f32": F32, "f16": F16}
QUANTIZED = {"bf16": "BF16", "q8_0": "Q8_0", "q4_0": "Q4_0", "q4_K_M": "Q4_K_M", "q6_K": "Q6_K",
             "mxfp4": "MXFP4_MOE"}  # of experts alone: the other weights become q8_0
QUICK = "llama"  # --quick has this architecture's rows that have a target

# Speed of the driver, of ggml's CPU path in the same run: with one thread, and with more.
TARGETS = {
    (PROMPT, "f32"): (2.0, 2.0),
    (PROMPT, "f16"): (4.0, 4.0),
    (PROMPT, "bf16"): (2.7, 2.7),
    (PROMPT, "q8_0"): (1.8, 1.8),
    (TOKENS, "f16"): (0.9, 0.9),
    (TOKENS, "bf16"): (0.9, 0.9),
    (TOKENS, "q8_0"): (0.9, 0.9),
    (TOKENS, "q4_0"): (0.6, 0.85),
    (TOKENS, "q4_K_M"): (0.6, 0.85),
}
# Seconds to the first token with nothing in the driver's cache, at most: FIRST_USE_TIMES those with all of it
# there, and FIRST_USE_MORE.
FIRST_USE_TIMES, FIRST_USE_MORE = 2, 2.0


def target(test, size, weights, threads):
    """None where there is none."""
    of_one, of_more = TARGETS.get((test, weights), (None, None)) if size == SIZES[test] else (None, None)
    return of_one if threads == 1 else of_more


@dataclass(frozen=True)
class Model:
    architecture: str
    weights: str

    def __str__(self):
        return f"{self.architecture} {self.weights}"


def models():
    return [Model(architecture, weights) for architecture, types in WEIGHTS.items() for weights in types]


def cache_folder():
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "tessera" / "models"


class Files:
    """Models as files, made when they are asked for and kept for the next run."""

    def __init__(self, programs, folder, threads):
        self.programs, self.folder, self.threads = programs, folder, threads

    def path(self, model):
        metadata, tensors = ARCHITECTURES[model.architecture]
        source = WRITTEN.get(model.weights, F16)
        # A changed model is another file.
        recipe = hashlib.sha256(repr((metadata, tensors(source))).encode()).hexdigest()[:12]
        path = self.folder / f"{model.architecture}-{model.weights}-{recipe}.gguf"
        if path.exists():
            return path
        unfinished = path.with_suffix(f".{os.getpid()}.tmp")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if model.weights in WRITTEN:
                write(unfinished, metadata, tensors(source))
            else:
                self.programs.quantize(self.path(Model(model.architecture, "f16")), unfinished,
                                       QUANTIZED[model.weights], self.threads)
            unfinished.replace(path)
        except OSError as error:
            raise Failure(f"{path} cannot be written: {error}") from error
        finally:
            unfinished.unlink(missing_ok=True)
        return path
