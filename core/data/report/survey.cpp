// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/report/survey.h"

#include "base/error.h"
#include "data/report/across_datasets.h"
#include "data/report/inspect.h"
#include "data/report/joined_report.h"
#include "data/report/statistics.h"
#include "data/store/progress_of_all.h"
#include "data/store/tokens/first_rows.h"

namespace roundpipe::data {
namespace {

// To be looked at while the files are compared with what the cache knows, which is reading all of them.
session::DatasetReport ofFirstRows(std::span<const DataOptions> datasets, const text::Tokenizer& tokenizer,
                                   const text::ChatTemplate& chatTemplate) {
    JoinedReport all;
    for (const DataOptions& options : datasets) {
        StatisticsCollector collector(options, tokenizer, chatTemplate);
        showFirstRows(options, tokenizer, chatTemplate, collector);
        all.add(collector.soFar(), collector.lengths());
    }
    return all.report();
}

// One dataset's rows are not kept to be compared with others'.
class AllReports {
public:
    AllReports(std::size_t numDatasets, const text::ChatTemplate& chatTemplate)
        : m_isMixture(numDatasets > 1), m_template(chatTemplate) {}

    // Of the rows that the collector has seen.
    void add(const DataOptions& options, const Tokenised& tokenised, const StatisticsCollector& collector) {
        session::DatasetReport report = collector.finished(*tokenised.store, m_isMixture ? &m_across : nullptr);
        report.numEncoded = tokenised.numEncoded;
        report.notRead = columnsNotRead(options, m_template);
        m_joined.add(std::move(report), collector.lengths());
    }
    // With those of a dataset that is under way.
    session::DatasetReport soFar(const StatisticsCollector& current) const {
        JoinedReport joined = m_joined;
        joined.add(current.soFar(), current.lengths());
        return joined.report();
    }
    session::DatasetReport report() const {
        session::DatasetReport report = m_joined.report();
        m_across.writeTo(report);
        return report;
    }

private:
    const bool m_isMixture;
    const text::ChatTemplate& m_template;
    JoinedReport m_joined;
    AcrossDatasets m_across;
};

} // namespace

session::DatasetReport surveyOf(std::span<const DataOptions> datasets, const text::Tokenizer& tokenizer,
                                const text::ChatTemplate& chatTemplate, const SurveyCallback& progress) {
    AllReports all(datasets.size(), chatTemplate);
    const StatisticsCollector* current = nullptr;
    LoadCallback callback;
    session::DatasetReport first;
    if (progress) {
        first = ofFirstRows(datasets, tokenizer, chatTemplate);
        callback = [&](LoadProgress seen) {
            const bool isFirst = seen.numRows <= first.numRows;
            if (isFirst) seen.numRows = first.numRows;
            return progress(seen, [&] {
                if (isFirst || current == nullptr) return first;
                return all.soFar(*current);
            });
        };
        if (!callback({})) throw Error(ErrorKind::kCancelled, "Reading the data was cancelled.");
    }
    ProgressOfAll ofAll(datasets, callback);
    for (std::size_t i = 0; i < datasets.size(); ++i) {
        StatisticsCollector collector(datasets[i], tokenizer, chatTemplate);
        current = &collector;
        const auto survey = [&] {
            const Tokenised tokenised = tokenise(datasets[i], tokenizer, chatTemplate, ofAll.next(), &collector);
            all.add(datasets[i], tokenised, collector);
        };
        if (datasets.size() == 1)
            survey();
        else
            namingDataset(i, survey);
    }
    return all.report();
}

session::DatasetReport surveyOf(const DataOptions& options, const text::Tokenizer& tokenizer,
                                const text::ChatTemplate& chatTemplate, const SurveyCallback& progress) {
    return surveyOf(std::span(&options, 1), tokenizer, chatTemplate, progress);
}

session::DatasetReport surveyOf(std::span<const DataOptions> datasets, const text::Tokenizer& tokenizer,
                                const text::ChatTemplate& chatTemplate, const Dataset& loaded) {
    RP_CHECK(loaded.tokenised().size() == datasets.size());
    AllReports all(datasets.size(), chatTemplate);
    for (std::size_t i = 0; i < datasets.size(); ++i) {
        StatisticsCollector collector(datasets[i], tokenizer, chatTemplate);
        show(*loaded.tokenised()[i], collector);
        all.add(datasets[i], *loaded.tokenised()[i], collector);
    }
    return all.report();
}

} // namespace roundpipe::data
