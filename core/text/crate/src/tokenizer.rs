//! Hugging Face tokenizers as transformers sets them up from a model folder.

use std::path::Path;

use ahash::AHashSet;
use tokenizers::decoders::byte_fallback::ByteFallback;
use tokenizers::decoders::fuse::Fuse;
use tokenizers::decoders::sequence::Sequence;
use tokenizers::decoders::strip::Strip;
use tokenizers::normalizers::replace::Replace;
use tokenizers::pre_tokenizers::metaspace::{Metaspace, PrependScheme};
use tokenizers::processors::template::TemplateProcessing;
use tokenizers::{AddedToken, DecoderWrapper, NormalizerWrapper};

use crate::failure::{Failure, FailureKind, Outcome};
use crate::folder::{Folder, SPECIAL_NAMES};
use crate::words::{Tokens, Words};

pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    words: Option<Words>,
    special_ids: AHashSet<u32>,
    /// By the order of SPECIAL_NAMES.
    named: [Option<(String, Option<u32>)>; SPECIAL_NAMES.len()],
}

pub struct Encoding {
    pub ids: Vec<u32>,
    /// Byte ranges of the text.
    pub offsets: Vec<(usize, usize)>,
    pub special: Vec<u8>,
}

const CONVERT: &str =
    "Convert it once with transformers: AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER)";

impl Tokenizer {
    pub fn open(folder: &Path) -> Outcome<Self> {
        let path = folder.join("tokenizer.json");
        if !path.is_file() {
            return Err(missing(folder));
        }
        let bytes = std::fs::read(&path)
            .map_err(|error| Failure::new(FailureKind::Io, format!("cannot read {}: {error}", path.display()), ""))?;
        let invalid = |error: tokenizers::Error| Failure::invalid(format!("{}: {error}", path.display()));
        let mut inner = tokenizers::Tokenizer::from_bytes(&bytes).map_err(invalid)?;
        let settings = Folder::read(folder)?;
        inner.with_truncation(None).map_err(invalid)?;
        inner.with_padding(None);
        if is_metaspace_llama(&settings, &bytes) {
            set_up_llama(&mut inner, &settings).map_err(invalid)?;
        }
        add_tokens(&mut inner, &settings).map_err(invalid)?;
        let named_tokens = settings.named_tokens();
        let named = SPECIAL_NAMES.map(|name| {
            let text = named_tokens.iter().find(|(key, _)| key == name)?.1.clone();
            let id = inner.token_to_id(&text);
            Some((text, id))
        });
        set_post_processor(&mut inner, &settings, &named).map_err(invalid)?;
        let added = inner.get_added_tokens_decoder();
        let special_ids = added.iter().filter(|(_, token)| token.special).map(|(id, _)| *id).collect();
        let words = Words::of(&inner);
        Ok(Self { inner, words, special_ids, named })
    }

    pub fn encode(&self, text: &str, add_special_tokens: bool) -> Outcome<Encoding> {
        let short_way = self.words.as_ref().and_then(|words| words.encode(&self.inner, text, add_special_tokens));
        let long_way = || {
            let encoding = self.inner.encode(text, add_special_tokens)?;
            Ok(Tokens { ids: encoding.get_ids().to_vec(), offsets: encoding.get_offsets().to_vec() })
        };
        let Tokens { ids, offsets } = short_way.unwrap_or_else(long_way).map_err(internal)?;
        let special = ids.iter().map(|id| u8::from(self.is_special(*id))).collect();
        Ok(Encoding { ids, offsets, special })
    }

    pub fn decode(&self, ids: &[u32], skip_special_tokens: bool) -> Outcome<String> {
        if let Some(id) = ids.iter().find(|id| self.inner.id_to_token(**id).is_none()) {
            return Err(Failure::invalid(format!(
                "the token id {id} is not in the vocabulary of {} tokens",
                self.vocab_size()
            )));
        }
        self.inner.decode(ids, skip_special_tokens).map_err(internal)
    }

    pub fn token_to_id(&self, token: &str) -> Option<u32> {
        self.inner.token_to_id(token)
    }

    pub fn id_to_token(&self, id: u32) -> Option<String> {
        self.inner.id_to_token(id)
    }

    pub fn vocab_size(&self) -> usize {
        self.inner.get_vocab_size(true)
    }

    pub fn is_special(&self, id: u32) -> bool {
        self.special_ids.contains(&id)
    }

    pub fn named(&self, which: usize) -> Option<&(String, Option<u32>)> {
        self.named.get(which)?.as_ref()
    }
}

fn internal(error: tokenizers::Error) -> Failure {
    Failure::new(FailureKind::Internal, format!("the tokenizer failed: {error}"), "")
}

fn missing(folder: &Path) -> Failure {
    let other = ["tokenizer.model", "tokenizer.model.v3", "tekken.json", "vocab.json", "vocab.txt", "spiece.model"]
        .into_iter()
        .find(|name| folder.join(name).is_file());
    match other {
        Some(name) => Failure::new(
            FailureKind::Unsupported,
            format!("{} has {name} but no tokenizer.json, the only form of tokenizer that is read", folder.display()),
            format!("{CONVERT}, or take a copy of the model that has a tokenizer.json."),
        ),
        None => Failure::new(
            FailureKind::InvalidInput,
            format!("the tokenizer is missing: there is no {}", folder.join("tokenizer.json").display()),
            "Copy tokenizer.json and tokenizer_config.json of the model into its folder.",
        ),
    }
}

/// transformers builds a LlamaTokenizer anew, whatever tokenizer.json says beyond vocabulary and merges, unless that is
/// byte-level or the folder's config.json names another kind of model.
fn is_metaspace_llama(settings: &Folder, tokenizer_json: &[u8]) -> bool {
    let byte_level = b"\"ByteLevel\"";
    settings.tokenizer_class() == Some("LlamaTokenizer")
        && settings.model_type.as_deref().map_or(true, |kind| kind == "llama")
        && !tokenizer_json.windows(byte_level.len()).any(|window| window == byte_level)
}

fn set_up_llama(inner: &mut tokenizers::Tokenizer, settings: &Folder) -> tokenizers::Result<()> {
    let prefix_space = settings.flag("add_prefix_space").unwrap_or(true);
    let scheme = match (prefix_space, settings.flag("legacy").unwrap_or(false)) {
        (false, _) => PrependScheme::Never,
        (true, true) => PrependScheme::Always,
        (true, false) => PrependScheme::First,
    };
    inner.with_normalizer(None::<NormalizerWrapper>)?;
    inner.with_pre_tokenizer(Some(Metaspace::new('\u{2581}', scheme, false)));
    let mut decoders: Vec<DecoderWrapper> =
        vec![Replace::new("\u{2581}", " ")?.into(), ByteFallback::new().into(), Fuse::new().into()];
    if prefix_space {
        decoders.push(Strip::new(' ', 1, 0).into());
    }
    inner.with_decoder(Some(Sequence::new(decoders)));
    Ok(())
}

/// Tokens that the config knows and tokenizer.json does not, and special ones that are not marked so there.
fn add_tokens(inner: &mut tokenizers::Tokenizer, settings: &Folder) -> tokenizers::Result<()> {
    let known = inner.get_added_tokens_decoder();
    let is_known = |token: &AddedToken| known.values().any(|k| k.content == token.content);
    let missing: Vec<AddedToken> = settings.added_tokens.iter().filter(|token| !is_known(token)).cloned().collect();
    inner.add_tokens(missing)?;
    let known = inner.get_added_tokens_decoder();
    let mut special = Vec::new();
    for text in settings.named_tokens().into_iter().map(|(_, text)| text).chain(settings.extra_tokens()) {
        let existing = known.values().find(|token| token.content == text);
        special.push(match existing {
            Some(token) if token.special => continue,
            Some(token) => AddedToken { special: true, ..token.clone() },
            None => AddedToken::from(text, true).normalized(false),
        });
    }
    inner.add_special_tokens(special)?;
    Ok(())
}

/// add_bos_token and add_eos_token of the config replace what tokenizer.json adds around a text.
fn set_post_processor(
    inner: &mut tokenizers::Tokenizer,
    settings: &Folder,
    named: &[Option<(String, Option<u32>)>],
) -> tokenizers::Result<()> {
    let (bos, eos) = (settings.flag("add_bos_token"), settings.flag("add_eos_token"));
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
    inner.with_post_processor(Some(template.map_err(|error| error.to_string())?));
    Ok(())
}
