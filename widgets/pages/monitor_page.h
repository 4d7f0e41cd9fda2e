// SPDX-License-Identifier: GPL-3.0-or-later
// One run as it goes: loss, step time, throughput, memory, GPU, samples, log. Live and finished runs look the same.
#pragma once
#include "core/analysis/run_state.h"
#include <QWidget>
#include <functional>
#include <memory>

class QGridLayout;
class QScrollArea;
class QStackedWidget;

namespace voxlab {

class BarPlot;
class BreakdownCard;
class GpuCard;
class LogView;
class LossCard;
class PlotCard;
class SampleStrip;
class SeriesPlot;
class StackedPlot;

class MonitorPage : public QWidget {
  Q_OBJECT
public:
  explicit MonitorPage(QWidget* parent = nullptr);

  void clear(); // no run selected
  // The state grows outside; refresh() says that it has.
  void setRun(std::shared_ptr<const RunState> state, const QString& runFolder, const QString& kind);
  void refresh();
  void setLog(const QString& tail);
  void showLog(); // scrolls to it
  bool isReady() const; // everything that the state holds is drawn, pictures too

  LossCard* lossCard() const { return m_loss; }
  SampleStrip* samples() const { return m_samples; }
  LogView* log() const { return m_log; }

signals:
  void openSampleRequested(const QString& file);
  void newJobClicked();

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  struct Place {
    QWidget* card;
    int wideSpan, row, height; // columns of twelve; rows in the wide arrangement
  };
  using Source = std::function<Series(double, double, std::size_t)>;
  void buildEmpty();
  void buildCards();
  void arrange();
  Source source(Measure measure, double factor = 1) const;
  SeriesPlot* makePlot(const QString& x, const QString& y, const char* exportName, const QString& empty);
  void refreshThroughput();
  void refreshMemory();
  void refreshBench();
  void chooseCards();

  std::shared_ptr<const RunState> m_state;
  QString m_kind;
  QStackedWidget* m_stack;
  QScrollArea* m_scroll;
  QGridLayout* m_grid;
  QList<Place> m_places;
  LossCard* m_loss;
  PlotCard* m_stepCard;
  StackedPlot* m_step;
  PlotCard* m_throughputCard;
  SeriesPlot* m_throughput;
  PlotCard* m_memoryCard;
  SeriesPlot* m_memory;
  PlotCard* m_gradientCard;
  SeriesPlot* m_gradient;
  PlotCard* m_benchCard;
  BarPlot* m_bench;
  GpuCard* m_gpu;
  BreakdownCard* m_breakdown;
  SampleStrip* m_samples;
  LogView* m_log;
  int m_arranged = -1; // 0 narrow, 1 wide, and which cards: see arrange()
};

} // namespace voxlab
