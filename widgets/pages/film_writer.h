// SPDX-License-Identifier: GPL-3.0-or-later
// Where a film's pictures go: numbered PNG files, or one animated PNG (APNG 1.0, an extension of PNG that browsers play and
// that other programs show as a still picture). Used from one thread at a time; answers are empty, or a sentence that says
// what failed.
#pragma once
#include <QImage>
#include <QString>
#include <memory>

namespace voxlab {

class FilmWriter {
public:
  virtual ~FilmWriter() = default;
  virtual QString add(const QImage& picture) = 0; // all of one size
  virtual QString finish() { return {}; }
};

// frame_0001.png … in a folder, which is made.
std::unique_ptr<FilmWriter> numberedPictures(const QString& folder);
// Written beside its name and renamed by finish(); without that nothing stays. Plays for ever.
std::unique_ptr<FilmWriter> animatedPng(const QString& file, int frames, int frameTime_ms);

} // namespace voxlab
