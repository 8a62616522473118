// SPDX-License-Identifier: GPL-3.0-or-later
// Good answers as rows of a dataset: which file they go to, and how it becomes the project's.
#pragma once

#include "session/conversation.h"
#include "ui/pages/contract/services.h"

#include <QObject>

#include <filesystem>
#include <vector>

namespace roundpipe::ui::pages {

class GoodRows : public QObject {
    Q_OBJECT
public:
    explicit GoodRows(const Services& services, QObject* parent = nullptr);

    std::filesystem::path file() const; // that was chosen last, else one beside the project
    void setFile(const std::filesystem::path& file);
    bool isOfProject() const; // it is among the files that the project trains on
    void addToProject();

    void append(std::vector<session::ChatMessage> row); // ends in appended() or failed()

signals:
    void appended();
    void failed(const QString& message, const QString& advice);

private:
    Services m_services;
};

} // namespace roundpipe::ui::pages
