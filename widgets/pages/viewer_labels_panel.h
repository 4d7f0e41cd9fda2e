// SPDX-License-Identifier: GPL-3.0-or-later
// The labels of the topmost (or active) label layer: filter, show, rename, recolour, names from presets and files.
#pragma once
#include <QWidget>

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace voxlab {

class ViewerDocument;
class ViewerLabelModel;

class ViewerLabelsPanel : public QWidget {
  Q_OBJECT
public:
  explicit ViewerLabelsPanel(ViewerDocument& document, QWidget* parent = nullptr);
  // Names and colours for the values that occur; false where there is no label layer.
  bool applyPreset(const QString& key);
  bool applyFile(const QString& path); // a sentence goes to failed() where the file cannot be read

  void choose(std::int64_t value); // its row, brought into sight

signals:
  void failed(const QString& sentence);
  void centreRequested(qint64 value); // double click on a value: go there

private:
  void fitNumbers();
  void chooseColour(const QModelIndex& proxyIndex);
  void chooseFile();
  void saveFile();
  void takeLayer();
  void explainEmptiness();
  bool isOnSwatch(const QModelIndex& proxyIndex) const;

  ViewerDocument& m_document;
  ViewerLabelModel* m_model;
  QSortFilterProxyModel* m_proxy;
  QTreeView* m_list;
  QLineEdit* m_filter;
  QLabel* m_nothing; // why the list is empty
  QString m_filtered; // the label map that the filter was typed for
};

} // namespace voxlab
