#include "data/report/survey.h"

#include "data/report/inspect.h"
#include "data/report/statistics.h"

namespace roundpipe::data {

session::DatasetReport surveyOf(const DataOptions& options, const text::Tokenizer& tokenizer,
                                const text::ChatTemplate& chatTemplate, const SurveyCallback& progress) {
    StatisticsCollector collector(options, tokenizer);
    LoadCallback callback;
    if (progress)
        callback = [&](const LoadProgress& seen) { return progress(seen, [&] { return collector.soFar(); }); };
    const Tokenised tokenised = tokenise(options, tokenizer, chatTemplate, callback, &collector);
    session::DatasetReport report = collector.finished(*tokenised.store);
    report.numEncoded = tokenised.numEncoded;
    report.notRead = columnsNotRead(options);
    return report;
}

} // namespace roundpipe::data
