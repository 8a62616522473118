// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/differences_table.h"

#include "runs/compare.h"
#include "ui/editors/field_text.h"
#include "ui/models/stored_run_text.h"
#include "ui/theme/table_row.h"
#include "ui/widgets/one_line.h"

#include <QHeaderView>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr int kLeastName = 110;

} // namespace

DifferencesTable::DifferencesTable(QWidget* parent) : QTableWidget(parent) {
    setAccessibleName(tr("What differs"));
    setEditTriggers(NoEditTriggers);
    setSelectionMode(NoSelection);
    setFocusPolicy(Qt::TabFocus);
    setShowGrid(false);
    setWordWrap(false);
    setTextElideMode(Qt::ElideMiddle); // of paths both ends matter
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(theme::kTableRow);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setTextElideMode(Qt::ElideMiddle); // of names, too
    horizontalHeader()->setMinimumSectionSize(70);
}

void DifferencesTable::addRow(const QString& title, const QStringList& values, const QString& toolTip) {
    const int row = rowCount();
    insertRow(row);
    auto* first = new QTableWidgetItem(title);
    first->setToolTip(toolTip);
    setItem(row, 0, first);
    for (int i = 0; i < values.size(); ++i) {
        auto* item = new QTableWidgetItem(values[i]);
        item->setToolTip(values[i]);
        item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        QFont bold = font();
        bold.setBold(values[i] != values.front());
        item->setFont(bold);
        setItem(row, i + 1, item);
    }
}

void DifferencesTable::addHeading(const QString& text) {
    const int row = rowCount();
    insertRow(row);
    auto* item = new QTableWidgetItem(text);
    item->setForeground(palette().brush(QPalette::PlaceholderText));
    setItem(row, 0, item);
}

void DifferencesTable::compare(const std::vector<Details>& runs) {
    setRowCount(0);
    setColumnCount(static_cast<int>(runs.size()) + 1);
    QStringList titles = {QString()};
    std::vector<session::RunSpec> specs;
    for (const Details& details : runs) {
        titles.append(widgets::inOneLine(details->run.name));
        if (details->spec) specs.push_back(*details->spec);
    }
    setHorizontalHeaderLabels(titles);
    for (int i = 1; i < columnCount(); ++i) {
        horizontalHeaderItem(i)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        horizontalHeaderItem(i)->setToolTip(titles[i]);
    }
    m_numDifferent = 0;
    if (specs.size() == runs.size()) // a run without its settings can't be compared by them
        for (const runs::Difference& difference : runs::differencesOf(specs)) {
            QStringList values;
            for (const session::FieldValue& value : difference.values)
                values.append(editors::shownValue(*difference.field, value));
            addRow(editors::labelOf(*difference.field), values, editors::helpOf(*difference.field));
            ++m_numDifferent;
        }
    const int heading = rowCount();
    const auto add = [&](const QString& title, const auto& text) {
        QStringList values;
        for (const Details& details : runs)
            values.append(text(details->run));
        const bool saysSomething =
            std::ranges::any_of(values, [](const QString& value) { return value != models::nothingText(); });
        if (!saysSomething) return;
        if (rowCount() == heading) addHeading(tr("What came out"));
        addRow(title, values);
    };
    add(tr("Validation loss"), [](const runs::StoredRun& run) { return models::lossText(run.bestValidation); });
    add(tr("Loss"), [](const runs::StoredRun& run) {
        return models::lossText(run.steps > 0 ? std::optional(run.lastLoss) : std::nullopt);
    });
    add(tr("Tokens/s"), [](const runs::StoredRun& run) { return models::rateText(run.tokensPerSecond()); });
    add(tr("Took"), [](const runs::StoredRun& run) { return models::durationText(run.seconds); });
    add(tr("Adapter or model"), [](const runs::StoredRun& run) { return models::bytesText(run.resultBytes()); });
    placeColumns();
}

// The names have what they need, but no more than their share; values share the rest, long paths with … in the middle.
void DifferencesTable::placeColumns() {
    if (columnCount() == 0) return;
    horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    horizontalHeader()->setSectionResizeMode(0, QHeaderView::Fixed);
    const int most = viewport()->width() * 2 / (columnCount() + 2);
    horizontalHeader()->resizeSection(0, std::min(sizeHintForColumn(0), std::max(most, kLeastName)));
}

void DifferencesTable::resizeEvent(QResizeEvent* event) {
    QTableWidget::resizeEvent(event);
    placeColumns();
}

} // namespace roundpipe::ui::pages
