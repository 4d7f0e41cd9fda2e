// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/events.h"

namespace voxlab {
namespace {
// Everything but the named members.
Json withoutMembers(const Json& json, std::initializer_list<std::string_view> names) {
  Json rest = json;
  for (const auto name : names)
    rest.erase(std::string(name));
  return rest;
}
} // namespace

Json toJson(const Event& event) {
  Json json{{"type", event.type}, {"time_s", event.time_s}};
  json.update(event.fields);
  return json;
}

Result<Event> eventFromJson(const Json& json) {
  const auto type = jsonGet<std::string>(json, "type");
  if (!type)
    return fail(ExitCode::Data, "An event has no type: " + compactJson(json).substr(0, 200));
  return Event{*type, jsonGet<double>(json, "time_s").value_or(0), withoutMembers(json, {"type", "time_s"})};
}

Json toJson(const ControlRequest& request) {
  Json json{{"id", request.id}, {"command", request.command}, {"wall_time", request.wall_time}};
  json.update(request.fields);
  return json;
}

Result<ControlRequest> controlRequestFromJson(const Json& json) {
  ControlRequest request;
  request.id = jsonGet<std::string>(json, "id").value_or("");
  request.command = jsonGet<std::string>(json, "command").value_or("");
  if (request.id.empty() || request.command.empty())
    return fail(ExitCode::Data, "A request has no id or no command: " + compactJson(json).substr(0, 200));
  request.wall_time = jsonGet<std::string>(json, "wall_time").value_or("");
  request.fields = withoutMembers(json, {"id", "command", "wall_time"});
  return request;
}

} // namespace voxlab
