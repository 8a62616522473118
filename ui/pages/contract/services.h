// What every page works with. Owned by the program, and alive as long as the window.
#pragma once

#include "ui/bridge/run_controller.h"
#include "ui/bridge/workbench_controller.h"
#include "ui/document/document.h"
#include "ui/pages/contract/project_plan.h"
#include "ui/pages/contract/run_commands.h"
#include "ui/preferences/preferences.h"
#include "ui/theme/theme_manager.h"

namespace roundpipe::ui::pages {

struct Services {
    document::Document& document;
    bridge::RunController& run;
    bridge::WorkbenchController& workbench;
    ProjectPlan& plan;
    theme::ThemeManager& themes;
    preferences::Preferences& preferences;
    RunCommands& commands;
};

} // namespace roundpipe::ui::pages
