// SPDX-License-Identifier: GPL-3.0-or-later
// Where work pays, best first, with the reason in words.
#pragma once
#include "core/analysis/priority.h"
#include <QAbstractListModel>
#include <memory>

namespace voxlab {

struct ProfileView;

class PriorityModel : public QAbstractListModel {
  Q_OBJECT
public:
  enum Role { TitleRole = Qt::UserRole + 1, FiguresRole, ReasonRole, ScoreRole, BestScoreRole, ColourRole, KeyRole, EstimateRole };
  using QAbstractListModel::QAbstractListModel;
  void setView(std::shared_ptr<const ProfileView> view); // items without anything to save are left out
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  const PriorityItem& item(int row) const;
  QString csv() const;
  QString text(int row) const; // for the clipboard

private:
  std::shared_ptr<const ProfileView> m_view;
  int m_count = 0;
};

} // namespace voxlab
