// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/planning/planner.h"

#include "plan/rig/rig_file.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace roundpipe::session {
namespace {

class LocalPlanner final : public Planner {
public:
    explicit LocalPlanner(RigProbe probe) : m_probe(rememberingProbe(std::move(probe))) {}
    ~LocalPlanner() override { LocalPlanner::cancel(); }

    uint64_t ask(PlanQuestion question, const std::string& rig) override {
        const std::lock_guard lock(m_mutex);
        giveUp();
        m_asked = Asked{++m_number, std::move(question), rig, m_giveUp.get_token()};
        m_changed.notify_all();
        return m_number;
    }
    void cancel() override {
        const std::lock_guard lock(m_mutex);
        giveUp();
    }
    std::vector<PlanUpdate> takeUpdates() override {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_updates, {});
    }

private:
    struct Asked {
        uint64_t number = 0;
        PlanQuestion question;
        std::string rig;
        std::stop_token stop;
    };

    // Nothing of what was asked is wanted any more.
    void giveUp() {
        m_giveUp.request_stop();
        m_giveUp = std::stop_source();
        m_asked.reset();
        m_updates.clear();
    }

    void run(const std::stop_token& end) {
        for (;;) {
            Asked asked;
            {
                std::unique_lock lock(m_mutex);
                if (!m_changed.wait(lock, end, [this] { return m_asked.has_value(); })) return;
                asked = std::move(*m_asked);
                m_asked.reset();
            }
            answerAll(asked);
        }
    }

    void answerAll(const Asked& asked) {
        PlanUpdate last;
        try {
            const auto progress = [&](const PlanAnswer& soFar) {
                put(asked, {asked.number, false, std::make_shared<const PlanAnswer>(soFar), {}, {}, {}});
            };
            last.answer =
                std::make_shared<const PlanAnswer>(answer(asked.question, rigOf(asked), progress, asked.stop));
        } catch (const Error& error) {
            last.problem = error.message();
            last.advice = error.advice();
            last.problemKind = error.kind();
        } catch (const std::exception& error) {
            last.problem = error.what();
        }
        last.question = asked.number;
        last.isLast = true;
        put(asked, std::move(last));
    }

    void put(const Asked& asked, PlanUpdate update) {
        const std::lock_guard lock(m_mutex);
        if (!asked.stop.stop_requested()) m_updates.push_back(std::move(update));
    }

    plan::Rig rigOf(const Asked& asked) {
        if (asked.rig != "this") return plan::loadRig(asked.rig);
        if (!m_probe)
            throw Error(ErrorKind::kDevice, "This build has no engine that could measure the machine.",
                        "Describe the rig, as in 4x4090,ram=256.");
        return m_probe(asked.question.spec.engine.devices, asked.stop);
    }

    const RigProbe m_probe;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::stop_source m_giveUp;    // of the question asked last; guarded by m_mutex, as is what follows
    std::optional<Asked> m_asked; // not begun yet
    uint64_t m_number = 0;
    std::vector<PlanUpdate> m_updates;                                       // not taken yet
    std::jthread m_thread{[this](const std::stop_token& end) { run(end); }}; // last: it uses all of the above
};

} // namespace

RigProbe rememberingProbe(RigProbe probe) {
    if (!probe) return {};
    struct Known {
        std::mutex mutex; // held while it is measured
        std::map<std::vector<std::string>, plan::Rig> rigs;
    };
    return [probe = std::move(probe), known = std::make_shared<Known>()](const std::vector<std::string>& names,
                                                                         const std::stop_token& stop) {
        const std::lock_guard lock(known->mutex);
        const auto rig = known->rigs.find(names);
        return rig != known->rigs.end() ? rig->second : known->rigs[names] = probe(names, stop);
    };
}

std::unique_ptr<Planner> makePlanner(RigProbe probe) {
    return std::make_unique<LocalPlanner>(std::move(probe));
}

} // namespace roundpipe::session
