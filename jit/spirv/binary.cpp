// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/binary.h"

#include <spirv-tools/libspirv.h>

#include <memory>
#include <stdexcept>
#include <string_view>
#include <unordered_set>

#include "jit/base/error.h"

namespace jit::spirv {

namespace {

constexpr size_t kHeaderWords = 5;
// The universal limit on the id bound (SPIR-V Specification, 2.17); tables are indexed by id.
constexpr uint32_t kMaxBound = 0x3fffff;

constexpr spv_target_env kEnvironment = SPV_ENV_VULKAN_1_3;

struct ContextDeleter {
  void operator()(spv_context context) const { spvContextDestroy(context); }
};
struct DiagnosticDeleter {
  void operator()(spv_diagnostic diagnostic) const { spvDiagnosticDestroy(diagnostic); }
};
struct OptionsDeleter {
  void operator()(spv_validator_options options) const { spvValidatorOptionsDestroy(options); }
};
using Context = std::unique_ptr<spv_context_t, ContextDeleter>;
using Diagnostic = std::unique_ptr<spv_diagnostic_t, DiagnosticDeleter>;
using ValidatorOptions = std::unique_ptr<spv_validator_options_t, OptionsDeleter>;

std::string messageOf(const Diagnostic& diagnostic) {
  if (!diagnostic || !diagnostic->error) return "no reason given";
  std::string text = diagnostic->error;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

llvm::Error checkHeader(std::span<const uint32_t> words) {
  if (words.size() < kHeaderWords)
    return malformed("the module has " + std::to_string(words.size()) +
                     " words, fewer than the SPIR-V header");
  if (words[0] == __builtin_bswap32(spv::MagicNumber))
    return malformed("the module's byte order is not this machine's");
  if (words[0] != spv::MagicNumber) return malformed("the first word is not SPIR-V's magic number");
  if (words[3] == 0 || words[3] > kMaxBound)
    return malformed("the id bound " + std::to_string(words[3]) + " is not between 1 and " +
                     std::to_string(kMaxBound));
  return llvm::Error::success();
}

bool isIdOperand(spv_operand_type_t type) {
  switch (type) {
    case SPV_OPERAND_TYPE_ID:
    case SPV_OPERAND_TYPE_TYPE_ID:
    case SPV_OPERAND_TYPE_RESULT_ID:
    case SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID:
    case SPV_OPERAND_TYPE_SCOPE_ID:
      return true;
    default:
      return false;
  }
}

}  // namespace

// Receives the instructions from the binary parser of SPIRV-Tools.
class BinaryBuilder {
 public:
  explicit BinaryBuilder(std::span<const uint32_t> words) {
    binary_.words_ = words;
    binary_.definitions_.assign(words[3], Binary::kUndefined);
    binary_.is_id_.assign(words.size(), false);
    binary_.instructions_.reserve(words.size() / 4);
  }

  static spv_result_t receive(void* self, const spv_parsed_instruction_t* parsed) {
    return static_cast<BinaryBuilder*>(self)->add(*parsed);
  }

  Binary take() { return std::move(binary_); }
  // Why an instruction was refused here; empty when the parser itself refused.
  const std::string& reason() const { return reason_; }

 private:
  spv_result_t refuse(uint32_t word, const std::string& reason) {
    reason_ = "instruction at word " + std::to_string(word) + ": " + reason;
    return SPV_ERROR_INVALID_BINARY;
  }

  spv_result_t add(const spv_parsed_instruction_t& parsed) {
    const uint32_t begin = next_word_;
    next_word_ += parsed.num_words;
    if (next_word_ > binary_.words_.size()) return refuse(begin, "it is cut short");
    for (uint16_t i = 0; i < parsed.num_operands; ++i) {
      const spv_parsed_operand_t& operand = parsed.operands[i];
      if (!isIdOperand(operand.type)) continue;
      const Id id = binary_.words_[begin + operand.offset];
      if (id == 0 || id >= binary_.bound())
        return refuse(begin, "the id " + std::to_string(id) + " is not below the bound " +
                                 std::to_string(binary_.bound()));
      binary_.is_id_[begin + operand.offset] = true;
    }
    if (parsed.result_id != 0 && binary_.definition(parsed.result_id))
      return refuse(begin, "the id " + std::to_string(parsed.result_id) + " is defined twice");
    const uint32_t first = 1 + (parsed.type_id != 0) + (parsed.result_id != 0);
    RawInstruction instruction;
    instruction.op = static_cast<spv::Op>(parsed.opcode);
    instruction.word = begin;
    instruction.type = parsed.type_id;
    instruction.result = parsed.result_id;
    instruction.operands = binary_.words_.subspan(begin + first, parsed.num_words - first);
    if (parsed.result_id != 0)
      binary_.definitions_[parsed.result_id] = static_cast<uint32_t>(binary_.instructions_.size());
    binary_.instructions_.push_back(instruction);
    return SPV_SUCCESS;
  }

  Binary binary_;
  std::string reason_;
  uint32_t next_word_ = kHeaderWords;
};

llvm::Expected<Binary> Binary::parse(std::span<const uint32_t> words) {
  if (llvm::Error error = checkHeader(words)) return error;
  Context context(spvContextCreate(kEnvironment));
  BinaryBuilder builder(words);
  spv_diagnostic raw = nullptr;
  spv_result_t result = spvBinaryParse(context.get(), &builder, words.data(), words.size(), nullptr,
                                       BinaryBuilder::receive, &raw);
  Diagnostic diagnostic(raw);
  if (result != SPV_SUCCESS)
    return malformed("the module is not valid SPIR-V: " +
                     (builder.reason().empty() ? messageOf(diagnostic) : builder.reason()));
  return builder.take();
}

namespace {

// Empty when the module is valid.
std::string complaint(std::span<const uint32_t> words, spv_target_env environment,
                      const ValidatorOptions& options) {
  Context context(spvContextCreate(environment));
  spv_const_binary_t binary = {words.data(), words.size()};
  spv_diagnostic raw = nullptr;
  spv_result_t result = SPV_SUCCESS;
  try {
    result = spvValidateWithOptions(context.get(), options.get(), &binary, &raw);
  } catch (const std::out_of_range& exception) {  // of decorations that lack their numbers
    return std::string("the validator cannot judge it: ") + exception.what();
  }
  Diagnostic diagnostic(raw);
  return result == SPV_SUCCESS ? "" : messageOf(diagnostic);
}

// Layout decorations on types of memory that has no layout: compilers have long shared structures
// between buffers and Workgroup memory, and tests of the CTS do. The rule is younger, the
// decorations are ignored, and SPIRV-Tools has no option for it but not to validate for Vulkan.
bool isAboutSpareLayout(const std::string& text) {
  return text.find("VUID-StandaloneSpirv-None-10684") != std::string::npos;
}

// The module without the instructions of non-semantic sets, which mean nothing to a driver, so
// that what is wrong with them is no reason to refuse a shader.
std::vector<uint32_t> withoutNonSemantic(std::span<const uint32_t> words) {
  constexpr std::string_view kPrefix = "NonSemantic.";
  std::vector<uint32_t> kept(words.begin(), words.begin() + kHeaderWords);
  std::unordered_set<Id> sets;
  for (size_t at = kHeaderWords; at < words.size();) {
    const size_t count = words[at] >> 16;
    if (count == 0 || count > words.size() - at) return {words.begin(), words.end()};
    const auto op = static_cast<spv::Op>(words[at] & 0xffff);
    const auto instruction = words.subspan(at, count);
    if (op == spv::Op::OpExtInstImport && count > 2 &&
        literalString(instruction, 2).starts_with(kPrefix))
      sets.insert(instruction[1]);
    const bool extended = op == spv::Op::OpExtInst || op == spv::Op::OpExtInstWithForwardRefsKHR;
    if (!extended || count < 4 || !sets.contains(instruction[3]))
      kept.insert(kept.end(), instruction.begin(), instruction.end());
    at += count;
  }
  return kept;
}

}  // namespace

llvm::Error validate(std::span<const uint32_t> words) {
  ValidatorOptions options(spvValidatorOptionsCreate());
  spvValidatorOptionsSetScalarBlockLayout(options.get(), true);
  spvValidatorOptionsSetWorkgroupScalarBlockLayout(options.get(), true);
  spvValidatorOptionsSetAllowLocalSizeId(options.get(), true);
  spvValidatorOptionsSetAllowVulkan32BitBitwise(options.get(), true);
  spvValidatorOptionsSetFriendlyNames(options.get(), false);
  spv_target_env environment = kEnvironment;
  std::string text = complaint(words, environment, options);
  if (isAboutSpareLayout(text)) {
    environment = SPV_ENV_UNIVERSAL_1_6;
    text = complaint(words, environment, options);
  }
  if (text.empty()) return llvm::Error::success();
  const std::vector<uint32_t> kept = withoutNonSemantic(words);
  if (kept.size() < words.size() && complaint(kept, environment, options).empty())
    return llvm::Error::success();
  // Names are made up front for the whole module and only needed in a message.
  spvValidatorOptionsSetFriendlyNames(options.get(), true);
  return malformed("the module is not valid SPIR-V: " + complaint(words, environment, options));
}

std::string literalString(std::span<const uint32_t> operands, size_t first) {
  std::string text;
  for (size_t i = first; i < operands.size(); ++i)
    for (uint32_t shift = 0; shift < 32; shift += 8) {
      char c = static_cast<char>(operands[i] >> shift & 0xff);
      if (c == 0) return text;
      text.push_back(c);
    }
  return text;
}

}  // namespace jit::spirv
