// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenes.h"

#include "studio/scenes/data_scenes.h"
#include "studio/scenes/help_scenes.h"
#include "studio/scenes/model_scenes.h"
#include "studio/scenes/plan_scenes.h"
#include "studio/scenes/playground_scenes.h"
#include "studio/scenes/queue_scenes.h"
#include "studio/scenes/results_scenes.h"
#include "studio/scenes/run_scenes.h"
#include "studio/scenes/runs_scenes.h"
#include "studio/scenes/settings_scenes.h"
#include "studio/scenes/start_scenes.h"
#include "studio/scenes/trace_scenes.h"

namespace roundpipe::testing {

const std::vector<Scene>& scenes() {
    static const std::vector<Scene> all = [] {
        std::vector<Scene> scenes;
        for (const auto& ofPage :
             {startScenes(), modelScenes(), dataScenes(), settingsScenes(), planScenes(), runScenes(), resultsScenes(),
              runsScenes(), queueScenes(), playgroundScenes(), traceScenes(), helpScenes()})
            scenes.insert(scenes.end(), ofPage.begin(), ofPage.end());
        return scenes;
    }();
    return all;
}

} // namespace roundpipe::testing
