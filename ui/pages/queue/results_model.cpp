// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/queue/results_model.h"

#include "ui/models/stored_run_text.h"
#include "ui/theme/icon.h"

#include <algorithm>
#include <utility>

namespace roundpipe::ui::pages {
namespace {

using Begun = bridge::QueueView::Begun;

// Without a folder it has failed before it could make one, or the folder was deleted.
QString stateOf(const Begun& begun) {
    if (begun.run) return models::stateText(*begun.run);
    if (begun.isStarting) return ResultsModel::tr("Starting");
    return begun.entry.problem.empty() ? ResultsModel::tr("Deleted") : models::outcomeText(runs::RunOutcome::kFailed);
}

} // namespace

ResultsModel::ResultsModel(const theme::ThemeManager& themes, QObject* parent)
    : QAbstractTableModel(parent), m_themes(themes) {
    connect(&themes, &theme::ThemeManager::changed, this, [this] {
        if (!m_runs.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kNumColumns - 1));
    });
}

void ResultsModel::setRuns(std::vector<Begun> runs) {
    const auto numberOf = [](const Begun& begun) { return begun.entry.number; };
    if (std::ranges::equal(runs, m_runs, {}, numberOf, numberOf)) {
        m_runs = std::move(runs);
        if (!m_runs.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kNumColumns - 1));
        return;
    }
    beginResetModel();
    m_runs = std::move(runs);
    endResetModel();
}

QString ResultsModel::problemOf(const Begun& begun) {
    const QString ofFolder = begun.run ? models::stateDetail(*begun.run) : QString();
    if (!ofFolder.isEmpty() || begun.entry.problem.empty()) return ofFolder;
    return QString::fromStdString(begun.entry.problem + (begun.entry.advice.empty() ? "" : "\n" + begun.entry.advice));
}

int ResultsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int ResultsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kNumColumns;
}

QString ResultsModel::textAt(const Begun& begun, int column) const {
    if (column == kName) return QString::fromStdString(begun.name());
    if (column == kState) return stateOf(begun);
    if (!begun.run) return models::nothingText();
    const runs::StoredRun& run = *begun.run;
    switch (column) {
    case kValidation:
        return models::lossText(run.bestValidation);
    case kLoss:
        return models::lossText(run.steps > 0 ? std::optional(run.lastLoss) : std::nullopt);
    case kSpeed:
        return models::rateText(run.tokensPerSecond());
    case kTook:
        return models::durationText(run.seconds);
    case kStarted:
        return models::dateText(run.startedAt);
    default:
        return {};
    }
}

// What is not known comes after all that is.
QVariant ResultsModel::sortKeyAt(const Begun& begun, int column) const {
    constexpr double kLast = 1e300;
    const bool hasSteps = begun.run && begun.run->steps > 0;
    switch (column) {
    case kValidation:
        return hasSteps ? begun.run->bestValidation.value_or(kLast) : kLast;
    case kLoss:
        return hasSteps ? begun.run->lastLoss : kLast;
    case kSpeed:
        return begun.run ? begun.run->tokensPerSecond() : 0;
    case kTook:
        return begun.run ? begun.run->seconds : 0;
    case kStarted:
        return static_cast<qlonglong>(begun.entry.number); // the order in which they were added
    default:
        return textAt(begun, column);
    }
}

QVariant ResultsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Begun& begun = run(index.row());
    const theme::Theme& theme = m_themes.theme();
    switch (role) {
    case Qt::DisplayRole:
        return textAt(begun, index.column());
    case kSortRole:
        return sortKeyAt(begun, index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((index.column() >= kValidation ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole:
        if (index.column() == kState) return problemOf(begun);
        return role == Qt::ToolTipRole ? textAt(begun, index.column()) : QVariant();
    case Qt::DecorationRole: {
        if (index.column() != kState) return {};
        if (begun.hasFailed()) return theme::pixmapOf(theme::Icon::kBad, theme.bad, 16, 2);
        if (begun.isUnderWay() || begun.isStarting) return theme::pixmapOf(theme::Icon::kDot, theme.accent, 16, 2);
        const bool isFinished = begun.run && begun.run->outcome == runs::RunOutcome::kFinished;
        return isFinished ? theme::pixmapOf(theme::Icon::kCheck, theme.good, 16, 2)
                          : theme::pixmapOf(theme::Icon::kWarning, theme.warning, 16, 2);
    }
    default:
        return {};
    }
}

QVariant ResultsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section >= kValidation ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const QString titles[] = {tr("Name"),     tr("State"), tr("Validation"), tr("Loss"),
                              tr("Tokens/s"), tr("Took"),  tr("Begun")};
    return titles[section];
}

} // namespace roundpipe::ui::pages
