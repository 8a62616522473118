// A line below the header that says what went wrong, or what to know, and what to do about it.
#pragma once

#include <QFrame>
#include <QTimer>

#include <functional>

class QLabel;
class QPushButton;

namespace roundpipe::ui::shell {

class MessageBanner : public QFrame {
    Q_OBJECT
public:
    explicit MessageBanner(QWidget* parent = nullptr);
    void showError(const QString& message, const QString& advice);
    void showNotice(const QString& message);                      // goes by itself after a while
    void offer(const QString& action, std::function<void()> run); // a button, until the next message

private:
    void present(const QString& objectName, const QString& message, const QString& advice);

    QLabel* m_message;
    QLabel* m_advice;
    QPushButton* m_action;
    std::function<void()> m_run;
    QTimer m_goes;
};

} // namespace roundpipe::ui::shell
