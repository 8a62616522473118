// SPDX-License-Identifier: GPL-3.0-or-later
// The door to Hugging Face's Hub: models and datasets looked for and fetched, only when asked. The GUI knows this
// interface only; core/hub implements it.
//
// Everything that crosses is a plain value. Nothing reaches for the network before search() or fetch() is called.
#pragma once

#include "base/error.h"
#include "base/spelling.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace roundpipe::session {

enum class HubKind : uint8_t { kModel, kDataset };
constexpr std::array<const char*, 2> spellings(HubKind) {
    return {"model", "dataset"};
}

// What a search found; numbers are 0 and texts empty where the Hub does not say.
struct HubHit {
    std::string repository = {}; // "Qwen/Qwen3-8B"
    std::string modelType = {};  // of config.json: "qwen3"
    std::string licence = {};    // "apache-2.0"
    std::string changed = {};    // the day: "2025-04-27"
    int64_t numParameters = 0;   // of a model's safetensors
    int64_t numDownloads = 0;    // of the last 30 days
    int64_t numLikes = 0;
    bool isGated = false; // its owners want their terms accepted first
};

struct HubProgress {
    std::string repository;
    std::string file; // the one that was begun last; empty while the Hub is asked what there is
    int64_t numFilesDone = 0, numFiles = 0;
    int64_t bytesDone = 0, bytes = 0;  // of all its files; what was there already counts as done
    double bytesPerSecond = 0;         // of the last seconds; 0: not known yet
    std::optional<double> secondsLeft; // at that rate
    double retryInSeconds = 0;         // > 0: the Hub did not answer, or asks to wait; it is asked again then
};

// What a fetch brought, or found in the cache.
struct HubFetched {
    HubKind kind = HubKind::kModel;
    std::string name = {};                     // with its commit: "hf:Qwen/Qwen3-8B@9c92…"
    std::string folder = {};                   // the snapshot in the cache: what a model's path is
    std::vector<std::string> files = {};       // whole paths; of a dataset those of the split
    std::vector<std::string> otherSplits = {}; // that the dataset has beside it
    int64_t bytes = 0;                         // of all files
    int64_t bytesFetched = 0;                  // of those that came through the network
};

// Where the Hub is, and what is known of its user. Never the token itself.
struct HubAbout {
    std::string host;      // "huggingface.co", or a mirror's
    std::string cache;     // the folder
    std::string tokenFrom; // "HF_TOKEN", or a file; empty: none
    bool isOffline = false;
    std::string offlineFrom; // what says so: "HF_HUB_OFFLINE", or a file
};

struct HubHits {
    HubKind kind = HubKind::kModel;
    std::string words;        // that were looked for
    std::vector<HubHit> hits; // the most used first
};

struct HubFailed {
    std::string problem, advice;
    ErrorKind problemKind = ErrorKind::kInternal;
};

using HubResult = std::variant<HubHits, HubFetched, HubFailed>;

// One question at a time, in a thread of its own. All calls come from one thread, any; none blocks for more than a few
// milliseconds, except the destructor, which waits until the network lets go.
class Hub {
public:
    virtual ~Hub() = default;

    virtual HubAbout about() const = 0;
    // Kept for this user, for the command line too; throws kIo. HF_HUB_OFFLINE wins over it.
    virtual void setOffline(bool offline) = 0;

    // Each gives up what was asked before; its result never comes.
    virtual void search(HubKind kind, const std::string& words) = 0;
    // `name`: "hf:Qwen/Qwen3-8B", "hf:openai/gsm8k/main:train"; "hf:" may be left out.
    virtual void fetch(HubKind kind, const std::string& name) = 0;
    virtual void cancel() = 0; // what came so far stays for the next time

    virtual bool isBusy() const = 0;
    virtual HubProgress progress() const = 0;         // of the fetch under way; latest-wins
    virtual std::vector<HubResult> takeResults() = 0; // since the last call
};

} // namespace roundpipe::session
