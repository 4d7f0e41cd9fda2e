// SPDX-License-Identifier: Apache-2.0
#include "app/worker/verbs/import_profile.h"
#include "app/worker/environment.h"
#include "app/worker/log.h"
#include "app/worker/signals.h"
#include "core/analysis/counters.h"
#include "core/analysis/profile_summary.h"
#include "core/analysis/trace_reader.h"
#include "core/base/failure.h"
#include "core/base/text.h"
#include "core/profiling/gzip_file.h"
#include "core/protocol/progress.h"
#include "core/protocol/run_session.h"
#include <algorithm>
#include <array>
#include <cstdio>

namespace voxlab {
namespace {
namespace fs = std::filesystem;
constexpr int kFastCompression = 1; // traces of a gigabyte are not rare

std::string endingOf(const Path& file) {
  const Path name = file.extension() == ".gz" ? file.stem() : file.filename();
  return name.extension().string();
}

std::string counted(std::size_t count, const std::string& what) {
  return formatCount(static_cast<std::int64_t>(count)) + " " + what + (count == 1 ? "" : what.ends_with("ch") ? "es" : "s");
}

// The first character that is not blank.
char firstCharacter(const Path& file) {
  const auto source = openByteSource(file);
  std::array<char, 4096> buffer{};
  const auto count = source ? (*source)->read(buffer) : Result<std::size_t>(0);
  for (std::size_t i = 0; count && i < *count; ++i)
    if (!std::isspace(static_cast<unsigned char>(buffer[i])))
      return buffer[i];
  return '\0';
}

class ProfileImport {
public:
  ProfileImport(RunSession& session, const Path& trace, const std::vector<Path>& pages)
      : m_session(session), m_trace(trace), m_pages(pages), m_progress(session, "import", (trace.empty() ? 0 : 2) + (pages.empty() ? 0 : 1)) {}

  std::string work() {
    if (!m_trace.empty())
      importTrace();
    if (!m_pages.empty())
      importPages();
    return "Imported " + m_words + ".";
  }

private:
  // Progress also asks whether to stop: both are due a few times a megabyte.
  std::function<void(double)> teller() {
    return [this](double part) {
      m_progress.tellPart(m_done, part);
      if (m_session.stopRequested())
        m_cancel.request_stop();
    };
  }

  Path copyOf(const Path& file) {
    Path name = file.filename();
    if (name.extension() != ".gz")
      name += ".gz";
    const Path copy = m_session.run().profiles() / name;
    valueOrThrow(gzipFile(file, copy, {m_cancel.get_token(), teller(), kFastCompression}));
    return copy;
  }

  void importTrace() {
    TraceOptions options;
    options.cancel = m_cancel.get_token();
    options.progress = teller();
    const Trace trace = valueOrThrow(readTrace(m_trace, options));
    m_progress.tell(++m_done);
    Json environment{{"imported_from", m_trace.string()}, {"producer", trace.producer}};
    if (!trace.devices.empty())
      environment["device_name"] = trace.devices.front().name;
    m_session.appendEnvironment(std::move(environment));
    Json fields = profileSummary(trace, KernelIndex(trace));
    fields["path"] = m_session.run().relative(copyOf(m_trace)).string();
    m_session.emit(event::kProfile, std::move(fields));
    m_progress.tell(++m_done);
    for (const std::string& note : trace.notes)
      log::info(note);
    m_words = counted(trace.gpu.size(), trace.hasGpu() ? "GPU event" : "operator") + " in " + counted(trace.steps.size(), "step") + " from " + m_trace.filename().string();
  }

  void importPages() {
    const NcuReport report = valueOrThrow(readNcuReport(m_pages));
    if (m_trace.empty())
      m_session.appendEnvironment({{"imported_from", m_pages.front().string()}, {"device_name", report.deviceName}});
    for (const Path& page : m_pages)
      m_session.emit(event::kProfile, {{"path", m_session.run().relative(copyOf(page)).string()}, {"what", "counters"}});
    for (const std::string& note : report.notes)
      log::info(note);
    m_progress.tell(++m_done);
    m_words += (m_words.empty() ? "" : " and ") + std::string("counters of ") + counted(report.launches.size(), "launch") + " from ";
    for (std::size_t i = 0; i < m_pages.size(); ++i)
      m_words += (i == 0 ? "" : i + 1 < m_pages.size() ? ", " : " and ") + m_pages[i].filename().string();
  }

  RunSession& m_session;
  Path m_trace;
  std::vector<Path> m_pages;
  Progress m_progress;
  std::stop_source m_cancel;
  std::int64_t m_done = 0;
  std::string m_words;
};

RunDirectory createRun(const Path& trace, const std::vector<Path>& pages, const Path& runs) {
  JobSpec spec("import");
  Json files = Json::array();
  for (const Path& page : pages)
    files.push_back(fs::absolute(page).lexically_normal().string());
  if (!trace.empty())
    files.insert(files.begin(), fs::absolute(trace).lexically_normal().string());
  RunInfo info;
  info.title = (trace.empty() ? pages.front() : trace).filename().string();
  info.versions = versions();
  spec.set("import.files", std::move(files));
  return valueOrThrow(RunDirectory::create(runs, spec, info));
}

void fillRun(const RunDirectory& run, const Path& trace, const std::vector<Path>& counterPages) {
  const auto session = valueOrThrow(RunSession::start(run, {}));
  const StopSignals signals(*session);
  try {
    const std::string words = ProfileImport(*session, trace, counterPages).work();
    session->finish(ExitCode::Finished, words);
    log::info(words);
  } catch (const Failure& failure) {
    session->finish(failure.code(), failure.what());
    throw;
  }
}
} // namespace

ImportedFile kindOfImport(const Path& file) {
  std::error_code ec;
  if (fs::is_directory(file, ec))
    return ImportedFile::Weights;
  const std::string ending = endingOf(file);
  if (ending == ".json" || ending == ".trace")
    return ImportedFile::Trace;
  if (ending == ".csv")
    return ImportedFile::Counters;
  if (ending == ".pt" || ending == ".pth" || ending == ".safetensors")
    return ImportedFile::Weights;
  const char first = firstCharacter(file);
  if (first == '{' || first == '[')
    return ImportedFile::Trace;
  return first == '"' || first == '=' ? ImportedFile::Counters : ImportedFile::Weights;
}

void importProfile(const Path& trace, const std::vector<Path>& counterPages, const Path& runs) {
  const RunDirectory run = createRun(trace, counterPages, runs);
  try {
    fillRun(run, trace, counterPages);
  } catch (...) {
    std::error_code ec; // what went wrong is thrown on
    fs::remove_all(run.path(), ec);
    throw;
  }
  std::printf("%s\n", run.path().c_str());
}

} // namespace voxlab
