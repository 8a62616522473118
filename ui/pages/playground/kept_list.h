// SPDX-License-Identifier: GPL-3.0-or-later
// Conversations that are kept: shown again, renamed, deleted.
#pragma once

#include "runs/conversation_files.h"
#include "ui/pages/contract/services.h"

#include <QWidget>

#include <vector>

class QLabel;
class QListWidget;
class QListWidgetItem;
class QPushButton;

namespace roundpipe::ui::pages {

class KeptList : public QWidget {
    Q_OBJECT
public:
    explicit KeptList(const Services& services, QWidget* parent = nullptr);

    void setFolder(const std::filesystem::path& folder); // and lists what is in it
    void refresh();
    void setCurrent(const std::filesystem::path& file); // that is on show; empty: none
    void setEnabledToOpen(bool mayOpen);                // not while something is answered

signals:
    void openWanted(const QString& file);
    void renamed(const QString& before, const QString& now);
    void removed(const QString& file);
    void failed(const QString& message, const QString& advice);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showAll();
    void rename(QListWidgetItem* item);
    void askToRemove();
    void openCurrent();
    void update();
    void perform(std::function<void()> work, std::function<void()> then);
    const runs::KeptConversation* current() const; // chosen in the list; null: none

    Services m_services;
    std::filesystem::path m_folder, m_shown;
    std::vector<runs::KeptConversation> m_kept;
    QListWidget* m_list;
    QLabel* m_none;
    QPushButton *m_open, *m_rename, *m_remove;
    bool m_mayOpen = true;
    bool m_isFilling = false;
};

} // namespace roundpipe::ui::pages
