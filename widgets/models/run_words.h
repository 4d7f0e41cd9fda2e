// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs and their states in the user's words.
#pragma once
#include "core/analysis/run_state.h"
#include "core/protocol/job_spec.h"
#include <QDateTime>
#include <QString>

namespace voxlab {

QString kindTitle(const std::string& kind);       // "Train"
QString kindExplanation(const std::string& kind); // what such a job does, in a sentence
QString kindIcon(const std::string& kind);        // a name for themedIcon()
QString outcomeWord(RunOutcome outcome);          // "finished"
QString phaseWord(RunPhase phase);                // "pausing…"
QString ageWord(const QDateTime& then, const QDateTime& now); // "just now", "12 min", "3 h", "5 d", then the date

// "64³" or "192×192×144"; empty when the specification has no size.
QString sizeWords(const JobSpec& spec);
// A short name: "Train colin27 64³", from kind, data or checkpoint, and size.
QString jobTitle(const JobSpec& spec);
// Answers "what was this?": "Training at 64³ for 20 steps from starter, DPM-Solver++ samples every 20 steps, mode opt12".
QString specInWords(const JobSpec& spec);

} // namespace voxlab
