// A line above the page that says what went wrong and what to do about it. It stays until it is closed.
#pragma once

#include <QFrame>

#include <functional>

class QLabel;
class QPushButton;

namespace roundpipe::ui::shell {

class MessageBanner : public QFrame {
    Q_OBJECT
public:
    explicit MessageBanner(QWidget* parent = nullptr);
    void showError(const QString& message, const QString& advice);
    void offer(const QString& action, std::function<void()> run); // a button, until the next message

private:
    QLabel* m_message;
    QLabel* m_advice;
    QPushButton* m_action;
    std::function<void()> m_run;
};

} // namespace roundpipe::ui::shell
