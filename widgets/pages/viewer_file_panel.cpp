// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_file_panel.h"
#include "core/base/text.h"
#include "core/imaging/nifti_record.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_holes.h"
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <cmath>

namespace voxlab {
namespace {

QString typeName(VoxelType type) {
  switch (type) {
  case VoxelType::UInt8: return QStringLiteral("uint8");
  case VoxelType::Int8: return QStringLiteral("int8");
  case VoxelType::UInt16: return QStringLiteral("uint16");
  case VoxelType::Int16: return QStringLiteral("int16");
  case VoxelType::UInt32: return QStringLiteral("uint32");
  case VoxelType::Int32: return QStringLiteral("int32");
  case VoxelType::UInt64: return QStringLiteral("uint64");
  case VoxelType::Int64: return QStringLiteral("int64");
  case VoxelType::Float32: return QStringLiteral("float32");
  case VoxelType::Float64: return QStringLiteral("float64");
  case VoxelType::Unknown: break;
  }
  return QStringLiteral("–");
}

QString affineText(const Affine& affine) {
  QString text;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c)
      text += QStringLiteral("%1").arg(affine[r][c], c == 3 ? 9 : 8, 'f', c == 3 ? 2 : 3);
    if (r < 2)
      text += QLatin1Char('\n');
  }
  return text;
}

QString spacingText(const Affine& affine) {
  QStringList parts;
  for (int axis = 0; axis < 3; ++axis)
    parts << QString::number(length(columnOf(affine, axis)), 'g', 4);
  return parts.join(QStringLiteral(" × ")) + QStringLiteral(" mm");
}

bool differ(const Affine& a, const Affine& b) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c)
      if (std::abs(a[r][c] - b[r][c]) > 1e-3)
        return true;
  return false;
}

QString sizeText(const VolumeHeader& header) {
  const auto& size = header.grid.size;
  QString text = ViewerFilePanel::tr("%1 × %2 × %3 voxels").arg(size[0]).arg(size[1]).arg(size[2]);
  if (header.timePoints > 1)
    text += ViewerFilePanel::tr(", %1 time points").arg(header.timePoints);
  if (header.components > 1)
    text += ViewerFilePanel::tr(", %1 components").arg(header.components);
  return text;
}

// "every 2.50 s, 500 s in all"; what stands in the header where it gives no unit of time.
QString timeText(const VolumeHeader& header) {
  if (header.timeStep_s)
    return ViewerFilePanel::tr("every %1 s, %2 s in all")
        .arg(QString::fromStdString(formatSignificant(*header.timeStep_s)), QString::fromStdString(formatSignificant(*header.timeStep_s * static_cast<double>(header.timePoints))));
  if (header.nifti && header.nifti->pixdim[4] > 0)
    return ViewerFilePanel::tr("not known: pixdim[4] is %1, without a unit of time").arg(header.nifti->pixdim[4]);
  return ViewerFilePanel::tr("not known");
}

QString storedText(const VolumeHeader& header) {
  QStringList parts;
  if (!header.format.empty())
    parts << QString::fromStdString(header.format);
  parts << typeName(header.storedType);
  if (header.nifti)
    parts << (header.nifti->isBigEndian ? ViewerFilePanel::tr("big-endian") : ViewerFilePanel::tr("little-endian"));
  if (header.nifti)
    parts << QStringLiteral("scl_slope %1, scl_inter %2").arg(header.nifti->slope).arg(header.nifti->intercept);
  else if (header.slope != 1 || header.intercept != 0)
    parts << ViewerFilePanel::tr("slope %1, intercept %2").arg(header.slope).arg(header.intercept);
  return parts.join(QStringLiteral(" · "));
}

// "sform 4, MNI 152, in force; qform 1, scanner"
QString spaceText(const VolumeHeader& header) {
  const NiftiRecord& said = *header.nifti;
  const auto form = [&](const char* name, std::int64_t code, const std::optional<Affine>& affine) {
    const QString text = QStringLiteral("%1 %2 (%3)").arg(QString::fromLatin1(name)).arg(code).arg(QString::fromStdString(formCodeInWords(code)));
    return affine && *affine == header.grid.affine ? ViewerFilePanel::tr("%1, in force").arg(text) : text;
  };
  const bool bySform = header.sform && *header.sform == header.grid.affine;
  return form("sform_code", said.sformCode, header.sform) + QLatin1Char('\n') + form("qform_code", said.qformCode, bySform ? std::nullopt : header.qform);
}

QString intentText(const NiftiRecord& said) {
  QString text = QString::fromStdString(intentInWords(said.intentCode));
  if (!said.intentName.empty())
    text += (text.isEmpty() ? QString() : QStringLiteral(" · ")) + QString::fromStdString(said.intentName);
  return text;
}

} // namespace

ViewerFilePanel::ViewerFilePanel(ViewerDocument& document, ViewerHoles& holes, QWidget* parent) : QWidget(parent), m_document(document), m_holes(holes) {
  m_layout = new QVBoxLayout(this);
  m_layout->setContentsMargins(0, 0, 0, 0);
  connect(&holes, &ViewerHoles::counted, this, &ViewerFilePanel::fill); // after the layers changed, too
  connect(&document, &ViewerDocument::activeLayerChanged, this, &ViewerFilePanel::fill);
  fill();
}

QString ViewerFilePanel::text() const { return m_text; }

void ViewerFilePanel::addRow(const QString& name, const QString& value, const char* role) {
  auto* layout = static_cast<QVBoxLayout*>(m_content->layout());
  if (!name.isEmpty())
    layout->addWidget(makeLabel(name, "caption", m_content));
  QLabel* label = makeWrappedLabel(value, role, m_content);
  if (role && QLatin1String(role) == QLatin1String("mono")) {
    label->setWordWrap(false);
    QFont font(QStringLiteral("monospace"));
    font.setStyleHint(QFont::Monospace);
    font.setPointSizeF(this->font().pointSizeF() * 0.85);
    label->setFont(font);
  }
  layout->addWidget(label);
  m_text += (name.isEmpty() ? QString() : name + QStringLiteral(": ")) + value + QLatin1Char('\n');
}

void ViewerFilePanel::fill() {
  delete m_content;
  m_content = new QWidget(this);
  auto* layout = new QVBoxLayout(m_content);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  m_layout->addWidget(m_content);
  m_text.clear();
  const int active = m_document.activeLayer();
  if (active < 0) {
    addRow({}, tr("Open a volume to see what its file says."), "help");
    layout->addStretch();
    return;
  }
  const ViewerVolume& source = m_document.source(active);
  const VolumeHeader& header = source.volume->header;
  for (const auto& note : odditiesOf(source, Oddities::All))
    addRow({}, QStringLiteral("⚠ ") + QString::fromStdString(note), "attention");
  for (const QString& notice : {QString::fromStdString(source.leftOut), m_holes.textOf(source)})
    if (!notice.isEmpty())
      addRow({}, QStringLiteral("⚠ ") + notice, "attention");
  addRow(tr("File"), source.path.empty() ? tr("made in memory") : QString::fromStdString(source.path.string()));
  if (source.files.size() > 1)
    addRow(tr("Series"), tr("%n files", nullptr, static_cast<int>(source.files.size())));
  if (const auto& file = source.fileGrid) { // opened in a smaller form
    addRow(tr("Size of the file"), tr("%1 × %2 × %3 voxels").arg(file->size[0]).arg(file->size[1]).arg(file->size[2]));
    addRow(tr("Size as shown, whose voxels are counted under the pointer"), sizeText(header));
    addRow(tr("Spacing of the file"), spacingText(file->affine));
    addRow(tr("Spacing as shown"), spacingText(header.grid.affine));
  } else {
    addRow(tr("Size"), sizeText(header));
    addRow(tr("Spacing"), spacingText(header.grid.affine));
  }
  if (header.timePoints > 1)
    addRow(tr("Time step"), timeText(header));
  addRow(tr("Axes run to"), QString::fromStdString(orientationCode(header.grid.affine)));
  addRow(tr("Stored as"), source.path.empty() ? tr("not saved yet") : storedText(header));
  QString values = tr("%1 … %2").arg(QString::fromStdString(formatSignificant(source.least())), QString::fromStdString(formatSignificant(source.greatest())));
  if (source.least() == source.greatest())
    values = tr("%1 everywhere").arg(QString::fromStdString(formatSignificant(source.least())));
  else if (source.timePoints() > 1)
    values = header.timePoints > 1 ? tr("%1 over all time points").arg(values) : tr("%1 over all components").arg(values);
  addRow(tr("Values"), values);
  addRow(tr("In memory"), tr("%1 of a budget of %2").arg(QString::fromStdString(formatBytes(static_cast<double>(source.volume->voxels.size() * sizeof(float)))),
                                                         QString::fromStdString(formatBytes(static_cast<double>(memoryBudgetBytes())))));
  if (!header.description.empty())
    addRow(tr("Description"), QString::fromStdString(header.description));
  if (header.nifti) {
    addRow(tr("Space"), spaceText(header));
    addRow(tr("Units"), QString::fromStdString(unitsInWords(header.nifti->units)));
    if (const QString intent = intentText(*header.nifti); !intent.isEmpty())
      addRow(tr("Intent"), intent);
    if (!header.nifti->auxiliaryFile.empty())
      addRow(tr("Auxiliary file"), QString::fromStdString(header.nifti->auxiliaryFile));
  }
  if (source.fileGrid)
    addRow(tr("Affine of the file (voxel → mm)"), affineText(source.fileGrid->affine), "mono");
  addRow(source.fileGrid ? tr("Affine as shown") : tr("Affine (voxel → mm)"), affineText(header.grid.affine), "mono");
  if (header.sform && differ(*header.sform, header.grid.affine))
    addRow(tr("sform, not in force"), affineText(*header.sform), "mono");
  if (header.qform && differ(*header.qform, header.grid.affine))
    addRow(tr("qform, not in force"), affineText(*header.qform), "mono");
  layout->addSpacing(kSpace);
  if (const auto other = otherFormOf(header)) {
    QPushButton* form = makeButton(tr("Look at it by the %1").arg(QString::fromStdString(other->name)), nullptr, {}, m_content);
    connect(form, &QPushButton::clicked, this, &ViewerFilePanel::otherFormRequested);
    layout->addWidget(form, 0, Qt::AlignLeft);
  }
  if (const QString file = QString::fromStdString(source.path.string()); source.files.size() > 1 && QFileInfo(file).isFile()) {
    QPushButton* alone = makeButton(tr("Open %1 alone").arg(QFileInfo(file).fileName()), nullptr, {}, m_content);
    connect(alone, &QPushButton::clicked, this, [this, file] { emit aloneRequested(file); });
    layout->addWidget(alone, 0, Qt::AlignLeft);
  }
  QPushButton* copy = makeButton(tr("Copy"), nullptr, QStringLiteral("copy"), m_content);
  copy->setAccessibleName(tr("Copy the header"));
  connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_text); });
  layout->addWidget(copy, 0, Qt::AlignLeft);
  layout->addStretch();
}

} // namespace voxlab
