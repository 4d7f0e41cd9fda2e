// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/kernel_titles.h"
#include "core/analysis/kernel_attributes.h"
#include "core/analysis/kernels.h"
#include "core/base/text.h"
#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace voxlab {
namespace {
using Words = std::vector<std::string>;

constexpr std::size_t kMostWords = 3, kLongestSuffix = 16, kLongestName = 4096;

// Parts of the libraries' names that say how a kernel differs from its kin.
struct Variant {
  std::string_view part, words;
};
constexpr Variant kVariants[] = {
    {"_segment_k_on", "seg. k on"},
    {"_segment_k_off", "seg. k off"},
    {"_split_k_kernel", "split k"},
    {"_strided_execute", "strided"},
    {"_wo_smem_", "no shared mem."},
    {"vectorized_elementwise", "vector"},
    {"::elementwise_kernel", "strided"},
    {"::unrolled_elementwise", "unrolled"},
    {"FunctorOnSelf_", "scalar"},
    {"UnaryFunctor<", "scalar"},
    {"_vectorized<", "vector"},
    {"softmax_warp_", "warp"},
    {"cunn_SoftMaxForward", "block forward"},
    {"cunn_SoftMaxBackward", "block backward"},
    {"::MeanOps<", "mean"},
    {"::sum_functor<", "sum"},
    {"::normal_kernel<", "normal"},
    {"::random_from_to_kernel<", "integers"},
    {"::PointwiseOpScalar", "addc"},
    {", std::multiplies<", "multiply"},
    {", std::divides<", "divide"},
    {", std::plus<", "add"},
    {"::LerpFunctor<", "lerp"},
    {"::Sqrt<", "sqrt"},
    {"(voxlab::Activation)1", "with SiLU"},
    {"(cudnnKernelDataType_t)0", "cuDNN type 0"},
    {"(cudnnKernelDataType_t)2", "cuDNN type 2"},
};
// Where a name has one of these, its last template argument is so many of that.
constexpr Variant kCounts[] = {{"narrowTimesWideKernel<", "columns"}, {"narrowToWideKernel<", "channels"}};

// One after the other, as the names of both may be there.
std::string variantOf(std::string_view name) {
  std::string words;
  for (const auto& variant : kVariants)
    if (name.find(variant.part) != std::string_view::npos)
      words += (words.empty() ? "" : " ") + std::string(variant.words);
  return words;
}

std::string countOf(std::string_view name) {
  for (const auto& count : kCounts) {
    const auto at = name.find(count.part);
    const auto end = name.find(">(", at);
    if (at == std::string_view::npos || end == std::string_view::npos)
      continue;
    const auto begin = name.find_last_of(", ", end);
    return std::string(name.substr(begin + 1, end - begin - 1)) + " " + std::string(count.words);
  }
  return {};
}

// Of an elementwise operation written as a lambda: "lambda(float, float)" works on two tensors.
std::string operandsOf(std::string_view name) {
  constexpr std::string_view kLambda = "lambda(";
  std::size_t most = 0;
  for (auto at = name.find(kLambda); at != std::string_view::npos; at = name.find(kLambda, at + 1)) {
    const std::string_view rest = name.substr(at, name.find(')', at) - at);
    most = std::max(most, static_cast<std::size_t>(std::count(rest.begin(), rest.end(), ',')));
  }
  return most == 0 ? std::string() : std::to_string(most + 1) + " operands";
}

Words wordsIn(std::string_view name) {
  name = name.substr(0, kLongestName);
  const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  Words words;
  for (auto at = name.begin(); at != name.end();) {
    const auto begin = std::find_if(at, name.end(), isWord);
    at = std::find_if_not(begin, name.end(), isWord);
    if (begin != at)
      words.emplace_back(begin, at);
  }
  return words;
}

bool areAllDifferent(const Words& texts) {
  return std::set<std::string>(texts.begin(), texts.end()).size() == texts.size();
}

// Words at one place of every name, as many places as it takes; empty where that is more than a title bears.
Words differingWords(const std::vector<Words>& names) {
  const bool areAlike = std::all_of(names.begin(), names.end(), [&](const Words& words) { return words.size() == names.front().size(); });
  std::vector<Words> places; // where not all are the same
  for (std::size_t place = 0; areAlike && place < names.front().size(); ++place) {
    Words here;
    for (const Words& words : names)
      here.push_back(words[place]);
    const bool isShort = std::all_of(here.begin(), here.end(), [](const std::string& word) { return word.size() <= kLongestSuffix; });
    if (isShort && areAllDifferent(here))
      return here;
    if (isShort && std::any_of(here.begin(), here.end(), [&](const std::string& word) { return word != here.front(); }))
      places.push_back(std::move(here));
  }
  Words joined(names.size());
  for (std::size_t i = 0; i < std::min(places.size(), kMostWords); ++i) {
    for (std::size_t n = 0; n < names.size(); ++n)
      joined[n] += (joined[n].empty() || places[i][n].empty() ? "" : " ") + places[i][n];
    const bool isShort = std::all_of(joined.begin(), joined.end(), [](const std::string& text) { return text.size() <= kLongestSuffix; });
    if (isShort && areAllDifferent(joined))
      return joined;
  }
  return {};
}

// Differences by one look at the names, where that tells them all apart.
template <class Look> Words seen(const Words& names, Look look) {
  Words texts;
  for (const auto& name : names)
    texts.push_back(look(name));
  const bool isShort = std::all_of(texts.begin(), texts.end(), [](const std::string& text) { return text.size() <= kLongestSuffix; });
  return isShort && areAllDifferent(texts) ? texts : Words();
}

// What tells names apart that have the same variant, or their numbers.
Words differencesOf(const Words& names) {
  std::vector<Words> attributes;
  for (const auto& name : names)
    attributes.push_back(kernelAttributes(std::string_view(name).substr(0, kLongestName)));
  Words found = attributes.front().empty() ? Words() : differingWords(attributes);
  if (found.empty())
    found = seen(names, [](const std::string& name) { return kernelBaseName(name); });
  if (found.empty())
    found = seen(names, countOf);
  if (found.empty())
    found = seen(names, operandsOf);
  if (found.empty()) {
    std::vector<Words> parts, words;
    for (const auto& name : names) {
      parts.push_back(split(kernelBaseName(name), '_'));
      words.push_back(wordsIn(name));
    }
    found = differingWords(parts);
    if (found.empty())
      found = differingWords(words);
  }
  for (std::size_t i = 0; found.size() < names.size(); ++i)
    found.push_back("#" + std::to_string(i + 1));
  return found;
}

// Suffixes of sorted names that share a short name: of their variants, and of what differs within one.
Words suffixesOf(const Words& names) {
  std::map<std::string, std::vector<std::size_t>> byVariant;
  for (std::size_t i = 0; i < names.size(); ++i)
    byVariant[variantOf(std::string_view(names[i]).substr(0, kLongestName))].push_back(i);
  Words suffixes(names.size());
  for (const auto& [variant, members] : byVariant) {
    const std::string shown = byVariant.size() > 1 ? variant : std::string();
    Words of;
    for (const std::size_t i : members)
      of.push_back(names[i]);
    const Words differences = members.size() > 1 ? differencesOf(of) : Words(1);
    for (std::size_t n = 0; n < members.size(); ++n)
      suffixes[members[n]] = shown + (shown.empty() || differences[n].empty() ? "" : " ") + differences[n];
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (suffixes[i].size() > kLongestSuffix)
      suffixes[i] = "#" + std::to_string(i + 1);
  if (!areAllDifferent(suffixes))
    for (std::size_t i = 0; i < names.size(); ++i)
      suffixes[i] = "#" + std::to_string(i + 1);
  return suffixes;
}

std::string sides(const std::uint32_t (&s)[3]) {
  return std::to_string(s[0]) + "×" + std::to_string(s[1]) + "×" + std::to_string(s[2]);
}
} // namespace

std::vector<std::string> kernelTitles(std::span<const NamedKernel> kernels) {
  std::map<std::string, std::set<std::string>> sharing; // short name → names
  for (const auto& kernel : kernels)
    sharing[kernel.shortName].insert(kernel.name);
  std::map<std::pair<std::string, std::string>, std::string> suffixes;
  for (const auto& [shortName, names] : sharing) {
    if (names.size() < 2)
      continue;
    const Words sorted(names.begin(), names.end());
    const Words differences = suffixesOf(sorted);
    for (std::size_t i = 0; i < sorted.size(); ++i)
      suffixes[{shortName, sorted[i]}] = (differences[i].empty() ? "" : differences[i].starts_with('#') ? " " : " · ") + differences[i];
  }
  std::vector<std::string> titles;
  for (const auto& kernel : kernels) {
    const auto suffix = suffixes.find({kernel.shortName, kernel.name});
    titles.push_back(kernel.shortName + (suffix == suffixes.end() ? std::string() : suffix->second));
  }
  return titles;
}

std::vector<std::string> shapeDifferences(std::span<const LaunchGeometry> shapes) {
  std::vector<std::string> words(shapes.size());
  const auto add = [&](auto text) {
    Words texts;
    for (const auto& shape : shapes)
      texts.push_back(text(shape));
    if (std::all_of(texts.begin(), texts.end(), [&](const std::string& t) { return t == texts.front(); }))
      return;
    for (std::size_t i = 0; i < texts.size(); ++i)
      words[i] += (words[i].empty() ? "" : ", ") + texts[i];
  };
  add([](const LaunchGeometry& s) { return "grid " + sides(s.grid); });
  add([](const LaunchGeometry& s) { return "block " + sides(s.block); });
  add([](const LaunchGeometry& s) { return std::to_string(s.registersPerThread) + " registers"; });
  add([](const LaunchGeometry& s) { return std::to_string(s.sharedMemoryBytes) + " B shared"; });
  return words;
}

} // namespace voxlab
