// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/playground/conversation_column.h"

#include "ui/pages/playground/answer_words.h"
#include "ui/pages/playground/message_view.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr int kBetween = 14; // messages
constexpr int kNearEnd = 8;  // pixels

} // namespace

ConversationColumn::ConversationColumn(Dialogue& dialogue, QWidget* parent)
    : Card({}, parent)
    , m_dialogue(dialogue)
    , m_who(new QLabel)
    , m_detail(new widgets::ElidedLabel)
    , m_scroll(new QScrollArea)
    , m_messages(new QVBoxLayout)
    , m_hint(new QLabel(tr("Ask something below: the answer comes here, word by word.")))
    , m_foot(new widgets::ElidedLabel) {
    m_who->setObjectName(QStringLiteral("title"));
    m_detail->setObjectName(QStringLiteral("dim"));
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_who);
    head->addWidget(m_detail, 1);
    body()->addLayout(head);
    body()->addSpacing(4);

    auto* paper = new QWidget;
    m_messages->setContentsMargins(0, 0, 4, 4); // the bar stands beside it
    m_messages->setSpacing(kBetween);
    m_hint->setObjectName(QStringLiteral("dim"));
    m_hint->setWordWrap(true);
    m_messages->addWidget(m_hint);
    m_messages->addStretch(1);
    paper->setLayout(m_messages);
    m_scroll->setWidget(paper);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    body()->addWidget(m_scroll, 1);
    m_foot->setObjectName(QStringLiteral("dim"));
    m_foot->hide();
    body()->addWidget(m_foot);

    QScrollBar* bar = m_scroll->verticalScrollBar();
    connect(bar, &QScrollBar::actionTriggered, this,
            [this, bar] { m_isAtEnd = bar->sliderPosition() >= bar->maximum() - kNearEnd; });
    connect(bar, &QScrollBar::rangeChanged, this, &ConversationColumn::stayAtEnd);
}

void ConversationColumn::setSide(int side) {
    m_side = side;
}

void ConversationColumn::setTitle(const QString& who, const QString& detail) {
    m_who->setText(who);
    m_detail->setFullText(detail);
    m_scroll->setAccessibleName(tr("Conversation with %1").arg(who));
}

MessageView* ConversationColumn::makeView(std::size_t message) {
    const session::ChatMessage& said = m_dialogue.messages(m_side)[message];
    const bool isAnswer = said.role == "assistant";
    auto* view = new MessageView(said, isAnswer ? tr("Answer of %1").arg(m_who->text()) : tr("Question"), !isAnswer);
    const auto at = static_cast<qsizetype>(message);
    connect(view, &MessageView::editWanted, this, [this, at] { emit editWanted(at); });
    connect(view, &MessageView::againWanted, this, &ConversationColumn::againWanted);
    connect(view, &MessageView::rowWanted, this, [this, at] { emit rowWanted(m_side, at); });
    connect(view, &MessageView::tokensWanted, this, [this, at] { emit tokensWanted(m_side, at); });
    return view;
}

// What stands here already stays: a long conversation is not laid out anew for one more message.
void ConversationColumn::showAll() {
    const std::vector<session::ChatMessage>& messages = m_dialogue.messages(m_side);
    std::size_t same = 0;
    while (same < m_views.size() && same < messages.size() && m_views[same]->message().role == messages[same].role &&
           m_views[same]->message().content == messages[same].content)
        ++same;
    for (std::size_t i = same; i < m_views.size(); ++i)
        delete m_views[i];
    m_views.resize(same);
    for (std::size_t i = same; i < messages.size(); ++i) {
        m_views.push_back(makeView(i));
        m_messages->insertWidget(m_messages->count() - 1, m_views.back());
    }
    m_hint->setVisible(messages.empty());
    m_foot->hide();
    m_isAtEnd = true;
    showActions();
    stayAtEnd();
}

void ConversationColumn::showActions() {
    const bool isAnswering = m_dialogue.isAnswering();
    for (std::size_t i = 0; i < m_views.size(); ++i) {
        if (!m_views[i]->isAnswer()) continue;
        const Dialogue::Answer answer = m_dialogue.answer(m_side, i);
        QStringList figures;
        if (answer)
            figures = figuresOf(*answer);
        else if (m_views[i]->message().content.empty() && !isAnswering)
            figures.append(tr("not asked: it was stopped before its turn"));
        m_views[i]->setFigures(figures, answer != nullptr);
        const bool isLast = i + 1 == m_views.size();
        m_views[i]->setActions(!isAnswering || !isLast, isLast && !isAnswering);
    }
}

void ConversationColumn::begin() {
    showAll();
    m_foot->setFullText(tr("reading the question…"));
    m_foot->show();
}

void ConversationColumn::grow(const QString& text) {
    if (!m_views.empty()) m_views.back()->append(text);
}

void ConversationColumn::count(const bridge::ChatController::Piece& piece) {
    m_foot->setFullText(speedText(piece.numTokens, piece.promptSeconds, piece.answerSeconds));
}

void ConversationColumn::end() {
    if (m_views.size() != m_dialogue.messages(m_side).size()) showAll();
    if (!m_views.empty()) m_views.back()->setWords(m_dialogue.messages(m_side).back().content);
    m_foot->hide();
    showActions();
}

void ConversationColumn::stayAtEnd() {
    if (m_isAtEnd) m_scroll->verticalScrollBar()->setValue(m_scroll->verticalScrollBar()->maximum());
}

} // namespace roundpipe::ui::pages
