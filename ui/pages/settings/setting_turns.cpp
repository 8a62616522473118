// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/settings/setting_turns.h"

#include "base/spelling.h"
#include "session/spec/run_shape.h"
#include "ui/editors/field_text.h"
#include "ui/pages/settings/setting_sections.h"

#include <utility>

namespace roundpipe::ui::pages {
namespace {

using session::FieldValue;
using Texts = std::vector<std::string>;

class TurnList {
public:
    TurnList(const session::RunSpec& spec, const session::PlanAnswer& base) : m_spec(spec), m_base(base) {}

    void addDoubled(const char* key) { addDoubled(key, m_spec); }
    // Some more of what the spec may leave open is as the plan has it.
    void addDoubled(const char* key, session::RunSpec spec) {
        const auto value = std::get<int64_t>(session::fieldByKey(key).get(spec));
        if (value > 0) add(key, 2 * value, std::move(spec));
    }
    void addMicrobatchSize() {
        session::RunSpec spec = m_spec;
        if (spec.batch.microbatchSize == 0)
            spec.batch.microbatchSize = session::stepRulesOf(session::asPlanned(spec, m_base)).microbatchSize;
        addDoubled("batch.microbatch_size", std::move(spec));
    }
    // Weights in fewer bits are frozen ones.
    void addMethod() {
        session::RunSpec spec = m_spec;
        const bool isFull = spec.method == Method::kFull;
        if (!isFull) spec.model.weights = WeightFormat::kAsIs;
        add("method", std::string(spellingOf(isFull ? Method::kLora : Method::kFull)), std::move(spec));
    }
    // Four bits are mxfp4 as well, of experts alone.
    void addWeights() {
        if (m_spec.method == Method::kFull) return;
        for (const WeightFormat format :
             {WeightFormat::kAsIs, WeightFormat::kFp8, WeightFormat::kInt8, WeightFormat::kNf4})
            if (format != m_spec.model.weights) add("model.weights", std::string(spellingOf(format)));
    }
    // fp16 takes as much of everything as bf16.
    void addPrecision() {
        const bool isHalf = sizeOf(m_base.training.operandType) == 2;
        add("engine.precision", std::string(spellingOf(isHalf ? Precision::kFp32 : Precision::kBf16)));
    }
    void addTargets() {
        const bool areAll = m_spec.lora.targets == Texts{"all-linear"};
        add("lora.targets", areAll ? Texts{"q_proj", "v_proj"} : Texts{"all-linear"});
    }
    void addTrainedWhole() {
        if (m_spec.lora.modulesToSave.empty()) add("lora.modules_to_save", Texts{"embed_tokens"});
    }
    void addReplicas() {
        if (m_base.rig.numDevices() < 2) return;
        const bool has = m_base.choice.plan.replicas > 1;
        add("engine.replicas", std::string(spellingOf(has ? Replicas::kNever : Replicas::kAlways)));
    }
    // All choices but the present one.
    void addOthers(const char* key) {
        const session::Field& field = session::fieldByKey(key);
        for (const std::string& choice : field.choices)
            if (field.get(m_spec) != FieldValue(choice)) add(key, choice);
    }

    std::vector<SettingTurn> take() { return std::move(m_turns); }

private:
    void add(const char* key, const FieldValue& value) { add(key, value, m_spec); }
    void add(const char* key, const FieldValue& value, session::RunSpec spec) {
        const session::Field& field = session::fieldByKey(key);
        if (!whyIdle(field, m_spec.method).isEmpty()) return;
        field.set(spec, value);
        m_turns.push_back({key, editors::shownValue(field, value), std::move(spec)});
    }

    const session::RunSpec& m_spec;
    const session::PlanAnswer& m_base;
    std::vector<SettingTurn> m_turns;
};

} // namespace

std::vector<SettingTurn> settingTurns(const session::RunSpec& spec, const session::PlanAnswer& base) {
    TurnList turns(spec, base);
    turns.addDoubled("lora.rank"); // first those that the simple page shows
    turns.addMethod();
    turns.addDoubled("data.max_length");
    turns.addMicrobatchSize();
    turns.addDoubled("batch.microbatches", session::asPlanned(spec, base));
    turns.addTargets();
    turns.addTrainedWhole();
    turns.addDoubled("batch.rounds");
    turns.addDoubled("batch.tokens_per_step");
    turns.addDoubled("batch.microbatch_tokens");
    turns.addOthers("batch.packing");
    turns.addOthers("optimizer.moments");
    turns.addOthers("optimizer.updates");
    turns.addWeights();
    turns.addPrecision();
    turns.addOthers("engine.determinism");
    turns.addReplicas();
    return turns.take();
}

} // namespace roundpipe::ui::pages
