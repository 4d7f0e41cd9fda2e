// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_widget.h"
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QToolButton>

namespace voxlab {
namespace {
tl::unexpected<Error> notWritten(const QString& file) {
  return fail(ExitCode::Data, QObject::tr("%1 could not be written. Choose a folder that you may write to.").arg(file).toStdString());
}

bool isNumbers(const QString& suffix) { return suffix == QLatin1String("csv") || suffix == QLatin1String("json"); }

// Pictures go onto white paper, whatever the window looks like.
class OnPaper {
public:
  explicit OnPaper(QWidget& widget) : m_widget(widget), m_hadOwn(widget.testAttribute(Qt::WA_SetPalette)), m_shown(widget.palette()) {
    widget.setPalette(paletteOf(themeColours(ThemeKind::Light)));
  }
  OnPaper(const OnPaper&) = delete;
  OnPaper& operator=(const OnPaper&) = delete;
  ~OnPaper() { m_widget.setPalette(m_hadOwn ? m_shown : QPalette()); }

private:
  QWidget& m_widget;
  bool m_hadOwn;
  QPalette m_shown;
};
} // namespace

Status PlotWidget::exportTo(const QString& file) {
  const QString suffix = QFileInfo(file).suffix().toLower();
  if (isNumbers(suffix))
    return writeTable(numbers(), file) ? Status{} : notWritten(file);
  if (suffix != QLatin1String("svg") && suffix != QLatin1String("pdf") && suffix != QLatin1String("png"))
    return fail(ExitCode::Usage, tr("Plots are saved as .svg, .pdf, .png, .csv or .json, not as .%1.").arg(suffix).toStdString());
  const OnPaper onPaper(*this);
  return writePicture(file, suffix) ? Status{} : notWritten(file);
}

Status PlotWidget::save(const QString& file) {
  if (!m_numbersWriter || !isNumbers(QFileInfo(file).suffix().toLower()))
    return exportTo(file);
  m_numbersWriter(file, numbers());
  return {};
}

void PlotWidget::copyNumbers() {
  if (m_numbersWriter)
    m_numbersWriter({}, numbers());
  else
    QApplication::clipboard()->setText(tableText());
}

bool PlotWidget::event(QEvent* event) {
  switch (event->type()) {
  case QEvent::Enter:
    showMenuButton();
    break;
  case QEvent::Leave:
    if (m_menuButton)
      m_menuButton->hide();
    break;
  case QEvent::Resize:
    if (m_menuButton)
      m_menuButton->move(width() - m_menuButton->width(), 0);
    break;
  default:
    break;
  }
  return QWidget::event(event);
}

void PlotWidget::showMenuButton() {
  if (!showsData())
    return;
  if (!m_menuButton) {
    m_menuButton = new QToolButton(this);
    m_menuButton->setObjectName(QStringLiteral("plotMenu"));
    m_menuButton->setText(QStringLiteral("⋯"));
    m_menuButton->setToolTip(tr("Save or copy this plot"));
    m_menuButton->setAccessibleName(m_menuButton->toolTip());
    m_menuButton->setFocusPolicy(Qt::NoFocus);
    connect(m_menuButton, &QToolButton::clicked, this, [this] { openMenu(m_menuButton->mapToGlobal(m_menuButton->rect().bottomLeft())); });
  }
  m_menuButton->adjustSize();
  m_menuButton->move(width() - m_menuButton->width(), 0);
  m_menuButton->raise();
  m_menuButton->show();
}

void PlotWidget::contextMenuEvent(QContextMenuEvent* event) { openMenu(event->globalPos()); }

void PlotWidget::openMenu(const QPoint& at) {
  if (!showsData())
    return;
  QMenu menu(this);
  menu.addAction(tr("Save as…"), this, &PlotWidget::saveInteractively);
  menu.addAction(tr("Copy picture"), this, [this] {
    const OnPaper onPaper(*this);
    QApplication::clipboard()->setPixmap(picture());
  });
  menu.addAction(tr("Copy numbers"), this, &PlotWidget::copyNumbers);
  menu.addSeparator();
  menu.addAction(tr("Show everything"), this, &PlotWidget::resetView);
  addActions(menu);
  menu.exec(at);
}

void PlotWidget::saveInteractively() {
  const QString file = QFileDialog::getSaveFileName(this, tr("Save plot"), m_exportName + QStringLiteral(".svg"), tr("Pictures and numbers (*.svg *.pdf *.png *.csv *.json)"));
  if (file.isEmpty())
    return;
  if (const auto saved = save(file); !saved)
    QMessageBox::warning(this, tr("Not saved"), QString::fromStdString(saved.error().message));
}

} // namespace voxlab
