// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/report/dataset_tiles.h"

#include "base/error.h"
#include "session/spec/run_shape.h"
#include "session/workbench.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/stat_tile.h"

#include <cmath>

namespace roundpipe::ui::pages {
namespace {

struct Tokens {
    int64_t all = 0, trained = 0;
};

// By the datasets' shares; all tokens once where an amount is beyond all measure.
Tokens tokensPerEpoch(const session::RunSpec& spec, const session::DatasetReport& report) {
    double all = 0, trained = 0;
    try {
        for (const session::EpochPart& part : session::epochPartsOf(spec, report.training)) {
            all += part.tokens;
            trained += part.trained;
        }
    } catch (const Error&) {
        return {report.training.numTokens(), report.training.numTrained()};
    }
    return {std::llround(all), std::llround(trained)};
}

} // namespace

DatasetTiles::DatasetTiles(QWidget* parent)
    : DatasetTiles(Tiles{.used = new widgets::StatTile(tr("Rows")),
                         .split = new widgets::StatTile(tr("Split")),
                         .tokens = new widgets::StatTile(tr("Tokens an epoch")),
                         .trained = new widgets::StatTile(tr("Trained")),
                         .length = new widgets::StatTile(tr("Median length"))},
                   parent) {}

DatasetTiles::DatasetTiles(const Tiles& tiles, QWidget* parent)
    : TileRow({{tiles.used, 18}, {tiles.split, 20}, {tiles.tokens, 24}, {tiles.trained, 20}, {tiles.length, 21}},
              parent)
    , m_tiles(tiles) {}

void DatasetTiles::clear() {
    for (widgets::StatTile* tile : {m_tiles.used, m_tiles.split, m_tiles.tokens, m_tiles.trained, m_tiles.length})
        tile->set(QStringLiteral("–"));
}

void DatasetTiles::show(const session::DatasetReport& report, const session::RunSpec& spec) {
    m_tiles.used->set(translations::wholeText(report.numUsed),
                      tr("of %1 used").arg(translations::wholeText(report.numRows)));
    // Of the rows that are trained on, as the epoch beside it; until it is known which are, of those read so far.
    const Tokens epoch = report.isComplete ? tokensPerEpoch(spec, report) : Tokens{report.numTokens, report.numTrained};
    const double share =
        epoch.all > 0 ? 100.0 * static_cast<double>(epoch.trained) / static_cast<double>(epoch.all) : 0;
    m_tiles.trained->set(tr("%1 %").arg(translations::fixedText(share, 1)),
                         tr("%1 tokens").arg(translations::wholeText(epoch.trained)));
    m_tiles.length->set(
        translations::wholeText(report.lengths.p50),
        tr("p99 %1 · max %2")
            .arg(translations::wholeText(report.lengths.p99), translations::wholeText(report.lengths.max)));
    m_tiles.tokens->set(translations::countText(static_cast<double>(epoch.all)),
                        report.isComplete ? tr("at most %1 a row").arg(translations::wholeText(report.lengthLimit))
                                          : tr("so far"));
    if (report.isComplete)
        m_tiles.split->set(translations::wholeText(report.training.size()),
                           tr("train · %1 validate").arg(translations::wholeText(report.validation.size())));
    else
        m_tiles.split->set(QStringLiteral("–"), tr("once all rows are read"));
}

} // namespace roundpipe::ui::pages
