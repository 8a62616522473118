// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens on paper: what the model was given, and what it chose, coloured by how likely it was.
#pragma once

#include "session/chat.h"
#include "ui/theme/theme_manager.h"

#include <QTextEdit>
#include <QTimer>

#include <memory>
#include <vector>

namespace roundpipe::ui::pages {

// How sure the model was of a token that it chose.
enum class Sureness { kSure, kLikely, kUnsure, kRare };
Sureness surenessOf(double logProbability); // from 90 %, from 50 %, from 10 %, below
QString surenessText(Sureness sureness);

// Read only. Left and right go from token to token. Written some hundred tokens at a time, so that nothing waits.
class TokenPaper : public QTextEdit {
    Q_OBJECT
public:
    explicit TokenPaper(const theme::ThemeManager& themes, const QString& name, QWidget* parent = nullptr);
    void showPrompt(std::shared_ptr<const session::ChatAnswer> answer);
    void showChosen(std::shared_ptr<const session::ChatAnswer> answer);
    int current() const { return m_current; } // -1: none
    void setCurrent(int token);
    // Character format of a token of this sureness, for the legend too.
    static QTextCharFormat formatOf(Sureness sureness, const theme::Theme& theme);

signals:
    void currentChanged(int token); // by mouse or keys

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void start(std::shared_ptr<const session::ChatAnswer> answer, bool ofPrompt);
    void writeSome();
    std::size_t numTokens() const;
    QTextCharFormat formatOf(std::size_t token) const;
    void mark();

    const theme::ThemeManager& m_themes;
    std::shared_ptr<const session::ChatAnswer> m_answer;
    bool m_isPrompt = false;
    std::vector<int> m_ends; // of the tokens that are written, in characters
    int m_current = -1;
    QTimer m_more;
};

} // namespace roundpipe::ui::pages
