// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/playground/playground_page.h"

#include "base/error.h"
#include "base/file.h"
#include "runs/conversation_files.h"
#include "ui/pages/playground/ask_bar.h"
#include "ui/pages/playground/conversation_column.h"
#include "ui/pages/playground/good_rows.h"
#include "ui/pages/playground/kept_list.h"
#include "ui/pages/playground/load_card.h"
#include "ui/pages/playground/notice_strip.h"
#include "ui/pages/playground/page_parts.h"
#include "ui/pages/playground/talk_drawer.h"
#include "ui/pages/playground/tokens_panel.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/column_scroll.h"
#include "ui/widgets/segmented.h"

#include <QAction>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::pages {

using bridge::ChatController;

namespace {

constexpr int kLoadWidth = 660;

} // namespace

PlaygroundPage::PlaygroundPage(const Services& services, QWidget* parent)
    : Page(services, {QStringLiteral("playground"), tr("Playground"), theme::Icon::kTalk, true}, parent)
    , m_dialogue(new Dialogue(services.chat, services.runLibrary, this))
    , m_rows(new GoodRows(services, this))
    , m_stack(new QStackedWidget)
    , m_load(new LoadCard(services))
    , m_columns{new ConversationColumn(*m_dialogue), new ConversationColumn(*m_dialogue)}
    , m_ask(new AskBar)
    , m_strip(new NoticeStrip)
    , m_drawer(new TalkDrawer(services, *m_dialogue))
    , m_sides(new widgets::Segmented(tr("Who answers"), {tr("One"), tr("Side by side")})) {
    m_columns[1]->setProperty("tone", "accent"); // what was trained
    m_stack->addWidget(buildLoading());
    m_stack->addWidget(buildTalk());
    body()->addWidget(m_stack, 1);
    reachIntoMargin();
    buildHeader();
    connectChat();
    connectDialogue();
    followChat();
}

QWidget* PlaygroundPage::buildLoading() {
    auto* middle = new QWidget;
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    m_load->setMaximumWidth(kLoadWidth);
    m_load->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(m_load, 1000);
    row->addStretch(1);
    column->addStretch(1);
    column->addLayout(row);
    column->addStretch(2);
    return new widgets::ColumnScroll(middle);
}

QWidget* PlaygroundPage::buildTalk() {
    auto* columns = new QHBoxLayout;
    columns->setSpacing(theme::kSpacing);
    for (ConversationColumn* column : m_columns) {
        columns->addWidget(column, 1);
        connectColumn(*column);
    }
    auto* left = new QVBoxLayout;
    left->setSpacing(theme::kSpacing);
    left->addLayout(columns, 1);
    left->addWidget(m_strip);
    left->addWidget(m_ask);
    auto* talk = new QWidget;
    auto* all = new QHBoxLayout(talk);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(theme::kSpacing);
    all->addLayout(left, 1);
    all->addWidget(m_drawer);
    connect(m_ask, &AskBar::asked, m_dialogue, &Dialogue::ask);
    connect(m_ask, &AskBar::askedInstead, m_dialogue, [this](qsizetype message, const QString& words) {
        m_dialogue->askInstead(static_cast<std::size_t>(message), words);
    });
    connect(m_ask, &AskBar::stopWanted, m_dialogue, &Dialogue::stop);
    connect(m_drawer, &TalkDrawer::settingsEdited, this, &PlaygroundPage::showTitles);
    connect(m_drawer, &TalkDrawer::changeWanted, &services().chat, &ChatController::unload);
    connect(&m_drawer->kept(), &KeptList::openWanted, this, &PlaygroundPage::open);
    connect(&m_drawer->kept(), &KeptList::failed, this, &PlaygroundPage::complain);
    return talk;
}

void PlaygroundPage::connectColumn(ConversationColumn& column) {
    connect(&column, &ConversationColumn::editWanted, this, [this](qsizetype message) {
        if (m_dialogue->isAnswering()) return;
        const session::ChatMessage& said = m_dialogue->conversation().messages[static_cast<std::size_t>(message)];
        m_ask->edit(message, QString::fromStdString(said.content));
    });
    connect(&column, &ConversationColumn::againWanted, m_dialogue, &Dialogue::askAgain);
    connect(&column, &ConversationColumn::rowWanted, this,
            [this](int side, qsizetype message) { addRow(side, static_cast<std::size_t>(message)); });
    connect(&column, &ConversationColumn::tokensWanted, this, [this](int side, qsizetype message) {
        m_drawer->showTokens(side, static_cast<std::size_t>(message),
                             m_dialogue->isBase(side) ? m_modelName : answererName());
        m_drawer->bringTokens();
    });
}

void PlaygroundPage::buildHeader() {
    connect(m_sides, &widgets::Segmented::chosen, this, [this](int sides) {
        m_dialogue->setCompares(sides == 1);
        showSides();
    });
    addToHeader(m_sides);
    auto* anew = new QAction(tr("New conversation"), this);
    anew->setToolTip(tr("Begin another conversation with the same settings; this one is kept (Ctrl+L)"));
    anew->setShortcut(Qt::CTRL | Qt::Key_L);
    anew->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(anew, &QAction::triggered, this, [this] {
        if (m_dialogue->isAnswering()) return;
        m_dialogue->forget();
        m_ask->focusField();
    });
    addAction(anew);
    m_newButton = addCommand(anew);
    auto* rows = new QAction(tr("Rows go to…"), this);
    rows->setToolTip(tr("Choose the file that good answers are appended to"));
    connect(rows, &QAction::triggered, this, &PlaygroundPage::chooseRowFile);
    m_moreButton = addCommand(rows);
}

void PlaygroundPage::connectChat() {
    const Services& all = services();
    connect(&all.chat, &ChatController::changed, this, &PlaygroundPage::followChat);
    connect(&all.chat, &ChatController::loaded, this, &PlaygroundPage::hasLoaded);
    connect(&all.run, &bridge::RunController::stateChanged, this, &PlaygroundPage::followRun);
    connect(&all.document, &document::Document::opened, this, [this] { m_load->setRunOfProject({}); });
    connect(&all.runLibrary, &bridge::RunLibraryController::runOfProjectFound, this,
            [this](const QString& folder) { m_load->setRunOfProject(folder.toStdString()); });
    connect(m_rows, &GoodRows::appended, this, &PlaygroundPage::tellOfRow);
    connect(m_rows, &GoodRows::failed, this, &PlaygroundPage::complain);
}

void PlaygroundPage::connectDialogue() {
    connect(m_dialogue, &Dialogue::replaced, this, &PlaygroundPage::showSides);
    connect(m_dialogue, &Dialogue::settingsChanged, this, [this] {
        m_drawer->showSettings();
        showTitles();
    });
    connect(m_dialogue, &Dialogue::begun, this,
            [this](int side) { m_columns[static_cast<std::size_t>(side)]->begin(); });
    connect(m_dialogue, &Dialogue::grew, this,
            [this](int side, const QString& text) { m_columns[static_cast<std::size_t>(side)]->grow(text); });
    connect(m_dialogue, &Dialogue::counted, this, [this](int side, const ChatController::Piece& piece) {
        m_columns[static_cast<std::size_t>(side)]->count(piece);
    });
    connect(m_dialogue, &Dialogue::ended, this, [this](int side) {
        m_columns[static_cast<std::size_t>(side)]->end();
        showLastTokens();
    });
    connect(m_dialogue, &Dialogue::refused, this, [this](const QString& said, const ChatController::Failure& why) {
        m_ask->putBack(said);
        complain(why.problem, why.advice);
    });
    connect(m_dialogue, &Dialogue::kept, this, [this] {
        m_drawer->kept().setCurrent(m_dialogue->file());
        m_drawer->kept().refresh();
    });
}

PageStatus PlaygroundPage::status() const {
    switch (services().chat.state()) {
    case ChatController::State::kLoading:
        return {PageStatus::Mark::kRunning, tr("loading")};
    case ChatController::State::kAnswering:
        return {PageStatus::Mark::kRunning, tr("answering")};
    default:
        return {};
    }
}

void PlaygroundPage::showField(const QString& folder) {
    m_load->choose(folder.toStdString());
}

// What runs have left is read when somebody looks.
void PlaygroundPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    m_load->refresh();
    if (services().chat.isLoaded()) m_ask->focusField();
}

void PlaygroundPage::followChat() {
    const bool isLoaded = services().chat.isLoaded();
    const bool isAnswering = services().chat.state() == ChatController::State::kAnswering;
    m_stack->setCurrentIndex(isLoaded ? 1 : 0);
    const bool hasAdapters = isLoaded && !services().chat.about().adapters.empty();
    m_sides->setVisible(hasAdapters);
    m_sides->setEnabled(!isAnswering);
    m_newButton->setVisible(isLoaded);
    m_moreButton->setVisible(isLoaded);
    m_ask->setAnswering(isAnswering);
    m_drawer->kept().setEnabledToOpen(!isAnswering);
    if (!isLoaded) setSubtitle(tr("Talk with what was trained, and with the model as it came beside it."));
    if (isLoaded && !isAnswering)
        for (ConversationColumn* column : m_columns)
            column->showActions();
    emit statusChanged();
}

// A run that goes on wants the memory and the processors for itself.
void PlaygroundPage::followRun() {
    const bridge::RunController& run = services().run;
    if (session::isOver(run.snapshot().state) && services().commands.otherProject().isEmpty())
        m_load->setRunOfProject(run.job().spec.output.folder);
    const ChatController::State state = services().chat.state();
    const bool isThere = state != ChatController::State::kNone && state != ChatController::State::kLeaving;
    if (!run.isRunning() || run.snapshot().isPaused || !isThere) return;
    services().chat.unload();
    emit noticed(tr("The run goes on, so the playground's model was let go. What was said is kept."));
}

void PlaygroundPage::hasLoaded(double seconds) {
    const session::ChatSetup& setup = services().chat.setup();
    m_modelName = m_load->modelName();
    session::ChatConversation conversation;
    conversation.model = setup.model;
    for (const session::ChatAdapter& adapter : setup.adapters)
        conversation.adapters.push_back({adapter.name, 1});
    m_dialogue->setFolder(
        runs::conversationsFolderOf(setup.adapters.empty() ? setup.model : setup.adapters.front().folder));
    m_drawer->showModel(m_modelName, m_load->deviceName(), seconds);
    m_drawer->kept().setFolder(m_dialogue->folder());
    m_sides->setCurrent(0);
    m_strip->hide();
    m_dialogue->show(std::move(conversation), {});
    m_ask->focusField();
}

QString PlaygroundPage::answererName() const {
    QStringList names;
    for (const session::AdapterWeight& adapter : m_dialogue->conversation().adapters)
        if (adapter.weight != 0) names.append(QString::fromStdString(adapter.name));
    return names.isEmpty() ? m_modelName : tr("With “%1”").arg(names.join(QStringLiteral("” + “")));
}

void PlaygroundPage::showTitles() {
    const bool compares = m_dialogue->compares();
    const QString strength =
        m_dialogue->conversation().adapters.empty()
            ? tr("as it came")
            : tr("strength %1").arg(translations::shortText(m_dialogue->conversation().strength, 3));
    if (compares) m_columns[0]->setTitle(m_modelName, tr("as it came"));
    m_columns[compares ? 1 : 0]->setTitle(answererName(), strength);
    setSubtitle(compares ? tr("The same question, before and after: one load serves both columns.")
                         : tr("Each answer follows from all that was said before it."));
    m_ask->setHint(compares ? tr("Ask both…") : tr("Ask…"));
}

void PlaygroundPage::showSides() {
    const bool compares = m_dialogue->compares();
    m_sides->setCurrent(compares ? 1 : 0);
    showTitles();
    m_columns[0]->setSide(0);
    m_columns[1]->setSide(1);
    m_columns[1]->setVisible(compares);
    m_columns[0]->showAll();
    if (compares) m_columns[1]->showAll();
    showLastTokens();
    m_drawer->kept().setCurrent(m_dialogue->file());
}

// Of the last answer that has some.
void PlaygroundPage::showLastTokens() {
    const int side = m_dialogue->numSides() - 1;
    const std::size_t count = m_dialogue->messages(side).size();
    m_drawer->showTokens(side, count == 0 ? 0 : count - 1, count == 0 ? QString() : answererName());
}

void PlaygroundPage::complain(const QString& problem, const QString& advice) {
    m_strip->say(advice.isEmpty() ? problem : problem + QLatin1Char(' ') + advice);
}

// Rows of good answers -----------------------------------------------------------------------------------------------

// A model that is trained on answers without an end learns not to end.
void PlaygroundPage::addRow(int side, std::size_t message) {
    std::vector<session::ChatMessage> row = exchangeOf(m_dialogue->conversation(), m_dialogue->messages(side), message);
    if (row.empty() || row.back().content.empty())
        return complain(tr("The answer is empty."), tr("A row needs one to train on."));
    const Dialogue::Answer answer = m_dialogue->answer(side, message);
    const bool hasNoEnd =
        answer && (answer->end == session::AnswerEnd::kLimit || answer->end == session::AnswerEnd::kStopped);
    if (!hasNoEnd) return m_rows->append(std::move(row));
    m_strip->say(tr("This answer was cut off: a model that is trained on it learns not to end. Let it be answered "
                    "again, with more tokens allowed."),
                 tr("Add it all the same"), [this, row = std::move(row)] { m_rows->append(row); });
}

void PlaygroundPage::tellOfRow() {
    const QString words = tr("Added as a row to %1.").arg(textOf(m_rows->file()));
    if (m_rows->isOfProject()) return emit noticed(words);
    emit noticed(words, tr("Train on it"), [this] {
        m_rows->addToProject();
        emit pageWanted(QStringLiteral("data"), QStringLiteral("data.files"));
    });
}

void PlaygroundPage::chooseRowFile() {
    const QString file =
        QFileDialog::getSaveFileName(this, tr("Rows go to"), textOf(m_rows->file()), tr("Rows of messages (*.jsonl)"),
                                     nullptr, QFileDialog::DontConfirmOverwrite);
    if (file.isEmpty()) return;
    const bool hasEnding = file.endsWith(QLatin1String(".jsonl"));
    m_rows->setFile((hasEnding ? file : file + QStringLiteral(".jsonl")).toStdString());
    emit noticed(tr("Good answers go to %1 from now on.").arg(textOf(m_rows->file())));
}

// Conversations that are kept ----------------------------------------------------------------------------------------

void PlaygroundPage::open(const QString& file) {
    if (m_dialogue->isAnswering()) return;
    struct Read {
        session::ChatConversation conversation;
        QString problem, advice;
    };
    const auto read = std::make_shared<Read>();
    services().runLibrary.perform(
        [read, path = file.toStdString(), otherwise = m_dialogue->conversation()](runs::RunLibrary&) {
            try {
                read->conversation =
                    session::conversationIn(readTextFile(path, session::kMostOfConversation), otherwise);
            } catch (const Error& error) {
                read->problem = QString::fromStdString(error.message());
                read->advice = QString::fromStdString(error.advice());
            }
        },
        *this,
        [this, read, file] {
            if (!read->problem.isEmpty()) return complain(read->problem, read->advice);
            showKept(read->conversation, file.toStdString());
        });
}

void PlaygroundPage::showKept(const session::ChatConversation& conversation, const std::filesystem::path& file) {
    const std::vector<std::string>& loaded = services().chat.about().adapters;
    for (const session::AdapterWeight& adapter : conversation.adapters)
        if (std::ranges::find(loaded, adapter.name) == loaded.end())
            return complain(tr("This conversation is with the adapter “%1”, which is not loaded.")
                                .arg(QString::fromStdString(adapter.name)),
                            tr("Load it by “Change…” first."));
    m_strip->hide();
    m_dialogue->show(conversation, file);
    m_ask->focusField();
}

void PlaygroundPage::keyPressEvent(QKeyEvent* event) {
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Escape && m_dialogue->isAnswering())
        m_dialogue->stop();
    else if (event->modifiers() == Qt::AltModifier && event->key() == Qt::Key_Left)
        m_drawer->turnStrength(-1);
    else if (event->modifiers() == Qt::AltModifier && event->key() == Qt::Key_Right)
        m_drawer->turnStrength(1);
    else if (event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier) && isReturn)
        m_dialogue->askAgain();
    else
        Page::keyPressEvent(event);
}

} // namespace roundpipe::ui::pages
