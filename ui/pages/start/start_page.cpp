#include "ui/pages/start/start_page.h"

#include "ui/models/machine_text.h"
#include "ui/models/stored_run_text.h"
#include "ui/pages/start/demo_picture.h"
#include "ui/widgets/card.h"
#include "ui/widgets/column_scroll.h"
#include "ui/widgets/elided_label.h"

#include <QAction>
#include <QDateTime>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include <utility>

namespace roundpipe::ui::pages {
namespace {

constexpr int kMaxRecentShown = 6;
constexpr int kMostWidth = 1160;

QLabel* dimText(const QString& text) {
    auto* label = new QLabel(text);
    label->setObjectName(QStringLiteral("dim"));
    label->setWordWrap(true);
    return label;
}

} // namespace

StartPage::StartPage(const Services& services, QWidget* parent)
    : Page(services, {QStringLiteral("start"), tr("Start"), theme::Icon::kStart}, parent) {
    setTitle(tr("Fine-tune a language model on this machine"));
    setSubtitle(tr("Choose a model and rows, see whether and how fast it will run, watch it learn, take the adapter "
                   "with you."));
    setAcceptDrops(true);
    auto* first = new QHBoxLayout;
    first->setSpacing(theme::kSpacing);
    first->addWidget(buildDemo(), 3);
    first->addWidget(buildDrop(), 2);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kSpacing);
    layout->addLayout(first);
    layout->addWidget(buildRecent());
    layout->addWidget(dimText(models::machineText()));
    layout->addStretch(1);
    auto* scroll = new widgets::ColumnScroll(content);
    scroll->setFocusPolicy(Qt::NoFocus);
    body()->addWidget(scroll, 1);
    setMostWidth(kMostWidth);
    reachIntoMargin();
    connect(&services.preferences, &preferences::Preferences::recentProjectsChanged, this, &StartPage::showRecent);
    connect(&services.run, &bridge::RunController::engineChanged, this, [this] {
        if (std::exchange(m_startsWhenLoaded, false)) this->services().commands.start()->trigger();
    });
    showRecent();
}

QWidget* StartPage::buildDemo() {
    auto* card = new widgets::Card;
    card->body()->setContentsMargins(28, 22, 28, 22);
    card->body()->setSpacing(8);
    auto* title = new QLabel(tr("See it work: Polly the parrot"));
    title->setObjectName(QStringLiteral("headline"));
    card->body()->addWidget(title);
    card->body()->addWidget(
        dimText(tr("A tiny model that comes with the program learns to answer like a parrot. Takes seconds.")));
    card->body()->addSpacing(6);
    card->body()->addWidget(new DemoPicture(services().themes));
    card->body()->addSpacing(6);
    card->body()->addWidget(
        dimText(tr("Every stage of every device, live, as it happens: on the machine's GPUs if there are any, else on "
                   "its processor.")));
    card->body()->addStretch(1);
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
    return m_drop;
}

QWidget* StartPage::buildRecent() {
    m_recent = new widgets::Card(tr("Recent projects"));
    return m_recent;
}

// The file's folder names a project; the list is read from disk only where someone opens one.
void StartPage::showRecent() {
    auto* card = static_cast<widgets::Card*>(m_recent);
    for (QPushButton* old : card->findChildren<QPushButton*>())
        old->deleteLater();
    const QStringList files = services().preferences.recentProjects();
    card->setVisible(!files.isEmpty());
    for (const QString& file : files.mid(0, kMaxRecentShown)) {
        const QFileInfo info(file);
        auto* button = new QPushButton;
        button->setObjectName(QStringLiteral("recent"));
        auto* name = new widgets::ElidedLabel(info.dir().dirName());
        name->setObjectName(QStringLiteral("title"));
        auto* where = new widgets::ElidedLabel(file);
        auto* when = new QLabel(models::dateText(info.lastModified().toSecsSinceEpoch()));
        when->setObjectName(QStringLiteral("dim"));
        auto* row = new QHBoxLayout(button);
        row->setContentsMargins(6, 0, 6, 0);
        row->setSpacing(theme::kSpacing);
        row->addWidget(name, 2);
        row->addWidget(where, 5);
        row->addWidget(when);
        for (QLabel* label : {static_cast<QLabel*>(name), static_cast<QLabel*>(where), when})
            label->setAttribute(Qt::WA_TransparentForMouseEvents);
        button->setMinimumHeight(36);
        button->setAccessibleName(tr("Open the project %1").arg(name->fullText()));
        button->setToolTip(file);
        connect(button, &QPushButton::clicked, this, [this, file] { services().document.open(file.toStdString()); });
        card->body()->addWidget(button);
    }
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

// The window takes what is dropped; here it is only shown where.
void StartPage::dragEnterEvent(QDragEnterEvent* event) {
    event->setAccepted(event->mimeData()->hasUrls());
    showDragging(event->isAccepted());
}

void StartPage::dragLeaveEvent(QDragLeaveEvent* event) {
    showDragging(false);
    Page::dragLeaveEvent(event);
}

void StartPage::dropEvent(QDropEvent* event) {
    showDragging(false);
    event->ignore(); // goes on to the window
}

void StartPage::showDragging(bool isOver) {
    m_drop->setProperty("over", isOver);
    m_drop->style()->unpolish(m_drop);
    m_drop->style()->polish(m_drop);
}

} // namespace roundpipe::ui::pages
