// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/model/model_list.h"

#include "ui/pages/model/two_lines.h"
#include "ui/translations/number_text.h"

#include <QLocale>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

const QString kGap = QStringLiteral("\u2002\u2002"); // after a column that is aligned to its right, as TwoLines has it

QString fromUtf8(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

// Without the folder, which the tool tip of its name has: there is room for two lines.
QString problemOf(const arch::ModelFolder& model) {
    return fromUtf8(model.problem).remove(fromUtf8(model.path.string()) + QLatin1Char('/'));
}

} // namespace

QString outlineOf(const arch::ModelFolder& model) {
    if (!model.model) return {};
    const arch::ModelConfig& config = model.model->config;
    QString architecture = fromUtf8(config.architecture);
    architecture.remove(QStringLiteral("ForCausalLM"));
    QStringList parts{architecture, ModelList::tr("%1 tokens").arg(QLocale().toString(qint64{config.maxPositions})),
                      QString::fromLatin1(toString(config.dtype))};
    if (!model.licence.empty()) parts.append(fromUtf8(model.licence));
    return parts.join(QStringLiteral(" · "));
}

void ModelList::clear() {
    beginResetModel();
    m_rows.clear();
    endResetModel();
}

void ModelList::add(std::shared_ptr<const arch::ModelFolder> model, bool isCached) {
    const int row = rowCount();
    beginInsertRows({}, row, row);
    m_rows.push_back({std::move(model), isCached, {}});
    endInsertRows();
}

void ModelList::setVerdict(int row, ModelVerdict verdict) {
    m_rows[static_cast<std::size_t>(row)].verdict = std::move(verdict);
    emit dataChanged(index(row, kVerdict), index(row, kVerdict));
}

int ModelList::rowOf(const std::string& path) const {
    const auto found = std::ranges::find_if(m_rows, [&](const Row& row) { return row.model->path == path; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int ModelList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ModelList::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kNumColumns;
}

// As a cell has room for it, or whole.
QString ModelList::textOf(const Row& row, int column, bool isWhole) const {
    const arch::ModelFolder& model = *row.model;
    switch (column) {
    case kName: {
        const QString outline = outlineOf(model);
        return outline.isEmpty() ? fromUtf8(model.name) : fromUtf8(model.name) + QLatin1Char('\n') + outline;
    }
    case kParameters:
        return model.model ? translations::countText(static_cast<double>(model.model->numParameters())) : QString();
    case kSize:
        return model.hasWeights ? translations::bytesText(model.weightBytes) : QString();
    default:
        if (!model.problem.empty()) return tr("✕ cannot be trained") + QLatin1Char('\n') + problemOf(model);
        if (row.verdict.kind == ModelVerdict::Kind::kUnknown)
            return row.verdict.text.isEmpty() ? tr("not worked out yet") : row.verdict.text;
        return (row.verdict.kind == ModelVerdict::Kind::kFits ? tr("✓ fits") : tr("△ does not fit")) +
               QLatin1Char('\n') + (isWhole || row.verdict.brief.isEmpty() ? row.verdict.text : row.verdict.brief);
    }
}

widgets::Tone ModelList::toneOf(const Row& row) {
    if (!row.model->problem.empty()) return widgets::Tone::kBad;
    switch (row.verdict.kind) {
    case ModelVerdict::Kind::kFits:
        return widgets::Tone::kGood;
    case ModelVerdict::Kind::kDoesNotFit:
        return widgets::Tone::kWarning;
    case ModelVerdict::Kind::kUnknown:
        break;
    }
    return widgets::Tone::kNeutral;
}

QVariant ModelList::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const bool isNumber = index.column() == kParameters || index.column() == kSize;
    switch (role) {
    case Qt::DisplayRole:
        return textOf(row, index.column(), false);
    case Qt::ToolTipRole:
        return index.column() == kName ? fromUtf8(row.model->path.string()) : textOf(row, index.column(), true);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case TwoLines::kToneRole:
        return static_cast<int>(index.column() == kVerdict ? toneOf(row) : widgets::Tone::kNeutral);
    default:
        return {};
    }
}

QVariant ModelList::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const bool isNumber = section == kParameters || section == kSize;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role != Qt::DisplayRole) return {};
    const QString names[kNumColumns] = {tr("Model · context · type · licence"), tr("Parameters"), tr("On disk"),
                                        kGap + tr("On this rig")};
    return names[section];
}

} // namespace roundpipe::ui::pages
