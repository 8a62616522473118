// SPDX-License-Identifier: GPL-3.0-or-later
// One message of a conversation: a question in a box, or an answer with what can be done with it.
#pragma once

#include "session/chat.h"

#include <QTextEdit>
#include <QWidget>

class QPushButton;

namespace roundpipe::ui::widgets {
class ElidedLabel;
}

namespace roundpipe::ui::pages {

// Plain text, whatever it contains, as high as all of it; what is appended is laid out alone, however long the rest is.
class MessageText : public QTextEdit {
    Q_OBJECT
public:
    explicit MessageText(const QString& name, QWidget* parent = nullptr);
    void setWords(const QString& words);
    void append(const QString& words);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override; // the column scrolls
    void keyPressEvent(QKeyEvent* event) override;

private:
    void takeHeight();
    int m_height = 0;
};

class MessageView : public QWidget {
    Q_OBJECT
public:
    // `canEdit`: of a question. `who`: says whose it is, for screen readers.
    MessageView(session::ChatMessage message, const QString& who, bool canEdit, QWidget* parent = nullptr);

    const session::ChatMessage& message() const { return m_message; }
    bool isAnswer() const { return m_message.role == "assistant"; }
    void append(const QString& words); // of an answer that is being given
    void setWords(const std::string& words);
    void setFigures(const QStringList& figures, bool hasTokens); // the longest first
    // What an answer can be used for; `isLast`: it can be asked for again.
    void setActions(bool isEnded, bool isLast);

signals:
    void editWanted();
    void againWanted();
    void rowWanted();
    void tokensWanted();

private:
    QWidget* buildQuestion(bool canEdit);
    QWidget* buildAnswer();
    QPushButton* makeLink(const QString& text, const QString& toolTip, void (MessageView::*wanted)());

    session::ChatMessage m_message;
    MessageText* m_text = nullptr;
    widgets::ElidedLabel* m_figures = nullptr;
    QPushButton *m_tokens = nullptr, *m_row = nullptr, *m_copy = nullptr, *m_again = nullptr;
    QWidget* m_actions = nullptr;
};

} // namespace roundpipe::ui::pages
