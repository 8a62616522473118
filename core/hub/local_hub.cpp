// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/local_hub.h"

#include "base/error.h"
#include "hub/fetch.h"
#include "hub/search.h"

#include <mutex>
#include <thread>
#include <utility>

namespace roundpipe::hub {
namespace {

constexpr int kHitsWanted = 30;

class LocalHub final : public session::Hub {
public:
    explicit LocalHub(ReadSettings readSettings) : m_readSettings(std::move(readSettings)) {}
    ~LocalHub() override { m_stop.request_stop(); }

    session::HubAbout about() const override {
        try {
            return m_readSettings().about();
        } catch (const Error&) {
            return {}; // said in full when the Hub is asked for something
        }
    }
    void setOffline(bool offline) override { saveOffline(offline); }

    void search(HubKind kind, const std::string& words) override {
        begin([this, kind, words](const std::stop_token& stop) -> session::HubResult {
            return session::HubHits{kind, words, hub::search(m_readSettings(), kind, words, kHitsWanted, stop)};
        });
    }

    void fetch(HubKind kind, const std::string& name) override {
        begin([this, kind, name](const std::stop_token& stop) -> session::HubResult {
            return hub::fetch(m_readSettings(), parseHubName(name, kind), stop, [&](const session::HubProgress& now) {
                const std::lock_guard lock(m_mutex);
                if (!stop.stop_requested()) m_progress = now;
            });
        });
    }

    void cancel() override {
        m_stop.request_stop();
        const std::lock_guard lock(m_mutex);
        m_isBusy = false;
        m_results.clear();
    }

    bool isBusy() const override {
        const std::lock_guard lock(m_mutex);
        return m_isBusy;
    }
    session::HubProgress progress() const override {
        const std::lock_guard lock(m_mutex);
        return m_progress;
    }
    std::vector<session::HubResult> takeResults() override {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_results, {});
    }

private:
    using Question = std::function<session::HubResult(const std::stop_token&)>;

    static session::HubResult answered(const Question& question, const std::stop_token& stop) {
        try {
            return question(stop);
        } catch (const Error& error) {
            return session::HubFailed{error.message(), error.advice(), error.kind()};
        } catch (const std::exception& error) {
            return session::HubFailed{error.what(), {}, ErrorKind::kInternal};
        }
    }

    void begin(Question question) {
        cancel();
        {
            const std::lock_guard lock(m_mutex);
            m_isBusy = true;
            m_progress = {};
        }
        m_stop = std::stop_source();
        // The thread before has been told to stop, and is waited for by the new one, not by the caller.
        m_thread = std::jthread(
            [this, question = std::move(question), stop = m_stop.get_token(), before = std::move(m_thread)]() mutable {
                before = {};
                session::HubResult result = answered(question, stop);
                const std::lock_guard lock(m_mutex);
                if (stop.stop_requested()) return; // given up: nobody waits for it
                m_results.push_back(std::move(result));
                m_isBusy = false;
            });
    }

    ReadSettings m_readSettings;
    mutable std::mutex m_mutex; // guards what follows
    bool m_isBusy = false;
    session::HubProgress m_progress;
    std::vector<session::HubResult> m_results;

    std::stop_source m_stop;
    std::jthread m_thread; // last: it uses the rest
};

} // namespace

std::unique_ptr<session::Hub> makeLocalHub(ReadSettings readSettings) {
    return std::make_unique<LocalHub>(std::move(readSettings));
}

} // namespace roundpipe::hub
