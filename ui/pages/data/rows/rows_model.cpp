// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/rows/rows_model.h"

#include "ui/models/row_remark_text.h"
#include "ui/translations/number_text.h"

#include <algorithm>
#include <limits>

namespace roundpipe::ui::pages {
namespace {

constexpr int kBlock = 32, kKeptRows = 8192, kOpenRequests = 4;
constexpr int kVerdictsAfterMs = 120, kCountEveryMs = 100;

int alignmentOf(RowsModel::Column column) {
    if (column == RowsModel::kTrained) return static_cast<int>(Qt::AlignCenter);
    const bool isNumber = column == RowsModel::kNumber || column == RowsModel::kTurns || column == RowsModel::kTokens;
    return static_cast<int>(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft));
}

} // namespace

RowsModel::RowsModel(bridge::WorkbenchController& workbench, QObject* parent)
    : QAbstractTableModel(parent), m_workbench(workbench), m_rows(kKeptRows) {
    for (QTimer* timer : {&m_sendRows, &m_sendVerdicts, &m_countTimer})
        timer->setSingleShot(true);
    m_sendVerdicts.setInterval(kVerdictsAfterMs);
    m_countTimer.setInterval(kCountEveryMs);
    connect(&m_sendRows, &QTimer::timeout, this, &RowsModel::send);
    connect(&m_sendVerdicts, &QTimer::timeout, this, &RowsModel::send);
    connect(&m_countTimer, &QTimer::timeout, this, &RowsModel::count);
    connect(&m_workbench, &bridge::WorkbenchController::answered, this,
            qOverload<const session::WorkbenchResult&>(&RowsModel::take));
}

void RowsModel::open(const QStringList& files) {
    beginResetModel();
    m_files = files;
    m_starts.assign(1, 0);
    m_numCounted = 0;
    m_isListed = false;
    m_list.clear();
    m_notes.clear();
    endResetModel();
    refresh();
    count();
    emit countChanged();
}

void RowsModel::refresh() {
    m_rows.clear();
    m_wantedRows.clear();
    m_wantedVerdicts.clear();
    m_open.clear(); // what was asked before is never answered
    m_verdictsFail = false;
    if (!isCounted()) m_countTimer.start();
    rowsChanged();
}

void RowsModel::showAll() {
    if (!m_isListed) return;
    beginResetModel();
    m_isListed = false;
    m_list.clear();
    endResetModel();
}

void RowsModel::showOnly(std::vector<ListedRow> rows) {
    beginResetModel();
    m_isListed = true;
    m_list = std::move(rows);
    m_listedAt.clear();
    for (std::size_t i = 0; i < m_list.size(); ++i)
        m_listedAt.insert(keyOf(m_list[i].place), static_cast<int>(i));
    endResetModel();
}

void RowsModel::addListed(const std::vector<ListedRow>& rows) {
    if (!m_isListed || rows.empty()) return;
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(rows.size()) - 1);
    for (const ListedRow& row : rows) {
        m_listedAt.insert(keyOf(row.place), static_cast<int>(m_list.size()));
        m_list.push_back(row);
    }
    endInsertRows();
}

void RowsModel::setNotes(const std::vector<ListedRow>& notes) {
    m_notes.clear();
    for (const ListedRow& note : notes)
        if (QString& text = m_notes[keyOf(note.place)]; text.isEmpty()) text = note.note;
    rowsChanged();
    emit countChanged();
}

// Which row is where --------------------------------------------------------------------------------------------------

uint64_t RowsModel::keyOf(session::RowPlace place) {
    return static_cast<uint64_t>(place.file) << 40 | static_cast<uint64_t>(place.number);
}

session::RowPlace RowsModel::placeOf(int row) const {
    if (m_isListed) return m_list[static_cast<std::size_t>(row)].place;
    const auto after = std::ranges::upper_bound(m_starts, static_cast<int64_t>(row));
    const auto file = after - m_starts.begin() - 1;
    return {static_cast<int32_t>(file), row - m_starts[static_cast<std::size_t>(file)] + 1};
}

int RowsModel::rowOf(session::RowPlace place) const {
    if (m_isListed) return m_listedAt.value(keyOf(place), -1);
    const auto file = static_cast<std::size_t>(place.file);
    if (place.file < 0 || file + 1 >= m_starts.size()) return -1;
    const int64_t row = m_starts[file] + place.number - 1;
    return place.number >= 1 && row < m_starts[file + 1] ? static_cast<int>(row) : -1;
}

int RowsModel::rowCount(const QModelIndex& parent) const {
    if (parent.isValid()) return 0;
    return m_isListed ? static_cast<int>(m_list.size()) : static_cast<int>(m_starts.back());
}

int RowsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kNumColumns;
}

// Counting ------------------------------------------------------------------------------------------------------------

void RowsModel::count() {
    if (isCounted()) return;
    ask({Asked::kCount, {static_cast<int32_t>(m_numCounted), 1}, kBlock});
}

void RowsModel::growTo(int file, int64_t lastNumber, bool isFileCounted) {
    if (file != m_numCounted) return; // counted already
    const int64_t before = m_starts.size() > static_cast<std::size_t>(file) + 1 ? m_starts.back() : -1;
    const int64_t most = std::numeric_limits<int>::max() - 1; // what a view can show
    const int64_t all = std::min(m_starts[static_cast<std::size_t>(file)] + lastNumber, most);
    const auto grow = [&] {
        m_starts.resize(static_cast<std::size_t>(file) + 1);
        m_starts.push_back(all);
    };
    if (m_isListed || all <= rowCount()) {
        grow();
    } else {
        beginInsertRows({}, rowCount(), static_cast<int>(all) - 1);
        grow();
        endInsertRows();
    }
    if (isFileCounted) ++m_numCounted;
    if (isFileCounted || before != all) emit countChanged();
    if (isFileCounted) count();
}

// Asking and answers --------------------------------------------------------------------------------------------------

RowsModel::Request RowsModel::requestFor(Asked asked, session::RowPlace place) const {
    if (m_isListed) return {asked, place, 1};
    place.number -= (place.number - 1) % kBlock;
    return {asked, place, kBlock};
}

void RowsModel::want(Asked asked, session::RowPlace place) const {
    const Request request = requestFor(asked, place);
    const bool isRows = asked == Asked::kRows;
    if (!isRows && m_verdictsFail) return;
    auto& wanted = isRows ? m_wantedRows : m_wantedVerdicts;
    if (wanted.contains(keyOf(request.first))) return;
    wanted.insert(keyOf(request.first), request);
    QTimer& timer = isRows ? m_sendRows : m_sendVerdicts;
    if (!isRows || !timer.isActive()) timer.start(); // verdicts anew: not while somebody scrolls
}

// So that a view that scrolls on finds the rows there.
void RowsModel::wantAround(session::RowPlace place) const {
    const auto file = static_cast<std::size_t>(place.file);
    const int64_t last = m_starts[file + 1] - m_starts[file];
    for (const int64_t number : {place.number - kBlock, place.number + kBlock}) {
        const session::RowPlace there{place.file, number};
        if (number >= 1 && number <= last && !m_rows.contains(keyOf(there))) want(Asked::kRows, there);
    }
}

// What is not sent here is asked for again by a view that still shows it, once an answer has come.
void RowsModel::send() {
    const auto openOf = [&](Asked asked) {
        return std::ranges::count_if(m_open, [&](const Request& request) { return request.asked == asked; });
    };
    for (auto* wanted : {&m_wantedRows, &m_wantedVerdicts}) {
        if (wanted == &m_wantedVerdicts && m_sendVerdicts.isActive()) break;
        for (const Request& request : std::as_const(*wanted)) {
            if (openOf(request.asked) >= kOpenRequests) break;
            const auto isSame = [&](const Request& open) {
                return open.asked == request.asked && keyOf(open.first) == keyOf(request.first);
            };
            if (std::ranges::none_of(m_open, isSame)) ask(request);
        }
        wanted->clear();
    }
}

void RowsModel::ask(const Request& request) {
    if (m_workbench.status().state == session::WorkbenchState::kEmpty) return;
    const uint64_t number = request.asked == Asked::kVerdicts
                                ? m_workbench.requestVerdicts(request.first, request.count)
                                : m_workbench.requestRows(request.first, request.count);
    m_open.insert(number, request);
}

void RowsModel::take(const session::WorkbenchResult& result) {
    const auto found = m_open.find(result.request);
    if (found == m_open.end()) return;
    const Request request = *found;
    m_open.erase(found);
    if (const auto* rows = std::get_if<session::RowsResult>(&result.value)) {
        take(request, *rows);
    } else if (const auto* verdicts = std::get_if<session::VerdictsResult>(&result.value)) {
        take(request, *verdicts);
    } else {
        if (request.asked == Asked::kVerdicts) m_verdictsFail = true;            // no model, or no format that we know
        if (request.asked == Asked::kCount) growTo(request.first.file, 0, true); // a file that cannot be read
    }
}

void RowsModel::take(const Request& request, const session::RowsResult& result) {
    growTo(request.first.file, result.lastNumber, result.isCounted);
    if (request.asked == Asked::kCount) {
        if (!isCounted() && !m_countTimer.isActive()) m_countTimer.start();
        if (m_rows.contains(keyOf(request.first))) return; // the first rows came with an earlier answer
    }
    for (int i = 0; i < request.count; ++i) { // numbers without a row stay empty
        const uint64_t key = keyOf({request.first.file, request.first.number + i});
        if (!m_rows.contains(key)) m_rows.insert(key, new Row);
    }
    for (const session::RowSummary& row : result.rows) {
        if (row.place.number >= request.first.number + request.count) break;
        auto known = new Row;
        known->isRaw = row.preview.empty();
        known->text = QString::fromStdString(known->isRaw ? row.text : row.preview).simplified();
        m_rows.insert(keyOf(row.place), known);
    }
    rowsChanged();
}

void RowsModel::take(const Request&, const session::VerdictsResult& result) {
    for (const session::RowVerdict& verdict : result.rows)
        if (Row* row = m_rows.object(keyOf(verdict.place))) {
            row->hasVerdict = true;
            row->verdict = verdict;
        }
    rowsChanged();
}

void RowsModel::rowsChanged() {
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, kNumColumns - 1));
}

// What is shown -------------------------------------------------------------------------------------------------------

QVariant RowsModel::data(const QModelIndex& index, int role) const {
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::TextAlignmentRole) return alignmentOf(column);
    if (role == kShareRole && column == kTrained) {
        const Row* row = m_rows.object(keyOf(placeOf(index.row())));
        if (row == nullptr || !row->hasVerdict || row->verdict.numTokens == 0) return -1.0;
        return static_cast<double>(row->verdict.numTrained) / static_cast<double>(row->verdict.numTokens);
    }
    if (role == kRemarkRole) return column == kText ? remarkOf(placeOf(index.row())) : QString();
    const bool isText = column == kText && (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole);
    if (isText) // with its remark
        return (textOf(index.row(), kText).toString() + QLatin1Char('\n') + remarkOf(placeOf(index.row()))).trimmed();
    if (role != Qt::DisplayRole && (role != Qt::ToolTipRole || column != kFile)) return {};
    return textOf(index.row(), column);
}

QVariant RowsModel::textOf(int row, Column column) const {
    const session::RowPlace place = placeOf(row);
    if (column == kNumber) return translations::wholeText(place.number);
    if (column == kFile) return m_files.value(place.file);
    const Row* known = m_rows.object(keyOf(place));
    if (known == nullptr) want(Asked::kRows, place);
    if (known != nullptr && column == kText && !m_isListed) wantAround(place);
    if (known == nullptr) return column == kText ? QStringLiteral("…") : QString();
    if (column == kText) return known->text;
    if (!known->hasVerdict) {
        if (!known->text.isEmpty()) want(Asked::kVerdicts, place);
        return {};
    }
    const session::RowVerdict& verdict = known->verdict;
    if (column == kTurns) return verdict.numMessages > 0 ? translations::wholeText(verdict.numMessages) : QString();
    if (verdict.numTokens == 0) return {};
    if (column == kTokens) return translations::wholeText(verdict.numTokens);
    return tr("%1 of %2 tokens trained")
        .arg(translations::wholeText(verdict.numTrained), translations::wholeText(verdict.numTokens));
}

QString RowsModel::remarkOf(session::RowPlace place) const {
    const Row* known = m_rows.object(keyOf(place));
    if (m_isListed)
        if (const QString& note = m_list[static_cast<std::size_t>(m_listedAt.value(keyOf(place)))].note;
            !note.isEmpty())
            return note;
    if (known != nullptr && known->verdict.dropReason) return models::dropReasonText(*known->verdict.dropReason);
    return m_notes.value(keyOf(place));
}

QVariant RowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return alignmentOf(static_cast<Column>(section));
    if (role != Qt::DisplayRole) return {};
    static const char* const kNames[] = {QT_TR_NOOP("No."),   QT_TR_NOOP("File"),   QT_TR_NOOP("First message"),
                                         QT_TR_NOOP("Turns"), QT_TR_NOOP("Tokens"), QT_TR_NOOP("Trained")};
    return tr(kNames[section]);
}

} // namespace roundpipe::ui::pages
