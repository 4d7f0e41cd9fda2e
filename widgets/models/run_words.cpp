// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_words.h"
#include "core/base/text.h"
#include <QCoreApplication>
#include <QLocale>
#include <filesystem>

namespace voxlab {
namespace {
QString tr(const char* text) { return QCoreApplication::translate("RunWords", text); }

struct KindWords {
  const char* kind;
  const char* title;
  const char* explanation;
};
constexpr KindWords kKinds[] = {
    {"train", QT_TRANSLATE_NOOP("RunWords", "Train"), QT_TRANSLATE_NOOP("RunWords", "Teach a network to synthesise MRI from label masks.")},
    {"sample", QT_TRANSLATE_NOOP("RunWords", "Sample"), QT_TRANSLATE_NOOP("RunWords", "Draw new volumes from a checkpoint, one a mask and seed.")},
    {"bench", QT_TRANSLATE_NOOP("RunWords", "Benchmark"), QT_TRANSLATE_NOOP("RunWords", "Time training and sampling steps in several modes.")},
    {"profile", QT_TRANSLATE_NOOP("RunWords", "Profile"), QT_TRANSLATE_NOOP("RunWords", "See which kernels the time goes to.")},
    {"verify", QT_TRANSLATE_NOOP("RunWords", "Verify"), QT_TRANSLATE_NOOP("RunWords", "Check a mode's results against the reference.")},
    {"quality", QT_TRANSLATE_NOOP("RunWords", "Quality"), QT_TRANSLATE_NOOP("RunWords", "Measure how close samples are to real volumes.")},
    {"import", QT_TRANSLATE_NOOP("RunWords", "Import"), QT_TRANSLATE_NOOP("RunWords", "Results that were recorded elsewhere.")},
};

const KindWords* wordsOf(const std::string& kind) {
  for (const KindWords& words : kKinds)
    if (kind == words.kind)
      return &words;
  return nullptr;
}

QString fileName(const std::string& path) {
  std::filesystem::path p(path);
  if (!p.has_filename())
    p = p.parent_path();
  return QString::fromStdString(p.filename().string());
}

QString count(std::int64_t value) { return QString::fromStdString(formatCount(value)); }

QString trainingWords(const JobSpec& spec) {
  QString words = tr("Training");
  if (const QString size = sizeWords(spec); !size.isEmpty())
    words += tr(" at %1").arg(size);
  if (const double passes = spec.get<double>("train.passes"); passes > 0)
    words += tr(" for %1 passes over the data").arg(QString::fromStdString(formatSignificant(passes)));
  else if (const auto steps = spec.get<std::int64_t>("train.steps"); steps > 0)
    words += tr(" for %1 steps").arg(count(steps));
  if (const auto start = spec.get<std::string>("train.start"); !start.empty())
    words += tr(", starting from %1").arg(fileName(start));
  if (const auto every = spec.get<std::int64_t>("train.sample_every"); every > 0)
    words += tr(", a sample every %1 steps").arg(count(every));
  return words;
}

QString samplingWords(const JobSpec& spec) {
  QString words = tr("Sampling");
  if (const auto checkpoint = spec.get<std::string>("sample.checkpoint"); !checkpoint.empty())
    words += tr(" from %1").arg(fileName(checkpoint));
  if (const auto masks = spec.get<std::string>("sample.masks"); !masks.empty())
    words += tr(" with masks of %1").arg(fileName(masks));
  if (const auto sampler = spec.get<std::string>("sample.sampler"); !sampler.empty())
    words += tr(", sampler %1").arg(QString::fromStdString(sampler));
  if (const auto steps = spec.get<std::int64_t>("sample.steps"); steps > 0)
    words += tr(", %1 steps").arg(count(steps));
  return words;
}

QString benchWords(const JobSpec& spec) {
  const Json& modes = spec.value("bench.modes");
  QString words = modes.is_array() ? tr("Timing %1 modes").arg(modes.size()) : tr("Timing");
  if (const QString size = sizeWords(spec); !size.isEmpty())
    words += tr(" at %1").arg(size);
  return words;
}
} // namespace

QString kindTitle(const std::string& kind) {
  const KindWords* words = wordsOf(kind);
  return words ? tr(words->title) : QString::fromStdString(kind);
}

QString kindExplanation(const std::string& kind) {
  const KindWords* words = wordsOf(kind);
  return words ? tr(words->explanation) : QString();
}

QString kindIcon(const std::string& kind) { return wordsOf(kind) ? QString::fromStdString(kind) : QStringLiteral("file"); }

QString outcomeWord(RunOutcome outcome) {
  switch (outcome) {
  case RunOutcome::Waiting: return tr("waiting");
  case RunOutcome::Running: return tr("running");
  case RunOutcome::Finished: return tr("finished");
  case RunOutcome::Stopped: return tr("stopped");
  case RunOutcome::Failed: return tr("failed");
  case RunOutcome::Lost: return tr("lost");
  case RunOutcome::Unknown: break;
  }
  return tr("unknown");
}

QString phaseWord(RunPhase phase) {
  switch (phase) {
  case RunPhase::Preparing: return tr("preparing…");
  case RunPhase::Running: return tr("running");
  case RunPhase::Pausing: return tr("pausing…");
  case RunPhase::Paused: return tr("paused");
  case RunPhase::Sampling: return tr("sampling");
  case RunPhase::Checkpointing: return tr("writing checkpoint");
  case RunPhase::Stopping: return tr("stopping…");
  case RunPhase::Unknown: break;
  }
  return {};
}

QString ageWord(const QDateTime& then, const QDateTime& now) {
  if (!then.isValid())
    return {};
  const qint64 seconds = then.secsTo(now);
  if (seconds < 60)
    return tr("just now");
  if (seconds < 3600)
    return tr("%1 min").arg(seconds / 60);
  if (seconds < 86400)
    return tr("%1 h").arg(seconds / 3600);
  if (seconds < 7 * 86400)
    return tr("%1 d").arg(seconds / 86400);
  return QLocale().toString(then.toLocalTime().date(), QLocale::ShortFormat);
}

QString sizeWords(const JobSpec& spec) {
  const Json& size = spec.value("data.size");
  if (!size.is_array() || size.size() != 3 || !size[0].is_number_integer() || !size[1].is_number_integer() || !size[2].is_number_integer())
    return {};
  if (size[0] == size[1] && size[1] == size[2])
    return QString::number(size[0].get<std::int64_t>()) + QStringLiteral("³");
  return QStringLiteral("%1×%2×%3").arg(size[0].get<std::int64_t>()).arg(size[1].get<std::int64_t>()).arg(size[2].get<std::int64_t>());
}

QString jobTitle(const JobSpec& spec) {
  QString subject;
  for (const char* key : {"data.images", "sample.checkpoint", "sample.masks"}) {
    std::filesystem::path path(spec.get<std::string>(key));
    if (path.empty() || !subject.isEmpty())
      continue;
    if (!path.has_filename())
      path = path.parent_path();
    const bool plain = path.filename() == "images" || path.filename() == "image" || path.filename() == "imagesTr"; // says nothing
    subject = fileName(plain ? path.parent_path().string() : path.string());
  }
  QStringList parts{kindTitle(spec.kind())};
  for (const QString& part : {subject, sizeWords(spec)})
    if (!part.isEmpty())
      parts << part;
  return parts.join(QLatin1Char(' '));
}

QString specInWords(const JobSpec& spec) {
  QString words;
  if (spec.kind() == "train")
    words = trainingWords(spec);
  else if (spec.kind() == "sample")
    words = samplingWords(spec);
  else if (spec.kind() == "bench")
    words = benchWords(spec);
  else
    words = kindTitle(spec.kind());
  if (const auto mode = spec.get<std::string>("mode"); !mode.empty() && spec.kind() != "bench")
    words += tr(", mode %1").arg(QString::fromStdString(mode));
  return words;
}

} // namespace voxlab
