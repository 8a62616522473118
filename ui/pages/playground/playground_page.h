// SPDX-License-Identifier: GPL-3.0-or-later
// The playground: talk with what was trained, and with the model as it came beside it.
#pragma once

#include "ui/pages/contract/page.h"
#include "ui/pages/playground/dialogue.h"

#include <array>

class QStackedWidget;

namespace roundpipe::ui::widgets {
class Segmented;
}

namespace roundpipe::ui::pages {

class AskBar;
class ConversationColumn;
class GoodRows;
class LoadCard;
class NoticeStrip;
class TalkDrawer;

class PlaygroundPage : public Page {
    Q_OBJECT
public:
    explicit PlaygroundPage(const Services& services, QWidget* parent = nullptr);
    PageStatus status() const override;
    // An adapter's or a model's folder, which is chosen to be loaded where it is offered.
    void showField(const QString& folder) override;

    const Dialogue& dialogue() const { return *m_dialogue; }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildLoading();
    QWidget* buildTalk();
    void buildHeader();
    void connectChat();
    void connectDialogue();
    void connectColumn(ConversationColumn& column);
    void followChat();
    void followRun();
    void hasLoaded(double seconds);
    void showSides();
    void showTitles();
    void showLastTokens();
    void complain(const QString& problem, const QString& advice);
    void addRow(int side, std::size_t message);
    void tellOfRow();
    void chooseRowFile();
    void open(const QString& file);
    void showKept(const session::ChatConversation& conversation, const std::filesystem::path& file);
    QString answererName() const; // of the side that is no base

    Dialogue* m_dialogue;
    GoodRows* m_rows;
    QStackedWidget* m_stack;
    LoadCard* m_load;
    std::array<ConversationColumn*, 2> m_columns;
    AskBar* m_ask;
    NoticeStrip* m_strip;
    TalkDrawer* m_drawer;
    widgets::Segmented* m_sides;
    QPushButton *m_newButton = nullptr, *m_moreButton = nullptr;
    QString m_modelName; // of what is loaded
    bool m_wasSeen = false;
};

} // namespace roundpipe::ui::pages
