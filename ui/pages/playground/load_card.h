// SPDX-License-Identifier: GPL-3.0-or-later
// What is to be loaded: whose answers, on which device, with what it takes; and how far the loading is.
#pragma once

#include "session/chat_memory.h"
#include "session/spec/run_spec_fields.h"
#include "ui/pages/contract/services.h"
#include "ui/pages/playground/chat_sources.h"
#include "ui/widgets/card.h"

#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace roundpipe::ui::editors {
class NumberBox;
}
namespace roundpipe::ui::widgets {
class ElidedLabel;
}

namespace roundpipe::ui::pages {

class SourceRows;

class LoadCard : public widgets::Card {
    Q_OBJECT
public:
    explicit LoadCard(const Services& services, QWidget* parent = nullptr);

    // The project's newest run, whose result is offered first; empty: it has none.
    void setRunOfProject(const std::filesystem::path& folder);
    void refresh();                                           // what runs have left by now
    void choose(const std::filesystem::path& adapterOrModel); // where it is offered

    void load();
    // The model that answers, as the page names it: of what was loaded last.
    QString modelName() const;
    QString deviceName() const;

signals:
    void choiceChanged();

private:
    // What loading it would take, and the room for a conversation that it is given where nobody says otherwise.
    struct Needs {
        std::optional<session::ChatMemory> memory;
        int64_t usualRoom = 0;
    };
    static Needs needsOf(const session::ChatSetup& wanted, bool onGpu);
    QWidget* buildForm();
    QWidget* buildFoot();
    QWidget* buildModel();
    QWidget* buildControl(const session::Field& field);
    void chooseModel();
    void takeModel(const std::filesystem::path& model);
    void takeSources(std::vector<ChatSource> found);
    void fillDevices();
    void follow();   // the engine, the run, and what is being loaded
    void askNeeds(); // of the present choice
    void takeNeeds(const Needs& needs);
    void showNeeds();
    QString whyNot() const; // in words; empty: it can be loaded now
    session::ChatSetup setup() const;
    bool isOnGpu() const;

    Services m_services;
    std::filesystem::path m_ofProject, m_model;
    session::RunSpec m_settings; // precision and template of it
    SourceRows* m_sources;
    QPushButton *m_load, *m_cancel, *m_pause;
    QComboBox* m_device;
    editors::NumberBox* m_room;
    widgets::ElidedLabel* m_modelLabel;
    QLabel *m_needs, *m_why, *m_problem, *m_doing;
    QProgressBar* m_bar;
    QWidget *m_form, *m_progress;
    std::optional<session::ChatMemory> m_memory;
    bool m_isRoomChosen = false; // by the user: stays when another model is chosen
    int m_numAsked = 0;          // of needs
};

} // namespace roundpipe::ui::pages
