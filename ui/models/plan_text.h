// SPDX-License-Identifier: GPL-3.0-or-later
// What the planner says as codes and numbers, in the user's words.
#pragma once

#include "arch/model_outline.h"
#include "plan/compare/rivals.h"
#include "plan/remedies/fix.h"
#include "session/engine.h"
#include "session/planning/plan_answer.h"
#include "session/spec/run_shape.h"

#include <QString>

namespace roundpipe::ui::models {

QString deviceText(const plan::Rig& rig, int32_t device); // "GPU 2", "Worker 0"
QString rigText(const plan::Rig& rig);                    // "2 × RTX 4090 + 3 CPU workers (this machine)"
QString rigText(const std::string& rigName);              // of a rig's name

// Why a plan cannot run, in a sentence; equal devices are said once. Empty where it can.
QString misfitText(const plan::Misfit& misfit, const plan::Rig& rig);
// In few words: "GPU 0 needs 3.2 GiB more", where a memory is what is missing; else as misfitText().
QString shortfallText(const plan::Misfit& misfit, const plan::Rig& rig);

QString changeText(const plan::Fix& fix);                 // "Sequences of at most 1024 tokens"
QString costText(const plan::Fix& fix);                   // "4.1 k tokens/s; longer examples are cut off"
QString drawbackText(const plan::Fix& fix);               // "longer examples are cut off"
QString changesText(const std::vector<plan::Fix>& fixes); // of all that are made at once
// That these changes are enough together, and the speed with them. There is at least one. `isFaster`: others are enough
// alone, and slower.
QString togetherText(const std::vector<plan::Fix>& together, bool isFaster);

QString scheduleName(plan::ComparedSchedule schedule);
QString howText(const plan::Rival& rival); // "8 stages bound to their devices"
// Which of the schedules compared would be faster than the plan, and which setting asks for it; empty: none would.
QString fasterText(const plan::EvaluatedPlan& choice, const std::vector<plan::Rival>& rivals);
QString outlineText(const plan::PlanOutline& outline); // "3 forward stages, a fused stage of 2 layers, …"

// "4 chosen microbatches of 1 × 1845 tokens in 4 rounds", or without their sizes.
QString microbatchesText(const session::PlanAnswer& answer);
QString sizedMicrobatchesText(const session::PlanAnswer& answer);
QString lengthsText(const session::LengthsSource& source); // "counted in 1,234 examples"
QString modelText(const arch::ModelOutline& model);        // "Qwen3, 28 blocks, hidden 2048, 1.72 B parameters"
QString briefModelText(const arch::ModelOutline& model);   // "Qwen3 1.72 B"
// "embedding", "block 7", "head"
QString layerText(int32_t layer, int32_t numLayers);
// Which device takes a stage in the first step: its name, or its number for small marks; where there are replicas,
// each.
QString deviceText(const session::RunPlan& plan, const plan::Stage& stage);
QString deviceMark(const plan::Plan& plan, const plan::Stage& stage);

} // namespace roundpipe::ui::models
