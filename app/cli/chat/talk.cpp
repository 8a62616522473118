// SPDX-License-Identifier: GPL-3.0-or-later
#include "chat/talk.h"

#include "base/error.h"
#include "base/json_problem.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace roundpipe::cli {
namespace {

using Json = nlohmann::ordered_json;
using session::ChatMessage;

constexpr int64_t kShownRivals = 3; // beside each token

Json jsonOf(const std::vector<ChatMessage>& messages) {
    Json list = Json::array();
    for (const ChatMessage& message : messages)
        list.push_back({{"role", message.role}, {"content", message.content}});
    return list;
}

std::vector<ChatMessage> messagesIn(const Json& list) {
    std::vector<ChatMessage> messages;
    for (const Json& message : list)
        messages.push_back({message.at("role").get<std::string>(), message.at("content").get<std::string>()});
    return messages;
}

} // namespace

Talk::Talk(session::Chat& chat, TalkSettings settings) : m_chat(chat), m_settings(std::move(settings)), m_sides(1) {}

void Talk::ask(const std::string& said, const std::function<void(const TalkSide&)>& begin,
               const std::function<bool(std::string_view)>& onPiece) {
    const std::vector<TalkSide> before = m_sides;
    try {
        for (TalkSide& side : m_sides) {
            side.messages.push_back({"user", said});
            begin(side);
            side.answer =
                m_chat.answer(questionOf(side), [&](const session::ChatPiece& piece) { return onPiece(piece.text); });
            side.messages.push_back({"assistant", side.answer.text});
        }
    } catch (...) {
        m_sides = before;
        throw;
    }
}

session::ChatQuestion Talk::questionOf(const TalkSide& side) const {
    session::ChatQuestion question;
    if (!m_settings.system.empty()) question.messages.push_back({"system", m_settings.system});
    question.messages.insert(question.messages.end(), side.messages.begin(), side.messages.end());
    question.adapters = m_settings.adapters; // of the base, too: the same template, and nothing of their products
    for (session::AdapterWeight& adapter : question.adapters)
        adapter.weight *= side.isBase ? 0 : m_settings.strength;
    question.sampling = m_settings.sampling;
    question.numLikeliest = kShownRivals;
    return question;
}

void Talk::forget() {
    for (TalkSide& side : m_sides)
        side = {side.label, side.isBase};
}

void Talk::compare(bool wanted) {
    if (wanted == compares()) return;
    TalkSide adapters = std::move(m_sides.back());
    adapters.label = wanted ? "tuned" : "";
    m_sides.clear();
    if (wanted) m_sides.push_back({"base", true, adapters.messages});
    m_sides.push_back(std::move(adapters));
}

std::vector<ChatMessage> Talk::lastExchange() const {
    const std::vector<ChatMessage>& messages = tuned().messages;
    if (messages.size() < 2) return {};
    std::vector<ChatMessage> exchange(messages.end() - 2, messages.end());
    if (!m_settings.system.empty()) exchange.insert(exchange.begin(), {"system", m_settings.system});
    return exchange;
}

std::string Talk::asJson() const {
    Json json;
    json["model"] = m_settings.model;
    json["adapters"] = Json::array();
    for (const session::AdapterWeight& adapter : m_settings.adapters)
        json["adapters"].push_back({{"name", adapter.name}, {"weight", adapter.weight * m_settings.strength}});
    for (const session::SamplingField& field : session::samplingFields())
        json["sampling"][field.key] = samplingValue(m_settings.sampling, field);
    json["sampling"]["stop"] = m_settings.sampling.stops;
    json["system"] = m_settings.system;
    json["messages"] = jsonOf(tuned().messages);
    if (compares()) json["base_messages"] = jsonOf(m_sides.front().messages);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool Talk::isConversation(const std::string& text) {
    const Json said = Json::parse(text, nullptr, false);
    return said.is_object() && said.contains("model") && said.contains("messages") && said["messages"].is_array();
}

TalkSettings Talk::settingsIn(const Json& said) const {
    TalkSettings settings = m_settings;
    settings.system = said.value("system", "");
    if (said.contains("adapters")) {
        settings.strength = 1; // which is in the weights
        settings.adapters.clear();
        for (const Json& adapter : said["adapters"]) {
            settings.adapters.push_back({adapter.at("name").get<std::string>(), adapter.at("weight").get<double>()});
            if (const std::string& name = settings.adapters.back().name;
                std::ranges::find(about().adapters, name) == about().adapters.end())
                throw invalidInput("The conversation is with the adapter '" + name + "', which is not loaded.",
                                   "Give --adapter " + name + "=DIR when starting.");
        }
    }
    const Json sampling = said.value("sampling", Json::object());
    for (const session::SamplingField& field : session::samplingFields())
        if (sampling.contains(field.key))
            setSampling(settings.sampling, field, sampling[field.key].get<double>(), field.key);
    if (sampling.contains("stop")) settings.sampling.stops = sampling["stop"].get<std::vector<std::string>>();
    session::checkStops(settings.sampling.stops);
    return settings;
}

void Talk::load(const std::string& json) {
    try {
        const Json said = Json::parse(json);
        TalkSettings settings = settingsIn(said);
        std::vector<ChatMessage> messages = messagesIn(said.at("messages"));
        if (!messages.empty() && messages.front().role == "system") { // as in a row
            settings.system = messages.front().content;
            messages.erase(messages.begin());
        }
        std::vector<TalkSide> sides;
        if (said.contains("base_messages")) sides.push_back({"base", true, messagesIn(said["base_messages"])});
        sides.push_back({sides.empty() ? "" : "tuned", false, std::move(messages)});
        m_settings = std::move(settings);
        m_sides = std::move(sides);
    } catch (const Json::exception& error) {
        throw invalidInput("It holds no conversation: " + wordsForJsonError(error.id, error.what(), json) + ".",
                           "Choose a file that /save wrote.");
    }
}

} // namespace roundpipe::cli
