// SPDX-License-Identifier: GPL-3.0-or-later
// Files and folders, one under the other: added by buttons or by dropping them, removed one by one.
#pragma once

#include <QWidget>

#include <string>
#include <vector>

class QListWidget;
class QPushButton;

namespace roundpipe::ui::editors {

class PathList : public QWidget {
    Q_OBJECT
public:
    explicit PathList(QWidget* parent = nullptr);
    void setPaths(const std::vector<std::string>& paths); // emits nothing

signals:
    void edited(const std::vector<std::string>& paths); // by the user

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void add(const QStringList& paths);
    void removeCurrent();
    void showPaths();

    std::vector<std::string> m_paths;
    QListWidget* m_list;
    QPushButton* m_remove;
};

} // namespace roundpipe::ui::editors
