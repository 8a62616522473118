// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/toast.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QMenuBar>
#include <QPushButton>

#include <algorithm>

namespace roundpipe::ui::widgets {
namespace {

constexpr int kShownMs = 12'000; // long enough to read two lines twice
constexpr int kMaxWidth = 640;
constexpr int kFromEdge = 4;
constexpr int kFromMenus = 16;

} // namespace

Toast::Toast(QMainWindow* window) : QFrame(window), m_window(window), m_text(new QLabel), m_button(new QPushButton) {
    setObjectName(QStringLiteral("toast"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    auto* close = new QPushButton(QStringLiteral("✕"));
    close->setObjectName(QStringLiteral("close"));
    close->setAccessibleName(tr("Close the message"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 2, 2, 2);
    layout->setSpacing(8);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_button);
    layout->addWidget(close);
    connect(close, &QPushButton::clicked, this, &QWidget::hide);
    connect(m_button, &QPushButton::clicked, this, [this] {
        hide();
        m_action();
    });
    m_goes.setInterval(kShownMs);
    connect(&m_goes, &QTimer::timeout, this, [this] {
        if (!underMouse() && !isAncestorOf(QApplication::focusWidget())) hide();
    });
    window->installEventFilter(this);
    hide();
}

void Toast::say(const QString& text, const QString& actionName, std::function<void()> action) {
    m_text->setText(text);
    m_button->setText(actionName);
    m_button->setVisible(!actionName.isEmpty());
    m_action = std::move(action);
    setAccessibleName(text);
    place();
    show();
    raise();
    m_goes.start();
}

void Toast::place() {
    const QList<QAction*> menus = m_window->menuBar()->actions();
    const int menusEnd = menus.isEmpty() ? 0 : m_window->menuBar()->actionGeometry(menus.back()).right();
    const int most = std::min(kMaxWidth, m_window->width() - menusEnd - kFromMenus - kFromEdge);
    m_text->setWordWrap(false);
    const int width = std::min(sizeHint().width(), most);
    m_text->setWordWrap(sizeHint().width() > most);
    const int height = layout()->hasHeightForWidth() ? layout()->heightForWidth(width) : sizeHint().height();
    setGeometry(m_window->width() - width - kFromEdge, kFromEdge, width, height);
}

bool Toast::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible()) place();
    return QFrame::eventFilter(watched, event);
}

} // namespace roundpipe::ui::widgets
