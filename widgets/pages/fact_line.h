// SPDX-License-Identifier: GPL-3.0-or-later
// Short facts in a row, a dot between them; those that have no room go on in the next row, none is cut.
#pragma once
#include <QWidget>

namespace voxlab {

class FactLine : public QWidget {
  Q_OBJECT
public:
  explicit FactLine(QWidget* parent = nullptr);
  void setFacts(const QStringList& facts);
  const QStringList& facts() const { return m_facts; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override; // of the longest fact

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  QList<QStringList> rows(int width) const;
  QStringList m_facts;
};

} // namespace voxlab
