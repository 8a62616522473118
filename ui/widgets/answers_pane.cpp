// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/answers_pane.h"

#include "ui/widgets/answer_label.h"

#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QVBoxLayout>

#include <utility>

namespace roundpipe::ui::widgets {
namespace {

constexpr int kBetweenColumns = 16;

AnswerLabel* label(const QString& text, const QString& objectName = {}) {
    auto* result = new AnswerLabel(text);
    result->setObjectName(objectName);
    result->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    result->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return result;
}

} // namespace

AnswersPane::AnswersPane(QString none, QString link, QWidget* parent)
    : QScrollArea(parent), m_none(std::move(none)), m_link(std::move(link)) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void AnswersPane::setPrompts(const QStringList& prompts, bool hasLink) {
    m_rows.clear();
    auto* content = new QWidget;
    m_rowsLayout = new QVBoxLayout(content);
    m_rowsLayout->setContentsMargins(0, 4, 8, 0);
    m_rowsLayout->setSpacing(10);
    if (!prompts.isEmpty()) {
        auto* heads = new QHBoxLayout; // once, above the columns of all
        heads->setSpacing(kBetweenColumns);
        for (const QString& head : {tr("Before"), tr("After")})
            heads->addWidget(label(head, QStringLiteral("dim")), 1);
        m_rowsLayout->addLayout(heads);
    }
    for (const QString& prompt : prompts) {
        auto* grid = new QGridLayout;
        grid->setHorizontalSpacing(kBetweenColumns);
        grid->setVerticalSpacing(3);
        grid->setColumnStretch(0, 1);
        grid->setColumnStretch(1, 1);
        Row row{prompt, label(QStringLiteral("–"), QStringLiteral("before")),
                label(QStringLiteral("–"), QStringLiteral("after"))};
        grid->addWidget(label(prompt, QStringLiteral("title")), 0, 0, 1, 2);
        row.before->setAccessibleDescription(tr("Before"));
        row.after->setAccessibleDescription(tr("After"));
        grid->addWidget(row.before, 1, 0);
        grid->addWidget(row.after, 1, 1);
        if (!m_rows.empty()) {
            auto* line = new QFrame;
            line->setObjectName(QStringLiteral("line"));
            m_rowsLayout->addWidget(line);
        }
        m_rowsLayout->addLayout(grid);
        m_rows.push_back(row);
    }
    if (prompts.isEmpty()) m_rowsLayout->addWidget(label(m_none, QStringLiteral("dim")));
    if (hasLink) addLink();
    m_rowsLayout->addStretch(1);
    setWidget(content);
    content->setAutoFillBackground(false); // the card's shows through
    viewport()->setAutoFillBackground(false);
    updateGeometry();
}

QSize AnswersPane::sizeHint() const {
    const QSize usual = QScrollArea::sizeHint();
    return m_rowsLayout ? QSize(usual.width(), m_rowsLayout->totalHeightForWidth(width())) : usual;
}

void AnswersPane::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    if (event->oldSize().width() != event->size().width()) updateGeometry();
}

// Words take another height once their style is known.
bool AnswersPane::eventFilter(QObject* watched, QEvent* event) {
    if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

void AnswersPane::addLink() {
    auto* button = new QPushButton(m_link);
    button->setObjectName(QStringLiteral("link"));
    connect(button, &QPushButton::clicked, this, &AnswersPane::linkClicked);
    m_rowsLayout->addWidget(button, 0, Qt::AlignLeft);
}

void AnswersPane::setAnswer(const QString& prompt, const QString& answer, bool tuned) {
    for (const Row& row : m_rows)
        if (row.prompt == prompt) (tuned ? row.after : row.before)->setWords(answer.trimmed());
    updateGeometry();
}

} // namespace roundpipe::ui::widgets
