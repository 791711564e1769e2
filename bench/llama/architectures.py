# SPDX-License-Identifier: Apache-2.0

"""Models of random weights, of the architectures that bench/models measures: their metadata and tensors as llama.cpp
names them. Layers are as wide as those of real models, and few.
"""

import math
from dataclasses import dataclass

from llama.gguf import F32, FLOAT32, I32, STRING, Array, Tensor

VOCABULARY = 256  # of numbers alone, but for models that read text
CONTEXT = 1024


@dataclass(frozen=True)
class Shape:
    layers: int
    width: int
    inner: int  # of the feed-forward network, or of each expert's
    heads: int
    kv_heads: int
    experts: int = 0
    experts_used: int = 0

    @property
    def head(self):
        return self.width // self.heads


class Builder:
    """Tensors of one model, whose weights are of the given type. Sums of products neither grow nor vanish."""

    def __init__(self, kind):
        self.kind = kind
        self.tensors = []

    def matrix(self, name, inputs, *outputs, kind=None):
        exponent = round(math.log2(1 / math.sqrt(inputs) / 1.5))
        self.tensors.append(Tensor(f"{name}.weight", (inputs, *outputs), kind or self.kind, exponent=exponent))

    def scale(self, name, width):
        self.tensors.append(Tensor(f"{name}.weight", (width,), F32, fill=1.0))

    def bias(self, name, width):
        self.tensors.append(Tensor(f"{name}.bias", (width,), F32, exponent=-6))


def common(name, shape, **more):
    return {"general.architecture": name, "tokenizer.ggml.model": "no_vocab",
            f"{name}.vocab_size": VOCABULARY, f"{name}.context_length": CONTEXT,
            f"{name}.block_count": shape.layers, f"{name}.embedding_length": shape.width,
            f"{name}.feed_forward_length": shape.inner, f"{name}.attention.head_count": shape.heads,
            **{f"{name}.{key}": value for key, value in more.items()}}


def gated_metadata(name, shape):
    more = {"attention.head_count_kv": shape.kv_heads, "attention.layer_norm_rms_epsilon": 1e-5,
            "attention.key_length": shape.head, "attention.value_length": shape.head,
            "rope.dimension_count": shape.head}
    if shape.experts:
        more |= {"expert_count": shape.experts, "expert_used_count": shape.experts_used,
                 "expert_feed_forward_length": shape.inner}
    return common(name, shape, **more)


def gated(kind, shape, normed_heads=False):
    """Llama and what followed it: grouped queries, rotary positions, a gated feed-forward network."""
    builder = Builder(kind)
    keys = shape.kv_heads * shape.head
    builder.matrix("token_embd", shape.width, VOCABULARY)
    for layer in (f"blk.{k}" for k in range(shape.layers)):
        builder.scale(f"{layer}.attn_norm", shape.width)
        builder.matrix(f"{layer}.attn_q", shape.width, shape.width)
        builder.matrix(f"{layer}.attn_k", shape.width, keys)
        builder.matrix(f"{layer}.attn_v", shape.width, keys)
        if normed_heads:
            builder.scale(f"{layer}.attn_q_norm", shape.head)
            builder.scale(f"{layer}.attn_k_norm", shape.head)
        builder.matrix(f"{layer}.attn_output", shape.width, shape.width)
        builder.scale(f"{layer}.ffn_norm", shape.width)
        suffix, experts = ("_exps", [shape.experts]) if shape.experts else ("", [])
        if experts:
            builder.matrix(f"{layer}.ffn_gate_inp", shape.width, shape.experts, kind=F32)
        builder.matrix(f"{layer}.ffn_gate{suffix}", shape.width, shape.inner, *experts)
        builder.matrix(f"{layer}.ffn_up{suffix}", shape.width, shape.inner, *experts)
        builder.matrix(f"{layer}.ffn_down{suffix}", shape.inner, shape.width, *experts)
    builder.scale("output_norm", shape.width)
    builder.matrix("output", shape.width, VOCABULARY)
    return builder.tensors


def gpt2(kind, shape):
    """Norms of mean and variance, biases everywhere, learned positions, one matrix for queries, keys and values."""
    builder = Builder(kind)

    def normed(name):
        builder.scale(name, shape.width)
        builder.bias(name, shape.width)

    def biased(name, inputs, outputs):
        builder.matrix(name, inputs, outputs)
        builder.bias(name, outputs)

    builder.matrix("token_embd", shape.width, VOCABULARY)
    builder.matrix("position_embd", shape.width, CONTEXT, kind=F32)
    for layer in (f"blk.{k}" for k in range(shape.layers)):
        normed(f"{layer}.attn_norm")
        biased(f"{layer}.attn_qkv", shape.width, 3 * shape.width)
        biased(f"{layer}.attn_output", shape.width, shape.width)
        normed(f"{layer}.ffn_norm")
        biased(f"{layer}.ffn_up", shape.width, shape.inner)
        biased(f"{layer}.ffn_down", shape.inner, shape.width)
    normed("output_norm")
    builder.matrix("output", shape.width, VOCABULARY)
    return builder.tensors


def bytes_as_tokens():
    """Metadata of a vocabulary that has three marks and then the bytes: any text of ASCII is in it."""
    unknown, control, byte = 2, 3, 6  # as ggml numbers the types of tokens
    names = ["<unk>", "<s>", "</s>", *(f"<0x{k:02X}>" for k in range(VOCABULARY - 3))]
    return {"tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": Array(STRING, tuple(names)),
            "tokenizer.ggml.scores": Array(FLOAT32, (0.0,) * VOCABULARY),
            "tokenizer.ggml.token_type": Array(I32, (unknown, control, control) + (byte,) * (VOCABULARY - 3)),
            "tokenizer.ggml.bos_token_id": 1, "tokenizer.ggml.eos_token_id": 2}


LLAMA = Shape(layers=4, width=2048, inner=5632, heads=32, kv_heads=8)
QWEN3 = Shape(layers=2, width=2048, inner=6144, heads=16, kv_heads=8)
EXPERTS = Shape(layers=2, width=2048, inner=768, heads=16, kv_heads=4, experts=32, experts_used=4)
GPT2 = Shape(layers=6, width=1024, inner=4096, heads=16, kv_heads=16)
SMALL = Shape(layers=7, width=512, inner=1536, heads=8, kv_heads=4)  # with the output layer, two times four

# Metadata, and tensors by the type of weights.
ARCHITECTURES = {
    "llama": (gated_metadata("llama", LLAMA), lambda kind: gated(kind, LLAMA)),
    "qwen3": (gated_metadata("qwen3", QWEN3), lambda kind: gated(kind, QWEN3, normed_heads=True)),
    "qwen3moe": (gated_metadata("qwen3moe", EXPERTS), lambda kind: gated(kind, EXPERTS, normed_heads=True)),
    "llama-text": (gated_metadata("llama", SMALL) | bytes_as_tokens(), lambda kind: gated(kind, SMALL)),
    "gpt2": (common("gpt2", GPT2, **{"attention.layer_norm_epsilon": 1e-5}), lambda kind: gpt2(kind, GPT2)),
}
