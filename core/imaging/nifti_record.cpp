// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/nifti_record.h"
#include <span>

namespace voxlab {
namespace {
struct Named {
  std::int64_t code;
  const char* words;
};
constexpr Named kForms[]{{0, "none"}, {1, "scanner"}, {2, "aligned to another image"}, {3, "Talairach"}, {4, "MNI 152"}, {5, "another template"}};
constexpr Named kLengths[]{{1, "m"}, {2, "mm"}, {3, "µm"}};
constexpr Named kTimes[]{{8, "s"}, {16, "ms"}, {24, "µs"}, {32, "Hz"}, {40, "ppm"}, {48, "rad/s"}};
constexpr Named kIntents[]{{2, "correlation"},      {3, "t statistic"},    {4, "F statistic"},    {5, "Z score"},
                           {6, "χ² statistic"},     {22, "p value"},       {23, "log p value"},   {24, "log10 p value"},
                           {1001, "estimate"},      {1002, "label"},       {1003, "neuron name"}, {1004, "matrix"},
                           {1005, "symmetric matrix"}, {1006, "displacement"}, {1007, "vector"},   {2001, "time series"},
                           {2003, "RGB"},           {2004, "RGBA"},        {2005, "shape"}};

const char* wordsOf(std::span<const Named> table, std::int64_t code) {
  for (const Named& row : table)
    if (row.code == code)
      return row.words;
  return nullptr;
}
} // namespace

std::string formCodeInWords(std::int64_t code) {
  const char* words = wordsOf(kForms, code);
  return words ? std::string(words) : "code " + std::to_string(code);
}

std::string unitsInWords(std::int64_t units) {
  const char *length = wordsOf(kLengths, units & 7), *time = wordsOf(kTimes, units & 56);
  if (!length && !time)
    return "not said";
  std::string words = length ? length : "length not said";
  if (time) {
    words += " and ";
    words += time;
  }
  return words;
}

std::string intentInWords(std::int64_t code) {
  if (code == 0)
    return {};
  const char* words = wordsOf(kIntents, code);
  return words ? std::string(words) : "code " + std::to_string(code);
}

} // namespace voxlab
