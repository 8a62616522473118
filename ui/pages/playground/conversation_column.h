// SPDX-License-Identifier: GPL-3.0-or-later
// A conversation of one side, from its first question to the answer that is being given.
#pragma once

#include "ui/pages/playground/dialogue.h"
#include "ui/widgets/card.h"

#include <vector>

class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace roundpipe::ui::widgets {
class ElidedLabel;
}

namespace roundpipe::ui::pages {

class MessageView;

class ConversationColumn : public widgets::Card {
    Q_OBJECT
public:
    explicit ConversationColumn(Dialogue& dialogue, QWidget* parent = nullptr);

    void setSide(int side);
    void setTitle(const QString& who, const QString& detail); // "Qwen3-8B", "as it came"
    void showAll();                                           // what differs from what stands here
    void begin();                                             // of an answer
    void grow(const QString& text);
    void count(const bridge::ChatController::Piece& piece);
    void end();
    void showActions(); // of all answers, as they can be used now

signals:
    void editWanted(qsizetype message);
    void againWanted();
    void rowWanted(int side, qsizetype message);
    void tokensWanted(int side, qsizetype message);

private:
    MessageView* makeView(std::size_t message);
    void stayAtEnd();

    Dialogue& m_dialogue;
    int m_side = 0;
    QLabel* m_who;
    widgets::ElidedLabel* m_detail;
    QScrollArea* m_scroll;
    QVBoxLayout* m_messages;
    QLabel* m_hint;
    widgets::ElidedLabel* m_foot;
    std::vector<MessageView*> m_views;
    bool m_isAtEnd = true; // what comes is followed
};

} // namespace roundpipe::ui::pages
