// SPDX-License-Identifier: GPL-3.0-or-later
// The heat table of a comparison: one row a mode or run, one column a measure; names, order and visibility are the user's.
#pragma once
#include "core/analysis/comparison_dress.h"
#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QStringList>

namespace voxlab {

class ComparisonModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Role {
    NormalisedRole = Qt::UserRole + 1, // double, or nothing where it is unknown
    GainRole,                          // log2 of how much better than the baseline; nothing where direction or value is unknown
    PinnedRole,
    BaselineRole,
    NameRole, // as recorded
    NoteRole, // the user's words on a side; column 0
    BestRole, // the fastest side
  };
  enum class Show { Normalised, Absolute };

  using QAbstractTableModel::QAbstractTableModel;
  void setComparison(const RunComparison& comparison);
  void clear();
  const RunComparison& comparison() const { return m_comparison; }
  void setShow(Show show);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override; // EditRole of column 0: a name
  Qt::ItemFlags flags(const QModelIndex& index) const override;

  const NormalisedMeasure& measure(int column) const { return m_comparison.measures[static_cast<std::size_t>(column - 1)]; }
  const ComparedRun& side(int row) const { return m_comparison.runs[static_cast<std::size_t>(row)]; }
  QString nameOf(int row) const; // the user's, or as recorded
  std::string keyOf(int row) const { return sideKey(side(row)); }
  QString noteOf(int row) const { return m_rows[static_cast<std::size_t>(row)].note; }
  void setNote(int row, const QString& note); // empty: none
  QString baselineNameOf(int row) const; // what a side is held against; empty: nothing
  bool hasOwnBaselines() const;          // several sides that others are held against
  QString ownBaselineSentence() const;   // which those are, and why; empty where there is one
  RunDifference named(RunDifference difference) const; // with the user's names of both sides, also in its sentence
  void togglePinned(int row);
  bool isPinned(int row) const;
  bool isBest(int row) const { return m_best && *m_best == static_cast<std::size_t>(row); }

  // What the user gave to sides; kept over reloads. Its order is the caller's.
  void setDress(const ComparisonDress& dress);
  const ComparisonDress& dress() const { return m_dress; }
  QString tableText() const; // every value, absolute with quartiles and normalised, as CSV

signals:
  void dressed(); // by the user: a name, a note, a pin

private:
  QVariant cell(int row, int column) const;
  QString hint(int row, int column) const;
  QString sideHint(int row) const;
  void dressRows();
  void give(std::map<std::string, std::string>& table, int row, const QString& words);

  RunComparison m_comparison;
  Show m_show = Show::Normalised;
  std::optional<std::size_t> m_best;
  struct Row {
    QString name, note;
    bool pinned = false;
  };
  std::vector<Row> m_rows; // as the dress has it
  ComparisonDress m_dress;
};

// A value with its unit as people read it: "384 ms", "12.3 GB", "86.1 G" of instructions.
QString measureText(double value, const std::string& unit);

// Pinned rows first, then as they come or by the chosen column; rows by words in their names.
class ComparisonFilter : public QSortFilterProxyModel {
  Q_OBJECT
public:
  explicit ComparisonFilter(QObject* parent = nullptr);
  void setWords(const QString& text);
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override; // -1: as they come, below what is pinned

protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
  QStringList m_words;
  bool m_asTheyCome = true;
};

} // namespace voxlab
