// SPDX-License-Identifier: GPL-3.0-or-later
// Models with pictures, of which the text part alone is trained, asked and exported: which they are, and how their
// tensors are called. Names are those of parameters as transformers has them since 4.52, and PEFT with it:
// "model.language_model.layers.0.self_attn.q_proj.weight", and "lm_head.weight" beside that; what sees pictures lies in
// "model.vision_tower" and "model.multi_modal_projector". Published folders store the same under older names.
#pragma once

#include "arch/model_config.h"

#include <string>
#include <string_view>

namespace roundpipe::arch {

bool isTextPartAlone(const ModelConfig& config);
// What the names of the decoder's tensors begin with: "model." or "model.language_model.".
std::string_view decoderPrefix(const ModelConfig& config);

// The parameter that a stored tensor is: "language_model.model.norm.weight" is "model.language_model.norm.weight".
// Names of models that are text alone are parameters as they are.
std::string parameterOf(std::string_view stored);
// Of a parameter of a model with pictures: its older name.
std::string olderNameOf(std::string_view parameter);
// Of a parameter or a module: whether it belongs to the text part of a model with pictures, or to what sees those.
bool isOfTextPart(std::string_view parameter);
bool isOfPictures(std::string_view parameter);

} // namespace roundpipe::arch
