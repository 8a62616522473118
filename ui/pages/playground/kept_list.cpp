// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/playground/kept_list.h"

#include "base/error.h"
#include "ui/models/stored_run_text.h"
#include "ui/pages/playground/page_parts.h"
#include "ui/widgets/card.h"
#include "ui/widgets/help_place.h"
#include "ui/widgets/wrapping_row.h"

#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QVBoxLayout>

#include <memory>

namespace roundpipe::ui::pages {
namespace {

constexpr int kAroundName = 10; // a row is so much higher than its text

} // namespace

KeptList::KeptList(const Services& services, QWidget* parent)
    : QWidget(parent)
    , m_services(services)
    , m_list(new QListWidget)
    , m_none(new QLabel(tr("Each conversation is kept here after its first answer, in the run's folder.")))
    , m_open(new QPushButton(tr("Go on with it")))
    , m_rename(new QPushButton(tr("Rename")))
    , m_remove(new QPushButton(tr("Delete…"))) {
    widgets::setHelpPlace(*this, QStringLiteral("studio-pages.md#conversations"));
    m_none->setObjectName(QStringLiteral("dim"));
    m_none->setWordWrap(true);
    m_list->setAccessibleName(tr("Conversations"));
    m_list->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->installEventFilter(this);
    m_open->setToolTip(tr("Show it and go on (Return)"));
    m_rename->setToolTip(tr("Give it another name (F2)"));
    m_remove->setToolTip(tr("Delete its file (Del)"));
    auto* card = new widgets::Card;
    card->body()->addWidget(m_none);
    card->body()->addWidget(m_list, 1);
    auto* buttons = new widgets::WrappingRow(8);
    for (QPushButton* button : {m_open, m_rename, m_remove})
        buttons->addWidget(button);
    card->body()->addLayout(buttons);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(card);
    connect(m_list, &QListWidget::itemActivated, this, &KeptList::openCurrent);
    connect(m_list, &QListWidget::currentRowChanged, this, &KeptList::update);
    connect(m_list, &QListWidget::itemChanged, this, &KeptList::rename);
    connect(m_open, &QPushButton::clicked, this, &KeptList::openCurrent);
    connect(m_rename, &QPushButton::clicked, this, [this] {
        if (m_list->currentItem() != nullptr) m_list->editItem(m_list->currentItem());
    });
    connect(m_remove, &QPushButton::clicked, this, &KeptList::askToRemove);
    update();
}

void KeptList::setFolder(const std::filesystem::path& folder) {
    m_folder = folder;
    m_none->setToolTip(textOf(folder));
    refresh();
}

void KeptList::refresh() {
    const auto found = std::make_shared<std::vector<runs::KeptConversation>>();
    perform([found, folder = m_folder] { *found = runs::listConversations(folder); },
            [this, found] {
                m_kept = std::move(*found);
                showAll();
            });
}

void KeptList::perform(std::function<void()> work, std::function<void()> then) {
    struct Problem {
        QString message, advice;
    };
    const auto problem = std::make_shared<Problem>();
    m_services.runLibrary.perform(
        [problem, work = std::move(work)](runs::RunLibrary&) {
            try {
                work();
            } catch (const Error& error) {
                *problem = {QString::fromStdString(error.message()), QString::fromStdString(error.advice())};
            }
        },
        *this,
        [this, problem, then = std::move(then)] {
            if (!problem->message.isEmpty()) emit failed(problem->message, problem->advice);
            then();
        });
}

void KeptList::setCurrent(const std::filesystem::path& file) {
    m_shown = file;
    showAll();
}

void KeptList::setEnabledToOpen(bool mayOpen) {
    m_mayOpen = mayOpen;
    update();
}

void KeptList::showAll() {
    const runs::KeptConversation* chosen = current();
    const std::filesystem::path wanted = chosen != nullptr ? chosen->file : m_shown;
    m_isFilling = true;
    m_list->clear();
    for (const runs::KeptConversation& kept : m_kept) {
        auto* item = new QListWidgetItem(QString::fromStdString(kept.name), m_list);
        item->setFlags(item->flags() | Qt::ItemIsEditable);
        item->setToolTip(item->text() + QLatin1Char('\n') + models::dateText(kept.changedAt) + QLatin1Char('\n') +
                         textOf(kept.file));
        QFont font = m_list->font();
        font.setBold(kept.file == m_shown);
        item->setFont(font);
        item->setSizeHint({0, QFontMetrics(font).height() + kAroundName}); // as wide as the list: else none is elided
        if (kept.file == wanted) m_list->setCurrentItem(item);
    }
    m_isFilling = false;
    update();
}

const runs::KeptConversation* KeptList::current() const {
    const int row = m_list->currentRow();
    return row < 0 || row >= std::ssize(m_kept) ? nullptr : &m_kept[static_cast<std::size_t>(row)];
}

void KeptList::update() {
    m_none->setVisible(m_kept.empty());
    m_list->setVisible(!m_kept.empty());
    const bool hasOne = current() != nullptr;
    for (QPushButton* button : {m_open, m_rename, m_remove})
        button->setVisible(!m_kept.empty());
    m_open->setEnabled(hasOne && m_mayOpen);
    m_rename->setEnabled(hasOne);
    m_remove->setEnabled(hasOne && m_mayOpen);
}

void KeptList::openCurrent() {
    if (const runs::KeptConversation* kept = current(); kept != nullptr && m_mayOpen)
        emit openWanted(textOf(kept->file));
}

// It was edited in the list.
void KeptList::rename(QListWidgetItem* item) {
    const int row = m_list->row(item);
    if (m_isFilling || row < 0 || row >= std::ssize(m_kept)) return;
    const std::filesystem::path before = m_kept[static_cast<std::size_t>(row)].file;
    const auto now = std::make_shared<std::filesystem::path>(before);
    perform(
        [now, before, name = item->text().trimmed().toStdString()] { *now = runs::renameConversation(before, name); },
        [this, now, before] {
            if (*now != before) {
                if (m_shown == before) m_shown = *now;
                emit renamed(textOf(before), textOf(*now));
            }
            refresh();
        });
}

void KeptList::askToRemove() {
    const runs::KeptConversation* kept = current();
    if (kept == nullptr) return;
    auto* box =
        new QMessageBox(QMessageBox::Warning, tr("Delete a conversation"),
                        tr("Delete “%1”?").arg(QString::fromStdString(kept->name)), QMessageBox::NoButton, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(tr("Rows that were made of its answers stay. What is deleted can't be brought back."));
    QPushButton* yes = box->addButton(tr("Delete"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(tr("Keep"), QMessageBox::RejectRole));
    connect(yes, &QPushButton::clicked, this, [this, file = kept->file] {
        perform([file] { runs::removeConversation(file); },
                [this, file] {
                    emit removed(textOf(file));
                    refresh();
                });
    });
    box->open();
}

bool KeptList::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete) {
        if (m_remove->isEnabled()) askToRemove();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace roundpipe::ui::pages
