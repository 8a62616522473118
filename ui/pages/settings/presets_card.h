// Sets of settings to choose from, and the user's own.
#pragma once

#include "ui/document/presets.h"
#include "ui/pages/contract/services.h"
#include "ui/widgets/card.h"

class QVBoxLayout;

namespace roundpipe::ui::pages {

class PresetsCard : public widgets::Card {
    Q_OBJECT
public:
    explicit PresetsCard(const Services& services, QWidget* parent = nullptr);
    void saveAs(const QString& name); // the settings as they stand

private:
    std::vector<document::Preset> presets() const;
    void addRow(const document::Preset& preset, QVBoxLayout& rows);
    void showPresets();
    void askForName();
    void forget(const QString& name);

    Services m_services;
    QWidget* m_list = nullptr;
};

} // namespace roundpipe::ui::pages
