// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of a selection as a table, or as groups with the kernels under them.
#pragma once
#include "core/analysis/kernel_table.h"
#include "core/base/json.h"
#include <QAbstractItemModel>
#include <memory>

namespace voxlab {

struct ProfileView;

class KernelTableModel : public QAbstractItemModel {
  Q_OBJECT
public:
  enum Column {
    Name,
    Total,
    Share,
    Calls,
    Mean,
    Minimum,
    Maximum,
    Category,
    Operator,
    Module,
    Arithmetic,
    GridSize,
    BlockSize,
    Registers,
    SharedMemory,
    AchievedOccupancy,
    EstimatedOccupancy,
    FullName,
    ColumnCount
  };
  enum Role { SortRole = Qt::UserRole + 1, CopyRole, ColourRole, ShareRole };

  explicit KernelTableModel(QObject* parent = nullptr);
  void setView(std::shared_ptr<const ProfileView> view); // nullptr: empty
  enum class Per { Step, Recording, Range };
  void setPer(Per per); // what the times are of, for the heading: a recording without steps is taken as a whole
  KernelGrouping grouping() const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& = {}) const override { return ColumnCount; }
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  void sort(int column, Qt::SortOrder order) override;

  const KernelRow* rowOf(const QModelIndex& index) const; // nullptr for an invalid index
  bool isGroup(const QModelIndex& index) const;           // not a kernel
  QString keyOf(const QModelIndex& index) const;          // stays the same from one view to the next
  QModelIndex find(const QString& key) const;
  QModelIndex findKernel(const QString& fullName) const; // its first row, under whatever group

  QString tabbed(const QModelIndexList& rows, const QList<int>& columns) const; // with a heading, as shown, but unrounded

private:
  struct Group {
    std::size_t source;               // into the view's groups
    std::vector<std::size_t> kernels; // into its kernels
  };

public:
  // Rows as they are sorted, values unrounded; of the whole selection, and a step. Groups stand before their kernels, with a column that says
  // which. Holds what it needs: it may be written out on any thread.
  class Rows {
  public:
    QString csv() const;
    Json json() const;

  private:
    friend class KernelTableModel;
    Rows(std::shared_ptr<const ProfileView> view, std::vector<Group> groups) : m_view(std::move(view)), m_groups(std::move(groups)) {}
    std::shared_ptr<const ProfileView> m_view;
    std::vector<Group> m_groups;
  };
  Rows rows() const { return {m_view, m_groups}; }

private:
  const KernelRow& groupRow(std::size_t position) const;
  const KernelRow& kernelRow(std::size_t group, std::size_t position) const;
  void sortNow();

  std::shared_ptr<const ProfileView> m_view;
  std::vector<Group> m_groups; // in the order shown
  Per m_per = Per::Step;
  int m_column = Total;
  Qt::SortOrder m_order = Qt::DescendingOrder;
};

// A value of a row: what it is sorted and exported by; an invalid variant where it is unknown.
QVariant kernelValue(const KernelRow& row, int column);
QString kernelColumnName(int column);  // "total_ms", as in exports
QString kernelColumnTitle(int column); // "A step (ms)"
QString shapeText(const std::uint32_t (&sides)[3]); // "128 × 4 × 1"

} // namespace voxlab
