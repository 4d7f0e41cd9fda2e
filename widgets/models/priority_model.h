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
  // Where something is to be gained, everything that takes time worth a line, what has no gain after what has. Else nothing.
  void setView(std::shared_ptr<const ProfileView> view);
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  const PriorityItem& item(int row) const;
  QString csv() const;
  QString clipboardText(int row) const;

private:
  QString figures(const PriorityItem& it) const;
  QString tip(const PriorityItem& it) const;

  std::shared_ptr<const ProfileView> m_view;
  std::vector<std::size_t> m_rows; // into the view's priorities
};

} // namespace voxlab
