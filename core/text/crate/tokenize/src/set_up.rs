// SPDX-License-Identifier: GPL-3.0-or-later
//! The tokenizer that transformers' AutoTokenizer makes of a model folder, which is not quite the one of tokenizer.json.

use tokenizers::decoders::byte_fallback::ByteFallback;
use tokenizers::decoders::fuse::Fuse;
use tokenizers::decoders::sequence::Sequence;
use tokenizers::decoders::strip::Strip;
use tokenizers::normalizers::replace::Replace;
use tokenizers::pre_tokenizers::metaspace::{Metaspace, PrependScheme};
use tokenizers::processors::template::TemplateProcessing;
use tokenizers::{AddedToken, DecoderWrapper, NormalizerWrapper, Result, Tokenizer};

use crate::settings::{Settings, SPECIAL_NAMES};

/// Text and id (where the vocabulary has it) of the special tokens, by the order of SPECIAL_NAMES.
pub type NamedTokens = [Option<(String, Option<u32>)>; SPECIAL_NAMES.len()];

/// `tokenizer_json`: the file that `tokenizer` was read from.
pub fn set_up(
    mut tokenizer: Tokenizer,
    tokenizer_json: &[u8],
    settings: &Settings,
) -> Result<(Tokenizer, NamedTokens)> {
    tokenizer.with_truncation(None)?;
    tokenizer.with_padding(None);
    if is_metaspace_llama(settings, tokenizer_json) {
        set_up_llama(&mut tokenizer, settings)?;
    }
    add_tokens(&mut tokenizer, settings)?;
    let named = SPECIAL_NAMES.map(|name| {
        let text = settings.named_tokens.iter().find(|(key, _)| key == name)?.1.clone();
        let id = tokenizer.token_to_id(&text);
        Some((text, id))
    });
    set_post_processor(&mut tokenizer, settings, &named)?;
    Ok((tokenizer, named))
}

/// transformers builds a LlamaTokenizer anew, whatever tokenizer.json says beyond vocabulary and merges, unless that is
/// byte-level or the folder's config.json names another kind of model.
fn is_metaspace_llama(settings: &Settings, tokenizer_json: &[u8]) -> bool {
    let byte_level = b"\"ByteLevel\"";
    settings.class.as_deref() == Some("LlamaTokenizer")
        && settings.model_type.as_deref().is_none_or(|kind| kind == "llama")
        && !tokenizer_json.windows(byte_level.len()).any(|window| window == byte_level)
}

fn set_up_llama(tokenizer: &mut Tokenizer, settings: &Settings) -> Result<()> {
    let prefix_space = settings.add_prefix_space.unwrap_or(true);
    let scheme = match (prefix_space, settings.legacy.unwrap_or(false)) {
        (false, _) => PrependScheme::Never,
        (true, true) => PrependScheme::Always,
        (true, false) => PrependScheme::First,
    };
    tokenizer.with_normalizer(None::<NormalizerWrapper>)?;
    tokenizer.with_pre_tokenizer(Some(Metaspace::new('\u{2581}', scheme, false)));
    let mut decoders: Vec<DecoderWrapper> =
        vec![Replace::new("\u{2581}", " ")?.into(), ByteFallback::new().into(), Fuse::new().into()];
    if prefix_space {
        decoders.push(Strip::new(' ', 1, 0).into());
    }
    tokenizer.with_decoder(Some(Sequence::new(decoders)));
    Ok(())
}

/// Tokens that the config knows and tokenizer.json does not, and special ones that are not marked so there.
fn add_tokens(tokenizer: &mut Tokenizer, settings: &Settings) -> Result<()> {
    let known = tokenizer.get_added_tokens_decoder();
    let is_known = |token: &AddedToken| known.values().any(|k| k.content == token.content);
    let missing: Vec<AddedToken> = settings.added_tokens.iter().filter(|token| !is_known(token)).cloned().collect();
    tokenizer.add_tokens(missing)?;
    let known = tokenizer.get_added_tokens_decoder();
    let mut special = Vec::new();
    for text in settings.named_tokens.iter().map(|(_, text)| text).chain(&settings.extra_tokens) {
        let existing = known.values().find(|token| token.content == *text);
        special.push(match existing {
            Some(token) if token.special => continue,
            Some(token) => AddedToken { special: true, ..token.clone() },
            None => AddedToken::from(text.as_str(), true).normalized(false),
        });
    }
    tokenizer.add_special_tokens(special)?;
    Ok(())
}

/// add_bos_token and add_eos_token of the config replace what tokenizer.json adds around a text.
fn set_post_processor(tokenizer: &mut Tokenizer, settings: &Settings, named: &NamedTokens) -> Result<()> {
    let (bos, eos) = (settings.add_bos_token, settings.add_eos_token);
    if bos.is_none() && eos.is_none() {
        return Ok(());
    }
    let added = |wanted: Option<bool>, which: usize| -> Option<(String, u32)> {
        let (text, id) = named[which].as_ref().filter(|_| wanted == Some(true))?;
        Some((text.clone(), (*id)?))
    };
    let (bos, eos) = (added(bos, 0), added(eos, 1));
    let mut single: Vec<String> = Vec::new();
    single.extend(bos.iter().map(|(text, _)| text.clone()));
    single.push("$A".into());
    single.extend(eos.iter().map(|(text, _)| text.clone()));
    let tokens: Vec<(String, u32)> = bos.into_iter().chain(eos).collect();
    let template = TemplateProcessing::builder().try_single(single)?.special_tokens(tokens).build();
    tokenizer.with_post_processor(Some(template.map_err(|error| error.to_string())?));
    Ok(())
}
