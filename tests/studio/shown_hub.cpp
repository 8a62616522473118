// SPDX-License-Identifier: GPL-3.0-or-later
#include "shown_hub.h"

#include <utility>

namespace roundpipe::testing {
namespace {

class ShownHub final : public session::Hub {
public:
    session::HubAbout about() const override {
        return {.host = "huggingface.co", .cache = "~/.cache/huggingface/hub", .tokenFrom = {}, .offlineFrom = {}};
    }
    void setOffline(bool) override {}
    void search(session::HubKind kind, const std::string& words) override {
        session::HubHits found{kind, words, {}};
        constexpr int64_t kMillion = 1'000'000;
        if (kind == session::HubKind::kModel)
            found.hits = {hitOf("Qwen/Qwen3-8B", "qwen3", 8'191 * kMillion, 4'204'118),
                          hitOf("Qwen/Qwen3-30B-A3B-Instruct-2507", "qwen3_moe", 30'532 * kMillion, 1'160'455),
                          hitOf("openai/gpt-oss-20b", "gpt_oss", 20'914 * kMillion, 948'210),
                          hitOf("meta-llama/Llama-3.1-8B-Instruct", "llama", 8'030 * kMillion, 5'514'009)};
        else
            found.hits = {hitOf("openai/gsm8k", "", 0, 508'114), hitOf("HuggingFaceH4/ultrachat_200k", "", 0, 61'090)};
        found.hits.back().isGated = kind == session::HubKind::kModel;
        m_results.emplace_back(std::move(found));
    }
    void fetch(session::HubKind, const std::string&) override {}
    void cancel() override {}
    bool isBusy() const override { return !m_results.empty(); }
    session::HubProgress progress() const override { return {}; }
    std::vector<session::HubResult> takeResults() override { return std::exchange(m_results, {}); }

private:
    static session::HubHit hitOf(const char* repository, const char* type, int64_t parameters, int64_t downloads) {
        return {.repository = repository,
                .modelType = type,
                .licence = "apache-2.0",
                .changed = "2025-07-26",
                .numParameters = parameters,
                .numDownloads = downloads,
                .numLikes = downloads / 4'000};
    }

    std::vector<session::HubResult> m_results;
};

} // namespace

std::unique_ptr<session::Hub> makeShownHub() {
    return std::make_unique<ShownHub>();
}

} // namespace roundpipe::testing
