// SPDX-License-Identifier: GPL-3.0-or-later
// What went wrong, in words, above the field where one goes on; and what can be done about it.
#pragma once

#include <QFrame>

#include <functional>

class QLabel;
class QPushButton;

namespace roundpipe::ui::pages {

class NoticeStrip : public QFrame {
    Q_OBJECT
public:
    explicit NoticeStrip(QWidget* parent = nullptr); // hidden while it says nothing
    // `action`: what the button beside it does, and then the strip goes; without a name there is none.
    void say(const QString& words, const QString& actionName = {}, std::function<void()> action = {});

private:
    QLabel* m_words;
    QPushButton* m_button;
    std::function<void()> m_action;
};

} // namespace roundpipe::ui::pages
