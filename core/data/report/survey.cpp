#include "data/report/survey.h"

#include "base/error.h"
#include "data/report/inspect.h"
#include "data/report/statistics.h"
#include "data/store/first_rows.h"

namespace roundpipe::data {
namespace {

// To be looked at while the files are compared with what the cache knows, which is reading all of them.
session::DatasetReport ofFirstRows(const DataOptions& options, const text::Tokenizer& tokenizer,
                                   const text::ChatTemplate& chatTemplate) {
    StatisticsCollector collector(options, tokenizer);
    showFirstRows(options, tokenizer, chatTemplate, collector);
    return collector.soFar();
}

} // namespace

session::DatasetReport surveyOf(const DataOptions& options, const text::Tokenizer& tokenizer,
                                const text::ChatTemplate& chatTemplate, const SurveyCallback& progress) {
    StatisticsCollector collector(options, tokenizer);
    LoadCallback callback;
    session::DatasetReport first;
    if (progress) {
        first = ofFirstRows(options, tokenizer, chatTemplate);
        callback = [&](LoadProgress seen) {
            const bool isFirst = seen.numRows <= first.numRows;
            if (isFirst) seen.numRows = first.numRows;
            return progress(seen, [&] { return isFirst ? first : collector.soFar(); });
        };
        if (!callback({})) throw Error(ErrorKind::kCancelled, "Reading the data was cancelled.");
    }
    const Tokenised tokenised = tokenise(options, tokenizer, chatTemplate, callback, &collector);
    session::DatasetReport report = collector.finished(*tokenised.store);
    report.numEncoded = tokenised.numEncoded;
    report.notRead = columnsNotRead(options);
    return report;
}

} // namespace roundpipe::data
