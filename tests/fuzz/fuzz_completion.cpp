// SPDX-License-Identifier: GPL-3.0-or-later
// A request of any bytes for an answer: refused in words, or a question within its limits, and whatever was said in it
// can be said in an answer.
#include "base/error.h"
#include "fuzz_target.h"
#include "scratch_file.h"
#include "serve/completion_answer.h"
#include "serve/completion_request.h"

#include <nlohmann/json.hpp>

#include <string>

using namespace roundpipe;

namespace {

void checkSampling(const session::SamplingOptions& sampling, const session::SamplingOptions& defaults) {
    for (const session::SamplingField& field : session::samplingFields())
        if (std::string(field.key) != "seed") {
            const double value = session::samplingValue(sampling, field);
            require(value >= field.minimum && value <= field.maximum, "numbers are within their limits");
        }
    require(sampling.maxNewTokens >= 1 && sampling.maxNewTokens <= defaults.maxNewTokens, "no more than is allowed");
    session::checkStops(sampling.stops);
}

void answerWith(const serve::CompletionRequest& request) {
    session::ChatAnswer answer;
    answer.text = request.question.messages.back().content;
    answer.tokens = {{{1, answer.text}, -0.5, {{{2, answer.text}, -1.5}}}};
    const serve::CompletionAbout about{"id", request.model, 0, true};
    for (const std::string& json :
         {serve::completionJson(about, answer), serve::textPiece(about, answer.text, answer.tokens)})
        require(nlohmann::json::accept(json), "an answer is JSON");
    require(nlohmann::json::parse(serve::completionJson(about, answer))["choices"][0]["message"]["content"] ==
                answer.text,
            "an answer says what was said");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    session::SamplingOptions defaults;
    defaults.maxNewTokens = 1000;
    try {
        const auto request = serve::parseCompletion(std::string(reinterpret_cast<const char*>(data), size), defaults);
        require(!request.question.messages.empty(), "somebody said something");
        require(request.wantsProbabilities == request.question.numLikeliest.has_value(),
                "probabilities are asked for once");
        require(request.question.numLikeliest.value_or(0) <= 20, "a few of the likeliest");
        checkSampling(request.question.sampling, defaults);
        answerWith(request);
    } catch (const Error& error) {
        require(error.kind() == ErrorKind::kInvalidInput, error.what());
    }
    return 0;
}
