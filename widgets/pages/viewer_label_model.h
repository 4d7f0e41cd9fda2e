// SPDX-License-Identifier: GPL-3.0-or-later
// The classes of a label layer as a table: shown or not, colour, name, value and volume in millilitres.
#pragma once
#include "core/imaging/label_table.h"
#include <QAbstractTableModel>
#include <map>

namespace voxlab {

class ViewerDocument;

class ViewerLabelModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Name, Value, Volume, ColumnCount };

  explicit ViewerLabelModel(ViewerDocument& document, QObject* parent = nullptr);
  int layer() const { return m_layer; }
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  const Label* labelAt(int row) const;
  void setColour(int row, std::array<std::uint8_t, 3> colour);
  enum class Show { None, All };
  void showAll(Show show);

private:
  void reload();

  ViewerDocument& m_document;
  int m_layer = -1;
};

} // namespace voxlab
