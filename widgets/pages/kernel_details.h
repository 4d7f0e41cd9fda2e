// SPDX-License-Identifier: GPL-3.0-or-later
// All that is known of one kernel, or of one group of kernels.
#pragma once
#include "core/analysis/profile_view.h"
#include <QWidget>

class QFormLayout;
class QLabel;
class QVBoxLayout;

namespace voxlab {

class CountersPanel;

class KernelDetails : public QWidget {
  Q_OBJECT
public:
  explicit KernelDetails(QWidget* parent = nullptr);
  enum class What { Kernel, Group };
  void setRow(const Profile& profile, const ProfileView& view, const KernelRow& row, What what);
  void clear();
  QString clipboardText() const;

signals:
  void operatorClicked(const QString& name);
  void moduleClicked(const QString& path);

private:
  void addFact(const QString& name, const QString& value, const QString& link = {});
  void addFacts(const ProfileView& view, const KernelRow& row);
  void addCounters(const Profile& profile, const KernelRow& row);
  void addOccupancy(const KernelRow& row);
  void addAdvice(const ProfileView& view, const KernelRow& row);

  QWidget* m_content;
  QLabel *m_empty, *m_title, *m_name, *m_advice, *m_noCounters, *m_rules;
  QFormLayout* m_facts;
  CountersPanel* m_counters;
  QStringList m_text;
};

} // namespace voxlab
