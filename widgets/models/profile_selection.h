// SPDX-License-Identifier: GPL-3.0-or-later
// The one selection of the kernels page: time range, categories, module, words. Every view shows it, and some change it.
#pragma once
#include "core/analysis/kernel_table.h"
#include <QObject>
#include <QString>
#include <vector>

namespace voxlab {

class ProfileSelection : public QObject {
  Q_OBJECT
public:
  enum class Part { None, Time, Categories, Module, Operator, Words };
  struct Chip { // a part in words, to be shown and taken away
    Part part;
    QString text;
  };
  enum class Adding { Instead, AsWell };

  explicit ProfileSelection(QObject* parent = nullptr);
  const EventFilter& filter() const { return m_filter; }
  bool isEmpty() const { return chips().empty(); }
  std::vector<Chip> chips() const;

  void setTime(std::optional<std::pair<std::int64_t, std::int64_t>> time_ns);
  void setStep(int number, std::int64_t start_ns, std::int64_t end_ns); // a time range that has a name
  // One category instead of those chosen (the same again: all), or one more or less.
  void chooseCategory(KernelCategory category, Adding adding = Adding::Instead);
  void setModule(const QString& path); // empty: all; the same again: the module above it
  void setWithoutModule();             // only what belongs to none; the same again: all
  void setOperator(Phase phase, const QString& name); // Unknown and empty: all
  void setWithoutOperator(Phase phase);               // only what was recorded for none; the same again: all of the phase, or all
  void setWords(const QString& words);
  void clear(Part part);
  void clear();
  void reset(); // everything, and nothing to go back to: another profile is shown
  bool canGoBack() const { return !m_past.empty(); }
  void goBack(); // to what was selected before

signals:
  void changed();

private:
  struct State {
    EventFilter filter;
    int step = 0; // that the time range is of; 0: none
  };
  void take(State next, Part part);
  State now() const { return {m_filter, m_step}; }

  EventFilter m_filter;
  int m_step = 0;
  Part m_lastPart = Part::None;
  std::vector<State> m_past;
};

} // namespace voxlab
