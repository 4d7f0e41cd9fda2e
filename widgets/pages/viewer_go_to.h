// SPDX-License-Identifier: GPL-3.0-or-later
// Going to a place that is known by numbers or by name: millimetres, a voxel of the lowest layer, a label.
#pragma once
#include "rendering/space.h"
#include <QDialog>
#include <array>
#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace voxlab {

class ViewerDocument;

// Three numbers out of "12 -8.5 30", "12, -8.5, 30", "x 12,5  y −8,5  z 30 mm" or "(12; -8.5; 30)": a comma between two digits is a
// decimal one only where blanks or semicolons part the numbers. nullopt where there are not exactly three.
std::optional<std::array<double, 3>> parseTriple(const QString& text);

class ViewerGoTo : public QDialog {
  Q_OBJECT
public:
  enum class Form { Millimetres, Voxel, Label };
  explicit ViewerGoTo(const ViewerDocument& document, QWidget* parent = nullptr);
  // What the fields say: a place, or a label's value whose middle is to be found. Neither while they say nothing that can be gone to.
  std::optional<Vec3d> place() const;
  std::optional<qint64> label() const;
  QString said() const; // under the field: where this leads to, or why it leads nowhere

private:
  Form form() const;
  void takeForm();
  void explain();

  const ViewerDocument& m_document;
  QComboBox* m_form;
  QLineEdit* m_text;
  QLabel* m_said;
  QPushButton* m_go;
};

} // namespace voxlab
