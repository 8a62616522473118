// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/queue/line_model.h"

#include "ui/models/stored_run_text.h"
#include "ui/theme/icon.h"

#include <QFont>
#include <QMimeData>

#include <algorithm>
#include <set>
#include <utility>

namespace roundpipe::ui::pages {
namespace {

const QString kMimeType = QStringLiteral("application/x-roundpipe-queue");

std::vector<int64_t> numbersIn(const QMimeData& data) {
    std::vector<int64_t> numbers;
    for (const QByteArray& number : data.data(kMimeType).split(' '))
        numbers.push_back(number.toLongLong());
    return numbers;
}

bool isSameRun(const LineRow& a, const LineRow& b) {
    return a.kind == b.kind && a.number == b.number && a.line == b.line;
}

} // namespace

LineModel::LineModel(const theme::ThemeManager& themes, QObject* parent)
    : QAbstractTableModel(parent), m_themes(themes) {
    connect(&themes, &theme::ThemeManager::changed, this, [this] {
        if (!m_rows.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kNumColumns - 1));
    });
}

void LineModel::setRows(std::vector<LineRow> rows, const std::vector<queue::QueuedRun>& waiting) {
    m_waiting.clear();
    for (const queue::QueuedRun& run : waiting)
        m_waiting.push_back(run.number);
    if (std::ranges::equal(rows, m_rows, isSameRun)) {
        m_rows = std::move(rows);
        if (!m_rows.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kNumColumns - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int LineModel::rowOf(int64_t number) const {
    const auto found = std::ranges::find(m_rows, number, &LineRow::number);
    return found == m_rows.end() || number == 0 ? -1 : static_cast<int>(found - m_rows.begin());
}

std::vector<int64_t> LineModel::waitingIn(int line) const {
    std::vector<int64_t> numbers;
    for (const LineRow& row : m_rows)
        if (row.line == line && row.kind == LineRow::Kind::kWaiting) numbers.push_back(row.number);
    return numbers;
}

std::optional<int64_t> LineModel::following(int64_t number) const {
    const auto found = std::ranges::find(m_waiting, number);
    if (found == m_waiting.end() || found + 1 == m_waiting.end()) return std::nullopt;
    return *(found + 1);
}

std::optional<LineModel::Target> LineModel::targetOf(int64_t number, int by) const {
    const int at = rowOf(number);
    if (at < 0 || row(at).kind != LineRow::Kind::kWaiting) return std::nullopt;
    const std::vector<int64_t> line = waitingIn(row(at).line);
    const auto from = std::ranges::find(line, number) - line.begin();
    const auto last = static_cast<std::ptrdiff_t>(line.size()) - 1;
    const auto to = std::clamp<std::ptrdiff_t>(from + by, 0, last);
    if (to == from) return std::nullopt;
    const int64_t there = line[static_cast<std::size_t>(to)];
    return to < from ? Target{there} : Target{following(there)};
}

// Between runs that wait, or behind the last of a line.
std::optional<LineModel::Target> LineModel::targetOfDrop(int row) const {
    if (row <= 0) return std::nullopt;
    const auto at = static_cast<std::size_t>(row);
    if (at < m_rows.size() && m_rows[at].kind == LineRow::Kind::kWaiting) return Target{m_rows[at].number};
    if (m_rows[at - 1].kind == LineRow::Kind::kWaiting) return Target{following(m_rows[at - 1].number)};
    return std::nullopt;
}

int LineModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int LineModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kNumColumns;
}

QString LineModel::textAt(const LineRow& row, int column) const {
    if (row.kind == LineRow::Kind::kDevices) return column == kName ? row.name : QString();
    switch (column) {
    case kName:
        return row.name;
    case kState:
        return row.state;
    case kModel:
        return row.model;
    case kRows:
        return row.rows;
    case kSettings:
        return row.settings;
    case kTime:
        return row.time;
    case kNumber:
        return QString::number(row.number);
    default:
        return {};
    }
}

QVariant LineModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const LineRow& row = this->row(index.row());
    const bool isHeading = row.kind == LineRow::Kind::kDevices;
    const theme::Theme& theme = m_themes.theme();
    switch (role) {
    case Qt::DisplayRole:
        return textAt(row, index.column());
    case Qt::ToolTipRole:
        return index.column() == kSettings ? row.detail : textAt(row, index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((index.column() >= kTime && !isHeading ? Qt::AlignRight : Qt::AlignLeft) |
                                   Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return isHeading ? QVariant(theme.dim) : QVariant(theme.text);
    case Qt::FontRole: {
        QFont font;
        font.setWeight(isHeading ? QFont::DemiBold : QFont::Normal);
        return font;
    }
    case Qt::DecorationRole:
        if (index.column() != kState || (row.kind == LineRow::Kind::kWaiting && row.problem.isEmpty()) || isHeading)
            return {};
        return row.isSilent || !row.problem.isEmpty() ? theme::pixmapOf(theme::Icon::kWarning, theme.warning, 16, 2)
                                                      : theme::pixmapOf(theme::Icon::kDot, theme.accent, 16, 2);
    default:
        return {};
    }
}

QVariant LineModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section >= kTime ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const QString titles[] = {tr("Name"), tr("State"), tr("Model"), tr("Rows"), tr("Changed settings"),
                              tr("Time"), tr("No.")};
    const QString tips[] = {{},
                            {},
                            {},
                            {},
                            tr("The settings that are not as a new project has them"),
                            tr("As it was planned when the run was added; of one that trains what is left"),
                            tr("By which roundpipe queue names the run")};
    if (role == Qt::DisplayRole) return titles[section];
    if (role == Qt::ToolTipRole) return tips[section];
    return {};
}

Qt::ItemFlags LineModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::ItemIsDropEnabled;
    switch (row(index.row()).kind) {
    case LineRow::Kind::kDevices:
        return Qt::NoItemFlags; // the arrows go over it
    case LineRow::Kind::kStarting:
    case LineRow::Kind::kUnderWay:
        return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    case LineRow::Kind::kWaiting:
        return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
    }
    return Qt::NoItemFlags;
}

QStringList LineModel::mimeTypes() const {
    return {kMimeType};
}

QMimeData* LineModel::mimeData(const QModelIndexList& indexes) const {
    std::set<int> rows;
    for (const QModelIndex& index : indexes)
        rows.insert(index.row());
    QByteArrayList numbers;
    for (const int at : rows)
        if (row(at).kind == LineRow::Kind::kWaiting)
            numbers += QByteArray::number(static_cast<qlonglong>(row(at).number));
    auto* data = new QMimeData;
    data->setData(kMimeType, numbers.join(' '));
    return data;
}

bool LineModel::canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int /*column*/,
                                const QModelIndex& parent) const {
    return action == Qt::MoveAction && data->hasFormat(kMimeType) && !parent.isValid() && targetOfDrop(row);
}

bool LineModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                             const QModelIndex& parent) {
    if (!canDropMimeData(data, action, row, column, parent)) return false;
    std::optional<int64_t> before = targetOfDrop(row)->before;
    const std::vector<int64_t> numbers = numbersIn(*data);
    const std::set<int64_t> moved(numbers.begin(), numbers.end());
    if (before) { // the next one that does not go along
        auto next = std::ranges::find(m_waiting, *before);
        next = std::find_if_not(next, m_waiting.end(), [&](int64_t number) { return moved.contains(number); });
        before = next == m_waiting.end() ? std::nullopt : std::optional(*next);
    }
    emit moveWanted(numbers, before);
    return false; // the view would take the rows out
}

} // namespace roundpipe::ui::pages
