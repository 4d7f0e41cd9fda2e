// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/label_table.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace voxlab {
namespace {

using Fields = std::vector<std::string>;

// Splits at blanks; a quoted field keeps its blanks.
Fields fieldsOf(std::string_view line) {
  Fields fields;
  std::size_t i = 0;
  while (i < line.size()) {
    if (std::isspace(static_cast<unsigned char>(line[i])) || line[i] == ',') {
      ++i;
      continue;
    }
    const bool quoted = line[i] == '"';
    const std::size_t begin = i + (quoted ? 1 : 0);
    std::size_t end = begin;
    while (end < line.size() && (quoted ? line[end] != '"' : !std::isspace(static_cast<unsigned char>(line[end])) && line[end] != ','))
      ++end;
    fields.emplace_back(line.substr(begin, end - begin));
    i = end + (quoted ? 1 : 0);
  }
  return fields;
}

std::optional<std::int64_t> integer(const std::string& field) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc{} || end != field.data() + field.size())
    return std::nullopt;
  return value;
}

double opacityOf(const std::string& field) {
  double value = 1;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  return error == std::errc{} && end == field.data() + field.size() && value >= 0 && value <= 1 ? value : 1;
}

std::string opacityText(double opacity) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), opacity, std::chars_format::general, 6);
  return error == std::errc{} ? std::string(text.data(), end) : std::string("1");
}

std::optional<std::uint8_t> channel(const std::string& field) {
  const auto value = integer(field);
  if (!value || *value < 0 || *value > 255)
    return std::nullopt;
  return static_cast<std::uint8_t>(*value);
}

std::optional<std::array<std::uint8_t, 3>> colourAt(const Fields& fields, std::size_t first) {
  if (fields.size() < first + 3)
    return std::nullopt;
  const auto r = channel(fields[first]), g = channel(fields[first + 1]), b = channel(fields[first + 2]);
  if (!r || !g || !b)
    return std::nullopt;
  return std::array{*r, *g, *b};
}

// IDX R G B A VIS MSH "LABEL"
std::optional<Label> itkSnapLine(const Fields& fields) {
  const auto colour = colourAt(fields, 1);
  if (fields.size() != 8 || !colour || !integer(fields[5]))
    return std::nullopt;
  return Label{*integer(fields[0]), fields[7], *colour, fields[5] != "0", opacityOf(fields[4])};
}

// No. Name R G B A
std::optional<Label> freeSurferLine(const Fields& fields) {
  const auto colour = colourAt(fields, 2);
  if (fields.size() < 5 || !colour)
    return std::nullopt;
  return Label{*integer(fields[0]), fields[1], *colour, true};
}

std::optional<Label> namedLine(const Fields& fields) {
  if (fields.size() < 2)
    return std::nullopt;
  std::string name = fields[1];
  for (std::size_t i = 2; i < fields.size() && !integer(fields[i]); ++i)
    name += " " + fields[i];
  const std::int64_t value = *integer(fields[0]);
  return Label{value, name, generatedColour(value), true};
}

LabelTable sorted(std::map<std::int64_t, Label> byValue, std::string title) {
  LabelTable table{std::move(title), {}};
  for (auto& [value, label] : byValue)
    table.labels.push_back(std::move(label));
  return table;
}

Result<LabelTable> fromJson(std::string_view text, const std::string& title) {
  const auto json = parseJson(text, title);
  if (!json)
    return fail(json.error());
  std::map<std::int64_t, Label> labels;
  const auto list = json->is_object() ? json->find("labels") : json->end();
  if (!json->is_object() || list == json->end() || !list->is_array())
    return fail(ExitCode::Data, title + " is JSON, but has no array \"labels\". Each entry needs \"value\" and \"name\".");
  for (const auto& entry : *list) {
    const auto value = jsonGet<std::int64_t>(entry, "value");
    if (!value)
      continue;
    Label label{*value, jsonGet<std::string>(entry, "name").value_or("Label " + std::to_string(*value)), generatedColour(*value),
                jsonGet<bool>(entry, "visible").value_or(true), std::clamp(jsonGet<double>(entry, "opacity").value_or(1), 0.0, 1.0)};
    const auto colour = entry.find("colour");
    if (colour != entry.end() && colour->is_array() && colour->size() == 3 &&
        std::all_of(colour->begin(), colour->end(), [](const Json& c) { return c.is_number_unsigned() && c.get<std::uint64_t>() < 256; }))
      label.colour = {(*colour)[0].get<std::uint8_t>(), (*colour)[1].get<std::uint8_t>(), (*colour)[2].get<std::uint8_t>()};
    labels[*value] = label;
  }
  if (labels.empty())
    return fail(ExitCode::Data, title + " holds no labels. Each entry of \"labels\" needs \"value\" and \"name\".");
  return sorted(std::move(labels), jsonGet<std::string>(*json, "title").value_or(title));
}

} // namespace

const Label* LabelTable::find(std::int64_t value) const {
  const auto it = std::lower_bound(labels.begin(), labels.end(), value, [](const Label& l, std::int64_t v) { return l.value < v; });
  return it != labels.end() && it->value == value ? &*it : nullptr;
}

Label* LabelTable::find(std::int64_t value) { return const_cast<Label*>(std::as_const(*this).find(value)); }

std::array<std::uint8_t, 3> generatedColour(std::int64_t value) {
  const double hue = std::fmod(static_cast<double>(value) * 0.6180339887498949, 1.0) * 6 + (value < 0 ? 6 : 0);
  const double lightness = value % 3 == 0 ? 0.95 : value % 3 == 1 ? 0.85 : 0.75, saturation = value % 2 == 0 ? 0.75 : 0.6;
  const auto level = [&](double n) { // HSV to RGB: f(n) = V − V·S·max(0, min(k, 4−k, 1)), k = (n + H/60°) mod 6
    const double k = std::fmod(n + hue, 6.0);
    return static_cast<std::uint8_t>(255 * (lightness - lightness * saturation * std::max(0.0, std::min({k, 4 - k, 1.0}))));
  };
  return {level(5), level(3), level(1)};
}

Result<LabelTable> parseLabelTable(std::string_view text, const std::string& title) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && text[start] == '{')
    return fromJson(text, title);
  std::map<std::int64_t, Label> labels;
  for (const auto& line : split(text, '\n')) {
    const std::string content = trimmed(line);
    if (content.empty() || content[0] == '#')
      continue;
    const Fields fields = fieldsOf(content);
    if (fields.empty() || !integer(fields[0]))
      continue;
    auto label = itkSnapLine(fields);
    if (!label)
      label = freeSurferLine(fields);
    if (!label)
      label = namedLine(fields);
    if (label)
      labels[label->value] = *label;
  }
  if (labels.empty())
    return fail(ExitCode::Data, title + " is no label table: ITK-SNAP label files, FreeSurfer colour tables, lines of \"value name\" and "
                                        "JSON with an array \"labels\" can be read.");
  return sorted(std::move(labels), title);
}

Result<LabelTable> readLabelTable(const std::filesystem::path& file) {
  const auto text = readTextFile(file, 16u << 20);
  if (!text)
    return fail(text.error());
  return parseLabelTable(*text, file.filename().string());
}

std::string labelTableToJson(const LabelTable& table) {
  Json json{{"title", table.title}, {"labels", Json::array()}};
  for (const auto& label : table.labels) {
    json["labels"].push_back({{"value", label.value},
                              {"name", label.name},
                              {"colour", {label.colour[0], label.colour[1], label.colour[2]}},
                              {"visible", label.visible}});
    if (label.opacity != 1)
      json["labels"].back()["opacity"] = label.opacity;
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string labelTableToItkSnap(const LabelTable& table) {
  std::string text = "# ITK-SnAP Label Description File\n# IDX   -R-  -G-  -B-  -A--  VIS MSH  LABEL\n"
                     "    0     0    0    0        0  0  0    \"Clear Label\"\n";
  for (const auto& label : table.labels) {
    std::string name = label.name;
    std::replace(name.begin(), name.end(), '"', '\'');
    text += std::to_string(label.value);
    for (const int c : label.colour)
      text += " " + std::to_string(c);
    text += " " + opacityText(label.opacity) + (label.visible ? " 1 1 \"" : " 0 0 \"") + name + "\"\n";
  }
  return text;
}

LabelTable tableFor(const std::vector<std::int64_t>& occurring, const LabelTable& names) {
  std::map<std::int64_t, Label> labels;
  for (const auto value : occurring) {
    if (value == 0)
      continue;
    const Label* known = names.find(value);
    labels[value] = known ? *known : Label{value, "Label " + std::to_string(value), generatedColour(value), true};
  }
  return sorted(std::move(labels), names.title);
}

std::optional<LabelTable> findLabelTableBeside(const std::filesystem::path& volume) {
  std::filesystem::path stem = volume.filename();
  const auto folder = volume.parent_path();
  std::vector<std::filesystem::path> candidates;
  for (int part = 0; part < 3; ++part) { // aal.nii.gz, aal.nii, aal
    for (const char* ending : {".txt", ".label", ".json", ".tsv", ".lut.txt"})
      candidates.push_back(folder / (stem.string() + ending));
    stem.replace_extension();
  }
  for (const char* name : {"labels.json", "labels.txt", "labels.label", "dseg.tsv"})
    candidates.push_back(folder / name);
  for (const auto& candidate : candidates) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(candidate, error))
      continue;
    if (auto table = readLabelTable(candidate))
      return *table;
  }
  return std::nullopt;
}

} // namespace voxlab
