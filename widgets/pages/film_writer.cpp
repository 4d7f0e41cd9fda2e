// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/film_writer.h"
#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <QtEndian>
#include <array>

namespace voxlab {
namespace {

QString couldNotWrite(const QString& file) {
  return QCoreApplication::translate("Viewer", "The picture %1 could not be written. Is there space left, and may you write there?").arg(file);
}

class NumberedPictures : public FilmWriter {
public:
  explicit NumberedPictures(QString folder) : m_folder(std::move(folder)) {}
  QString add(const QImage& picture) override {
    if (!QDir().mkpath(m_folder))
      return QCoreApplication::translate("Viewer", "The folder %1 cannot be made.").arg(m_folder);
    const QString file = QDir(m_folder).filePath(QStringLiteral("frame_%1.png").arg(++m_number, 4, 10, QLatin1Char('0')));
    return picture.save(file) ? QString() : couldNotWrite(file);
  }

private:
  QString m_folder;
  int m_number = 0;
};

// The cyclic redundancy check of PNG (ISO/IEC 15948, annex D).
quint32 checkOf(const QByteArray& bytes) {
  static const auto table = [] {
    std::array<quint32, 256> values{};
    for (quint32 n = 0; n < 256; ++n) {
      quint32 c = n;
      for (int bit = 0; bit < 8; ++bit)
        c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
      values[n] = c;
    }
    return values;
  }();
  quint32 c = 0xFFFFFFFFu;
  for (const char byte : bytes)
    c = table[(c ^ static_cast<quint8>(byte)) & 0xFF] ^ (c >> 8);
  return c ^ 0xFFFFFFFFu;
}

template <class T> void append(QByteArray& bytes, T value) {
  value = qToBigEndian(value);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

struct Chunk {
  QByteArray type, data;
};

QByteArray bytesOf(const Chunk& chunk) {
  QByteArray bytes;
  append(bytes, static_cast<quint32>(chunk.data.size()));
  const QByteArray checked = chunk.type + chunk.data;
  bytes += checked;
  append(bytes, checkOf(checked));
  return bytes;
}

const QByteArray kSignature("\x89PNG\r\n\x1a\n", 8);

// Header and compressed rows of the picture as Qt writes them; everything else is left out.
QList<Chunk> chunksOf(const QImage& picture) {
  QByteArray png;
  QBuffer buffer(&png);
  buffer.open(QIODevice::WriteOnly);
  picture.convertToFormat(QImage::Format_RGB888).save(&buffer, "PNG");
  QList<Chunk> chunks;
  for (qsizetype at = kSignature.size(); at + 12 <= png.size();) {
    const auto length = static_cast<qsizetype>(qFromBigEndian<quint32>(png.constData() + at));
    const Chunk chunk{png.mid(at + 4, 4), png.mid(at + 8, length)};
    if (chunk.type == "IHDR" || chunk.type == "IDAT")
      chunks << chunk;
    at += length + 12;
  }
  return chunks;
}

class AnimatedPng : public FilmWriter {
public:
  AnimatedPng(const QString& file, int frames, int frameTime_ms) : m_file(file), m_frames(frames), m_frameTime_ms(frameTime_ms) {}

  QString add(const QImage& picture) override {
    if (m_number == 0 && (!QDir().mkpath(QFileInfo(m_file.fileName()).absolutePath()) || !m_file.open(QIODevice::WriteOnly)))
      return couldNotWrite(m_file.fileName());
    QByteArray bytes;
    for (const Chunk& chunk : chunksOf(picture))
      if (chunk.type == "IHDR") {
        if (m_number == 0)
          bytes += kSignature + bytesOf(chunk) + bytesOf(animationControl());
        bytes += bytesOf(frameControl(picture.size()));
      } else if (m_number == 0)
        bytes += bytesOf(chunk);
      else
        bytes += bytesOf(frameData(chunk.data));
    ++m_number;
    return m_file.write(bytes) == bytes.size() ? QString() : couldNotWrite(m_file.fileName());
  }

  QString finish() override {
    const QByteArray end = bytesOf({"IEND", {}});
    return m_file.write(end) == end.size() && m_file.commit() ? QString() : couldNotWrite(m_file.fileName());
  }

private:
  Chunk animationControl() const {
    Chunk chunk{"acTL", {}};
    append(chunk.data, static_cast<quint32>(m_frames));
    append(chunk.data, quint32{0}); // plays: for ever
    return chunk;
  }
  Chunk frameControl(QSize size) {
    Chunk chunk{"fcTL", {}};
    for (const quint32 value : {m_sequence++, static_cast<quint32>(size.width()), static_cast<quint32>(size.height()), 0u, 0u})
      append(chunk.data, value);
    append(chunk.data, static_cast<quint16>(m_frameTime_ms));
    append(chunk.data, quint16{1000});
    chunk.data += QByteArray(2, '\0'); // nothing is disposed of, pixels replace
    return chunk;
  }
  Chunk frameData(const QByteArray& rows) {
    Chunk chunk{"fdAT", {}};
    append(chunk.data, m_sequence++);
    chunk.data += rows;
    return chunk;
  }

  QSaveFile m_file;
  int m_frames, m_frameTime_ms, m_number = 0;
  quint32 m_sequence = 0; // of the control and data chunks together
};

} // namespace

std::unique_ptr<FilmWriter> numberedPictures(const QString& folder) { return std::make_unique<NumberedPictures>(folder); }

std::unique_ptr<FilmWriter> animatedPng(const QString& file, int frames, int frameTime_ms) {
  return std::make_unique<AnimatedPng>(file, frames, frameTime_ms);
}

} // namespace voxlab
