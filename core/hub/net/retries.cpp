// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/net/retries.h"

#include "base/error.h"
#include "base/log.h"
#include "hub/net/refusal.h"

#include <condition_variable>
#include <mutex>
#include <random>

#include <fmt/format.h>

namespace roundpipe::hub {
namespace {

using Milliseconds = std::chrono::milliseconds;

void sleepUnlessStopped(Milliseconds time, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop, time, [] { return false; });
    if (stop.stop_requested()) throw Error(ErrorKind::kCancelled, "The fetch was stopped.");
}

// Between three quarters of it and five quarters.
Milliseconds aboutAsLong(Milliseconds time) {
    static thread_local std::minstd_rand draws(std::random_device{}());
    return Milliseconds(
        static_cast<int64_t>(static_cast<double>(time.count()) * std::uniform_real_distribution<>(0.75, 1.25)(draws)));
}

} // namespace

Retries::Retries(const HubSettings& settings, std::stop_token stop, OnWait onWait)
    : m_settings(settings), m_stop(std::move(stop)), m_onWait(std::move(onWait)) {}

bool Retries::waitAfter(const HttpAnswer& answer) {
    if (++m_numTries >= m_settings.numTries) return false;
    Milliseconds delay = aboutAsLong(m_settings.firstDelay * (1 << std::min(m_numTries - 1, 10)));
    if (const auto asked = answer.retryAfterSeconds()) {
        if (*asked > m_settings.longestDelay.count()) return false;
        delay = std::max<Milliseconds>(std::chrono::seconds(*asked), m_settings.firstDelay);
    }
    log::info(fmt::format("hub: '{}' {}; asked again in {:.1f} s", answer.host,
                          answer.failure.empty() ? fmt::format("answers {}", answer.status) : answer.failure,
                          static_cast<double>(delay.count()) / 1000));
    if (m_onWait) m_onWait(static_cast<double>(delay.count()) / 1000);
    sleepUnlessStopped(delay, m_stop);
    if (m_onWait) m_onWait(0);
    return true;
}

HttpAnswer ask(HttpClient& client, const HttpQuestion& question, const HubName& name, const HubSettings& settings,
               Retries& retries) {
    while (true) {
        HttpAnswer answer = client.get(question);
        if (answer.succeeded()) return answer;
        const Error refusal = name.repository.empty() ? refusalOf(answer, settings) : refusalOf(answer, name, settings);
        if (!answer.mayPass() || !retries.waitAfter(answer)) throw refusal;
    }
}

} // namespace roundpipe::hub
