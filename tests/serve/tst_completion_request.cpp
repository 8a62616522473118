// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/completion_request.h"

#include "testing/expect_error.h"

#include <gtest/gtest.h>

#include <string>

namespace roundpipe::serve {
namespace {

const std::string kMessages = R"("messages": [{"role": "user", "content": "Hi"}])";

CompletionRequest parse(const std::string& fields, session::SamplingOptions defaults = {}) {
    return parseCompletion("{\"model\": \"m\", " + kMessages + (fields.empty() ? "" : ", " + fields) + "}", defaults);
}

TEST(CompletionRequest, leavesOpenWhatIsNotSaid) {
    session::SamplingOptions defaults;
    defaults.temperature = 0.7;
    defaults.maxNewTokens = 100;
    for (const std::string fields :
         {"", R"("temperature": null, "max_tokens": null, "stop": null, "n": null, "user": "u")"}) {
        const CompletionRequest request = parse(fields, defaults);
        EXPECT_EQ(request.model, "m");
        EXPECT_EQ(request.question.sampling.temperature, 0.7);
        EXPECT_EQ(request.question.sampling.maxNewTokens, 100);
        EXPECT_TRUE(request.question.sampling.stops.empty());
        EXPECT_FALSE(request.streams || request.wantsProbabilities || request.question.numLikeliest);
        ASSERT_EQ(request.question.messages.size(), 1u);
        EXPECT_EQ(request.question.messages[0].content, "Hi");
    }
}

TEST(CompletionRequest, takesEveryOptionOfSampling) {
    const session::SamplingOptions sampling =
        parse(R"("temperature": 1.5, "top_p": 0.9, "top_k": 40, "min_p": 0.1, "repetition_penalty": 1.2, "seed": -1,
                 "max_completion_tokens": 7, "stop": ["a", "b"])")
            .question.sampling;
    EXPECT_EQ(sampling.temperature, 1.5);
    EXPECT_EQ(sampling.topP, 0.9);
    EXPECT_EQ(sampling.topK, 40);
    EXPECT_EQ(sampling.minP, 0.1);
    EXPECT_EQ(sampling.repetitionPenalty, 1.2);
    EXPECT_EQ(sampling.seed, ~uint64_t{0});
    EXPECT_EQ(sampling.maxNewTokens, 7);
    EXPECT_EQ(sampling.stops, (std::vector<std::string>{"a", "b"}));
}

TEST(CompletionRequest, givesNoMoreTokensThanTheServerAllows) {
    session::SamplingOptions defaults;
    defaults.maxNewTokens = 100;
    EXPECT_EQ(parse(R"("max_tokens": 100000)", defaults).question.sampling.maxNewTokens, 100);
}

TEST(CompletionRequest, readsMessagesOfEveryForm) {
    const CompletionRequest request = parseCompletion(
        R"({"model": "m", "messages": [{"role": "developer", "content": "Be kind."},
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
            {"role": "assistant", "content": null}]})",
        {});
    ASSERT_EQ(request.question.messages.size(), 3u);
    EXPECT_EQ(request.question.messages[0].role, "system");
    EXPECT_EQ(request.question.messages[1].content, "ab");
    EXPECT_EQ(request.question.messages[2].content, "");
}

TEST(CompletionRequest, passesArgumentsOfTheTemplateOn) {
    EXPECT_EQ(parse(R"("chat_template_kwargs": {"enable_thinking": false})").question.chatTemplateArgs,
              R"({"enable_thinking":false})");
}

TEST(CompletionRequest, namesTheFieldThatIsWrong) {
    for (const auto& [fields, word] : {std::pair(R"("temperature": -1)", "'temperature'"),
                                       {R"("top_k": 1.5)", "'top_k'"},
                                       {R"("top_p": true)", "'top_p'"},
                                       {R"("seed": 0.5)", "'seed'"},
                                       {R"("max_tokens": 0)", "'max_tokens'"},
                                       {R"("stop": [1])", "'stop'"},
                                       {R"("stream": 1)", "'stream'"},
                                       {R"("n": 3)", "'n'"},
                                       {R"("tools": [{}])", "'tools'"},
                                       {R"("top_logprobs": 3)", "'top_logprobs'"},
                                       {R"("logprobs": true, "top_logprobs": 21)", "'top_logprobs'"},
                                       {R"("frequency_penalty": 0.5)", "'frequency_penalty'"},
                                       {R"("response_format": {"type": 1})", "'response_format'"},
                                       {R"("chat_template_kwargs": [])", "'chat_template_kwargs'"}})
        testing::expectError(ErrorKind::kInvalidInput, {word}, [&] { parse(fields); });
    testing::expectError(ErrorKind::kInvalidInput, {"'model'"}, [] { parseCompletion("{" + kMessages + "}", {}); });
    testing::expectError(ErrorKind::kInvalidInput, {"'messages'"}, [] { parseCompletion(R"({"model": "m"})", {}); });
    testing::expectError(ErrorKind::kInvalidInput, {"messages[0].content"}, [] {
        parseCompletion(R"({"model": "m", "messages": [{"role": "user", "content": [{"type": 5, "text": "a"}]}]})", {});
    });
    testing::expectError(ErrorKind::kInvalidInput, {"messages[0].tool_calls"}, [] {
        parseCompletion(R"({"model": "m", "messages": [{"role": "assistant", "tool_calls": [{}]}]})", {});
    });
}

TEST(CompletionRequest, refusesByNameWhatWouldChangeTheAnswer) {
    for (const auto& [key, values] : {std::pair("guided_json", R"({})"),
                                      {"guided_regex", R"("a+")"},
                                      {"guided_choice", R"(["a"])"},
                                      {"guided_grammar", R"("root")"},
                                      {"structured_outputs", R"({"regex": "a"})"},
                                      {"grammar", R"("root")"},
                                      {"json_schema", R"({"type": "object"})"},
                                      {"stop_token_ids", "[5]"},
                                      {"min_tokens", "3"},
                                      {"ignore_eos", "true"},
                                      {"bad_words", R"(["a"])"},
                                      {"allowed_token_ids", "[1, 2]"},
                                      {"best_of", "2"},
                                      {"use_beam_search", "true"},
                                      {"echo", "true"},
                                      {"prompt_logprobs", "1"},
                                      {"add_generation_prompt", "false"},
                                      {"continue_final_message", "true"},
                                      {"chat_template", R"("{{ 1 }}")"},
                                      {"tool_choice", R"("required")"},
                                      {"modalities", R"(["text", "audio"])"},
                                      {"audio", R"({"voice": "a"})"},
                                      {"web_search_options", "{}"},
                                      {"repeat_penalty", "1.1"},
                                      {"typical_p", "0.9"},
                                      {"mirostat", "2"},
                                      {"length_penalty", "0.5"}}) {
        const std::string field = std::string("\"") + key + "\": ";
        testing::expectError(ErrorKind::kInvalidInput, {std::string("'") + key + "'"}, [&] { parse(field + values); });
        EXPECT_NO_THROW(parse(field + "null")) << key;
    }
}

TEST(CompletionRequest, passesFieldsThatSayOff) {
    EXPECT_NO_THROW(parse(
        R"("n": 1, "best_of": 1, "presence_penalty": 0.0, "frequency_penalty": 0, "repeat_penalty": 1.0,
           "length_penalty": 1.0, "typical_p": 1, "mirostat": 0, "min_tokens": 0, "logit_bias": {}, "ignore_eos": false,
           "use_beam_search": false, "echo": false, "continue_final_message": false, "add_generation_prompt": true,
           "stop_token_ids": [], "allowed_token_ids": [], "bad_words": [], "tools": [], "tool_choice": "auto",
           "modalities": ["text"], "chat_template": "", "response_format": {"type": "text"}, "user": "u")"));
}

TEST(CompletionRequest, refusesWhatIsNoJsonAndWhatIsTooDeep) {
    for (const std::string& body :
         {std::string(), std::string("{"), std::string("[]"), std::string("{\"a\": \"\xff\"}"),
          std::string(1000000, '['), "{\"a\": " + std::string(100, '[') + std::string(100, ']') + "}"})
        testing::expectError(ErrorKind::kInvalidInput, {"JSON"}, [&] { parseCompletion(body, {}); });
}

} // namespace
} // namespace roundpipe::serve
