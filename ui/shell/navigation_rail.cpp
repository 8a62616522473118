// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/navigation_rail.h"

#include "ui/widgets/elided_label.h"

#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace roundpipe::ui::shell {
namespace {

constexpr int kWidth = 208;
constexpr int kFoldedWidth = 56;
constexpr int kEntryHeight = 46;
constexpr int kApartHeight = 34;

struct MarkLook {
    theme::Icon icon;
    QColor theme::Theme::*colour;
};

// Of done, missing and running: each has a shape of its own.
constexpr std::array<MarkLook, 3> kMarks = {{{theme::Icon::kCheck, &theme::Theme::good},
                                             {theme::Icon::kWarning, &theme::Theme::warning},
                                             {theme::Icon::kDot, &theme::Theme::accent}}};

} // namespace

RailButton::RailButton(const pages::PageLook& look, const theme::ThemeManager& themes, QWidget* parent)
    : QAbstractButton(parent), m_look(look), m_themes(themes) {
    setCheckable(true);
    setFocusPolicy(Qt::ClickFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&themes, &theme::ThemeManager::changed, this, qOverload<>(&QWidget::update));
    updateNames();
}

QSize RailButton::sizeHint() const {
    return {m_folded ? kFoldedWidth - 16 : kWidth - 16, m_look.isApart ? kApartHeight : kEntryHeight};
}

void RailButton::setStatus(const pages::PageStatus& status) {
    if (status == m_status) return;
    m_status = status;
    updateNames();
    update();
}

void RailButton::setFolded(bool folded) {
    m_folded = folded;
    updateGeometry();
    update();
}

void RailButton::updateNames() {
    static const QString kMarkNames[] = {{}, tr("done"), tr("something is missing"), tr("running")};
    setAccessibleName(m_look.title);
    setAccessibleDescription(m_status.text);
    QStringList parts{m_look.title, m_status.text, kMarkNames[static_cast<int>(m_status.mark)]};
    parts.removeAll(QString());
    setToolTip(parts.join(QStringLiteral(" · ")));
}

void RailButton::paintMark(QPainter& painter) const {
    if (m_status.mark == pages::PageStatus::Mark::kNone) return;
    const MarkLook& mark = kMarks[static_cast<std::size_t>(m_status.mark) - 1];
    const int size = m_folded ? 12 : 16;
    const QPixmap pixmap = theme::pixmapOf(mark.icon, m_themes.theme().*mark.colour, size, devicePixelRatioF());
    painter.drawPixmap(width() - size - (m_folded ? 1 : 8), m_folded ? 3 : (height() - size) / 2, pixmap);
}

void RailButton::paintEvent(QPaintEvent*) {
    const theme::Theme& look = m_themes.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
    if (isChecked() || underMouse() || hasFocus()) {
        painter.setPen(hasFocus() ? QPen(look.accent, 2) : QPen(isChecked() ? look.border : Qt::transparent, 1));
        painter.setBrush(isChecked() ? look.card : underMouse() ? look.raised : QColor(Qt::transparent));
        painter.drawRoundedRect(frame, 6, 6);
    }
    const int iconX = m_folded ? (width() - 20) / 2 : 10;
    painter.drawPixmap(iconX, (height() - 20) / 2,
                       theme::pixmapOf(m_look.icon, isChecked() ? look.accent : look.dim, 20, devicePixelRatioF()));
    paintMark(painter);
    if (m_folded) return;
    const int left = iconX + 30;
    const int room = width() - left - 28;
    QFont title = font();
    title.setWeight(isChecked() ? QFont::DemiBold : QFont::Normal);
    painter.setFont(title);
    painter.setPen(look.text);
    const bool hasText = !m_status.text.isEmpty() && !m_look.isApart;
    painter.drawText(QRect(left, hasText ? 5 : 0, room, hasText ? 19 : height()), Qt::AlignVCenter, m_look.title);
    if (!hasText) return;
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.88);
    painter.setFont(small);
    painter.setPen(look.dim);
    painter.drawText(QRect(left, 23, room, 17), Qt::AlignVCenter,
                     QFontMetrics(small).elidedText(m_status.text, Qt::ElideRight, room));
}

NavigationRail::NavigationRail(const theme::ThemeManager& themes, QWidget* parent)
    : QFrame(parent)
    , m_themes(themes)
    , m_name(new widgets::ElidedLabel)
    , m_saved(new QLabel)
    , m_entries(new QVBoxLayout) {
    setObjectName(QStringLiteral("rail"));
    setAccessibleName(tr("Pages"));
    m_name->setObjectName(QStringLiteral("title"));
    m_saved->setObjectName(QStringLiteral("dim"));
    for (QLabel* label : {static_cast<QLabel*>(m_name), m_saved}) {
        label->setTextFormat(Qt::PlainText);
        label->setContentsMargins(8, 0, 8, 0);
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    }
    m_entries->setSpacing(2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 14, 8, 8);
    layout->setSpacing(0);
    layout->addWidget(m_name);
    layout->addWidget(m_saved);
    layout->addSpacing(12);
    layout->addLayout(m_entries);
    layout->addStretch(1);
    setFixedWidth(kWidth);
}

void NavigationRail::add(const pages::Page& page, int number) {
    if (page.look().isApart && !std::exchange(m_isApart, true)) {
        auto* line = new QFrame;
        line->setObjectName(QStringLiteral("line"));
        line->setFixedHeight(1);
        m_entries->addSpacing(8);
        m_entries->addWidget(line);
        m_entries->addSpacing(8);
    }
    auto* button = new RailButton(page.look(), m_themes);
    const QString id = page.look().id;
    button->setObjectName(QStringLiteral("rail-") + id);
    button->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + number % 10)));
    button->setStatus(page.status());
    button->installEventFilter(this);
    connect(button, &QAbstractButton::clicked, this, [this, id] { emit chosen(id); });
    connect(&page, &pages::Page::statusChanged, button, [button, &page] { button->setStatus(page.status()); });
    m_entries->addWidget(button);
    m_buttons.emplace_back(id, button);
}

void NavigationRail::setCurrent(const QString& id) {
    for (const auto& [name, button] : m_buttons) {
        button->setChecked(name == id);
        button->setFocusPolicy(name == id ? Qt::StrongFocus : Qt::ClickFocus);
    }
}

void NavigationRail::focusCurrent() {
    for (const auto& [name, button] : m_buttons)
        if (button->isChecked()) button->setFocus(Qt::OtherFocusReason);
}

bool NavigationRail::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return false;
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key != Qt::Key_Up && key != Qt::Key_Down) return false;
    const auto at = std::ranges::find(m_buttons, watched, [](const auto& entry) -> QObject* { return entry.second; });
    const auto next = at - m_buttons.begin() + (key == Qt::Key_Down ? 1 : -1);
    if (next >= 0 && next < std::ssize(m_buttons))
        m_buttons[static_cast<std::size_t>(next)].second->setFocus(Qt::OtherFocusReason);
    return true;
}

void NavigationRail::setProject(const QString& name, const QString& saved, const QString& file) {
    m_name->setFullText(name);
    m_saved->setText(saved);
    m_saved->setToolTip(file);
}

void NavigationRail::setFolded(bool folded) {
    m_name->setVisible(!folded);
    m_saved->setVisible(!folded);
    for (const auto& [name, button] : m_buttons)
        button->setFolded(folded);
    setFixedWidth(folded ? kFoldedWidth : kWidth);
}

} // namespace roundpipe::ui::shell
