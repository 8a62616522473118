// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/playground/talk_drawer.h"

#include "ui/pages/playground/adapter_card.h"
#include "ui/pages/playground/answer_settings.h"
#include "ui/pages/playground/kept_list.h"
#include "ui/pages/playground/page_parts.h"
#include "ui/pages/playground/tokens_panel.h"
#include "ui/theme/theme.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/column_scroll.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr int kDrawerWidth = 320;
constexpr int kLinesOfSystem = 3;
constexpr double kLeastSeconds = 0.01; // that are said
constexpr int kBelowTabs = 8;

// As far from the edge of the drawer as the cards of a column that scrolls.
QWidget* besideGutter(QWidget* panel) {
    auto* place = new QWidget;
    auto* layout = new QVBoxLayout(place);
    layout->setContentsMargins(0, kBelowTabs, widgets::ColumnScroll::kGutter, 0);
    layout->addWidget(panel);
    return place;
}

} // namespace

TalkDrawer::TalkDrawer(const Services& services, Dialogue& dialogue, QWidget* parent)
    : QTabWidget(parent)
    , m_services(services)
    , m_dialogue(dialogue)
    , m_name(new QLabel)
    , m_about(new QLabel)
    , m_adapters(new AdapterCard)
    , m_answers(new AnswerSettings)
    , m_system(new QPlainTextEdit)
    , m_tokens(new TokensPanel(services.themes))
    , m_kept(new KeptList(services)) {
    setFixedWidth(kDrawerWidth + widgets::ColumnScroll::kGutter);
    setDocumentMode(true);
    addTab(buildSettings(), tr("Settings"));
    addTab(besideGutter(m_tokens), tr("Tokens"));
    addTab(besideGutter(m_kept), tr("Conversations"));
    connect(m_adapters, &AdapterCard::strengthEdited, this, [this](double strength) {
        m_dialogue.setStrength(strength);
        emit settingsEdited();
    });
    connect(m_adapters, &AdapterCard::weightsEdited, this, [this](const std::vector<session::AdapterWeight>& adapters) {
        m_dialogue.setAdapters(adapters);
        emit settingsEdited();
    });
    connect(m_answers, &AnswerSettings::edited, &dialogue, &Dialogue::setSampling);
    connect(m_system, &QPlainTextEdit::textChanged, this,
            [this] { m_dialogue.setSystem(m_system->toPlainText().toStdString()); });
    connect(m_kept, &KeptList::renamed, this, [this](const QString& before, const QString& now) {
        if (m_dialogue.file() == before.toStdString()) m_dialogue.setFile(now.toStdString());
    });
    connect(m_kept, &KeptList::removed, this, [this](const QString& file) {
        if (m_dialogue.file() == file.toStdString()) m_dialogue.forget();
    });
}

QWidget* TalkDrawer::buildSettings() {
    auto* column = new QWidget;
    auto* cards = new QVBoxLayout(column);
    cards->setContentsMargins(0, 0, 0, 0);
    cards->setSpacing(theme::kSpacing);
    for (QWidget* card :
         {buildModel(), static_cast<QWidget*>(m_adapters), buildSystem(), static_cast<QWidget*>(m_answers)})
        cards->addWidget(card);
    cards->addStretch(1);
    auto* place = new QWidget;
    auto* layout = new QVBoxLayout(place);
    layout->setContentsMargins(0, kBelowTabs, 0, 0);
    layout->addWidget(new widgets::ColumnScroll(column));
    return place;
}

QWidget* TalkDrawer::buildModel() {
    auto* card = new widgets::Card(tr("Model"));
    auto* change = new QPushButton(tr("Change…"));
    change->setToolTip(tr("Let this model go and load another one"));
    card->titleRow()->addWidget(change);
    m_name->setWordWrap(true);
    m_about->setObjectName(QStringLiteral("dim"));
    m_about->setWordWrap(true);
    card->body()->addWidget(m_name);
    card->body()->addWidget(m_about);
    connect(change, &QPushButton::clicked, this, &TalkDrawer::changeWanted);
    return card;
}

QWidget* TalkDrawer::buildSystem() {
    auto* card = new widgets::Card(tr("System message"));
    m_system->setAccessibleName(tr("System message"));
    m_system->setPlaceholderText(tr("none"));
    m_system->setToolTip(tr("What the model is told before the first question"));
    m_system->setFixedHeight(kLinesOfSystem * m_system->fontMetrics().lineSpacing() + FieldFrame::kAround);
    card->body()->addWidget(new FieldFrame(*m_system));
    return card;
}

void TalkDrawer::showModel(const QString& name, const QString& device, double loadSeconds) {
    m_name->setText(name);
    m_about->setText(tr("%1 · loaded in %2 · room for %3 tokens")
                         .arg(device, translations::durationText(std::max(loadSeconds, kLeastSeconds)),
                              translations::wholeText(m_services.chat.about().contextTokens)));
}

void TalkDrawer::showSettings() {
    const session::ChatConversation& conversation = m_dialogue.conversation();
    m_adapters->show(m_services.chat.about().adapters, conversation);
    m_answers->show(conversation.sampling);
    const QSignalBlocker quiet(m_system);
    m_system->setPlainText(QString::fromStdString(conversation.system));
}

void TalkDrawer::showTokens(int side, std::size_t message, const QString& who) {
    m_tokens->show(m_dialogue.answer(side, message), who);
}

void TalkDrawer::bringTokens() {
    setCurrentIndex(1);
}

void TalkDrawer::turnStrength(int steps) {
    m_adapters->turnStrength(steps);
}

} // namespace roundpipe::ui::pages
