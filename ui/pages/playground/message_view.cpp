// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/playground/message_view.h"

#include "ui/widgets/elided_label.h"
#include "ui/widgets/wrapping_row.h"

#include <QAbstractTextDocumentLayout>
#include <QClipboard>
#include <QFrame>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QTextBlockFormat>
#include <QTextCursor>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <cmath>

namespace roundpipe::ui::pages {
namespace {

constexpr int kLinePercent = 125; // of a line

} // namespace

MessageText::MessageText(const QString& name, QWidget* parent) : QTextEdit(parent) {
    setAccessibleName(name);
    setReadOnly(true);
    setAcceptRichText(false);
    setUndoRedoEnabled(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    document()->setDocumentMargin(0);
    connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
            &MessageText::takeHeight);
}

void MessageText::setWords(const QString& words) {
    setPlainText(words);
    QTextBlockFormat airy;
    airy.setLineHeight(kLinePercent, QTextBlockFormat::ProportionalHeight);
    QTextCursor all(document());
    all.select(QTextCursor::Document);
    all.mergeBlockFormat(airy); // lines that are appended have it, too
}

void MessageText::append(const QString& words) {
    QTextCursor end(document()); // its own: what somebody marks stays marked
    end.movePosition(QTextCursor::End);
    end.insertText(words);
}

void MessageText::takeHeight() {
    const int height = static_cast<int>(std::ceil(document()->size().height()));
    if (height == m_height) return;
    m_height = height;
    updateGeometry();
}

QSize MessageText::sizeHint() const {
    return {120, std::max(m_height, fontMetrics().lineSpacing())};
}

void MessageText::resizeEvent(QResizeEvent* event) {
    QTextEdit::resizeEvent(event);
    takeHeight();
}

void MessageText::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

// Keys that would scroll it are its column's.
void MessageText::keyPressEvent(QKeyEvent* event) {
    for (const auto key : {Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Escape})
        if (event->key() == key) return event->ignore();
    QTextEdit::keyPressEvent(event);
}

MessageView::MessageView(session::ChatMessage message, const QString& who, bool canEdit, QWidget* parent)
    : QWidget(parent), m_message(std::move(message)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    m_text = new MessageText(who);
    layout->addWidget(isAnswer() ? buildAnswer() : buildQuestion(canEdit));
    m_text->setWords(QString::fromStdString(m_message.content));
}

QWidget* MessageView::buildQuestion(bool canEdit) {
    auto* box = new QFrame;
    box->setObjectName(QStringLiteral("said"));
    auto* cells = new QHBoxLayout(box);
    cells->setContentsMargins(12, 8, 8, 8);
    cells->setSpacing(8);
    cells->addWidget(m_text, 1);
    if (canEdit) {
        QPushButton* edit =
            makeLink(tr("Edit"), tr("Ask this otherwise; what followed it is forgotten"), &MessageView::editWanted);
        cells->addWidget(edit, 0, Qt::AlignTop);
    }
    return box;
}

QWidget* MessageView::buildAnswer() {
    auto* place = new QWidget;
    auto* lines = new QVBoxLayout(place);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(6);
    lines->addWidget(m_text);
    m_figures = new widgets::ElidedLabel;
    m_figures->setObjectName(QStringLiteral("dim"));
    m_figures->hide();
    lines->addWidget(m_figures);
    m_tokens = makeLink(tr("Tokens"), tr("Show what the model was given, and how likely each token was"),
                        &MessageView::tokensWanted);
    m_row = makeLink(tr("Add as a row"), tr("Append question and answer to a dataset, to train on"),
                     &MessageView::rowWanted);
    m_copy = makeLink(tr("Copy"), tr("Copy the answer"), nullptr);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(QString::fromStdString(m_message.content)); });
    m_again = makeLink(tr("Ask again"), tr("Let the same question be answered anew (Ctrl+Shift+Return)"),
                       &MessageView::againWanted);
    m_actions = new QWidget;
    auto* row = new widgets::WrappingRow(14, m_actions); // two sides leave little room for long words
    row->setContentsMargins(0, 0, 0, 0);
    for (QPushButton* button : {m_tokens, m_row, m_copy, m_again})
        row->addWidget(button);
    m_actions->hide();
    lines->addWidget(m_actions);
    return place;
}

QPushButton* MessageView::makeLink(const QString& text, const QString& toolTip, void (MessageView::*wanted)()) {
    auto* button = new QPushButton(text);
    button->setObjectName(QStringLiteral("link"));
    button->setToolTip(toolTip);
    if (wanted != nullptr) connect(button, &QPushButton::clicked, this, wanted);
    return button;
}

void MessageView::append(const QString& words) {
    m_message.content += words.toStdString();
    m_text->append(words);
}

void MessageView::setWords(const std::string& words) {
    if (words == m_message.content) return;
    m_message.content = words;
    m_text->setWords(QString::fromStdString(words));
}

void MessageView::setFigures(const QStringList& figures, bool hasTokens) {
    m_figures->setVisible(!figures.isEmpty());
    if (!figures.isEmpty()) m_figures->setFullText(figures.front(), figures.mid(1));
    m_tokens->setVisible(hasTokens);
}

void MessageView::setActions(bool isEnded, bool isLast) {
    m_actions->setVisible(isEnded);
    m_again->setVisible(isLast);
}

} // namespace roundpipe::ui::pages
