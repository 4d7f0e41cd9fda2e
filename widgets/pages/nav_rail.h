// SPDX-License-Identifier: GPL-3.0-or-later
// The left edge: where to go, and how busy the machine is.
#pragma once
#include <QFrame>
#include <QHash>
#include <optional>

class QButtonGroup;
class QToolButton;
class QVBoxLayout;

namespace voxlab {

// A share over time as a small filled curve, with its name and newest value.
class LoadMeter : public QWidget {
  Q_OBJECT
public:
  LoadMeter(const QString& name, const QString& colour, QWidget* parent = nullptr);
  void add(std::optional<double> share, const QString& detail); // 0…1
  QSize sizeHint() const override { return {60, 40}; }

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  QString m_name, m_colour;
  QList<double> m_shares; // -1: unknown
};

class NavRail : public QFrame {
  Q_OBJECT
public:
  explicit NavRail(QWidget* parent = nullptr);

  void addPlace(const QString& name, const QString& title, const QString& icon); // at the top; checkable
  void addTool(const QString& name, const QString& title, const QString& icon);  // at the bottom; a press only
  void setCurrent(const QString& name);
  void setThemeIcon(const QString& icon, const QString& tip);
  LoadMeter* gpuMeter() const { return m_gpu; }
  LoadMeter* cpuMeter() const { return m_cpu; }

signals:
  void placeChosen(const QString& name);
  void toolPressed(const QString& name);

private:
  QToolButton* makeRailButton(const QString& title, const QString& icon);

  QVBoxLayout* m_top;
  QVBoxLayout* m_bottom;
  QButtonGroup* m_group;
  QHash<QString, QToolButton*> m_buttons;
  LoadMeter* m_gpu;
  LoadMeter* m_cpu;
};

} // namespace voxlab
