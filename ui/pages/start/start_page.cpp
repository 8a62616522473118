// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/start/start_page.h"

#include "ui/models/machine_text.h"
#include "ui/models/stored_run_text.h"
#include "ui/pages/start/demo_picture.h"
#include "ui/pages/start/interrupted_offer.h"
#include "ui/widgets/card.h"
#include "ui/widgets/column_scroll.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/help_place.h"
#include "ui/widgets/kind_legend.h"

#include <QAction>
#include <QDateTime>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QStyle>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace roundpipe::ui::pages {
namespace {

constexpr int kMaxRecentShown = 6;
constexpr int kMostWidth = 1760;
constexpr int kMostFirst = 680, kMostSecond = 300; // heights: a large window leaves air below, not between lines
constexpr int kLeastWay = 46, kMostWay = 80;       // heights of lines
constexpr int kLeastRecent = 34, kMostRecent = 72;
constexpr int kRoomForBoth = 1500; // width of the page: recent projects and the way through one

QLabel* dimText(const QString& text) {
    auto* label = new QLabel(text);
    label->setObjectName(QStringLiteral("dim"));
    label->setWordWrap(true);
    return label;
}

QWidget* atMost(int height, QLayout* row) {
    auto* holder = new QWidget;
    row->setContentsMargins(0, 0, 0, 0);
    holder->setLayout(row);
    holder->setMaximumHeight(height);
    return holder;
}

// Nothing follows it, so no line does.
void markLast(QPushButton* line) {
    line->setProperty("isLast", true);
}

} // namespace

StartPage::StartPage(const Services& services, QWidget* parent)
    : Page(services, {QStringLiteral("start"), tr("Start"), theme::Icon::kStart}, parent)
    , m_interrupted(new InterruptedOffer(services)) {
    setTitle(tr("Fine-tune a language model on this machine"));
    setSubtitle(tr("Choose a model and rows, see whether and how fast it will run, watch it learn, take what it "
                   "has learned with you."));
    auto* first = new QHBoxLayout;
    first->setSpacing(theme::kSpacing);
    first->addWidget(buildDemo(), 3);
    auto* beside = new QVBoxLayout;
    beside->setSpacing(theme::kSpacing);
    beside->addWidget(buildDrop(), 1);
    beside->addWidget(buildMachine());
    first->addLayout(beside, 2);
    auto* second = new QHBoxLayout;
    second->setSpacing(theme::kSpacing);
    second->addWidget(buildRecent(), 3);
    second->addWidget(buildWay(), 3);
    second->addWidget(buildNews(), 2);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kSpacing);
    layout->addWidget(m_interrupted);
    layout->addWidget(atMost(kMostFirst, first), 2);
    layout->addWidget(atMost(kMostSecond, second), 1);
    layout->addStretch();
    auto* scroll = new widgets::ColumnScroll(content);
    scroll->setFocusPolicy(Qt::NoFocus);
    body()->addWidget(scroll, 1);
    setMostWidth(kMostWidth);
    reachIntoMargin();
    connect(m_interrupted, &InterruptedOffer::runsWanted, this,
            [this](const QString& folder) { emit pageWanted(QStringLiteral("runs"), folder); });
    connect(&services.preferences, &preferences::Preferences::recentProjectsChanged, this, &StartPage::showRecent);
    connect(&services.run, &bridge::RunController::engineChanged, this, [this] {
        if (std::exchange(m_startsWhenLoaded, false)) this->services().commands.start()->trigger();
    });
    showRecent();
}

QWidget* StartPage::buildDemo() {
    auto* card = new widgets::Card;
    card->body()->setContentsMargins(28, theme::kPadding, 28, theme::kPadding);
    card->body()->setSpacing(8);
    auto* title = new QLabel(tr("See it work: Polly the parrot"));
    title->setObjectName(QStringLiteral("headline"));
    card->body()->addWidget(title);
    card->body()->addWidget(dimText(tr("A tiny model that comes with the program learns to answer like a parrot. Takes "
                                       "seconds; without a GPU a minute or two.")));
    card->body()->addSpacing(6);
    card->body()->addWidget(new DemoPicture(services().themes), 1);
    card->body()->addWidget(new widgets::KindLegend(services().themes, DemoPicture::kindsShown()));
    card->body()->addSpacing(6);
    card->body()->addWidget(
        dimText(tr("Every stage of every device, live, as it happens: on the machine's GPUs if there are any, else on "
                   "its processor.")));
    card->body()->addSpacing(6);
    auto* train = new QPushButton(tr("Train Polly"));
    train->setObjectName(QStringLiteral("primary"));
    train->setMinimumHeight(40);
    auto* look = new QPushButton(tr("Look at the project first"));
    look->setFlat(true);
    connect(train, &QPushButton::clicked, this, &StartPage::trainDemo);
    connect(look, &QPushButton::clicked, this, [this] {
        if (services().document.openCopy(services().demo)) emit pageWanted(QStringLiteral("settings"));
    });
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(train);
    buttons->addWidget(look);
    buttons->addStretch(1);
    card->body()->addLayout(buttons);
    setFocusProxy(train);
    return card;
}

QWidget* StartPage::buildDrop() {
    m_drop = new QFrame;
    m_drop->setObjectName(QStringLiteral("drop"));
    auto* picture = new QLabel;
    picture->setAlignment(Qt::AlignCenter);
    const auto paint = [this, picture] {
        picture->setPixmap(theme::pixmapOf(theme::Icon::kDrop, services().themes.theme().dim, 48, devicePixelRatioF()));
    };
    connect(&services().themes, &theme::ThemeManager::changed, picture, paint);
    paint();
    auto* title = new QLabel(tr("Drop a model folder or a file of rows"));
    title->setObjectName(QStringLiteral("section"));
    title->setWordWrap(true);
    title->setAlignment(Qt::AlignCenter);
    QLabel* kinds =
        dimText(tr("A folder with config.json and safetensors; JSONL, JSON, CSV or Parquet; a RUN.json, or a run of "
                   "LLaMA-Factory, Axolotl or Unsloth"));
    kinds->setAlignment(Qt::AlignCenter);
    auto* create = new QPushButton(tr("New project"));
    auto* open = new QPushButton(tr("Open…"));
    connect(create, &QPushButton::clicked, this, [this] {
        services().document.create(); // the window goes on to what it lacks
    });
    connect(open, &QPushButton::clicked, this, &Page::openWanted);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(create);
    buttons->addWidget(open);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(m_drop);
    layout->setContentsMargins(28, 22, 28, 22);
    layout->setSpacing(10);
    layout->addStretch(1);
    layout->addWidget(picture);
    layout->addWidget(title);
    layout->addWidget(kinds);
    layout->addSpacing(8);
    layout->addLayout(buttons);
    layout->addStretch(1);
    m_beforeRecent = open;
    return m_drop;
}

QWidget* StartPage::buildRecent() {
    m_recent = new widgets::Card(tr("Recent projects"));
    m_recent->body()->setSpacing(0);
    m_recent->body()->addStretch();
    return m_recent;
}

// A line that leads to a page: what is there, and below what it is good for.
QPushButton* StartPage::makeWay(theme::Icon icon, const QString& name, const QString& words, const QString& page,
                                const QString& field) {
    auto* button = new QPushButton;
    button->setObjectName(QStringLiteral("way"));
    button->setMinimumHeight(kLeastWay);
    button->setMaximumHeight(kMostWay);
    button->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    button->setAccessibleName(name);
    button->setAccessibleDescription(words);
    auto* picture = new QLabel;
    const auto paint = [this, picture, icon] {
        picture->setPixmap(theme::pixmapOf(icon, services().themes.theme().accent, 20, devicePixelRatioF()));
    };
    connect(&services().themes, &theme::ThemeManager::changed, picture, paint);
    paint();
    auto* title = new widgets::ElidedLabel(name);
    title->setObjectName(QStringLiteral("title"));
    auto* sentence = new widgets::ElidedLabel(words);
    auto* lines = new QVBoxLayout;
    lines->setSpacing(0);
    lines->addStretch(1);
    lines->addWidget(title);
    lines->addWidget(sentence);
    lines->addStretch(1);
    auto* row = new QHBoxLayout(button);
    row->setContentsMargins(6, 0, 6, 0);
    row->setSpacing(12);
    row->addWidget(picture);
    row->addLayout(lines, 1);
    for (QLabel* label : {picture, static_cast<QLabel*>(title), static_cast<QLabel*>(sentence)})
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
    button->setToolTip(words);
    connect(button, &QPushButton::clicked, this, [this, page, field] { emit pageWanted(page, field); });
    return button;
}

// For who is here for the first time.
QWidget* StartPage::buildWay() {
    using theme::Icon;
    m_way = new widgets::Card(tr("From a model to an adapter"));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(theme::kSpacing);
    grid->setVerticalSpacing(0);
    QPushButton* const steps[] = {
        makeWay(Icon::kModel, tr("1  Model"), tr("Choose one that fits this machine"), QStringLiteral("model")),
        makeWay(Icon::kData, tr("2  Data"), tr("Drop rows, see what is trained"), QStringLiteral("data")),
        makeWay(Icon::kSettings, tr("3  Settings"), tr("A few that matter, or all"), QStringLiteral("settings")),
        makeWay(Icon::kPlan, tr("4  Plan"), tr("Memory and time, beforehand"), QStringLiteral("plan")),
        makeWay(Icon::kRun, tr("5  Run"), tr("Watch it learn, pause, go on"), QStringLiteral("run")),
        makeWay(Icon::kResults, tr("6  Results"), tr("Answers, adapter, what next"), QStringLiteral("results"))};
    for (int i = 0; i < 6; ++i)
        grid->addWidget(steps[i], i / 2, i % 2);
    markLast(steps[4]);
    markLast(steps[5]);
    for (int column = 0; column < 2; ++column)
        grid->setColumnStretch(column, 1);
    m_way->body()->addLayout(grid, 1);
    m_way->body()->addStretch();
    return m_way;
}

// The manual's page of changes has all of it.
QWidget* StartPage::buildNews() {
    auto* card = new widgets::Card(tr("What is new"));
    QToolButton* all = widgets::makeHelpButton(QStringLiteral("changelog.md"), tr("Everything that is new"));
    all->setFixedHeight(card->fontMetrics().height()); // the titles of both cards stand on one line
    card->titleRow()->addWidget(all);
    auto* lines = new QVBoxLayout;
    lines->setSpacing(0);
    card->body()->addLayout(lines, 1);
    lines->addWidget(makeWay(theme::Icon::kTalk, tr("A playground"), tr("Talk with base and tuned, side by side"),
                             QStringLiteral("playground")));
    lines->addWidget(makeWay(theme::Icon::kResults, tr("Exports for other programs"),
                             tr("Merged, GGUF and Ollama, each proved"), QStringLiteral("results")));
    QPushButton* last = makeWay(theme::Icon::kModel, tr("Models and rows from Hugging Face"),
                                tr("On the pages Model and Data"), QStringLiteral("model"));
    markLast(last);
    lines->addWidget(last);
    card->body()->addStretch();
    return card;
}

QWidget* StartPage::buildMachine() {
    auto* card = new widgets::Card;
    card->body()->addWidget(dimText(models::machineText()));
    card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    return card;
}

// The file's folder names a project; the list is read from disk only where someone opens one.
void StartPage::showRecent() {
    for (QPushButton* old : m_recent->findChildren<QPushButton*>())
        old->deleteLater();
    const QStringList files = services().preferences.recentProjects();
    m_recent->setVisible(!files.isEmpty());
    showRoom();
    QWidget* before = m_beforeRecent;
    const QStringList shown = files.mid(0, kMaxRecentShown);
    for (const QString& file : shown) {
        const QFileInfo info(file);
        auto* button = new QPushButton;
        button->setObjectName(QStringLiteral("recent"));
        if (file == shown.back()) markLast(button);
        auto* name = new widgets::ElidedLabel(services().preferences.nameOfRecent(file));
        if (name->fullText().isEmpty()) name->setFullText(info.dir().dirName());
        name->setObjectName(QStringLiteral("title"));
        auto* where = new widgets::ElidedLabel(info.absolutePath());
        auto* when = new QLabel(models::dateText(info.lastModified().toSecsSinceEpoch()));
        when->setObjectName(QStringLiteral("dim"));
        auto* row = new QHBoxLayout(button);
        row->setContentsMargins(6, 0, 6, 0);
        row->setSpacing(theme::kSpacing);
        row->addWidget(name, 2);
        row->addWidget(where, 3); // its last folder is what tells it from others
        row->addWidget(when);
        for (QLabel* label : {static_cast<QLabel*>(name), static_cast<QLabel*>(where), when})
            label->setAttribute(Qt::WA_TransparentForMouseEvents);
        button->setMinimumHeight(kLeastRecent);
        button->setMaximumHeight(kMostRecent);
        button->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
        button->setAccessibleName(tr("Open the project %1").arg(name->fullText()));
        button->setToolTip(file);
        connect(button, &QPushButton::clicked, this, [this, file] { services().document.open(file.toStdString()); });
        m_recent->body()->insertWidget(m_recent->body()->count() - 1, button); // above the stretch
        setTabOrder(before, button);
        before = button;
    }
}

void StartPage::showRoom() {
    m_way->setVisible(services().preferences.recentProjects().isEmpty() || width() >= kRoomForBoth);
}

void StartPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    showRoom();
}

void StartPage::trainDemo() {
    if (services().run.isRunning()) {
        emit pageWanted(QStringLiteral("run"));
        return;
    }
    if (!services().document.openCopy(services().demo)) return;
    emit pageWanted(QStringLiteral("run"));
    m_startsWhenLoaded = !services().run.hasEngine();
    services().commands.start()->trigger();
}

void StartPage::showEvent(QShowEvent* event) {
    window()->installEventFilter(this);
    Page::showEvent(event);
    QTimer::singleShot(0, m_interrupted, &InterruptedOffer::lookAgain); // the page itself comes first
}

// The window takes what is dropped, and whatever takes a drag gets its drop: here it is only shown where.
bool StartPage::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::DragEnter) showDragging(static_cast<QDragEnterEvent*>(event)->mimeData()->hasUrls());
    if (event->type() == QEvent::DragLeave || event->type() == QEvent::Drop) showDragging(false);
    return Page::eventFilter(watched, event);
}

void StartPage::showDragging(bool isOver) {
    m_drop->setProperty("over", isOver);
    m_drop->style()->unpolish(m_drop);
    m_drop->style()->polish(m_drop);
}

} // namespace roundpipe::ui::pages
