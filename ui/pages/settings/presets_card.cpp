// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/settings/presets_card.h"

#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace roundpipe::ui::pages {
namespace {

QString ownKey() {
    return QStringLiteral("settings/presets");
}

} // namespace

PresetsCard::PresetsCard(const Services& services, QWidget* parent)
    : Card(tr("Presets"), parent), m_services(services), m_times(services) {
    auto* save = new QPushButton(tr("Save as…"));
    save->setObjectName(QStringLiteral("link"));
    titleRow()->addWidget(save);
    connect(save, &QPushButton::clicked, this, &PresetsCard::askForName);
    connect(&m_times, &PresetTimes::changed, this, [this](const QString& preset) {
        const auto label = m_timeLabels.find(preset);
        if (label != m_timeLabels.end()) label->second->setText(m_times.timeOf(preset));
    });
    const auto follow = [this] { // the presets depend on the method
        m_times.setPresets(presets());
        showPresets();
    };
    connect(&services.document, &document::Document::opened, this, follow);
    connect(&services.document, &document::Document::changed, this, follow);
    follow();
}

void PresetsCard::setWatched(bool watched) {
    m_times.setWatched(watched);
}

std::vector<document::Preset> PresetsCard::presets() const {
    std::vector<document::Preset> all = document::builtInPresets(m_services.document.spec().method);
    const QVariantMap own = m_services.preferences.value(ownKey()).toMap();
    for (auto preset = own.begin(); preset != own.end(); ++preset)
        all.push_back(document::presetFromText(preset.key(), preset.value().toString().toStdString()));
    return all;
}

void PresetsCard::showPresets() {
    delete m_list;
    m_timeLabels.clear();
    m_list = new QWidget;
    auto* rows = new QVBoxLayout(m_list);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(6);
    for (const document::Preset& preset : presets())
        addRow(preset, *rows);
    body()->addWidget(m_list);
}

void PresetsCard::addRow(const document::Preset& preset, QVBoxLayout& rows) {
    const bool inUse = isInUse(preset, m_services.document.spec());
    auto* name = new QLabel(inUse ? tr("%1 · in use").arg(preset.name) : preset.name);
    name->setTextFormat(Qt::PlainText);
    name->setObjectName(inUse ? QStringLiteral("title") : QString());
    auto* description = new QLabel(preset.description);
    description->setObjectName(QStringLiteral("dim"));
    description->setWordWrap(true);
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(name);
    words->addWidget(description);
    auto* row = new QHBoxLayout;
    row->addLayout(words, 1);
    if (preset.isOwn) {
        auto* remove = new QPushButton(tr("Forget"));
        remove->setObjectName(QStringLiteral("link"));
        remove->setAccessibleName(tr("Forget the preset %1").arg(preset.name));
        connect(remove, &QPushButton::clicked, this, [this, own = preset.name] { forget(own); });
        row->addWidget(remove);
    }
    auto* time = new QLabel(m_times.timeOf(preset.name));
    time->setToolTip(tr("How long the whole run would take with it"));
    time->setAccessibleName(tr("The whole run with the preset %1").arg(preset.name));
    m_timeLabels[preset.name] = time;
    row->addWidget(time);
    auto* use = new QPushButton(tr("Use"));
    use->setAccessibleName(tr("Use the preset %1").arg(preset.name));
    use->setEnabled(!inUse && !preset.values.empty());
    connect(use, &QPushButton::clicked, this, [this, preset] {
        m_services.document.change(tr("Use the preset “%1”").arg(preset.name),
                                   [&](session::RunSpec& spec) { apply(preset, spec); });
    });
    row->addWidget(use);
    rows.addLayout(row);
}

void PresetsCard::askForName() {
    const QString name = QInputDialog::getText(this, tr("Save the settings as a preset"), tr("Name of the preset:"));
    if (!name.trimmed().isEmpty()) saveAs(name.trimmed());
}

void PresetsCard::saveAs(const QString& name) {
    QVariantMap own = m_services.preferences.value(ownKey()).toMap();
    own[name] = QString::fromStdString(document::presetText(m_services.document.spec()));
    m_services.preferences.set(ownKey(), own);
    m_times.setPresets(presets());
    showPresets();
}

// Later, as the button that asks for it lies in the list that is made anew.
void PresetsCard::forget(const QString& name) {
    QVariantMap own = m_services.preferences.value(ownKey()).toMap();
    own.remove(name);
    m_services.preferences.set(ownKey(), own);
    QMetaObject::invokeMethod(this, &PresetsCard::showPresets, Qt::QueuedConnection);
}

} // namespace roundpipe::ui::pages
