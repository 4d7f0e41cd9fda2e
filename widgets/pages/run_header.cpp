// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/run_header.h"
#include "core/base/text.h"
#include "widgets/models/run_words.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/run_delegate.h"
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QResizeEvent>
#include <QVBoxLayout>

namespace voxlab {
namespace {
constexpr int kGlyphSize = 16, kWideFrom = 860, kLeastWidth = 560;

QPixmap glyphPixmap(const RunHeading& heading, const QPalette& palette, qreal ratio) {
  QPixmap pixmap(QSize(kGlyphSize, kGlyphSize) * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  paintStateGlyph(painter, QRectF(1, 1, kGlyphSize - 2, kGlyphSize - 2), heading.outcome, heading.phase, themeColours(palette));
  return pixmap;
}
} // namespace

RunHeader::RunHeader(QWidget* parent) : QFrame(parent) {
  setRole(this, "header-top");
  m_glyph = makeLabel({}, nullptr, this);
  m_title = new ElidedLabel("title", this);
  m_subtitle = new ElidedLabel("caption", this);
  m_progressText = makeLabel({}, "caption", this);
  m_progress = new QProgressBar(this);
  m_progress->setRange(0, 1000);
  m_progress->setTextVisible(false);
  m_progress->setAccessibleName(tr("Progress of the run"));
  m_pause = makeButton(tr("Pause"), nullptr, QStringLiteral("pause"), this);
  m_stop = makeButton(tr("Stop"), "danger", QStringLiteral("stop"), this);
  m_sample = makeButton(tr("Sample now"), nullptr, QStringLiteral("sample"), this);
  m_checkpoint = makeButton(tr("Checkpoint"), nullptr, QStringLiteral("checkpoint"), this);
  m_profile = makeButton(tr("Profile"), nullptr, QStringLiteral("profile"), this);
  m_restart = makeButton(tr("Go on"), "primary", QStringLiteral("play"), this);
  m_banner = new QFrame(this);
  setRole(m_banner, "banner-danger");
  auto* bannerRow = new QHBoxLayout(m_banner);
  bannerRow->setContentsMargins(12, kSpaceSmall, kSpaceSmall, kSpaceSmall);
  m_bannerText = makeWrappedLabel({}, nullptr, m_banner);
  m_showLog = makeButton(tr("Show the log"), "link", {}, m_banner);
  bannerRow->addWidget(m_bannerText, 1);
  bannerRow->addWidget(m_showLog);
  m_banner->hide();

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(24, 12, 24, kSpace);
  column->setSpacing(kSpace);
  auto* head = new QHBoxLayout;
  head->setSpacing(kSpace);
  head->addWidget(m_glyph);
  head->addWidget(m_title, 1);
  for (QPushButton* button : {m_pause, m_sample, m_profile, m_checkpoint, m_stop, m_restart})
    head->addWidget(button);
  column->addLayout(head);
  auto* second = new QHBoxLayout;
  second->setSpacing(kSpaceLarge);
  second->addWidget(m_subtitle, 1);
  second->addWidget(m_progressText);
  column->addLayout(second);
  column->addWidget(m_progress);
  column->addWidget(m_banner);

  setMinimumWidth(kLeastWidth); // not what all the buttons take with words: some lose theirs when the window becomes narrow
  showButtons();

  connect(m_pause, &QPushButton::clicked, this, [this] {
    emit requested(m_heading.phase == RunPhase::Paused ? QStringLiteral("resume") : QStringLiteral("pause"));
  });
  connect(m_stop, &QPushButton::clicked, this, [this] { emit requested(QStringLiteral("stop")); });
  connect(m_sample, &QPushButton::clicked, this, [this] { emit requested(QStringLiteral("sample_now")); });
  connect(m_checkpoint, &QPushButton::clicked, this, [this] { emit requested(QStringLiteral("checkpoint_now")); });
  connect(m_profile, &QPushButton::clicked, this, &RunHeader::profileRequested);
  connect(m_restart, &QPushButton::clicked, this, &RunHeader::restartRequested);
  connect(m_showLog, &QPushButton::clicked, this, &RunHeader::logRequested);
}

void RunHeader::setHeading(const RunHeading& heading) {
  m_heading = heading;
  m_glyph->setVisible(heading.isRun());
  m_glyph->setPixmap(glyphPixmap(heading, palette(), devicePixelRatioF()));
  m_title->setText(heading.title);
  m_subtitle->setText(heading.subtitle);
  showButtons();
  showProgress();
  const bool bad = heading.outcome == RunOutcome::Failed || heading.outcome == RunOutcome::Lost;
  m_banner->setVisible(bad);
  if (bad)
    m_bannerText->setText(heading.message.isEmpty() ? tr("This run ended without saying why.") : heading.message);
}

void RunHeader::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  showButtons();
}

void RunHeader::showButtons() {
  const bool live = m_heading.outcome == RunOutcome::Running && !m_heading.readOnly;
  const bool training = m_heading.kind == QLatin1String("train");
  const bool paused = m_heading.phase == RunPhase::Paused;
  const bool pausing = isPending("pause") || m_heading.phase == RunPhase::Pausing;
  const bool stopping = isPending("stop") || m_heading.phase == RunPhase::Stopping;
  const bool wide = width() > kWideFrom; // narrow windows keep the icons only
  m_pause->setVisible(live);
  m_stop->setVisible(live);
  m_sample->setVisible(live && training);
  m_checkpoint->setVisible(live && training);
  m_profile->setVisible(m_heading.takesProfileRequest());
  m_pause->setText(pausing && !paused ? tr("pausing…") : isPending("resume") ? tr("resuming…") : paused ? tr("Resume") : tr("Pause"));
  m_pause->setIcon(themedIcon(paused ? QStringLiteral("play") : QStringLiteral("pause")));
  m_pause->setEnabled(!stopping && !isPending("resume") && (!pausing || paused));
  m_pause->setToolTip(paused ? tr("Go on training (Space)") : tr("Finish the step, then wait (Space)"));
  m_stop->setText(stopping ? tr("stopping…") : tr("Stop"));
  m_stop->setEnabled(!stopping);
  m_stop->setToolTip(tr("Write a checkpoint and end. It can go on later."));
  m_sample->setEnabled(!stopping && !isPending("sample_now"));
  m_sample->setText(!wide ? QString() : isPending("sample_now") ? tr("asked…") : tr("Sample now"));
  m_sample->setToolTip(tr("Draw a volume with the weights as they are now."));
  m_sample->setAccessibleName(tr("Sample now"));
  m_checkpoint->setEnabled(!stopping && !isPending("checkpoint_now"));
  m_checkpoint->setText(!wide ? QString() : isPending("checkpoint_now") ? tr("asked…") : tr("Checkpoint"));
  m_checkpoint->setToolTip(tr("Write the full state now."));
  m_checkpoint->setAccessibleName(tr("Checkpoint now"));
  m_profile->setEnabled(!stopping && !isPending("profile_next"));
  m_profile->setText(isPending("profile_next") ? tr("asked…") : tr("Profile"));
  m_profile->setToolTip(tr("Record the next %1 steps kernel by kernel; the Kernels page shows them.").arg(kProfiledSteps));
  m_profile->setAccessibleName(tr("Profile the next steps"));
  const bool ended = m_heading.outcome == RunOutcome::Stopped || m_heading.outcome == RunOutcome::Failed || m_heading.outcome == RunOutcome::Lost;
  m_restart->setVisible(!m_heading.readOnly && (m_heading.outcome == RunOutcome::Waiting || ended));
  m_restart->setText(m_heading.outcome == RunOutcome::Waiting ? tr("Start") : m_heading.canResumeFromCheckpoint ? tr("Go on") : tr("Start over"));
  m_restart->setToolTip(m_heading.canResumeFromCheckpoint ? tr("A worker goes on from the last checkpoint.") : tr("A worker starts from the beginning: there is no checkpoint yet."));
}

void RunHeader::showProgress() {
  QStringList parts;
  const bool live = m_heading.outcome == RunOutcome::Running;
  if (m_heading.isRun())
    parts << (live && m_heading.phase != RunPhase::Unknown ? phaseWord(m_heading.phase) : outcomeWord(m_heading.outcome));
  if (m_heading.totalSteps && *m_heading.totalSteps > 0)
    parts << tr("step %1 of %2").arg(QString::fromStdString(formatCount(m_heading.step)), QString::fromStdString(formatCount(*m_heading.totalSteps)));
  if (live && m_heading.fraction)
    parts << tr("%1 %").arg(static_cast<int>(*m_heading.fraction * 100));
  if (m_heading.loss)
    parts << tr("average loss %1").arg(QString::fromStdString(formatSignificant(*m_heading.loss)));
  if (m_heading.volumesPerSecond)
    parts << tr("%1 volumes/s").arg(QString::fromStdString(formatSignificant(*m_heading.volumesPerSecond)));
  if (live && m_heading.timeLeft_s)
    parts << tr("%1 left").arg(QString::fromStdString(formatDuration(*m_heading.timeLeft_s)));
  else if (!live && m_heading.runTime_s && *m_heading.runTime_s > 0)
    parts << tr("took %1").arg(QString::fromStdString(formatDuration(*m_heading.runTime_s)));
  m_progressText->setText(parts.join(QStringLiteral(" · ")));
  m_progress->setVisible(live);
  if (!live)
    return;
  if (m_heading.fraction) {
    m_progress->setRange(0, 1000);
    m_progress->setValue(static_cast<int>(*m_heading.fraction * 1000));
  } else {
    m_progress->setRange(0, 0); // busy
  }
}

} // namespace voxlab
