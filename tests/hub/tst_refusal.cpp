// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/net/refusal.h"

#include <gtest/gtest.h>

namespace roundpipe::hub {
namespace {

HttpAnswer answered(int status, std::map<std::string, std::string> headers = {}) {
    HttpAnswer answer;
    answer.status = status;
    answer.host = "huggingface.co";
    answer.headers = std::move(headers);
    return answer;
}

std::string said(const HttpAnswer& answer, bool loggedIn) {
    HubSettings settings;
    if (loggedIn) settings.token = Token("hf_secret", "HF_TOKEN");
    const Error error = refusalOf(answer, parseHubName("org/model@v2", HubKind::kModel), settings);
    EXPECT_EQ(error.message().find("hf_secret"), std::string::npos);
    EXPECT_EQ(error.advice().find("hf_secret"), std::string::npos);
    return error.message() + " | " + error.advice();
}

void expectWords(const std::string& text, std::initializer_list<const char*> words) {
    for (const char* const word : words)
        EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' is not in: " << text;
}

TEST(HubRefusal, sendsToThePageOfAGatedModel) {
    const auto gated =
        answered(403, {{"x-error-code", "GatedRepo"}, {"x-error-message", "Ask hf_secret\x1b[2J first"}});
    expectWords(said(gated, false), {"gated", "https://huggingface.co/org/model", "hf auth login"});
    expectWords(said(gated, true), {"gated", "https://huggingface.co/org/model", "(token)", "'HF_TOKEN'", "granted"});
    EXPECT_EQ(said(gated, true).find('\x1b'), std::string::npos) << "no control characters reach a terminal";
}

TEST(HubRefusal, tellsWhatIsWrongWithNameRevisionAndToken) {
    expectWords(said(answered(401, {{"x-error-code", "RepoNotFound"}}), false),
                {"has no model 'org/model'", "private", "hf auth login"});
    expectWords(said(answered(404, {{"x-error-code", "RepoNotFound"}}), true), {"has no model", "token may read it"});
    expectWords(said(answered(404, {{"x-error-code", "RevisionNotFound"}}), true), {"no revision 'v2'"});
    expectWords(said(answered(401, {{"x-error-message", "Invalid credentials in Authorization header"}}), true),
                {"does not know the token from 'HF_TOKEN'", "expired"});
    expectWords(said(answered(403), false), {"may not read", "https://huggingface.co/org/model"});
    expectWords(said(answered(418), false), {"refuses (418)"});
}

TEST(HubRefusal, saysWhatMayPass) {
    expectWords(said(answered(429), false), {"429", "Wait", "hf auth login"});
    expectWords(said(answered(503), false), {"error of its own (503)", "kept"});
    HttpAnswer cut = answered(0);
    cut.failure = "the connection was cut";
    expectWords(said(cut, false), {"cannot be reached: the connection was cut", "HF_HUB_OFFLINE"});
    EXPECT_EQ(refusalOf(cut, HubSettings()).kind(), ErrorKind::kIo);
}

TEST(HubRefusal, readsHowLongToWait) {
    EXPECT_EQ(answered(429, {{"retry-after", "17"}}).retryAfterSeconds(), 17);
    EXPECT_EQ(answered(429, {{"retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"}}).retryAfterSeconds(), 0);
    EXPECT_GT(answered(429, {{"retry-after", "Wed, 21 Oct 2095 07:28:00 GMT"}}).retryAfterSeconds(), 1'000'000);
    EXPECT_EQ(answered(429, {{"retry-after", "soon"}}).retryAfterSeconds(), std::nullopt);
    EXPECT_EQ(answered(429).retryAfterSeconds(), std::nullopt);
}

} // namespace
} // namespace roundpipe::hub
