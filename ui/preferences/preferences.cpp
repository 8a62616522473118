// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/preferences/preferences.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace roundpipe::ui::preferences {
namespace {

constexpr qsizetype kMaxRecent = 20;

QString recentKey() {
    return QStringLiteral("projects/recent");
}

QString namesKey() {
    return QStringLiteral("projects/names");
}

QString nameOf(const std::filesystem::path& file) {
    return QString::fromStdString(file.string());
}

// Sections, remarks and key=value: Qt itself takes any line, so that zeros or another format count as an empty file,
// which the next change would overwrite.
bool isReadable(const std::filesystem::path& file) {
    if (QSettings(nameOf(file), QSettings::IniFormat).status() == QSettings::FormatError) return false;
    QFile content(nameOf(file));
    if (!content.open(QIODevice::ReadOnly)) return true; // there is none
    return std::ranges::all_of(content.readAll().split('\n'), [](const QByteArray& line) {
        return line.isEmpty() || line.startsWith('[') || line.startsWith(';') || line.contains('=');
    });
}

} // namespace

Preferences::Preferences(const std::filesystem::path& file, QObject* parent)
    : QObject(parent), m_problem(keepAsideIfBroken(file)), m_settings(nameOf(file), QSettings::IniFormat) {}

// Before it is opened for good: what is remembered next would overwrite it.
QString Preferences::keepAsideIfBroken(const std::filesystem::path& file) {
    if (isReadable(file)) return {};
    const std::filesystem::path aside = file.parent_path() / (file.stem().string() + ".broken.ini");
    std::error_code failed;
    std::filesystem::rename(file, aside, failed);
    if (failed) return tr("The window's settings in %1 could not be read and start anew.").arg(nameOf(file));
    return tr("The window's settings could not be read and start anew. The old file is kept as %1.").arg(nameOf(aside));
}

QStringList Preferences::recentProjects() const {
    QStringList files = m_settings.value(recentKey()).toStringList();
    files.removeIf([](const QString& file) { return !QFileInfo::exists(file); });
    return files;
}

QString Preferences::nameOfRecent(const QString& runFile) const {
    return m_settings.value(namesKey()).toMap().value(runFile).toString();
}

void Preferences::addRecentProject(const QString& runFile, const QString& name) {
    QStringList files = m_settings.value(recentKey()).toStringList();
    QVariantMap names = m_settings.value(namesKey()).toMap();
    if (files.value(0) == runFile && names.value(runFile).toString() == name) return;
    files.removeAll(runFile);
    files.prepend(runFile);
    files = files.mid(0, kMaxRecent);
    names.insert(runFile, name);
    names.removeIf([&](const QVariantMap::iterator& entry) { return !files.contains(entry.key()); });
    m_settings.setValue(namesKey(), names);
    setRecent(files);
}

void Preferences::forgetRecentProject(const QString& runFile) {
    QStringList files = m_settings.value(recentKey()).toStringList();
    files.removeAll(runFile);
    setRecent(files);
}

void Preferences::setRecent(const QStringList& files) {
    m_settings.setValue(recentKey(), files);
    emit recentProjectsChanged();
}

} // namespace roundpipe::ui::preferences
