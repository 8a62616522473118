// SPDX-License-Identifier: GPL-3.0-or-later
// Sets of settings to choose from, and the user's own, each with the time that the run would take.
#pragma once

#include "ui/document/presets.h"
#include "ui/pages/contract/services.h"
#include "ui/pages/settings/preset_times.h"
#include "ui/widgets/card.h"

class QLabel;
class QVBoxLayout;

namespace roundpipe::ui::pages {

class PresetsCard : public widgets::Card {
    Q_OBJECT
public:
    explicit PresetsCard(const Services& services, QWidget* parent = nullptr);
    void saveAs(const QString& name); // the settings as they stand
    void setWatched(bool watched);    // times are worked out while someone looks

private:
    std::vector<document::Preset> presets() const;
    void addRow(const document::Preset& preset, QVBoxLayout& rows);
    void showPresets();
    void askForName();
    void forget(const QString& name);

    Services m_services;
    PresetTimes m_times;
    QWidget* m_list = nullptr;
    std::map<QString, QLabel*> m_timeLabels; // by the preset's name
};

} // namespace roundpipe::ui::pages
