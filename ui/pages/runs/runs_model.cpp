// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/runs_model.h"

#include "base/secrets.h"
#include "ui/charts/curves_chart.h"
#include "ui/models/stored_run_text.h"
#include "ui/theme/icon.h"

#include <QFont>
#include <QLocale>

#include <algorithm>

namespace roundpipe::ui::pages {

RunsModel::RunsModel(const theme::ThemeManager& themes, QObject* parent)
    : QAbstractTableModel(parent), m_themes(themes) {
    connect(&themes, &theme::ThemeManager::changed, this, [this] {
        if (!m_runs.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kNumColumns - 1));
    });
}

void RunsModel::setRuns(std::vector<runs::StoredRun> runs) {
    const auto before = m_compared.size();
    std::erase_if(m_compared, [&](const auto& folder) {
        return std::ranges::find(runs, folder, &runs::StoredRun::folder) == runs.end();
    });
    if (std::ranges::equal(runs, m_runs, {}, &runs::StoredRun::folder, &runs::StoredRun::folder)) {
        m_runs = std::move(runs); // the same rows: selection and editors stay
        if (!m_runs.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kNumColumns - 1));
    } else {
        beginResetModel();
        m_runs = std::move(runs);
        endResetModel();
    }
    if (m_compared.size() != before) emit comparedChanged();
}

void RunsModel::setCompared(int row, bool compared) {
    const std::filesystem::path& folder = run(row).folder;
    const auto found = std::ranges::find(m_compared, folder);
    if ((found != m_compared.end()) == compared) return;
    if (compared)
        m_compared.push_back(folder);
    else
        m_compared.erase(found);
    emit dataChanged(index(0, kCompared), index(rowCount() - 1, kCompared)); // the styles of others move up
    emit comparedChanged();
}

int RunsModel::styleOf(const runs::StoredRun& run) const {
    const auto found = std::ranges::find(m_compared, run.folder);
    return found == m_compared.end() ? -1 : static_cast<int>(found - m_compared.begin());
}

int RunsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kNumColumns;
}

QString RunsModel::textAt(const runs::StoredRun& run, int column) const {
    switch (column) {
    case kName:
        return QString::fromStdString(run.name);
    case kStarted:
        return models::dateText(run.startedAt);
    case kSteps:
        return models::stepsText(run);
    case kValidation:
        return models::lossText(run.bestValidation);
    case kSpeed:
        return models::rateText(run.tokensPerSecond());
    case kTook:
        return models::durationText(run.seconds);
    case kSize:
        return models::bytesText(run.bytes);
    case kState:
        return models::stateText(run);
    default:
        return {};
    }
}

QVariant RunsModel::sortKeyAt(const runs::StoredRun& run, int column) const {
    switch (column) {
    case kCompared:
        return styleOf(run) < 0 ? 1'000'000 : styleOf(run);
    case kStarted:
        return QVariant::fromValue<qlonglong>(run.startedAt);
    case kSteps:
        return QVariant::fromValue<qlonglong>(run.steps);
    case kValidation:
        return run.bestValidation.value_or(1e300);
    case kSpeed:
        return run.tokensPerSecond();
    case kTook:
        return run.seconds;
    case kSize:
        return QVariant::fromValue<qlonglong>(run.bytes);
    default:
        return textAt(run, column);
    }
}

QVariant RunsModel::decorationAt(const runs::StoredRun& run, int column) const {
    const theme::Theme& theme = m_themes.theme();
    if (column == kCompared && styleOf(run) >= 0) return charts::lineSample(styleOf(run), theme, 2);
    if (column != kState) return {};
    switch (run.outcome) {
    case runs::RunOutcome::kFinished:
        return theme::pixmapOf(theme::Icon::kCheck, theme.good, 16, 2);
    case runs::RunOutcome::kFailed:
        return theme::pixmapOf(theme::Icon::kBad, theme.bad, 16, 2);
    case runs::RunOutcome::kRunning:
        if (models::silentSeconds(run) > 0) return theme::pixmapOf(theme::Icon::kWarning, theme.warning, 16, 2);
        return theme::pixmapOf(theme::Icon::kDot, theme.accent, 16, 2);
    case runs::RunOutcome::kStopped:
    case runs::RunOutcome::kInterrupted:
    case runs::RunOutcome::kUnknown:
        return theme::pixmapOf(theme::Icon::kWarning, theme.warning, 16, 2);
    }
    return {};
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    const runs::StoredRun& stored = run(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        return textAt(stored, index.column());
    case Qt::DecorationRole:
        return decorationAt(stored, index.column());
    case kSortRole:
        return sortKeyAt(stored, index.column());
    case Qt::CheckStateRole:
        if (index.column() != kCompared) return {};
        return styleOf(stored) >= 0 ? Qt::Checked : Qt::Unchecked;
    case Qt::AccessibleTextRole:
        if (index.column() == kCompared) return tr("Compare %1").arg(QString::fromStdString(stored.name));
        return textAt(stored, index.column());
    case Qt::AccessibleDescriptionRole:
        return index.column() == kState ? models::stateDetail(stored) : QString();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue<Qt::Alignment>(
            Qt::AlignVCenter | (index.column() >= kSteps && index.column() <= kSize ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::FontRole: {
        QFont font;
        font.setBold(index.column() == kName);
        return font;
    }
    case Qt::ToolTipRole:
        if (index.column() == kState) return models::stateDetail(stored);
        if (index.column() == kStarted && stored.startedAt > 0)
            return QLocale().toString(QDateTime::fromSecsSinceEpoch(stored.startedAt), QLocale::LongFormat);
        return index.column() == kName ? QString::fromStdString(withoutSecrets(stored.folder.string())) : QString();
    default:
        return {};
    }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue<Qt::Alignment>(
            Qt::AlignVCenter | (section >= kSteps && section <= kSize ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole) return {};
    const QStringList titles = {tr("Compare"),    tr("Name"),     tr("Started"), tr("State"), tr("Steps"),
                                tr("Validation"), tr("Tokens/s"), tr("Took"),    tr("Size")};
    return titles.at(section);
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (index.column() == kCompared) flags |= Qt::ItemIsUserCheckable;
    if (index.column() == kName) flags |= Qt::ItemIsEditable;
    return flags;
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role == Qt::CheckStateRole && index.column() == kCompared) {
        setCompared(index.row(), value.toInt() == Qt::Checked);
        return true;
    }
    if (role != Qt::EditRole || index.column() != kName) return false;
    if (value.toString() == textAt(run(index.row()), kName)) return false;
    emit renamed(run(index.row()), value.toString());
    return true;
}

} // namespace roundpipe::ui::pages
