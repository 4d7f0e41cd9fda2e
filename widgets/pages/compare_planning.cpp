// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare_planning.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include "widgets/models/comparison_arrangement.h"
#include "widgets/pages/flow_layout.h"
#include "widgets/pages/page_parts.h"
#include "widgets/plots/bar_plot.h"
#include "widgets/plots/table_text.h"
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace voxlab {
namespace {
constexpr int kRowHeight = 28, kMostRows = 14, kCellRoom = 5;
constexpr int kArrowRoom = 11; // headers keep it for an arrow
constexpr double kMostPrice = 100000, kJoulesAnWattHour = 3600;

QString figure(std::optional<double> value) { return text(orUnknown(value, [](double v) { return formatSignificant(v); })); }
QString hours(std::optional<double> value) { return text(orUnknown(value, [](double h) { return h < 1 ? formatDuration(h * 3600) : formatSignificant(h) + " h"; })); }

// Cells with the room of headers, so that numbers stand below their titles.
class RoomyDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem inner = option;
    inner.rect.adjust(kCellRoom, 0, -kCellRoom - kArrowRoom, 0);
    QStyledItemDelegate::paint(painter, inner, index);
  }
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override { return QStyledItemDelegate::sizeHint(option, index) + QSize(2 * kCellRoom + kArrowRoom, 0); }
};

QWidget* labelled(const QString& title, QWidget* field) {
  auto* box = new QWidget;
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kSpaceSmall);
  QLabel* label = makeLabel(title, "help");
  label->setBuddy(field);
  field->setAccessibleName(title);
  row->addWidget(label);
  row->addWidget(field);
  return box;
}
} // namespace

ComparePlanning::ComparePlanning(QWidget* parent)
    : QFrame(parent), m_figure(new QComboBox), m_samplingSteps(new QSpinBox), m_trainingSteps(new QSpinBox), m_currency(new QLineEdit(QStringLiteral("€"))), m_prices(new QWidget),
      m_words(makeWrappedLabel({}, "help")), m_chart(new BarPlot), m_table(new QTableWidget) {
  setRole(this, "card");
  m_figure->addItems({tr("Latency a volume"), tr("Volumes an hour"), tr("Energy a volume"), tr("Cost a volume"), tr("Time of a training"), tr("Energy of a training"), tr("Cost of a training")});
  m_figure->setAccessibleName(tr("What is drawn"));
  for (QSpinBox* box : {m_samplingSteps, m_trainingSteps})
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
  m_samplingSteps->setRange(1, 100000);
  m_trainingSteps->setRange(1, 1000000000);
  m_trainingSteps->setGroupSeparatorShown(true);
  m_currency->setMaximumWidth(48);
  m_currency->setMaxLength(5);
  m_currency->setAccessibleName(tr("Currency"));
  m_prices->setLayout(new FlowLayout(kSpace));
  m_chart->setExportName(QStringLiteral("deployment"));
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setSelectionMode(QAbstractItemView::NoSelection);
  m_table->setFocusPolicy(Qt::NoFocus);
  m_table->setShowGrid(false);
  m_table->setItemDelegate(new RoomyDelegate(m_table));
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
  m_table->setAccessibleName(tr("Latency, energy and cost of the modes"));
  auto* head = new QHBoxLayout;
  head->addWidget(makeLabel(tr("In use"), "heading"));
  head->addStretch();
  head->addWidget(m_figure);
  QPushButton* save = makeButton(tr("Save the table…"), nullptr, QStringLiteral("export"));
  head->addWidget(save);
  auto* fields = new QWidget;
  auto* flow = new FlowLayout(kSpace, 0, fields);
  flow->addWidget(labelled(tr("Sampling steps a volume"), m_samplingSteps));
  flow->addWidget(labelled(tr("Training steps"), m_trainingSteps));
  flow->addWidget(labelled(tr("Currency"), m_currency));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, kSpace, 12, kSpace);
  column->setSpacing(kSpace);
  column->addLayout(head);
  column->addWidget(fields);
  column->addWidget(m_prices);
  column->addWidget(m_chart);
  column->addWidget(m_table);
  column->addWidget(m_words);
  m_samplingSteps->setValue(m_plan.samplingSteps);
  m_trainingSteps->setValue(static_cast<int>(m_plan.trainingSteps));
  const auto edited = [this] {
    if (m_filling)
      return;
    m_plan.samplingSteps = m_samplingSteps->value();
    m_plan.trainingSteps = m_trainingSteps->value();
    refresh();
    emit planChanged();
  };
  connect(m_samplingSteps, &QSpinBox::valueChanged, this, edited);
  connect(m_trainingSteps, &QSpinBox::valueChanged, this, edited);
  connect(m_currency, &QLineEdit::editingFinished, this, edited);
  connect(m_figure, &QComboBox::currentIndexChanged, this, &ComparePlanning::showChart);
  connect(save, &QPushButton::clicked, this, &ComparePlanning::exportInteractively);
}

QString ComparePlanning::currency() const { return m_currency->text().trimmed(); }

void ComparePlanning::setPlan(const DeploymentPlan& plan, const QString& currency) {
  m_filling = true;
  m_plan = plan;
  m_samplingSteps->setValue(plan.samplingSteps);
  m_trainingSteps->setValue(static_cast<int>(plan.trainingSteps));
  m_currency->setText(currency);
  m_filling = false;
  m_pricedDevices.clear();
  buildPrices();
  refresh();
}

void ComparePlanning::setSides(std::vector<ComparedRun> sampling, std::vector<ComparedRun> training, const QHash<QString, QString>& names) {
  m_sampling = std::move(sampling);
  m_training = std::move(training);
  m_names = names;
  buildPrices();
  refresh();
}

// A field for each device: what an hour of it costs, if the user knows.
void ComparePlanning::buildPrices() {
  QStringList devices;
  for (const auto* sides : {&m_sampling, &m_training})
    for (const std::string& device : devicesOf(*sides))
      if (!devices.contains(text(device)))
        devices << text(device);
  if (devices == m_pricedDevices)
    return;
  m_pricedDevices = devices;
  QLayout* layout = m_prices->layout();
  while (QLayoutItem* item = layout->takeAt(0)) {
    item->widget()->deleteLater();
    delete item;
  }
  for (const QString& device : devices) {
    auto* price = new QDoubleSpinBox;
    price->setRange(-0.01, kMostPrice);
    price->setDecimals(2);
    price->setButtonSymbols(QAbstractSpinBox::NoButtons);
    price->setSpecialValueText(tr("unknown"));
    const auto known = m_plan.prices.find(device.toStdString());
    price->setValue(known == m_plan.prices.end() ? -0.01 : known->second);
    price->setKeyboardTracking(false);
    price->setToolTip(tr("What an hour of this device costs you; nobody else knows, so it stays unknown until you say it."));
    layout->addWidget(labelled(tr("An hour of %1").arg(device), price));
    connect(price, &QDoubleSpinBox::valueChanged, this, [this, device](double value) {
      if (value < 0)
        m_plan.prices.erase(device.toStdString());
      else
        m_plan.prices[device.toStdString()] = value;
      refresh();
      emit planChanged();
    });
  }
}

QString ComparePlanning::nameOf(const DeploymentRow& row) const { return m_names.value(text(row.mode), text(row.mode)); }

void ComparePlanning::refresh() {
  m_rows = deploymentRows(m_sampling, m_training, m_plan);
  showChart();
  showTable();
  m_words->setText(m_rows.empty() ? tr("A benchmark of sampling and training steps is needed to foretell these.")
                                  : tr("Foretold: a measured step's time × the number of steps, and energy where it was measured. Reading data, decoding and writing volumes come on top. "
                                       "Whiskers are quartiles of the step's time."));
}

void ComparePlanning::showChart() {
  struct Kind {
    QString axis;
    std::function<std::optional<double>(const DeploymentRow&)> value;
  };
  const QString money = currency().isEmpty() ? tr("price") : currency();
  const Kind kinds[] = {
      {tr("Latency a volume (s)"), [](const DeploymentRow& r) { return r.latency_ms ? std::optional(r.latency_ms->median / 1000) : std::nullopt; }},
      {tr("Volumes an hour"), [](const DeploymentRow& r) { return r.volumesPerHour; }},
      {tr("Energy a volume (Wh)"), [](const DeploymentRow& r) { return r.energy_j ? std::optional(*r.energy_j / kJoulesAnWattHour) : std::nullopt; }},
      {tr("Cost a volume (%1)").arg(money), [](const DeploymentRow& r) { return r.cost; }},
      {tr("Time of a training (h)"), [](const DeploymentRow& r) { return r.training_h; }},
      {tr("Energy of a training (kWh)"), [](const DeploymentRow& r) { return r.trainingEnergy_j ? std::optional(*r.trainingEnergy_j / kJoulesAnWattHour / 1000) : std::nullopt; }},
      {tr("Cost of a training (%1)").arg(money), [](const DeploymentRow& r) { return r.trainingCost; }},
  };
  const auto wanted = static_cast<Figure>(std::max(0, m_figure->currentIndex()));
  const Kind& kind = kinds[static_cast<std::size_t>(wanted)];
  QStringList names;
  BarPlot::Group group{m_figure->currentText(), QStringLiteral("compute"), {}};
  for (const DeploymentRow& row : m_rows) {
    const auto value = kind.value(row);
    if (!value)
      continue;
    names << nameOf(row);
    BarPlot::Bar bar{value, {}};
    if (wanted == Figure::Latency && row.latency_ms->count > 1)
      bar.spread = (row.latency_ms->upperQuartile - row.latency_ms->lowerQuartile) / 2000;
    group.bars.push_back(bar);
  }
  const bool costs = wanted == Figure::Cost || wanted == Figure::TrainingCost;
  m_chart->setEmptyText(costs && !m_rows.empty() ? tr("Say above what an hour of the device costs: it is unknown.") : tr("No benchmark here says this."));
  m_chart->setAxisTitles(kind.axis, {});
  m_chart->setMinimumHeight(std::clamp(64 + 26 * static_cast<int>(names.size()), 150, 520));
  m_chart->setBars(names, names.isEmpty() ? std::vector<BarPlot::Group>() : std::vector<BarPlot::Group>{group});
}

void ComparePlanning::showTable() {
  const auto isUnknown = [this](int column) {
    for (int row = 0; row < m_table->rowCount(); ++row)
      if (m_table->item(row, column)->text() != text(std::string(kUnknown)))
        return false;
    return true;
  };
  const QString money = currency().isEmpty() ? tr("price") : currency();
  const QStringList titles{tr("Mode"), tr("Device"), tr("Latency\n(s)"), tr("Volumes\nan hour"), tr("Energy a volume\n(Wh)"), tr("Cost a volume\n(%1)").arg(money), tr("Training"), tr("Training\n(kWh)"), tr("Training\n(%1)").arg(money)};
  m_table->setColumnCount(static_cast<int>(titles.size()));
  m_table->setHorizontalHeaderLabels(titles);
  m_table->setRowCount(static_cast<int>(m_rows.size()));
  for (int n = 0; n < m_table->rowCount(); ++n) {
    const DeploymentRow& row = m_rows[static_cast<std::size_t>(n)];
    const auto inUnits = [](std::optional<double> value, double unit) { return value ? std::optional(*value / unit) : std::nullopt; };
    const QStringList cells{nameOf(row), text(row.device), figure(row.latency_ms ? std::optional(row.latency_ms->median / 1000) : std::nullopt), figure(row.volumesPerHour),
                            figure(inUnits(row.energy_j, kJoulesAnWattHour)), figure(row.cost), hours(row.training_h), figure(inUnits(row.trainingEnergy_j, kJoulesAnWattHour * 1000)), figure(row.trainingCost)};
    for (int column = 0; column < cells.size(); ++column) {
      auto* item = new QTableWidgetItem(cells[column]);
      item->setTextAlignment((column < 2 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
      m_table->setItem(n, column, item);
    }
  }
  m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
  for (int column = 0; column < 2; ++column)
    m_table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  for (int column = 1; column < m_table->columnCount(); ++column) // what says nothing leaves its room to the others
    m_table->setColumnHidden(column, column == 1 ? m_pricedDevices.size() < 2 : isUnknown(column));
  m_table->resizeColumnsToContents();
  m_table->setVisible(!m_rows.empty());
  m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() + std::clamp(m_table->rowCount(), 1, kMostRows) * kRowHeight + m_table->horizontalScrollBar()->sizeHint().height() + 4);
}

QString ComparePlanning::tableText() const {
  QString out = csvRow({QStringLiteral("mode"), QStringLiteral("device"), QStringLiteral("sampling_steps"), QStringLiteral("latency_ms"), QStringLiteral("latency_lower_quartile_ms"), QStringLiteral("latency_upper_quartile_ms"),
                        QStringLiteral("volumes_per_hour"), QStringLiteral("energy_j"), QStringLiteral("cost"), QStringLiteral("currency"), QStringLiteral("training_steps"), QStringLiteral("training_h"),
                        QStringLiteral("training_energy_j"), QStringLiteral("training_cost")});
  const auto number = [](std::optional<double> value) { return value ? QString::number(*value, 'g', 9) : QString(); };
  for (const DeploymentRow& row : m_rows) {
    const auto latency = [&](double Spread::*part) { return row.latency_ms ? std::optional((*row.latency_ms).*part) : std::nullopt; };
    out += csvRow({nameOf(row), text(row.device), QString::number(m_plan.samplingSteps), number(latency(&Spread::median)), number(latency(&Spread::lowerQuartile)), number(latency(&Spread::upperQuartile)),
                   number(row.volumesPerHour), number(row.energy_j), number(row.cost), currency(), QString::number(m_plan.trainingSteps), number(row.training_h), number(row.trainingEnergy_j), number(row.trainingCost)});
  }
  return out;
}

Status ComparePlanning::exportTo(const QString& file) const { return writeTable(tableText(), file); }

void ComparePlanning::exportInteractively() {
  const QString file = QFileDialog::getSaveFileName(this, tr("Save the table"), QStringLiteral("in_use.csv"), tr("Tables (*.csv *.json)"));
  if (file.isEmpty())
    return;
  const Status written = exportTo(file);
  emit message(written ? tr("The table is in %1.").arg(file) : text(written.error().message));
}

} // namespace voxlab
