// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_go_to.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/viewer_document.h"
#include <QComboBox>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr int kField_px = 260;

QString inMillimetres(Vec3d p) { return QStringLiteral("%1 %2 %3").arg(p.x, 0, 'f', 1).arg(p.y, 0, 'f', 1).arg(p.z, 0, 'f', 1); }

const LabelTable* labelsOf(const ViewerDocument& document) {
  const int layer = document.labelLayer();
  return layer < 0 ? nullptr : &document.layer(layer).labels;
}

QString nameWithValue(const Label& label) { return QStringLiteral("%1 (%2)").arg(QString::fromStdString(label.name)).arg(label.value); }

// By its value, its whole name, or the only name with these letters in it.
const Label* labelCalled(const LabelTable& table, const QString& text) {
  bool isNumber = false;
  const qint64 value = text.toLongLong(&isNumber);
  if (isNumber)
    return table.find(value);
  const Label* only = nullptr;
  int found = 0;
  for (const Label& label : table.labels) {
    const QString name = QString::fromStdString(label.name);
    if (name.compare(text, Qt::CaseInsensitive) == 0 || nameWithValue(label).compare(text, Qt::CaseInsensitive) == 0)
      return &label;
    if (!text.isEmpty() && name.contains(text, Qt::CaseInsensitive)) {
      only = &label;
      ++found;
    }
  }
  return found == 1 ? only : nullptr;
}
} // namespace

std::optional<std::array<double, 3>> parseTriple(const QString& given) {
  static const QRegularExpression kNoise(QStringLiteral("mm|[xyzijkXYZIJK=:()\\[\\]]")), kGaps(QStringLiteral("[\\s;]+")), kCommas(QStringLiteral("[\\s;,]+"));
  QString text = given;
  text.replace(QChar(0x2212), QLatin1Char('-')).replace(kNoise, QStringLiteral(" "));
  QStringList parts = text.split(kGaps, Qt::SkipEmptyParts);
  for (QString& part : parts)
    while (part.endsWith(QLatin1Char(',')))
      part.chop(1);
  parts.removeAll(QString());
  if (parts.size() != 3)
    parts = text.split(kCommas, Qt::SkipEmptyParts);
  if (parts.size() != 3)
    return std::nullopt;
  std::array<double, 3> numbers{};
  for (qsizetype i = 0; i < 3; ++i) {
    bool isNumber = false;
    const double number = parts[i].replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&isNumber);
    if (!isNumber || !std::isfinite(number))
      return std::nullopt;
    numbers[static_cast<std::size_t>(i)] = number;
  }
  return numbers;
}

ViewerGoTo::ViewerGoTo(const ViewerDocument& document, QWidget* parent) : QDialog(parent), m_document(document) {
  setWindowTitle(tr("Go to a place"));
  m_form = new QComboBox(this);
  m_form->setAccessibleName(tr("How the place is given"));
  m_form->addItem(tr("Millimetres: right, front, top (x y z)"), static_cast<int>(Form::Millimetres));
  m_form->addItem(tr("Voxel, counted from 0 (i j k)"), static_cast<int>(Form::Voxel));
  if (labelsOf(document))
    m_form->addItem(tr("Label, by name or number"), static_cast<int>(Form::Label));
  m_text = new QLineEdit(this);
  m_text->setAccessibleName(tr("Place"));
  m_text->setMinimumWidth(kField_px);
  m_said = makeWrappedLabel({}, "help", this);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  m_go = buttons->button(QDialogButtonBox::Ok);
  m_go->setText(tr("Go"));
  auto* layout = new QFormLayout(this);
  layout->addRow(tr("Given as"), m_form);
  layout->addRow(tr("Place"), m_text);
  layout->addRow(QString(), m_said);
  layout->addRow(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_form, &QComboBox::currentIndexChanged, this, &ViewerGoTo::takeForm);
  connect(m_text, &QLineEdit::textChanged, this, &ViewerGoTo::explain);
  takeForm();
  m_text->setFocus();
}

ViewerGoTo::Form ViewerGoTo::form() const { return static_cast<Form>(m_form->currentData().toInt()); }

// The field begins with where the cross-hair is, in the form that is wanted: for copying, too.
void ViewerGoTo::takeForm() {
  m_text->setCompleter(nullptr);
  m_text->setPlaceholderText(form() == Form::Millimetres ? QStringLiteral("12 -8 30") : form() == Form::Voxel ? QStringLiteral("90 108 72") : tr("hippocampus"));
  if (form() == Form::Label) {
    QStringList names;
    for (const Label& label : labelsOf(m_document)->labels)
      names << nameWithValue(label);
    auto* completer = new QCompleter(names, m_text);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_text->setCompleter(completer);
    m_text->clear();
  } else if (form() == Form::Millimetres) {
    m_text->setText(inMillimetres(m_document.cursor()));
  } else {
    const Vec3d voxel = m_document.layer(0).source.toVoxel(m_document.cursor());
    m_text->setText(QStringLiteral("%1 %2 %3").arg(std::lround(voxel.x)).arg(std::lround(voxel.y)).arg(std::lround(voxel.z)));
  }
  m_text->selectAll();
  explain();
}

std::optional<Vec3d> ViewerGoTo::place() const {
  const auto numbers = form() == Form::Label ? std::nullopt : parseTriple(m_text->text());
  if (!numbers)
    return std::nullopt;
  const SampledVolume& lowest = m_document.layer(0).source;
  const Vec3d given{(*numbers)[0], (*numbers)[1], (*numbers)[2]};
  const Vec3d voxel = form() == Form::Voxel ? given : lowest.toVoxel(given);
  for (int axis = 0; axis < 3; ++axis)
    if (!(voxel[axis] > -0.5 && voxel[axis] < static_cast<double>(lowest.grid().size[static_cast<std::size_t>(axis)]) - 0.5))
      return std::nullopt;
  return form() == Form::Voxel ? lowest.toWorld(given) : given;
}

std::optional<qint64> ViewerGoTo::label() const {
  const LabelTable* table = form() == Form::Label ? labelsOf(m_document) : nullptr;
  const Label* found = table ? labelCalled(*table, m_text->text().trimmed()) : nullptr;
  return found ? std::optional<qint64>(found->value) : std::nullopt;
}

QString ViewerGoTo::said() const { return m_said->text(); }

void ViewerGoTo::explain() {
  const auto where = place();
  const auto which = label();
  m_go->setEnabled(where || which);
  const auto& size = m_document.layer(0).source.grid().size;
  if (where && form() == Form::Voxel)
    m_said->setText(tr("That is at %1 mm.").arg(inMillimetres(*where)));
  else if (where) {
    const Vec3d voxel = m_document.layer(0).source.toVoxel(*where);
    m_said->setText(tr("That is in voxel %1, %2, %3.").arg(std::lround(voxel.x)).arg(std::lround(voxel.y)).arg(std::lround(voxel.z)));
  } else if (which)
    m_said->setText(tr("To the middle of %1.").arg(nameWithValue(*labelsOf(m_document)->find(*which))));
  else if (form() == Form::Label)
    m_said->setText(m_text->text().trimmed().isEmpty() ? tr("Type a part of the name.") : tr("No label, or more than one, is called so."));
  else if (parseTriple(m_text->text()))
    m_said->setText(tr("That is outside of the volume, whose voxels go from 0, 0, 0 to %1, %2, %3.").arg(size[0] - 1).arg(size[1] - 1).arg(size[2] - 1));
  else
    m_said->setText(tr("Three numbers, parted by blanks or commas."));
}

} // namespace voxlab
