// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/english_plurals.h"

namespace voxlab {

QString EnglishPlurals::translate(const char*, const char* source, const char*, int n) const {
  QString text = QString::fromUtf8(source);
  if (n < 0 || !text.contains(QLatin1String("(s)")))
    return {};
  return text.replace(QLatin1String("(s)"), n == 1 ? QString() : QStringLiteral("s"));
}

} // namespace voxlab
