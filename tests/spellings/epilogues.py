# SPDX-License-Identifier: Apache-2.0
"""Kernel files (tests/kernels/README.md) of a product whose sums go through an element-wise function, in
the spellings that shaders have for that.

A subgroup holds a grid of tiles. How the grid is kept (an array, names), where the loop over components
stands, the function, what else a component depends on, and the types are chosen independently.
"""

from dataclasses import dataclass

HEADER = """#version 450
//! require cooperativeMatrix shaderFloat16 shaderInt8 storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix {m} {n} {k} f16 f16 {type} {type}
//! setting component_layout native
//! subgroup 32 full
//! optimize {optimize}
//! buffer a f16[{a}] binding 0 = random(-2, 2, 1)
//! buffer b f16[{b}] binding 1 = random(-2, 2, 2)
//! buffer bias f32[{columns}] binding 2 = random(-4, 4, 3)
//! buffer table f32[{elements}] binding 3 = random(-2, 2, 4)
//! buffer d {out}[{d}] binding 4
//! push f32 0.25, f32 -0.5
//! dispatch 1
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
{extension}layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A {{ float16_t a[]; }};
layout(binding = 1) readonly buffer B {{ float16_t b[]; }};
layout(binding = 2) readonly buffer Bias {{ float bias[]; }};
layout(binding = 3) readonly buffer Table {{ float table[]; }};
layout(binding = 4) writeonly buffer D {{ {out_type} d[]; }};
layout(push_constant) uniform Push {{ float scale, shift; }};
const int by_rows = gl_CooperativeMatrixLayoutRowMajor;
#define MATRIX(T, M, N, USE) coopmat<T, gl_ScopeSubgroup, M, N, gl_MatrixUse##USE>
#define SUM MATRIX({sum}, {m}, {n}, Accumulator)
#define OUT MATRIX({out_type}, {m}, {n}, Accumulator)
"""


@dataclass
class Function:
    """What becomes of a component x."""
    name: str
    glsl: str  # of x, a float
    model: str  # the same as an expression of kernel files
    needs: str = ""  # what it reads besides x
    code: str = ""


ERF = """float erf(float x) {
  const float t = 1 / (1 + 0.3275911 * abs(x));
  const float p = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return sign(x) * (1 - p * exp(-x * x));
}
"""


def erf(x):
    t = f"(1 / (1 + 0.3275911 * abs({x})))"
    p = f"(((((1.061405429 * {t} - 1.453152027) * {t} + 1.421413741) * {t} - 0.284496736) * {t} + 0.254829592) * {t})"
    return f"(sign({x}) * (1 - {p} * exp(-({x}) * ({x}))))"


FUNCTIONS = (
    Function("gelu_tanh", "0.5 * x * (1 + tanh(0.7978846 * (x + 0.044715 * x * x * x)))",
             "0.5 * X * (1 + tanh(0.7978846 * (X + 0.044715 * X * X * X)))"),
    Function("gelu_erf", "0.5 * x * (1 + erf(x * 0.70710678))", f"0.5 * X * (1 + {erf('(X * 0.70710678)')})", "", ERF),
    Function("silu", "x / (1 + exp(-x))", "X / (1 + exp(-X))"),
    Function("relu_bias", "max(x + shift, 0)", "max(X - 0.5, 0)"),
    Function("relu_bias_matrix", "max(x + y, 0)", "max(X + bias[COLUMN], 0)", "matrix"),
    Function("clamp", "clamp(x, -1, 1)", "min(max(X, -1), 1)"),
    Function("leaky", "x < 0 ? 0.125 * x : x", "max(X, 0) + 0.125 * min(X, 0)"),
    Function("number", "x + float(component)", "X + ELEMENT / 32", "number"),
    Function("looked_up", "x * y", "X * table[ELEMENT]", "table"),
)
SPELLINGS = ("stored_at_once", "in_turn", "function", "function_of_value", "names", "per_element")


@dataclass
class Epilogue:
    rows: int  # tiles
    columns: int
    function: Function
    spelling: str
    sum: str = "float"
    out: str = "f32"
    size: int = 16  # of a tile
    optimize: str = "off"
    scaled: bool = False  # as whole matrices, before
    depth: int = 32  # K

    @classmethod
    def any(cls, random):
        spelling = random.choice(SPELLINGS)
        functions = [f for f in FUNCTIONS if spelling != "per_element" or not f.needs]
        total = random.choice((1, 2, 4, 8))
        rows = random.choice([r for r in (1, 2, 4) if r <= total])
        kind = random.choice(("float", "float", "float16_t"))
        outs = ("f32", "f16") if spelling == "per_element" else ("f32", "f16", "s8")
        return cls(rows, random.choice((1, 2, 4)), random.choice(functions), spelling, kind, random.choice(outs), random.choice((16, 16, 32)), random.choice(("off", "on")),
                   random.choice((False, True)))

    @property
    def name(self):
        return (f"{self.function.name}_{self.spelling}_{self.rows}x{self.columns}_{self.sum}_{self.out}_{self.size}"
                f"_{self.optimize}{'_scaled' if self.scaled else ''}")

    def file(self):
        """The text of the kernel file."""
        m = n = self.size
        height, width = self.rows * m, self.columns * n
        out_type = {"f32": "float", "f16": "float16_t", "s8": "int8_t"}[self.out]
        header = HEADER.format(
            m=m, n=n, k=16, type="f32" if self.sum == "float" else "f16", optimize=self.optimize, a=height * self.depth,
            b=self.depth * width, columns=width, elements=m * n, out=self.out, d=height * width, out_type=out_type,
            sum=self.sum,
            extension="#extension GL_NV_cooperative_matrix2 : require\n" if self.spelling == "per_element" else "")
        return header + self.expectation(height, width) + self.function.code + self.body(m, n, width)

    def expectation(self, height, width):
        x = f"(0.25 * sum(k, 0, {self.depth}, a[i / {width} * {self.depth} + k] * b[k * {width} + i % {width}]))"
        if self.scaled:
            x = f"(0.5 * {x})"
        place = f"(i / {width} % {self.size} * {self.size} + i % {self.size})"
        value = self.function.model.replace("COLUMN", f"(i % {width})").replace("ELEMENT", place).replace("X", x)
        tolerance = "2e-5 abs or 2e-5 rel" if self.sum == "float" and self.out == "f32" else "4e-2 abs or 1e-2 rel"
        if self.out == "s8":
            value, tolerance = f"min(max(round(8 * ({value})), -127), 127)", "1 abs"
        return f"//! expect d = {value} within {tolerance}\n"

    # One component, `SUM_` being the matrix and OUT_ where it goes if that is of another type.
    def component(self, matrix, result):
        reads = {"": "", "number": "", "matrix": "const float y = float(bias_tile[component]); ",
                 "table": "const float y = table[component * 32 + gl_SubgroupInvocationID]; "}[self.function.needs]
        value = self.function.glsl
        if result:
            return (f"const float x = float({matrix}[component]) * scale; {reads}"
                    f"{result}[component] = int8_t(clamp(roundEven(8 * ({value})), -127, 127));")
        return f"const float x = float({matrix}[component]) * scale; {reads}{matrix}[component] = {self.sum}({value});"

    def loop(self, matrix, result=""):
        return (f"for (int component = 0; component < {matrix}.length(); ++component) {{ "
                f"{self.component(matrix, result)} }}\n")

    def body(self, m, n, width):
        quantized = self.out == "s8"
        needs_bias = self.function.needs == "matrix"
        names = self.spelling == "names"
        tile = (lambda i, j: f"sums_{i}_{j}") if names else (lambda i, j: f"sums[{i}][{j}]")
        text, main = "", ""
        parameter = ", in SUM bias_tile" if needs_bias else ""
        argument = ", bias_tile" if needs_bias else ""
        if self.spelling == "function":
            if quantized:
                text += f"void apply(in SUM tile, out OUT result{parameter}) {{ {self.loop('tile', 'result')} }}\n"
            else:
                text += f"void apply(inout SUM tile{parameter}) {{ {self.loop('tile')} }}\n"
        if self.spelling == "function_of_value":
            result = "OUT result; " if quantized else ""
            text += (f"{'OUT' if quantized else 'SUM'} apply(SUM tile{parameter}) {{ {result}"
                     f"{self.loop('tile', 'result' if quantized else '')} return {'result' if quantized else 'tile'}; }}\n")
        if self.spelling == "per_element":
            value = self.function.glsl
            text += (f"{self.sum} apply(const in uint32_t row, const in uint32_t column, const in {self.sum} element) "
                     f"{{ const float x = float(element) * scale; return {self.sum}({value}); }}\n")

        def grid(work):
            if names:
                return "".join(work(i, j) for i in range(self.rows) for j in range(self.columns))
            return (f"for (int i = 0; i < {self.rows}; ++i) for (int j = 0; j < {self.columns}; ++j) {{\n"
                    f"{work('i', 'j')}}}\n")

        def each(i, j):
            """The function of a tile; what is to be stored."""
            bias = ""
            if needs_bias:
                bias = ("MATRIX(float, {0}, {1}, Accumulator) bias_loaded; coopMatLoad(bias_loaded, bias, {2} * {1}, 0, "
                        "by_rows); SUM bias_tile = SUM(bias_loaded); ").format(m, n, j)
            sums = tile(i, j)
            if self.scaled:
                bias += f"{sums} = {sums} * {self.sum}(0.5); "
            if self.spelling == "per_element":
                return bias + f"coopMatPerElementNV({sums}, {sums}, apply);\n", sums
            if self.spelling in ("function", "function_of_value"):
                if quantized:
                    call = f"apply({sums}, result{argument})" if self.spelling == "function" else \
                        f"result = apply({sums}{argument})"
                    return bias + f"OUT result; {call};\n", "result"
                call = f"apply({sums}{argument})" if self.spelling == "function" else \
                    f"{sums} = apply({sums}{argument})"
                return bias + call + ";\n", sums
            if quantized:
                return bias + "OUT result; " + self.loop(sums, "result"), "result"
            return bias + self.loop(sums), sums

        def store(i, j, value):
            if quantized and value != "result":
                value = f"OUT({value} * {self.sum}(8))"
            elif not quantized:
                value = f"OUT({value})"
            return f"coopMatStore({value}, d, ({i} * {m}) * {width} + {j} * {n}, {width}, by_rows);\n"

        if names:
            main += "".join(f"SUM {tile(i, j)} = SUM(0);\n" for i in range(self.rows) for j in range(self.columns))
        else:
            main += f"SUM sums[{self.rows}][{self.columns}];\n" + grid(lambda i, j: f"{tile(i, j)} = SUM(0);\n")
        main += f"for (int k = 0; k < {self.depth}; k += 16) {{\nMATRIX(float16_t, {m}, 16, A) x[{self.rows}];\n"
        main += (f"for (int i = 0; i < {self.rows}; ++i) coopMatLoad(x[i], a, i * {m * self.depth} + k, {self.depth}, by_rows);\n"
                 f"MATRIX(float16_t, 16, {n}, B) y[{self.columns}];\n"
                 f"for (int j = 0; j < {self.columns}; ++j) coopMatLoad(y[j], b, k * {width} + j * {n}, {width}, by_rows);\n")
        main += grid(lambda i, j: f"{tile(i, j)} = coopMatMulAdd(x[{i}], y[{j}], {tile(i, j)});\n") + "}\n"
        if self.spelling == "in_turn" and not quantized:
            main += grid(lambda i, j: each(i, j)[0])
            main += grid(lambda i, j: store(i, j, tile(i, j)))
        else:
            def both(i, j):
                work, value = each(i, j)
                return "{ " + work + store(i, j, value) + "}\n"
            main += grid(both)
        return text + "void main() {\n" + main + "}\n"
