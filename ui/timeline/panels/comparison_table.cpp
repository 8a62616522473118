// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/panels/comparison_table.h"

#include "ui/theme/table_row.h"
#include "ui/timeline/painting/slice_text.h"
#include "ui/translations/device_text.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/roomy_items.h"

#include <QHeaderView>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace roundpipe::ui::timeline {
namespace {

using trace::Measure;

constexpr int kWidestName = 110;     // of a trace, in pixels: the numbers below it are narrower
constexpr double kNoticeable = 0.05; // of the first, or of the whole

bool isShare(const Measure& measure) {
    return measure.what == Measure::What::kBusy || measure.what == Measure::What::kIdle;
}

QString comparedValue(const Measure& measure, double value) {
    if (isShare(measure)) return ComparisonTable::tr("%1 %").arg(translations::fixedText(value * 100, 1));
    if (measure.what == Measure::What::kBytesUp || measure.what == Measure::What::kBytesDown)
        return translations::bytesText(std::llround(value));
    return durationShown(std::llround(value));
}

// None where a tenth of a percent is not reached: "−0.0" says less than "0.0".
QString signOf(double share) {
    if (std::abs(share) < 0.0005) return {};
    return share < 0 ? QStringLiteral("−") : QStringLiteral("+");
}

// Of shares in percentage points, of all else in percent of the first.
QString differenceText(const Measure& measure) {
    if (isShare(measure))
        return ComparisonTable::tr("%1%2 points")
            .arg(signOf(measure.difference()))
            .arg(translations::fixedText(std::abs(measure.difference()) * 100, 1));
    if (measure.first == 0) return ComparisonTable::tr("only there");
    const double ratio = measure.difference() / measure.first;
    return ComparisonTable::tr("%1%2 %").arg(signOf(ratio)).arg(translations::fixedText(std::abs(ratio) * 100, 1));
}

bool isNoticeable(const Measure& measure) {
    return std::abs(measure.difference()) > kNoticeable * (isShare(measure) ? 1 : measure.first);
}

} // namespace

ComparisonTable::ComparisonTable(const theme::ThemeManager& themes, QWidget* parent)
    : QTableWidget(parent), m_themes(themes) {
    setColumnCount(4);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setItemDelegate(new widgets::RoomyItems(this));
    setTabKeyNavigation(false);
    setShowGrid(false);
    setWordWrap(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    verticalHeader()->setDefaultSectionSize(theme::kTableRow);
    setAccessibleName(tr("Differences between the two traces"));
    verticalHeader()->hide();
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    connect(&themes, &theme::ThemeManager::changed, this, &ComparisonTable::fill);
}

void ComparisonTable::set(std::vector<Measure> measures, const QString& first, const QString& second,
                          std::vector<std::string> deviceNames) {
    m_measures = std::move(measures);
    m_deviceNames = std::move(deviceNames);
    const auto shortened = [this](const QString& name) {
        return fontMetrics().elidedText(name, Qt::ElideMiddle, kWidestName);
    };
    setHorizontalHeaderLabels({tr("A step"), shortened(first), shortened(second), tr("Difference")});
    for (int column = 0; column < columnCount(); ++column) // above what it names
        horizontalHeaderItem(column)->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) |
                                                       Qt::AlignVCenter);
    horizontalHeaderItem(1)->setToolTip(first);
    horizontalHeaderItem(2)->setToolTip(second);
    fill();
}

int ComparisonTable::neededWidth() const {
    int width = verticalScrollBar()->sizeHint().width() + 2 * frameWidth();
    for (int column = 0; column < columnCount(); ++column)
        width += std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column));
    return width;
}

void ComparisonTable::fill() {
    setRowCount(static_cast<int>(m_measures.size()));
    for (int row = 0; row < rowCount(); ++row) {
        const Measure& measure = m_measures[static_cast<std::size_t>(row)];
        const QStringList cells{nameOf(measure), comparedValue(measure, measure.first),
                                comparedValue(measure, measure.second), differenceText(measure)};
        for (int column = 0; column < 4; ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            if (column > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            if (column == 0) item->setToolTip(cells[column]);
            if (column == 3) {
                QFont strong = font();
                if (isNoticeable(measure)) strong.setWeight(QFont::DemiBold);
                item->setFont(strong);
                item->setForeground(isNoticeable(measure) ? m_themes.theme().text : m_themes.theme().dim);
            }
            setItem(row, column, item);
        }
    }
}

QString ComparisonTable::nameOf(const Measure& measure) const {
    const QString device = measure.device.valid() && measure.device.index() < m_deviceNames.size()
                               ? translations::deviceText(m_deviceNames[measure.device.index()], measure.device.value)
                               : QString();
    switch (measure.what) {
    case Measure::What::kStep:
        return tr("a whole step, median");
    case Measure::What::kBusy:
        return tr("%1 busy").arg(device);
    case Measure::What::kIdle:
        return tr("%1: %2").arg(device, theme::idleName(measure.reason));
    case Measure::What::kBytesUp:
        return tr("%1, moved up").arg(device);
    case Measure::What::kBytesDown:
        return tr("%1, moved down").arg(device);
    case Measure::What::kKind:
        return theme::kindName(measure.kind);
    }
    return {};
}

} // namespace roundpipe::ui::timeline
