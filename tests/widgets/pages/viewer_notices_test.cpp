// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_notices.h"
#include <QLabel>
#include <QToolButton>
#include <gmock/gmock.h>

using namespace voxlab;

TEST(Notices, ShowTheNewestAndAllAtAClick) {
  ViewerNotices notices;
  EXPECT_TRUE(notices.isHidden());
  notices.add(MessageKind::Failure, QStringLiteral("first"));
  const int one = 1, other = 2;
  notices.setAbout(&one, QStringLiteral("of one"));
  notices.add(MessageKind::Failure, QStringLiteral("last"));
  notices.add(MessageKind::Failure, QStringLiteral("first"));
  EXPECT_FALSE(notices.isHidden());
  EXPECT_THAT(notices.sentences(), testing::ElementsAre(QStringLiteral("first"), QStringLiteral("last"), QStringLiteral("of one"))) << "none twice";
  const auto shown = [&] {
    QStringList all;
    for (const QLabel* label : notices.findChildren<QLabel*>())
      if (label->pixmap().isNull())
        all << label->text();
    return all.join(QLatin1Char('\n'));
  };
  const auto press = [&](const char* name) {
    for (auto* button : notices.findChildren<QToolButton*>())
      if (button->accessibleName() == QLatin1String(name))
        return button->click();
    ADD_FAILURE() << name;
  };
  EXPECT_EQ(shown(), QStringLiteral("first"));
  press("Show all of them");
  EXPECT_EQ(shown(), QStringLiteral("first\nlast\nof one"));
  notices.setAbout(&one, QStringLiteral("of one, later"));
  notices.setAbout(&other, QString());
  EXPECT_EQ(notices.sentences().size(), 3);
  EXPECT_TRUE(shown().contains(QStringLiteral("later")));
  press("Dismiss");
  EXPECT_TRUE(notices.isHidden());
  notices.setAbout(&one, QStringLiteral("of one, again"));
  EXPECT_TRUE(notices.isHidden()) << "that was dismissed";
  notices.setAbout(&other, QStringLiteral("of the other"));
  EXPECT_EQ(shown(), QStringLiteral("of the other"));
  notices.keepOnly({&one});
  EXPECT_TRUE(notices.isHidden());
  for (int i = 0; i < 20; ++i)
    notices.add(MessageKind::Failure, QString::number(i));
  press("Show all of them");
  EXPECT_EQ(shown().count(QLatin1Char('\n')), 19);
  notices.resize(400, 0);
  const int line = notices.fontMetrics().lineSpacing();
  EXPECT_GE(notices.minimumSizeHint().height(), 6 * line);
  EXPECT_LE(notices.minimumSizeHint().height(), 8 * line) << "the others scroll: the views must stay in sight, the window as large as it is";
}
