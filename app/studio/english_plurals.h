// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QTranslator>

namespace voxlab {

// Texts in the sources are English; "%n volume(s)" becomes "1 volume" and "2 volumes". Translations into other languages bring
// plurals of their own.
class EnglishPlurals : public QTranslator {
public:
  using QTranslator::QTranslator;
  bool isEmpty() const override { return false; }
  QString translate(const char* context, const char* source, const char* disambiguation, int n) const override;
};

} // namespace voxlab
