#include "data/report/survey.h"

#include "base/error.h"
#include "data/report/inspect.h"
#include "data/report/joined_report.h"
#include "data/report/statistics.h"
#include "data/store/first_rows.h"
#include "data/store/progress_of_all.h"

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

} // namespace

session::DatasetReport surveyOf(std::span<const DataOptions> datasets, const text::Tokenizer& tokenizer,
                                const text::ChatTemplate& chatTemplate, const SurveyCallback& progress) {
    JoinedReport all;
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
                JoinedReport soFar = all;
                soFar.add(current->soFar(), current->lengths());
                return soFar.report();
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
            session::DatasetReport report = collector.finished(*tokenised.store);
            report.numEncoded = tokenised.numEncoded;
            report.notRead = columnsNotRead(datasets[i]);
            all.add(std::move(report), collector.lengths());
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

} // namespace roundpipe::data
