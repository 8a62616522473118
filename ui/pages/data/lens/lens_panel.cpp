// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/lens/lens_panel.h"

#include "ui/models/row_remark_text.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/segmented.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace roundpipe::ui::pages {
namespace {

constexpr int kMostRoles = 40; // longer conversations are walked in the text itself

} // namespace

LensPanel::LensPanel(const theme::ThemeManager& themes, QWidget* parent)
    : Card(tr("Token lens"), parent)
    , m_themes(themes)
    , m_summary(new widgets::ElidedLabel)
    , m_roles(new QLabel)
    , m_remarks(new QLabel)
    , m_stack(new QStackedWidget)
    , m_view(new TokenLensView(themes))
    , m_text(new QPlainTextEdit)
    , m_legend(new QLabel)
    , m_choose(new QPushButton)
    , m_next(new QPushButton(tr("Next trained (T)"))) {
    titleRow()->addWidget(buildModes());

    m_roles->setWordWrap(true);
    m_roles->setTextFormat(Qt::RichText);
    m_roles->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(m_roles, &QLabel::linkActivated, this, [this](const QString& message) {
        m_view->goToMessage(message.toInt());
        m_view->setFocus();
    });
    m_remarks->setWordWrap(true);
    m_remarks->setTextFormat(Qt::PlainText);
    m_remarks->setObjectName(QStringLiteral("problem"));
    m_text->setReadOnly(true);
    m_text->document()->setDocumentMargin(0); // lines up with what stands above
    m_text->setAccessibleName(tr("The row, as far as it came"));
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_text);
    body()->addWidget(m_summary);
    for (QWidget* widget : {static_cast<QWidget*>(m_roles), static_cast<QWidget*>(m_remarks)}) {
        widget->hide();
        body()->addWidget(widget);
    }
    body()->addWidget(m_stack, 1);
    body()->addWidget(buildLegend());
    connect(&m_themes, &theme::ThemeManager::changed, this, [this] {
        colourLegend();
        showRoles();
    });
    showProblem(tr("Choose a row to see what becomes of it, token by token."));
}

QWidget* LensPanel::buildModes() {
    using Mode = TokenLensView::Mode;
    auto* modes = new widgets::Segmented(tr("Token lens"), {tr("Text"), tr("Tokens"), tr("Ids")}); // in Mode's order
    modes->setCurrent(static_cast<int>(Mode::kTokens));
    connect(modes, &widgets::Segmented::chosen, this, [this](int mode) { m_view->setMode(static_cast<Mode>(mode)); });
    return modes;
}

QWidget* LensPanel::buildLegend() {
    auto* rows = new QWidget;
    auto* column = new QVBoxLayout(rows);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(2);
    m_legend->setTextFormat(Qt::RichText);
    m_legend->setWordWrap(true);
    column->addWidget(m_legend);
    auto* layout = new QHBoxLayout;
    column->addLayout(layout);
    m_next->setObjectName(QStringLiteral("link"));
    connect(m_next, &QPushButton::clicked, m_view, &TokenLensView::goToNextTrained);
    for (QWidget* ofTokens : {static_cast<QWidget*>(m_legend), static_cast<QWidget*>(m_next)}) {
        QSizePolicy policy = ofTokens->sizePolicy();
        policy.setRetainSizeWhenHidden(true); // nothing moves from row to row
        ofTokens->setSizePolicy(policy);
    }
    m_choose->setObjectName(QStringLiteral("link"));
    m_choose->setToolTip(tr("Del in the table does the same. Nothing is changed in the file."));
    connect(m_choose, &QPushButton::clicked, this, &LensPanel::chooseRow);
    layout->addWidget(m_choose);
    layout->addStretch(1);
    layout->addWidget(m_next);
    colourLegend();
    return rows;
}

void LensPanel::colourLegend() {
    const theme::Theme& theme = m_themes.theme();
    m_legend->setText(
        QStringLiteral("<span style=\"background:%1; text-decoration:underline\">&nbsp;%2&nbsp;</span> &nbsp; "
                       "<span style=\"background:%3; color:%4\">&nbsp;%5&nbsp;</span> &nbsp; "
                       "<span style=\"color:%4\"><s>%6</s> &nbsp; ⏎&nbsp;%7</span>")
            .arg(theme.accentTint.name(), tr("trained"), theme.raised.name(), theme.dim.name(), tr("special"),
                 tr("cut off"), tr("line feed")));
}

void LensPanel::show(session::TokenLens lens, const QString& name) {
    const bool hasTokens = !lens.tokens.empty();
    QStringList parts{name};
    if (hasTokens)
        parts += tr("%1 tokens, %2 trained")
                     .arg(translations::wholeText(lens.numTokens), translations::wholeText(lens.numTrained));
    m_summary->setFullText(parts.join(QStringLiteral(" · ")));
    m_text->setFont(m_view->font());
    m_text->setPlainText(QString::fromStdString(lens.text));
    showsTokens(hasTokens);
    m_view->setLens(std::move(lens));
    showRoles();
    showRemarks();
    showChoice();
}

void LensPanel::showsTokens(bool shows) {
    m_stack->setCurrentIndex(shows ? 0 : 1);
    m_legend->setVisible(shows);
    m_next->setVisible(shows);
}

bool LensPanel::isLeftOut() const {
    return m_view->lens().dropped.code == session::RowRemark::kLeftOutRow;
}

void LensPanel::showChoice() {
    const session::TokenLens& lens = m_view->lens();
    m_choose->setText(isLeftOut() ? tr("Take this row back") : tr("Leave this row out"));
    m_choose->setVisible(!lens.key.empty() && (!lens.dropReason || isLeftOut()));
}

void LensPanel::chooseRow() {
    if (!m_choose->isHidden()) emit rowChosen(QString::fromStdString(m_view->lens().key), !isLeftOut());
}

void LensPanel::showProblem(const QString& problem) {
    session::TokenLens none;
    m_summary->setFullText({});
    m_text->setFont(font()); // a sentence, not a row
    m_text->setPlainText(problem);
    showsTokens(false);
    m_view->setLens(none);
    m_roles->hide();
    m_remarks->hide();
    m_choose->hide();
}

void LensPanel::showRoles() {
    const std::vector<session::LensMessage>& messages = m_view->lens().messages;
    const theme::Theme& theme = m_themes.theme();
    QStringList parts;
    for (std::size_t i = 0; i < messages.size() && i < kMostRoles; ++i) {
        const session::LensMessage& message = messages[i];
        const QString colour = (message.numTrained > 0 ? theme.accent : theme.text).name();
        parts += QStringLiteral("<a href=\"%1\" style=\"color:%2; text-decoration:none\">%3&nbsp;<b>%4</b></a>")
                     .arg(QString::number(i), colour, QString::fromStdString(message.role).toHtmlEscaped(),
                          translations::wholeText(message.numTokens));
    }
    if (messages.size() > kMostRoles)
        parts += tr("and %1 more").arg(translations::wholeText(std::ssize(messages) - kMostRoles));
    m_roles->setText(parts.join(QStringLiteral(" &nbsp; ")));
    m_roles->setVisible(!messages.empty() && !m_view->lens().tokens.empty());
}

void LensPanel::showRemarks() {
    const session::TokenLens& lens = m_view->lens();
    QStringList remarks;
    if (lens.dropReason) remarks += tr("Not trained on: %1").arg(models::remarkText(lens.dropped));
    if (lens.numKept < lens.numTokens)
        remarks += tr("%1 tokens are cut off.").arg(translations::wholeText(lens.numTokens - lens.numKept));
    if (std::ssize(lens.tokens) < lens.numTokens)
        remarks += tr("The first %1 tokens are shown.").arg(translations::wholeText(std::ssize(lens.tokens)));
    for (const session::Remark& note : lens.notes)
        remarks += models::remarkText(note);
    m_remarks->setText(remarks.join(QLatin1Char('\n')));
    m_remarks->setVisible(!remarks.isEmpty());
}

} // namespace roundpipe::ui::pages
