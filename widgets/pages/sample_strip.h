// SPDX-License-Identifier: GPL-3.0-or-later
// The samples of a run as they arrive: three slices of the newest, and one slice of each before it. Pictures are read in the
// background; the newest request wins. Volumes that a shipped run lacks are counted only.
#pragma once
#include "core/analysis/run_state.h"
#include "widgets/pages/slice_picture.h"
#include <QFrame>
#include <QHash>
#include <QString>
#include <set>
#include <string>

class QLabel;
class QPushButton;
class QScrollArea;

namespace voxlab {

class ElidedLabel;
class SampleThumb; // a picture that acts as a button

class SampleStrip : public QFrame {
  Q_OBJECT
public:
  explicit SampleStrip(QWidget* parent = nullptr);
  void clear(const QString& runFolder);
  void setSamples(const std::vector<SampleRecord>& samples); // paths relative to the run
  int pictureCount() const;                                  // of those that are drawn
  bool isLoading() const { return m_reading > 0; }

signals:
  void openRequested(const QString& file);
  void picturesChanged();

private:
  void read(const QString& file);
  void showPictures(const QString& file, const SlicePictures& pictures);
  void showNewest();
  void addThumb(const SampleRecord& sample, const QString& file);
  QString titleOf(const SampleRecord& sample) const;

  QString m_folder;
  QStringList m_files, m_titles; // of those whose files are there, absolute, in the order of arrival
  std::size_t m_known = 0;       // of all, with those that a shipped run lacks
  QHash<QString, SlicePictures> m_pictures;
  QHash<QString, SampleThumb*> m_thumbs;
  QLabel* m_title;
  ElidedLabel* m_caption;
  QLabel* m_planes[3];
  std::set<std::string> m_leftOutFiles; // by the run's record
  int m_leftOutCount = 0, m_missingCount = 0;
  QLabel *m_empty, *m_leftOut;
  QWidget* m_newest;
  QWidget* m_row;
  QScrollArea* m_scroll;
  QPushButton* m_open;
  int m_reading = 0, m_generation = 0;
};

} // namespace voxlab
