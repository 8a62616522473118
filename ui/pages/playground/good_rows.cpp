// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/playground/good_rows.h"

#include "base/error.h"
#include "base/user_folders.h"
#include "ui/document/dropped_files.h"

#include <algorithm>
#include <memory>

namespace roundpipe::ui::pages {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUsualName = "good-answers.jsonl";

QString fileKey() {
    return QStringLiteral("playground/rows");
}

} // namespace

GoodRows::GoodRows(const Services& services, QObject* parent) : QObject(parent), m_services(services) {}

fs::path GoodRows::file() const {
    const QString chosen = m_services.preferences.value(fileKey()).toString();
    if (!chosen.isEmpty()) return chosen.toStdString();
    const fs::path project = m_services.document.file();
    return (project.empty() ? userDataFolder() : project.parent_path()) / kUsualName;
}

void GoodRows::setFile(const fs::path& file) {
    m_services.preferences.set(fileKey(), QString::fromStdString(file.string()));
}

bool GoodRows::isOfProject() const {
    for (const session::DatasetSection& dataset : m_services.document.spec().data.datasets)
        for (const std::string& one : dataset.files)
            if (std::error_code gone; fs::equivalent(one, file(), gone)) return true;
    return false;
}

void GoodRows::addToProject() {
    document::take(m_services.document, {file()});
}

void GoodRows::append(std::vector<session::ChatMessage> row) {
    struct Outcome {
        QString message, advice;
    };
    const auto outcome = std::make_shared<Outcome>();
    m_services.runLibrary.perform(
        [outcome, append = m_services.appendRow, file = file(), row = std::move(row)](runs::RunLibrary&) {
            try {
                std::error_code failed;
                fs::create_directories(file.parent_path(), failed); // appending says why it can't be written
                append(file, row);
            } catch (const Error& error) {
                *outcome = {QString::fromStdString(error.message()), QString::fromStdString(error.advice())};
            }
        },
        *this,
        [this, outcome] {
            if (outcome->message.isEmpty())
                emit appended();
            else
                emit failed(outcome->message, outcome->advice);
        });
}

} // namespace roundpipe::ui::pages
