// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/page_list.h"

#include "ui/pages/data/data_page.h"
#include "ui/pages/model/model_page.h"
#include "ui/pages/plan/plan_page.h"
#include "ui/pages/playground/playground_page.h"
#include "ui/pages/queue/queue_page.h"
#include "ui/pages/results/results_page.h"
#include "ui/pages/run/run_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/settings/settings_page.h"
#include "ui/pages/start/start_page.h"

namespace roundpipe::ui::pages {

std::vector<Page*> makePages(const Services& services) {
    return {
        new StartPage(services), new ModelPage(services),      new DataPage(services),    new SettingsPage(services),
        new PlanPage(services),  new RunPage(services),        new ResultsPage(services), new RunsPage(services),
        new QueuePage(services), new PlaygroundPage(services),
    };
}

} // namespace roundpipe::ui::pages
