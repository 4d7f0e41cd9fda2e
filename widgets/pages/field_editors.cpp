// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/field_editors.h"
#include "widgets/pages/page_parts.h"
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QStandardItemModel>
#include <QToolButton>

namespace voxlab {
namespace {
constexpr int kNumberWidth = 128, kTextWidth = 240, kComboWidth = 240;

QHBoxLayout* rowIn(QWidget* widget) {
  auto* row = new QHBoxLayout(widget);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kSpace);
  return row;
}
} // namespace

TextEditor::TextEditor(const Parameter& parameter, QWidget* parent) : FieldEditor(parent), m_type(parameter.type), m_edit(new QLineEdit(this)) {
  const bool number = m_type == ParameterType::Integer || m_type == ParameterType::Number;
  m_edit->setFixedWidth(number ? kNumberWidth : kTextWidth);
  auto* row = rowIn(this);
  row->addWidget(m_edit);
  if (!parameter.unit.empty())
    row->addWidget(makeLabel(QString::fromStdString(parameter.unit), "caption", this));
  row->addStretch();
  connect(m_edit, &QLineEdit::textEdited, this, &FieldEditor::edited);
}

Json TextEditor::value() const { return valueFromText(m_type, m_edit->text()); }
void TextEditor::setValue(const Json& value) { m_edit->setText(textFromValue(m_type, value)); }
QWidget* TextEditor::focusTarget() { return m_edit; }

SwitchEditor::SwitchEditor(QWidget* parent) : FieldEditor(parent), m_box(new QCheckBox(tr("on"), this)) {
  rowIn(this)->addWidget(m_box);
  connect(m_box, &QCheckBox::toggled, this, [this](bool on) { m_box->setText(on ? tr("on") : tr("off")); });
  m_box->setText(tr("off"));
  connect(m_box, &QCheckBox::clicked, this, &FieldEditor::edited);
}

Json SwitchEditor::value() const { return m_box->isChecked(); }
void SwitchEditor::setValue(const Json& value) { m_box->setChecked(value.is_boolean() && value.get<bool>()); }
QWidget* SwitchEditor::focusTarget() { return m_box; }

ComboEditor::ComboEditor(const Parameter& parameter, QWidget* parent)
    : FieldEditor(parent), m_choices(parameter.choices), m_box(new QComboBox(this)), m_explanation(makeWrappedLabel({}, "help", this)) {
  m_box->setFixedWidth(kComboWidth);
  for (const Choice& choice : m_choices) {
    m_box->addItem(QString::fromStdString(choice.title), QString::fromStdString(choice.value));
    const int row = m_box->count() - 1;
    m_box->setItemData(row, QString::fromStdString(choice.unavailable.empty() ? choice.explanation : choice.unavailable), Qt::ToolTipRole);
    if (!choice.unavailable.empty())
      static_cast<QStandardItemModel*>(m_box->model())->item(row)->setEnabled(false);
  }
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(kSpaceSmall);
  column->addWidget(m_box, 0, Qt::AlignLeft);
  column->addWidget(m_explanation);
  connect(m_box, &QComboBox::currentIndexChanged, this, &ComboEditor::explain);
  connect(m_box, &QComboBox::activated, this, &FieldEditor::edited);
  explain();
}

void ComboEditor::explain() {
  const int row = m_box->currentIndex();
  const bool known = row >= 0 && row < static_cast<int>(m_choices.size());
  const QString text = known ? QString::fromStdString(m_choices[static_cast<std::size_t>(row)].explanation) : QString();
  m_explanation->setText(text);
  m_explanation->setVisible(!text.isEmpty());
}

Json ComboEditor::value() const { return m_box->currentData().toString().toStdString(); }

void ComboEditor::setValue(const Json& value) {
  const QString wanted = textFromValue(ParameterType::Choice, value);
  int row = m_box->findData(wanted);
  if (row < 0 && !wanted.isEmpty()) { // keep what a file says, so that the check can name it
    m_box->addItem(wanted, wanted);
    row = m_box->count() - 1;
  }
  m_box->setCurrentIndex(row);
}

QWidget* ComboEditor::focusTarget() { return m_box; }

CardsEditor::CardsEditor(const Parameter& parameter, CardSelection selection, QWidget* parent)
    : FieldEditor(parent), m_selection(selection), m_cards(new ChoiceCards(selection, 220, this)) {
  m_cards->setChoices(cardTexts(parameter.choices));
  rowIn(this)->addWidget(m_cards);
  connect(m_cards, &ChoiceCards::edited, this, &FieldEditor::edited);
}

Json CardsEditor::value() const {
  const QStringList values = m_cards->values();
  if (m_selection == CardSelection::One)
    return values.isEmpty() ? Json("") : Json(values.first().toStdString());
  Json list = Json::array();
  for (const QString& value : values)
    list.push_back(value.toStdString());
  return list;
}

void CardsEditor::setValue(const Json& value) {
  QStringList values;
  if (value.is_string())
    values << QString::fromStdString(value.get<std::string>());
  if (value.is_array())
    for (const Json& element : value)
      if (element.is_string())
        values << QString::fromStdString(element.get<std::string>());
  m_cards->setValues(values);
}

QWidget* CardsEditor::focusTarget() { return m_cards; }

PathEditor::PathEditor(PathKind kind, QWidget* parent)
    : FieldEditor(parent), m_kind(kind), m_edit(new QLineEdit(this)), m_browse(makeToolButton(QStringLiteral("folder"), tr("Browse…"), this)) {
  m_edit->setPlaceholderText(kind == PathKind::Folder ? tr("Folder: type, drop or browse") : tr("File or folder: type, drop or browse"));
  m_edit->setMinimumWidth(kTextWidth);
  m_edit->installEventFilter(this);
  auto* row = rowIn(this);
  row->setSpacing(kSpaceSmall);
  row->addWidget(m_edit, 1);
  row->addWidget(m_browse);
  connect(m_edit, &QLineEdit::textEdited, this, &FieldEditor::edited);
  connect(m_browse, &QToolButton::clicked, this, [this] {
    if (!m_browse->menu())
      browseFolder();
  });
  rebuildMenu();
}

void PathEditor::rebuildMenu() {
  if (m_kind == PathKind::Folder && m_suggestions.isEmpty())
    return;
  auto* menu = new QMenu(this);
  for (const Suggestion& suggestion : m_suggestions)
    menu->addAction(suggestion.title, this, [this, path = suggestion.value] { choose(path); })->setToolTip(suggestion.value);
  if (!m_suggestions.isEmpty())
    menu->addSeparator();
  if (m_kind == PathKind::FileOrFolder)
    menu->addAction(tr("Choose a file…"), this, &PathEditor::browseFile);
  menu->addAction(tr("Choose a folder…"), this, &PathEditor::browseFolder);
  menu->setToolTipsVisible(true);
  if (QMenu* old = m_browse->menu())
    old->deleteLater();
  m_browse->setMenu(menu);
  m_browse->setPopupMode(QToolButton::InstantPopup);
}

void PathEditor::setSuggestions(const QList<Suggestion>& suggestions) {
  m_suggestions = suggestions;
  rebuildMenu();
}

void PathEditor::choose(const QString& path) {
  if (path.isEmpty())
    return;
  m_edit->setText(path);
  emit edited();
}

void PathEditor::browseFile() { choose(QFileDialog::getOpenFileName(this, tr("Choose a file"), m_edit->text())); }
void PathEditor::browseFolder() { choose(QFileDialog::getExistingDirectory(this, tr("Choose a folder"), m_edit->text())); }

Json PathEditor::value() const {
  QString path = m_edit->text().trimmed();
  if (path == QLatin1String("~") || path.startsWith(QLatin1String("~/")))
    path = QDir::homePath() + path.mid(1);
  return path.toStdString();
}

void PathEditor::setValue(const Json& value) { m_edit->setText(textFromValue(ParameterType::File, value)); }

QWidget* PathEditor::focusTarget() { return m_edit; }

bool PathEditor::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_edit && event->type() == QEvent::Drop) {
    const auto urls = static_cast<QDropEvent*>(event)->mimeData()->urls();
    if (!urls.isEmpty() && urls.first().isLocalFile()) {
      choose(urls.first().toLocalFile());
      return true;
    }
  }
  return FieldEditor::eventFilter(watched, event);
}

} // namespace voxlab
