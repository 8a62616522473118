#include "ui/shell/message_banner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace roundpipe::ui::shell {
namespace {

constexpr int kNoticeMs = 12'000; // the page's messages keep it

} // namespace

MessageBanner::MessageBanner(QWidget* parent)
    : QFrame(parent), m_message(new QLabel), m_advice(new QLabel), m_action(new QPushButton) {
    m_message->setObjectName(QStringLiteral("title"));
    m_advice->setObjectName(QStringLiteral("dim"));
    for (QLabel* label : {m_message, m_advice}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_message);
    words->addWidget(m_advice);
    auto* close = new QToolButton;
    close->setText(QStringLiteral("✕"));
    close->setToolTip(tr("Close"));
    close->setAutoRaise(true);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_action, &QPushButton::clicked, this, [this] {
        hide();
        m_run();
    });
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 8, 8, 8);
    layout->addLayout(words, 1);
    layout->addWidget(m_action);
    layout->addWidget(close);
    m_goes.setSingleShot(true);
    m_goes.setInterval(kNoticeMs);
    connect(&m_goes, &QTimer::timeout, this, &QWidget::hide);
    hide();
}

void MessageBanner::present(const QString& objectName, const QString& message, const QString& advice) {
    setObjectName(objectName);
    style()->unpolish(this);
    style()->polish(this);
    m_message->setText(message);
    m_advice->setText(advice);
    m_advice->setVisible(!advice.isEmpty());
    m_action->hide();
    m_goes.stop();
    show();
}

void MessageBanner::showError(const QString& message, const QString& advice) {
    present(QStringLiteral("banner"), message, advice);
}

void MessageBanner::showNotice(const QString& message) {
    present(QStringLiteral("notice"), message, {});
    m_goes.start();
}

void MessageBanner::offer(const QString& action, std::function<void()> run) {
    m_run = std::move(run);
    m_action->setText(action);
    m_action->show();
}

} // namespace roundpipe::ui::shell
