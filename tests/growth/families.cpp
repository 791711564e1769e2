// SPDX-License-Identifier: Apache-2.0

#include "tests/growth/families.h"

#include <algorithm>
#include <functional>

namespace growth {
namespace {

using std::to_string;

std::string repeated(uint32_t count, const std::function<std::string(std::string)>& text) {
  std::string all;
  for (uint32_t k = 0; k < count; ++k) all += text(to_string(k)) + "\n";
  return all;
}

std::string header(uint32_t invocations, const std::string& extensions = "") {
  std::string text = "#version 460\n";
  for (size_t at = 0; at < extensions.size();) {
    const size_t end = std::min(extensions.find(' ', at), extensions.size());
    text += "#extension GL_" + extensions.substr(at, end - at) + " : enable\n";
    at = end + 1;
  }
  return text + "layout(local_size_x = " + to_string(invocations) + ") in;\n";
}

constexpr const char* kWords = "layout(binding = 0) buffer X { uint x[]; };\n";
constexpr const char* kFloats = "layout(binding = 0) buffer X { float x[]; };\n";

// `body` computes with v, which comes from x[i] and goes there.
std::string ofWords(const std::string& body, const std::string& before = "",
                    const std::string& extensions = "", uint32_t invocations = 64) {
  return header(invocations, extensions) + kWords + before +
         "void main() { uint i = gl_GlobalInvocationID.x; uint v = x[i];\n" + body + "x[i] = v; }";
}

std::string ofFloats(const std::string& body) {
  return header(64) + kFloats +
         "void main() { uint i = gl_GlobalInvocationID.x; float v = x[i];\n" + body + "x[i] = v; }";
}

std::string barriers(uint32_t n) {
  return ofWords("i = gl_LocalInvocationIndex;\n" + repeated(n,
                                                             [](const std::string& k) {
                                                               return "s[i] = v; barrier(); v += "
                                                                      "s[(i + " +
                                                                      k + "u) & 63u]; barrier();";
                                                             }),
                 "shared uint s[64];\n");
}

std::string structCopy(uint32_t n) {
  return header(64) + "struct S {" +
         repeated(n, [](const std::string& k) { return "uint m" + k + ";"; }) +
         "};\nlayout(binding = 0) buffer X { S x[]; };\n"
         "void main() { uint i = gl_GlobalInvocationID.x; x[2 * i + 1] = x[2 * i]; }";
}

std::string atomics(uint32_t n) {
  return ofWords(
      repeated(n, [](const std::string& k) { return "v += atomicAdd(x[v], " + k + "u);"; }), "", "",
      1024);
}

std::string switchCases(const std::string& selector, uint32_t n) {
  return ofWords("switch (" + selector + ") {" +
                 repeated(n,
                          [](const std::string& k) {
                            return "case " + k + ": v = " + k + "u * 7919u + i; break;";
                          }) +
                 "default: v = 5u; }\n");
}
std::string varyingSwitch(uint32_t n) { return switchCases("x[i]", n); }
std::string uniformSwitch(uint32_t n) { return switchCases("x[gl_WorkGroupID.x]", n); }

std::string guardedArithmetic(uint32_t n) {
  return ofFloats("if (i >= 100u) return; float t0 = v, t1 = x[i + 1], t2 = x[i + 2];\n" +
                  repeated(n,
                           [](const std::string& k) {
                             const uint32_t at = uint32_t(std::stoul(k));
                             return "float t" + to_string(at + 3) + " = t" + to_string(at + 2) +
                                    " * t" + k + " + t" + to_string(at + 1) + " - " + k + ".5;";
                           }) +
                  "v = t" + to_string(n + 2) + ";\n");
}

// Values that are all alive at once.
std::string manyValues(uint32_t n) {
  const std::string count = to_string(n);
  auto other = [n](const std::string& k, uint32_t factor) {
    return to_string((uint32_t(std::stoul(k)) * factor + 3) % n);
  };
  return ofFloats(repeated(n,
                           [&](const std::string& k) {
                             return "float a" + k + " = x[i * " + count + "u + " + k + "u];";
                           }) +
                  repeated(n,
                           [&](const std::string& k) {
                             return "float b" + k + " = a" + k + " * a" + other(k, 7) + " + a" +
                                    other(k, 13) + ";";
                           }) +
                  repeated(n, [&](const std::string& k) {
                    return "x[i * " + count + "u + " + k + "u] = b" + k + " + b" + other(k, 5) +
                           ";";
                  }));
}

std::string subgroups(uint32_t n) {
  return ofWords(repeated(n,
                          [](const std::string& k) {
                            return "v += subgroupInclusiveAdd(v + " + k + "u) ^ subgroupMin(v);";
                          }),
                 "", "KHR_shader_subgroup_arithmetic");
}

std::string ifs(uint32_t n) {
  return ofWords(repeated(n, [](const std::string& k) {
    return "if ((v & " + to_string(1u << (std::stoul(k) % 31)) + "u) != 0u) v = v * 3u + " + k +
           "u; else v ^= " + k + "u;";
  }));
}

std::string guardedStores(uint32_t n) {
  return ofWords(repeated(n, [](const std::string& k) {
    return "if ((v & " + to_string(1u << (std::stoul(k) % 31)) + "u) != 0u) x[v + " + k +
           "u] = v; v += " + k + "u;";
  }));
}

std::string nestedIfs(uint32_t n) {
  return ofWords(repeated(n,
                          [](const std::string& k) {
                            return "if ((v & " + to_string(1u << (std::stoul(k) % 31)) +
                                   "u) != 0u) { v = v * 3u + " + k + "u;";
                          }) +
                 std::string(n, '}'));
}

std::string loops(uint32_t n) {
  return ofWords(repeated(n, [](const std::string& k) {
    return "for (uint k = 0u; k < (v & 15u); ++k) v = v * 3u + x[k + " + k + "u];";
  }));
}

std::string calls(uint32_t n) {
  return ofWords(repeated(n, [](const std::string& k) { return "v = f(v, " + k + "u);"; }),
                 "uint f(uint a, uint b) { if (a > b) return a * b;\n"
                 "for (uint k = 0u; k < (b & 7u); ++k) a = a * 3u + k; return a ^ b; }\n");
}

std::string localArray(uint32_t n) {
  return ofWords(
      "uint a[" + to_string(n) + "];\n" +
      repeated(n, [](const std::string& k) { return "a[" + k + "] = x[i + " + k + "u];"; }) +
      repeated(n, [n](const std::string& k) {
        return "v += a[" + to_string((std::stoul(k) * 7 + 1) % n) + "]; a[" + k + "] = v;";
      }));
}

std::string indexedArray(uint32_t n) {
  return ofWords("uint a[64]; for (int k = 0; k < 64; ++k) a[k] = x[k];\n" +
                 repeated(n, [](const std::string& k) {
                   return "v += a[(v + " + k + "u) & 63u]; a[(v * 3u) & 63u] = v;";
                 }));
}

// Variables that a loop changes under a condition: phis.
std::string variables(uint32_t n) {
  return ofWords(
      repeated(n, [](const std::string& k) { return "uint a" + k + " = x[i + " + k + "u];"; }) +
      "for (uint k = 0u; k < x[0]; ++k) { if ((v & 1u) != 0u) {\n" +
      repeated(n, [](const std::string& k) { return "a" + k + " += v;"; }) +
      "} v = v * 5u + 1u; }\n" +
      repeated(n, [](const std::string& k) { return "v ^= a" + k + ";"; }));
}

std::string matrices(uint32_t n, bool product) {
  const std::string type = "coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUse";
  return header(32, "KHR_cooperative_matrix KHR_memory_scope_semantics") + kFloats +
         "void main() { " + type + "A> a; " + type + "B> b; " + type + "Accumulator> c = " + type +
         "Accumulator>(0.0);\n" +
         repeated(n,
                  [product](const std::string& k) -> std::string {
                    if (!product)
                      return "coopMatLoad(c, x, " + k + "u * 256u, 16u, 0); c = c * " + k +
                             ".5; coopMatStore(c, x, " + k + "u * 512u, 16u, 0);";
                    return "coopMatLoad(a, x, " + k + "u * 256u, 16u, 0); coopMatLoad(b, x, " + k +
                           "u * 256u + 64u, 16u, 0); c = coopMatMulAdd(a, b, c);";
                  }) +
         "coopMatStore(c, x, 0u, 16u, 0); }";
}
std::string matrixProducts(uint32_t n) { return matrices(n, true); }
std::string matrixStores(uint32_t n) { return matrices(n, false); }

// A product into n tiles, and a function of each of their components; the tiles are an array, or
// have names.
std::string epilogue(uint32_t n, bool named) {
  const std::string type = "coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUse",
                    count = to_string(n);
  auto each = [&](auto work) {
    if (named) return repeated(n, [&](const std::string& k) { return work("c" + k, k); });
    return "for (int j = 0; j < " + count + "; ++j) {" + work(std::string("c[j]"), "j") + "}\n";
  };
  using Text = const std::string&;
  const std::string declared =
      named ? repeated(n, [](Text k) { return "Sum c" + k + ";"; }) : "Sum c[" + count + "];\n";
  return header(32, "KHR_cooperative_matrix KHR_memory_scope_semantics") + kFloats +
         "#define Sum " + type + "Accumulator>\nvoid main() { " + type + "A> a; " + type +
         "B> b;\n" + declared + each([](Text tile, Text) { return tile + " = Sum(0.0);"; }) +
         "for (uint k = 0u; k < 64u; k += 16u) { coopMatLoad(a, x, k, 64u, 0);\n" +
         each([](Text tile, Text j) {
           return "coopMatLoad(b, x, k * 4096u + 16u * " + j + ", 4096u, 0); " + tile +
                  " = coopMatMulAdd(a, b, " + tile + ");";
         }) +
         "}\n" + each([](Text tile, Text j) {
           return "for (int i = 0; i < " + tile + ".length(); ++i) { float v = " + tile + "[i]; " +
                  tile + "[i] = 0.5 * v * (1.0 + tanh(0.797885 * (v + 0.044715 * v * v * v))); }" +
                  "coopMatStore(" + tile + ", x, 16u * " + j + ", 4096u, 0);";
         }) +
         "}";
}
std::string epilogueOfArray(uint32_t n) { return epilogue(n, false); }
std::string epilogueOfNames(uint32_t n) { return epilogue(n, true); }

std::string constants(uint32_t n) {
  std::string elements;
  for (uint32_t k = 0; k < n; ++k) elements += (k ? ", " : "") + to_string(k * k % 10007) + "u";
  return ofWords("v = t[v % " + to_string(n) + "u];\n",
                 "const uint t[] = uint[](" + elements + ");\n");
}

std::string accessChains(uint32_t n) {
  return ofWords(repeated(n,
                          [](const std::string& k) {
                            return "v += y[v & 7u].a[(v + " + k + "u) & 3u].b[" +
                                   to_string(std::stoul(k) % 4) + "];";
                          }),
                 "struct A { uint c; uint b[4]; }; struct B { uint q; A a[4]; };\n"
                 "layout(binding = 1) buffer Y { B y[]; };\n");
}

std::string sharedStores(uint32_t n) {
  return ofWords(repeated(n,
                          [](const std::string& k) {
                            return "s[(i * 3u + " + k + "u) & 255u] = v; v = v * 5u + s[(v + " + k +
                                   "u) & 255u];";
                          }),
                 "shared uint s[256];\n");
}

std::string bindings(uint32_t n) {
  return ofWords(
      repeated(n, [](const std::string& k) { return "v += y" + k + "[v]; y" + k + "[i] = v;"; }),
      repeated(n, [](const std::string& k) {
        return "layout(set = 1, binding = " + k + ") buffer Y" + k + " { uint y" + k + "[]; };";
      }));
}

std::string vectors(uint32_t n) {
  return header(64) +
         "layout(binding = 0) buffer X { vec4 x[]; };\n"
         "void main() { uint i = gl_GlobalInvocationID.x; vec4 v = x[i];\n" +
         repeated(n,
                  [](const std::string& k) {
                    return "v = v * vec4(" + k + ".5) + v.wzyx; v = normalize(v) + mat4(" + k +
                           ".0) * v;";
                  }) +
         "x[i] = v; }";
}

std::string functions(uint32_t n) {
  return ofFloats(
      repeated(n, [](const std::string& k) { return "v = sin(v) + exp(v * 0." + k + ");"; }));
}

std::string stores(uint32_t n) {
  const std::string count = to_string(n);
  return ofWords(repeated(n, [&](const std::string& k) {
    return "x[i * " + count + "u + " + k + "u] = v * " + k + "u;";
  }));
}

constexpr Family kProportional[] = {
    {"Barriers", 100, barriers},
    {"StructCopy", 160, structCopy},
    {"Atomics", 300, atomics},
    {"UniformSwitch", 500, uniformSwitch},
    {"Subgroups", 100, subgroups},
    {"GuardedStores", 200, guardedStores},
    {"Loops", 100, loops},
    {"IndexedArray", 75, indexedArray},
    {"MatrixProducts", 100, matrixProducts},
    {"MatrixStores", 100, matrixStores},
    {"EpilogueOfArray", 32, epilogueOfArray},
    {"EpilogueOfNames", 32, epilogueOfNames},
    {"AccessChains", 100, accessChains},
    {"Bindings", 150, bindings},
    {"Vectors", 100, vectors},
    {"Functions", 400, functions},
    {"Stores", 250, stores},
    {"VaryingSwitch", 200, varyingSwitch},
    {"GuardedArithmetic", 1000, guardedArithmetic},
    {"Ifs", 300, ifs},
    {"Calls", 200, calls},
    {"Constants", 8000, constants},
    {"SharedStores", 100, sharedStores},
};

constexpr Family kFaster[] = {
    {"NestedIfs", 120, nestedIfs},
    {"ManyValues", 400, manyValues},
    {"LocalArray", 800, localArray},
    {"Variables", 300, variables},
};

}  // namespace

std::span<const Family> proportionalFamilies() { return kProportional; }
std::span<const Family> fasterFamilies() { return kFaster; }

}  // namespace growth
