// SPDX-License-Identifier: GPL-3.0-or-later
// How the compare page keeps what the user makes of a comparison.
#include "widgets/models/comparison_model.h"
#include "widgets/pages/compare_heat_table.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/compare_planning.h"
#include <QInputDialog>
#include <QMenu>
#include <QPushButton>
#include <QTimer>

namespace voxlab {

void ComparePage::setRunsFolder(const QString& folder) {
  if (m_shelf && m_saveTimer->isActive())
    (void)saveNow();
  m_shelf.emplace(folder.toStdString());
  m_savedName = ComparisonShelf::lastUsed();
  const auto saved = m_shelf->load(m_savedName);
  takeSaved(saved ? *saved : SavedComparison());
}

Status ComparePage::openSaved(const QString& name) {
  if (!m_shelf)
    return {};
  const auto saved = m_shelf->load(name);
  if (!saved)
    return fail(saved.error());
  m_savedName = name;
  takeSaved(*saved);
  reload();
  return {};
}

Status ComparePage::saveAs(const QString& name) {
  if (!m_shelf)
    return {};
  if (const Status saved = m_shelf->save(name, m_saved); !saved)
    return saved;
  m_savedName = name.trimmed();
  fillSavedMenu();
  return {};
}

void ComparePage::takeSaved(const SavedComparison& saved) {
  m_saved = saved;
  m_userHasChosen = !saved.runs.isEmpty();
  m_chosen = saved.runs;
  if (!m_userHasChosen)
    for (const CompareCandidate& candidate : m_candidates)
      m_chosen << candidate.id;
  m_model->setDress(saved.dress);
  m_table->setHiddenMeasures(saved.hiddenMeasures);
  m_planning->setPlan({saved.samplingSteps, saved.trainingSteps, saved.prices}, saved.currency);
}

void ComparePage::saveSoon() {
  if (m_shelf)
    m_saveTimer->start();
}

Status ComparePage::saveNow() {
  m_saveTimer->stop();
  const auto before = m_shelf->load(m_savedName);
  if ((before && *before == m_saved) || (!before && m_saved == SavedComparison()))
    return {};
  return m_shelf->save(m_savedName, m_saved);
}

void ComparePage::fillSavedMenu() {
  m_savedMenu->clear();
  m_savedButton->setToolTip(tr("Kept as “%1”").arg(m_savedName));
  const auto tell = [this](const Status& status) {
    if (!status)
      emit message(QString::fromStdString(status.error().message));
  };
  for (const QString& name : m_shelf ? m_shelf->names() : QStringList()) {
    QAction* action = m_savedMenu->addAction(name, this, [this, name, tell] { tell(openSaved(name)); });
    action->setCheckable(true);
    action->setChecked(name == m_savedName);
  }
  m_savedMenu->addSeparator();
  m_savedMenu->addAction(tr("Save as…"), this, [this, tell] {
    bool accepted = false;
    const QString name = QInputDialog::getText(this, tr("Save the comparison"), tr("Name:"), QLineEdit::Normal, {}, &accepted);
    if (accepted)
      tell(saveAs(name));
  });
  QAction* remove = m_savedMenu->addAction(tr("Remove “%1”").arg(m_savedName), this, [this, tell] {
    tell(m_shelf->remove(m_savedName));
    m_savedName = ComparisonShelf::lastUsed();
  });
  remove->setEnabled(m_shelf && m_savedName != ComparisonShelf::lastUsed());
  m_savedMenu->addAction(tr("Begin anew"), this, [this] {
    takeSaved({});
    saveSoon();
    reload();
  });
}

} // namespace voxlab
