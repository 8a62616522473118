// SPDX-License-Identifier: GPL-3.0-or-later
// A quiet message in the upper right corner of a window, which goes by itself: for what is good to know and asks for
// nothing.
#pragma once

#include <QFrame>
#include <QTimer>

#include <functional>

class QLabel;
class QMainWindow;
class QPushButton;

namespace roundpipe::ui::widgets {

// Lies beside the menus and over the margin below them, where there is nothing to cover, and moves nothing. Stays while
// the mouse or the focus is on it.
class Toast : public QFrame {
    Q_OBJECT
public:
    explicit Toast(QMainWindow* window);
    // `action`: what the button beside the text does; without a name there is none.
    void say(const QString& text, const QString& actionName = {}, std::function<void()> action = {});

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // follows the window's size

private:
    void place();

    QMainWindow* m_window;
    QLabel* m_text;
    QPushButton* m_button;
    std::function<void()> m_action;
    QTimer m_goes;
};

} // namespace roundpipe::ui::widgets
