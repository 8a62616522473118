<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>CloseQuestion</name>
    <message>
        <source>A run is under way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run is still training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It can end after the running step and save checkpoint and adapter, so that it can be continued later.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop, save and close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep training</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message>
        <source>Would not start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rows to validate on stand among those to train on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nearly leak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rows to validate on are like one to train on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repeat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an earlier row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nearly repeat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without an end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a trained turn has no end: the model learns no stopping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with an empty turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a message says nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one-sided</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody asks: there is no user</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unanswered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the last message is not the assistant&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with two BOS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text starts with the token twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without BOS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tokenizer puts one before other texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 spell a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in a message becomes the special token itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Masks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>found by %1 in %2 rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 dropped: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>like %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; %1 is %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Language</name>
    <message>
        <source>Language of the system</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NextSteps</name>
    <message>
        <source>Ask it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train on</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Presets</name>
    <message>
        <source>First try</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 epoch, rank 8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Balanced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3 epochs, rank 16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thorough</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>5 epochs, rank 64</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 epochs, rank %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>simulated engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LibTorch engine</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>loss, smoothed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>validation loss (dashed)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Took</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 at first, %2 at best, %3 at last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss over the steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings (bold: not the default)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunSpec</name>
    <message>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Format version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version of this file&apos;s format.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the run is called in lists.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decides the order of rows, dropout and fresh weights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Method</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is trained: lora, adapters beside the frozen weights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hugging Face folder with config.json and safetensors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Template file that replaces the model folder&apos;s own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Template arguments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON object of extra variables for the template.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the weights from config.json alone, by the seed (for benchmarks).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base model id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the base model that is written into the adapter; empty: the folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base model revision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revision of the base model that is written into the adapter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files or folders with training rows: JSONL, JSON, CSV, TSV, Parquet, text; also .gz and .zst.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Row format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How a row is read; auto looks at its columns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fields that stand in columns of another name: prompt=question,completion=answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File with rows to validate on; empty: split off from the data.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the rows that is split off to validate on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation rows at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upper limit of rows that are split off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of an example at most.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longer rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happens to rows that are longer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which tokens the loss counts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn begins after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text that stands before each of the assistant&apos;s turns (\n: line feed); empty: the template tells.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn ends before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text that stands after each of the assistant&apos;s turns; given together with the one before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trained share at least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A run is not started if fewer of its tokens are trained; 0: whatever the share.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the tokenised rows in the user&apos;s cache folder, so that the next run need not make them again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shuffle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take rows in an order drawn by the seed, else in file order.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Template date</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Day that templates see, as 2026-01-31; empty: the day on which the run is made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank of the adapters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The adapters&apos; output is scaled by alpha / rank.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probability with which an adapter&apos;s input is dropped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank-stabilised</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale by alpha / sqrt(rank) instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linear layers that get an adapter: names such as q_proj, or all-linear.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start from adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adapter folder, as PEFT writes it, to go on from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak learning rate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the learning rate falls after the warm-up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warm-up steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps in which the rate rises from 0; wins over the ratio.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warm-up share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of all steps in which the rate rises.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decoupled weight decay of AdamW.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beta 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decay of the first moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beta 2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decay of the second moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Added to the denominator of the update.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clip norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradients are scaled down to this global norm; 0: never.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Microbatch size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Examples in a microbatch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Microbatches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Microbatches that go through the pipeline together.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rounds of microbatches in one optimizer step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens in an optimizer step, to the nearest example; 0: so many examples as size, microbatches and rounds say.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Microbatch tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens in a microbatch at most; 0: microbatch size times length where tokens or packing decide, else by examples.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Packing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which examples of a step share a microbatch: as drawn, of like length, or the fewest microbatches. The loss is the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often every row is trained on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer steps; 0: by epochs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>auto (every GPU, else a CPU worker per core), cpu, cpu:3 (three workers), cuda:0, ....</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type of weights and activations; auto: bf16 on GPUs, fp32 on CPU workers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Determinism</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>strict: the same bits on every run; fast: within tolerances.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers in each forward stage; empty: planned.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backward stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers in the fused stage and in each backward stage, from the head down; empty: planned.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder that receives metrics, checkpoints and the adapter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save every</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer steps between checkpoints; 0: at the end and on stop.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validate every</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer steps between validations; 0: at the end of every epoch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the trace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the timeline into the run folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>alpaca</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best-fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bf16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by-length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>completion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>constant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cosine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fp32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fp64</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last-assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>linear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lora</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>segments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sharegpt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>strict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>truncate</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunState</name>
    <message>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validating</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping after this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>Duration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batches and speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer and schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More learns the rows better, too many learn them by heart.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0: by epochs. There is no hidden limit of steps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quality only. Usual for adapters: 0.0001 to 0.0005.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much the adapter can learn. Usual: 8 to 64.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quality only. Usual: twice the rank.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Against learning by heart where rows are few; 0.05 is usual then.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewer layers train faster and learn less.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longer rows are cut there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Examples that go through a layer at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More keep all devices busy, and make fewer updates an epoch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Short examples share a microbatch. The loss is the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fp32 doubles memory and traffic. auto: bf16 on GPUs, fp32 on the processor.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>strict: the same bits on every run. fast: within tolerances, and quicker.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0: at the end and on stop. A crash costs what came after the last checkpoint.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StoredRun</name>
    <message>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>today %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yesterday %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::studio::EngineLibrary</name>
    <message>
        <source>%1 is not beside the program. Build it with packaging/run, or install it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not an engine of RoundPipe: it lacks %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::charts::CurvesChart</name>
    <message>
        <source>Curves of the chosen runs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::charts::LossChart</name>
    <message>
        <source>loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smoothed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>validation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss chart</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::document::Document</name>
    <message>
        <source>Untitled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the prompts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The project is not saved. %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it to another place: File, Save as.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add what was dropped</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::editors::FieldControl</name>
    <message>
        <source>“%1” is not a whole number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is not a number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write whole numbers with commas between: 9, 10, 9.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Browse for %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::editors::FieldRow</name>
    <message>
        <source>changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset %1 to its default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset to %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::editors::PathList</name>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files and folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::models::StagesModel</name>
    <message>
        <source>In the first step; where stages and devices don&apos;t divide evenly it moves on from step to step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forward + loss + backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recompute + backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ChangesCard</name>
    <message>
        <source>Changed from the defaults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset all settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing: all settings are at their defaults.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ColumnsPanel</name>
    <message>
        <source>cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no known format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files and columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files of the dataset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the chosen file, or the folder that it was found in, out of the project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows are read as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left out: it %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>remove data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found to be %1: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Column for the field %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no column</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::DataPage</name>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens an epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files and columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop files or a folder here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSONL, JSON, CSV, TSV, Parquet, text and markdown, also as .gz and .zst. Chats (OpenAI&apos;s messages, ShareGPT), Alpaca, prompt and completion are recognised by their columns; others can be mapped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of the row to go to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lengths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drag the line, or ← → with it focused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Worth a look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every line leads to its rows; nothing is changed on disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the files are, and which column is read as what</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows to train on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>add data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens are told by a model. Choose one on the page Model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, row %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows to train on: files and folders, as many as you like</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading, %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Would not start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens, lengths and masks are told by a model&apos;s tokenizer and template. Choose one on the page Model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of %1 used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p99 %1 · max %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most %1 a row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>train · %1 validate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>once all rows are read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no rows yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>opening…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rows so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needs a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>would not start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the rows to train on</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::DifferencesTable</name>
    <message>
        <source>What differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What came out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Took</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::FindingsList</name>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the rows: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::FixesCard</name>
    <message>
        <source>Why not, and what makes it fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for what would help…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No single change is enough; change several settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::LengthHistogram</name>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>max length %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no row is longer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rows dropped (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rows cut (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 trained tokens lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lengths appear once rows have been read with a model&apos;s tokenizer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens of a whole row</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::LensPanel</name>
    <message>
        <source>Token lens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The row, as far as it came</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a row to see what becomes of it, token by token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ids</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next trained (T)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>special</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cut off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line feed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens, %2 trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not trained on: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens are cut off.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::MemoryBars</name>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Worker %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>workspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>page-locked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page-locked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Host RAM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>checkpoints</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is known yet.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ModelList</name>
    <message>
        <source>%1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✕ cannot be trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>△ does not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>model · context · type · licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on this rig</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ModelPage</name>
    <message>
        <source>Architecture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, hidden %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none: choose one in the settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not said</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which model learns. Its own weights are never changed; the adapter is written beside the run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A model folder, or one of models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model was found in Hugging Face&apos;s cache. Add a folder, or drop one anywhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop a folder anywhere to add it. Verdicts are for the project&apos;s settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models of this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot be trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose a model</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ModelVerdicts</name>
    <message>
        <source>%1 a step, %2 tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PartitionEditor</name>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fused: forward and backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S%1, %2, %3, on device %4: %5 a microbatch, %6 of weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>emb</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shown as soon as a model is chosen and something fits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Height of the fill: memory of the weights (full = %1). Width of a layer: its time. Numeral: the device of that slot in the first step.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PlanCard</name>
    <message>
        <source>What it comes to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed, tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fullest device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Host memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model to see memory and time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On %1. Times of layers are %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Does not fit. %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needs the rows</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PlanPage</name>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle (bubble)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fullest device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the computed cuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drag a cut, or Tab to it and press ← →</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other schedules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hatched: idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On another rig</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plan yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fits · %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model to see how it would run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · %1 microbatches of %2 × %3 tokens (%4)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 at best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 steps, done at %2 if started now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>when the rows are counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPipe %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use better cuts: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 → %2 ms a step (%3 %)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move a cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computed cuts</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PredictedStep</name>
    <message>
        <source>Predicted step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A step takes %1, %2 % of it idle.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shown as soon as there is a plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>opt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of microbatch %2 in S%3: %4</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PresetsCard</name>
    <message>
        <source>Presets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget the preset %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the preset %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the preset “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the settings as a preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the preset:</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ResultsPage</name>
    <message>
        <source>Results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Took</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adapter and checkpoints</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No results yet. They appear here when a run ends, and Runs opens those of earlier ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Curves as CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a line a step: loss, validation loss, learning rate, …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Curves as CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TensorBoard…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the curves as an event file into a folder, for TensorBoard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder for TensorBoard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HTML…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a report: numbers, loss, answers, every setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report as HTML</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDF…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the report as PDF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report as PDF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the run&apos;s files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>validation %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers, adapters and what to do with them</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 at first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no validation rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens a second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>adapter %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adapter, PEFT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1 · validation %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This run saved nothing: it ended before its first checkpoint.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The report is in %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The curves are in %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The curves are in %1: tensorboard --logdir shows them.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RigTable</name>
    <message>
        <source>On another rig</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>4x4090@pcie4x8,ram=256</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another rig</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUs with their number, &quot;+&quot; between kinds; after commas ram=… in GiB. Enter adds it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add rig</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the whole plan on this rig</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1%2 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not understood</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RowsModel</name>
    <message>
        <source>%1 of %2 tokens trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>turns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>remark</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RowsTable</name>
    <message>
        <source>Rows</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RunCommands</name>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start the run (Ctrl+R)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop and save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finish the running step, save, and end (Ctrl+.)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop and discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finish the running step and end; what was saved before stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a checkpoint after the running step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validate now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure the validation loss after the running step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sample now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer the prompts with the adapter as it is now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading engine…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Still missing: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on with the next step (Ctrl+P)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stand still after the running step; all memory is kept (Ctrl+P)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RunPage</name>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remaining</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trained parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss by step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Messages of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warning: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saved %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error: %1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is ready.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss %1 → %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rows, %2 for validation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rows of the data were dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>validation %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gradient norm %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done at %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RunsModel</name>
    <message>
        <source>Damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Took</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RunsPage</name>
    <message>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No runs yet. Every run that is started here, or by roundpipe train, will stand in this list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Curve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>validation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>linear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you want to remember of this run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show answers, checkpoints and exports of this run (Return)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give this run another name (F2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the selected runs, after you were asked (Del)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mark this run for comparison (Space)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Runs of all projects, those of the command line too</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) of all projects, those of the command line too</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Note on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mark two runs to compare them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 settings are equal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lies elsewhere: only taken off the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Delete %n run(s) with adapters and checkpoints?</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>What is deleted can&apos;t be brought back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take off the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ScheduleBars</name>
    <message>
        <source>Other schedules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: cannot run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compared as soon as there is a plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bubble</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fullest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::SettingEffects</name>
    <message>
        <source>%1 a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on the fullest device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each line says what it does to memory, time and quality, from this model, these rows and this rig.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Simple</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the line that starts this run in a terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a value is not allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>defaults</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n changed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The command is on the clipboard: it starts the same run in a terminal.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::StartPage</name>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fine-tune a language model on this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model and rows, see whether and how fast it will run, watch it learn, take the adapter with you.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See it work: Polly the parrot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tiny model that comes with the program learns to answer like a parrot. Takes seconds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every stage of every device, live, as it happens. Nothing is downloaded; the machine&apos;s GPUs are used if there are any, else its processor.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train Polly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the project first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop a model folder or a file of rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A folder with config.json and safetensors, JSONL, JSON, CSV or Parquet, or a RUN.json</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent projects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the project %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projects (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::TokenLensView</name>
    <message>
        <source>Tokens of the row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1”, id %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, message %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>written by the template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>special token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cut off: training does not see it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not trained</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::MainWindow</name>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent projects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export trace…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the timeline as JSON that Perfetto opens (Ctrl+E)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export statistics…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours of the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The Studio speaks this language when it is started the next time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before the run can start: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trace written to %1; open it at ui.perfetto.dev.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The trace was not written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no file or folder “%1”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projects (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the trace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chrome traces (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the statistics on show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing changed yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saving…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RoundPipe Studio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (simulated engine: nothing is trained)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The training engine could not be loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the simulated engine</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::MessageBanner</name>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::NavigationRail</name>
    <message>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::RailButton</name>
    <message>
        <source>done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>running</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::RunStatusBar</name>
    <message>
        <source>Progress of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no engine yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::KindLegend</name>
    <message>
        <source>waits for weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other waits</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::LaneHeader</name>
    <message>
        <source>%1 % busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1
Click: fold or unfold its lanes. Click on the number: keep it on top.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::Minimap</name>
    <message>
        <source>Overview of the whole run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole run. Click or drag to move the view.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::PinPanel</name>
    <message>
        <source>The pinned slice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 at %2 GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Microbatch %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 stages on %2 devices: %3 computing, %4 waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waited</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::RangePanel</name>
    <message>
        <source>Statistics of the range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is %2 % busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (slot %2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selected  ΔT %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On show  %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>steps %1–%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 % busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>↑ %1/s   ↓ %2/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kind · ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p50</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p95</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>moved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage · ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>total</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::StepBand</name>
    <message>
        <source>step %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::TimelinePlot</name>
    <message>
        <source>Timeline of stages and transfers</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::TimelineView</name>
    <message>
        <source>Timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find: backward S3, m2 step 14, waits  ( / )</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find slices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The view is paused; recording goes on. Follow again (L).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom out (S)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom in (W)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the whole run (0)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys and gestures (?)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Newest steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the last three steps on show (End)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fixed range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow at this scale (L)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let the view stand. Recording never pauses.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 behind · L</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 events lost</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::widgets::AnswersPane</name>
    <message>
        <source>Before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sample prompts: put a list of them into prompts.json beside the data.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::widgets::PartitionStrip</name>
    <message>
        <source>Layer partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shown as soon as a run has read the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of weights</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::widgets::Toast</name>
    <message>
        <source>Close the message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>timeline</name>
    <message>
        <source>forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recompute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evaluate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>adapter up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>activations up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>activations down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gradients down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits for weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits for a microbatch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits for the update</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits for room</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits for the host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wheel, W, S</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zoom at the cursor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag, A, D, Shift+wheel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>move in time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alt+wheel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scroll the lanes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift+drag, drag on the ruler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measure a range; its edges can be dragged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pin a slice and light its microbatch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Double click, Enter, F</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zoom to the range or the pinned slice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>back to the view before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0, Home</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the whole run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>follow the newest steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>L</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>go on following</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>. and ,</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next and previous slice of the lane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>N, Shift+N</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next and previous of the same kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>] and [</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>along the pinned microbatch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>/</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>search: backward S3, m2 step 14, waits for weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>M</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>set or remove a bookmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Esc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>let go of slice and range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this sheet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeline: keys and gestures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights ↑</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>activations ↑</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>activations ↓</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gradients ↓</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits for the weights of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits for a packet of slot %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits for a packet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits for the update, after the gradients of slot %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits for room: gradients of slot %1 are on their way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing was issued by the host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>microbatch %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Microbatch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest of %1 slices here; zoom in to tell them apart.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
