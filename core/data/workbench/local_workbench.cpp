// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/workbench/local_workbench.h"

#include "base/error.h"
#include "data/options.h"
#include "data/report/row_browser.h"
#include "data/report/survey.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace roundpipe::data {
namespace {

using session::WorkbenchState;
using session::WorkbenchStatus;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kReportEvery{500};

enum class Wanted { kFiles, kRows, kVerdicts, kLens, kSearch };
struct Request {
    uint64_t number = 0;
    Wanted wanted = Wanted::kFiles;
    session::RowPlace place = {};
    int64_t count = 0;     // of rows
    std::string text = {}; // of a search
    bool anew = false;

    bool needsModel() const { return wanted == Wanted::kVerdicts || wanted == Wanted::kLens; }
};

// One dataset and its two threads: one reads everything, one answers requests. They end with the object.
class OpenDataset {
public:
    explicit OpenDataset(const session::RunSpec& spec)
        : m_spec(spec)
        , m_reader([this](const std::stop_token& stop) { readAll(stop); })
        , m_answerer([this](const std::stop_token& stop) { answerAll(stop); }) {}

    void cancel() { m_reader.request_stop(); }

    WorkbenchStatus status() const {
        const std::lock_guard lock(m_mutex);
        return m_status;
    }

    void add(const Request& request) {
        const std::lock_guard lock(m_mutex);
        m_requests.push_back(request);
        m_changed.notify_all();
    }

    std::vector<session::WorkbenchResult> takeResults() {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_results, {});
    }

private:
    // What both threads read once it is there.
    struct Model {
        text::Tokenizer tokenizer;
        text::ChatTemplate chatTemplate;
    };

    static WorkbenchStatus opening() {
        WorkbenchStatus status;
        status.state = WorkbenchState::kOpening;
        return status;
    }

    template <class Change>
    void update(const Change& change) {
        const std::lock_guard lock(m_mutex);
        change(m_status);
        m_changed.notify_all();
    }

    void readAll(const std::stop_token& stop) {
        try {
            auto datasets = std::make_unique<const std::vector<DataOptions>>(datasetsOf(m_spec));
            const std::vector<DataOptions>& data = *datasets;
            update([&](WorkbenchStatus&) { m_datasets = std::move(datasets); });
            auto opened = std::unique_ptr<const Model>(
                new Model{text::Tokenizer::open(m_spec.model.path),
                          text::ChatTemplate::fromModelFolder(m_spec.model.path, m_spec.model.chatTemplate)});
            const Model& model = *opened;
            update([&](WorkbenchStatus& status) {
                m_model = std::move(opened);
                status.state = WorkbenchState::kReading;
            });
            survey(data, model, stop);
        } catch (const Error& error) {
            fail(error);
        } catch (const std::exception& error) {
            fail(Error(ErrorKind::kInternal, error.what()));
        }
    }

    void survey(const std::vector<DataOptions>& datasets, const Model& model, const std::stop_token& stop) {
        Clock::time_point next = Clock::now();
        const auto progress = [&](const LoadProgress& seen, const std::function<session::DatasetReport()>& report) {
            std::shared_ptr<const session::DatasetReport> soFar;
            if (const auto now = Clock::now(); now >= next) { // a report of many rows takes its time
                soFar = std::make_shared<const session::DatasetReport>(report());
                next = Clock::now() + std::max<Clock::duration>(kReportEvery, 10 * (Clock::now() - now));
            }
            update([&](WorkbenchStatus& status) {
                status.fraction = seen.fraction;
                status.numRows = seen.numRows;
                if (soFar) status.report = soFar;
            });
            return !stop.stop_requested();
        };
        auto report = std::make_shared<const session::DatasetReport>(
            surveyOf(datasets, model.tokenizer, model.chatTemplate, progress));
        update([&](WorkbenchStatus& status) {
            status.state = WorkbenchState::kReady;
            status.report = std::move(report);
        });
    }

    void fail(const Error& error) {
        update([&](WorkbenchStatus& status) {
            const bool cancelled = error.kind() == ErrorKind::kCancelled;
            status.state = cancelled ? WorkbenchState::kCancelled : WorkbenchState::kFailed;
            if (cancelled) return;
            status.problem = error.message();
            status.advice = error.advice();
            status.problemKind = error.kind();
        });
    }

    void answerAll(const std::stop_token& stop) {
        std::unique_lock lock(m_mutex);
        // Files and rows need the options, tokens the model too; both are there in a moment, or never will be.
        const auto canAnswer = [this] {
            if (m_requests.empty()) return false;
            const bool isThere = m_requests.front().needsModel() ? m_model != nullptr : m_datasets != nullptr;
            return isThere || m_status.state == WorkbenchState::kFailed;
        };
        std::optional<RowBrowser> browser;
        bool usesModel = false;
        while (m_changed.wait(lock, stop, canAnswer)) {
            const Request request = m_requests.front();
            m_requests.pop_front();
            session::WorkbenchResult result{request.number, session::LookupFailed{m_status.problem, m_status.advice}};
            if (request.needsModel() ? m_model != nullptr : m_datasets != nullptr) {
                if (!browser) browser.emplace(*m_datasets);
                if (request.needsModel() && !std::exchange(usesModel, true))
                    browser->useModel(m_model->tokenizer, m_model->chatTemplate);
                lock.unlock();
                result = answer(*browser, request, stop);
                lock.lock();
            }
            m_results.push_back(std::move(result));
        }
    }

    static session::WorkbenchResult answer(RowBrowser& browser, const Request& request, const std::stop_token& stop) {
        try {
            switch (request.wanted) {
            case Wanted::kFiles:
                return {request.number, browser.files()};
            case Wanted::kRows:
                return {request.number, browser.rows(request.place, request.count, stop)};
            case Wanted::kVerdicts:
                return {request.number, browser.verdicts(request.place, request.count, stop)};
            case Wanted::kSearch:
                return {request.number, browser.search(request.text, request.anew, stop)};
            case Wanted::kLens:
                break;
            }
            return {request.number, browser.lens(request.place, stop)};
        } catch (const Error& error) {
            return {request.number, session::LookupFailed{error.message(), error.advice()}};
        } catch (const std::exception& error) {
            return {request.number, session::LookupFailed{error.what(), {}}};
        }
    }

    const session::RunSpec m_spec;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    WorkbenchStatus m_status = opening();
    std::unique_ptr<const std::vector<DataOptions>> m_datasets; // once they are there, to the end
    std::unique_ptr<const Model> m_model;                       // the same
    std::deque<Request> m_requests;
    std::vector<session::WorkbenchResult> m_results;
    std::jthread m_reader, m_answerer; // last: they end before what they use
};

class LocalWorkbench final : public session::Workbench {
public:
    void open(const session::RunSpec& spec) override {
        if (m_dataset) retire(std::move(m_dataset));
        m_dataset = std::make_unique<OpenDataset>(spec);
    }
    void cancel() override {
        if (m_dataset) m_dataset->cancel();
    }
    WorkbenchStatus status() const override { return m_dataset ? m_dataset->status() : WorkbenchStatus{}; }
    uint64_t requestFiles() override { return request({0, Wanted::kFiles}); }
    uint64_t requestRows(session::RowPlace first, int64_t count) override {
        return request({0, Wanted::kRows, first, std::max<int64_t>(1, count)});
    }
    uint64_t requestVerdicts(session::RowPlace first, int64_t count) override {
        return request({0, Wanted::kVerdicts, first, std::max<int64_t>(1, count)});
    }
    uint64_t requestLens(session::RowPlace place) override { return request({0, Wanted::kLens, place, 1}); }
    uint64_t requestSearch(const std::string& text, bool anew) override {
        return request({0, Wanted::kSearch, {}, 0, text, anew});
    }
    std::vector<session::WorkbenchResult> takeResults() override {
        return m_dataset ? m_dataset->takeResults() : std::vector<session::WorkbenchResult>{};
    }

private:
    uint64_t request(Request request) {
        if (!m_dataset) throw invalidInput("No dataset is open.");
        request.number = ++m_lastRequest;
        m_dataset->add(request);
        return m_lastRequest;
    }

    // What was open ends in a thread of its own, so that nobody waits for a chunk of rows. The destructor joins it.
    void retire(std::unique_ptr<OpenDataset> dataset) {
        std::erase_if(m_retired, [](const Retired& retired) { return retired.isOver->load(); });
        dataset->cancel();
        auto isOver = std::make_shared<std::atomic<bool>>(false);
        std::jthread thread([isOver, closing = std::shared_ptr<OpenDataset>(std::move(dataset))]() mutable {
            closing.reset();
            isOver->store(true);
        });
        m_retired.push_back({isOver, std::move(thread)});
    }

    struct Retired {
        std::shared_ptr<std::atomic<bool>> isOver;
        std::jthread thread;
    };

    std::unique_ptr<OpenDataset> m_dataset;
    uint64_t m_lastRequest = 0;
    std::vector<Retired> m_retired;
};

} // namespace

std::unique_ptr<session::Workbench> makeLocalWorkbench() {
    return std::make_unique<LocalWorkbench>();
}

} // namespace roundpipe::data
