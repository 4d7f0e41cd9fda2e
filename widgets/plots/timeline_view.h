// SPDX-License-Identifier: GPL-3.0-or-later
// What ran when: a lane for each stream, below them idle time by cause and what the host did, steps above, the whole recording below. Draws about as many rectangles as there are
// pixels, however many events there are. Wheel zooms, dragging selects a time range, Shift+drag or the middle button moves. Lanes that
// have no room are scrolled to: with the bar, the wheel over their names, Page Up and Page Down.
#pragma once
#include "core/analysis/profile_view.h"
#include "widgets/plots/painted_plot.h"
#include "widgets/plots/timeline_window.h"

class QScrollBar;

namespace voxlab {

class TimelineView : public PaintedPlot {
  Q_OBJECT
public:
  using TimeRange = std::optional<std::pair<std::int64_t, std::int64_t>>;

  explicit TimelineView(QWidget* parent = nullptr);
  void setProfile(std::shared_ptr<const Profile> profile);   // nullptr: none
  void setSelected(std::shared_ptr<const ProfileView> view); // what is not in it stands back; nullptr: everything is
  void setTimeRange(TimeRange range);                        // the one selected
  void setMarked(std::uint32_t event);                       // outlined; kNoIndex: none
  void showRange(std::int64_t first_ns, std::int64_t last_ns);
  const TimelineWindow& window() const { return m_window; }
  bool showsData() const override { return m_profile && !m_profile->timeline.lanes().empty(); }
  QSize sizeHint() const override { return {900, 180}; }
  QSize minimumSizeHint() const override { return {240, 110}; }

public slots:
  void resetView() override;

signals:
  void timeRangeChosen(voxlab::TimelineView::TimeRange range);
  void eventClicked(std::uint32_t event); // into trace.gpu
  void stepClicked(int step);             // into trace.steps

protected:
  void paint(QPainter& painter, const QSize& size) override;
  QString tableText() const override;
  TableSource numbers() const override; // the events in sight
  void addActions(QMenu& menu) override;
  QSize pageSize() const override; // with all lanes
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

private:
  enum class Drag { None, Select, Move, Overview };
  struct Areas {
    QRectF axis, steps, lanes, overview;     // without the gutter; lanes: those in sight
    double laneHeight = 0, besideHeight = 0; // of a stream, of what stands below the streams
    double hidden = 0;                       // pixels of lanes that there is no room for
    double scrolled = 0;                     // pixels of lanes above those in sight
  };
  Areas areasFor(const QSize& size) const;
  double leastLanes() const; // height of all lanes, each as low as it may be
  void updateGutter();
  void updateScrolling();
  std::size_t laneCount() const;
  QRectF laneArea(const Areas& areas, std::size_t lane) const; // streams first, then Profile::besideStreams
  int laneAt(const QPointF& position) const;                   // -1: none
  const SpanLane* besideAt(const QPointF& position) const;     // nullptr: none
  const LaneSpan* spanAt(const QPointF& position) const;
  int stepAt(const QPointF& position) const;
  std::uint32_t eventAt(const QPointF& position) const;
  double localX(const QPointF& position) const;
  QString hint(std::uint32_t event) const;
  QString hint(const SpanLane& lane, const LaneSpan& span) const;
  void moveOverviewTo(double x);

  void paintAxis(QPainter& painter, const Areas& areas, const ThemeColours& colours) const;
  void paintSteps(QPainter& painter, const Areas& areas, const ThemeColours& colours) const;
  void paintLane(QPainter& painter, std::size_t lane, const QRectF& area, const ThemeColours& colours) const;
  void paintBeside(QPainter& painter, const SpanLane& lane, const QRectF& area, const ThemeColours& colours) const;
  void paintLaneName(QPainter& painter, const QRectF& area, const QString& name, const ThemeColours& colours) const;
  QString nameOf(std::size_t lane) const;
  QString nameOf(const SpanLane& lane) const;
  void paintSlices(QPainter& painter, const EventTimeline& timeline, std::size_t lane, const QRectF& area, const ThemeColours& colours, double standBack) const;
  void paintRange(QPainter& painter, const Areas& areas, const ThemeColours& colours) const;
  void paintOverview(QPainter& painter, const Areas& areas, const ThemeColours& colours) const;
  void paintWords(QPainter& painter, const QRectF& area, const QString& text, const QColor& ground) const;

  std::shared_ptr<const Profile> m_profile;
  std::shared_ptr<const ProfileView> m_selected;
  TimelineWindow m_window;
  QScrollBar* m_scroll;
  int m_gutter = 0; // pixels at the left, for the lanes' names
  TimeRange m_range;
  std::uint32_t m_marked = kNoIndex;
  Drag m_drag = Drag::None;
  QPointF m_pressed;
  double m_movedFrom = 0;
};

} // namespace voxlab

Q_DECLARE_METATYPE(voxlab::TimelineView::TimeRange)
