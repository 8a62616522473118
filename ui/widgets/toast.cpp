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
constexpr int kUsualWidth = 640; // at most
constexpr int kWider = 20;
constexpr int kFromEdge = 4;
constexpr int kFromMenus = 16;

} // namespace

Toast::Toast(QMainWindow* window) : QFrame(window), m_window(window), m_text(new QLabel), m_button(new QPushButton) {
    setObjectName(QStringLiteral("toast"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setContentsMargins(0, 1, 0, 1); // air of two lines; one is lower than the buttons
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
    const int most = m_window->width() - menusEnd - kFromMenus - kFromEdge;
    m_text->setWordWrap(false);
    const int oneLine = sizeHint().height();
    int width = std::min({sizeHint().width(), kUsualWidth, most});
    m_text->setWordWrap(sizeHint().width() > width);
    const auto heightWith = [&](int room) {
        return layout()->hasHeightForWidth() ? layout()->heightForWidth(room) : oneLine;
    };
    // Two lines leave the page its buttons: what is longer is wider instead.
    const int twoLines = oneLine + m_text->fontMetrics().lineSpacing();
    while (width < most && heightWith(width) > twoLines)
        width = std::min(width + kWider, most);
    setGeometry(m_window->width() - width - kFromEdge, kFromEdge, width, heightWith(width));
}

bool Toast::eventFilter(QObject* watched, QEvent* event) {
    const bool isOtherPlace = event->type() == QEvent::Resize || event->type() == QEvent::Show;
    if (isOtherPlace && !isHidden()) place(); // said before its window was on show, too
    return QFrame::eventFilter(watched, event);
}

} // namespace roundpipe::ui::widgets
