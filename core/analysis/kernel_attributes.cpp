// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/kernel_attributes.h"
#include "core/base/text.h"
#include <algorithm>
#include <cctype>

namespace voxlab {
namespace {
using Words = std::vector<std::string>;

bool isNumber(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

// Of "NAME<a, b<c, d>, e>" from the name on: a, b<c, d>, e. Empty where the name is not there.
Words templateArguments(std::string_view text, std::string_view name) {
  const auto at = text.find(name);
  if (at == std::string_view::npos)
    return {};
  text.remove_prefix(std::min(text.size(), text.find('<', at)));
  Words arguments;
  int depth = 0;
  std::string argument;
  for (const char c : text) {
    depth += (c == '<' || c == '(') - (c == '>' || c == ')');
    if (depth == 0 || (depth == 1 && c == ',')) {
      arguments.push_back(trimmed(argument));
      argument.clear();
      if (depth == 0)
        break;
    } else if (depth > 1 || c != '<') {
      argument += c;
    }
  }
  return arguments;
}

std::string typeWord(const std::string& type) {
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {{"bfloat16", "bf16"}, {"BFloat16", "bf16"}, {"half", "fp16"}, {"Half", "fp16"}, {"double", "fp64"}, {"float", "fp32"}};
  for (const auto& [part, word] : kTypes)
    if (type.find(part) != std::string::npos)
      return std::string(word);
  return type;
}

// Numbers are the tile, and what is true of the kernel makes a number of its variant: the library does not say what it is.
Words gemv(std::string_view name) {
  std::string function(name.substr(name.find("gemv")));
  function.resize(std::min(function.find_first_of("<:_( "), function.size()));
  std::string tile;
  unsigned variant = 0;
  for (const std::string& argument : templateArguments(name, function)) {
    if (isNumber(argument))
      tile += (tile.empty() ? "" : "x") + argument;
    else if (argument == "true" || argument == "false")
      variant = variant * 2 + (argument == "true");
  }
  return {function, tile.empty() ? tile : "tile " + tile, "variant " + std::to_string(variant)};
}

// "nvjet_sm90_tst_64x24_64x16_2x4_h_bz_bias_TNT"
Words nvjet(std::string_view name) {
  std::string layout, adds, cluster, order;
  std::size_t tiles = 0;
  for (const std::string& part : split(name, '_')) {
    const auto isSide = [](char c) { return c == 'x' || std::isdigit(static_cast<unsigned char>(c)); };
    if (part.find('x') != std::string::npos && std::all_of(part.begin(), part.end(), isSide)) {
      if (++tiles == 3)
        cluster = part;
    } else if (part.size() == 3 && part.find_first_not_of("NT") == std::string::npos) {
      layout = part;
    } else if (part == "h" || part == "v") {
      order = part == "h" ? "by rows" : "by columns";
    } else if (part == "badd" || part == "bias" || part == "splitK" || part.starts_with("coop")) {
      const std::string word = part == "badd" ? "adds" : part == "splitK" ? "split K" : part.starts_with("coop") ? "coop " + part.substr(4) : part;
      adds += (adds.empty() ? "" : " ") + word;
    }
  }
  return {layout, adds, cluster, order};
}

// Flash_fwd_kernel_traits<head, rows, columns, warps, …> and then flags, whose meaning and order depend on the kernel.
Words flashAttention(std::string_view name) {
  const Words traits = templateArguments(name, "_kernel_traits<");
  if (traits.size() < 3)
    return {};
  static constexpr std::string_view kForward[] = {"dropout", "causal", "local", "alibi", "", "", "softcap", ""};
  static constexpr std::string_view kSplit[] = {"causal", "local", "alibi", "", "", "softcap", "split", "append"};
  static constexpr std::string_view kBackward[] = {"dropout", "causal", "local", "alibi", "", "", "softcap", ""};
  const bool isSplit = name.find("flash_fwd_splitkv_kernel<") != std::string_view::npos;
  const bool isBackward = name.find("flash_bwd_dq_dk_dv") != std::string_view::npos;
  Words flags;
  if (isSplit || isBackward || name.find("flash_fwd_kernel<") != std::string_view::npos)
    flags = templateArguments(name, isSplit ? "flash_fwd_splitkv_kernel<" : isBackward ? "flash_bwd_dq_dk_dv" : "flash_fwd_kernel<");
  std::string causal, dropout, others;
  for (std::size_t i = 1; i < flags.size() && i <= std::size(kForward); ++i) {
    const std::string_view word = (isSplit ? kSplit : isBackward ? kBackward : kForward)[i - 1];
    if (flags[i] != "true" || word.empty())
      continue;
    std::string& to = word == "causal" ? causal : word == "dropout" ? dropout : others;
    to += (to.empty() ? "" : " ") + std::string(word);
  }
  return {"head " + traits[0], causal, dropout, others, traits[1] + "x" + traits[2]};
}

Words concatenation(std::string_view name) {
  const Words arguments = templateArguments(name, "CatArrayBatchedCopy");
  if (arguments.size() < 3)
    return {};
  std::string bytes = arguments[0].substr(std::min(arguments[0].size(), arguments[0].find("OpaqueType<") + 11));
  bytes.resize(std::min(bytes.size(), bytes.find_first_not_of("0123456789")));
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  return {has("_alignedK") ? "aligned" : has("_vectorized") ? "vector" : has("_contig") ? "contiguous" : "strided", bytes.empty() ? bytes : bytes + " B", arguments[2] + "-D"};
}
} // namespace

std::vector<std::string> kernelAttributes(std::string_view name) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (has("nvjet_"))
    return nvjet(name);
  if (has("flash_fwd") || has("flash_bwd"))
    return flashAttention(name);
  if (has("CatArrayBatchedCopy"))
    return concatenation(name);
  if (has("splitKreduce_kernel<")) {
    const Words arguments = templateArguments(name, "splitKreduce_kernel<");
    return arguments.size() > 8 ? Words{"to " + typeWord(arguments[8])} : Words();
  }
  return has("gemv") ? gemv(name) : Words();
}

} // namespace voxlab
