// SPDX-License-Identifier: GPL-3.0-or-later
// What every page works with. Owned by the program, and alive as long as the window.
#pragma once

#include "session/foreign_run.h"
#include "session/hub.h"
#include "ui/bridge/chat_controller.h"
#include "ui/bridge/export_controller.h"
#include "ui/bridge/queue_controller.h"
#include "ui/bridge/run_controller.h"
#include "ui/bridge/run_library_controller.h"
#include "ui/bridge/workbench_controller.h"
#include "ui/document/document.h"
#include "ui/pages/contract/project_plan.h"
#include "ui/pages/contract/run_commands.h"
#include "ui/preferences/preferences.h"
#include "ui/theme/theme_manager.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>

namespace roundpipe::ui::pages {

struct Services {
    document::Document& document;
    bridge::RunController& run;
    bridge::WorkbenchController& workbench;
    ProjectPlan& plan;
    theme::ThemeManager& themes;
    preferences::Preferences& preferences;
    RunCommands& commands;
    bridge::RunLibraryController& runLibrary;
    bridge::QueueController& queue;
    bridge::ExportController& exports;
    bridge::ChatController& chat;
    std::filesystem::path demo; // the demo's run file, not to be written; empty: it was not found
    // For questions of a page's own beside `plan`: what another rig, model or setting would do.
    std::function<std::unique_ptr<session::Planner>()> makePlanner;
    std::filesystem::path manual; // its folder, which may be missing
    // The door to Hugging Face's Hub, a new one for each dialog; empty: nothing is fetched from there.
    std::function<std::unique_ptr<session::Hub>()> makeHub = {};
    session::ForeignRunReader readForeignRun = {}; // empty: none are opened
    // Appends an exchange to a JSONL file, as a row to train on; throws as data::appendMessagesRow. Any thread.
    std::function<void(const std::filesystem::path& file, std::span<const session::ChatMessage> messages)> appendRow =
        {};
};

} // namespace roundpipe::ui::pages
