// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editors/path_list.h"

#include "ui/widgets/file_choice.h"

#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::editors {
namespace {

constexpr int kMaxRowsShown = 4;

} // namespace

PathList::PathList(QWidget* parent)
    : QWidget(parent), m_list(new QListWidget), m_remove(new QPushButton(tr("Remove"))) {
    setAcceptDrops(true);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setAccessibleName(tr("Files and folders"));
    auto* addFiles = new QPushButton(tr("Add files…"));
    auto* addFolder = new QPushButton(tr("Add folder…"));
    connect(addFiles, &QPushButton::clicked, this, [this] { add(widgets::askForFiles(this)); });
    connect(addFolder, &QPushButton::clicked, this, [this] {
        if (const QString folder = widgets::askForFolder(this); !folder.isEmpty()) add({folder});
    });
    connect(m_remove, &QPushButton::clicked, this, &PathList::removeCurrent);
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) { m_remove->setEnabled(row >= 0); });
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    for (QPushButton* button : {addFiles, addFolder, m_remove})
        buttons->addWidget(button);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_list);
    layout->addLayout(buttons);
    showPaths();
}

void PathList::setPaths(const std::vector<std::string>& paths) {
    if (paths == m_paths) return;
    m_paths = paths;
    showPaths();
}

void PathList::showPaths() {
    m_list->clear();
    for (const std::string& path : m_paths) {
        auto* item = new QListWidgetItem(QString::fromStdString(path), m_list);
        item->setToolTip(item->text());
    }
    const int rows = std::clamp(static_cast<int>(m_paths.size()), 1, kMaxRowsShown);
    m_list->setFixedHeight(rows * (fontMetrics().height() + 6) + 4);
    m_list->setVisible(!m_paths.empty());
    m_remove->setEnabled(m_list->currentRow() >= 0);
    m_remove->setVisible(!m_paths.empty());
}

void PathList::add(const QStringList& paths) {
    std::vector<std::string> all = m_paths;
    for (const QString& path : paths)
        if (std::ranges::find(all, path.toStdString()) == all.end()) all.push_back(path.toStdString());
    if (all == m_paths) return;
    setPaths(all);
    emit edited(all);
}

void PathList::removeCurrent() {
    const int row = m_list->currentRow();
    if (row < 0) return;
    std::vector<std::string> rest = m_paths;
    rest.erase(rest.begin() + row);
    setPaths(rest);
    emit edited(rest);
}

void PathList::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void PathList::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) paths.append(url.toLocalFile());
    add(paths);
    event->acceptProposedAction();
}

} // namespace roundpipe::ui::editors
