// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/rows/rows_table.h"

#include "ui/theme/table_row.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/whole_rows.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>

#include <utility>

namespace roundpipe::ui::pages {
namespace {

constexpr int kBarHeight = 7, kBarMargin = 8;
constexpr int kTextMargin = 4, kBeforeRemark = 12;
constexpr int kTextWidth = 180; // that it keeps: what a row says is more than the numbers beside it

// The share of a row's tokens that is trained, as a bar.
class ShareDelegate : public widgets::WholeRows {
public:
    ShareDelegate(const theme::ThemeManager& themes, QObject* parent) : WholeRows(parent), m_themes(themes) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem blank = option;
        initStyleOption(&blank, index);
        blank.text.clear();
        blank.widget->style()->drawControl(QStyle::CE_ItemViewItem, &blank, painter, blank.widget);
        const double share = index.data(RowsModel::kShareRole).toDouble();
        if (share < 0) return;
        QRectF bar(option.rect.left() + kBarMargin, option.rect.center().y() - kBarHeight / 2.0,
                   option.rect.width() - 2 * kBarMargin, kBarHeight);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(m_themes.theme().border);
        painter->drawRoundedRect(bar, 2, 2);
        painter->setBrush(m_themes.theme().accent);
        bar.setWidth(bar.width() * share);
        painter->drawRoundedRect(bar, 2, 2);
        painter->restore();
    }

private:
    const theme::ThemeManager& m_themes;
};

// What a row says, with the remark on it at its end, in the colour of warnings: a column of its own would be empty for
// nearly all rows.
class TextDelegate : public widgets::WholeRows {
public:
    TextDelegate(const theme::ThemeManager& themes, QObject* parent) : WholeRows(parent), m_themes(themes) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QString remark = index.data(RowsModel::kRemarkRole).toString();
        if (remark.isEmpty()) return WholeRows::paint(painter, option, index);
        QStyleOptionViewItem blank = option;
        initStyleOption(&blank, index);
        const QString text = std::exchange(blank.text, {});
        blank.widget->style()->drawControl(QStyle::CE_ItemViewItem, &blank, painter, blank.widget);
        const QRect place = option.rect.adjusted(kTextMargin, 0, -kTextMargin, 0);
        const QString shown = blank.fontMetrics.elidedText(remark, Qt::ElideRight, place.width() * 3 / 5);
        const int width = place.width() - blank.fontMetrics.horizontalAdvance(shown) - kBeforeRemark;
        painter->save();
        painter->setFont(blank.font);
        painter->setPen(m_themes.theme().text);
        painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                          blank.fontMetrics.elidedText(text, Qt::ElideRight, width));
        painter->setPen(m_themes.theme().warning);
        painter->drawText(place, Qt::AlignRight | Qt::AlignVCenter, shown);
        painter->restore();
    }

private:
    const theme::ThemeManager& m_themes;
};

} // namespace

RowsTable::RowsTable(RowsModel& model, const theme::ThemeManager& themes, QWidget* parent)
    : QTableView(parent), m_model(model) {
    setModel(&model);
    setAccessibleName(tr("Rows"));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setItemDelegate(new widgets::WholeRows(this));
    setItemDelegateForColumn(RowsModel::kTrained, new ShareDelegate(themes, this));
    setItemDelegateForColumn(RowsModel::kText, new TextDelegate(themes, this));
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed); // so that the table needn't look at its rows
    verticalHeader()->setDefaultSectionSize(theme::kTableRow);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setSectionResizeMode(RowsModel::kText, QHeaderView::Stretch);
    resizeColumns();
    connect(&model, &RowsModel::countChanged, this, &RowsTable::resizeColumns);
    connect(&model, &RowsModel::modelReset, this, &RowsTable::resizeColumns);
}

void RowsTable::resizeColumns() {
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    const auto digits = std::max<int64_t>(4, translations::wholeText(m_model.numCounted()).size());
    const std::pair<RowsModel::Column, int64_t> kDigits[] = {{RowsModel::kNumber, digits},
                                                             {RowsModel::kFile, 10},
                                                             {RowsModel::kTokens, 6},
                                                             {RowsModel::kTrained, 8},
                                                             {RowsModel::kTurns, 7}};
    int left = width() - kTextWidth;
    for (const auto& [column, wanted] : kDigits) {
        const int size = static_cast<int>(wanted) * digit + 10;
        horizontalHeader()->resizeSection(column, size);
        if (column == RowsModel::kTrained || column == RowsModel::kTurns) setColumnHidden(column, left < size);
        if (!isColumnHidden(column)) left -= size;
    }
}

void RowsTable::showFiles(bool shows) {
    setColumnHidden(RowsModel::kFile, !shows);
    resizeColumns();
}

void RowsTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    resizeColumns();
}

void RowsTable::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Delete && currentIndex().isValid()) return emit deletePressed();
    QTableView::keyPressEvent(event);
}

bool RowsTable::select(session::RowPlace place) {
    const int row = m_model.rowOf(place);
    if (row < 0) return false;
    setCurrentIndex(m_model.index(row, RowsModel::kText));
    return true;
}

session::RowPlace RowsTable::currentPlace() const {
    return currentIndex().isValid() ? m_model.placeOf(currentIndex().row()) : session::RowPlace{};
}

void RowsTable::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    if (current.isValid() && current.row() != previous.row()) emit placeChosen(m_model.placeOf(current.row()));
}

} // namespace roundpipe::ui::pages
