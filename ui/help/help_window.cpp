// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/help_window.h"

#include "ui/help/page_document.h"
#include "ui/help/page_view.h"
#include "ui/widgets/action_button.h"

#include <QAction>
#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <span>

namespace roundpipe::ui::help {
namespace {

constexpr QSize kHelpSize(1040, 760);
constexpr int kContentsWidth = 270;
constexpr int kHitWidth = 480;        // of a line that is quoted: it takes two or three
constexpr std::size_t kMostHits = 40; // that are shown: each is laid out by itself
constexpr int kPlaceRole = Qt::UserRole;

QTreeWidgetItem* itemOf(const QTreeWidget& tree, const QString& place) {
    for (QTreeWidgetItemIterator it(const_cast<QTreeWidget*>(&tree)); *it != nullptr; ++it)
        if ((*it)->data(0, kPlaceRole).toString() == place) return *it;
    return nullptr;
}

} // namespace

HelpWindow::HelpWindow(const std::filesystem::path& folder, theme::ThemeManager& themes, QWidget* parent)
    : QWidget(parent, Qt::Window)
    , m_manual(folder)
    , m_themes(themes)
    , m_back(new QAction(tr("Back"), this))
    , m_forward(new QAction(tr("Forward"), this))
    , m_search(new QLineEdit)
    , m_left(new QStackedWidget)
    , m_contents(new QTreeWidget)
    , m_hitList(new QListWidget)
    , m_view(new PageView) {
    setWindowTitle(tr("RoundPipe Studio: the manual"));
    setAttribute(Qt::WA_QuitOnClose, false);
    resize(kHelpSize.boundedTo(screen()->availableSize() * 0.94)); // its frame has room, too
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildSide());
    layout->addWidget(buildPage(), 1);
    fillContents();
    connect(&themes, &theme::ThemeManager::changed, this, [this] {
        if (!m_visits.empty()) showFrom(*m_visits[m_at].page, m_view->topPosition());
    });
    updateActions();
}

QWidget* HelpWindow::buildSide() {
    m_search->setPlaceholderText(tr("Search the manual"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    m_contents->setHeaderHidden(true);
    m_contents->setIndentation(14);
    m_contents->setAccessibleName(tr("Contents"));
    m_hitList->setObjectName(QStringLiteral("hits"));
    m_hitList->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_left->addWidget(m_contents);
    m_left->addWidget(m_hitList);
    connect(m_search, &QLineEdit::textChanged, this, &HelpWindow::showHits);
    connect(m_search, &QLineEdit::returnPressed, this, [this] { openHit(std::max(0, m_hitList->currentRow())); });
    connect(m_hitList, &QListWidget::currentRowChanged, this, &HelpWindow::openHit);
    connect(m_contents, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (item != nullptr && m_contents->hasFocus()) open(item->data(0, kPlaceRole).toString());
    });
    auto* find = new QAction(this);
    find->setShortcuts({QKeySequence(QKeySequence::Find), QKeySequence(Qt::Key_Slash)});
    connect(find, &QAction::triggered, m_search, [this] { m_search->setFocus(Qt::ShortcutFocusReason); });
    addAction(find);

    auto* side = new QFrame;
    side->setObjectName(QStringLiteral("rail"));
    side->setFixedWidth(kContentsWidth);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(12, 12, 12, 12);
    layout->addWidget(m_search);
    layout->addWidget(m_left, 1);
    return side;
}

QWidget* HelpWindow::buildPage() {
    m_back->setShortcut(QKeySequence::Back);
    m_forward->setShortcut(QKeySequence::Forward);
    connect(m_back, &QAction::triggered, this, [this] { goThrough(-1); });
    connect(m_forward, &QAction::triggered, this, [this] { goThrough(+1); });
    auto* contents = new QAction(tr("Contents"), this);
    contents->setShortcut(Qt::ALT | Qt::Key_Home);
    connect(contents, &QAction::triggered, this, [this] { open(QStringLiteral("README.md")); });
    auto* close = new QAction(this);
    close->setShortcut(QKeySequence::Close);
    connect(close, &QAction::triggered, this, &QWidget::close);
    addActions({m_back, m_forward, contents, close});
    m_view->setAccessibleName(tr("Page of the manual"));
    connect(m_view, &QTextBrowser::anchorClicked, this, &HelpWindow::follow);

    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(16, 10, 16, 6);
    buttons->setSpacing(8);
    for (QAction* action : {m_back, m_forward, contents})
        buttons->addWidget(widgets::makeActionButton(*action));
    buttons->addStretch(1);
    auto* page = new QFrame;
    page->setObjectName(QStringLiteral("paper"));
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(buttons);
    layout->addWidget(m_view, 1);
    return page;
}

void HelpWindow::fillContents() {
    QTreeWidgetItem* group = nullptr;
    for (const ManualPage& page : m_manual.pages()) {
        if (!page.group.isEmpty() && (group == nullptr || group->text(0) != page.group)) {
            group = new QTreeWidgetItem(m_contents, {page.group});
            group->setFlags(Qt::ItemIsEnabled);
            QFont bold = font();
            bold.setWeight(QFont::DemiBold);
            group->setFont(0, bold);
            group->setExpanded(true);
        }
        auto* item = new QTreeWidgetItem({page.title});
        item->setData(0, kPlaceRole, page.file);
        page.group.isEmpty() ? m_contents->addTopLevelItem(item) : group->addChild(item);
        for (const ManualSection& section : page.sections) {
            if (section.level != 2) continue;
            auto* part = new QTreeWidgetItem(item, {section.heading});
            part->setData(0, kPlaceRole, QString(page.file + QLatin1Char('#') + section.anchor));
        }
    }
}

void HelpWindow::open(const QString& place) {
    const QString anchor = place.section(QLatin1Char('#'), 1);
    const ManualPage* page = m_manual.page(place.section(QLatin1Char('#'), 0, 0));
    if (page == nullptr) page = &m_manual.pages().front();
    if (!m_visits.empty()) {
        m_visits[m_at].position = m_view->topPosition();
        m_visits.resize(++m_at);
    }
    m_visits.push_back({page, 0});
    auto document = makeDocument(*page, m_themes.theme(), font());
    const int position = headingOf(*document, anchor).position();
    m_view->showPage(std::move(document), position);
    updateActions();
    mark(anchor, {});
    markContents(anchor);
}

QString HelpWindow::place() const {
    return m_visits.empty() ? QString() : m_visits[m_at].page->file;
}

void HelpWindow::showFrom(const ManualPage& page, int position) {
    m_view->showPage(makeDocument(page, m_themes.theme(), font()), position);
    updateActions();
}

void HelpWindow::follow(const QUrl& link) {
    if (!link.scheme().isEmpty()) return emit externalLinkChosen(link);
    const QString file = link.path().isEmpty() ? place() : link.path();
    open(file + QLatin1Char('#') + link.fragment());
}

void HelpWindow::goThrough(int steps) {
    const auto wanted = static_cast<qsizetype>(m_at) + steps;
    if (wanted < 0 || wanted >= static_cast<qsizetype>(m_visits.size())) return;
    m_visits[m_at].position = m_view->topPosition();
    m_at = static_cast<std::size_t>(wanted);
    showFrom(*m_visits[m_at].page, m_visits[m_at].position);
    markContents({});
}

// Shades the heading that was asked for, and the words that were searched.
void HelpWindow::mark(const QString& anchor, const QString& words) {
    QList<QTextEdit::ExtraSelection> marks;
    if (!anchor.isEmpty()) {
        QTextEdit::ExtraSelection heading;
        heading.cursor = QTextCursor(headingOf(*m_view->document(), anchor));
        heading.format.setBackground(m_themes.theme().accentTint);
        heading.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks.append(heading);
    }
    for (const QString& word : words.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        for (QTextCursor found = m_view->document()->find(word); !found.isNull();
             found = m_view->document()->find(word, found)) {
            QTextEdit::ExtraSelection mark{found, {}};
            mark.format.setBackground(m_themes.theme().warningTint);
            mark.format.setForeground(m_themes.theme().warning);
            marks.append(mark);
        }
    m_view->setExtraSelections(marks);
}

void HelpWindow::markContents(const QString& anchor) {
    const QSignalBlocker quiet(m_contents);
    QTreeWidgetItem* page = itemOf(*m_contents, place());
    for (const ManualPage& other : m_manual.pages())
        itemOf(*m_contents, other.file)->setExpanded(other.file == place());
    QTreeWidgetItem* part = itemOf(*m_contents, place() + QLatin1Char('#') + anchorOf(anchor));
    m_contents->setCurrentItem(part != nullptr ? part : page);
}

void HelpWindow::showHits() {
    const QString words = m_search->text().trimmed();
    m_left->setCurrentWidget(words.isEmpty() ? static_cast<QWidget*>(m_contents) : m_hitList);
    m_hits = m_manual.find(words);
    const QSignalBlocker quiet(m_hitList);
    m_hitList->clear();
    m_hitList->setAccessibleName(tr("%n place(s) found", nullptr, static_cast<int>(m_hits.size())));
    for (const ManualHit& hit : std::span(m_hits).first(std::min(m_hits.size(), kMostHits))) {
        const QString where =
            hit.section->level == 1 ? hit.page->title : tr("%1 · %2").arg(hit.section->heading, hit.page->title);
        addHit(where, hit.line);
    }
    QString rest;
    if (m_hits.empty() && !words.isEmpty()) rest = tr("Nothing has all of these words.");
    if (m_hits.size() > kMostHits) {
        rest = tr("And %n other(s): more letters find less.", nullptr, static_cast<int>(m_hits.size() - kMostHits));
        m_hits.resize(kMostHits);
    }
    if (!rest.isEmpty()) addRow(rest, rest)->setFlags(Qt::NoItemFlags);
}

void HelpWindow::addHit(const QString& where, const QString& line) {
    const QString shown = fontMetrics().elidedText(line, Qt::ElideRight, kHitWidth);
    addRow(QStringLiteral("<b>%1</b><br>%2").arg(where.toHtmlEscaped(), shown.toHtmlEscaped()),
           where + QLatin1String(": ") + line);
}

// As high as its words are where they wrap: a row wider than the list would widen all of them.
QListWidgetItem* HelpWindow::addRow(const QString& html, const QString& spoken) {
    auto* words = new QLabel(html);
    words->setWordWrap(true);
    words->setMargin(6);
    auto* item = new QListWidgetItem(m_hitList);
    item->setData(Qt::AccessibleTextRole, spoken);
    const int bar =
        m_hitList->verticalScrollBar()->isVisible() ? 0 : m_hitList->verticalScrollBar()->sizeHint().width();
    item->setSizeHint({0, words->heightForWidth(m_hitList->viewport()->width() - bar)}); // beside a bar, if one comes
    m_hitList->setItemWidget(item, words);
    return item;
}

void HelpWindow::openHit(int row) {
    if (row < 0 || row >= static_cast<int>(m_hits.size())) return;
    const ManualHit& hit = m_hits[static_cast<std::size_t>(row)];
    const QString anchor = hit.section->level == 1 ? QString() : hit.section->anchor;
    open(hit.page->file + QLatin1Char('#') + anchor);
    mark(anchor, m_search->text());
}

void HelpWindow::updateActions() {
    m_back->setEnabled(m_at > 0);
    m_forward->setEnabled(m_at + 1 < m_visits.size());
}

void HelpWindow::keyPressEvent(QKeyEvent* event) {
    const bool inSearch = m_search->hasFocus();
    if (event->key() == Qt::Key_Down && inSearch) {
        QWidget* list = m_left->currentWidget();
        list->setFocus(Qt::TabFocusReason);
        if (list == m_hitList && m_hitList->currentRow() < 0) m_hitList->setCurrentRow(0);
        return;
    }
    if (event->key() != Qt::Key_Escape) return QWidget::keyPressEvent(event);
    if (m_search->text().isEmpty()) return static_cast<void>(close());
    m_search->clear();
}

} // namespace roundpipe::ui::help
