#include "data/report/survey.h"

#include "base/error.h"
#include "base/file.h"
#include "base/thread_team.h"
#include "data/encode/row_trace.h"
#include "data/report/statistics.h"
#include "data/rows/row_stream.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;

struct Outcome {
    std::optional<RowFacts> facts;
    std::optional<RowProblem> problem;
};

class Survey {
public:
    Survey(const DataOptions& options, const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate,
           const SurveyCallback& progress)
        : m_options(options)
        , m_encoder(options, tokenizer, chatTemplate)
        , m_examiner(tokenizer)
        , m_collector(options, m_examiner.finder())
        , m_progress(progress) {}

    session::DatasetReport run() {
        const std::vector<fs::path> files = m_options.allFiles();
        if (m_options.files.empty()) throw invalidInput("No data file is given.");
        for (const fs::path& file : files)
            m_totalBytes += FileReader(file).sizeBytes();
        for (const fs::path& file : files)
            readFile(file);
        return m_collector.finished();
    }

private:
    void readFile(const fs::path& file) {
        RowStream stream(file, m_options.format);
        m_collector.beginFile(file.string(), stream.source().unit());
        const int64_t rowsBefore = m_collector.numRows();
        for (auto rows = stream.nextChunk(); !rows.empty(); rows = stream.nextChunk()) {
            std::vector<Outcome> outcomes(rows.size());
            forEachIndex(rows.size(), m_options.numThreads,
                         [&](std::size_t i) { outcomes[i] = examine(rows[i], stream.format()); });
            for (std::size_t i = 0; i < rows.size(); ++i)
                m_collector.add(rows[i].number, outcomes[i].facts ? &*outcomes[i].facts : nullptr,
                                outcomes[i].problem ? &*outcomes[i].problem : nullptr);
            report(stream.source().bytesRead());
        }
        m_finishedBytes += FileReader(file).sizeBytes();
        if (m_collector.numRows() == rowsBefore) throw invalidInput(fmt::format("'{}' has no rows.", file.string()));
    }

    Outcome examine(const RawRow& raw, const RowFormat& format) const {
        Outcome outcome;
        RowTrace trace;
        try {
            if (!raw.problem.empty()) throw RowProblem(DropReason::kBadRow, raw.problem);
            m_encoder.encode(raw.json, format, trace);
            outcome.facts = m_examiner.factsOf(trace); // also of a row that is too long: its length counts
            checkLength(trace.row, m_options);
        } catch (const RowProblem& problem) {
            outcome.problem = problem;
        }
        return outcome;
    }

    void report(int64_t bytesOfFile) const {
        if (!m_progress) return;
        const double done = static_cast<double>(m_finishedBytes + bytesOfFile);
        const LoadProgress progress{m_collector.numRows(),
                                    std::min(1.0, done / static_cast<double>(std::max<int64_t>(1, m_totalBytes)))};
        if (!m_progress(progress, [this] { return m_collector.soFar(); }))
            throw Error(ErrorKind::kCancelled, "Reading the data was cancelled.");
    }

    const DataOptions& m_options;
    RowEncoder m_encoder;
    RowExaminer m_examiner;
    StatisticsCollector m_collector;
    const SurveyCallback& m_progress;
    int64_t m_totalBytes = 0;
    int64_t m_finishedBytes = 0;
};

} // namespace

session::DatasetReport surveyOf(const DataOptions& options, const text::Tokenizer& tokenizer,
                                const text::ChatTemplate& chatTemplate, const SurveyCallback& progress) {
    return Survey(options, tokenizer, chatTemplate, progress).run();
}

} // namespace roundpipe::data
