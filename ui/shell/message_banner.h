// SPDX-License-Identifier: GPL-3.0-or-later
// A line above the page that says what went wrong, or what is still to be done, and how. It stays until it is closed,
// or until one leaves the page that it is about. What a message says beyond its first line, as the last minute of a
// log, is read in a field of its own, however much it is.
#pragma once

#include <QFrame>

#include <functional>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace roundpipe::ui::shell {

class MessageBanner : public QFrame {
    Q_OBJECT
public:
    explicit MessageBanner(QWidget* parent = nullptr);
    void showError(const QString& message, const QString& advice);
    void showErrorOfPage(const QString& message, const QString& advice); // that goes when one leaves the page
    void leavePage();
    void showNotice(const QString& message, const QString& advice); // nothing is wrong
    void offer(const QString& action, std::function<void()> run);   // a button, until the next message

private:
    void buildLines();
    void showLines(const QString& message); // but its first
    void say(const QString& message, const QString& advice, bool isNotice);

    QLabel* m_message;
    QLabel* m_advice;
    QPlainTextEdit* m_lines;
    QPushButton* m_action;
    std::function<void()> m_run;
    bool m_isOfPage = false;
};

} // namespace roundpipe::ui::shell
