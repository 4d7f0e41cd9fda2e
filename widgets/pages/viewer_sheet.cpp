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
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <QtConcurrent>

namespace voxlab {
namespace {
constexpr int kHeader_px = 22, kGap_px = 4;
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

struct CellSlice {
  SliceAxis axis = SliceAxis::Axial;
  double share = 0.5; // of the way through the volume
  DisplayRange range;
  int edge = 0;
};

QImage pictureOf(const std::shared_ptr<const Volume>& volume, const CellSlice& slice) {
  const auto sampled = SampledVolume::of(volume);
  if (!sampled)
    return {};
  SliceLayer layer{*sampled};
  layer.range = slice.range;
  const SliceScene scene{{layer}};
  const SliceFrame frame = alignedFrame(volume->grid());
  const Bounds bounds = boundsIn(frame, volume->grid());
  Vec3d at = bounds.centre();
  const int through = throughComponent(slice.axis);
  at[through] = bounds.low[through] + bounds.extent()[through] * (0.02 + 0.96 * slice.share);
  SliceCamera camera;
  camera.axis = slice.axis;
  const Picture picture = scene.draw(sliceGeometry(camera, frame, bounds, frame.toWorld(at), slice.edge, slice.edge));
  return QImage(reinterpret_cast<const uchar*>(picture.pixels.data()), picture.width, picture.height, QImage::Format_RGB32).copy();
}
} // namespace

// Draws the cells; sized by rows and columns.
class ViewerSheet::Board : public QWidget {
public:
  explicit Board(ViewerSheet& sheet) : QWidget(&sheet), m_sheet(sheet) { setMouseTracking(true); }
  int edge() const { return m_sheet.m_size->value(); }
  void fit() { setFixedSize(m_sheet.columnCount() * (edge() + kGap_px) + kGap_px, m_sheet.rowCount() * (edge() + kHeader_px + kGap_px) + kGap_px); }
  QRect cellRect(const Cell& cell) const {
    return {kGap_px + cell.column * (edge() + kGap_px), kGap_px + cell.row * (edge() + kHeader_px + kGap_px) + kHeader_px, edge(), edge()};
  }

protected:
  void paintEvent(QPaintEvent* event) override {
    QPainter painter(this);
    for (const Cell& cell : m_sheet.m_cells) {
      const QRect box = cellRect(cell);
      if (!box.adjusted(0, -kHeader_px, 0, 0).intersects(event->rect()))
        continue;
      painter.fillRect(box, Qt::black);
      painter.setPen(palette().color(QPalette::WindowText));
      painter.drawText(box.adjusted(0, -kHeader_px, 0, 0), Qt::AlignLeft | Qt::AlignTop,
                       painter.fontMetrics().elidedText(cell.sample.title, Qt::ElideMiddle, box.width()));
      if (!cell.picture.isNull())
        painter.drawImage(box, cell.picture);
      else if (!cell.volume) {
        painter.setPen(QColor(0x9a, 0xa0, 0xa6));
        painter.drawText(box.adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap, cell.problem.isEmpty() ? tr("reading…") : cell.problem);
      }
      if (cell.isChosen && m_showsChosen) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 3));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(box).adjusted(1.5, 1.5, -1.5, -1.5));
      }
    }
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
        tip = tr("%1\nClick to open, Ctrl+click to choose it for comparing").arg(cell.sample.path);
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
  m_size->setRange(72, 360);
  m_size->setValue(160);
  m_size->setMaximumWidth(120);
  m_size->setAccessibleName(tr("Size of the pictures"));
  m_text = makeLabel({}, "caption", this);
  m_compare = makeButton({}, "chip", {}, this);
  m_compare->setToolTip(tr("The chosen samples side by side (Shift+G)"));
  m_compare->hide();
  QToolButton* copy = makeToolButton(QStringLiteral("copy"), tr("Copy the sheet as a picture"), this);
  QToolButton* save = makeToolButton(QStringLiteral("viewer-save"), tr("Save the sheet as a picture…"), this);
  QToolButton* close = makeToolButton(QStringLiteral("close"), tr("Back to the views"), this);
  m_board = new Board(*this);
  auto* area = new QScrollArea(this);
  area->setFrameShape(QFrame::NoFrame);
  area->setWidget(m_board);
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
  layout->addLayout(top);
  layout->addWidget(area, 1);
  const auto another = [this] {
    ++m_wanted;
    redraw();
  };
  connect(m_axis, &QComboBox::activated, this, another);
  connect(m_slice, &QSlider::valueChanged, this, another);
  connect(m_size, &QSlider::valueChanged, this, another);
  connect(close, &QToolButton::clicked, this, &ViewerSheet::closed);
  connect(m_compare, &QPushButton::clicked, this, &ViewerSheet::compareChosen);
  connect(save, &QToolButton::clicked, this, [this] {
    const QString path = askForFile(this, tr("Save the sheet as a picture"), QStringLiteral("contact_sheet.png"), tr("Pictures (*.png *.jpg *.tif)"));
    if (!path.isEmpty())
      this->save(QFileInfo(path).suffix().isEmpty() ? path + QStringLiteral(".png") : path);
  });
  connect(copy, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setImage(picture()); });
}

SliceAxis ViewerSheet::axis() const { return static_cast<SliceAxis>(m_axis->currentData().toInt()); }

int ViewerSheet::loadedCount() const {
  return static_cast<int>(std::count_if(m_cells.begin(), m_cells.end(), [](const Cell& cell) { return cell.volume != nullptr; }));
}

// Rows by the file's name, columns by the group; without groups the samples run on, eight a row.
void ViewerSheet::place(Cell& cell) {
  constexpr int kAcross = 8;
  if (cell.sample.group.isEmpty()) {
    const int index = static_cast<int>(m_cells.size());
    cell.row = index / kAcross;
    cell.column = index % kAcross;
    while (m_rows.size() <= cell.row)
      m_rows << QString();
    while (m_columns.size() <= cell.column)
      m_columns << QString();
    return;
  }
  const auto indexIn = [](QStringList& list, const QString& key) {
    if (!list.contains(key))
      list << key;
    return static_cast<int>(list.indexOf(key));
  };
  cell.row = indexIn(m_rows, QFileInfo(cell.sample.path).fileName());
  cell.column = indexIn(m_columns, cell.sample.group);
}

void ViewerSheet::setSamples(const QList<ViewerSample>& samples) {
  m_cells.clear();
  m_rows.clear();
  m_columns.clear();
  m_hasRange = false;
  m_compare->hide();
  for (const auto& sample : samples) {
    Cell cell;
    cell.sample = sample;
    place(cell);
    m_cells.push_back(cell);
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
  Cell cell;
  cell.sample = sample;
  place(cell);
  m_cells.push_back(cell);
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
  m_board->fit();
  m_board->update();
  repaintStaleCells();
  const int missing = static_cast<int>(m_cells.size()) - loadedCount();
  m_text->setText(missing > 0 ? tr("%1 of %2").arg(loadedCount()).arg(m_cells.size()) : tr("%n sample(s)", nullptr, static_cast<int>(m_cells.size())));
}

// Beside the window: a hundred cells take longer than a turn of its thread may. Cells that are seen come first.
void ViewerSheet::repaintStaleCells() {
  CellSlice slice{axis(), m_slice->value() / 100.0, m_range, static_cast<int>(m_size->value() * devicePixelRatioF())};
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
      tell([this, wanted, path = job.path, picture = pictureOf(job.volume, slice)] {
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

void ViewerSheet::save(const QString& path) {
  whenDone(QtConcurrent::run([image = picture(), path] { return image.save(path); }), this, [this, path](bool isWritten) { emit saved(path, isWritten); });
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
