// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/export/chat_form.h"
#include "artifact/export/modelfile.h"
#include "artifact/merge/merged_model.h"
#include "base/file.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;

// The demo's folder with another template.
class ChatFormTest : public ::testing::Test {
protected:
    testing::TemporaryFolder folder;

    void SetUp() override {
        const fs::path demo = testing::sourceFolder() / "resources/demo/model";
        for (const char* name : {"config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors"})
            fs::copy_file(demo / name, folder.path() / name);
    }
    void useTemplate(const std::string& source) { writeFileAtomically(folder.path() / "chat_template.jinja", source); }
    std::string form() {
        const auto found = findChatForm(folder.path());
        return found ? std::string(found->form.name) + "|" + found->defaultSystem : "none";
    }
};

TEST_F(ChatFormTest, isFoundByWhatTheTemplateWrites) {
    EXPECT_EQ(form(), "ChatML|"); // the demo's own
    useTemplate("{% if messages[0].role != 'system' %}<|im_start|>system\nBe kind.<|im_end|>\n{% endif %}"
                "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
                "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}");
    EXPECT_EQ(form(), "ChatML|Be kind.");
    useTemplate(
        "{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n{{ m.content }}<|eot_id|>"
        "{% endfor %}{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}");
    EXPECT_EQ(form(), "Llama 3|");
}

// A blank more or less makes answers worse, so it is no form that is known.
TEST_F(ChatFormTest, isNoneWhereTheTemplateWritesOtherwise) {
    useTemplate("{% for m in messages %}<|im_start|>{{ m.role }} \n{{ m.content }}<|im_end|>\n{% endfor %}"
                "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}");
    EXPECT_EQ(form(), "none");
    useTemplate("{{ raise_exception('no talk') }}");
    EXPECT_EQ(form(), "none");
}

TEST_F(ChatFormTest, modelfileHasTemplateStopsAndContext) {
    const MergedModel model(folder.path(), {});
    const Modelfile file = modelfileOf(model, {true, 0});
    EXPECT_EQ(file.form, "ChatML");
    for (const char* line :
         {"FROM ./model.gguf\n", "ADAPTER ./adapter.gguf\n", "PARAMETER stop \"<|im_end|>\"\n",
          "PARAMETER num_ctx 512\n",
          "{{ if .System }}<|im_start|>system\n{{ .System }}<|im_end|>\n{{ end }}{{ range .Messages }}{{ if eq .Role "
          "\"user\" }}<|im_start|>user\n{{ .Content }}<|im_end|>\n{{ else if eq .Role \"assistant\" }}"
          "<|im_start|>assistant\n{{ .Content }}<|im_end|>\n{{ end }}{{ end }}<|im_start|>assistant\n\"\"\"\n"})
        EXPECT_NE(file.text.find(line), std::string::npos) << line << "\nin\n" << file.text;
    useTemplate("{{ raise_exception('no talk') }}");
    const Modelfile without = modelfileOf(MergedModel(folder.path(), {}), {false, 300});
    EXPECT_EQ(without.text.find("TEMPLATE \""), std::string::npos);
    EXPECT_EQ(without.text.find("ADAPTER"), std::string::npos);
    EXPECT_NE(without.text.find("num_ctx 300"), std::string::npos);
}

} // namespace
} // namespace roundpipe::artifact
