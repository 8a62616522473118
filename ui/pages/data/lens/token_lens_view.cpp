// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/lens/token_lens_view.h"

#include "ui/translations/number_text.h"

#include <QAccessible>
#include <QElapsedTimer>
#include <QFontDatabase>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr double kChipPadding = 5, kChipGap = 2;
constexpr double kEdgeOfTrained = 0.4; // opacity between two trained tokens: seen, and not in the way of reading
constexpr int kLayoutMs = 6;           // at a time

QFont lensFont() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(10);
    return font;
}

// As they are written where they cannot be seen.
QString visible(QString text) {
    return text.replace(QLatin1Char('\n'), QChar(0x23CE))
        .replace(QLatin1Char('\r'), QChar(0x240D))
        .replace(QLatin1Char('\t'), QStringLiteral("→ "));
}

} // namespace

TokenLensView::TokenLensView(const theme::ThemeManager& themes, QWidget* parent)
    : QAbstractScrollArea(parent), m_themes(themes) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    setFont(lensFont());
    m_layoutTimer.setInterval(0);
    connect(&m_layoutTimer, &QTimer::timeout, this, &TokenLensView::layoutSome);
    connect(&m_themes, &theme::ThemeManager::changed, viewport(), qOverload<>(&QWidget::update));
    setAccessibleName(tr("Tokens of the row"));
}

void TokenLensView::setLens(session::TokenLens lens) {
    m_lens = std::move(lens);
    m_current = -1;
    verticalScrollBar()->setValue(0);
    startLayout();
    setAccessibleDescription(QString::fromStdString(m_lens.text.substr(0, 2000)));
    emit currentTokenChanged();
}

void TokenLensView::setMode(Mode mode) {
    if (mode == m_mode) return;
    m_mode = mode;
    startLayout();
}

// Layout --------------------------------------------------------------------------------------------------------------

void TokenLensView::startLayout() {
    m_pieces.clear();
    m_lines.assign(1, 0);
    m_left = 0;
    m_nextToken = 0;
    m_layoutTimer.start();
    layoutSome();
}

void TokenLensView::layoutSome() {
    QElapsedTimer spent;
    spent.start();
    while (!isLaidOut() && spent.elapsed() < kLayoutMs)
        layoutUpTo(static_cast<int>(m_nextToken) + 64);
    if (isLaidOut()) m_layoutTimer.stop();
    updateScrollBar();
    viewport()->update();
}

void TokenLensView::layoutUpTo(int token) {
    while (m_nextToken <= token && !isLaidOut())
        layoutToken(static_cast<int>(m_nextToken++));
}

bool TokenLensView::isChip(const session::LensToken& token) const {
    return m_mode == Mode::kIds || token.isSpecial || token.begin == token.end;
}

int64_t TokenLensView::ownBegin(int token) const {
    const session::LensToken& own = m_lens.tokens[static_cast<std::size_t>(token)];
    const int64_t before = token == 0 ? 0 : m_lens.tokens[static_cast<std::size_t>(token) - 1].end;
    return std::min(std::max(own.begin, before), own.end);
}

void TokenLensView::layoutToken(int token) {
    const session::LensToken& own = m_lens.tokens[static_cast<std::size_t>(token)];
    if (isChip(own)) {
        Piece chip{token, 0, 0, 0, 0, false};
        place(chip, widthOf(textOf(chip)) + 2 * kChipPadding + kChipGap);
        if (m_mode == Mode::kIds && own.piece.ends_with("Ċ")) breakLine();
        return;
    }
    const int64_t end = own.end;
    for (int64_t begin = ownBegin(token); begin < end;) {
        const std::size_t feed = m_lens.text.find('\n', static_cast<std::size_t>(begin));
        const bool breaks = feed != std::string::npos && static_cast<int64_t>(feed) < end;
        const int64_t stop = breaks ? static_cast<int64_t>(feed) + 1 : end;
        Piece piece{token, static_cast<int32_t>(begin), static_cast<int32_t>(stop), 0, 0, breaks};
        place(piece, widthOf(textOf(piece)));
        if (breaks) breakLine();
        begin = stop;
    }
}

void TokenLensView::place(Piece piece, double width) {
    const double right = viewport()->width();
    if (m_left + width > right && m_left > 0) breakLine();
    piece.left = static_cast<float>(m_left);
    piece.width = static_cast<float>(width);
    m_pieces.push_back(piece);
    m_left += width;
}

void TokenLensView::breakLine() {
    m_lines.push_back(m_pieces.size());
    m_left = 0;
}

int TokenLensView::lineHeight() const {
    return qRound(1.35 * fontMetrics().height());
}

void TokenLensView::updateScrollBar() {
    const int lines = std::max(1, viewport()->height() / lineHeight());
    verticalScrollBar()->setPageStep(lines);
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ssize(m_lines)) - lines));
}

QString TokenLensView::textOf(const Piece& piece) const {
    const session::LensToken& token = m_lens.tokens[static_cast<std::size_t>(piece.token)];
    if (m_mode == Mode::kIds) return QString::number(token.id);
    if (isChip(token)) return QString::fromStdString(token.piece);
    return visible(QString::fromUtf8(m_lens.text.data() + piece.begin, piece.end - piece.begin));
}

double TokenLensView::widthOf(const QString& text) const {
    auto found = m_widths.constFind(text);
    if (found == m_widths.constEnd()) found = m_widths.insert(text, QFontMetricsF(font()).horizontalAdvance(text));
    return *found;
}

// Painting ------------------------------------------------------------------------------------------------------------

void TokenLensView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.setFont(font());
    const int spacing = lineHeight();
    const auto first = static_cast<std::size_t>(verticalScrollBar()->value());
    for (std::size_t line = first; line < m_lines.size(); ++line) {
        const double top = static_cast<double>((line - first) * static_cast<std::size_t>(spacing));
        if (top > viewport()->height()) break;
        const std::size_t end = line + 1 < m_lines.size() ? m_lines[line + 1] : m_pieces.size();
        for (std::size_t piece = m_lines[line]; piece < end; ++piece)
            paintPiece(painter, m_pieces[piece], top);
    }
}

void TokenLensView::paintPiece(QPainter& painter, const Piece& piece, double top) const {
    const theme::Theme& theme = m_themes.theme();
    const session::LensToken& token = m_lens.tokens[static_cast<std::size_t>(piece.token)];
    const bool isTrained = token.isTrained && !token.isCut;
    const double height = lineHeight();
    QRectF box(piece.left, top + 1, piece.width, height - 2);
    const bool isBoxed = isChip(token);
    if (isBoxed) box.adjust(0, 0.5, -kChipGap, -0.5);

    if (isBoxed) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(isTrained ? theme.accent : theme.border, 1));
        painter.setBrush(isTrained ? theme.accentTint : theme.raised);
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        painter.setRenderHint(QPainter::Antialiasing, false);
    } else if (isTrained) {
        painter.fillRect(box, theme.accentTint);
        painter.fillRect(QRectF(box.left(), box.bottom() - 1.5, box.width(), 1.5), theme.accent);
    }
    if (m_mode == Mode::kTokens && !isBoxed) {
        QColor onTint = theme.accent;
        onTint.setAlphaF(kEdgeOfTrained);
        painter.setPen(isTrained ? onTint : theme.border);
        painter.drawLine(QPointF(box.right(), box.top() + 2), QPointF(box.right(), box.bottom() - 2));
    }

    QFont shown = font();
    shown.setStrikeOut(token.isCut);
    painter.setFont(shown);
    const bool isTemplate = token.message < 0 && !m_lens.messages.empty();
    painter.setPen(isTrained ? theme.text : token.isCut || isTemplate || isBoxed ? theme.dim : theme.text);
    painter.drawText(isBoxed ? box.adjusted(kChipPadding, 0, 0, 0) : box, Qt::AlignVCenter | Qt::TextDontClip,
                     textOf(piece));
    if (piece.token == m_current) {
        painter.setPen(QPen(theme.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(1, 0, -1, 0));
    }
}

// Finding one's way ---------------------------------------------------------------------------------------------------

void TokenLensView::setCurrentToken(int token) {
    if (m_lens.tokens.empty()) return;
    m_current = std::clamp(token, 0, static_cast<int>(std::ssize(m_lens.tokens)) - 1);
    layoutUpTo(m_current);
    updateScrollBar();
    const int line = lineOf(m_current);
    const int first = verticalScrollBar()->value();
    const int shown = verticalScrollBar()->pageStep();
    if (line < first) verticalScrollBar()->setValue(line);
    if (line >= first + shown) verticalScrollBar()->setValue(line - shown / 3);
    setAccessibleDescription(describe(m_current));
    viewport()->update();
    emit currentTokenChanged();
}

void TokenLensView::goToNextTrained() {
    const auto isTrained = [&](std::ptrdiff_t i) { return m_lens.tokens[static_cast<std::size_t>(i)].isTrained; };
    const std::ptrdiff_t count = std::ssize(m_lens.tokens);
    for (std::ptrdiff_t step = 1; step <= count; ++step) {
        const std::ptrdiff_t i = (std::max(m_current, -1) + step) % count;
        if (!isTrained(i) || (i > 0 && isTrained(i - 1))) continue;
        setCurrentToken(static_cast<int>(i));
        return;
    }
}

void TokenLensView::goToMessage(int message) {
    const auto found = std::ranges::find(m_lens.tokens, message, &session::LensToken::message);
    if (found != m_lens.tokens.end()) setCurrentToken(static_cast<int>(found - m_lens.tokens.begin()));
}

int TokenLensView::lineOf(int token) const {
    const auto piece = std::ranges::lower_bound(m_pieces, token, {}, &Piece::token);
    const auto after = std::ranges::upper_bound(m_lines, static_cast<std::size_t>(piece - m_pieces.begin()));
    return static_cast<int>(after - m_lines.begin()) - 1;
}

int TokenLensView::tokenAt(QPoint position) const {
    const auto line = static_cast<std::size_t>(verticalScrollBar()->value() + position.y() / lineHeight());
    if (line >= m_lines.size()) return -1;
    const std::size_t end = line + 1 < m_lines.size() ? m_lines[line + 1] : m_pieces.size();
    for (std::size_t piece = m_lines[line]; piece < end; ++piece)
        if (position.x() >= m_pieces[piece].left && position.x() < m_pieces[piece].left + m_pieces[piece].width)
            return m_pieces[piece].token;
    return -1;
}

QString TokenLensView::describe(int token) const {
    const session::LensToken& own = m_lens.tokens[static_cast<std::size_t>(token)];
    QStringList parts{tr("token %1 of %2")
                          .arg(translations::wholeText(token + 1), translations::wholeText(std::ssize(m_lens.tokens))),
                      tr("“%1”, id %2").arg(QString::fromStdString(own.piece)).arg(own.id)};
    if (own.message >= 0)
        parts += tr("%1, message %2")
                     .arg(QString::fromStdString(m_lens.messages[static_cast<std::size_t>(own.message)].role))
                     .arg(own.message + 1);
    else if (!m_lens.messages.empty())
        parts += tr("written by the template");
    if (own.isSpecial) parts += tr("special token");
    parts += own.isCut ? tr("cut off: training does not see it") : own.isTrained ? tr("trained") : tr("not trained");
    return parts.join(QLatin1Char('\n'));
}

// Events --------------------------------------------------------------------------------------------------------------

void TokenLensView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    startLayout();
}

void TokenLensView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() != QEvent::FontChange) return;
    m_widths.clear();
    startLayout();
}

void TokenLensView::keyPressEvent(QKeyEvent* event) {
    const auto scroll = [&](QAbstractSlider::SliderAction action) { verticalScrollBar()->triggerAction(action); };
    switch (event->key()) {
    case Qt::Key_T:
        return goToNextTrained();
    case Qt::Key_Left:
        return setCurrentToken(m_current - 1);
    case Qt::Key_Right:
        return setCurrentToken(m_current + 1);
    case Qt::Key_Home:
        return scroll(QAbstractSlider::SliderToMinimum);
    case Qt::Key_End:
        return scroll(QAbstractSlider::SliderToMaximum);
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void TokenLensView::mousePressEvent(QMouseEvent* event) {
    if (const int token = tokenAt(event->position().toPoint()); token >= 0) setCurrentToken(token);
}

bool TokenLensView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int token = tokenAt(help->pos());
        QToolTip::showText(help->globalPos(), token >= 0 ? describe(token) : QString(), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace roundpipe::ui::pages
