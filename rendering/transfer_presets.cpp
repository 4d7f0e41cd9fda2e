// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/transfer_presets.h"
#include "core/base/json.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {

Transfer mrHead() {
  return {"mr_head", "MR head", BlendMode::Composite, Lighting::On,
          {{0.00, 0.00}, {0.14, 0.00}, {0.24, 0.16}, {0.42, 0.24}, {0.65, 0.55}, {1.00, 0.80}},
          {{0.00, {0, 0, 0}}, {0.15, {140, 84, 62}}, {0.30, {222, 166, 134}}, {0.55, {244, 218, 194}}, {1.00, {255, 252, 246}}},
          0.35, 0.28, 0.95, 0.20, 20};
}

Transfer brain() {
  return {"brain", "Brain (skull-stripped)", BlendMode::Composite, Lighting::On,
          {{0.00, 0.00}, {0.22, 0.00}, {0.34, 0.35}, {0.60, 0.75}, {1.00, 0.95}},
          {{0.00, {40, 20, 20}}, {0.30, {150, 96, 92}}, {0.55, {216, 172, 160}}, {0.80, {244, 228, 214}}, {1.00, {255, 255, 250}}},
          0.8};
}

Transfer skin() {
  return {"skin", "Skin", BlendMode::Composite, Lighting::On,
          {{0.00, 0.00}, {0.10, 0.00}, {0.16, 0.60}, {0.25, 0.95}, {1.00, 1.00}},
          {{0.00, {120, 70, 52}}, {0.20, {214, 158, 128}}, {0.60, {240, 200, 172}}, {1.00, {255, 236, 220}}},
          1.0, 0.18, 0.85, 0.30, 24};
}

Transfer mip() {
  return {"mip", "Maximum intensity (MIP)", BlendMode::MaximumIntensity, Lighting::Off,
          {{0.00, 0.00}, {0.08, 0.00}, {1.00, 1.00}},
          {{0.00, {0, 0, 0}}, {1.00, {255, 255, 255}}},
          1.0};
}

Transfer glass() {
  return {"glass", "Glass (edges)", BlendMode::Composite, Lighting::On,
          {{0.00, 0.00}, {0.12, 0.00}, {0.22, 0.30}, {0.60, 0.45}, {1.00, 0.60}},
          {{0.00, {30, 60, 90}}, {0.30, {86, 160, 200}}, {0.60, {190, 225, 235}}, {1.00, {255, 255, 255}}},
          0.02, 0.25, 0.8, 0.6, 40};
}

// Positions are shares of a range about zero.
Transfer signedMap() {
  return {"signed", "Signed map (both sides of zero)", BlendMode::Composite, Lighting::On,
          {{0.00, 0.90}, {0.15, 0.50}, {0.30, 0.00}, {0.70, 0.00}, {0.85, 0.50}, {1.00, 0.90}},
          {{0.00, {28, 78, 190}}, {0.30, {150, 196, 240}}, {0.50, {247, 247, 247}}, {0.70, {248, 180, 150}}, {1.00, {200, 24, 36}}},
          1.0, 0.35, 0.80, 0.15, 20};
}

template <class Point> double shareBetween(const std::vector<Point>& points, double position, std::size_t& index) {
  index = 0;
  while (index + 2 < points.size() && position > points[index + 1].position)
    ++index;
  const double width = points[index + 1].position - points[index].position;
  return width > 0 ? std::clamp((position - points[index].position) / width, 0.0, 1.0) : 1.0;
}

std::optional<std::vector<double>> numbers(const Json& list, std::size_t count) {
  if (!list.is_array() || list.size() != count)
    return std::nullopt;
  std::vector<double> values;
  for (const auto& entry : list) {
    if (!entry.is_number() || !std::isfinite(entry.get<double>()))
      return std::nullopt;
    values.push_back(entry.get<double>());
  }
  return values;
}

Status readPoints(const Json& json, const std::string& what, Transfer& transfer) {
  const auto bad = [&] {
    return fail(ExitCode::Data, what + " is no rendering preset: it needs \"opacity\" as [position, opacity] and \"colours\" as "
                                       "[position, r, g, b], at least two of each.");
  };
  const auto opacity = json.find("opacity"), colours = json.find("colours");
  if (opacity == json.end() || colours == json.end() || !opacity->is_array() || !colours->is_array() || opacity->size() < 2 ||
      colours->size() < 2)
    return bad();
  for (const auto& entry : *opacity) {
    const auto v = numbers(entry, 2);
    if (!v)
      return bad();
    transfer.opacity.push_back({std::clamp((*v)[0], 0.0, 1.0), std::clamp((*v)[1], 0.0, 1.0)});
  }
  for (const auto& entry : *colours) {
    const auto v = numbers(entry, 4);
    if (!v)
      return bad();
    const auto channel = [&](int i) { return static_cast<std::uint8_t>(std::clamp((*v)[i], 0.0, 255.0)); };
    transfer.colours.push_back({std::clamp((*v)[0], 0.0, 1.0), {channel(1), channel(2), channel(3)}});
  }
  const auto byPosition = [](const auto& a, const auto& b) { return a.position < b.position; };
  std::stable_sort(transfer.opacity.begin(), transfer.opacity.end(), byPosition);
  std::stable_sort(transfer.colours.begin(), transfer.colours.end(), byPosition);
  return {};
}

} // namespace

const std::vector<Transfer>& transferPresets() {
  static const std::vector<Transfer> presets{mrHead(), brain(), skin(), glass(), mip(), signedMap()};
  return presets;
}

const Transfer* transferPreset(const std::string& key) {
  for (const auto& preset : transferPresets())
    if (preset.key == key)
      return &preset;
  return nullptr;
}

std::string transferToJson(const Transfer& t) {
  Json json{{"title", t.title},
            {"blend", t.blend == BlendMode::MaximumIntensity ? "maximum" : "composite"},
            {"lighting", t.lighting == Lighting::On},
            {"flat_share", t.flatShare},
            {"ambient", t.ambient},
            {"diffuse", t.diffuse},
            {"specular", t.specular},
            {"specular_power", t.specularPower},
            {"opacity", Json::array()},
            {"colours", Json::array()}};
  for (const auto& p : t.opacity)
    json["opacity"].push_back({p.position, p.opacity});
  for (const auto& p : t.colours)
    json["colours"].push_back({p.position, p.colour.r, p.colour.g, p.colour.b});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Transfer> transferFromJson(const std::string& text, const std::string& what) {
  const auto json = parseJson(text, what);
  if (!json)
    return fail(json.error());
  if (!json->is_object())
    return fail(ExitCode::Data, what + " is no rendering preset: it holds no JSON object.");
  Transfer transfer;
  if (const auto status = readPoints(*json, what, transfer); !status)
    return fail(status.error());
  const auto number = [&](const char* key, double fallback, double high) {
    return std::clamp(jsonGet<double>(*json, key).value_or(fallback), 0.0, high);
  };
  transfer.title = jsonGet<std::string>(*json, "title").value_or(what);
  transfer.key = transfer.title;
  transfer.blend = jsonGet<std::string>(*json, "blend") == "maximum" ? BlendMode::MaximumIntensity : BlendMode::Composite;
  transfer.lighting = jsonGet<bool>(*json, "lighting").value_or(true) ? Lighting::On : Lighting::Off;
  transfer.flatShare = number("flat_share", 1, 1);
  transfer.ambient = number("ambient", transfer.ambient, 1);
  transfer.diffuse = number("diffuse", transfer.diffuse, 1);
  transfer.specular = number("specular", transfer.specular, 1);
  transfer.specularPower = number("specular_power", transfer.specularPower, 128);
  return transfer;
}

double opacityAt(const Transfer& t, double position) {
  std::size_t i = 0;
  if (t.opacity.size() < 2)
    return 0;
  const double share = shareBetween(t.opacity, position, i);
  return t.opacity[i].opacity + share * (t.opacity[i + 1].opacity - t.opacity[i].opacity);
}

Rgb colourAt(const Transfer& t, double position) {
  std::size_t i = 0;
  if (t.colours.size() < 2)
    return {};
  const double share = shareBetween(t.colours, position, i);
  const Rgb a = t.colours[i].colour, b = t.colours[i + 1].colour;
  const auto mix = [share](std::uint8_t x, std::uint8_t y) { return static_cast<std::uint8_t>(std::lround(x + share * (y - x))); };
  return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b)};
}

} // namespace voxlab
