// SPDX-License-Identifier: GPL-3.0-or-later
// Answers JSON lines on stdin with JSON lines on stdout, so that reference.py can compare us with transformers.
#include "base/error.h"
#include "text/chat_template.h"
#include "text/tokenizer.h"

#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using nlohmann::json;
using namespace roundpipe::text;

std::string textOf(const json& request, const char* key) {
    return request.contains(key) && !request[key].is_null() ? request[key].get<std::string>() : std::string();
}

template <class Spans>
json spansOf(const Spans& spans) {
    json list = json::array();
    for (const auto& [begin, end] : spans)
        list.push_back({begin, end});
    return list;
}

class Probe {
public:
    json answer(const json& request) {
        const std::string op = request.at("op");
        if (op == "render") return render(request);
        const Tokenizer& tokenizer = open(request.at("folder"));
        if (op == "encode") {
            const Encoding encoding = tokenizer.encode(textOf(request, "text"), request.at("special"));
            return {{"ids", encoding.ids}, {"offsets", spansOf(encoding.offsets)}};
        }
        if (op == "special") return named(tokenizer);
        const auto ids = request.at("ids").get<std::vector<int32_t>>();
        if (op == "decode") return {{"text", tokenizer.decode(ids, request.at("skip"))}};
        return {{"text", streamed(tokenizer, ids, request.at("skip"))}};
    }

private:
    const Tokenizer& open(const std::string& folder) {
        auto found = m_tokenizers.find(folder);
        if (found == m_tokenizers.end()) found = m_tokenizers.emplace(folder, Tokenizer::open(folder)).first;
        return found->second;
    }

    static json render(const json& request) {
        const ChatTemplate chatTemplate =
            request.contains("template")
                ? ChatTemplate::fromSource(textOf(request, "template"), textOf(request, "special"))
                : ChatTemplate::fromModelFolder(textOf(request, "folder"));
        const std::string messages = textOf(request, "messages");
        const std::string tools = textOf(request, "tools");
        const std::string documents = textOf(request, "documents");
        const std::string arguments = textOf(request, "arguments");
        const std::vector<int> now = request.at("now");
        const Rendered rendered =
            chatTemplate.render({messages, tools, documents, arguments},
                                {request.at("prompt"), {now[0], now[1], now[2], now[3], now[4], now[5]}});
        return {{"text", rendered.text},
                {"spans", spansOf(rendered.generationSpans)},
                {"tags", rendered.hasGenerationTags}};
    }

    static std::string streamed(const Tokenizer& tokenizer, const std::vector<int32_t>& ids, bool skip) {
        DecodeStream stream = tokenizer.stream(skip);
        std::string text;
        for (int32_t id : ids)
            text += stream.push(id);
        return text + stream.finish();
    }

    static json named(const Tokenizer& tokenizer) {
        json tokens = json::object();
        const auto add = [&](const char* name, const std::optional<SpecialToken>& token) {
            if (token) tokens[name] = {token->text, token->id ? json(*token->id) : json(nullptr)};
        };
        const SpecialTokens& special = tokenizer.special();
        add("bos_token", special.bos);
        add("eos_token", special.eos);
        add("unk_token", special.unk);
        add("pad_token", special.pad);
        return {{"tokens", tokens}, {"size", tokenizer.vocabSize()}};
    }

    std::map<std::string, Tokenizer> m_tokenizers;
};

} // namespace

int main() {
    std::ios::sync_with_stdio(false);
    Probe probe;
    std::string line;
    while (std::getline(std::cin, line)) {
        json reply;
        try {
            reply = probe.answer(json::parse(line));
        } catch (const roundpipe::Error& error) {
            reply = {{"error", error.message()}, {"kind", roundpipe::toString(error.kind())}};
        }
        std::cout << reply.dump() << '\n' << std::flush;
    }
    return 0;
}
