// SPDX-License-Identifier: GPL-3.0-or-later
// What went wrong and what is odd about the volumes that are open, in sentences over the views: the newest, and all of them at a
// click, which scroll where they are many. They stay until they are dismissed or their volume goes.
#pragma once
#include <QSet>
#include <QStringList>
#include <QWidget>
#include <vector>

class QLabel;
class QScrollArea;
class QToolButton;

namespace voxlab {

class ViewerNotices : public QWidget {
  Q_OBJECT
public:
  explicit ViewerNotices(QWidget* parent = nullptr);

  void add(const QString& sentence);
  // What is to be said of one thing, instead of what was said of it before; nothing where the sentence is empty. Once dismissed,
  // nothing more is said of it.
  void setAbout(const void* thing, const QString& sentence);
  void keepOnly(const QSet<const void*>& things); // of what is about a thing
  void clear();
  QStringList sentences() const; // newest first

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  struct Notice {
    const void* about = nullptr;
    QString sentence;
  };
  void dismiss();
  void redraw();
  void fit();

  std::vector<Notice> m_notices; // newest last
  QSet<const void*> m_dismissed;
  bool m_isExpanded = false;
  QLabel* m_text;
  QScrollArea* m_area;
  QToolButton* m_more;
};

} // namespace voxlab
