// SPDX-License-Identifier: GPL-3.0-or-later
// The conversation that is on show: what was said, who answers, and what is asked next. No widgets.
#pragma once

#include "session/conversation.h"
#include "ui/bridge/chat_controller.h"
#include "ui/bridge/run_library_controller.h"

#include <QObject>
#include <QTimer>

#include <filesystem>
#include <map>
#include <memory>
#include <vector>

namespace roundpipe::ui::pages {

// Who answers: with one side the adapters (or the model alone), with two the base first.
class Dialogue : public QObject {
    Q_OBJECT
public:
    using Answer = std::shared_ptr<const session::ChatAnswer>;

    Dialogue(bridge::ChatController& chat, bridge::RunLibraryController& library, QObject* parent = nullptr);

    const session::ChatConversation& conversation() const { return m_conversation; }
    int numSides() const { return m_conversation.baseMessages ? 2 : 1; }
    bool compares() const { return numSides() > 1; }
    bool isBase(int side) const { return compares() && side == 0; }
    const std::vector<session::ChatMessage>& messages(int side) const;
    // With its tokens; null for one that was read from a file.
    Answer answer(int side, std::size_t message) const;
    bool isAnswering() const { return m_chat.state() == bridge::ChatController::State::kAnswering; }

    // What was set is kept with the conversation and holds from the next question on.
    void setSystem(const std::string& system);
    void setAdapters(std::vector<session::AdapterWeight> adapters);
    void setStrength(double strength);
    void setSampling(const session::SamplingOptions& sampling);
    void setCompares(bool wanted); // the base's side begins with what was said so far

    // Each while nothing is being answered.
    void ask(const QString& said);
    void askAgain(); // the last question; at a temperature above 0 with the next seed
    // In place of this question; what followed it is forgotten.
    void askInstead(std::size_t message, const QString& said);
    void stop();   // what came of the answers stays
    void forget(); // another conversation begins, with the same settings

    // Where conversations are kept from now on; each is written there after every answer, under a name made of what was
    // asked first.
    void setFolder(std::filesystem::path folder) { m_folder = std::move(folder); }
    const std::filesystem::path& folder() const { return m_folder; }
    const std::filesystem::path& file() const { return m_file; } // empty: nothing was kept yet
    void setFile(std::filesystem::path file);                    // it was renamed; empty: deleted
    void show(session::ChatConversation conversation, std::filesystem::path file);

signals:
    void replaced();        // all of it: another conversation, or other sides
    void settingsChanged(); // not by whoever set them
    void begun(int side);   // its answer is the last message from now on
    void grew(int side, const QString& text);
    void counted(int side, const roundpipe::ui::bridge::ChatController::Piece& piece);
    void ended(int side); // its answer is whole, or was stopped
    void refused(const QString& said, const roundpipe::ui::bridge::ChatController::Failure& why); // all is as it was
    void kept();                                                                                  // a file was written

private:
    std::vector<session::ChatMessage>& messagesOf(int side);
    void begin(const std::string& said);
    void takeTurn(int side);
    void take(int side, const session::ChatAnswer& answer);
    void finish();
    void refuse(const bridge::ChatController::Failure& why);
    void keep();
    void keepSettings(); // where there is a file

    bridge::ChatController& m_chat;
    bridge::RunLibraryController& m_library;
    session::ChatConversation m_conversation;
    session::ChatConversation m_before;                      // the question that is being answered
    std::map<std::pair<int, std::size_t>, Answer> m_answers; // by side and message
    std::filesystem::path m_folder, m_file;
    std::shared_ptr<std::filesystem::path> m_place = std::make_shared<std::filesystem::path>(); // the library's thread
    QTimer m_keepSoon;
};

} // namespace roundpipe::ui::pages
