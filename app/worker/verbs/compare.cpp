// SPDX-License-Identifier: Apache-2.0
// voxlab-worker compare RUN… --baseline RUN: one document about several runs, as text, JSON, CSV, Markdown or one HTML page.
#include "app/worker/comparison_document.h"
#include "app/worker/log.h"
#include "app/worker/report_format.h"
#include "core/base/failure.h"
#include "core/base/files.h"
#include "core/protocol/find_run.h"
#include <cstdio>

namespace voxlab {

ExitCode compare(const CompareOptions& options) {
  // A run without a result yet is a note in the document; a folder that is no run is a slip in the command.
  for (const Path& folder : options.runs)
    valueOrThrow(findRun(folder));
  const ReportDocument document = comparisonDocument(options);
  for (const Json& note : document.data.at("notes"))
    log::warning(note.get<std::string>());
  const std::string text = writeReport(document, reportFormatOf(options.format));
  if (options.output.empty())
    std::fputs(text.c_str(), stdout);
  else
    valueOrThrow(writeFileAtomically(options.output, text));
  return ExitCode::Finished;
}

} // namespace voxlab
