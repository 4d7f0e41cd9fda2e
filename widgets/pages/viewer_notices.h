// SPDX-License-Identifier: GPL-3.0-or-later
// What went wrong and what is odd about the volumes that are open, in sentences over the views, each marked as what it is: the newest,
// and all of them at a click, which scroll where they are many. They stay until they are dismissed or their volume goes.
#pragma once
#include "widgets/pages/message_kind.h"
#include <QSet>
#include <QStringList>
#include <QWidget>
#include <vector>

class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace voxlab {

class ViewerNotices : public QWidget {
  Q_OBJECT
public:
  explicit ViewerNotices(QWidget* parent = nullptr);

  void add(MessageKind kind, const QString& sentence);
  // What is to be said of one thing, which wants attention, instead of what was said of it before; nothing where the sentence is empty. Once dismissed,
  // nothing more is said of it.
  void setAbout(const void* thing, const QString& sentence);
  void keepOnly(const QSet<const void*>& things); // of what is about a thing
  void clear();
  QStringList sentences() const; // newest first
  QStringList sentences(MessageKind kind) const;

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  struct Notice {
    const void* about = nullptr;
    MessageKind kind = MessageKind::Information;
    QString sentence;
  };
  void addRow(const Notice& notice);
  void dismiss();
  void redraw();
  void fit();

  std::vector<Notice> m_notices; // newest last
  QSet<const void*> m_dismissed;
  bool m_isExpanded = false;
  QWidget* m_content = nullptr;
  QVBoxLayout* m_rows = nullptr;
  QScrollArea* m_area;
  QToolButton* m_more;
};

} // namespace voxlab
