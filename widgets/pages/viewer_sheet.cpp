// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_sheet.h"
#include "core/imaging/volume_io.h"
#include "rendering/image_bridge.h"
#include "widgets/base/when_done.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/viewer_colours.h"
#include "widgets/pages/viewer_dialogs.h"
#include <QClipboard>
#include <QComboBox>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <QtConcurrent>

namespace voxlab {
namespace {
constexpr int kOneLine_px = 22, kGap_px = 4, kLeastEdge = 72, kUsualEdge = 160, kMostEdge = 360;
constexpr std::int64_t kCellVoxels = 3'000'000; // larger volumes are kept as box means

Result<Volume> readSmall(const QString& path, std::stop_token stop) {
  ReadOptions options;
  options.cancel = std::move(stop);
  options.timePoint = 0;
  auto volume = readVolume(path.toStdString(), options);
  int reduction = 1;
  if (volume)
    while (volume->grid().voxelCount() / (reduction * reduction * reduction) > kCellVoxels)
      ++reduction;
  return reduction > 1 ? Result<Volume>(reducedVolume(*volume, 0, reduction)) : std::move(volume);
}
} // namespace

// Draws the cells; sized by rows and columns.
class ViewerSheet::Board : public QWidget {
public:
  explicit Board(ViewerSheet& sheet) : QWidget(&sheet), m_sheet(sheet) { setMouseTracking(true); }
  QRect cellRect(const Cell& cell) const { return m_sheet.boxOf(cell); }

protected:
  void paintEvent(QPaintEvent* event) override {
    QPainter painter(this);
    for (const Cell& cell : m_sheet.m_cells)
      if (cellRect(cell).adjusted(0, -m_sheet.m_header, 0, 0).intersects(event->rect()))
        m_sheet.cellFor(cell).paint(painter, palette().color(QPalette::WindowText));
    painter.setPen(QPen(palette().color(QPalette::Highlight), 3));
    painter.setBrush(Qt::NoBrush);
    for (const Cell& cell : m_sheet.m_cells)
      if (cell.isChosen && m_showsChosen)
        painter.drawRect(QRectF(cellRect(cell)).adjusted(1.5, 1.5, -1.5, -1.5));
  }
  void mouseReleaseEvent(QMouseEvent* event) override {
    for (const Cell& cell : m_sheet.m_cells)
      if (cellRect(cell).contains(event->position().toPoint()))
        return event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier) ? m_sheet.choose(cell.sample.path) : m_sheet.openRequested(cell.sample.path);
  }
  void mouseMoveEvent(QMouseEvent* event) override {
    QString tip;
    for (const Cell& cell : m_sheet.m_cells)
      if (cellRect(cell).contains(event->position().toPoint()))
        tip = tr("%1\n%2\nClick to open, Ctrl+click to choose it for comparing").arg(cell.sample.title, cell.sample.path);
    setToolTip(tip);
    setCursor(tip.isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
  }

public:
  void showChosen(Visibility visibility) { m_showsChosen = visibility == Visibility::Shown; }

private:
  ViewerSheet& m_sheet;
  bool m_showsChosen = true; // not in saved pictures
};

ViewerSheet::ViewerSheet(QWidget* parent) : QWidget(parent) {
  m_axis = new QComboBox(this);
  for (const SliceAxis each : {SliceAxis::Axial, SliceAxis::Coronal, SliceAxis::Sagittal})
    m_axis->addItem(axisName(each), static_cast<int>(each));
  m_axis->setAccessibleName(tr("Direction of the slices"));
  m_slice = new QSlider(Qt::Horizontal, this);
  m_slice->setRange(0, 100);
  m_slice->setValue(50);
  m_slice->setObjectName(QStringLiteral("slice"));
  m_slice->setAccessibleName(tr("Which slice"));
  m_size = new QSlider(Qt::Horizontal, this);
  m_size->setRange(kLeastEdge, kMostEdge);
  m_size->setValue(kUsualEdge);
  m_size->setMaximumWidth(120);
  m_size->setAccessibleName(tr("Size of the pictures"));
  m_text = makeLabel({}, "caption", this);
  m_title = new ElidedLabel("heading", this);
  m_title->setAccessibleName(tr("Whose samples these are"));
  m_title->setContentsMargins(kSpace, kSpaceSmall, kSpace, 0);
  m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  m_compare = makeButton({}, "chip", {}, this);
  m_compare->setToolTip(tr("The chosen samples side by side (Shift+G)"));
  m_compare->hide();
  QToolButton* copy = makeToolButton(QStringLiteral("copy"), tr("Copy the sheet as a picture"), this);
  QToolButton* save = makeToolButton(QStringLiteral("viewer-save"), tr("Save the sheet as a picture…"), this);
  QToolButton* close = makeToolButton(QStringLiteral("close"), tr("Back to the views"), this);
  m_board = new Board(*this);
  m_area = new QScrollArea(this);
  m_area->setFrameShape(QFrame::NoFrame);
  m_area->setWidget(m_board);
  m_area->installEventFilter(this);
  auto* top = new QHBoxLayout;
  top->setContentsMargins(kSpace, kSpaceSmall, kSpaceSmall, kSpaceSmall);
  top->setSpacing(kSpace);
  top->addWidget(m_axis);
  top->addWidget(m_slice, 1);
  top->addWidget(makeLabel(tr("Size"), "caption", this));
  top->addWidget(m_size);
  top->addWidget(m_text);
  top->addWidget(m_compare);
  top->addWidget(copy);
  top->addWidget(save);
  top->addWidget(close);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_title);
  layout->addLayout(top);
  layout->addWidget(m_area, 1);
  const auto another = [this] {
    ++m_wanted;
    redraw();
  };
  connect(m_axis, &QComboBox::activated, this, another);
  connect(m_slice, &QSlider::valueChanged, this, another);
  connect(m_size, &QSlider::valueChanged, this, [this, another] {
    m_isSized = true;
    another();
  });
  connect(close, &QToolButton::clicked, this, &ViewerSheet::closed);
  connect(m_compare, &QPushButton::clicked, this, &ViewerSheet::compareChosen);
  connect(save, &QToolButton::clicked, this, [this] {
    const auto choice = askForScreenshot(this, m_board->size() * devicePixelRatioF(), tr("contact sheet"), PictureChoices::Size);
    if (choice)
      this->save(choice->path, choice->scale);
  });
  connect(copy, &QToolButton::clicked, this, [this] {
    QGuiApplication::clipboard()->setImage(picture());
    emit copied();
  });
}

SliceAxis ViewerSheet::axis() const { return static_cast<SliceAxis>(m_axis->currentData().toInt()); }

int ViewerSheet::loadedCount() const {
  return static_cast<int>(std::count_if(m_cells.begin(), m_cells.end(), [](const Cell& cell) { return cell.volume != nullptr; }));
}

// As large as all of them fit into the page, unless the user has chosen.
void ViewerSheet::arrange() {
  const QSize room = m_area->maximumViewportSize();
  if (!m_isSized) {
    int edge = kMostEdge;
    while (edge > kUsualEdge && !placeCells(edge, room.width(), room.height()))
      edge -= 20;
    if (edge <= kUsualEdge) {
      const int width = room.width() - m_area->verticalScrollBar()->sizeHint().width();
      edge = kUsualEdge;
      if (!placeCells(edge, width, 0) && m_columnCount * (edge + kGap_px) + kGap_px > width)
        edge = std::clamp((width - kGap_px) / m_columnCount - kGap_px, kLeastEdge, kUsualEdge);
    }
    const QSignalBlocker quiet(m_size);
    if (edge != m_size->value())
      ++m_wanted;
    m_size->setValue(edge);
  }
  if (!placeCells(m_size->value(), room.width(), room.height()))
    placeCells(m_size->value(), room.width() - m_area->verticalScrollBar()->sizeHint().width(), 0);
  m_board->setFixedSize(m_columnCount * (m_size->value() + kGap_px) + kGap_px, m_rowCount * (m_size->value() + m_header + kGap_px) + kGap_px);
}

// Rows by the file's name, columns by the group; without groups, or where that makes one row, they run on as a text does. False where
// they do not fit.
bool ViewerSheet::placeCells(int edge, int width, int height) {
  QStringList rows, columns;
  const auto indexIn = [](QStringList& list, const QString& key) {
    if (!list.contains(key))
      list << key;
    return static_cast<int>(list.indexOf(key));
  };
  bool isGrouped = true;
  m_header = kOneLine_px;
  for (Cell& cell : m_cells) {
    isGrouped = isGrouped && !cell.sample.group.isEmpty();
    cell.row = indexIn(rows, QFileInfo(cell.sample.path).fileName());
    cell.column = indexIn(columns, cell.sample.group);
    cell.caption = captionLines(cell.sample.title, fontMetrics(), edge);
    if (cell.caption.size() > 1)
      m_header = kOneLine_px + fontMetrics().height();
  }
  m_rowCount = static_cast<int>(rows.size());
  m_columnCount = static_cast<int>(columns.size());
  if (!isGrouped || m_rowCount == 1) {
    const int count = static_cast<int>(m_cells.size());
    m_columnCount = std::clamp((width - kGap_px) / (edge + kGap_px), 1, std::max(1, count));
    m_rowCount = (count + m_columnCount - 1) / m_columnCount;
    for (int i = 0; i < count; ++i) {
      m_cells[static_cast<std::size_t>(i)].row = i / m_columnCount;
      m_cells[static_cast<std::size_t>(i)].column = i % m_columnCount;
    }
  }
  return m_columnCount * (edge + kGap_px) + kGap_px <= width && m_rowCount * (edge + m_header + kGap_px) + kGap_px <= height;
}

QRect ViewerSheet::boxOf(const Cell& cell) const {
  const int edge = m_size->value();
  return {kGap_px + cell.column * (edge + kGap_px), kGap_px + cell.row * (edge + m_header + kGap_px) + m_header, edge, edge};
}

SheetCell ViewerSheet::cellFor(const Cell& cell) const {
  const QString words = cell.volume ? QString() : cell.problem.isEmpty() ? tr("reading…") : cell.problem;
  return {boxOf(cell), cell.caption, cell.picture, nullptr, words};
}

bool ViewerSheet::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_area && event->type() == QEvent::Resize)
    redraw();
  return QWidget::eventFilter(watched, event);
}

QString ViewerSheet::title() const { return m_title->text(); }

void ViewerSheet::setSamples(const QString& run, const QList<ViewerSample>& samples) {
  m_title->setText(run.isEmpty() ? tr("Contact sheet") : tr("Contact sheet of %1").arg(run));
  m_cells.clear();
  m_hasRange = false;
  m_compare->hide();
  for (const auto& sample : samples) {
    m_cells.emplace_back();
    m_cells.back().sample = sample;
  }
  readMissing();
}

void ViewerSheet::choose(const QString& path) {
  for (Cell& cell : m_cells)
    if (cell.sample.path == path && cell.volume)
      cell.isChosen = !cell.isChosen;
  const int chosen = static_cast<int>(std::count_if(m_cells.begin(), m_cells.end(), [](const Cell& cell) { return cell.isChosen; }));
  m_compare->setVisible(chosen > 1);
  m_compare->setText(tr("Compare %n sample(s)", nullptr, chosen));
  m_board->update();
}

QStringList ViewerSheet::chosenPaths() const {
  QStringList paths;
  for (const Cell& cell : m_cells)
    if (cell.isChosen)
      paths << cell.sample.paths();
  paths.removeDuplicates();
  return paths;
}

bool ViewerSheet::compareChosen() {
  const QStringList paths = chosenPaths();
  if (paths.size() < 2)
    return false;
  emit compareRequested(paths);
  return true;
}

void ViewerSheet::addSample(const ViewerSample& sample) {
  m_cells.emplace_back();
  m_cells.back().sample = sample;
  readMissing();
}

void ViewerSheet::readMissing() {
  redraw();
  QStringList paths;
  for (const Cell& cell : m_cells)
    if (!cell.volume && cell.problem.isEmpty())
      paths << cell.sample.path;
  m_reader.start([this, paths](std::stop_token stop, const NewestWork::Tell& tell) -> NewestWork::Report {
    for (const QString& path : paths) {
      auto volume = readSmall(path, stop);
      if (stop.stop_requested())
        break;
      const auto held = volume ? std::make_shared<const Volume>(std::move(*volume)) : nullptr;
      const QString problem = volume ? QString() : QString::fromStdString(volume.error().message);
      const DisplayRange range = held ? robustRange(histogramOf(timePointOf(*held, 0))) : DisplayRange{};
      tell([this, path, held, problem, range] { fill(path, held, problem, range); });
    }
    return {};
  });
}

void ViewerSheet::fill(const QString& path, const std::shared_ptr<const Volume>& volume, const QString& problem, DisplayRange range) {
  for (Cell& cell : m_cells)
    if (cell.sample.path == path && !cell.volume) {
      cell.volume = volume;
      cell.problem = problem;
      if (cell.volume && !std::exchange(m_hasRange, true))
        m_range = range; // one for all: they can be judged
    }
  redraw();
  emit loaded(loadedCount());
}

void ViewerSheet::redraw() {
  arrange();
  m_board->update();
  repaintStaleCells();
  const int missing = static_cast<int>(m_cells.size()) - loadedCount();
  m_text->setText(missing > 0 ? tr("%1 of %2").arg(loadedCount()).arg(m_cells.size()) : tr("%n sample(s)", nullptr, static_cast<int>(m_cells.size())));
}

// Beside the window: a hundred cells take longer than a turn of its thread may. Cells that are seen come first.
void ViewerSheet::repaintStaleCells() {
  CellSlice slice = this->slice();
  slice.edge = static_cast<int>(slice.edge * devicePixelRatioF());
  struct Job {
    QString path;
    std::shared_ptr<const Volume> volume;
    bool isSeen = false;
  };
  std::vector<Job> jobs;
  for (const Cell& cell : m_cells)
    if (cell.volume && cell.painted != m_wanted)
      jobs.push_back({cell.sample.path, cell.volume, !m_board->visibleRegion().intersected(m_board->cellRect(cell)).isEmpty()});
  std::stable_partition(jobs.begin(), jobs.end(), [](const Job& job) { return job.isSeen; });
  m_painter.start([this, jobs, slice, wanted = m_wanted](std::stop_token stop, const NewestWork::Tell& tell) -> NewestWork::Report {
    for (const Job& job : jobs) {
      if (stop.stop_requested())
        return {};
      tell([this, wanted, path = job.path, picture = slicePicture(job.volume, slice)] {
        for (Cell& cell : m_cells)
          if (cell.sample.path == path) {
            cell.picture = picture;
            cell.painted = wanted;
            m_board->update(m_board->cellRect(cell));
          }
      });
    }
    return [this] { emit painted(); };
  });
}

CellSlice ViewerSheet::slice() const { return {axis(), m_slice->value() / 100.0, m_range, m_size->value()}; }

void ViewerSheet::save(const QString& path, int scale) {
  SheetStill still;
  for (const Cell& cell : m_cells) {
    still.cells.push_back(cellFor(cell));
    still.cells.back().volume = cell.volume;
  }
  still.size = m_board->size();
  still.ratio = devicePixelRatioF();
  still.slice = slice();
  still.background = palette().color(QPalette::Window);
  still.text = palette().color(QPalette::WindowText);
  still.font = font();
  whenDone(QtConcurrent::run([still, path, scale] { return still.paint(scale).save(path); }), this, [this, path](bool isWritten) { emit saved(path, isWritten); });
}

QImage ViewerSheet::picture() const {
  QImage image(m_board->size() * devicePixelRatioF(), QImage::Format_RGB32);
  image.setDevicePixelRatio(devicePixelRatioF());
  image.fill(palette().color(QPalette::Window));
  m_board->showChosen(Visibility::Hidden);
  m_board->render(&image);
  m_board->showChosen(Visibility::Shown);
  return image;
}

} // namespace voxlab
