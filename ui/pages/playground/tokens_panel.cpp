// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/playground/tokens_panel.h"

#include "ui/pages/playground/answer_words.h"
#include "ui/pages/playground/page_parts.h"
#include "ui/pages/playground/token_paper.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/help_place.h"
#include "ui/widgets/segmented.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace roundpipe::ui::pages {
namespace {

constexpr int kLinesOfToken = 7;

} // namespace

TokensPanel::TokensPanel(const theme::ThemeManager& themes, QWidget* parent)
    : QWidget(parent)
    , m_themes(themes)
    , m_face(new widgets::Segmented(tr("Which tokens"), {tr("Given"), tr("Chosen")}))
    , m_stack(new QStackedWidget)
    , m_who(wrappedLabel("title"))
    , m_counts(wrappedLabel("dim"))
    , m_legend(wrappedLabel("dim"))
    , m_token(wrappedLabel("value"))
    , m_prompt(new TokenPaper(themes, tr("Tokens that the model was given")))
    , m_chosen(new TokenPaper(themes, tr("Tokens that the model chose"))) {
    widgets::setHelpPlace(*this, QStringLiteral("studio-pages.md#tokens-of-an-answer"));
    auto* card = new widgets::Card;
    auto* head = new QHBoxLayout;
    head->addWidget(m_face);
    head->addStretch(1);
    card->body()->addLayout(head);
    card->body()->addWidget(m_who);
    card->body()->addWidget(m_counts);
    m_stack->addWidget(m_prompt);
    m_stack->addWidget(buildChosen());
    card->body()->addWidget(m_stack, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(card);
    connect(m_face, &widgets::Segmented::chosen, this, &TokensPanel::showFace);
    connect(m_chosen, &TokenPaper::currentChanged, this, &TokensPanel::showToken);
    connect(&themes, &theme::ThemeManager::changed, this, &TokensPanel::showLegend);
    m_face->setCurrent(1);
    showLegend();
    show(nullptr, {});
}

QWidget* TokensPanel::buildChosen() {
    m_token->setObjectName(QString());
    m_token->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_token->setTextFormat(Qt::PlainText);
    m_token->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_token->setFixedHeight(kLinesOfToken * fontMetrics().lineSpacing());
    m_legend->setTextFormat(Qt::RichText);
    auto* line = new QFrame;
    line->setObjectName(QStringLiteral("line"));
    line->setFixedHeight(1);
    auto* place = new QWidget;
    auto* lines = new QVBoxLayout(place);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(6);
    lines->addWidget(m_legend);
    lines->addWidget(m_chosen, 1);
    lines->addWidget(line);
    lines->addWidget(m_token);
    return place;
}

// Each in its own colour and line.
void TokensPanel::showLegend() {
    QStringList parts;
    for (const Sureness sureness : {Sureness::kSure, Sureness::kLikely, Sureness::kUnsure, Sureness::kRare}) {
        const QTextCharFormat format = TokenPaper::formatOf(sureness, m_themes.theme());
        const bool hasTint = format.background().style() != Qt::NoBrush;
        const QString line = format.underlineStyle() == QTextCharFormat::NoUnderline
                                 ? QString()
                                 : QStringLiteral(";text-decoration:underline");
        parts.append(
            QStringLiteral("<span style='color:%1%2%3'>&nbsp;%4&nbsp;</span>")
                .arg(format.foreground().color().name(),
                     hasTint ? QStringLiteral(";background-color:") + format.background().color().name() : QString(),
                     line, surenessText(sureness).toHtmlEscaped().replace(QLatin1Char(' '), QLatin1String("&nbsp;"))));
    }
    m_legend->setText(parts.join(QStringLiteral(" ")));
}

void TokensPanel::show(Dialogue::Answer answer, const QString& who) {
    m_answer = std::move(answer);
    m_who->setText(who);
    m_who->setVisible(!who.isEmpty());
    m_prompt->showPrompt(m_answer);
    m_chosen->showChosen(m_answer);
    m_legend->setVisible(m_answer != nullptr);
    m_token->setText(m_answer ? tr("Click a token, or go through them with the arrow keys: it says here how likely it "
                                   "was, and what else could have stood there.")
                              : QString());
    showFace();
}

void TokensPanel::showFace() {
    m_stack->setCurrentIndex(m_face->current());
    if (!m_answer) {
        m_counts->setText(tr("After an answer, the exact tokens that the model was given stand here, and how likely "
                             "each token of the answer was."));
    } else if (m_face->current() == 0) {
        const QString count =
            tr("%Ln token(s), marks of the template included", nullptr, static_cast<int>(m_answer->numPromptTokens));
        const QString read = tr("%Ln of them had been read before", nullptr, static_cast<int>(m_answer->numKeptTokens));
        m_counts->setText(m_answer->numKeptTokens > 0 ? count + QStringLiteral("; ") + read : count);
    } else {
        m_counts->setText(
            tr("%Ln token(s), by the model's own probability", nullptr, static_cast<int>(m_answer->numTokens)));
    }
}

void TokensPanel::showToken(int token) {
    const session::TokenChoice& choice = m_answer->tokens[static_cast<std::size_t>(token)];
    QStringList lines{
        tr("%1 · %2 · id %3").arg(quotedToken(choice.token), percentText(choice.logProbability)).arg(choice.token.id)};
    for (const session::TokenChoice::Likely& rival : choice.likeliest)
        if (rival.token.id != choice.token.id)
            lines.append(tr("instead %1 · %2").arg(quotedToken(rival.token), percentText(rival.logProbability)));
    m_token->setText(lines.join(QLatin1Char('\n')));
}

} // namespace roundpipe::ui::pages
