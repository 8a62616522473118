// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/fetch_names.h"

#include "base/error.h"
#include "base/units.h"
#include "console/passing_line.h"
#include "console/stop_signal.h"
#include "hub/fetch.h"
#include "session/spec/hub_prefix.h"

#include <chrono>
#include <cstdio>
#include <map>
#include <stop_token>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace roundpipe::cli {
namespace {

using session::HubFetched;
using session::HubKind;
using session::HubProgress;

std::string lineOf(const HubProgress& now) {
    if (now.retryInSeconds > 0)
        return fmt::format("{}: the Hub does not answer or asks to wait, next try in {}", now.repository,
                           formatDuration(now.retryInSeconds));
    if (now.numFiles == 0) return fmt::format("{}: asking the Hub", now.repository);
    std::string line = fmt::format("{}: {} of {}, file {} of {}", now.repository, formatBytes(now.bytesDone),
                                   formatBytes(now.bytes), std::min(now.numFilesDone + 1, now.numFiles), now.numFiles);
    if (now.bytesPerSecond > 0) line += fmt::format(", {}/s", formatBytes(static_cast<int64_t>(now.bytesPerSecond)));
    if (now.secondsLeft) line += fmt::format(", {} left", formatDuration(*now.secondsLeft));
    return line;
}

HubFetched fetchNow(const hub::HubName& name) {
    const hub::HubSettings settings = hub::HubSettings::ofUser();
    const StopSignal signal;
    std::stop_source stop;
    PassingLine line;
    bool saidThatItWaits = false;                                                        // in a log once is enough
    if (!settings.offline) line.say(fmt::format("{}: asking the Hub", name.repository)); // it may not answer for long
    return hub::fetch(settings, name, stop.get_token(), [&](const HubProgress& now) {
        if (now.retryInSeconds > 0 && !std::exchange(saidThatItWaits, true))
            line.say(lineOf(now));
        else
            line.show(lineOf(now));
        if (signal.requested()) stop.request_stop();
    });
}

void say(const HubFetched& fetched) {
    fmt::print(stderr, "{}: {}{} in {}\n", fetched.name, formatBytes(fetched.bytes),
               fetched.bytesFetched > 0 ? fmt::format(", {} of it fetched,", formatBytes(fetched.bytesFetched)) : "",
               fetched.folder);
}

std::vector<std::string> filesOf(const std::string& file) {
    return session::isHubName(file) ? fetchName(HubKind::kDataset, file).files : std::vector{file};
}

} // namespace

HubFetched fetchName(HubKind kind, const std::string& name) {
    static std::map<std::pair<HubKind, std::string>, HubFetched> known;
    const auto key = std::pair(kind, name);
    if (const auto found = known.find(key); found != known.end()) return found->second;
    const HubFetched fetched = fetchNow(hub::parseHubName(name, kind));
    say(fetched);
    return known.emplace(key, fetched).first->second;
}

std::string fetchedModel(const std::string& path) {
    return session::isHubName(path) ? fetchName(HubKind::kModel, path).folder : path;
}

void fetchNamesOf(std::vector<std::string>& files) {
    std::vector<std::string> found;
    for (const std::string& file : files)
        for (std::string& each : filesOf(file))
            found.push_back(std::move(each));
    files = std::move(found);
}

void fetchNamesOf(session::RunSpec& spec) {
    spec.model.path = fetchedModel(spec.model.path);
    for (session::DatasetSection& dataset : spec.data.datasets)
        fetchNamesOf(dataset.files);
    const std::vector<std::string> toValidate = filesOf(spec.data.validationFile);
    if (toValidate.size() != 1)
        throw invalidInput(fmt::format("'{}' has {} files, but the rows to validate on are of one.",
                                       spec.data.validationFile, toValidate.size()),
                           "Name one of those files, which are in the cache now.");
    spec.data.validationFile = toValidate.front();
}

} // namespace roundpipe::cli
