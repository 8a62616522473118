// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/playground/dialogue.h"

#include "runs/conversation_files.h"

#include <utility>

namespace roundpipe::ui::pages {

using bridge::ChatController;
using session::ChatMessage;

namespace {

constexpr int64_t kShownRivals = 5; // of each token
constexpr int kKeepMs = 500;

} // namespace

Dialogue::Dialogue(ChatController& chat, bridge::RunLibraryController& library, QObject* parent)
    : QObject(parent), m_chat(chat), m_library(library) {
    connect(&chat, &ChatController::asked, this, [this](qsizetype side) { takeTurn(static_cast<int>(side)); });
    connect(&chat, &ChatController::pieceCame, this, [this](const ChatController::Piece& piece) {
        const int side = static_cast<int>(piece.question);
        messagesOf(side).back().content += piece.text.toStdString();
        if (!piece.text.isEmpty()) emit grew(side, piece.text);
        emit counted(side, piece);
    });
    connect(&chat, &ChatController::answered, this,
            [this](qsizetype side, const session::ChatAnswer& answer) { take(static_cast<int>(side), answer); });
    connect(&chat, &ChatController::allAnswered, this, &Dialogue::finish);
    connect(&chat, &ChatController::failed, this, [this](const ChatController::Failure& why, bool ofLoading) {
        if (!ofLoading) refuse(why);
    });
    m_keepSoon.setSingleShot(true);
    m_keepSoon.setInterval(kKeepMs);
    connect(&m_keepSoon, &QTimer::timeout, this, &Dialogue::keep);
}

const std::vector<ChatMessage>& Dialogue::messages(int side) const {
    return isBase(side) ? *m_conversation.baseMessages : m_conversation.messages;
}

std::vector<ChatMessage>& Dialogue::messagesOf(int side) {
    return isBase(side) ? *m_conversation.baseMessages : m_conversation.messages;
}

Dialogue::Answer Dialogue::answer(int side, std::size_t message) const {
    const auto found = m_answers.find({side, message});
    return found == m_answers.end() ? nullptr : found->second;
}

void Dialogue::setSystem(const std::string& system) {
    m_conversation.system = system;
    keepSettings();
}

void Dialogue::setAdapters(std::vector<session::AdapterWeight> adapters) {
    m_conversation.adapters = std::move(adapters);
    keepSettings();
}

void Dialogue::setStrength(double strength) {
    m_conversation.strength = strength;
    keepSettings();
}

void Dialogue::setSampling(const session::SamplingOptions& sampling) {
    m_conversation.sampling = sampling;
    keepSettings();
}

void Dialogue::setCompares(bool wanted) {
    if (wanted == compares() || isAnswering()) return;
    std::map<std::pair<int, std::size_t>, Answer> answers; // of the tuned side alone: its place moves
    for (const auto& [at, answer] : m_answers)
        if (wanted || at.first == 1) answers[{wanted ? 1 : 0, at.second}] = answer;
    m_answers = std::move(answers);
    if (wanted)
        m_conversation.baseMessages = m_conversation.messages;
    else
        m_conversation.baseMessages.reset();
    emit replaced();
    keepSettings();
}

void Dialogue::ask(const QString& said) {
    if (m_chat.state() != ChatController::State::kReady) return;
    m_before = m_conversation;
    begin(said.toStdString());
}

void Dialogue::askAgain() {
    if (m_conversation.messages.size() < 2) return;
    if (m_conversation.sampling.temperature > 0) {
        ++m_conversation.sampling.seed;
        emit settingsChanged();
    }
    askInstead(m_conversation.messages.size() - 2,
               QString::fromStdString(m_conversation.messages[m_conversation.messages.size() - 2].content));
}

void Dialogue::askInstead(std::size_t message, const QString& said) {
    if (m_chat.state() != ChatController::State::kReady) return;
    m_before = m_conversation;
    for (int side = 0; side < numSides(); ++side) {
        std::vector<ChatMessage>& messages = messagesOf(side);
        messages.resize(std::min(messages.size(), message));
    }
    std::erase_if(m_answers, [&](const auto& answer) { return answer.first.second >= message; });
    begin(said.toStdString());
}

// Sides that have one more message than before are shown anew by whoever listens to begun().
void Dialogue::begin(const std::string& said) {
    std::vector<session::ChatQuestion> questions;
    for (int side = 0; side < numSides(); ++side) {
        messagesOf(side).push_back({"user", said});
        questions.push_back(questionOf(m_conversation, messagesOf(side), isBase(side)));
        questions.back().numLikeliest = kShownRivals;
    }
    emit replaced();
    m_chat.ask(std::move(questions));
}

void Dialogue::takeTurn(int side) {
    messagesOf(side).push_back({"assistant", {}});
    emit begun(side);
}

void Dialogue::take(int side, const session::ChatAnswer& answer) {
    std::vector<ChatMessage>& messages = messagesOf(side);
    messages.back().content = answer.text;
    m_answers[{side, messages.size() - 1}] = std::make_shared<session::ChatAnswer>(answer);
    emit ended(side);
}

// A side whose turn did not come, as the one before was stopped, has said nothing: so its conversation goes on.
void Dialogue::finish() {
    if (m_conversation.messages.empty()) return;
    for (int side = 0; side < numSides(); ++side)
        if (messages(side).back().role == "user") {
            takeTurn(side);
            emit ended(side);
        }
    keep();
}

void Dialogue::refuse(const ChatController::Failure& why) {
    const QString said = m_conversation.messages.empty()
                             ? QString()
                             : QString::fromStdString(m_conversation.messages.back().role == "user"
                                                          ? m_conversation.messages.back().content
                                                          : m_conversation.messages.end()[-2].content);
    std::swap(m_conversation.messages, m_before.messages);
    std::swap(m_conversation.baseMessages, m_before.baseMessages);
    std::erase_if(m_answers,
                  [this](const auto& answer) { return answer.first.second >= messages(answer.first.first).size(); });
    emit replaced();
    emit refused(said, why);
}

void Dialogue::stop() {
    m_chat.cancel();
}

void Dialogue::forget() {
    if (isAnswering()) return;
    m_conversation.messages.clear();
    if (m_conversation.baseMessages) m_conversation.baseMessages->clear();
    m_answers.clear();
    setFile({});
    emit replaced();
}

void Dialogue::show(session::ChatConversation conversation, std::filesystem::path file) {
    m_conversation = std::move(conversation);
    m_answers.clear();
    setFile(std::move(file));
    emit settingsChanged();
    emit replaced();
}

void Dialogue::setFile(std::filesystem::path file) {
    m_file = std::move(file);
    m_place = std::make_shared<std::filesystem::path>(m_file);
}

// A slider that is dragged is written once.
void Dialogue::keepSettings() {
    if (!m_file.empty()) m_keepSoon.start();
}

// In the library's thread, one after the other; the first of a conversation finds its file's name.
void Dialogue::keep() {
    if (m_folder.empty() || m_conversation.messages.empty() || isAnswering()) return;
    m_library.perform(
        [place = m_place, folder = m_folder, json = session::conversationJson(m_conversation),
         first = m_conversation.messages.front().content](runs::RunLibrary&) {
            if (place->empty()) *place = runs::newConversationFile(folder, first);
            runs::keepConversation(*place, json);
        },
        *this,
        [this, place = m_place] {
            if (place == m_place) m_file = *place; // else another conversation is on show
            emit kept();
        });
}

} // namespace roundpipe::ui::pages
