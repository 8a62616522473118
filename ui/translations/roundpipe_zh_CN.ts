<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Activity</name>
    <message>
        <source>planning a simulated run</source>
        <translation>正在规划模拟运行</translation>
    </message>
    <message>
        <source>reading the model folder</source>
        <translation>正在读取模型文件夹</translation>
    </message>
    <message>
        <source>opening the devices</source>
        <translation>正在打开设备</translation>
    </message>
    <message>
        <source>reading rows</source>
        <translation>正在读取行</translation>
    </message>
    <message>
        <source>looking whether the rows have been read before</source>
        <translation>正在检查这些行是否已读取过</translation>
    </message>
    <message>
        <source>reading rows: %1 (%2 %), %3 rows/s, %4 left</source>
        <translation>正在读取行：%1（%2%），%3 行/秒，剩余 %4</translation>
    </message>
    <message>
        <source>making random weights: %1 of %2</source>
        <translation>正在生成随机权重：%1 / %2</translation>
    </message>
    <message>
        <source>reading weights: %1 of %2</source>
        <translation>正在读取权重：%1 / %2</translation>
    </message>
    <message>
        <source>planning</source>
        <translation>正在规划</translation>
    </message>
    <message>
        <source>allocating device memory</source>
        <translation>正在分配设备内存</translation>
    </message>
    <message>
        <source>answering: %1</source>
        <translation>正在回答：%1</translation>
    </message>
    <message>
        <source>writing the trace</source>
        <translation>正在写入跟踪</translation>
    </message>
    <message>
        <source>writing the result</source>
        <translation>正在写入结果</translation>
    </message>
</context>
<context>
    <name>AnswerWords</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <source>ended by itself</source>
        <translation>自行结束</translation>
    </message>
    <message>
        <source>ended by a stop text</source>
        <translation>遇到停止文本而结束</translation>
    </message>
    <message>
        <source>cut off: no more tokens allowed</source>
        <translation>被截断：已达词元上限</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>first after %1</source>
        <translation>首词元 %1</translation>
    </message>
    <message>
        <source>under %1 %</source>
        <translation>低于 %1%</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>空</translation>
    </message>
</context>
<context>
    <name>ChatSources</name>
    <message>
        <source>%1 · %2, step %3</source>
        <translation>%1 · %2，第 %3 步</translation>
    </message>
    <message>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>best checkpoint</source>
        <translation>最佳检查点</translation>
    </message>
    <message>
        <source>last checkpoint</source>
        <translation>最后的检查点</translation>
    </message>
    <message>
        <source>checkpoint</source>
        <translation>检查点</translation>
    </message>
</context>
<context>
    <name>CloseQuestion</name>
    <message>
        <source>It can go on without this window; the page Runs shows it again, and so does its project.</source>
        <translation>它可以在没有此窗口的情况下继续运行；“运行记录”页面和它的项目会重新显示它。</translation>
    </message>
    <message>
        <source>Close the window alone</source>
        <translation>仅关闭窗口</translation>
    </message>
    <message>
        <source>Keep the window</source>
        <translation>保留窗口</translation>
    </message>
    <message>
        <source>A run is under way</source>
        <translation>有一个运行正在进行</translation>
    </message>
    <message>
        <source>Stop, save and close</source>
        <translation>停止、保存并关闭</translation>
    </message>
    <message>
        <source>The run is paused.</source>
        <translation>运行已暂停。</translation>
    </message>
    <message>
        <source>The run is not at its end yet.</source>
        <translation>运行尚未结束。</translation>
    </message>
    <message>
        <source>It is simulated: nothing of it is kept.</source>
        <translation>这是模拟运行：不会保留任何内容。</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>停止并关闭</translation>
    </message>
    <message>
        <source>Leave it paused</source>
        <translation>保持暂停</translation>
    </message>
    <message>
        <source>It can end after the running step and save checkpoint and result, so that it can be continued later.</source>
        <translation>它可以在当前步完成后结束，并保存检查点和结果，以便以后继续。</translation>
    </message>
    <message>
        <source>Keep training</source>
        <translation>继续训练</translation>
    </message>
    <message>
        <source>An export is being made</source>
        <translation>正在导出</translation>
    </message>
    <message>
        <source>The export is not done yet.</source>
        <translation>导出尚未完成。</translation>
    </message>
    <message>
        <source>Nothing of it stays where it is half written. It can be made again at any time.</source>
        <translation>写到一半的内容不会留下。可以随时重新导出。</translation>
    </message>
    <message>
        <source>Stop it and close</source>
        <translation>停止并关闭</translation>
    </message>
    <message>
        <source>Go on exporting</source>
        <translation>继续导出</translation>
    </message>
</context>
<context>
    <name>ContinueQuestion</name>
    <message>
        <source>A run is under way. This one can be continued when that has ended.</source>
        <translation>有一个运行正在进行。等它结束后，才能继续这一个。</translation>
    </message>
    <message>
        <source>There is no training engine yet. It can be continued when there is one.</source>
        <translation>还没有训练引擎。有了引擎后才能继续。</translation>
    </message>
    <message>
        <source>Continue after step %1 of %2?</source>
        <translation>从第 %1 步（共 %2 步）之后继续？</translation>
    </message>
    <message>
        <source>Continue after step %1?</source>
        <translation>从第 %1 步之后继续？</translation>
    </message>
    <message>
        <source>It goes on from the checkpoint %1.</source>
        <translation>它从检查点 %1 继续。</translation>
    </message>
    <message>
        <source>What came after that checkpoint, up to step %1, is done again.</source>
        <translation>该检查点之后直到第 %1 步的内容会重新计算。</translation>
    </message>
    <message>
        <source>Settings, rows and order stay those of the run, and so does its folder.</source>
        <translation>设置、行和顺序都保持该运行原来的，文件夹也不变。</translation>
    </message>
    <message>
        <source>Continue the run</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>This run can&apos;t be continued.</source>
        <translation>这个运行无法继续。</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>不继续</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Also if rows, model or settings have changed since</source>
        <translation>即使此后数据行、模型或设置已更改</translation>
    </message>
    <message>
        <source>An export is being made. The run can be continued when that has ended.</source>
        <translation>正在导出。导出结束后即可继续此运行。</translation>
    </message>
    <message>
        <source>The queue trains %1 on the same devices: two runs there slow each other down, and may run out of memory.</source>
        <translation>队列正在相同的设备上训练 %1：两个运行会互相拖慢，还可能耗尽显存或内存。</translation>
    </message>
</context>
<context>
    <name>Device</name>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>Worker %1</source>
        <translation>工作单元 %1</translation>
    </message>
</context>
<context>
    <name>ExportRemark</name>
    <message>
        <source>vLLM</source>
        <translation>vLLM</translation>
    </message>
    <message>
        <source>llama.cpp and Ollama</source>
        <translation>llama.cpp 和 Ollama</translation>
    </message>
    <message>
        <source>PEFT</source>
        <translation>PEFT</translation>
    </message>
    <message>
        <source>takes no adapter of rank %1: its largest is %2</source>
        <translation>不接受秩为 %1 的适配器：最大为 %2</translation>
    </message>
    <message>
        <source>takes rank %1 with &apos;vllm serve --max-lora-rank %2&apos;; it knows no other limits than %3</source>
        <translation>秩 %1 需用“vllm serve --max-lora-rank %2”加载；它只认这些上限：%3</translation>
    </message>
    <message>
        <source>takes no adapter with modules that are trained whole (%1)</source>
        <translation>不接受含有整体训练模块（%1）的适配器</translation>
    </message>
    <message>
        <source>takes an adapter of lm_head for some models only</source>
        <translation>只对部分模型接受 lm_head 的适配器</translation>
    </message>
    <message>
        <source>have no place in a GGUF adapter for modules that are trained whole (%1)</source>
        <translation>GGUF 适配器里放不下整体训练的模块（%1）</translation>
    </message>
    <message>
        <source>take no adapter of lm_head where the model&apos;s head is its embedding, as here</source>
        <translation>不接受 lm_head 的适配器，因为此模型的输出层就是它的嵌入</translation>
    </message>
    <message>
        <source>read neither rank-stabilised scales nor alphas of single modules; --to gguf-adapter writes an alpha, or a B, with which alpha / rank is right</source>
        <translation>既不读取秩稳定缩放，也不读取单个模块的 alpha；--to gguf-adapter 会写入使 alpha / 秩正确的 alpha 或 B</translation>
    </message>
    <message>
        <source>give an adapter&apos;s answers best on the base that it was trained on</source>
        <translation>在适配器训练时所用的基座上回答最准</translation>
    </message>
    <message>
        <source>get no GGUF file of this model: %1</source>
        <translation>得不到此模型的 GGUF 文件：%1</translation>
    </message>
    <message>
        <source>look at all of a text where this model looks at its sliding window alone: answers differ once a text is longer</source>
        <translation>会看整段文本，而此模型只看滑动窗口：文本更长时回答会不同</translation>
    </message>
    <message>
        <source>have no row in the embedding for %1 of the tokenizer&apos;s %2 tokens</source>
        <translation>在嵌入中缺少分词器 %2 个词元里的 %1 个</translation>
    </message>
    <message>
        <source>list %1 tokens that the tokenizer does not have as unused</source>
        <translation>把分词器没有的 %1 个词元列为未使用</translation>
    </message>
    <message>
        <source>keeps embedding and head one table only in versions that know ensure_weight_tying</source>
        <translation>只有支持 ensure_weight_tying 的版本才让嵌入与输出层共用一张表</translation>
    </message>
    <message>
        <source>get this model&apos;s text part: pictures need its projector, a file of its own (mmproj) that is not written here</source>
        <translation>得到的是此模型的文本部分：图像需要它的投影器，即一个单独的文件（mmproj），这里不写出</translation>
    </message>
    <message>
        <source>%1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>Train with lora.rank %1 at most, or export the merged model (--to merged).</source>
        <translation>训练时 lora.rank 不超过 %1，或导出合并后的模型（--to merged）。</translation>
    </message>
    <message>
        <source>Leave lora.modules_to_save empty, or export the merged model (--to merged).</source>
        <translation>将 lora.modules_to_save 留空，或导出合并后的模型（--to merged）。</translation>
    </message>
    <message>
        <source>Leave lm_head out of lora.targets, or export the merged model (--to merged).</source>
        <translation>不要把 lm_head 放进 lora.targets，或导出合并后的模型（--to merged）。</translation>
    </message>
    <message>
        <source>Export the merged model (--to gguf or ollama).</source>
        <translation>导出合并后的模型（--to gguf 或 ollama）。</translation>
    </message>
    <message>
        <source>Leave lm_head out of lora.targets, or export the merged model (--to gguf or ollama), where the head gets a table of its own.</source>
        <translation>不要把 lm_head 放进 lora.targets，或导出合并后的模型（--to gguf 或 ollama），其中输出层有自己的表。</translation>
    </message>
    <message>
        <source>Use --to gguf-adapter, not llama.cpp&apos;s own convert_lora_to_gguf.py.</source>
        <translation>请用 --to gguf-adapter，而不是 llama.cpp 自带的 convert_lora_to_gguf.py。</translation>
    </message>
    <message>
        <source>Export the base, or the merged model, with --to gguf or ollama.</source>
        <translation>用 --to gguf 或 ollama 导出基座，或导出合并后的模型。</translation>
    </message>
    <message>
        <source>Keep texts shorter than the window.</source>
        <translation>文本不要超过窗口长度。</translation>
    </message>
    <message>
        <source>Enlarge the embedding with transformers (resize_token_embeddings) before training.</source>
        <translation>训练前用 transformers 扩大嵌入（resize_token_embeddings）。</translation>
    </message>
    <message>
        <source>Use a PEFT of 2025 or newer, or export the merged model (--to merged).</source>
        <translation>使用 2025 年或更新的 PEFT，或导出合并后的模型（--to merged）。</translation>
    </message>
    <message>
        <source>Take the projector of the model that was trained, which training leaves as it is.</source>
        <translation>使用被训练的模型的投影器；训练不会改动它。</translation>
    </message>
    <message>
        <source>all programs</source>
        <translation>所有程序</translation>
    </message>
</context>
<context>
    <name>Exports</name>
    <message>
        <source>Adapter, PEFT</source>
        <translation>适配器，PEFT</translation>
    </message>
    <message>
        <source>Merged model</source>
        <translation>合并后的模型</translation>
    </message>
    <message>
        <source>GGUF model</source>
        <translation>GGUF 模型</translation>
    </message>
    <message>
        <source>GGUF adapter</source>
        <translation>GGUF 适配器</translation>
    </message>
    <message>
        <source>Model for Ollama</source>
        <translation>Ollama 模型</translation>
    </message>
    <message>
        <source>PEFT, vLLM: the adapter</source>
        <translation>PEFT、vLLM：适配器</translation>
    </message>
    <message>
        <source>vLLM, transformers: a merged model</source>
        <translation>vLLM、transformers：合并后的模型</translation>
    </message>
    <message>
        <source>llama.cpp, LM Studio, Jan: a model in one file</source>
        <translation>llama.cpp、LM Studio、Jan：单个文件的模型</translation>
    </message>
    <message>
        <source>llama.cpp: the adapter in one file</source>
        <translation>llama.cpp：单个文件的适配器</translation>
    </message>
    <message>
        <source>Ollama: a model and its Modelfile</source>
        <translation>Ollama：模型及其 Modelfile</translation>
    </message>
    <message>
        <source>%1: as it was trained, rounded at most once</source>
        <translation>%1：与训练时相同，最多舍入一次</translation>
    </message>
    <message>
        <source>%1: no difference that one meets, %2 bits a weight</source>
        <translation>%1：没有可察觉的差别，每个权重 %2 位</translation>
    </message>
    <message>
        <source>%1: hardly any difference, %2 bits a weight</source>
        <translation>%1：几乎没有差别，每个权重 %2 位</translation>
    </message>
    <message>
        <source>%1: a small difference, %2 bits a weight</source>
        <translation>%1：差别很小，每个权重 %2 位</translation>
    </message>
    <message>
        <source>%1: what most people run, %2 bits a weight</source>
        <translation>%1：多数人的选择，每个权重 %2 位</translation>
    </message>
    <message>
        <source>%1, of checkpoint %2</source>
        <translation>%1，来自检查点 %2</translation>
    </message>
    <message>
        <source>not proved</source>
        <translation>未验证</translation>
    </message>
    <message>
        <source>proved: %1 of %2 tokens agree, gap %3 % (%4 % allowed)</source>
        <translation>已验证：%2 个词元中 %1 个一致，差距 %3%（允许 %4%）</translation>
    </message>
    <message>
        <source>proof failed: %1 of %2 tokens agree, gap %3 % (%4 % allowed)</source>
        <translation>验证未通过：%2 个词元中 %1 个一致，差距 %3%（允许 %4%）</translation>
    </message>
    <message>
        <source>%1 answers of the run and of the export, read back from its files, were compared token by token: %2 of %3 agree, %4 contradict. The largest gap of two logits is %5, the mean %6 % of their spread, where %7 % are allowed.</source>
        <translation>将运行结果与从文件读回的导出结果的 %1 个回答逐词元比较：%3 个词元中 %2 个一致，%4 个相矛盾。两个 logit 的最大差距为 %5，平均差距为其离散程度的 %6%，允许 %7%。</translation>
    </message>
    <message>
        <source>Refused. %1: %2.</source>
        <translation>拒绝。%1：%2。</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>a sentence, and the next</comment>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>an export, and its type</comment>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>Finding</name>
    <message>
        <source>%1 waits %2 % of the step for weights</source>
        <translation>%1 在一步中有 %2% 的时间等待权重</translation>
    </message>
    <message>
        <source>%1 devices wait for weights, %2 longest: %3 % of the step</source>
        <translation>%1 个设备等待权重，%2 最久：占一步的 %3%</translation>
    </message>
    <message>
        <source>%1 waits %2 % of the step for other stages</source>
        <translation>%1 在一步中有 %2% 的时间等待其他阶段</translation>
    </message>
    <message>
        <source>%1 devices wait for other stages, %2 longest: %3 % of the step</source>
        <translation>%1 个设备等待其他阶段，%2 最久：占一步的 %3%</translation>
    </message>
    <message>
        <source>%1 waits %2 % of the step for the update</source>
        <translation>%1 在一步中有 %2% 的时间等待更新</translation>
    </message>
    <message>
        <source>%1 devices wait for the update, %2 longest: %3 % of the step</source>
        <translation>%1 个设备等待更新，%2 最久：占一步的 %3%</translation>
    </message>
    <message>
        <source>%1 waits %2 % of the step for room for gradients</source>
        <translation>%1 在一步中有 %2% 的时间等待梯度空间</translation>
    </message>
    <message>
        <source>%1 devices wait for room for gradients, %2 longest: %3 % of the step</source>
        <translation>%1 个设备等待梯度空间，%2 最久：占一步的 %3%</translation>
    </message>
    <message>
        <source>%1 waits %2 % of the step for the host</source>
        <translation>%1 在一步中有 %2% 的时间等待主机</translation>
    </message>
    <message>
        <source>%1 devices wait for the host, %2 longest: %3 % of the step</source>
        <translation>%1 个设备等待主机，%2 最久：占一步的 %3%</translation>
    </message>
    <message>
        <source>Its slot runs at x%1, others at x%2: %3/s instead of %4/s.</source>
        <translation>其插槽以 x%1 运行，其他为 x%2：%3/s，而非 %4/s。</translation>
    </message>
    <message>
        <source>They reach it at %1/s, the other devices at %2/s.</source>
        <translation>权重以 %1/s 到达该设备，其他设备为 %2/s。</translation>
    </message>
    <message>
        <source>More tokens a step give it more to compute for each upload.</source>
        <translation>每步更多词元，可让每次上传对应更多计算。</translation>
    </message>
    <message>
        <source>Mostly for slot %1. More microbatches or other cuts even this out.</source>
        <translation>主要因为槽 %1。更多微批次或其他切分可以改善。</translation>
    </message>
    <message>
        <source>Earlier gradients are still on their way to the host.</source>
        <translation>之前的梯度仍在传往主机的途中。</translation>
    </message>
    <message>
        <source>Its work was issued late: the processor is busy with other things.</source>
        <translation>任务下发得晚：处理器在忙别的事。</translation>
    </message>
    <message>
        <source>More microbatches or other cuts even this out.</source>
        <translation>更多微批次或其他切分可以改善。</translation>
    </message>
    <message>
        <source>See the plan</source>
        <translation>查看方案</translation>
    </message>
    <message>
        <source>%1 is at %2 °C</source>
        <translation>%1 温度为 %2 °C</translation>
    </message>
    <message>
        <source>Near this, cards slow themselves down. Does air reach it?</source>
        <translation>接近此温度时显卡会自动降频。通风是否良好？</translation>
    </message>
    <message>
        <source>Other programs hold %1 of the memory of %2</source>
        <translation>其他程序占用了 %2 的 %1 内存</translation>
    </message>
    <message>
        <source>%1 % of it is taken. Close them, or the run may run out of memory.</source>
        <translation>其中 %1% 已被占用。请关闭它们，否则运行可能耗尽内存。</translation>
    </message>
    <message>
        <source>Only %1 of %2 of the host&apos;s memory are free</source>
        <translation>主机内存 %2 中仅剩 %1</translation>
    </message>
    <message>
        <source>Close other programs: a machine that swaps hardly trains.</source>
        <translation>请关闭其他程序：频繁换页的机器几乎无法训练。</translation>
    </message>
    <message>
        <source>The loss of step %1 is no number</source>
        <translation>第 %1 步的损失不是数字</translation>
    </message>
    <message>
        <source>The training has come apart. Stop it, and try a lower rate.</source>
        <translation>训练已发散。请停止，并尝试更低的学习率。</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Validation rises: %1, was %2 after step %3</source>
        <translation>验证损失上升：%1，第 %3 步后为 %2</translation>
    </message>
    <message>
        <source>The model begins to learn the rows by heart. The best checkpoint is kept.</source>
        <translation>模型开始死记硬背。最佳检查点会保留。</translation>
    </message>
    <message>
        <source>Nothing to mend: devices are busy %1 % of the time.</source>
        <translation>无需改进：设备有 %1% 的时间在工作。</translation>
    </message>
    <message>
        <source>A step takes %1 instead of the planned %2</source>
        <translation>每步用时 %1，计划为 %2</translation>
    </message>
    <message>
        <source>Thin bars below the lanes show where the plan saw it.</source>
        <translation>通道下方的细条显示计划中的位置。</translation>
    </message>
    <message>
        <source>S%1 %2: %3 a step instead of the planned %4</source>
        <translation>S%1 %2：每步 %3，计划为 %4</translation>
    </message>
    <message>
        <source>Of all stages it loses most. Heat and other programs slow a device; times that were never measured here are a guess.</source>
        <translation>在所有阶段中它损失最多。过热和其他程序会拖慢设备；从未在此测量过的时间只是估计。</translation>
    </message>
    <message>
        <source>The next step begins when the processor has updated what is trained.</source>
        <translation>处理器更新完所训练的参数后，下一步才开始。</translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message>
        <source>Would not start</source>
        <translation>无法启动</translation>
    </message>
    <message>
        <source>rows to validate on stand among those to train on</source>
        <translation>用于验证的行也出现在训练的行中</translation>
    </message>
    <message>
        <source>rows to validate on are like one to train on</source>
        <translation>用于验证的行与某个训练的行相似</translation>
    </message>
    <message>
        <source>without an end</source>
        <translation>没有结束符</translation>
    </message>
    <message>
        <source>with an empty turn</source>
        <translation>含空消息</translation>
    </message>
    <message>
        <source>a message says nothing</source>
        <translation>某条消息没有内容</translation>
    </message>
    <message>
        <source>one-sided</source>
        <translation>只有一方</translation>
    </message>
    <message>
        <source>nobody asks: there is no user</source>
        <translation>无人提问：没有用户</translation>
    </message>
    <message>
        <source>unanswered</source>
        <translation>没有回答</translation>
    </message>
    <message>
        <source>the last message is not the assistant&apos;s</source>
        <translation>最后一条消息不是助手的</translation>
    </message>
    <message>
        <source>with two BOS</source>
        <translation>有两个 BOS</translation>
    </message>
    <message>
        <source>the text starts with the token twice</source>
        <translation>文本开头出现两次该词元</translation>
    </message>
    <message>
        <source>without BOS</source>
        <translation>没有 BOS</translation>
    </message>
    <message>
        <source>the tokenizer puts one before other texts</source>
        <translation>分词器会在其他文本前加一个</translation>
    </message>
    <message>
        <source>%1 in a message becomes the special token itself</source>
        <translation>消息中的 %1 会变成特殊词元本身</translation>
    </message>
    <message>
        <source>Masks</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>found by %1 in %2 rows</source>
        <translation>通过“%1”找到，共 %2 行</translation>
    </message>
    <message>
        <source>row %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>like %1</source>
        <translation>与%1相同</translation>
    </message>
    <message>
        <source>%1 row %2</source>
        <translation>%1 第 %2 行</translation>
    </message>
    <message>
        <source>%1; %2 is %3</source>
        <translation>%1；%2 → %3</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) leak into validation</source>
        <translation>
            <numerusform>%Ln 行泄漏到验证数据中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) nearly leak into validation</source>
        <translation>
            <numerusform>%Ln 行近似泄漏到验证数据中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) leak into validation across datasets</source>
        <translation>
            <numerusform>%Ln 行跨数据集泄漏到验证数据中</numerusform>
        </translation>
    </message>
    <message>
        <source>rows to validate on are the same as, or like, one that another dataset trains on</source>
        <translation>验证用的行与另一数据集的训练行相同或相近</translation>
    </message>
    <message numerus="yes">
        <source>%Ln repeated row(s)</source>
        <translation>
            <numerusform>%Ln 行重复</numerusform>
        </translation>
    </message>
    <message>
        <source>the same as an earlier row</source>
        <translation>与更早的某一行相同</translation>
    </message>
    <message numerus="yes">
        <source>%Ln nearly repeated row(s)</source>
        <translation>
            <numerusform>%Ln 行近似重复</numerusform>
        </translation>
    </message>
    <message>
        <source>much like an earlier row</source>
        <translation>与更早的某一行很相似</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) repeated across datasets</source>
        <translation>
            <numerusform>%Ln 行在数据集之间重复</numerusform>
        </translation>
    </message>
    <message>
        <source>the same as a row of another dataset, or much like it</source>
        <translation>与另一数据集的某一行相同或非常相近</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) without an end</source>
        <translation>
            <numerusform>%Ln 行没有结束符</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) with an empty turn</source>
        <translation>
            <numerusform>%Ln 行含空消息</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln one-sided row(s)</source>
        <translation>
            <numerusform>%Ln 行只有一方</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln unanswered row(s)</source>
        <translation>
            <numerusform>%Ln 行没有回答</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) with two BOS</source>
        <translation>
            <numerusform>%Ln 行有两个 BOS</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) without BOS</source>
        <translation>
            <numerusform>%Ln 行没有 BOS</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) spell out a token</source>
        <translation>
            <numerusform>%Ln 行写出了特殊词元</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1%2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln dropped row(s): %1</source>
        <translation>
            <numerusform>%Ln 行被丢弃：%1</numerusform>
        </translation>
    </message>
    <message>
        <source>Leave none out one by one</source>
        <translation>不再逐行排除</translation>
    </message>
    <message>
        <source>Keep one of each</source>
        <translation>每种保留一行</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>chosen one by one</source>
        <translation>逐行选定</translation>
    </message>
    <message>
        <source>to validate on, and the same as one to train on</source>
        <translation>用于验证，与某一训练行相同</translation>
    </message>
    <message>
        <source>to validate on, and like one to train on</source>
        <translation>用于验证，与某一训练行相似</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) left out</source>
        <translation>
            <numerusform>已排除 %Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>收回</translation>
    </message>
    <message numerus="yes">
        <source>%Ln column(s) not read</source>
        <translation>
            <numerusform>%Ln 列未读取</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的 %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) split</source>
        <translation>
            <numerusform>%Ln 行被切分</numerusform>
        </translation>
    </message>
    <message>
        <source>into %1 pieces of at most %2 tokens; no token is trained twice</source>
        <translation>切成 %1 段，每段最多 %2 个词元；没有词元训练两次</translation>
    </message>
    <message numerus="yes">
        <source>Not used in %Ln row(s)</source>
        <translation>
            <numerusform>%Ln 行中未使用</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) not used</source>
        <translation>
            <numerusform>%Ln 个文件未使用</numerusform>
        </translation>
    </message>
    <message>
        <source>not used in full</source>
        <translation>未完全使用</translation>
    </message>
    <message>
        <source>a trained turn has no end: the model learns no stopping; a chat template that ends turns mends it</source>
        <translation>参与训练的轮次没有结尾：模型学不会停止；换用会结束每一轮的聊天模板即可</translation>
    </message>
    <message>
        <source>What would help</source>
        <translation>可行的办法</translation>
    </message>
</context>
<context>
    <name>ForeignRunDialog</name>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Settings without a counterpart</source>
        <translation>没有对应项的设置</translation>
    </message>
    <message>
        <source>A run of %1</source>
        <translation>%1 的运行</translation>
    </message>
    <message numerus="yes">
        <source>The run was opened as a new project. %n of its settings has no counterpart here; the others stand on the page Settings.</source>
        <translation>
            <numerusform>该运行已作为新项目打开。其中 %n 项设置在这里没有对应项；其余的在“设置”页。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GridValues</name>
    <message>
        <source>“%1” is no value of this setting.</source>
        <translation>“%1”不是此设置的有效值。</translation>
    </message>
</context>
<context>
    <name>Journal</name>
    <message>
        <source>Finished after step %1</source>
        <translation>在第 %1 步后完成</translation>
    </message>
    <message>
        <source>Stopped after step %1</source>
        <translation>在第 %1 步后停止</translation>
    </message>
    <message>
        <source>Failed after step %1</source>
        <translation>在第 %1 步后失败</translation>
    </message>
    <message>
        <source>Ended after step %1</source>
        <translation>在第 %1 步后结束</translation>
    </message>
    <message>
        <source>Begun</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Goes on after step %1</source>
        <translation>从第 %1 步之后继续</translation>
    </message>
    <message>
        <source>Step %1: checkpoint written, %2</source>
        <translation>第 %1 步：已写入检查点，%2</translation>
    </message>
    <message>
        <source>Step %1: not written, %2</source>
        <translation>第 %1 步：未能写入，%2</translation>
    </message>
    <message>
        <source>Step %1 skipped</source>
        <translation>已跳过第 %1 步</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>Could not go on</source>
        <translation>未能继续</translation>
    </message>
    <message>
        <source>Step %1: result written, %2</source>
        <translation>第 %1 步：已写入结果，%2</translation>
    </message>
</context>
<context>
    <name>Language</name>
    <message>
        <source>Language of the system</source>
        <translation>系统语言</translation>
    </message>
</context>
<context>
    <name>MachineText</name>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>no NVIDIA GPU (training uses the processor)</source>
        <translation>没有 NVIDIA GPU（训练使用处理器）</translation>
    </message>
    <message numerus="yes">
        <source>%n processor thread(s)</source>
        <translation>
            <numerusform>%n 个处理器线程</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of memory</source>
        <translation>%1 内存</translation>
    </message>
    <message>
        <source>This machine: %1</source>
        <translation>本机：%1</translation>
    </message>
</context>
<context>
    <name>NextSteps</name>
    <message>
        <source>Ask it</source>
        <translation>提问</translation>
    </message>
    <message>
        <source>Train on</source>
        <translation>继续训练</translation>
    </message>
    <message>
        <source>As a whole model</source>
        <translation>作为完整模型</translation>
    </message>
</context>
<context>
    <name>NoSecret</name>
    <message>
        <source>%1 is &apos;%2&apos;, with a password or a token in it.</source>
        <translation>%1为“%2”，其中含有密码或令牌。</translation>
    </message>
    <message>
        <source>It would stand in the run&apos;s files for everybody to read: leave it out. The Hub&apos;s token is taken from HF_TOKEN, from the file that HF_TOKEN_PATH names, as `hf auth login` left it, or from the keyring; what lies on another server is fetched first, and named as it lies here.</source>
        <translation>它会写入运行的文件，任何人都能读到：请删去。Hub 的令牌取自 HF_TOKEN、HF_TOKEN_PATH 所指的文件、`hf auth login` 留下的位置或密钥环；其他服务器上的内容请先取到本机，再填写它在本机的位置。</translation>
    </message>
    <message>
        <source>A prompt</source>
        <translation>提示词</translation>
    </message>
</context>
<context>
    <name>Notification</name>
    <message>
        <source>RoundPipe Studio</source>
        <translation>RoundPipe Studio</translation>
    </message>
</context>
<context>
    <name>OwnFolders</name>
    <message>
        <source>%1, which no run has made, goes with it: move it elsewhere to keep it</source>
        <translation>%1 不是由任何运行生成的，会一并删除：要保留请先移到别处</translation>
    </message>
</context>
<context>
    <name>PlanNumbers</name>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
</context>
<context>
    <name>PlanText</name>
    <message>
        <source>each of %1 devices needs %2 of %3</source>
        <translation>%1 个设备各需 %2，仅有 %3</translation>
    </message>
    <message>
        <source>%1 needs %2 of %3</source>
        <translation>%1 需要 %2，仅有 %3</translation>
    </message>
    <message>
        <source>the host needs %1 of %2</source>
        <translation>主机需要 %1，仅有 %2</translation>
    </message>
    <message>
        <source>page-locked host memory needs %1 of %2</source>
        <translation>锁页主机内存需要 %1，仅有 %2</translation>
    </message>
    <message>
        <source>the disk needs %1 of %2</source>
        <translation>磁盘需要 %1，仅有 %2</translation>
    </message>
    <message>
        <source>; </source>
        <comment>between parts of a sentence</comment>
        <translation>；</translation>
    </message>
    <message>
        <source>%1.</source>
        <comment>a sentence</comment>
        <translation>%1。</translation>
    </message>
    <message>
        <source>Even with one layer at a time no device takes all of its stages.</source>
        <translation>即使一次只放一层，也没有设备能容纳其全部阶段。</translation>
    </message>
    <message>
        <source>Even with one layer at a time it does not fit: %1.</source>
        <translation>即使一次只放一层也放不下：%1。</translation>
    </message>
    <message>
        <source>There are more devices than layers.</source>
        <translation>设备多于层数。</translation>
    </message>
    <message>
        <source>%1 needs %2 more</source>
        <translation>%1 还缺 %2</translation>
    </message>
    <message>
        <source>the host needs %1 more</source>
        <translation>主机还缺 %1</translation>
    </message>
    <message>
        <source>page-locked host memory needs %1 more</source>
        <translation>锁页主机内存还缺 %1</translation>
    </message>
    <message>
        <source>the disk needs %1 more</source>
        <translation>磁盘还缺 %1</translation>
    </message>
    <message numerus="yes">
        <source>Microbatches of %n sequence(s)</source>
        <translation>
            <numerusform>每个微批次 %n 个序列</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Microbatches of at most %n token(s), more of them</source>
        <translation>
            <numerusform>每个微批次至多 %n 个词元，微批次更多</numerusform>
        </translation>
    </message>
    <message>
        <source>Rank %1 for the adapter</source>
        <translation>适配器的秩为 %1</translation>
    </message>
    <message numerus="yes">
        <source>Sequences of at most %n token(s)</source>
        <translation>
            <numerusform>序列至多 %n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>The base&apos;s weights kept and streamed in %1 bits</source>
        <translation>以 %1 位保存和传输基础模型的权重</translation>
    </message>
    <message>
        <source>%1 of host memory for the run</source>
        <translation>为运行提供 %1 主机内存</translation>
    </message>
    <message>
        <source>%1 of host memory that may be page-locked</source>
        <translation>%1 可锁页的主机内存</translation>
    </message>
    <message>
        <source>Devices with %1 of memory</source>
        <translation>每个设备有 %1 内存</translation>
    </message>
    <message>
        <source>%1 tokens/s; less work at a time, same result with as many examples a step</source>
        <translation>%1 词元/秒；每次的工作量更少，若每步样本数不变则结果相同</translation>
    </message>
    <message>
        <source>%1 tokens/s; same result, less work at a time</source>
        <translation>%1 词元/秒；结果相同，每次工作更少</translation>
    </message>
    <message>
        <source>%1 tokens/s; the adapter can learn less</source>
        <translation>%1 词元/秒；适配器能学的更少</translation>
    </message>
    <message>
        <source>%1 tokens/s; longer examples are cut off</source>
        <translation>%1 词元/秒；更长的样本会被截断</translation>
    </message>
    <message>
        <source>%1 tokens/s; the base is rounded</source>
        <translation>%1 词元/秒；基础模型会被舍入</translation>
    </message>
    <message>
        <source>%1 tokens/s; buy or free memory</source>
        <translation>%1 词元/秒；购买或释放内存</translation>
    </message>
    <message>
        <source>%1 tokens/s; raise the limit</source>
        <translation>%1 词元/秒；提高上限</translation>
    </message>
    <message>
        <source>%1 tokens/s; other GPUs</source>
        <translation>%1 词元/秒；更换 GPU</translation>
    </message>
    <message>
        <source>Interleaved 1F1B</source>
        <translation>交错 1F1B</translation>
    </message>
    <message>
        <source>Looped BFS</source>
        <translation>循环 BFS</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>副本</translation>
    </message>
    <message>
        <source>RoundPipe, one step stale</source>
        <translation>RoundPipe，滞后一步</translation>
    </message>
    <message numerus="yes">
        <source>%n stage(s) bound to their devices</source>
        <translation>
            <numerusform>%n 个阶段，固定在各自设备上</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n copies of the model, each with its part of the microbatches</source>
        <translation>
            <numerusform>模型的 %n 个副本，各处理一部分微批次</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, in %n round(s)</source>
        <translation>
            <numerusform>%1，共 %n 轮次</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1，位于 %2</translation>
    </message>
    <message numerus="yes">
        <source>; of %n layer(s) all but gate and up is saved</source>
        <translation>
            <numerusform>；%n 层保存除 gate 和 up 以外的全部</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; of %n layer(s) all but gate and up is saved in host memory</source>
        <translation>
            <numerusform>；%n 层除 gate 和 up 以外的全部保存在主机内存中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; of %n layer(s) all is saved in host memory</source>
        <translation>
            <numerusform>；%n 层全部保存在主机内存中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; of %n layer(s) the input alone is saved</source>
        <translation>
            <numerusform>；%n 层只保存输入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; of %n layer(s) the input alone is saved in host memory</source>
        <translation>
            <numerusform>；%n 层只有输入保存在主机内存中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n forward stage(s)</source>
        <translation>
            <numerusform>%n 个前向阶段</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>a fused stage of %n layer(s)</source>
        <translation>
            <numerusform>含 %n 层的融合阶段</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n backward stage(s)</source>
        <translation>
            <numerusform>%n 个反向阶段</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <comment>dative</comment>
        <translation>
            <numerusform>%n 个设备</numerusform>
        </translation>
    </message>
    <message>
        <source>lengths of %L1 examples</source>
        <translation>%L1 个样本的长度</translation>
    </message>
    <message>
        <source>lengths assumed, %L1 tokens on average</source>
        <translation>假定长度，平均 %L1 个词元</translation>
    </message>
    <message>
        <source>lengths assumed, all as long as they may be</source>
        <translation>假定长度，均为允许的最大值</translation>
    </message>
    <message>
        <source>%1, %2 blocks of %3 experts (%4 a token), hidden %5, %6 parameters</source>
        <translation>%1，%2 个块，每块 %3 个专家（每词元 %4 个），隐藏维度 %5，%6 参数</translation>
    </message>
    <message>
        <source>%1, %2 blocks, hidden %3, %4 parameters</source>
        <translation>%1，%2 个块，隐藏维度 %3，%4 参数</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>块 %1</translation>
    </message>
    <message>
        <source>None of these settings is enough alone. Together they are, with %1 tokens/s:</source>
        <translation>这些设置单独都不够，合在一起才够，每秒 %1 词元：</translation>
    </message>
    <message>
        <source>None of these changes is enough alone. Together they are, with %1 tokens/s:</source>
        <translation>这些改动单独都不够，合在一起才够，每秒 %1 词元：</translation>
    </message>
    <message>
        <source>less work at a time, same result with as many examples a step</source>
        <translation>每次的工作量更少，若每步样本数不变则结果相同</translation>
    </message>
    <message>
        <source>same result, less work at a time</source>
        <translation>结果相同，每次的工作量更少</translation>
    </message>
    <message>
        <source>the adapter can learn less</source>
        <translation>适配器能学到的更少</translation>
    </message>
    <message>
        <source>longer examples are cut off</source>
        <translation>更长的样本会被截断</translation>
    </message>
    <message>
        <source>the base is rounded</source>
        <translation>基础模型会被舍入</translation>
    </message>
    <message>
        <source>buy or free memory</source>
        <translation>购买或释放内存</translation>
    </message>
    <message>
        <source>raise the limit</source>
        <translation>提高上限</translation>
    </message>
    <message>
        <source>other GPUs</source>
        <translation>其他 GPU</translation>
    </message>
    <message numerus="yes">
        <source>%n CPU worker(s)</source>
        <translation>
            <numerusform>%n 个 CPU 工作单元</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (this machine)</source>
        <translation>%1（本机）</translation>
    </message>
    <message>
        <source>However it is cut, it does not fit: %1.</source>
        <translation>无论如何切分都放不下：%1。</translation>
    </message>
    <message numerus="yes">
        <source>%n replica(s), each of %1</source>
        <translation>
            <numerusform>%n 个副本，每个：%1</numerusform>
        </translation>
    </message>
    <message>
        <source>each device</source>
        <translation>每台设备</translation>
    </message>
    <message>
        <source>Replicas would be faster. They add gradients up in another order, so they are only taken by themselves on GPUs; the setting Replicas asks for them.</source>
        <translation>副本会更快。副本以另一种顺序累加梯度，因此只在 GPU 上自动采用；可在设置“副本”中指定。</translation>
    </message>
    <message>
        <source>The same microbatches would be faster dealt out otherwise: %1. The settings Microbatches and Rounds say how they are.</source>
        <translation>同样的微批次换一种分法会更快：%1。分法由设置“微批次”和“轮次”决定。</translation>
    </message>
    <message>
        <source>Updates that are one step late would be faster, with other losses; the setting Updates asks for them.</source>
        <translation>晚一步的更新会更快，但损失会不同；可在设置“更新方式”中指定。</translation>
    </message>
    <message>
        <source>%1 would be faster here. It is compared, but cannot be run.</source>
        <translation>%1 在这里会更快；它只用于比较，不能运行。</translation>
    </message>
    <message numerus="yes">
        <source>Rounds of %n microbatch(es), more of them</source>
        <translation>
            <numerusform>每轮 %n 个微批次，轮数更多</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Steps of %n token(s)</source>
        <translation>
            <numerusform>每步 %n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>an update has fewer examples, and an epoch more updates</source>
        <translation>每次更新的样本更少，每轮的更新次数更多</translation>
    </message>
    <message>
        <source>%1 tokens/s; an update has fewer examples, and an epoch more updates</source>
        <translation>%1 词元/秒；每次更新的样本更少，每轮的更新次数更多</translation>
    </message>
    <message>
        <source>Precision %1</source>
        <translation>精度 %1</translation>
    </message>
    <message>
        <source>same result, but for rounding; weights travel for each round</source>
        <translation>除舍入外结果相同；每轮都要传输权重</translation>
    </message>
    <message>
        <source>weights and activations have fewer digits</source>
        <translation>权重和激活值的有效位数更少</translation>
    </message>
    <message>
        <source>%1 tokens/s; same result, but for rounding; weights travel for each round</source>
        <translation>%1 词元/秒；除舍入外结果相同；每轮都要传输权重</translation>
    </message>
    <message>
        <source>%1 tokens/s; weights and activations have fewer digits</source>
        <translation>%1 词元/秒；权重和激活值的有效位数更少</translation>
    </message>
    <message>
        <source>RoundPipe, other rounds</source>
        <translation>RoundPipe，其他轮次</translation>
    </message>
    <message>
        <source>Stages in turn, with updates in time, would be faster: %1. The settings Replicas and Updates ask for them.</source>
        <translation>依次轮转的阶段加上及时的更新会更快：%1。可在设置“副本”和“更新方式”中指定。</translation>
    </message>
    <message>
        <source>at least %1</source>
        <comment>a speed</comment>
        <translation>至少 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n chosen microbatch(es)</source>
        <translation>
            <numerusform>自动选定的 %n 个微批次</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n microbatch(es)</source>
        <translation>
            <numerusform>%n 个微批次</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 in %n round(s)</source>
        <comment>microbatches</comment>
        <translation>
            <numerusform>%1，分 %n 轮次</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of at most %2 tokens</source>
        <comment>microbatches</comment>
        <translation>%1，每个最多 %2 词元</translation>
    </message>
    <message>
        <source>%1 of %2 × %3 tokens</source>
        <comment>microbatches</comment>
        <translation>%1，每个 %2 × %3 词元</translation>
    </message>
    <message>
        <source>Adapters instead of all weights</source>
        <translation>用适配器代替全部权重</translation>
    </message>
    <message>
        <source>%1 free on the disk</source>
        <translation>磁盘上有 %1 可用空间</translation>
    </message>
    <message>
        <source>Together these are faster than the others, with %1 tokens/s:</source>
        <translation>以下设置合在一起比其他的更快，每秒 %1 词元：</translation>
    </message>
    <message>
        <source>adapters alone are trained; they learn less than all weights do</source>
        <translation>只训练适配器；它们学到的比全部权重少</translation>
    </message>
    <message>
        <source>free some of it, or write the run to another disk</source>
        <translation>腾出空间，或把运行写到另一块磁盘</translation>
    </message>
    <message>
        <source>%1 tokens/s; adapters alone are trained; they learn less than all weights do</source>
        <translation>%1 词元/秒；只训练适配器；它们学到的比全部权重少</translation>
    </message>
    <message>
        <source>%1 tokens/s; free some of it, or write the run to another disk</source>
        <translation>%1 词元/秒；腾出空间，或把运行写到另一块磁盘</translation>
    </message>
</context>
<context>
    <name>Presets</name>
    <message>
        <source>First try</source>
        <translation>初次尝试</translation>
    </message>
    <message>
        <source>1 epoch, rank 8</source>
        <translation>1 轮，秩 8</translation>
    </message>
    <message>
        <source>Balanced</source>
        <translation>均衡</translation>
    </message>
    <message>
        <source>3 epochs, rank 16</source>
        <translation>3 轮，秩 16</translation>
    </message>
    <message>
        <source>Thorough</source>
        <translation>充分</translation>
    </message>
    <message>
        <source>5 epochs, rank 64</source>
        <translation>5 轮，秩 64</translation>
    </message>
    <message>
        <source>%1 epochs, rank %2</source>
        <translation>%1 轮，秩 %2</translation>
    </message>
    <message>
        <source>1 epoch, all weights</source>
        <translation>1 轮，全部权重</translation>
    </message>
    <message>
        <source>%1 epochs, all weights</source>
        <translation>%1 轮，全部权重</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>LibTorch engine</source>
        <translation>LibTorch 引擎</translation>
    </message>
</context>
<context>
    <name>QueueLine</name>
    <message>
        <source>defaults</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1/%2 步</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>all devices</source>
        <translation>所有设备</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>more than %1</source>
        <translation>超过 %1</translation>
    </message>
    <message>
        <source>On %1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>nothing waits</source>
        <translation>无等待</translation>
    </message>
    <message numerus="yes">
        <source>%n wait(s)</source>
        <translation>
            <numerusform>%n 个等待中</numerusform>
        </translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>Can&apos;t be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Not readable by this version</source>
        <translation>此版本无法读取</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>loss, smoothed</source>
        <translation>损失（平滑）</translation>
    </message>
    <message>
        <source>validation loss (dashed)</source>
        <translation>验证损失（虚线）</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>%1 at first, %2 at best, %3 at last</source>
        <translation>最初 %1，最佳 %2，最后 %3</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>适配器</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>训练前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>训练后</translation>
    </message>
    <message>
        <source>Loss over the steps</source>
        <translation>损失随步数的变化</translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation>训练前后对比</translation>
    </message>
    <message>
        <source>Settings (bold: not the default)</source>
        <translation>设置（粗体：非默认值）</translation>
    </message>
    <message>
        <source>Trained model</source>
        <translation>训练后的模型</translation>
    </message>
</context>
<context>
    <name>RowRemark</name>
    <message>
        <source>bad row</source>
        <translation>行有错误</translation>
    </message>
    <message>
        <source>no assistant turn</source>
        <translation>没有助手的发言</translation>
    </message>
    <message>
        <source>refused by the chat template</source>
        <translation>被聊天模板拒绝</translation>
    </message>
    <message>
        <source>assistant&apos;s tokens unclear</source>
        <translation>助手的词元不明确</translation>
    </message>
    <message>
        <source>no trained token</source>
        <translation>没有可训练的词元</translation>
    </message>
    <message>
        <source>too long</source>
        <translation>过长</translation>
    </message>
    <message>
        <source>generation tags</source>
        <translation>generation 标签</translation>
    </message>
    <message>
        <source>sentinels</source>
        <translation>占位标记</translation>
    </message>
    <message>
        <source>turn markers</source>
        <translation>轮次标记</translation>
    </message>
    <message>
        <source>the row itself</source>
        <translation>行本身</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>全部内容</translation>
    </message>
    <message>
        <source>%1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>and all after it cannot be read: %1</source>
        <translation>及其后的所有行无法读取：%1</translation>
    </message>
    <message>
        <source>and %1 after it cannot be read: %2</source>
        <translation>及其后的 %1 行无法读取：%2</translation>
    </message>
    <message>
        <source>is longer than 64 MiB: a row is an object on a line, or in a list</source>
        <translation>超过 64 MiB：一行数据是文件一行中或列表中的一个对象</translation>
    </message>
    <message>
        <source>is cut off: the file ends within the array</source>
        <translation>不完整：文件在数组中途结束</translation>
    </message>
    <message>
        <source>is followed by more text than the array</source>
        <translation>数组之后还有其他文本</translation>
    </message>
    <message>
        <source>has a quote that is never closed, or not within 64 MiB</source>
        <translation>有一个引号从未闭合，或未在 64 MiB 内闭合</translation>
    </message>
    <message>
        <source>holds a zero byte at position %1, as binary files and UTF-16 do</source>
        <translation>在位置 %1 处含有零字节，像是二进制文件或 UTF-16</translation>
    </message>
    <message>
        <source>is nested deeper than %1 levels</source>
        <translation>嵌套超过 %1 层</translation>
    </message>
    <message>
        <source>has an object of more than %1 fields</source>
        <translation>含有超过 %1 个字段的对象</translation>
    </message>
    <message>
        <source>is not valid JSON: it ends before a bracket or a quote is closed</source>
        <translation>不是有效的 JSON：文本在括号或引号闭合之前就结束了</translation>
    </message>
    <message>
        <source>is not valid JSON: at character %1 stands %2, where a value should begin</source>
        <translation>不是有效的 JSON：第 %1 个字符处是 %2，此处应开始一个值</translation>
    </message>
    <message>
        <source>is not valid JSON: at character %1 stands %2, where a field&apos;s name in double quotes should</source>
        <translation>不是有效的 JSON：第 %1 个字符处是 %2，此处应为双引号中的字段名</translation>
    </message>
    <message>
        <source>is not valid JSON: at character %1 stands %2, where a &apos;:&apos; should follow the field&apos;s name</source>
        <translation>不是有效的 JSON：第 %1 个字符处是 %2，字段名之后应为 &apos;:&apos;</translation>
    </message>
    <message>
        <source>is not valid JSON: at character %1 stands %2, where a &apos;,&apos; or a &apos;}&apos; should</source>
        <translation>不是有效的 JSON：第 %1 个字符处是 %2，此处应为 &apos;,&apos; 或 &apos;}&apos;</translation>
    </message>
    <message>
        <source>is not valid JSON: at character %1 stands %2, where a &apos;,&apos; or a &apos;]&apos; should</source>
        <translation>不是有效的 JSON：第 %1 个字符处是 %2，此处应为 &apos;,&apos; 或 &apos;]&apos;</translation>
    </message>
    <message>
        <source>is not valid JSON: at character %1 stands %2, behind the row&apos;s end</source>
        <translation>不是有效的 JSON：第 %1 个字符处是 %2，位于该行结束之后</translation>
    </message>
    <message>
        <source>is not valid JSON: at character %1 stands %2 within quotes, where it has to be written with a backslash (\n, \t)</source>
        <translation>不是有效的 JSON：第 %1 个字符处引号内是 %2，须用反斜杠转义（\n、\t）</translation>
    </message>
    <message>
        <source>is not valid JSON: at character %1 begins an escape that JSON does not have</source>
        <translation>不是有效的 JSON：第 %1 个字符处的转义序列在 JSON 中不存在</translation>
    </message>
    <message>
        <source>is not valid JSON: in its line %1, at character %2, stands %3, where a value should begin</source>
        <translation>不是有效的 JSON：其中第 %1 行第 %2 个字符处是 %3，此处应开始一个值</translation>
    </message>
    <message>
        <source>is not valid JSON: in its line %1, at character %2, stands %3, where a field&apos;s name in double quotes should</source>
        <translation>不是有效的 JSON：其中第 %1 行第 %2 个字符处是 %3，此处应为双引号中的字段名</translation>
    </message>
    <message>
        <source>is not valid JSON: in its line %1, at character %2, stands %3, where a &apos;:&apos; should follow the field&apos;s name</source>
        <translation>不是有效的 JSON：其中第 %1 行第 %2 个字符处是 %3，字段名之后应为 &apos;:&apos;</translation>
    </message>
    <message>
        <source>is not valid JSON: in its line %1, at character %2, stands %3, where a &apos;,&apos; or a &apos;}&apos; should</source>
        <translation>不是有效的 JSON：其中第 %1 行第 %2 个字符处是 %3，此处应为 &apos;,&apos; 或 &apos;}&apos;</translation>
    </message>
    <message>
        <source>is not valid JSON: in its line %1, at character %2, stands %3, where a &apos;,&apos; or a &apos;]&apos; should</source>
        <translation>不是有效的 JSON：其中第 %1 行第 %2 个字符处是 %3，此处应为 &apos;,&apos; 或 &apos;]&apos;</translation>
    </message>
    <message>
        <source>is not valid JSON: in its line %1, at character %2, stands %3, behind the row&apos;s end</source>
        <translation>不是有效的 JSON：其中第 %1 行第 %2 个字符处是 %3，位于该行结束之后</translation>
    </message>
    <message>
        <source>is not valid JSON: in its line %1, at character %2, stands %3 within quotes, where it has to be written with a backslash (\n, \t)</source>
        <translation>不是有效的 JSON：其中第 %1 行第 %2 个字符处引号内是 %3，须用反斜杠转义（\n、\t）</translation>
    </message>
    <message>
        <source>is not valid JSON: in its line %1, at character %2, begins an escape that JSON does not have</source>
        <translation>不是有效的 JSON：其中第 %1 行第 %2 个字符处的转义序列在 JSON 中不存在</translation>
    </message>
    <message>
        <source>is not a JSON object</source>
        <translation>不是 JSON 对象</translation>
    </message>
    <message>
        <source>has no field &apos;%1&apos;</source>
        <translation>没有字段 &apos;%1&apos;</translation>
    </message>
    <message>
        <source>has a field &apos;%1&apos; that is not a string</source>
        <translation>字段 &apos;%1&apos; 不是字符串</translation>
    </message>
    <message>
        <source>has a field &apos;%1&apos; that is not a list</source>
        <translation>字段 &apos;%1&apos; 不是列表</translation>
    </message>
    <message>
        <source>has a field &apos;%1&apos; that is not valid JSON from character %2 on</source>
        <translation>字段 &apos;%1&apos; 从第 %2 个字符起不是有效的 JSON</translation>
    </message>
    <message>
        <source>has a field &apos;%1&apos; that is neither a string nor messages</source>
        <translation>字段 &apos;%1&apos; 既不是字符串也不是消息</translation>
    </message>
    <message>
        <source>has a field &apos;%1&apos; that is empty</source>
        <translation>字段 &apos;%1&apos; 为空</translation>
    </message>
    <message>
        <source>has no list &apos;%1&apos;</source>
        <translation>没有列表 &apos;%1&apos;</translation>
    </message>
    <message>
        <source>has &apos;%1&apos;: only text can be trained on</source>
        <translation>含有 &apos;%1&apos;：只能用文本训练</translation>
    </message>
    <message>
        <source>has a &apos;history&apos; whose items are not pairs of strings</source>
        <translation>&apos;history&apos; 的条目不是成对的字符串</translation>
    </message>
    <message>
        <source>has a segment %1 without a string &apos;text&apos;</source>
        <translation>第 %1 个分段没有字符串 &apos;text&apos;</translation>
    </message>
    <message>
        <source>has a segment %1 whose &apos;label&apos; is neither true nor false</source>
        <translation>第 %1 个分段的 &apos;label&apos; 既不是 true 也不是 false</translation>
    </message>
    <message>
        <source>has a message %1 whose content is neither a string nor a list of parts</source>
        <translation>第 %1 条消息的内容既不是字符串也不是部分列表</translation>
    </message>
    <message>
        <source>has a message %1 with a part that is not text</source>
        <translation>第 %1 条消息含有不是文本的部分</translation>
    </message>
    <message>
        <source>has a message %1 whose tool_calls are not a list</source>
        <translation>第 %1 条消息的 tool_calls 不是列表</translation>
    </message>
    <message>
        <source>has a message %1 with a tool call that is not an object</source>
        <translation>第 %1 条消息含有不是对象的工具调用</translation>
    </message>
    <message>
        <source>has a message %1 whose &apos;train&apos; is neither true nor false</source>
        <translation>第 %1 条消息的 &apos;train&apos; 既不是 true 也不是 false</translation>
    </message>
    <message>
        <source>has a message %1 whose &apos;%2&apos; is neither 0 nor 1</source>
        <translation>第 %1 条消息的 &apos;%2&apos; 既不是 0 也不是 1</translation>
    </message>
    <message>
        <source>has a message %1 whose &apos;%2&apos; is not a string</source>
        <translation>第 %1 条消息的 &apos;%2&apos; 不是字符串</translation>
    </message>
    <message>
        <source>has a message %1 with two different thoughts, one in &apos;%2&apos; and one in &apos;%3&apos;; keep one of them</source>
        <translation>第 %1 条消息有两个不同的思考，一个在 &apos;%2&apos;，一个在 &apos;%3&apos;；请只保留其中一个</translation>
    </message>
    <message>
        <source>has a message %1 with a thought behind other parts of its content; a thought stands before them</source>
        <translation>第 %1 条消息的思考位于其内容的其他部分之后；思考应位于它们之前</translation>
    </message>
    <message>
        <source>has a message %1 with a text behind a call of a tool; give the text a message of its own</source>
        <translation>第 %1 条消息在工具调用之后还有文本；请把该文本放进单独的消息</translation>
    </message>
    <message>
        <source>has a message %1 from &apos;%2&apos;, which is no role that we know</source>
        <translation>第 %1 条消息来自未知角色 &apos;%2&apos;</translation>
    </message>
    <message>
        <source>has a message %1 with a function call that is not valid JSON from character %2 on</source>
        <translation>第 %1 条消息的函数调用从第 %2 个字符起不是有效的 JSON</translation>
    </message>
    <message>
        <source>has a message %1 with a function call without a name</source>
        <translation>第 %1 条消息的函数调用没有名称</translation>
    </message>
    <message>
        <source>has a message %1 that is not an object</source>
        <translation>第 %1 条消息不是对象</translation>
    </message>
    <message>
        <source>has a message %1 without a role</source>
        <translation>第 %1 条消息没有角色</translation>
    </message>
    <message>
        <source>has a message %1 with the outdated &apos;function_call&apos;; use &apos;tool_calls&apos;</source>
        <translation>第 %1 条消息使用了过时的 &apos;function_call&apos;；请用 &apos;tool_calls&apos;</translation>
    </message>
    <message>
        <source>has a message %1 without content</source>
        <translation>第 %1 条消息没有内容</translation>
    </message>
    <message>
        <source>has a message %1 without &apos;%2&apos;</source>
        <translation>第 %1 条消息没有 &apos;%2&apos;</translation>
    </message>
    <message>
        <source>has an assistant&apos;s turn (message %1) that says nothing</source>
        <translation>助手的发言（第 %1 条消息）没有内容</translation>
    </message>
    <message>
        <source>has no assistant&apos;s turn, but turns of: %1</source>
        <translation>没有助手的发言，只有这些角色的发言：%1</translation>
    </message>
    <message>
        <source>is refused by the chat template: %1</source>
        <translation>被聊天模板拒绝：%1</translation>
    </message>
    <message>
        <source>takes too long: %1</source>
        <translation>耗时过长：%1</translation>
    </message>
    <message>
        <source>is too long for the model&apos;s tokenizer, which takes such a text only as a whole: split it into several rows</source>
        <translation>对模型的分词器来说过长，这样的文本只能整体处理：请拆成多行</translation>
    </message>
    <message>
        <source>cannot be masked turn by turn: the chat template marks %1 spans for %2 turns of the assistant</source>
        <translation>无法逐轮掩码：聊天模板为助手的 %2 次发言标记了 %1 处</translation>
    </message>
    <message>
        <source>cannot be masked: &apos;%1&apos; (data.turn_begin) stands %2 times in its text, but the assistant has %3 turns</source>
        <translation>无法掩码：&apos;%1&apos;（data.turn_begin）在文本中出现 %2 次，而助手有 %3 次发言</translation>
    </message>
    <message>
        <source>cannot be masked: the chat template does not print the assistant&apos;s turn once, in its place (message %1)</source>
        <translation>无法掩码：聊天模板没有在原位恰好输出一次助手的发言（第 %1 条消息）</translation>
    </message>
    <message>
        <source>cannot be masked: the chat template does not print the assistant&apos;s thought once, before its answer (message %1)</source>
        <translation>无法掩码：聊天模板没有在回答之前恰好输出一次助手的思考（第 %1 条消息）</translation>
    </message>
    <message>
        <source>cannot be masked: the chat template changes what stands around the assistant&apos;s turn (message %1)</source>
        <translation>无法掩码：聊天模板改变了助手发言前后的内容（第 %1 条消息）</translation>
    </message>
    <message>
        <source>cannot be masked: the chat template can be read in two ways around the assistant&apos;s turn (message %1)</source>
        <translation>无法掩码：聊天模板在助手发言前后有两种读法（第 %1 条消息）</translation>
    </message>
    <message>
        <source>cannot be masked: the chat template rewrites the assistant&apos;s turn (message %1)</source>
        <translation>无法掩码：聊天模板改写了助手的发言（第 %1 条消息）</translation>
    </message>
    <message>
        <source>cannot be masked: with its turns replaced, it %1</source>
        <translation>无法掩码：替换其发言后，%1</translation>
    </message>
    <message>
        <source>has %1 tokens, more than %2</source>
        <translation>有 %1 个词元，超过 %2</translation>
    </message>
    <message>
        <source>has %1 tokens, and none of the first %2 is trained</source>
        <translation>有 %1 个词元，前 %2 个都不参与训练</translation>
    </message>
    <message>
        <source>has no trained token</source>
        <translation>没有参与训练的词元</translation>
    </message>
    <message>
        <source>Message %1 spells out %2, which becomes the special token itself.</source>
        <translation>第 %1 条消息写出了 %2，它会变成特殊词元本身。</translation>
    </message>
    <message>
        <source>%1 of the trained turns has no special token at the end: the model does not learn to stop.</source>
        <translation>有 %1 次训练的发言末尾没有特殊词元：模型学不会停止。</translation>
    </message>
    <message>
        <source>%1 of the trained turns have no special token at the end: the model does not learn to stop.</source>
        <translation>有 %1 次训练的发言末尾没有特殊词元：模型学不会停止。</translation>
    </message>
    <message>
        <source>The text has no %1 at its start, which the tokenizer puts before other texts.</source>
        <translation>文本开头没有 %1，而分词器会在其他文本前加上它。</translation>
    </message>
    <message>
        <source>The text starts with two %1.</source>
        <translation>文本以两个 %1 开头。</translation>
    </message>
    <message>
        <source>it has &apos;%1&apos;</source>
        <translation>有 &apos;%1&apos;</translation>
    </message>
    <message>
        <source>it has &apos;%1&apos; and &apos;%2&apos;</source>
        <translation>有 &apos;%1&apos; 和 &apos;%2&apos;</translation>
    </message>
    <message>
        <source>is hidden</source>
        <translation>是隐藏文件</translation>
    </message>
    <message>
        <source>describes a data set</source>
        <translation>描述一个数据集</translation>
    </message>
    <message>
        <source>is a text beside files with rows</source>
        <translation>是数据文件旁的文本</translation>
    </message>
    <message>
        <source>has an ending that we do not know</source>
        <translation>扩展名未知</translation>
    </message>
    <message>
        <source>There is no trained token in the data.</source>
        <translation>数据中没有参与训练的词元。</translation>
    </message>
    <message>
        <source>Only %1 of %2 tokens (%3 %) would be trained, less than %4 %.</source>
        <translation>%2 个词元中只有 %1 个（%3%）会参与训练，低于 %4%。</translation>
    </message>
    <message>
        <source>left out by choice</source>
        <translation>按选择排除</translation>
    </message>
    <message>
        <source>is left out: the same as row %1 of &apos;%2&apos;</source>
        <translation>已排除：与“%2”的第 %1 行相同</translation>
    </message>
    <message>
        <source>is left out: nearly the same as row %1 of &apos;%2&apos;</source>
        <translation>已排除：与“%2”的第 %1 行几乎相同</translation>
    </message>
    <message>
        <source>is left out: to validate on, and the same as row %1 of &apos;%2&apos;</source>
        <translation>已排除：用于验证，且与“%2”的第 %1 行相同</translation>
    </message>
    <message>
        <source>is left out: to validate on, and nearly the same as row %1 of &apos;%2&apos;</source>
        <translation>已排除：用于验证，且与“%2”的第 %1 行几乎相同</translation>
    </message>
    <message>
        <source>is left out: it has a message that says nothing</source>
        <translation>已排除：其中有一条消息没有内容</translation>
    </message>
    <message>
        <source>is left out: it was chosen itself</source>
        <translation>已排除：由人单独选定</translation>
    </message>
    <message>
        <source>%1 of the rows to leave out (data.leave_out_rows) stand no longer in the data, &apos;%2&apos; for one.</source>
        <translation>要排除的行（data.leave_out_rows）中有 %1 行已不在数据里，例如“%2”。</translation>
    </message>
    <message>
        <source>rejected answer</source>
        <translation>被拒绝的回答</translation>
    </message>
    <message>
        <source>has &apos;%1&apos;: %2, so its answer is one not to learn</source>
        <translation>含有“%1”: %2，其回答不应被学习</translation>
    </message>
    <message>
        <source>cannot be masked: where the chat template prints a tool&apos;s answer cannot be told (message %1)</source>
        <translation>无法掩码：无法判断聊天模板在何处输出工具的回答（消息 %1）</translation>
    </message>
    <message>
        <source>cannot be masked: the chat template prints a tool&apos;s answer within the assistant&apos;s turn, and no end before it</source>
        <translation>无法掩码：聊天模板在助手的发言内输出工具的回答，且之前没有结束标记</translation>
    </message>
    <message>
        <source>cannot be masked: message %1 spells out &apos;%2&apos;, and where it stands in the text cannot be told</source>
        <translation>无法掩码：消息 %1 写出了“%2”，且无法判断它在文本中的位置</translation>
    </message>
    <message>
        <source>%1 of the trained turns has nothing but its end: the model learns to say nothing.</source>
        <translation>有 %1 次训练的发言只有结束标记：模型会学会什么都不说。</translation>
    </message>
    <message>
        <source>%1 of the trained turns have nothing but their ends: the model learns to say nothing.</source>
        <translation>有 %1 次训练的发言只有结束标记：模型会学会什么都不说。</translation>
    </message>
    <message>
        <source>and others are not read: the file is an object, of which one list holds rows, and others stand beside it</source>
        <translation>以及别的内容不会被读取：该文件是一个对象，其中一个列表存放各行，旁边还有别的列表或对象</translation>
    </message>
    <message>
        <source>is never closed: the file ends within the object</source>
        <translation>从未闭合：文件在该对象内部结束</translation>
    </message>
    <message>
        <source>holds a zero byte at position %1 of column &apos;%2&apos;, as binary files and UTF-16 do</source>
        <translation>列 &apos;%2&apos; 在位置 %1 处含有零字节，像是二进制文件或 UTF-16</translation>
    </message>
    <message>
        <source>is plain text, which has no place for a system prompt (data.system_prompt)</source>
        <translation>是纯文本，没有放系统提示词的位置 (data.system_prompt)</translation>
    </message>
    <message>
        <source>is of a format that has no prompt to fill in (data.prompt_template)</source>
        <translation>的格式没有可填写的提示词 (data.prompt_template)</translation>
    </message>
    <message>
        <source>is refused by the chat template, which asks for tools: give the row a field &apos;tools&apos;, [] where it has none</source>
        <translation>被聊天模板拒绝，该模板需要工具：请为该行添加字段“tools”，没有工具时写 []</translation>
    </message>
    <message>
        <source>The text becomes %1 pieces of at most %2 tokens; each but the first begins with %3 of the one before, as context.</source>
        <translation>文本变为 %1 段，每段最多 %2 个词元；除第一段外，每段以前一段的 %3 个词元开头，作为上下文。</translation>
    </message>
    <message>
        <source>is not among the data files that its folder&apos;s state.json lists</source>
        <translation>不在其文件夹的 state.json 所列的数据文件中</translation>
    </message>
    <message>
        <source>is empty</source>
        <translation>为空文件</translation>
    </message>
    <message>
        <source>Not used: thoughts, as the chat template does not print them (message %1).</source>
        <translation>未使用：思考，因为聊天模板不输出它们（消息 %1）。</translation>
    </message>
    <message>
        <source>Not used: texts, as the chat template does not print them (message %1).</source>
        <translation>未使用：文本，因为聊天模板不输出它们（消息 %1）。</translation>
    </message>
    <message>
        <source>Not used: the tools, as the chat template does not print them.</source>
        <translation>未使用：工具，因为聊天模板不输出它们。</translation>
    </message>
    <message>
        <source>Not used: the model&apos;s chat template, as the row is plain text.</source>
        <translation>未使用：模型的聊天模板，因为该行是纯文本。</translation>
    </message>
    <message>
        <source>Not used: the turns of a chat that is rendered already, as all of its text is trained. To train the answers alone, set data.turn_begin to &apos;%1&apos; and data.turn_end to &apos;%2&apos;.</source>
        <translation>未使用：已渲染聊天的各次发言，因为其全部文本都会被训练。若只训练回答，请将 data.turn_begin 设为“%1”，data.turn_end 设为“%2”。</translation>
    </message>
    <message>
        <source>thoughts, as the chat template does not print them</source>
        <translation>思考，因为聊天模板不输出它们</translation>
    </message>
    <message>
        <source>texts, such as those beside tool calls, as the chat template does not print them</source>
        <translation>文本（例如工具调用旁的文本），因为聊天模板不输出它们</translation>
    </message>
    <message>
        <source>tools, as the chat template does not print them</source>
        <translation>工具，因为聊天模板不输出它们</translation>
    </message>
    <message>
        <source>the model&apos;s chat template, as prompt and completion are plain text; to make chats of them, set data.format to &apos;alpaca&apos; and data.columns to &apos;%1&apos;</source>
        <translation>模型的聊天模板，因为提示与补全是纯文本；若要将它们变为聊天，请将 data.format 设为“alpaca”，data.columns 设为“%1”</translation>
    </message>
    <message>
        <source>the model&apos;s chat template, as the rows are plain text</source>
        <translation>模型的聊天模板，因为这些行是纯文本</translation>
    </message>
    <message>
        <source>the turns of chats that are rendered already, as all of their text is trained; to train the answers alone, set data.turn_begin to &apos;%1&apos; and data.turn_end to &apos;%2&apos;</source>
        <translation>已渲染聊天的各次发言，因为其全部文本都会被训练；若只训练回答，请将 data.turn_begin 设为“%1”，data.turn_end 设为“%2”</translation>
    </message>
    <message>
        <source>is for testing, by its name</source>
        <translation>按名称是用于测试的</translation>
    </message>
    <message>
        <source>is for validation, by its name, and data.validation_file names another</source>
        <translation>按名称是用于验证的，而 data.validation_file 指定了另一个文件</translation>
    </message>
    <message>
        <source>Not used: the turns of a chat that is rendered already, in the form of %1, as all of its text is trained. To train the answers alone, set data.turn_begin to &apos;%2&apos; and data.turn_end to &apos;%3&apos;.</source>
        <translation>未使用：已按 %1 的格式渲染的聊天的各次发言，因为其全部文本都会被训练。若只训练回答，请将 data.turn_begin 设为“%2”，data.turn_end 设为“%3”。</translation>
    </message>
    <message>
        <source>Not used: the model&apos;s chat template, as the prompt is rendered already, in the form of %1.</source>
        <translation>未使用：模型的聊天模板，因为提示已按 %1 的格式渲染。</translation>
    </message>
    <message>
        <source>the turns of chats that are rendered already, in the form of %1, as all of their text is trained; to train the answers alone, set data.turn_begin to &apos;%2&apos; and data.turn_end to &apos;%3&apos;; a model with a chat template of its own is better given the chats as messages</source>
        <translation>已按 %1 的格式渲染的聊天的各次发言，因为其全部文本都会被训练；若只训练回答，请将 data.turn_begin 设为“%2”，data.turn_end 设为“%3”；若模型自带聊天模板，最好以消息的形式提供这些聊天</translation>
    </message>
    <message>
        <source>the model&apos;s chat template, as the prompts are rendered already, in the form of %1</source>
        <translation>模型的聊天模板，因为提示已按 %1 的格式渲染</translation>
    </message>
    <message>
        <source>tool call not printed</source>
        <translation>工具调用未输出</translation>
    </message>
    <message>
        <source>has a tool call that the chat template does not print (message %1)</source>
        <translation>包含聊天模板不输出的工具调用（第 %1 条消息）</translation>
    </message>
    <message>
        <source>has a tool call whose arguments the chat template does not print (message %1)</source>
        <translation>包含参数不被聊天模板输出的工具调用（第 %1 条消息）</translation>
    </message>
    <message>
        <source>Not used: the system&apos;s words of the row&apos;s column, as its messages begin with words of the system.</source>
        <translation>未使用：该行列中的系统提示词，因为其消息以系统提示词开头。</translation>
    </message>
    <message>
        <source>the system&apos;s words of a column, as the messages beside it begin with words of the system</source>
        <translation>某列中的系统提示词，因为旁边的消息以系统提示词开头</translation>
    </message>
    <message>
        <source>is not valid UTF-8: byte 0x%1 at position %2; save the file as UTF-8</source>
        <translation>不是有效的 UTF-8：位置 %2 处的字节 0x%1；请将文件另存为 UTF-8</translation>
    </message>
    <message>
        <source>is not valid UTF-8: byte 0x%1 at position %2 of column &apos;%3&apos;; save the file as UTF-8</source>
        <translation>不是有效的 UTF-8：列 &apos;%3&apos; 位置 %2 处的字节 0x%1；请将文件另存为 UTF-8</translation>
    </message>
    <message>
        <source>has quotes in column %1 that are written with a backslash; CSV writes them twice</source>
        <translation>第 %1 列中的引号用反斜杠转义；CSV 应写成两个引号</translation>
    </message>
    <message>
        <source>has a message %1 with a tool call whose arguments are not valid JSON from character %2 on; where there are none, they are {}</source>
        <translation>第 %1 条消息的工具调用的参数从第 %2 个字符起不是有效的 JSON；没有参数时应写 {}</translation>
    </message>
    <message>
        <source>has a message %1 with a tool call whose arguments are %2, not an object of their names and values; where there are none, they are {}</source>
        <translation>第 %1 条消息的工具调用的参数是 %2，而不是由名称和值组成的对象；没有参数时应写 {}</translation>
    </message>
    <message>
        <source>Not used: columns that nothing reads: %1.</source>
        <translation>未使用：未被读取的列：%1。</translation>
    </message>
    <message>
        <source>labels that do not say whether the answer is a good one, though those of other rows do; such rows are trained</source>
        <translation>未说明回答好坏的标签（其他行的标签有说明）；这些行仍参与训练</translation>
    </message>
    <message>
        <source>has another number of columns (%2) than the header (%1); a cell that holds the delimiter stands in quotes</source>
        <translation>列数（%2）与表头的列数（%1）不同；含有分隔符的单元格应加引号</translation>
    </message>
    <message>
        <source>has text behind the closing quote of column %1; a cell with quotes in it stands in quotes, and each of them is written twice</source>
        <translation>第 %1 列在结束引号之后还有文本；含有引号的单元格应加引号，其中的每个引号要写两次</translation>
    </message>
    <message>
        <source>has a message %1 with a thought that is never closed: a %2 and no %3 behind it</source>
        <translation>第 %1 条消息中的思考没有结束：有 %2，其后没有 %3</translation>
    </message>
    <message>
        <source>has a message %1 with a &apos;%2&apos; in its &apos;%3&apos;, where the thought would end; what is behind it is the content</source>
        <translation>第 %1 条消息的 &apos;%3&apos; 中有 &apos;%2&apos;，思考会在那里结束；其后的文本应放进内容</translation>
    </message>
    <message>
        <source>has a message %1 with a tool call that says two things, in &apos;%2&apos; and in &apos;%3&apos;; keep one of them</source>
        <translation>第 %1 条消息的工具调用在 &apos;%2&apos; 和 &apos;%3&apos; 中说法不同；请只保留其中一个</translation>
    </message>
    <message>
        <source>has a message %1 with a tool call without &apos;arguments&apos;, but with &apos;%2&apos;, which is not understood; what the function is given stands in &apos;arguments&apos;, {} where it is given nothing</source>
        <translation>第 %1 条消息的工具调用没有 &apos;arguments&apos;，却有无法理解的 &apos;%2&apos;；传给函数的内容应写在 &apos;arguments&apos; 中，没有时写 {}</translation>
    </message>
    <message>
        <source>Not used: what stands beside &apos;role&apos; or &apos;content&apos; under another name, and says something else (message %1).</source>
        <translation>未使用：&apos;role&apos; 或 &apos;content&apos; 之外以其他名称给出的不同说法（第 %1 条消息）。</translation>
    </message>
    <message>
        <source>Not used: &lt;think&gt; or [THINK] as the beginning of a thought, as nothing closes it; what follows is trained as the answer (message %1).</source>
        <translation>未使用：作为思考开头的 &lt;think&gt; 或 [THINK]，因为没有结束标记；其后的文本作为回答训练（第 %1 条消息）。</translation>
    </message>
    <message>
        <source>Not used: the turns of a chat that is rendered already, in the form of %1, as all of its text is trained. Of its answers only the last has an end, that of the text: to train it alone, set data.turn_begin to &apos;%2&apos;, data.turn_end to &apos;%3&apos; and data.train_on to &apos;last-assistant&apos;.</source>
        <translation>未使用：已按 %1 的格式渲染的聊天的各次发言，因为其全部文本都会被训练。其中只有最后一个回答有结尾，即文本的结尾：若只训练它，请将 data.turn_begin 设为“%2”，data.turn_end 设为“%3”，data.train_on 设为“last-assistant”。</translation>
    </message>
    <message>
        <source>what stands beside a message&apos;s &apos;role&apos; or &apos;content&apos; under another name, and says something else</source>
        <translation>消息中 &apos;role&apos; 或 &apos;content&apos; 之外以其他名称给出的不同说法</translation>
    </message>
    <message>
        <source>&lt;think&gt; or [THINK] as the beginning of a thought, as nothing closes it; what follows is trained as the answer</source>
        <translation>作为思考开头的 &lt;think&gt; 或 [THINK]，因为没有结束标记；其后的文本作为回答训练</translation>
    </message>
    <message>
        <source>the turns of chats that are rendered already, in the form of %1, as all of their text is trained; of their answers only the last has an end, that of the text: to train it alone, set data.turn_begin to &apos;%2&apos;, data.turn_end to &apos;%3&apos; and data.train_on to &apos;last-assistant&apos;, or give the chats as messages to a model with a chat template</source>
        <translation>已按 %1 的格式渲染的聊天的各次发言，因为其全部文本都会被训练；其中只有最后一个回答有结尾，即文本的结尾：若只训练它，请将 data.turn_begin 设为“%2”，data.turn_end 设为“%3”，data.train_on 设为“last-assistant”；或以消息的形式把这些聊天交给带聊天模板的模型</translation>
    </message>
    <message>
        <source>has a number that is too large, %2 at character %1; in quotes it is a text</source>
        <translation>包含过大的数字，即第 %1 个字符处的 %2；加上引号即为文本</translation>
    </message>
    <message>
        <source>is not valid JSON: at character %1 begins a comment, which JSON does not have</source>
        <translation>不是有效的 JSON：第 %1 个字符处开始了注释，而 JSON 没有注释</translation>
    </message>
    <message>
        <source>has a number that is too large, %3 in its line %1, at character %2; in quotes it is a text</source>
        <translation>包含过大的数字，即其中第 %1 行第 %2 个字符处的 %3；加上引号即为文本</translation>
    </message>
    <message>
        <source>is not valid JSON: in its line %1, at character %2, begins a comment, which JSON does not have</source>
        <translation>不是有效的 JSON：其中第 %1 行第 %2 个字符处开始了注释，而 JSON 没有注释</translation>
    </message>
    <message>
        <source>has two fields &apos;%1&apos; that say different things; keep one of them</source>
        <translation>有两个内容不同的字段 &apos;%1&apos;；请只保留其中一个</translation>
    </message>
    <message>
        <source>Message %1 spells out %2, a mark of other models&apos; chat templates: this model has no such token and takes it as letters.</source>
        <translation>第 %1 条消息写出了 %2，这是其他模型聊天模板的标记：本模型没有这样的词元，会把它当作普通字符。</translation>
    </message>
    <message>
        <source>The text ends with %1, as other models end their turns: this model has no such token and takes it as letters.</source>
        <translation>文本以 %1 结尾，这是其他模型结束发言的方式：本模型没有这样的词元，会把它当作普通字符。</translation>
    </message>
    <message>
        <source>Not used: &lt;/think&gt; as words of an answer, as the chat template takes what stands before it as a thought (message %1).</source>
        <translation>未使用：作为回答文字的 &lt;/think&gt;，因为聊天模板把它前面的内容当作思考（第 %1 条消息）。</translation>
    </message>
    <message>
        <source>Not used: a call written out in words, as the same call stands in &apos;tool_calls&apos;: both are trained (message %1).</source>
        <translation>未使用：以文字写出的调用，因为 &apos;tool_calls&apos; 中已有同一个调用：两者都会被训练（第 %1 条消息）。</translation>
    </message>
    <message>
        <source>Not used: the turns of a chat that is rendered already, in the form of %1, as all of its text is trained. It ends with %2, which this model takes as letters, so no setting trains its answers with an end: give the chat as messages to a model with a chat template.</source>
        <translation>未使用：已按 %1 的格式渲染的聊天的各次发言，因为其全部文本都会被训练。它以 %2 结尾，而本模型把它当作普通字符，因此任何设置都无法让回答带着结尾训练：请以消息的形式把该聊天交给带聊天模板的模型。</translation>
    </message>
    <message>
        <source>&lt;/think&gt; as words of an answer, as the chat template takes what stands before it as a thought</source>
        <translation>作为回答文字的 &lt;/think&gt;，因为聊天模板把它前面的内容当作思考</translation>
    </message>
    <message>
        <source>calls written out in words, as the same calls stand in &apos;tool_calls&apos;: both are trained</source>
        <translation>以文字写出的调用，因为 &apos;tool_calls&apos; 中已有同样的调用：两者都会被训练</translation>
    </message>
    <message>
        <source>marks of other models&apos; chat templates, such as [INST] or &lt;/s&gt;, as this model has no such tokens and takes them as letters</source>
        <translation>其他模型聊天模板的标记，例如 [INST] 或 &lt;/s&gt;，因为本模型没有这样的词元，会把它们当作普通字符</translation>
    </message>
    <message>
        <source>the turns of chats that are rendered already, in the form of %1, as all of their text is trained; they end with another model&apos;s mark of an end, which this model takes as letters, so no setting trains their answers with an end: give the chats as messages to a model with a chat template</source>
        <translation>已按 %1 的格式渲染的聊天的各次发言，因为其全部文本都会被训练；它们以其他模型的结束标记结尾，而本模型把它当作普通字符，因此任何设置都无法让回答带着结尾训练：请以消息的形式把这些聊天交给带聊天模板的模型</translation>
    </message>
    <message>
        <source>Not used: splitting (data.over_length), as a part of the row is not trained: it is cut off.</source>
        <translation>未使用：拆分（data.over_length），因为该行有一部分不参与训练：它会被截断。</translation>
    </message>
    <message>
        <source>Not used: data.delimiter, as the row stands in no CSV or TSV file.</source>
        <translation>未使用：data.delimiter，因为该行不在 CSV 或 TSV 文件中。</translation>
    </message>
    <message>
        <source>Not used: data.header, as the row stands in no CSV or TSV file.</source>
        <translation>未使用：data.header，因为该行不在 CSV 或 TSV 文件中。</translation>
    </message>
    <message>
        <source>splitting (data.over_length), as a part of each of these rows is not trained: they are cut off</source>
        <translation>拆分（data.over_length），因为这些行都有一部分不参与训练：它们会被截断</translation>
    </message>
    <message>
        <source>data.delimiter, as the rows stand in no CSV or TSV file</source>
        <translation>data.delimiter，因为这些行不在 CSV 或 TSV 文件中</translation>
    </message>
    <message>
        <source>data.header, as the rows stand in no CSV or TSV file</source>
        <translation>data.header，因为这些行不在 CSV 或 TSV 文件中</translation>
    </message>
</context>
<context>
    <name>RunEnd</name>
    <message>
        <source>The run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>%1 was stopped.</source>
        <translation>%1 已停止。</translation>
    </message>
    <message>
        <source>%1 is ready.</source>
        <translation>%1 已完成。</translation>
    </message>
    <message>
        <source>%1 has failed.</source>
        <translation>%1 失败。</translation>
    </message>
    <message>
        <source>Loss %1 → %2.</source>
        <translation>损失 %1 → %2。</translation>
    </message>
</context>
<context>
    <name>RunHistory</name>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>词元每秒</translation>
    </message>
    <message>
        <source>Device memory (GiB)</source>
        <translation>设备内存 (GiB)</translation>
    </message>
    <message>
        <source>Host memory (GiB)</source>
        <translation>主机内存 (GiB)</translation>
    </message>
    <message>
        <source>Links up (GB/s)</source>
        <translation>链路上传 (GB/s)</translation>
    </message>
    <message>
        <source>Links down (GB/s)</source>
        <translation>链路下载 (GB/s)</translation>
    </message>
    <message>
        <source>GPU temperature (°C)</source>
        <translation>GPU 温度 (°C)</translation>
    </message>
    <message>
        <source>GPU power (W)</source>
        <translation>GPU 功耗 (W)</translation>
    </message>
    <message>
        <source>GPU clock (MHz)</source>
        <translation>GPU 频率 (MHz)</translation>
    </message>
    <message>
        <source>GPU memory clock (MHz)</source>
        <translation>GPU 显存频率 (MHz)</translation>
    </message>
    <message>
        <source>The run ended before its first step.</source>
        <translation>运行在第一步之前就结束了。</translation>
    </message>
    <message>
        <source>Begins with the first step.</source>
        <translation>从第一步开始。</translation>
    </message>
    <message>
        <source>The run ended before its devices were open.</source>
        <translation>运行在设备打开之前就结束了。</translation>
    </message>
    <message>
        <source>Begins when the devices are open.</source>
        <translation>设备打开后开始。</translation>
    </message>
    <message>
        <source>No device of this run says this of itself.</source>
        <translation>此运行的设备都不提供该数据。</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>锁页</translation>
    </message>
</context>
<context>
    <name>RunSpec</name>
    <message>
        <source>Host memory</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>GiB of the machine&apos;s memory that it may be planned with, where the system says less than there is or other programs need some; 0: what it says is free.</source>
        <translation>规划时可使用的本机内存（GiB），用于系统报告的内存少于实际，或其他程序需要部分内存的情况；0：系统报告的空闲内存。</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Format version</source>
        <translation>格式版本</translation>
    </message>
    <message>
        <source>Version of this file&apos;s format.</source>
        <translation>此文件的格式版本。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>What the run is called in lists.</source>
        <translation>运行在列表中的名称。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Decides the order of rows, dropout and fresh weights.</source>
        <translation>决定数据行的顺序、dropout 和新权重。</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>What is trained: lora, adapters beside the frozen weights; full, the weights themselves.</source>
        <translation>训练什么：LoRA，即冻结权重之外的适配器；全参数，即权重本身。</translation>
    </message>
    <message>
        <source>Model folder</source>
        <translation>模型文件夹</translation>
    </message>
    <message>
        <source>Hugging Face folder with config.json and safetensors.</source>
        <translation>含 config.json 和 safetensors 的 Hugging Face 文件夹。</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>聊天模板</translation>
    </message>
    <message>
        <source>Template file that replaces the model folder&apos;s own.</source>
        <translation>代替模型文件夹自带模板的模板文件。</translation>
    </message>
    <message>
        <source>Template arguments</source>
        <translation>模板参数</translation>
    </message>
    <message>
        <source>JSON object of extra variables for the template.</source>
        <translation>为模板提供额外变量的 JSON 对象。</translation>
    </message>
    <message>
        <source>Random weights</source>
        <translation>随机权重</translation>
    </message>
    <message>
        <source>Make the weights from config.json alone, by the seed (for benchmarks).</source>
        <translation>仅根据 config.json 和种子生成权重（用于性能测试）。</translation>
    </message>
    <message>
        <source>Base model id</source>
        <translation>基础模型标识</translation>
    </message>
    <message>
        <source>Name of the base model that is written into the adapter; empty: the folder.</source>
        <translation>写入适配器的基础模型名称；留空：使用文件夹。</translation>
    </message>
    <message>
        <source>Base model revision</source>
        <translation>基础模型修订版</translation>
    </message>
    <message>
        <source>Revision of the base model that is written into the adapter.</source>
        <translation>写入适配器的基础模型修订版。</translation>
    </message>
    <message>
        <source>Data files</source>
        <translation>数据文件</translation>
    </message>
    <message>
        <source>Files or folders with training rows: JSONL, JSON, CSV, TSV, Parquet, text; also .gz and .zst.</source>
        <translation>含训练数据行的文件或文件夹：JSONL、JSON、CSV、TSV、Parquet、文本；也支持 .gz 和 .zst。</translation>
    </message>
    <message>
        <source>Row format</source>
        <translation>行格式</translation>
    </message>
    <message>
        <source>How a row is read; auto looks at its columns.</source>
        <translation>如何读取一行；“自动”根据其列判断。</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Fields that stand in columns of another name: prompt=question,completion=answer.</source>
        <translation>列名不同的字段：prompt=question,completion=answer。</translation>
    </message>
    <message>
        <source>Validation file</source>
        <translation>验证文件</translation>
    </message>
    <message>
        <source>Validation share</source>
        <translation>验证比例</translation>
    </message>
    <message>
        <source>Validation rows at most</source>
        <translation>验证行数上限</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Tokens of an example at most.</source>
        <translation>一个样本最多的词元数。</translation>
    </message>
    <message>
        <source>Longer rows</source>
        <translation>超长的行</translation>
    </message>
    <message>
        <source>Train on</source>
        <translation>继续训练</translation>
    </message>
    <message>
        <source>Which tokens the loss counts.</source>
        <translation>哪些词元计入损失。</translation>
    </message>
    <message>
        <source>Turn begins after</source>
        <translation>回复开始于</translation>
    </message>
    <message>
        <source>Text that stands before each of the assistant&apos;s turns (\n: line feed); empty: the template tells.</source>
        <translation>助手每次发言之前的文本（\n：换行）；留空：由模板决定。</translation>
    </message>
    <message>
        <source>Turn ends before</source>
        <translation>回复结束于</translation>
    </message>
    <message>
        <source>Text that stands after each of the assistant&apos;s turns; given together with the one before.</source>
        <translation>助手每次发言之后的文本；须与前一项一起填写。</translation>
    </message>
    <message>
        <source>Trained share at least</source>
        <translation>训练词元最低比例</translation>
    </message>
    <message>
        <source>Keep tokens</source>
        <translation>保留词元</translation>
    </message>
    <message>
        <source>Keep the tokenised rows in the user&apos;s cache folder, so that the next run need not make them again.</source>
        <translation>把分词后的数据行保存在用户缓存文件夹中，下次运行无需重新生成。</translation>
    </message>
    <message>
        <source>Shuffle</source>
        <translation>打乱</translation>
    </message>
    <message>
        <source>Take rows in an order drawn by the seed, else in file order.</source>
        <translation>按种子抽取的顺序取行，否则按文件顺序。</translation>
    </message>
    <message>
        <source>Template date</source>
        <translation>模板日期</translation>
    </message>
    <message>
        <source>Day that templates see, as 2026-01-31; empty: the day on which the run is made.</source>
        <translation>模板看到的日期，如 2026-01-31；留空：创建运行的当天。</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>秩</translation>
    </message>
    <message>
        <source>Rank of the adapters.</source>
        <translation>适配器的秩。</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>The adapters&apos; output is scaled by alpha / rank.</source>
        <translation>适配器的输出按 alpha / 秩 缩放。</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout</translation>
    </message>
    <message>
        <source>Probability with which an adapter&apos;s input is dropped.</source>
        <translation>适配器输入被丢弃的概率。</translation>
    </message>
    <message>
        <source>Rank-stabilised</source>
        <translation>秩稳定</translation>
    </message>
    <message>
        <source>Scale by alpha / sqrt(rank) instead.</source>
        <translation>改为按 alpha / √秩 缩放。</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Linear layers that get an adapter: names such as q_proj, or all-linear.</source>
        <translation>加上适配器的线性层：如 q_proj 的名称，或 all-linear。</translation>
    </message>
    <message>
        <source>Trained whole</source>
        <translation>完整训练</translation>
    </message>
    <message>
        <source>Modules that are trained whole beside the adapters: embed_tokens, lm_head, norm (every norm).</source>
        <translation>除适配器外完整训练的模块：embed_tokens、lm_head、norm（所有归一化层）。</translation>
    </message>
    <message>
        <source>Start from adapter</source>
        <translation>从适配器继续</translation>
    </message>
    <message>
        <source>Adapter folder, as PEFT writes it, to go on from.</source>
        <translation>用作起点的 PEFT 格式适配器文件夹。</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Peak learning rate.</source>
        <translation>学习率峰值。</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>学习率计划</translation>
    </message>
    <message>
        <source>How the learning rate falls after the warm-up.</source>
        <translation>预热之后学习率如何下降。</translation>
    </message>
    <message>
        <source>Warm-up steps</source>
        <translation>预热步数</translation>
    </message>
    <message>
        <source>Steps in which the rate rises from 0; wins over the ratio.</source>
        <translation>学习率从 0 上升的步数；优先于预热比例。</translation>
    </message>
    <message>
        <source>Warm-up share</source>
        <translation>预热比例</translation>
    </message>
    <message>
        <source>Share of all steps in which the rate rises.</source>
        <translation>学习率上升的步数占总步数的比例。</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Decoupled weight decay of AdamW.</source>
        <translation>AdamW 的解耦权重衰减。</translation>
    </message>
    <message>
        <source>Beta 1</source>
        <translation>Beta 1</translation>
    </message>
    <message>
        <source>Decay of the first moment.</source>
        <translation>一阶矩的衰减率。</translation>
    </message>
    <message>
        <source>Beta 2</source>
        <translation>Beta 2</translation>
    </message>
    <message>
        <source>Decay of the second moment.</source>
        <translation>二阶矩的衰减率。</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>Added to the denominator of the update.</source>
        <translation>加到更新公式的分母上。</translation>
    </message>
    <message>
        <source>Clip norm</source>
        <translation>梯度裁剪范数</translation>
    </message>
    <message>
        <source>Gradients are scaled down to this global norm; 0: never.</source>
        <translation>把梯度按比例缩小到此全局范数；0：从不。</translation>
    </message>
    <message>
        <source>Microbatch size</source>
        <translation>微批次大小</translation>
    </message>
    <message>
        <source>Examples in a microbatch; 0: two, or as many as are fastest, where a step is said in tokens and its microbatches are chosen.</source>
        <translation>一个微批次中的样本数；0：两个；若一步以词元数给出且微批次数由计划选择，则取最快的个数。</translation>
    </message>
    <message>
        <source>Microbatches</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>Microbatches that go through the pipeline together; 0: as many as keep the devices busy.</source>
        <translation>一起通过流水线的微批次数；0：以能让各设备保持忙碌的数量为准。</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Rounds of microbatches in one optimizer step.</source>
        <translation>一个优化器步中微批次的轮次数。</translation>
    </message>
    <message>
        <source>Tokens a step</source>
        <translation>每步词元数</translation>
    </message>
    <message>
        <source>Tokens in an optimizer step, to the nearest example; 0: so many examples as size, microbatches and rounds say.</source>
        <translation>一个优化器步中的词元数，精确到最近的样本；0：样本数由大小、微批次和轮次决定。</translation>
    </message>
    <message>
        <source>Microbatch tokens</source>
        <translation>每微批次词元数</translation>
    </message>
    <message>
        <source>Tokens in a microbatch at most; 0: microbatch size times length where tokens or packing decide, else by examples.</source>
        <translation>一个微批次最多的词元数；0：按词元或打包时为微批次大小乘以长度，否则按样本计。</translation>
    </message>
    <message>
        <source>Packing</source>
        <translation>打包</translation>
    </message>
    <message>
        <source>Which examples of a step share a microbatch: as drawn, of like length, or the fewest microbatches. The loss is the same.</source>
        <translation>一步中的哪些样本共用一个微批次：按抽取顺序、长度相近，或使微批次最少。损失不变。</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>训练轮数</translation>
    </message>
    <message>
        <source>How often every row is trained on.</source>
        <translation>每一行被训练的次数。</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Optimizer steps; 0: by epochs.</source>
        <translation>优化器步数；0：按训练轮数。</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>auto (every GPU, else a CPU worker per core), cpu, cpu:3 (three workers), cuda:0, a GPU&apos;s UUID. cuda:0@24GiB takes so much of its memory at most, cuda:0@4090 has memory and link of such a card.</source>
        <translation>auto（所有 GPU，否则每个核心一个 CPU 工作单元）、cpu、cpu:3（三个工作单元）、cuda:0、GPU 的 UUID。cuda:0@24GiB 最多使用这么多显存，cuda:0@4090 具有这种显卡的显存和链路。</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Type of weights and activations; auto: bf16 on GPUs, fp32 on CPU workers. fp16 is more exact than bf16 but ends at 65,504; steps are skipped until the scale of its loss fits.</source>
        <translation>权重和激活的类型；自动：GPU 上为 bf16，CPU 工作单元上为 fp32。fp16 比 bf16 更精确，但上限为 65,504；在损失缩放合适之前会跳过一些步。</translation>
    </message>
    <message>
        <source>Determinism</source>
        <translation>确定性</translation>
    </message>
    <message>
        <source>strict: the same bits on every run; fast: within tolerances, and quicker.</source>
        <translation>严格：每次运行的比特都相同；快速：在容差之内，更快。</translation>
    </message>
    <message>
        <source>Forward stages</source>
        <translation>前向阶段</translation>
    </message>
    <message>
        <source>Layers in each forward stage; empty: planned, or none where backward stages are given.</source>
        <translation>每个前向阶段的层数；留空：自动规划；若已给出反向阶段，则表示没有前向阶段。</translation>
    </message>
    <message>
        <source>Backward stages</source>
        <translation>反向阶段</translation>
    </message>
    <message>
        <source>Layers in the fused stage and in each backward stage, from the head down; empty: planned.</source>
        <translation>融合阶段和每个反向阶段的层数，从输出头往下；留空：自动规划。</translation>
    </message>
    <message>
        <source>Run folder</source>
        <translation>运行文件夹</translation>
    </message>
    <message>
        <source>Folder that receives metrics, checkpoints and the adapter.</source>
        <translation>存放指标、检查点和适配器的文件夹。</translation>
    </message>
    <message>
        <source>Save every</source>
        <translation>保存间隔</translation>
    </message>
    <message>
        <source>Validate every</source>
        <translation>验证间隔</translation>
    </message>
    <message>
        <source>Optimizer steps between validations; 0: at the end of every epoch.</source>
        <translation>两次验证之间的优化器步数；0：每轮结束时。</translation>
    </message>
    <message>
        <source>Save the trace</source>
        <translation>保存跟踪</translation>
    </message>
    <message>
        <source>Write the timeline into the run folder.</source>
        <translation>把时间线写入运行文件夹。</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>alpaca</source>
        <translation>Alpaca</translation>
    </message>
    <message>
        <source>assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>best-fit</source>
        <translation>最佳填充</translation>
    </message>
    <message>
        <source>bf16</source>
        <translation>bf16</translation>
    </message>
    <message>
        <source>by-length</source>
        <translation>按长度</translation>
    </message>
    <message>
        <source>completion</source>
        <translation>补全</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>恒定</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>drop</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>fast</source>
        <translation>快速</translation>
    </message>
    <message>
        <source>fp16</source>
        <translation>fp16</translation>
    </message>
    <message>
        <source>fp32</source>
        <translation>fp32</translation>
    </message>
    <message>
        <source>fp64</source>
        <translation>fp64</translation>
    </message>
    <message>
        <source>last-assistant</source>
        <translation>助手最后一轮</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>lora</source>
        <translation>LoRA</translation>
    </message>
    <message>
        <source>messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>segments</source>
        <translation>分段</translation>
    </message>
    <message>
        <source>sharegpt</source>
        <translation>ShareGPT</translation>
    </message>
    <message>
        <source>strict</source>
        <translation>严格</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>truncate</source>
        <translation>截断</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Rows that are not trained on though they could be: repeated ones, those that leak into validation, those with an empty turn.</source>
        <translation>可以训练却不训练的行：重复的、泄漏到验证集的、含空消息的。</translation>
    </message>
    <message>
        <source>Single rows left out</source>
        <translation>逐行排除的行</translation>
    </message>
    <message>
        <source>Rows that are left out one by one, each by its number and the hash of what it says.</source>
        <translation>逐行排除的行，每行以行号和其内容的哈希表示。</translation>
    </message>
    <message>
        <source>duplicates</source>
        <translation>重复的</translation>
    </message>
    <message>
        <source>empty-turns</source>
        <translation>含空消息</translation>
    </message>
    <message>
        <source>leaks</source>
        <translation>泄漏的</translation>
    </message>
    <message>
        <source>near-duplicates</source>
        <translation>几乎重复的</translation>
    </message>
    <message>
        <source>near-leaks</source>
        <translation>几乎泄漏的</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>What the user says, from columns in braces: {question}\n{schema} (\n: line feed); empty: as a column has it.</source>
        <translation>用户所说的话，由花括号中的列组成：{question}\n{schema}（\n：换行）；留空：取自某一列。</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>What the system says at a chat&apos;s start (\n: line feed); empty: only what the rows have.</source>
        <translation>对话开头系统所说的话（\n：换行）；留空：只用数据行自带的。</translation>
    </message>
    <message>
        <source>System prompt for</source>
        <translation>系统提示词用于</translation>
    </message>
    <message>
        <source>default: rows that have none; override: all rows, in place of their own.</source>
        <translation>default：没有系统提示词的数据行；override：所有数据行，取代其自带的。</translation>
    </message>
    <message>
        <source>Between cells</source>
        <translation>单元格分隔符</translation>
    </message>
    <message>
        <source>Character between the cells of a CSV file, or tab; empty: found out.</source>
        <translation>CSV 文件单元格之间的字符，或 tab；留空：自动识别。</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>表头</translation>
    </message>
    <message>
        <source>The first line of a CSV file names its columns; else they are column 1, column 2 and so on.</source>
        <translation>CSV 文件的第一行是列名；否则各列称为 column 1、column 2，依此类推。</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>override</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>File with rows to validate on, written as the first dataset&apos;s are; empty: split off from the data.</source>
        <translation>用于验证的行所在的文件，写法与第一个数据集相同；空：从数据中分出。</translation>
    </message>
    <message>
        <source>Share of each dataset&apos;s rows that is split off to validate on.</source>
        <translation>从每个数据集的行中分出用于验证的比例。</translation>
    </message>
    <message>
        <source>Upper limit of rows that are split off each dataset.</source>
        <translation>从每个数据集分出的行数上限。</translation>
    </message>
    <message>
        <source>Rows at most</source>
        <translation>最多行数</translation>
    </message>
    <message>
        <source>Rows of the dataset that are trained on; 0: all. Those to validate on are split off before.</source>
        <translation>数据集中参与训练的行数；0：全部。用于验证的行会先分出去。</translation>
    </message>
    <message>
        <source>Which rows</source>
        <translation>取哪些行</translation>
    </message>
    <message>
        <source>Which rows those are, where there are more: drawn by the seed, or the first ones.</source>
        <translation>行数更多时取哪些：按随机种子抽取，或取最前面的。</translation>
    </message>
    <message>
        <source>Share by</source>
        <translation>份额依据</translation>
    </message>
    <message>
        <source>What says how much an epoch takes of the dataset: how often it goes over all of it, a number of rows or tokens, or a weight among the datasets that have one.</source>
        <translation>由什么决定一轮从数据集取多少：完整走过它几次、若干行或词元，或者在有权重的数据集之间的权重。</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>份额</translation>
    </message>
    <message>
        <source>How many epochs, rows or tokens, or which weight. Rows repeat where they do not suffice.</source>
        <translation>多少轮、行或词元，或多大的权重。行不够时会重复。</translation>
    </message>
    <message>
        <source>A run is not started if fewer of a dataset&apos;s tokens are trained; 0: whatever the share.</source>
        <translation>如果某个数据集参与训练的词元少于此比例，运行就不会开始；0：任何比例都行。</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>first</source>
        <translation>最前面的</translation>
    </message>
    <message>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Moments</source>
        <translation>矩</translation>
    </message>
    <message>
        <source>What the optimizer keeps its two moments of every trained value in. bf16 takes half the host memory; values are then rounded up or down at random, by the seed.</source>
        <translation>优化器以何种类型保存每个被训练数值的两个矩。bf16 只占一半的主机内存；数值此时按随机种子随机向上或向下舍入。</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>更新方式</translation>
    </message>
    <message>
        <source>synchronous: a step waits for the update before it; one-step-stale: steps flow into each other, and each reads the weights of one step earlier.</source>
        <translation>同步：每一步等待前一步的更新；滞后一步：各步首尾相接，每一步读取早一步的权重。</translation>
    </message>
    <message>
        <source>one-step-stale</source>
        <translation>滞后一步</translation>
    </message>
    <message>
        <source>synchronous</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>What happens to rows that are longer. split: texts become pieces, other rows are cut off.</source>
        <translation>如何处理更长的行。切分：文本变为多段，其他行被截断。</translation>
    </message>
    <message>
        <source>Overlap of pieces</source>
        <translation>各段的重叠</translation>
    </message>
    <message>
        <source>Tokens that a piece of a split text repeats of the one before. They are context and are not trained a second time; at least one is repeated.</source>
        <translation>被切分文本的一段重复前一段的词元数。它们是上下文，不会再次训练；至少重复一个。</translation>
    </message>
    <message>
        <source>split</source>
        <translation>切分</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>副本</translation>
    </message>
    <message>
        <source>always</source>
        <translation>始终</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>never: all GPUs take a step&apos;s stages in turn; always: each takes its part of a step&apos;s microbatches through all stages alone, and gradients are added up, so that losses of later steps differ in their last bits; auto: what is faster, and never on CPU workers.</source>
        <translation>从不：所有 GPU 轮流执行一步中的各阶段；始终：每块 GPU 独自让自己那部分微批次走完所有阶段，梯度相加，因此后续步骤的损失末位会有差异；自动：取更快者，CPU 工作单元上从不使用。</translation>
    </message>
    <message>
        <source>full</source>
        <translation>全参数</translation>
    </message>
    <message>
        <source>chosen</source>
        <comment>a number, by the plan</comment>
        <translation>自动选择</translation>
    </message>
    <message>
        <source>When it diverges</source>
        <translation>发散时</translation>
    </message>
    <message>
        <source>What follows three steps in a row whose loss or gradients are not finite. end: the run is saved and ends in words; roll-back: it goes on from the weights of its last checkpoint with the rows that follow, also where the loss has doubled for three steps.</source>
        <translation>连续三步的损失或梯度不是有限值时怎么办。end：保存运行并说明原因后结束；roll-back：从最近检查点的权重继续，用后面的数据行训练；损失连续三步翻倍时也这样做。</translation>
    </message>
    <message>
        <source>Early stop</source>
        <translation>提前停止</translation>
    </message>
    <message>
        <source>Validations in a row without a lower loss after which the run ends; 0: never.</source>
        <translation>连续多少次验证损失没有降低后结束运行；0：从不。</translation>
    </message>
    <message>
        <source>Optimizer steps between checkpoints; 0: by time alone.</source>
        <translation>检查点之间的优化器步数；0：只按时间。</translation>
    </message>
    <message>
        <source>Save after</source>
        <translation>保存间隔时间</translation>
    </message>
    <message>
        <source>Minutes between checkpoints; 0: by steps alone. At the end and on stop one is written in any case.</source>
        <translation>检查点之间的分钟数；0：只按步数。结束和停止时总会写一个。</translation>
    </message>
    <message>
        <source>Keep checkpoints</source>
        <translation>保留检查点</translation>
    </message>
    <message>
        <source>How many of the last checkpoints are kept, beside the best one.</source>
        <translation>除最佳检查点外，保留最近的多少个检查点。</translation>
    </message>
    <message>
        <source>end</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>roll-back</source>
        <translation>回退</translation>
    </message>
    <message>
        <source>It must be between %1 and %2.</source>
        <translation>必须在 %1 到 %2 之间。</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>How the frozen matrices of blocks are kept and streamed beside adapters: as they are, in 8 bits (int8 and fp8, a scale a row) or in 4 (nf4, as QLoRA has them); embedding and head stay as they are. GPUs with FP8 units multiply fp8 as it is. mxfp4 is of experts alone, 4 bits as gpt-oss is published.</source>
        <translation>适配器旁边被冻结的各块矩阵如何保存和传输：保持原样、8 位（int8 和 fp8，每行一个比例）或 4 位（nf4，与 QLoRA 相同）；嵌入和输出头保持原样。带 FP8 单元的 GPU 直接用 fp8 相乘。mxfp4 仅用于专家，4 位，与 gpt-oss 发布的格式相同。</translation>
    </message>
    <message>
        <source>as-is</source>
        <translation>保持原样</translation>
    </message>
    <message>
        <source>int8</source>
        <translation>int8</translation>
    </message>
    <message>
        <source>fp8</source>
        <translation>fp8</translation>
    </message>
    <message>
        <source>mxfp4</source>
        <translation>mxfp4</translation>
    </message>
    <message>
        <source>nf4</source>
        <translation>nf4</translation>
    </message>
    <message>
        <source>It holds a password or a token, which would be stored with the run. The Hub&apos;s token belongs in HF_TOKEN, its own file or the keyring.</source>
        <translation>其中含有密码或令牌，会随运行一起保存。Hub 的访问令牌应放在 HF_TOKEN、它自己的文件或密钥环中。</translation>
    </message>
</context>
<context>
    <name>RunState</name>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>准备中</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练中</translation>
    </message>
    <message>
        <source>Validating</source>
        <translation>验证中</translation>
    </message>
    <message>
        <source>Answering</source>
        <translation>回答中</translation>
    </message>
    <message>
        <source>Saving</source>
        <translation>保存中</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Stopping after this step</source>
        <translation>将在本步后停止</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
</context>
<context>
    <name>RunText</name>
    <message>
        <source>The machine&apos;s memory is nearly used up: programs wait for it, and %1 are left. Close some; if it gets worse, the run saves and ends.</source>
        <translation>本机内存即将耗尽：程序在等待内存，剩余 %1。请关闭一些程序；如果情况恶化，运行会保存并结束。</translation>
    </message>
    <message>
        <source>The machine has slept for %1. The run goes on after step %2.</source>
        <translation>本机休眠了 %1。运行在第 %2 步之后继续。</translation>
    </message>
    <message>
        <source>The run&apos;s folder &apos;%1&apos; was moved while it trains: it is &apos;%2&apos; now, and the run goes on there.</source>
        <translation>运行的文件夹“%1”在训练期间被移动：现在是“%2”，运行在那里继续。</translation>
    </message>
    <message>
        <source>The run&apos;s folder &apos;%1&apos; was removed or emptied while it trains, with what was saved in it. The run goes on in &apos;%2&apos;, and saves there from now on.</source>
        <translation>运行的文件夹“%1”在训练期间被删除或清空，其中已保存的内容也一并丢失。运行在“%2”中继续，今后保存在那里。</translation>
    </message>
    <message>
        <source>%1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>This run is simulated for %1: times are what the planner predicts, nothing is trained, losses and answers are made up, nothing is saved.</source>
        <translation>此运行是为 %1 模拟的：时间是规划器的预测，不做任何训练，损失和回答是编造的，什么也不保存。</translation>
    </message>
    <message>
        <source>There are no validation rows, so nothing was validated.</source>
        <translation>没有验证行，因此没有进行验证。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; came too late: the run is over.</source>
        <translation>“%1”来得太晚：运行已经结束。</translation>
    </message>
    <message>
        <source>The tokenizer has %1 tokens, the model&apos;s embedding %2; a row that needs more will stop the run.</source>
        <translation>分词器有 %1 个词元，模型的嵌入有 %2 个；需要更多的行会使运行停止。</translation>
    </message>
    <message>
        <source>The system would not page-lock %1 of the weights, so GPUs copy them more slowly.</source>
        <translation>系统不肯锁页 %1 的权重，因此 GPU 复制它们较慢。</translation>
    </message>
    <message>
        <source>The checkpoint has the optimizer&apos;s moments in %1. They are converted: the run goes on with %2.</source>
        <translation>检查点中优化器的矩为 %1，现已转换：运行将以 %2 继续。</translation>
    </message>
    <message>
        <source>A prompt was not answered.</source>
        <translation>有一个提示词没有得到回答。</translation>
    </message>
    <message>
        <source>An answer was not written down.</source>
        <translation>有一个回答没有记下来。</translation>
    </message>
    <message>
        <source>The curves are not written for now; what they lack is tried again with each step.</source>
        <translation>曲线暂时没有写入；所缺的部分每一步都会重试。</translation>
    </message>
    <message>
        <source>The checkpoint &apos;%1&apos; was not written after step %2; training goes on.</source>
        <translation>第 %2 步之后检查点“%1”没有写入；训练继续。</translation>
    </message>
    <message>
        <source>The checkpoint &apos;%1&apos; was not written after step %2; the one before stays, and training goes on.</source>
        <translation>第 %2 步之后检查点“%1”没有写入；之前的保留，训练继续。</translation>
    </message>
    <message>
        <source>The trace file ends early.</source>
        <translation>跟踪文件提前结束。</translation>
    </message>
    <message>
        <source>(simulated) What the base model answers stands here.</source>
        <translation>（模拟）这里会是基础模型的回答。</translation>
    </message>
    <message>
        <source>(simulated) nothing is written</source>
        <translation>（模拟）什么也没有写入</translation>
    </message>
    <message>
        <source>The longest example has %1 tokens, the model %2 positions: it has never learned what stands beyond them, and learns it badly. Set data.max_length to %2.</source>
        <translation>最长的样本有 %1 个词元，而模型只有 %2 个位置：超出部分模型从未学过，也学不好。请将 data.max_length 设为 %2。</translation>
    </message>
    <message>
        <source>A learning rate of %1 is one for adapters: with method full it can undo what the model knows. Usual are 0.00001 to %2; set optimizer.learning_rate to %2.</source>
        <translation>%1 是适配器用的学习率：方法为“全参数”时，它可能毁掉模型已有的知识。通常为 0.00001 至 %2；请将 optimizer.learning_rate 设为 %2。</translation>
    </message>
    <message>
        <source>A learning rate of %1 is one for method full: an adapter hardly learns with it. Usual are 0.0001 to 0.0005; set optimizer.learning_rate to %2.</source>
        <translation>%1 是“全参数”方法用的学习率：适配器用它几乎学不到东西。通常为 0.0001 至 0.0005；请将 optimizer.learning_rate 设为 %2。</translation>
    </message>
    <message>
        <source>The memory of %1 ran out. The run goes on with a plan that takes %2 % of what is free there at most; no step is lost.</source>
        <translation>%1 的内存不够用了。训练改用另一个方案继续进行，最多占用那里空闲内存的 %2%；没有丢失任何步骤。</translation>
    </message>
    <message>
        <source>The base model was not asked: the run begins with other weights in the place of some of its own.</source>
        <translation>没有询问基础模型：这次运行开始时，它的一部分权重已换成别的权重。</translation>
    </message>
    <message>
        <source>A learning rate of %1 is one for adapters alone: an embedding or head that is trained whole can lose with it what it knows. Usual for both are 0.00003 to 0.0001; set optimizer.learning_rate to %2.</source>
        <translation>%1 是只训练适配器时用的学习率：完整训练的嵌入或输出头用它可能会丢掉已有的知识。两者一起训练时通常为 0.00003 至 0.0001；请将 optimizer.learning_rate 设为 %2。</translation>
    </message>
    <message>
        <source>A checkpoint takes %1 here, and &apos;%2&apos; has %3 free.</source>
        <translation>这里一个检查点需要 %1，而“%2”只有 %3 可用空间。</translation>
    </message>
    <message>
        <source>A newer checkpoint is damaged and was passed over: %1</source>
        <translation>一个较新的检查点已损坏，已跳过：%1</translation>
    </message>
    <message>
        <source>The checkpoint &apos;%1&apos; was written by an older version: it has no checksums, and does not say which rows, model and settings it belongs to.</source>
        <translation>检查点“%1”由较旧的版本写入：它没有校验和，也没有说明属于哪些数据行、模型和设置。</translation>
    </message>
    <message>
        <source>The run was ended before its first checkpoint, so it starts from its beginning.</source>
        <translation>运行在第一个检查点之前就结束了，因此从头开始。</translation>
    </message>
    <message>
        <source>The run goes on though something has changed since its checkpoint: %1</source>
        <translation>尽管检查点之后有所更改，运行仍继续：%1</translation>
    </message>
    <message>
        <source>Step %1 was skipped: values of its gradients (%2) are not finite, so nothing was updated.</source>
        <translation>第 %1 步已跳过：其梯度（%2）中有非有限值，因此没有更新。</translation>
    </message>
    <message>
        <source>The loss has been more than twice its usual %1 for %2 steps. The learning rate may be too high; look at the rows of these steps.</source>
        <translation>损失已连续 %2 步超过平常值 %1 的两倍。学习率可能过高；请查看这些步的数据行。</translation>
    </message>
    <message>
        <source>After step %1 the run went back to the weights of step %2, as it diverged. It goes on with the rows that follow.</source>
        <translation>第 %1 步之后，运行因发散回退到第 %2 步的权重，并用后面的数据行继续。</translation>
    </message>
    <message>
        <source>What stood in &apos;%1&apos; was not made by this run. It was kept as &apos;%2&apos;.</source>
        <translation>“%1”中的内容不是本次运行生成的，已保留为“%2”。</translation>
    </message>
    <message>
        <source>data.overlap has no effect because longer rows are not split: data.over_length is &apos;%1&apos;. Set data.over_length to &apos;split&apos;, or data.overlap to %2.</source>
        <translation>data.overlap 不起作用，因为较长的行不会被拆分：data.over_length 为“%1”。请将 data.over_length 设为“split”，或将 data.overlap 设为 %2。</translation>
    </message>
    <message>
        <source>data.subset has no effect because all rows are taken: data.max_rows is 0. Set it to a number of rows, or data.subset to &apos;%1&apos;.</source>
        <translation>data.subset 不起作用，因为会使用所有行：data.max_rows 为 0。请将其设为行数，或将 data.subset 设为“%1”。</translation>
    </message>
    <message>
        <source>data.system_prompt_use has no effect because data.system_prompt is empty. Give it words, or set data.system_prompt_use to &apos;%1&apos;.</source>
        <translation>data.system_prompt_use 不起作用，因为 data.system_prompt 为空。请填写它，或将 data.system_prompt_use 设为“%1”。</translation>
    </message>
    <message>
        <source>data.turn_begin and data.turn_end have no effect because everything is trained: data.train_on is &apos;all&apos;. Set data.train_on to &apos;%1&apos;, or leave both empty.</source>
        <translation>data.turn_begin 和 data.turn_end 不起作用，因为会训练全部内容：data.train_on 为“all”。请将 data.train_on 设为“%1”，或将两者留空。</translation>
    </message>
    <message>
        <source>data.validation_fraction has no effect because data.validation_file has the rows to validate on. Take out one of the two; without a file data.validation_fraction is %1.</source>
        <translation>data.validation_fraction 不起作用，因为用于验证的行来自 data.validation_file。请去掉其中一个；没有该文件时 data.validation_fraction 为 %1。</translation>
    </message>
    <message>
        <source>data.max_validation_rows has no effect because no rows are split off to validate on. Left out, it is %1.</source>
        <translation>data.max_validation_rows 不起作用，因为没有划分出用于验证的行。不设置时为 %1。</translation>
    </message>
    <message>
        <source>data.share_amount has no effect because no other dataset has a weight. Set data.share to &apos;epochs&apos;, or data.share_amount to %1.</source>
        <translation>data.share_amount 不起作用，因为没有其他数据集设有权重。请将 data.share 设为“epochs”，或将 data.share_amount 设为 %1。</translation>
    </message>
    <message>
        <source>%1 has no effect because no adapter is trained, but all weights: method is &apos;full&apos;. Set method to &apos;lora&apos;, or %1 to &apos;%2&apos;.</source>
        <translation>%1 不起作用，因为训练的是全部权重，而不是适配器：method 为“full”。请将 method 设为“lora”，或将 %1 设为“%2”。</translation>
    </message>
    <message>
        <source>%1 has no effect: the run was begun with method &apos;full&apos;, trains all weights and no adapter, and keeps its method. Take it out (it is &apos;%2&apos; then), or begin a run of its own with method &apos;lora&apos; from what this one has made (on the command line: --start-from).</source>
        <translation>%1 不起作用：此次运行以 method“full”开始，训练全部权重而不训练适配器，并保持其方法不变。请去掉该设置（此时为“%2”），或以此次运行的结果为起点，另行开始 method 为“lora”的运行（命令行：--start-from）。</translation>
    </message>
    <message>
        <source>This run is simulated for %1 and shown %2 times as fast as the planner predicts: nothing is trained, losses and answers are made up, nothing is saved.</source>
        <translation>此次运行是针对 %1 的模拟，显示速度是规划器预测的 %2 倍：不训练任何内容，损失和回答都是编造的，也不保存任何内容。</translation>
    </message>
    <message>
        <source>A step holds whole examples, of %1 tokens each: %2 tokens are what steps have on average, some more and some less. Set batch.tokens_per_step to %3.</source>
        <translation>一步包含完整的样本，每个 %1 词元：%2 词元只是各步的平均值，有的步多，有的步少。请将 batch.tokens_per_step 设为 %3。</translation>
    </message>
    <message>
        <source>batch.rounds has no effect because batch.tokens_per_step says what a step holds: it has the rounds that this takes. Set batch.tokens_per_step to 0, or batch.rounds to %1.</source>
        <translation>batch.rounds 不起作用，因为 batch.tokens_per_step 已规定一步包含多少：轮次数由此而定。请将 batch.tokens_per_step 设为 0，或将 batch.rounds 设为 %1。</translation>
    </message>
    <message>
        <source>Answers that end without a special token: %1. The model may not learn to stop.</source>
        <translation>结尾没有特殊词元的回答：%1。模型可能学不会停止。</translation>
    </message>
    <message>
        <source>The model in &apos;%1&apos; is gone. The run needs it no more: all weights are in its checkpoint, &apos;%2&apos;.</source>
        <translation>“%1”中的模型已不在。运行不再需要它：所有权重都在其检查点“%2”中。</translation>
    </message>
    <message>
        <source>Validations without a lower loss: %1 in a row, so the run ends after step %2. The best one was %3: its weights are in &apos;%4&apos;.</source>
        <translation>验证损失连续 %1 次没有降低，因此运行在第 %2 步之后结束。最佳值为 %3：其权重在“%4”中。</translation>
    </message>
    <message>
        <source>The run has ended early, after step %1 (validations without a lower loss: %2): nothing is trained now. To train it on, continue it (on the command line: --continue), or set duration.early_stop higher.</source>
        <translation>该运行在第 %1 步后提前结束（验证损失没有降低的次数：%2）：现在不再训练。要接着训练，请继续该运行（命令行：--continue），或调高 duration.early_stop。</translation>
    </message>
    <message>
        <source>The run had ended early, after step %1. It trains on, until so many more validations have no lower loss: %2.</source>
        <translation>该运行曾在第 %1 步后提前结束。现在接着训练，直到再有 %2 次验证的损失没有降低为止。</translation>
    </message>
    <message>
        <source>The disk was too slow for the trace file, which lacks events: %1.</source>
        <translation>磁盘跟不上跟踪文件，其中缺少的事件数：%1。</translation>
    </message>
    <message>
        <source>The disk of &apos;%1&apos; has too little room, with %2 free: free some space.</source>
        <translation>“%1”所在的磁盘空间不足，剩余 %2：请腾出空间。</translation>
    </message>
    <message>
        <source>This run writes %1 at least, %2 a checkpoint, but &apos;%3&apos; has %4 free: free %5 more, or choose another folder.</source>
        <translation>此运行至少写入 %1，每个检查点占 %2，但“%3”只剩 %4：请再腾出 %5，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>Free some space there.</source>
        <translation>请在那里腾出空间。</translation>
    </message>
    <message>
        <source>(simulated) What the tuned model would answer after step %1 stands here.</source>
        <translation>（模拟）这里会是调优后的模型在第 %1 步之后的回答。</translation>
    </message>
</context>
<context>
    <name>Sampling</name>
    <message>
        <source>Repetition penalty</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <source>Above 1: tokens that the text has already become less likely.</source>
        <translation>大于 1：文本中已有的词元变得更不可能。</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>0: always the likeliest token; above: draws, the higher the wilder.</source>
        <translation>0：总取最可能的词元；大于 0：随机抽取，越高越随意。</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Draws only from the k likeliest tokens; 0: all.</source>
        <translation>只从最可能的 k 个词元中抽取；0：全部。</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Draws only from the likeliest tokens that together reach this probability.</source>
        <translation>只从合计达到此概率的最可能词元中抽取。</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Draws only from tokens with this part of the likeliest one&apos;s probability.</source>
        <translation>只从概率达到最可能词元此比例的词元中抽取。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Of the draws: the same draws the same.</source>
        <translation>用于抽取：相同的种子抽取相同的结果。</translation>
    </message>
    <message>
        <source>Tokens at most</source>
        <translation>词元上限</translation>
    </message>
    <message>
        <source>Tokens of an answer at most.</source>
        <translation>一个回答最多的词元数。</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Batches and speed</source>
        <translation>批次与速度</translation>
    </message>
    <message>
        <source>Optimizer and schedule</source>
        <translation>优化器与学习率计划</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>本次运行</translation>
    </message>
    <message>
        <source>More learns the rows better, too many learn them by heart.</source>
        <translation>越多学得越好，太多则会死记硬背。</translation>
    </message>
    <message>
        <source>0: by epochs. There is no hidden limit of steps.</source>
        <translation>0：按训练轮数。没有隐藏的步数上限。</translation>
    </message>
    <message>
        <source>Quality only. Usual for adapters: 0.0001 to 0.0005.</source>
        <translation>只影响质量。适配器通常为 0.0001 到 0.0005。</translation>
    </message>
    <message>
        <source>How much the adapter can learn. Usual: 8 to 64.</source>
        <translation>适配器能学多少。通常为 8 到 64。</translation>
    </message>
    <message>
        <source>Quality only. Usual: twice the rank.</source>
        <translation>只影响质量。通常为秩的两倍。</translation>
    </message>
    <message>
        <source>Against learning by heart where rows are few; 0.05 is usual then.</source>
        <translation>数据行少时防止死记硬背；此时通常为 0.05。</translation>
    </message>
    <message>
        <source>Fewer layers train faster and learn less.</source>
        <translation>层越少训练越快，学得也越少。</translation>
    </message>
    <message>
        <source>Longer rows are cut there.</source>
        <translation>更长的行在此截断。</translation>
    </message>
    <message>
        <source>Examples that go through a layer at once.</source>
        <translation>同时通过一层的样本数。</translation>
    </message>
    <message>
        <source>More keep all devices busy, and make fewer updates an epoch.</source>
        <translation>越多设备越忙，每轮的更新次数越少。</translation>
    </message>
    <message>
        <source>Short examples share a microbatch. The loss is the same.</source>
        <translation>短样本共用一个微批次。损失不变。</translation>
    </message>
    <message>
        <source>fp32 doubles memory and traffic. auto: bf16 on GPUs, fp32 on CPU workers.</source>
        <translation>fp32 使显存和传输加倍。自动：GPU 上 bf16，处理器上 fp32。</translation>
    </message>
    <message>
        <source>What is trained</source>
        <translation>训练什么</translation>
    </message>
    <message>
        <source>lora: a small adapter, beside a model that stays as it is. full: all of the model&apos;s weights, which takes many times the memory.</source>
        <translation>LoRA：训练一个小适配器，模型本身不变。全参数：训练模型的全部权重，所需内存是数倍。</translation>
    </message>
    <message>
        <source>No effect: with method full there is no adapter.</source>
        <translation>不起作用：方法为“全参数”时没有适配器。</translation>
    </message>
    <message>
        <source>For new tokens or another language. A table takes as much host memory as with method full.</source>
        <translation>用于新的词元或另一种语言。一张表占用的主机内存与“全参数”方法一样多。</translation>
    </message>
    <message>
        <source>Usual for a model&apos;s own weights: 0.00001 to 0.00002.</source>
        <translation>训练模型自身权重时常用 0.00001 到 0.00002。</translation>
    </message>
    <message>
        <source>A crash costs what came after the last checkpoint.</source>
        <translation>崩溃会丢失最近检查点之后的内容。</translation>
    </message>
    <message>
        <source>More than one, so that a damaged one is no loss.</source>
        <translation>多于一个，这样损坏一个也不要紧。</translation>
    </message>
    <message>
        <source>int8 and fp8 take half the memory and traffic of 16 bits, nf4 a quarter, which costs a little quality. For models that are too large otherwise; fp8 also for speed, on GPUs from the RTX 4090 and H100 on.</source>
        <translation>int8 和 fp8 占用的内存和传输量是 16 位的一半，nf4 是四分之一，质量略有下降。适合否则放不下的模型；在 RTX 4090、H100 及更新的 GPU 上，fp8 还能更快。</translation>
    </message>
</context>
<context>
    <name>SpecRemark</name>
    <message>
        <source>Set to %1</source>
        <translation>设为 %1</translation>
    </message>
</context>
<context>
    <name>StopQuestion</name>
    <message>
        <source>Stop the run?</source>
        <translation>停止运行？</translation>
    </message>
    <message>
        <source>The running step is finished in any case.</source>
        <translation>当前步总会完成。</translation>
    </message>
    <message>
        <source>Stop and save</source>
        <translation>停止并保存</translation>
    </message>
    <message>
        <source>Stop and discard</source>
        <translation>停止并放弃</translation>
    </message>
    <message>
        <source>Keep training</source>
        <translation>继续训练</translation>
    </message>
    <message>
        <source>It is simulated and leaves no files. Saved, it can be continued while its project is open.</source>
        <translation>这是模拟运行，不留下任何文件。保存后，只要其项目仍打开，就可以继续。</translation>
    </message>
    <message>
        <source>Saved, the run can be continued later, and its result can be used. Discarded, only what was saved before stays.</source>
        <translation>保存后，以后可以继续该运行，并使用其结果。放弃后，只保留之前已保存的内容。</translation>
    </message>
</context>
<context>
    <name>StoredRun</name>
    <message>
        <source>Damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>Running, no step for %1</source>
        <translation>运行中，已 %1 没有新步</translation>
    </message>
    <message>
        <source>Its process ended without a word. It was last heard of: %1, after step %2.</source>
        <translation>其进程无声结束。最后一次有动静：%1，第 %2 步之后。</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>today %1</source>
        <translation>今天 %1</translation>
    </message>
    <message>
        <source>yesterday %1</source>
        <translation>昨天 %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>TokenPaper</name>
    <message>
        <source>from 90 %</source>
        <translation>90% 起</translation>
    </message>
    <message>
        <source>from 50 %</source>
        <translation>50% 起</translation>
    </message>
    <message>
        <source>from 10 %</source>
        <translation>10% 起</translation>
    </message>
    <message>
        <source>below</source>
        <translation>更低</translation>
    </message>
</context>
<context>
    <name>TraceFacts</name>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>planned steps</source>
        <translation>计划的步数</translation>
    </message>
    <message>
        <source>microbatches of a step</source>
        <translation>每步微批次数</translation>
    </message>
    <message>
        <source>predicted for</source>
        <translation>预测所用机器</translation>
    </message>
    <message>
        <source>%1, %2 blocks of %3 experts (%4 a token), hidden %5, %6 parameters</source>
        <translation>%1，%2 个块，每块 %3 个专家（每词元 %4 个），隐藏维度 %5，%6 参数</translation>
    </message>
    <message>
        <source>%1, %2 blocks, hidden %3, %4 parameters</source>
        <translation>%1，%2 个块，隐藏维度 %3，%4 参数</translation>
    </message>
    <message>
        <source>%1 (simulated)</source>
        <translation>%1（模拟）</translation>
    </message>
    <message>
        <source>%1 forward, one fused, %2 backward</source>
        <translation>%1 个前向、1 个融合、%2 个反向</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between devices</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>WatchRun</name>
    <message>
        <source>Watch the run</source>
        <translation>查看运行</translation>
    </message>
</context>
<context>
    <name>roundpipe::studio::EngineLibrary</name>
    <message>
        <source>%1 is not beside the program. Build it with packaging/run, or install it again.</source>
        <translation>%1 不在程序旁边。请用 packaging/run 构建，或重新安装。</translation>
    </message>
    <message>
        <source>%1 is not an engine of RoundPipe: it lacks %2.</source>
        <translation>%1 不是 RoundPipe 的引擎：缺少 %2。</translation>
    </message>
    <message>
        <source>Without the engine this machine can&apos;t be measured: %1</source>
        <translation>没有引擎就无法测量本机：%1</translation>
    </message>
    <message>
        <source>Choose a rig on the Plan page, or describe one, as in 4x4090,ram=256.</source>
        <translation>请在“方案”页选择或描述一台机器，例如 4x4090,ram=256。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::bridge::QueueController</name>
    <message>
        <source>The queue is not trained: its program has ended.</source>
        <translation>队列未在训练：其程序已结束。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::charts::CurvesChart</name>
    <message>
        <source>Curves of the chosen runs</source>
        <translation>所选运行的曲线</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::charts::LossChart</name>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Loss chart</source>
        <translation>损失图</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>损失 %1</translation>
    </message>
    <message>
        <source>smoothed %1</source>
        <translation>平滑 %1</translation>
    </message>
    <message>
        <source>validation %1</source>
        <translation>验证 %1</translation>
    </message>
    <message>
        <source>learning rate %1</source>
        <translation>学习率 %1</translation>
    </message>
    <message>
        <source>Step %1: %2</source>
        <translation>第 %1 步：%2</translation>
    </message>
    <message>
        <source>Step %1
%2
Click: see it on the timeline</source>
        <translation>第 %1 步
%2
单击：在时间线上查看</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::desktop::QueueAttendant</name>
    <message>
        <source>The queue is being trained</source>
        <translation>正在训练队列</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::desktop::RunAttendant</name>
    <message>
        <source>A model is being trained</source>
        <translation>正在训练模型</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::desktop::SleepGuard</name>
    <message>
        <source>there is no system bus</source>
        <translation>没有系统总线</translation>
    </message>
    <message>
        <source>RoundPipe Studio</source>
        <translation>RoundPipe Studio</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::document::Document</name>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>Change “%1”</source>
        <translation>更改“%1”</translation>
    </message>
    <message>
        <source>Change the prompts</source>
        <translation>更改提示词</translation>
    </message>
    <message>
        <source>The project is not saved. %1</source>
        <translation>项目未保存。%1</translation>
    </message>
    <message>
        <source>Save it to another place: File, Save as.</source>
        <translation>请保存到其他位置：文件，另存为。</translation>
    </message>
    <message>
        <source>Add what was dropped</source>
        <translation>添加拖入的内容</translation>
    </message>
    <message>
        <source>%1 (rescued)</source>
        <translation>%1（已恢复）</translation>
    </message>
    <message>
        <source>The project could not be saved in its place. It is kept as %1.</source>
        <translation>项目无法保存到原位置，已保存为 %1。</translation>
    </message>
    <message>
        <source>The project was changed by another window or program, too. What that saved is kept as %1.</source>
        <translation>另一个窗口或程序也更改了此项目。它保存的内容保留为 %1。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::editors::FieldControl</name>
    <message>
        <source>“%1” is not a whole number.</source>
        <translation>“%1”不是整数。</translation>
    </message>
    <message>
        <source>“%1” is not a number.</source>
        <translation>“%1”不是数字。</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>Write whole numbers with commas between: 9, 10, 9.</source>
        <translation>请输入用逗号分隔的整数：9, 10, 9。</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Browse for %1</source>
        <translation>浏览%1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::editors::FieldRow</name>
    <message>
        <source>changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>Reset %1 to its default</source>
        <translation>将%1恢复为默认值</translation>
    </message>
    <message>
        <source>Reset to %1</source>
        <translation>恢复为 %1</translation>
    </message>
    <message>
        <source>Help on %1 (F1)</source>
        <translation>%1 的帮助 (F1)</translation>
    </message>
    <message>
        <source>%1 · dataset %2</source>
        <translation>%1 · 数据集 %2</translation>
    </message>
    <message>
        <source>Each dataset has its own; this is that of dataset %1, which is chosen on the page Data.</source>
        <translation>每个数据集有各自的设置；这是“数据”页上选中的数据集 %1 的设置。</translation>
    </message>
    <message>
        <source>Have it chosen</source>
        <translation>改为自动选择</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::editors::PathList</name>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Files and folders</source>
        <translation>文件和文件夹</translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation>添加文件…</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>添加文件夹…</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::editors::PromptsEditor</name>
    <message>
        <source>Add a prompt</source>
        <translation>添加提示词</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Answered before the first step and after the last, and by “Sample now”: so that you see what training changes. A prompt is what a user would say.</source>
        <translation>在第一步之前、最后一步之后以及“立即采样”时回答：让您看到训练改变了什么。提示词就是用户会说的话。</translation>
    </message>
    <message>
        <source>Text of the prompt</source>
        <translation>提示词的文本</translation>
    </message>
    <message>
        <source>What would you ask the model?</source>
        <translation>您想问模型什么？</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>(no text yet: it is left out)</source>
        <translation>（还没有文本：会被略去）</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::help::HelpWindow</name>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>RoundPipe Studio: the manual</source>
        <translation>RoundPipe Studio：手册</translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation>搜索手册</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Page of the manual</source>
        <translation>手册页面</translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) found</source>
        <translation>
            <numerusform>找到 %n 处</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Nothing has all of these words.</source>
        <translation>没有内容包含所有这些词。</translation>
    </message>
    <message numerus="yes">
        <source>And %n other(s): more letters find less.</source>
        <translation>
            <numerusform>另有 %n 处：多输入几个字可缩小范围。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::hub::FetchNotice</name>
    <message>
        <source>Fetch</source>
        <translation>获取</translation>
    </message>
    <message>
        <source>Fetches what the project names of Hugging Face&apos;s Hub</source>
        <translation>获取项目所写的 Hugging Face Hub 上的内容</translation>
    </message>
    <message>
        <source>The project&apos;s model is %1 of Hugging Face&apos;s Hub. To be used here it is fetched into the cache of this machine; what lies there already is not fetched again. Nothing goes to the network before you press the button.</source>
        <translation>项目的模型是 Hugging Face Hub 上的 %1。要在这里使用，需将其获取到本机的缓存；缓存中已有的内容不会再次获取。按下按钮之前不会访问网络。</translation>
    </message>
    <message>
        <source>The project&apos;s rows are named on Hugging Face&apos;s Hub: %1. To be used here they are fetched into the cache of this machine; what lies there already is not fetched again. Nothing goes to the network before you press the button.</source>
        <translation>项目的数据行指定在 Hugging Face Hub 上：%1。要在这里使用，需将其获取到本机的缓存；缓存中已有的内容不会再次获取。按下按钮之前不会访问网络。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::hub::FetchProgress</name>
    <message>
        <source>The Hub does not answer, or asks to wait. Next try in %1.</source>
        <translation>Hub 没有响应，或要求等待。%1后重试。</translation>
    </message>
    <message>
        <source>Asking what there is…</source>
        <translation>正在查询有哪些文件…</translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation>%1 / %2：%3</translation>
    </message>
    <message>
        <source>%1 of %2, %3 a second, %4 left: %5</source>
        <translation>%1 / %2，每秒 %3，剩余 %4：%5</translation>
    </message>
    <message>
        <source>How far it is</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查找…</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::hub::HubDialog</name>
    <message>
        <source>Models from Hugging Face&apos;s Hub</source>
        <translation>来自 Hugging Face Hub 的模型</translation>
    </message>
    <message>
        <source>Datasets from Hugging Face&apos;s Hub</source>
        <translation>来自 Hugging Face Hub 的数据集</translation>
    </message>
    <message>
        <source>Part of a name: qwen3, or an owner</source>
        <translation>名称的一部分：qwen3，或所有者</translation>
    </message>
    <message>
        <source>Part of a name: alpaca, or an owner</source>
        <translation>名称的一部分：alpaca，或所有者</translation>
    </message>
    <message>
        <source>What to look for</source>
        <translation>要查找的内容</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>找到的内容</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>下载量</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>更新日期</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Access</source>
        <translation>访问权限</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>owner/name, owner/name@revision, or the address of its page</source>
        <translation>所有者/名称、所有者/名称@版本，或其页面的网址</translation>
    </message>
    <message>
        <source>owner/name, owner/name/subset:split, or the address of its page</source>
        <translation>所有者/名称、所有者/名称/子集:划分，或其页面的网址</translation>
    </message>
    <message>
        <source>Fetch</source>
        <translation>获取</translation>
    </message>
    <message>
        <source>&amp;Name:</source>
        <translation>名称(&amp;N)：</translation>
    </message>
    <message>
        <source>Stay o&amp;ffline: use only what is in the cache</source>
        <translation>保持离线：只使用缓存中已有的内容(&amp;F)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>There is no access token in its usual places; the desktop&apos;s keyring is asked once you fetch. Gated and private ones need it.</source>
        <translation>常用位置没有访问令牌；获取时会询问桌面的密钥环。受限和私有的内容需要它。</translation>
    </message>
    <message>
        <source>The access token is the one from %1.</source>
        <translation>访问令牌来自 %1。</translation>
    </message>
    <message>
        <source>The network is not used, by %1. What lies in the cache %2 can be used by its name.</source>
        <translation>根据 %1，不使用网络。缓存 %2 中的内容可按名称使用。</translation>
    </message>
    <message>
        <source>%1 is asked once you press a button, not before. What it gives lies in the cache of Hugging Face&apos;s tools, %2. %3</source>
        <translation>按下按钮后才会访问 %1，此前不会。取得的内容存放在 Hugging Face 工具的缓存 %2 中。%3</translation>
    </message>
    <message>
        <source>gated</source>
        <translation>受限</translation>
    </message>
    <message>
        <source>open</source>
        <translation>开放</translation>
    </message>
    <message>
        <source>Nothing was found for “%1”.</source>
        <translation>没有找到“%1”。</translation>
    </message>
    <message>
        <source>Try a shorter part of the name.</source>
        <translation>请用名称中更短的一部分再试。</translation>
    </message>
    <message>
        <source>From the Hub…</source>
        <translation>从 Hub 获取…</translation>
    </message>
    <message>
        <source>Look for a model on Hugging Face&apos;s Hub and fetch it</source>
        <translation>在 Hugging Face Hub 上查找并获取模型</translation>
    </message>
    <message>
        <source>Look for rows on Hugging Face&apos;s Hub and fetch them</source>
        <translation>在 Hugging Face Hub 上查找并获取数据行</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::models::StagesModel</name>
    <message>
        <source>In the first step; where stages and devices don&apos;t divide evenly it moves on from step to step.</source>
        <translation>指第一步；阶段数不能被设备数整除时，每步会依次轮换。</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>工作</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>First on</source>
        <translation>首先位于</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>forward + loss + backward</source>
        <translation>前向 + 损失 + 反向</translation>
    </message>
    <message>
        <source>recompute + backward</source>
        <translation>重算 + 反向</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::AdapterCard</name>
    <message>
        <source>Adapter</source>
        <translation>适配器</translation>
    </message>
    <message>
        <source>A factor on what the adapters add: 0 is the base model, above 1 is overdone (Alt+Left, Alt+Right)</source>
        <translation>适配器作用的倍数：0 为基础模型，大于 1 为过度（Alt+左、Alt+右）</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>Strength of the adapters</source>
        <translation>适配器的强度</translation>
    </message>
    <message>
        <source>0 · base</source>
        <translation>0 · 基础</translation>
    </message>
    <message>
        <source>Weight of %1</source>
        <translation>%1 的权重</translation>
    </message>
    <message>
        <source>How much of this adapter is added; 0: nothing of it</source>
        <translation>加入此适配器的多少；0：不加入</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::AnswerSettings</name>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>“%1” is no number.</source>
        <translation>“%1”不是数字。</translation>
    </message>
    <message>
        <source>Stop texts, one a line</source>
        <translation>停止文本，每行一个</translation>
    </message>
    <message>
        <source>Stop texts</source>
        <translation>停止文本</translation>
    </message>
    <message>
        <source>An answer ends before the first of them, and nothing of it is shown. \n is a line feed.</source>
        <translation>回答在最先出现的停止文本之前结束，且不显示它。\n 表示换行。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::AskBar</name>
    <message>
        <source>Ask</source>
        <translation>提问</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Ask (Return; Shift+Return begins a new line)</source>
        <translation>提问（回车；Shift+回车换行）</translation>
    </message>
    <message>
        <source>End the answer here (Esc)</source>
        <translation>在此结束回答（Esc）</translation>
    </message>
    <message>
        <source>In place of an earlier question; what followed it will be forgotten.</source>
        <translation>代替先前的问题；其后的内容将被忘掉。</translation>
    </message>
    <message>
        <source>Leave it as it was</source>
        <translation>保持原样</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ChangesCard</name>
    <message>
        <source>Changed from the defaults</source>
        <translation>与默认值不同</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>全部重置</translation>
    </message>
    <message>
        <source>Reset all settings</source>
        <translation>重置所有设置</translation>
    </message>
    <message>
        <source>Nothing: all settings are at their defaults.</source>
        <translation>无：所有设置均为默认值。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ChartCard</name>
    <message>
        <source>Log axis</source>
        <translation>对数轴</translation>
    </message>
    <message>
        <source>What the chart shows</source>
        <translation>图表显示的内容</translation>
    </message>
    <message>
        <source>Loss and learning rate</source>
        <translation>损失和学习率</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>time of the run</source>
        <translation>运行时间</translation>
    </message>
    <message>
        <source>time since it went on after step %1 (earlier: not kept)</source>
        <translation>自第 %1 步之后继续以来的时间（之前的未保留）</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ColumnsPanel</name>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>no known format</source>
        <translation>未知格式</translation>
    </message>
    <message>
        <source>Files and columns</source>
        <translation>文件和列</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Read as</source>
        <translation>读取方式</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Files of the dataset</source>
        <translation>数据集的文件</translation>
    </message>
    <message>
        <source>Rows are read as</source>
        <translation>行的读取方式</translation>
    </message>
    <message>
        <source>left out: it %1</source>
        <translation>略过：%1</translation>
    </message>
    <message>
        <source>remove data</source>
        <translation>移除数据</translation>
    </message>
    <message>
        <source>Found to be %1: %2.</source>
        <translation>识别为 %1：%2。</translation>
    </message>
    <message>
        <source>Column for the field %1</source>
        <translation>字段 %1 的列</translation>
    </message>
    <message>
        <source>no column</source>
        <translation>无列</translation>
    </message>
    <message>
        <source>Leave it out</source>
        <translation>略去</translation>
    </message>
    <message>
        <source>Take the chosen file out of the project; nothing is deleted on the disk</source>
        <translation>把所选文件移出项目；磁盘上不会删除任何内容</translation>
    </message>
    <message>
        <source>Leave out %1</source>
        <translation>略去 %1</translation>
    </message>
    <message>
        <source>leave a file out</source>
        <translation>略去一个文件</translation>
    </message>
    <message>
        <source>Remove data</source>
        <translation>移除数据</translation>
    </message>
    <message>
        <source>“%1” was found in the folder “%2”.</source>
        <translation>“%1”是在文件夹“%2”中找到的。</translation>
    </message>
    <message numerus="yes">
        <source>The project reads the whole folder, %n file(s). Without this one it names the others one by one, and files that come into the folder later are not read. Nothing is deleted on the disk.</source>
        <translation>
            <numerusform>项目读取整个文件夹，共 %n 个文件。略去这一个后，其余文件会逐一列出，之后放入该文件夹的文件不会被读取。磁盘上不会删除任何内容。</numerusform>
        </translation>
    </message>
    <message>
        <source>Leave out this file</source>
        <translation>略去这个文件</translation>
    </message>
    <message>
        <source>Remove the folder</source>
        <translation>移除该文件夹</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>%1, to validate on</source>
        <translation>%1，用于验证</translation>
    </message>
    <message>
        <source>Its columns are none of a known format. They may be meant so:</source>
        <translation>这些列不属于任何已知格式，也许应这样读取：</translation>
    </message>
    <message>
        <source>%1 from “%2”</source>
        <translation>%1 取自“%2”</translation>
    </message>
    <message>
        <source>Read %1</source>
        <translation>读取 %1</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ConversationColumn</name>
    <message>
        <source>Ask something below: the answer comes here, word by word.</source>
        <translation>在下方提问：回答会在这里逐词出现。</translation>
    </message>
    <message>
        <source>Conversation with %1</source>
        <translation>与 %1 的对话</translation>
    </message>
    <message>
        <source>Answer of %1</source>
        <translation>%1 的回答</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>reading the question…</source>
        <translation>正在读取问题…</translation>
    </message>
    <message>
        <source>not asked: it was stopped before its turn</source>
        <translation>未提问：轮到之前已停止</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::DataPage</name>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Files and columns</source>
        <translation>文件和列</translation>
    </message>
    <message>
        <source>Drop files or a folder here</source>
        <translation>把文件或文件夹拖到这里</translation>
    </message>
    <message>
        <source>Choose files…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Lengths</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>drag the line, or ← → with it focused</source>
        <translation>拖动竖线，或在其获得焦点时按 ← →</translation>
    </message>
    <message>
        <source>Worth a look</source>
        <translation>值得一看</translation>
    </message>
    <message>
        <source>every line leads to its rows; nothing is changed on disk</source>
        <translation>每一条都通向相应的行；不会更改磁盘上的内容</translation>
    </message>
    <message>
        <source>What the files are, and which column is read as what</source>
        <translation>文件是什么，以及每一列如何读取</translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation>添加文件…</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Rows to train on</source>
        <translation>用于训练的行</translation>
    </message>
    <message>
        <source>add data</source>
        <translation>添加数据</translation>
    </message>
    <message>
        <source>1 file</source>
        <translation>1 个文件</translation>
    </message>
    <message>
        <source>%1 files</source>
        <translation>%1 个文件</translation>
    </message>
    <message>
        <source>%1 left out</source>
        <translation>略过 %1 个</translation>
    </message>
    <message>
        <source>Rows to train on: files and folders, as many as you like</source>
        <translation>用于训练的行：文件和文件夹，数量不限</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>正在打开…</translation>
    </message>
    <message>
        <source>Reading, %1 %</source>
        <translation>正在读取，%1%</translation>
    </message>
    <message>
        <source>Cannot be used</source>
        <translation>无法使用</translation>
    </message>
    <message>
        <source>Needs a model</source>
        <translation>需要模型</translation>
    </message>
    <message>
        <source>Would not start</source>
        <translation>无法启动</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Tokens, lengths and masks are told by a model&apos;s tokenizer and template. Choose one on the page Model.</source>
        <translation>词元、长度和掩码由模型的分词器和模板决定。请在“模型”页选择一个。</translation>
    </message>
    <message>
        <source>no rows yet</source>
        <translation>还没有数据行</translation>
    </message>
    <message>
        <source>opening…</source>
        <translation>正在打开…</translation>
    </message>
    <message>
        <source>%1 rows so far</source>
        <translation>目前 %1 行</translation>
    </message>
    <message>
        <source>needs a model</source>
        <translation>需要模型</translation>
    </message>
    <message>
        <source>cannot be used</source>
        <translation>无法使用</translation>
    </message>
    <message>
        <source>would not start</source>
        <translation>无法启动</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>Choose the rows to train on</source>
        <translation>选择用于训练的行</translation>
    </message>
    <message>
        <source>leave rows out</source>
        <translation>排除行</translation>
    </message>
    <message>
        <source>take rows back</source>
        <translation>收回行</translation>
    </message>
    <message>
        <source>leave a row out</source>
        <translation>排除一行</translation>
    </message>
    <message>
        <source>take a row back</source>
        <translation>收回一行</translation>
    </message>
    <message>
        <source>Datasets</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Which datasets the run trains on, and how much an epoch takes of each</source>
        <translation>运行在哪些数据集上训练，以及一轮从每个数据集取多少</translation>
    </message>
    <message>
        <source>Rows of another dataset</source>
        <translation>另一个数据集的行</translation>
    </message>
    <message>
        <source>JSONL, JSON, CSV, TSV, Parquet, Arrow, text and markdown, also as .gz and .zst. Chats (OpenAI&apos;s messages, ShareGPT), Alpaca, prompt and completion are recognised by their columns; others can be mapped.</source>
        <translation>JSONL、JSON、CSV、TSV、Parquet、Arrow、文本和 Markdown，也支持 .gz 和 .zst。对话（OpenAI 消息、ShareGPT）、Alpaca、提示与补全会按列识别；其他格式可以手动映射。</translation>
    </message>
    <message>
        <source>The rows to validate on are of one file, but %1 has %2.</source>
        <translation>验证用的数据行来自一个文件，但 %1 有 %2 个。</translation>
    </message>
    <message>
        <source>Choose one of those files, which are in the cache now.</source>
        <translation>请从这些文件中选择一个，它们现已在缓存中。</translation>
    </message>
    <message>
        <source>fetch data</source>
        <translation>获取数据</translation>
    </message>
    <message>
        <source>Rows that the project names on Hugging Face&apos;s Hub</source>
        <translation>项目在 Hugging Face Hub 上指定的数据行</translation>
    </message>
    <message>
        <source>To be fetched</source>
        <translation>待获取</translation>
    </message>
    <message>
        <source>to be fetched</source>
        <translation>待获取</translation>
    </message>
    <message>
        <source>Fetch the rows that the project names</source>
        <translation>获取项目所指定的数据行</translation>
    </message>
    <message>
        <source>Token lens</source>
        <translation>词元透视</translation>
    </message>
    <message>
        <source>What becomes of a row, token by token</source>
        <translation>逐个词元查看一行会变成什么</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Next: Settings</source>
        <translation>下一步：设置</translation>
    </message>
    <message>
        <source>What deserves a look stands here when all rows are read.</source>
        <translation>所有行读完后，值得查看之处会显示在这里。</translation>
    </message>
    <message>
        <source>Lengths appear once rows have been read with the model&apos;s tokenizer.</source>
        <translation>用模型的分词器读取行后显示长度。</translation>
    </message>
    <message>
        <source>No lengths: the rows cannot be used. “Worth a look” says why.</source>
        <translation>没有长度：这些行无法使用。原因见“值得一看”。</translation>
    </message>
    <message>
        <source>Lengths appear once a model has been chosen: its tokenizer tells how long rows are.</source>
        <translation>选择模型后显示长度：行有多长由模型的分词器决定。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::DatasetTiles</name>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>划分</translation>
    </message>
    <message>
        <source>Tokens an epoch</source>
        <translation>每轮词元</translation>
    </message>
    <message>
        <source>Trained</source>
        <translation>参与训练</translation>
    </message>
    <message>
        <source>Median length</source>
        <translation>长度中位数</translation>
    </message>
    <message>
        <source>of %1 used</source>
        <translation>共 %1 行</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 词元</translation>
    </message>
    <message>
        <source>p99 %1 · max %2</source>
        <translation>p99 %1 · 最大 %2</translation>
    </message>
    <message>
        <source>at most %1 a row</source>
        <translation>每行最多 %1</translation>
    </message>
    <message>
        <source>so far</source>
        <translation>目前</translation>
    </message>
    <message>
        <source>train · %1 validate</source>
        <translation>训练 · 验证 %1</translation>
    </message>
    <message>
        <source>once all rows are read</source>
        <translation>读完所有行之后</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::DatasetsPanel</name>
    <message>
        <source>no files yet</source>
        <translation>还没有文件</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 等，另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 ×</source>
        <translation>%1 ×</translation>
    </message>
    <message>
        <source>weight %1</source>
        <translation>权重 %1</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>Datasets</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Add…</source>
        <translation>添加…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Add a dataset</source>
        <translation>添加一个数据集</translation>
    </message>
    <message>
        <source>Train on another dataset too, with a format and a share of its own</source>
        <translation>同时在另一个数据集上训练，它有自己的格式和份额</translation>
    </message>
    <message>
        <source>Remove the dataset</source>
        <translation>移除该数据集</translation>
    </message>
    <message>
        <source>Take the chosen dataset out of the project; nothing is deleted on the disk</source>
        <translation>把选中的数据集移出项目；磁盘上不会删除任何东西</translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>份额</translation>
    </message>
    <message>
        <source>Of an epoch</source>
        <translation>占一轮</translation>
    </message>
    <message>
        <source>Part of an epoch&apos;s tokens</source>
        <translation>占一轮词元的比例</translation>
    </message>
    <message>
        <source>Datasets of the project</source>
        <translation>项目的数据集</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Share of an epoch</source>
        <translation>在一轮中的份额</translation>
    </message>
    <message>
        <source>change a dataset&apos;s share</source>
        <translation>更改数据集的份额</translation>
    </message>
    <message>
        <source>remove a dataset</source>
        <translation>移除一个数据集</translation>
    </message>
    <message>
        <source>Its rows are not counted yet.</source>
        <translation>它的行还没有数完。</translation>
    </message>
    <message>
        <source>An epoch draws %1 times from its %2 rows to train on: %3 of all draws.</source>
        <translation>一轮从它的 %2 行训练数据中抽取 %1 次：占全部抽取的 %3。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::DifferencesTable</name>
    <message>
        <source>What differs</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>What came out</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Adapter or model</source>
        <translation>适配器或模型</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ExportDialog</name>
    <message>
        <source>&amp;Weights</source>
        <translation>权重(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Prove it: ask run and export the same, and compare their answers</source>
        <translation>验证(&amp;P)：向运行结果和导出结果提同样的问题，并比较回答</translation>
    </message>
    <message>
        <source>Export for other programs</source>
        <translation>导出给其他程序</translation>
    </message>
    <message>
        <source>Before anything is written</source>
        <translation>写入之前</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>the run&apos;s result</source>
        <translation>运行的结果</translation>
    </message>
    <message>
        <source>checkpoint %1, step %2</source>
        <translation>检查点 %1，第 %2 步</translation>
    </message>
    <message>
        <source>Loads the model twice, one after the other. The figures are kept with the run.</source>
        <translation>依次加载模型两次。结果数据与运行一起保存。</translation>
    </message>
    <message>
        <source>&amp;For</source>
        <translation>用于(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Of</source>
        <translation>来源(&amp;O)</translation>
    </message>
    <message>
        <source>For which programs</source>
        <translation>用于哪些程序</translation>
    </message>
    <message>
        <source>Type of the weights</source>
        <translation>权重类型</translation>
    </message>
    <message>
        <source>Of which state of the run</source>
        <translation>运行的哪个状态</translation>
    </message>
    <message>
        <source>as they are</source>
        <translation>保持原样</translation>
    </message>
    <message>
        <source>Asking who would refuse what…</source>
        <translation>正在检查哪些程序会拒绝…</translation>
    </message>
    <message>
        <source>Nothing is known that another program would refuse.</source>
        <translation>未发现其他程序会拒绝的内容。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ExportsCard</name>
    <message>
        <source>Exports for other programs</source>
        <translation>给其他程序的导出</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Make a model for Ollama, llama.cpp, vLLM or others, and prove that it answers as the run</source>
        <translation>为 Ollama、llama.cpp、vLLM 等制作模型，并验证其回答与运行结果一致</translation>
    </message>
    <message>
        <source>How far the export is</source>
        <translation>导出进度</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>显示%1</translation>
    </message>
    <message>
        <source>The engine makes exports, and it is not loaded.</source>
        <translation>导出由引擎完成，而引擎尚未加载。</translation>
    </message>
    <message>
        <source>A run is under way: exports wait for its end, as the proof needs the memory.</source>
        <translation>有运行正在进行：导出须等其结束，因为验证需要内存。</translation>
    </message>
    <message>
        <source>An export of another run is under way.</source>
        <translation>另一个运行的导出正在进行。</translation>
    </message>
    <message>
        <source>None yet. An export is asked the same as the run, and has to answer the same.</source>
        <translation>暂无。导出结果会被问到与运行相同的问题，且回答须一致。</translation>
    </message>
    <message>
        <source>proving it: %1 of %2</source>
        <translation>正在验证：%1/%2</translation>
    </message>
    <message>
        <source>writing: %1 of %2</source>
        <translation>正在写入：%1/%2</translation>
    </message>
    <message>
        <source>reading the model…</source>
        <translation>正在读取模型…</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::FindingsList</name>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show the rows: %1</source>
        <translation>显示相应的行：%1</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1：%2，%3</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::FindingsPane</name>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>What slows the run stands here after its first steps.</source>
        <translation>最初几步之后，这里会显示拖慢运行的原因。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show on the timeline: %1</source>
        <translation>在时间线上显示：%1</translation>
    </message>
    <message>
        <source>The longest such wait, on the timeline</source>
        <translation>此类等待中最长的一次，在时间线上</translation>
    </message>
    <message>
        <source>Costs much</source>
        <translation>代价大</translation>
    </message>
    <message>
        <source>Worth knowing</source>
        <translation>值得了解</translation>
    </message>
    <message>
        <source>The run ended before its second step, too early to tell what slows it.</source>
        <translation>运行在第二步之前就已结束，无法判断是什么拖慢了它。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::FixesCard</name>
    <message>
        <source>Why not, and what makes it fit</source>
        <translation>为什么放不下，以及如何放得下</translation>
    </message>
    <message>
        <source>Looking for what would help…</source>
        <translation>正在寻找可行的办法…</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Apply: %1</source>
        <translation>应用：%1</translation>
    </message>
    <message>
        <source>Describe a rig…</source>
        <translation>描述一台机器…</translation>
    </message>
    <message>
        <source>No change of settings, memory or GPUs is enough: choose a smaller model.</source>
        <translation>更改设置、内存或 GPU 都不够：请选择更小的模型。</translation>
    </message>
    <message>
        <source>Apply all</source>
        <translation>全部应用</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::GridDialog</name>
    <message>
        <source>Another setting</source>
        <translation>再加一项设置</translation>
    </message>
    <message>
        <source>Add a grid</source>
        <translation>添加网格</translation>
    </message>
    <message>
        <source>%1 is trained once for each value, and where there are several settings for each combination of their values. Everything else stays as the project has it.</source>
        <translation>%1 将按每个值各训练一次；有多项设置时，按其值的每种组合各训练一次。其余设置与项目相同。</translation>
    </message>
    <message>
        <source>Name of the grid</source>
        <translation>网格名称</translation>
    </message>
    <message>
        <source>Runs of the grid</source>
        <translation>网格中的运行</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Add to the queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Give each setting its values.</source>
        <translation>请为每项设置填写值。</translation>
    </message>
    <message>
        <source>Give the grid a name: its results are found by it.</source>
        <translation>请为网格命名：结果按名称查找。</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>还没有运行</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 个运行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 in all</source>
        <translation>共%1</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::GridField</name>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除%1</translation>
    </message>
    <message>
        <source>Values with ; between</source>
        <translation>值之间用 ; 分隔</translation>
    </message>
    <message>
        <source>Values with ; between, the parts of one with +</source>
        <translation>值之间用 ; 分隔，一个值的各部分用 + 连接</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::InterruptedOffer</name>
    <message>
        <source>Continue…</source>
        <translation>继续…</translation>
    </message>
    <message>
        <source>Show all runs</source>
        <translation>显示所有运行</translation>
    </message>
    <message>
        <source>Do not offer this again</source>
        <translation>不再提示</translation>
    </message>
    <message>
        <source>“%1” was interrupted after step %2, %3</source>
        <translation>“%1”在第 %2 步后中断，%3</translation>
    </message>
    <message>
        <source>“%1” was interrupted before its first step, %2</source>
        <translation>“%1”在第一步之前中断，%2</translation>
    </message>
    <message>
        <source>It can go on from its checkpoint of step %1.</source>
        <translation>可以从第 %1 步的检查点继续。</translation>
    </message>
    <message>
        <source>It had no checkpoint yet from which it could go on.</source>
        <translation>当时还没有可用来继续的检查点。</translation>
    </message>
    <message numerus="yes">
        <source>%n other run(s) were interrupted, too.</source>
        <translation>
            <numerusform>另有 %n 个运行也已中断。</numerusform>
        </translation>
    </message>
    <message>
        <source>Continue %1…</source>
        <translation>继续 %1…</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::JournalView</name>
    <message>
        <source>Journal</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>This run has kept no journal.</source>
        <translation>此运行没有日志。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::KeptList</name>
    <message>
        <source>Each conversation is kept here after its first answer, in the run&apos;s folder.</source>
        <translation>每段对话在第一个回答之后保存在这里，位于运行的文件夹中。</translation>
    </message>
    <message>
        <source>Go on with it</source>
        <translation>继续对话</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Show it and go on (Return)</source>
        <translation>显示并继续（回车）</translation>
    </message>
    <message>
        <source>Give it another name (F2)</source>
        <translation>改名（F2）</translation>
    </message>
    <message>
        <source>Delete its file (Del)</source>
        <translation>删除其文件（Del）</translation>
    </message>
    <message>
        <source>Delete a conversation</source>
        <translation>删除对话</translation>
    </message>
    <message>
        <source>Delete “%1”?</source>
        <translation>删除“%1”？</translation>
    </message>
    <message>
        <source>Rows that were made of its answers stay. What is deleted can&apos;t be brought back.</source>
        <translation>由其回答生成的行会保留。删除后无法恢复。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::LengthHistogram</name>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>Length limit</source>
        <translation>长度上限</translation>
    </message>
    <message>
        <source>max length %1</source>
        <translation>最大长度 %1</translation>
    </message>
    <message>
        <source>no row is longer</source>
        <translation>没有更长的行</translation>
    </message>
    <message>
        <source>%1 rows dropped (%2)</source>
        <translation>丢弃 %1 行（%2）</translation>
    </message>
    <message>
        <source>%1 rows cut (%2)</source>
        <translation>截断 %1 行（%2）</translation>
    </message>
    <message>
        <source>%1 trained tokens lost</source>
        <translation>损失 %1 个训练词元</translation>
    </message>
    <message>
        <source>tokens of a whole row</source>
        <translation>整行的词元数</translation>
    </message>
    <message>
        <source>%1 longer rows (%2)</source>
        <translation>%1 行更长（%2）</translation>
    </message>
    <message>
        <source>texts are split, others are cut</source>
        <translation>文本被切分，其他的被截断</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::LensFeed</name>
    <message>
        <source>Tokens are told by a model. Choose one on the page Model.</source>
        <translation>词元由模型决定。请在“模型”页选择一个。</translation>
    </message>
    <message>
        <source>%1, row %2</source>
        <translation>%1，第 %2 行</translation>
    </message>
    <message>
        <source>No tokens: the rows cannot be used. “Worth a look” says why.</source>
        <translation>没有词元：这些行无法使用。原因见“值得一看”。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::LensPanel</name>
    <message>
        <source>Token lens</source>
        <translation>词元透视</translation>
    </message>
    <message>
        <source>The row, as far as it came</source>
        <translation>该行（处理到的部分）</translation>
    </message>
    <message>
        <source>Choose a row to see what becomes of it, token by token.</source>
        <translation>选择一行，逐个词元查看它的处理结果。</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Ids</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Next trained (T)</source>
        <translation>下一处训练 (T)</translation>
    </message>
    <message>
        <source>trained</source>
        <translation>参与训练</translation>
    </message>
    <message>
        <source>special</source>
        <translation>特殊</translation>
    </message>
    <message>
        <source>cut off</source>
        <translation>已截断</translation>
    </message>
    <message>
        <source>line feed</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>%1 tokens, %2 trained</source>
        <translation>%1 词元，%2 参与训练</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>还有 %1 条</translation>
    </message>
    <message>
        <source>Not trained on: %1</source>
        <translation>不参与训练：%1</translation>
    </message>
    <message>
        <source>%1 tokens are cut off.</source>
        <translation>%1 个词元被截断。</translation>
    </message>
    <message>
        <source>The first %1 tokens are shown.</source>
        <translation>仅显示前 %1 个词元。</translation>
    </message>
    <message>
        <source>Del in the table does the same. Nothing is changed in the file.</source>
        <translation>在表格中按 Del 键效果相同。文件内容不会改变。</translation>
    </message>
    <message>
        <source>Take this row back</source>
        <translation>收回此行</translation>
    </message>
    <message>
        <source>Leave this row out</source>
        <translation>排除此行</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::LineModel</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Changed settings</source>
        <translation>已更改的设置</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>The settings that are not as a new project has them</source>
        <translation>与新项目不同的设置</translation>
    </message>
    <message>
        <source>As it was planned when the run was added; of one that trains what is left</source>
        <translation>添加运行时的计划时间；正在训练的运行则为剩余时间</translation>
    </message>
    <message>
        <source>By which roundpipe queue names the run</source>
        <translation>roundpipe queue 用它指代该运行</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::LoadCard</name>
    <message>
        <source>Load a model to talk with</source>
        <translation>加载要对话的模型</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Pause the run</source>
        <translation>暂停运行</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>加载中</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>运行于</translation>
    </message>
    <message>
        <source>Room for a conversation, in tokens</source>
        <translation>对话的空间，以词元计</translation>
    </message>
    <message>
        <source>Tokens of a conversation with its answer; their memory is taken at the start. 0: as each question needs</source>
        <translation>一段对话及其回答的词元数；其内存在开始时占用。0：按每个问题的需要</translation>
    </message>
    <message>
        <source>tokens of a conversation</source>
        <translation>个对话词元</translation>
    </message>
    <message>
        <source>Who answers</source>
        <translation>由谁回答</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Room</source>
        <translation>空间</translation>
    </message>
    <message>
        <source>Takes</source>
        <translation>占用</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose the model&apos;s folder</source>
        <translation>选择模型的文件夹</translation>
    </message>
    <message>
        <source>The folder of the model that the adapter was trained on</source>
        <translation>训练适配器时所用模型的文件夹</translation>
    </message>
    <message>
        <source>Let the run stand still after its step; it keeps its memory, and goes on by Resume</source>
        <translation>让运行在当前步之后停住；它保留内存，按“继续”后接着进行</translation>
    </message>
    <message>
        <source>giving up…</source>
        <translation>正在取消…</translation>
    </message>
    <message>
        <source>The model&apos;s folder</source>
        <translation>模型的文件夹</translation>
    </message>
    <message>
        <source>none chosen yet</source>
        <translation>尚未选择</translation>
    </message>
    <message>
        <source>%1 as it came</source>
        <translation>%1（原样）</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>A simulated engine trains nothing that could answer.</source>
        <translation>模拟引擎不训练任何可以回答的东西。</translation>
    </message>
    <message>
        <source>The engine answers, and it is not loaded yet.</source>
        <translation>由引擎回答，而它尚未加载。</translation>
    </message>
    <message>
        <source>An export is being made: it wants the memory until it has ended.</source>
        <translation>正在导出：完成之前需要占用内存。</translation>
    </message>
    <message>
        <source>A run is under way, and has memory and devices to itself. Pause it to talk on the processor or on another GPU meanwhile: a pause frees none of its memory. To free its GPUs stop it, and continue it later.</source>
        <translation>有一个运行正在进行，独占内存和设备。暂停它，便可暂时在处理器或另一块 GPU 上对话：暂停不会释放它的内存。要释放它的 GPU，请停止它，之后再继续。</translation>
    </message>
    <message>
        <source>Nothing can be asked yet: train something, or choose a model and an adapter.</source>
        <translation>还没有可以提问的对象：请先训练，或选择模型和适配器。</translation>
    </message>
    <message>
        <source>reading the model…</source>
        <translation>正在读取模型…</translation>
    </message>
    <message>
        <source>the model before is leaving…</source>
        <translation>正在卸下之前的模型…</translation>
    </message>
    <message>
        <source>Pausing after this step…</source>
        <translation>将在这一步之后暂停…</translation>
    </message>
    <message>
        <source>Precision and chat template…</source>
        <translation>精度和聊天模板…</translation>
    </message>
    <message>
        <source>%1 of memory, and up to %2 of the GPU&apos;s: layers for which it has no room stream to it.</source>
        <translation>内存 %1，显存至多 %2：放不下的层以流式传入。</translation>
    </message>
    <message>
        <source>%1 of memory: the processor computes with a copy of the weights.</source>
        <translation>内存 %1：处理器使用权重的副本计算。</translation>
    </message>
    <message>
        <source>Only %1 are free.</source>
        <translation>只有 %1 空闲。</translation>
    </message>
    <message>
        <source>%1 are free.</source>
        <translation>空闲 %1。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::MemoryBars</name>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Page-locked</source>
        <translation>锁页内存</translation>
    </message>
    <message>
        <source>Host RAM</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1：%2 / %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Nothing is known yet.</source>
        <translation>尚无信息。</translation>
    </message>
    <message>
        <source>less with fewer or shorter sequences at a time</source>
        <translation>同时处理的序列更少或更短时会减少</translation>
    </message>
    <message>
        <source>a stage at a time, the next one, and layers that stay</source>
        <translation>当前阶段、下一个阶段，以及常驻的层</translation>
    </message>
    <message>
        <source>two stages&apos; worth, of what is trained</source>
        <translation>两个阶段的量，仅限参与训练的部分</translation>
    </message>
    <message>
        <source>driver, libraries and what they allocate</source>
        <translation>驱动、库及其分配的内存</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>数据行</translation>
    </message>
    <message>
        <source>all of the model&apos;s, less in fewer bits</source>
        <translation>模型的全部权重，位数少则更小</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>what is trained in full precision, and its moments</source>
        <translation>全精度的训练参数及其矩</translation>
    </message>
    <message>
        <source>of what is trained; their sum, where a step has several rounds</source>
        <translation>训练参数的梯度；一步有多轮时含其总和</translation>
    </message>
    <message>
        <source>between stages, and what layers save there</source>
        <translation>阶段之间的激活，以及各层存放于此的内容</translation>
    </message>
    <message>
        <source>of the microbatches under way</source>
        <translation>正在处理的微批次的数据行</translation>
    </message>
    <message>
        <source>the last one and the best</source>
        <translation>最近的和最佳的</translation>
    </message>
    <message>
        <source>earlier checkpoints</source>
        <translation>较早的检查点</translation>
    </message>
    <message>
        <source>as many as are kept; they go where there is no room</source>
        <translation>按保留数量计；空间不足时会被删除</translation>
    </message>
    <message>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>what the run leaves</source>
        <translation>运行最终留下的内容</translation>
    </message>
    <message>
        <source>trace</source>
        <translation>跟踪</translation>
    </message>
    <message>
        <source>longer with each step</source>
        <translation>每一步都会变长</translation>
    </message>
    <message>
        <source>Earlier checkpoints go where there is no room.</source>
        <translation>空间不足时，较早的检查点会被删除。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::MemoryParts</name>
    <message>
        <source>What takes the memory</source>
        <translation>内存的去向</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>more than there is</source>
        <translation>超出现有内存</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::MessageView</name>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Ask this otherwise; what followed it is forgotten</source>
        <translation>换个问法；其后的内容会被忘掉</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Show what the model was given, and how likely each token was</source>
        <translation>显示模型得到的内容，以及每个词元的概率</translation>
    </message>
    <message>
        <source>Add as a row</source>
        <translation>加为一行数据</translation>
    </message>
    <message>
        <source>Append question and answer to a dataset, to train on</source>
        <translation>把问题和回答追加到数据集，用于训练</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the answer</source>
        <translation>复制回答</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>重新提问</translation>
    </message>
    <message>
        <source>Let the same question be answered anew (Ctrl+Shift+Return)</source>
        <translation>让同一问题重新得到回答（Ctrl+Shift+回车）</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ModelList</name>
    <message>
        <source>%1 tokens</source>
        <translation>%1 词元</translation>
    </message>
    <message>
        <source>✕ cannot be trained</source>
        <translation>✕ 无法训练</translation>
    </message>
    <message>
        <source>✓ fits</source>
        <translation>✓ 放得下</translation>
    </message>
    <message>
        <source>△ does not fit</source>
        <translation>△ 放不下</translation>
    </message>
    <message>
        <source>Model · context · type · licence</source>
        <translation>模型 · 上下文 · 类型 · 许可证</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>磁盘占用</translation>
    </message>
    <message>
        <source>On this rig</source>
        <translation>在本机</translation>
    </message>
    <message>
        <source>not worked out yet</source>
        <translation>尚未计算</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ModelPage</name>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>%1, %2 blocks</source>
        <translation>%1，%2 个块</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>%1, hidden %2</source>
        <translation>%1，隐藏维度 %2</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>%1, %2 a token</source>
        <translation>%1，每词元 %2</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 词元</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>磁盘占用</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>its own</source>
        <translation>自带</translation>
    </message>
    <message>
        <source>its own</source>
        <comment>chat template</comment>
        <translation>自带</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>聊天模板</translation>
    </message>
    <message>
        <source>none: choose one in the settings</source>
        <translation>无：请在设置中选择</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>not said</source>
        <translation>未说明</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Which model learns. Its own weights are never changed; the adapter is written beside the run.</source>
        <translation>哪个模型来学习。它自己的权重不会改变；适配器写在运行文件夹中。</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查找</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>A model folder, or one of models</source>
        <translation>模型文件夹，或含多个模型的文件夹</translation>
    </message>
    <message>
        <source>Drop a folder anywhere to add it. Verdicts are for the project&apos;s settings.</source>
        <translation>把文件夹拖到任意位置即可添加。判断基于项目的设置。</translation>
    </message>
    <message>
        <source>Models of this machine</source>
        <translation>本机上的模型</translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation>正在查找模型…</translation>
    </message>
    <message>
        <source>Use this model</source>
        <translation>使用此模型</translation>
    </message>
    <message>
        <source>No model is chosen</source>
        <translation>未选择模型</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>Cannot be trained</source>
        <translation>无法训练</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>还没有</translation>
    </message>
    <message>
        <source>choose a model</source>
        <translation>选择一个模型</translation>
    </message>
    <message>
        <source>No model was found on this machine</source>
        <translation>在此机器上未找到模型</translation>
    </message>
    <message>
        <source>A model is a folder with config.json, safetensors and a tokenizer, as Hugging Face has them. Drop one anywhere on the window, or a folder of several; what lies in Hugging Face&apos;s cache is found by itself.</source>
        <translation>模型是包含 config.json、safetensors 和分词器的文件夹，与 Hugging Face 上的相同。可将其或包含多个模型的文件夹拖到窗口任意位置；Hugging Face 缓存中的模型会自动找到。</translation>
    </message>
    <message>
        <source>to be fetched</source>
        <translation>待获取</translation>
    </message>
    <message>
        <source>fetch the model</source>
        <translation>获取模型</translation>
    </message>
    <message>
        <source>Which model learns. All of its weights are trained, in a copy: the result is a model of its own in the run&apos;s folder.</source>
        <translation>选择要学习的模型。训练的是它全部权重的一份副本：结果是运行文件夹中一个独立的模型。</translation>
    </message>
    <message>
        <source>No model was found in %1.</source>
        <translation>在 %1 中未找到模型。</translation>
    </message>
    <message>
        <source>A model is a folder with config.json, tokenizer.json and safetensors files. Rows to train on are added on the page Data.</source>
        <translation>模型是一个包含 config.json、tokenizer.json 和 safetensors 文件的文件夹。训练用的数据行在“数据”页面添加。</translation>
    </message>
    <message>
        <source>%1, chosen in the settings</source>
        <translation>%1（在设置中选择）</translation>
    </message>
    <message>
        <source>Next: Data</source>
        <translation>下一步：数据</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ModelVerdicts</name>
    <message>
        <source>%1 a step, %2 tokens/s</source>
        <translation>每步 %1，%2 词元/秒</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>A step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <source>Fullest device</source>
        <translation>占用最高的设备</translation>
    </message>
    <message>
        <source>Host memory</source>
        <translation>主机内存</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::NoticeStrip</name>
    <message>
        <source>Close the message</source>
        <translation>关闭消息</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::Page</name>
    <message>
        <source>No program here shows folders. It lies in %1.</source>
        <translation>此处没有可显示文件夹的程序。它位于 %1。</translation>
    </message>
    <message>
        <source>Copy the path</source>
        <translation>复制路径</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PartitionEditor</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>Layer partition</source>
        <translation>层划分</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>fused: forward and backward</source>
        <translation>融合：前向与反向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>S%1, %2, %3, on device %4: %5 a microbatch, %6 of weights</source>
        <translation>S%1，%2，%3，设备 %4：每微批次 %5，权重 %6</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>emb</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <source>Shown as soon as a model is chosen and something fits.</source>
        <translation>选择模型且方案可行后显示。</translation>
    </message>
    <message>
        <source>1 stage</source>
        <translation>1 个阶段</translation>
    </message>
    <message>
        <source>%1 stages</source>
        <translation>%1 个阶段</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Height of the fill: memory of the weights (full = %1). Width of a layer: its time. Numeral: the device of that slot in the first step.</source>
        <translation>填充高度：权重占用的内存（满 = %1）。层的宽度：其耗时。数字：第一步中该槽位的设备。</translation>
    </message>
    <message>
        <source>S%1, %2, %3, on each device: %4 a microbatch, %5 of weights</source>
        <translation>S%1，%2，%3，每台设备：每微批次 %4，权重 %5</translation>
    </message>
    <message>
        <source>Height of the fill: memory of the weights (full = %1). Width of a layer: its time. Each of %2 devices takes all stages, for its part of a step.</source>
        <translation>填充高度：权重占用的内存（满 = %1）。层的宽度：其耗时。%2 台设备各自执行所有阶段，处理一步中属于自己的部分。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PlanCard</name>
    <message>
        <source>What it comes to</source>
        <translation>预计结果</translation>
    </message>
    <message>
        <source>A step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>Speed, tokens/s</source>
        <translation>速度，词元/秒</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>The whole run</source>
        <translation>整个运行</translation>
    </message>
    <message>
        <source>Fullest device</source>
        <translation>占用最高的设备</translation>
    </message>
    <message>
        <source>Host memory</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>Choose a model to see memory and time.</source>
        <translation>选择模型以查看内存和时间。</translation>
    </message>
    <message>
        <source>Does not fit. %1</source>
        <translation>放不下。%1</translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation>正在规划…</translation>
    </message>
    <message>
        <source>needs the rows</source>
        <translation>需要数据行</translation>
    </message>
    <message>
        <source>more</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>less</source>
        <translation>更少</translation>
    </message>
    <message>
        <source>better</source>
        <translation>更好</translation>
    </message>
    <message>
        <source>worse</source>
        <translation>更差</translation>
    </message>
    <message>
        <source>Steps an epoch</source>
        <translation>每轮步数</translation>
    </message>
    <message>
        <source>Steps in all</source>
        <translation>总步数</translation>
    </message>
    <message>
        <source>On %1. Times of layers are estimated.</source>
        <translation>在 %1 上。各层时间为估计值。</translation>
    </message>
    <message>
        <source>On %1. Times of layers are measured.</source>
        <translation>在 %1 上。各层时间为实测值。</translation>
    </message>
    <message>
        <source>This project is planned when the run under way has ended.</source>
        <translation>正在进行的运行结束后，才会规划这个项目。</translation>
    </message>
    <message>
        <source>Times of before are left out: they were %1.</source>
        <translation>略去了之前的时间：它们是%1的。</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>estimated</source>
        <translation>估计</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PlanPage</name>
    <message>
        <source>Plan</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>A step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>The whole run</source>
        <translation>整个运行</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Idle (bubble)</source>
        <translation>空闲（气泡）</translation>
    </message>
    <message>
        <source>Fullest device</source>
        <translation>占用最高的设备</translation>
    </message>
    <message>
        <source>Back to the computed cuts</source>
        <translation>恢复计算出的切分</translation>
    </message>
    <message>
        <source>Back to this machine</source>
        <translation>回到本机</translation>
    </message>
    <message>
        <source>Layer partition</source>
        <translation>层划分</translation>
    </message>
    <message>
        <source>Predicted step</source>
        <translation>预测的单步</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Other schedules</source>
        <translation>其他调度方式</translation>
    </message>
    <message>
        <source>hatched: idle</source>
        <translation>阴影：空闲</translation>
    </message>
    <message>
        <source>On another rig</source>
        <translation>在其他机器上</translation>
    </message>
    <message>
        <source>no plan yet</source>
        <translation>还没有方案</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>fits · %1</source>
        <translation>放得下 · %1</translation>
    </message>
    <message>
        <source>No plan</source>
        <translation>没有方案</translation>
    </message>
    <message>
        <source>Choose a model to see how it would run.</source>
        <translation>选择模型以查看运行方式。</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>%1 at best</source>
        <translation>最快 %1</translation>
    </message>
    <message>
        <source>when the rows are counted</source>
        <translation>数据行统计完之后</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>GPipe %1 %</source>
        <translation>GPipe %1%</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>Use better cuts: %1</source>
        <translation>使用更好的切分：%1</translation>
    </message>
    <message>
        <source>%1 → %2 ms a step (%3 %)</source>
        <translation>每步 %1 → %2 ms（%3%）</translation>
    </message>
    <message>
        <source>Move a cut</source>
        <translation>移动切分点</translation>
    </message>
    <message>
        <source>Computed cuts</source>
        <translation>计算出的切分</translation>
    </message>
    <message>
        <source>Save plan…</source>
        <translation>保存方案…</translation>
    </message>
    <message>
        <source>Write the plan as JSON, or a picture of the predicted step</source>
        <translation>把方案写成 JSON，或写出预测单步的图片</translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation>保存方案</translation>
    </message>
    <message>
        <source>The step is still being predicted.</source>
        <translation>仍在预测单步。</translation>
    </message>
    <message>
        <source>Save its picture in a moment.</source>
        <translation>请稍后再保存图片。</translation>
    </message>
    <message>
        <source>%1 a step</source>
        <translation>每步 %1</translation>
    </message>
    <message>
        <source>%1 % idle</source>
        <translation>空闲 %1%</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2 上的 %1</translation>
    </message>
    <message>
        <source>The plan is in %1.</source>
        <translation>方案位于 %1。</translation>
    </message>
    <message>
        <source>drag a cut, or Tab to it and press ← →; ↑ ↓ go over the stages</source>
        <translation>拖动切分点，或用 Tab 选中后按 ← →；↑ ↓ 浏览各阶段</translation>
    </message>
    <message>
        <source>Does not fit: %1</source>
        <translation>放不下：%1</translation>
    </message>
    <message>
        <source>Use better cuts</source>
        <translation>使用更好的切分</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n 步</numerusform>
        </translation>
    </message>
    <message>
        <source>Started now, done at %1</source>
        <translation>若现在开始，将于 %1 完成</translation>
    </message>
    <message>
        <source>This project is planned when the run under way has ended.</source>
        <translation>正在进行的运行结束后，才会规划这个项目。</translation>
    </message>
    <message>
        <source>Apply all that helps together</source>
        <translation>应用全部合起来有效的更改</translation>
    </message>
    <message>
        <source>the same run, by estimates</source>
        <translation>同一运行，按估计</translation>
    </message>
    <message>
        <source>being worked out…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>how lengths are known</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Plan (*.json)</source>
        <translation>方案 (*.json)</translation>
    </message>
    <message>
        <source>Picture of a step (*.svg)</source>
        <translation>单步图片 (*.svg)</translation>
    </message>
    <message>
        <source>No plan yet</source>
        <translation>还没有方案</translation>
    </message>
    <message>
        <source>Once a model is chosen, this page tells, before anything is loaded, how its layers are cut, what every device does in a step, how much memory it takes and how long the run will be.</source>
        <translation>选好模型后，无需加载，这里就会显示：各层如何切分、每个设备在一步中做什么、需要多少内存，以及整个运行要多久。</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>What takes the memory</source>
        <translation>内存的去向</translation>
    </message>
    <message>
        <source>%1, the fullest</source>
        <translation>%1，占用最高</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PlaygroundPage</name>
    <message>
        <source>Playground</source>
        <translation>试验场</translation>
    </message>
    <message>
        <source>Who answers</source>
        <translation>由谁回答</translation>
    </message>
    <message>
        <source>One</source>
        <translation>单个</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>并排</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Begin another conversation with the same settings; this one is kept (Ctrl+L)</source>
        <translation>以相同的设置开始另一段对话；当前对话会保留（Ctrl+L）</translation>
    </message>
    <message>
        <source>Rows go to…</source>
        <translation>行保存到…</translation>
    </message>
    <message>
        <source>Choose the file that good answers are appended to</source>
        <translation>选择追加好回答的文件</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>加载中</translation>
    </message>
    <message>
        <source>answering</source>
        <translation>回答中</translation>
    </message>
    <message>
        <source>Talk with what was trained, and with the model as it came beside it.</source>
        <translation>与训练所得对话，并与原样的模型并排比较。</translation>
    </message>
    <message>
        <source>The run goes on, so the playground&apos;s model was let go. What was said is kept.</source>
        <translation>运行继续，因此卸下了试验场的模型。对话内容已保留。</translation>
    </message>
    <message>
        <source>With “%1”</source>
        <translation>使用“%1”</translation>
    </message>
    <message>
        <source>as it came</source>
        <translation>原样</translation>
    </message>
    <message>
        <source>strength %1</source>
        <translation>强度 %1</translation>
    </message>
    <message>
        <source>The same question, before and after: one load serves both columns.</source>
        <translation>同一问题，训练前后：一次加载供两列使用。</translation>
    </message>
    <message>
        <source>Each answer follows from all that was said before it.</source>
        <translation>每个回答都依据之前的全部内容。</translation>
    </message>
    <message>
        <source>Ask both…</source>
        <translation>同时提问…</translation>
    </message>
    <message>
        <source>Ask…</source>
        <translation>提问…</translation>
    </message>
    <message>
        <source>The answer is empty.</source>
        <translation>回答是空的。</translation>
    </message>
    <message>
        <source>A row needs one to train on.</source>
        <translation>一行数据需要可供训练的回答。</translation>
    </message>
    <message>
        <source>This answer was cut off: a model that is trained on it learns not to end. Let it be answered again, with more tokens allowed.</source>
        <translation>此回答被截断：用它训练的模型会学成停不下来。请提高词元上限后重新提问。</translation>
    </message>
    <message>
        <source>Add it all the same</source>
        <translation>仍然加入</translation>
    </message>
    <message>
        <source>Added as a row to %1.</source>
        <translation>已作为一行加入 %1。</translation>
    </message>
    <message>
        <source>Train on it</source>
        <translation>用于训练</translation>
    </message>
    <message>
        <source>Rows go to</source>
        <translation>行保存到</translation>
    </message>
    <message>
        <source>Rows of messages (*.jsonl)</source>
        <translation>消息行 (*.jsonl)</translation>
    </message>
    <message>
        <source>Good answers go to %1 from now on.</source>
        <translation>好回答今后保存到 %1。</translation>
    </message>
    <message>
        <source>This conversation is with the adapter “%1”, which is not loaded.</source>
        <translation>此对话使用的适配器“%1”未加载。</translation>
    </message>
    <message>
        <source>Load it by “Change…” first.</source>
        <translation>请先用“更换…”加载它。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PredictedStep</name>
    <message>
        <source>Predicted step</source>
        <translation>预测的单步</translation>
    </message>
    <message>
        <source>A step takes %1, %2 % of it idle.</source>
        <translation>单步用时 %1，其中 %2% 空闲。</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Shown as soon as there is a plan.</source>
        <translation>有方案后显示。</translation>
    </message>
    <message>
        <source>opt</source>
        <translation>优化</translation>
    </message>
    <message>
        <source>%1 of microbatch %2 in S%3: %4</source>
        <translation>S%3 中微批次 %2 的%1：%4</translation>
    </message>
    <message>
        <source>S%1 computes %2 a step.</source>
        <translation>S%1 每步计算 %2。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PresetTimes</name>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PresetsCard</name>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>%1 · in use</source>
        <translation>%1 · 使用中</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Forget the preset %1</source>
        <translation>删除预设 %1</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Use the preset %1</source>
        <translation>使用预设 %1</translation>
    </message>
    <message>
        <source>Use the preset “%1”</source>
        <translation>使用预设“%1”</translation>
    </message>
    <message>
        <source>Save the settings as a preset</source>
        <translation>把设置保存为预设</translation>
    </message>
    <message>
        <source>Name of the preset:</source>
        <translation>预设名称：</translation>
    </message>
    <message>
        <source>How long the whole run would take with it</source>
        <translation>使用它时整个运行需要的时间</translation>
    </message>
    <message>
        <source>The whole run with the preset %1</source>
        <translation>使用预设 %1 的整个运行</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::QueuePage</name>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Nothing waits</source>
        <translation>没有等待的运行</translation>
    </message>
    <message>
        <source>Runs that are added here are trained by themselves: one after the other on the same devices, side by side on others. A grid adds a run for each value of a setting, and compares what came of them.</source>
        <translation>加入此处的运行会自动训练：使用相同设备的依次进行，使用不同设备的并行进行。网格会为一项设置的每个值添加一个运行，并比较结果。</translation>
    </message>
    <message>
        <source>After an error</source>
        <translation>出错后</translation>
    </message>
    <message>
        <source>go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>When done</source>
        <translation>完成后</translation>
    </message>
    <message>
        <source>stay awake</source>
        <translation>保持唤醒</translation>
    </message>
    <message>
        <source>sleep</source>
        <translation>睡眠</translation>
    </message>
    <message>
        <source>When the queue is empty the next time, the machine goes to sleep.</source>
        <translation>下次队列清空时，机器进入睡眠。</translation>
    </message>
    <message>
        <source>Runs in line</source>
        <translation>排队的运行</translation>
    </message>
    <message>
        <source>Add the project</source>
        <translation>添加项目</translation>
    </message>
    <message>
        <source>Add a grid…</source>
        <translation>添加网格…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>A run for each value of a setting of the open project</source>
        <translation>为打开的项目的一项设置的每个值各建一个运行</translation>
    </message>
    <message>
        <source>Let the open project be trained when its devices are free (Ctrl+Shift+R)</source>
        <translation>等设备空闲时训练打开的项目（Ctrl+Shift+R）</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>nothing waits</source>
        <translation>无等待</translation>
    </message>
    <message numerus="yes">
        <source>%n wait(s)</source>
        <translation>
            <numerusform>%n 个等待中</numerusform>
        </translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Show on the page Run how it goes, and steer it from there (Return)</source>
        <translation>在“运行”页查看其进展，并在那里控制（回车键）</translation>
    </message>
    <message>
        <source>Take the selected runs out of the queue (Del)</source>
        <translation>将所选运行移出队列（Del）</translation>
    </message>
    <message>
        <source>Without the training engine nothing of it can be trained here; it waits.</source>
        <translation>没有训练引擎，此处无法训练；运行会继续等待。</translation>
    </message>
    <message>
        <source>It pauses: %1 has failed. Nothing more begins before you let it go on.</source>
        <translation>已暂停：%1 失败。按“开始”之前不会再启动新的运行。</translation>
    </message>
    <message>
        <source>It pauses: nothing more begins, what is under way goes on.</source>
        <translation>已暂停：不再启动新的运行，正在进行的会继续。</translation>
    </message>
    <message>
        <source>It goes on by itself, without this window too. Drag a run to another place, or move it by Alt+↑ and Alt+↓.</source>
        <translation>会自动继续，关闭此窗口也一样。可将运行拖到其他位置，或用 Alt+↑ 和 Alt+↓ 移动。</translation>
    </message>
    <message>
        <source>Nothing begins by itself before you press Start.</source>
        <translation>按“开始”之前不会自动启动。</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练中</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Nothing more begins; what is under way goes on</source>
        <translation>不再启动新的运行；正在进行的会继续</translation>
    </message>
    <message>
        <source>Nothing waits.</source>
        <translation>没有等待的运行。</translation>
    </message>
    <message>
        <source>Train what waits, as soon as its devices are free</source>
        <translation>设备空闲后训练等待的运行</translation>
    </message>
    <message>
        <source>Runs that are trained by themselves, those of the command line too</source>
        <translation>自动训练的运行，包括命令行添加的</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) wait</source>
        <translation>
            <numerusform>%n 个运行等待中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) taken out of the queue.</source>
        <translation>
            <numerusform>已将 %n 个运行移出队列。</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) added to the queue.</source>
        <translation>
            <numerusform>已将 %n 个运行加入队列。</numerusform>
        </translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>can&apos;t be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>It is starting, and can be watched in a moment.</source>
        <translation>它正在启动，稍后即可观看。</translation>
    </message>
    <message>
        <source>Nothing waits that this version can read.</source>
        <translation>等待中的运行此版本都无法读取。</translation>
    </message>
    <message>
        <source>The devices are taken</source>
        <translation>设备已被占用</translation>
    </message>
    <message>
        <source>The queue trains %1 on the same devices.</source>
        <translation>队列正在相同的设备上训练 %1。</translation>
    </message>
    <message>
        <source>Two runs on one device slow each other down, and may run out of its memory. In the queue this project waits, and begins by itself when the devices are free.</source>
        <translation>同一设备上的两个运行会互相拖慢，还可能耗尽其内存。加入队列后，本项目会等待，并在设备空闲时自行开始。</translation>
    </message>
    <message>
        <source>Add to the queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Start anyway</source>
        <translation>仍要开始</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ResultsCard</name>
    <message>
        <source>What came of it</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Show in Runs</source>
        <translation>在“运行记录”中显示</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Whose runs are shown</source>
        <translation>显示哪个网格的运行</translation>
    </message>
    <message>
        <source>Curves, settings and journal of this run (Return)</source>
        <translation>此运行的曲线、设置和日志（回车键）</translation>
    </message>
    <message>
        <source>All runs of the queue</source>
        <translation>队列的所有运行</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ResultsModel</name>
    <message>
        <source>Deleted</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Begun</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ResultsPage</name>
    <message>
        <source>What happened, without rows and answers: for who looks for a fault</source>
        <translation>发生了什么（不含数据行和回答）：供查找故障使用</translation>
    </message>
    <message>
        <source>Debug report…</source>
        <translation>故障报告…</translation>
    </message>
    <message>
        <source>Write versions, machine, settings, journal, log and the end of the trace into one file</source>
        <translation>将版本、机器、设置、日志簿、日志和轨迹末尾写入一个文件</translation>
    </message>
    <message>
        <source>Debug report</source>
        <translation>故障报告</translation>
    </message>
    <message>
        <source>The report is in %1. It holds no rows, answers or weights.</source>
        <translation>报告位于 %1。其中不含数据行、回答或权重。</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>磁盘占用</translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation>训练前后对比</translation>
    </message>
    <message>
        <source>What next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
    <message>
        <source>Write a line a step: loss, validation loss, learning rate, …</source>
        <translation>每步写一行：损失、验证损失、学习率、…</translation>
    </message>
    <message>
        <source>Curves as CSV</source>
        <translation>曲线导出为 CSV</translation>
    </message>
    <message>
        <source>TensorBoard…</source>
        <translation>TensorBoard…</translation>
    </message>
    <message>
        <source>Write the curves as an event file into a folder, for TensorBoard</source>
        <translation>把曲线写成事件文件存入文件夹，供 TensorBoard 使用</translation>
    </message>
    <message>
        <source>Folder for TensorBoard</source>
        <translation>TensorBoard 文件夹</translation>
    </message>
    <message>
        <source>HTML…</source>
        <translation>HTML…</translation>
    </message>
    <message>
        <source>Write a report: numbers, loss, answers, every setting</source>
        <translation>写一份报告：数字、损失、回答、所有设置</translation>
    </message>
    <message>
        <source>Report as HTML</source>
        <translation>HTML 报告</translation>
    </message>
    <message>
        <source>PDF…</source>
        <translation>PDF…</translation>
    </message>
    <message>
        <source>Write the report as PDF</source>
        <translation>把报告写成 PDF</translation>
    </message>
    <message>
        <source>Report as PDF</source>
        <translation>PDF 报告</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Show the run&apos;s files</source>
        <translation>显示运行的文件</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>还没有</translation>
    </message>
    <message>
        <source>validation %1</source>
        <translation>验证 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n 个设备</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 at first</source>
        <translation>最初 %1</translation>
    </message>
    <message>
        <source>no validation rows</source>
        <translation>没有验证行</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>损失 %1</translation>
    </message>
    <message>
        <source>%1 a step</source>
        <translation>每步 %1</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>adapter %1</source>
        <translation>适配器 %1</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>显示%1</translation>
    </message>
    <message>
        <source>Adapter, PEFT</source>
        <translation>适配器，PEFT</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>Best checkpoint</source>
        <translation>最佳检查点</translation>
    </message>
    <message>
        <source>step %1 · validation %2</source>
        <translation>第 %1 步 · 验证 %2</translation>
    </message>
    <message>
        <source>This run saved nothing: it ended before its first checkpoint.</source>
        <translation>此运行没有保存任何内容：它在第一个检查点之前就结束了。</translation>
    </message>
    <message>
        <source>The report is in %1.</source>
        <translation>报告位于 %1。</translation>
    </message>
    <message>
        <source>The curves are in %1.</source>
        <translation>曲线位于 %1。</translation>
    </message>
    <message>
        <source>The curves are in %1: tensorboard --logdir shows them.</source>
        <translation>曲线位于 %1：用 tensorboard --logdir 查看。</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>删除 %1</translation>
    </message>
    <message>
        <source>Delete a checkpoint</source>
        <translation>删除检查点</translation>
    </message>
    <message>
        <source>Delete “%1” of step %2?</source>
        <translation>删除第 %2 步的“%1”？</translation>
    </message>
    <message>
        <source>It is what the run is resumed from: without it, it can only be begun anew.</source>
        <translation>运行由它继续：没有它就只能重新开始。</translation>
    </message>
    <message>
        <source>What is deleted can&apos;t be brought back.</source>
        <translation>删除后无法恢复。</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>No results yet</source>
        <translation>还没有结果</translation>
    </message>
    <message>
        <source>Results of earlier runs</source>
        <translation>以往运行的结果</translation>
    </message>
    <message>
        <source>This run was given no prompts to answer before and after.</source>
        <translation>这个运行没有在前后回答的提示词。</translation>
    </message>
    <message>
        <source>Continue…</source>
        <translation>继续…</translation>
    </message>
    <message>
        <source>Go on with this run from its last checkpoint</source>
        <translation>从最后的检查点继续这个运行</translation>
    </message>
    <message>
        <source>Checkpoint to continue from</source>
        <translation>用于继续的检查点</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>model %1</source>
        <translation>模型 %1</translation>
    </message>
    <message>
        <source>Trained model</source>
        <translation>训练后的模型</translation>
    </message>
    <message>
        <source>Everything else of the run stays.</source>
        <translation>运行的其他内容都会保留。</translation>
    </message>
    <message>
        <source>Report and curves</source>
        <translation>报告和曲线</translation>
    </message>
    <message>
        <source>Numbers, loss, answers and every setting</source>
        <translation>数字、损失、回答和所有设置</translation>
    </message>
    <message>
        <source>Loss, validation, learning rate and more of every step</source>
        <translation>每一步的损失、验证、学习率等</translation>
    </message>
    <message>
        <source>CSV…</source>
        <translation>CSV…</translation>
    </message>
    <message>
        <source>ended before the first</source>
        <translation>首次验证前已结束</translation>
    </message>
    <message>
        <source>Result and checkpoints</source>
        <translation>结果和检查点</translation>
    </message>
    <message>
        <source>When a run ends, its answers before and after, its result and its checkpoints stand here.</source>
        <translation>运行结束后，这里会显示训练前后的回答、结果和检查点。</translation>
    </message>
    <message>
        <source>Answers, results and what to do with them</source>
        <translation>回答、结果，以及如何使用它们</translation>
    </message>
    <message>
        <source>(asked at the end)</source>
        <translation>（结束时提问）</translation>
    </message>
    <message>
        <source>(not asked: the run ended before its end)</source>
        <translation>（未提问：运行提前结束）</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Show the run&apos;s timeline in a window of its own</source>
        <translation>在单独的窗口中显示此运行的时间线</translation>
    </message>
    <message>
        <source>The export is in %1.</source>
        <translation>导出位于 %1。</translation>
    </message>
    <message>
        <source>The proof was stopped; the export is whole.</source>
        <translation>验证已停止；导出是完整的。</translation>
    </message>
    <message>
        <source>The export was stopped; nothing of it is left.</source>
        <translation>导出已停止，没有留下任何内容。</translation>
    </message>
    <message>
        <source>Ask it on the page Playground</source>
        <translation>到“试验场”页面提问</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RigTable</name>
    <message>
        <source>On another rig</source>
        <translation>在其他机器上</translation>
    </message>
    <message>
        <source>4x4090@pcie4x8,ram=256</source>
        <translation>4x4090@pcie4x8,ram=256</translation>
    </message>
    <message>
        <source>Another rig</source>
        <translation>其他机器</translation>
    </message>
    <message>
        <source>GPUs with their number, &quot;+&quot; between kinds; after commas ram=… in GiB. Enter adds it.</source>
        <translation>GPU 及其数量，不同型号之间用“+”；逗号后写 ram=…（GiB）。按回车添加。</translation>
    </message>
    <message>
        <source>Add rig</source>
        <translation>添加机器</translation>
    </message>
    <message>
        <source>Show the whole plan on this rig</source>
        <translation>显示在此机器上的完整方案</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <source>%1%2 %</source>
        <translation>%1%2%</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>not understood</source>
        <translation>无法识别</translation>
    </message>
    <message>
        <source>Show the whole plan on %1</source>
        <translation>显示在 %1 上的完整方案</translation>
    </message>
    <message>
        <source>Rig file…</source>
        <translation>机器文件…</translation>
    </message>
    <message>
        <source>Add a rig that a file describes, as roundpipe plan writes and reads it</source>
        <translation>添加由文件描述的机器，即 roundpipe plan 读写的文件</translation>
    </message>
    <message>
        <source>A rig</source>
        <translation>一台机器</translation>
    </message>
    <message>
        <source>Rigs (*.json)</source>
        <translation>机器 (*.json)</translation>
    </message>
    <message>
        <source>being worked out…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>does not fit: %1</source>
        <translation>放不下：%1</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RowSettings</name>
    <message>
        <source>Prompt, system prompt, cells of tables</source>
        <translation>提示词、系统提示词、表格单元格</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RowsCard</name>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Go to row</source>
        <translation>跳转到行</translation>
    </message>
    <message>
        <source>Number of the row to go to</source>
        <translation>要跳转到的行号</translation>
    </message>
    <message>
        <source>Find a text in the rows ( / )</source>
        <translation>在行中查找文本 ( / )</translation>
    </message>
    <message>
        <source>Text to find in the rows</source>
        <translation>要在行中查找的文本</translation>
    </message>
    <message>
        <source>%1 …</source>
        <translation>%1 …</translation>
    </message>
    <message>
        <source>“%1”: looking…</source>
        <translation>“%1”：正在查找…</translation>
    </message>
    <message numerus="yes">
        <source>“%1”: %n row(s) so far, %2 %</source>
        <translation>
            <numerusform>“%1”：目前 %n 行，%2%</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“%1”: the first %n row(s)</source>
        <translation>
            <numerusform>“%1”：前 %n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“%1”: %n row(s)</source>
        <translation>
            <numerusform>“%1”：%n 行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RowsModel</name>
    <message>
        <source>%1 of %2 tokens trained</source>
        <translation>%2 个词元中有 %1 个参与训练</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>First message</source>
        <translation>第一条消息</translation>
    </message>
    <message>
        <source>Turns</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Trained</source>
        <translation>参与训练</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RowsTable</name>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RunCommands</name>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Start the run (Ctrl+R)</source>
        <translation>开始运行 (Ctrl+R)</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Stop and save</source>
        <translation>停止并保存</translation>
    </message>
    <message>
        <source>Finish the running step, save, and end (Ctrl+.)</source>
        <translation>完成当前步，保存并结束 (Ctrl+.)</translation>
    </message>
    <message>
        <source>Stop and discard</source>
        <translation>停止并放弃</translation>
    </message>
    <message>
        <source>Finish the running step and end; what was saved before stays</source>
        <translation>完成当前步后结束；之前保存的内容保留</translation>
    </message>
    <message>
        <source>Save now</source>
        <translation>立即保存</translation>
    </message>
    <message>
        <source>Write a checkpoint after the running step</source>
        <translation>当前步完成后写入检查点</translation>
    </message>
    <message>
        <source>Validate now</source>
        <translation>立即验证</translation>
    </message>
    <message>
        <source>Measure the validation loss after the running step</source>
        <translation>当前步完成后测量验证损失</translation>
    </message>
    <message>
        <source>Sample now</source>
        <translation>立即采样</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>No engine</source>
        <translation>没有引擎</translation>
    </message>
    <message>
        <source>Set up training…</source>
        <translation>设置训练引擎…</translation>
    </message>
    <message>
        <source>Download what training needs (Ctrl+R)</source>
        <translation>下载训练所需的内容 (Ctrl+R)</translation>
    </message>
    <message>
        <source>Loading engine…</source>
        <translation>正在加载引擎…</translation>
    </message>
    <message>
        <source>Still missing: %1</source>
        <translation>还缺少：%1</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Go on with the next step (Ctrl+P)</source>
        <translation>从下一步继续 (Ctrl+P)</translation>
    </message>
    <message>
        <source>Stand still after the running step; all memory is kept (Ctrl+P)</source>
        <translation>当前步完成后停住；保留全部内存 (Ctrl+P)</translation>
    </message>
    <message>
        <source>Start anyway…</source>
        <translation>仍要开始…</translation>
    </message>
    <message>
        <source>Answer the prompts with what has been learned by now</source>
        <translation>用目前学到的内容回答提示词</translation>
    </message>
    <message>
        <source>An export is being made: a run can start when it has ended.</source>
        <translation>正在导出：导出结束后才能开始运行。</translation>
    </message>
    <message>
        <source>Add to the queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Let this project be trained when its devices are free (Ctrl+Shift+R)</source>
        <translation>等设备空闲时训练此项目（Ctrl+Shift+R）</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RunLog</name>
    <message>
        <source>Messages of the run</source>
        <translation>运行的消息</translation>
    </message>
    <message>
        <source>validation loss %1 after step %2</source>
        <translation>第 %2 步后验证损失 %1</translation>
    </message>
    <message>
        <source>warning: %1</source>
        <translation>警告：%1</translation>
    </message>
    <message>
        <source>saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>error: %1 %2</source>
        <translation>错误：%1 %2</translation>
    </message>
    <message>
        <source>%1 parameters are trained on %2 rows, %3 are for validation</source>
        <translation>用 %2 行训练 %1 个参数，%3 行用于验证</translation>
    </message>
    <message>
        <source>%1 rows of the data were dropped</source>
        <translation>数据中有 %1 行被丢弃</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RunPage</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Stop…</source>
        <translation>停止…</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>未开始</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>The timeline alone (F11)</source>
        <translation>仅时间线 (F11)</translation>
    </message>
    <message>
        <source>The timeline alone</source>
        <translation>仅时间线</translation>
    </message>
    <message>
        <source>Asks whether to save</source>
        <translation>会询问是否保存</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>%1 It leaves no files.</source>
        <translation>%1 它不会留下文件。</translation>
    </message>
    <message>
        <source>The timeline shows a step as predicted for %1.</source>
        <translation>时间线显示为 %1 预测的一步。</translation>
    </message>
    <message>
        <source>%1 (simulated)</source>
        <translation>%1（模拟）</translation>
    </message>
    <message>
        <source>Continue…</source>
        <translation>继续…</translation>
    </message>
    <message>
        <source>Go on with this run from its last checkpoint</source>
        <translation>从最后的检查点继续这个运行</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Run of the project “%1”</source>
        <translation>项目“%1”的运行</translation>
    </message>
    <message>
        <source>See the results</source>
        <translation>查看结果</translation>
    </message>
    <message>
        <source>can go on</source>
        <translation>可以继续</translation>
    </message>
    <message>
        <source>Nothing was recorded: the run ended before its first step.</source>
        <translation>没有记录任何内容：运行在第一步之前就结束了。</translation>
    </message>
    <message>
        <source>Once a run has begun, each device&apos;s work stands here as it happens.</source>
        <translation>运行开始后，每个设备的工作会实时显示在这里。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RunTiles</name>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Remaining</source>
        <translation>剩余</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>validation %1</source>
        <translation>验证 %1</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>第 %1 轮</translation>
    </message>
    <message>
        <source>%1 after %2</source>
        <translation>%2 后%1</translation>
    </message>
    <message>
        <source>after the pause</source>
        <translation>暂停之后</translation>
    </message>
    <message>
        <source>%1 W</source>
        <translation>%1 W</translation>
    </message>
    <message>
        <source>%1 kW</source>
        <translation>%1 kW</translation>
    </message>
    <message>
        <source>step skipped</source>
        <translation>已跳过该步</translation>
    </message>
    <message>
        <source>gradient %1</source>
        <translation>梯度 %1</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>The last step took %1.</source>
        <translation>上一步用时 %1。</translation>
    </message>
    <message>
        <source>until %1</source>
        <translation>至 %1</translation>
    </message>
    <message>
        <source>in memory</source>
        <translation>内存中</translation>
    </message>
    <message>
        <source>%1 of the host&apos;s memory are free.</source>
        <translation>主机内存空闲 %1。</translation>
    </message>
    <message>
        <source>%1 °C</source>
        <translation>%1 °C</translation>
    </message>
    <message>
        <source>%1–%2 °C</source>
        <translation>%1–%2 °C</translation>
    </message>
    <message>
        <source>Power and temperature of all GPUs</source>
        <translation>所有 GPU 的功耗和温度</translation>
    </message>
    <message>
        <source>± %1, until %2</source>
        <translation>± %1，到 %2</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RunsModel</name>
    <message>
        <source>Compare %1</source>
        <translation>比较 %1</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RunsPage</name>
    <message>
        <source>Watch</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Show on the page Run how it goes, and steer it from there</source>
        <translation>在“运行”页面显示其进展，并在那里控制它</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Over</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>by step</source>
        <translation>按步</translation>
    </message>
    <message>
        <source>by tokens</source>
        <translation>按词元</translation>
    </message>
    <message>
        <source>by time</source>
        <translation>按时间</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>刻度</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>What you want to remember of this run</source>
        <translation>关于此运行想记下的内容</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>筛选运行</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Show answers, checkpoints and exports of this run (Return)</source>
        <translation>显示此运行的回答、检查点和导出 (Return)</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Give this run another name (F2)</source>
        <translation>给此运行另起名称 (F2)</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Delete the selected runs, after you were asked (Del)</source>
        <translation>询问后删除所选运行 (Del)</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>还没有</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 个运行</numerusform>
        </translation>
    </message>
    <message>
        <source>Runs of all projects, those of the command line too</source>
        <translation>所有项目的运行，包括命令行启动的</translation>
    </message>
    <message>
        <source>Note on %1</source>
        <translation>%1 的备注</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>mark two runs to compare them</source>
        <translation>标记两个运行以进行比较</translation>
    </message>
    <message>
        <source>%1 settings are equal</source>
        <translation>%1 项设置相同</translation>
    </message>
    <message>
        <source>lies elsewhere: only taken off the list</source>
        <translation>位于别处：仅从列表中移除</translation>
    </message>
    <message>
        <source>Delete runs</source>
        <translation>删除运行</translation>
    </message>
    <message>
        <source>What is deleted can&apos;t be brought back.</source>
        <translation>删除后无法恢复。</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>删除 %1</translation>
    </message>
    <message>
        <source>Take off the list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation>还没有运行</translation>
    </message>
    <message>
        <source>Every run that is started here, or by roundpipe train, will stand in this list, and runs can be compared.</source>
        <translation>在此处或用 roundpipe train 启动的每次运行都会列在这里，并可相互比较。</translation>
    </message>
    <message>
        <source>Train the demo</source>
        <translation>训练演示</translation>
    </message>
    <message>
        <source>Continue…</source>
        <translation>继续…</translation>
    </message>
    <message>
        <source>Go on with this run from its last checkpoint</source>
        <translation>从最后的检查点继续这个运行</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) of all projects</source>
        <translation>
            <numerusform>所有项目共 %n 次运行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n run(s) with results and checkpoints?</source>
        <translation>
            <numerusform>删除 %n 个运行及其结果和检查点？</numerusform>
        </translation>
    </message>
    <message>
        <source>and %1 others</source>
        <translation>以及另外 %1 个</translation>
    </message>
    <message>
        <source>Mark this run for comparison, or not any more (Space)</source>
        <translation>标记此运行以供比较，或取消标记（空格键）</translation>
    </message>
    <message>
        <source>Unmark</source>
        <translation>取消标记</translation>
    </message>
    <message>
        <source>About the runs</source>
        <translation>关于这些运行</translation>
    </message>
    <message>
        <source>Journal</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the whole journal</source>
        <translation>复制整个日志</translation>
    </message>
    <message>
        <source>The journal is copied.</source>
        <translation>日志已复制。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::SamplesPane</name>
    <message>
        <source>The answers &amp;after</source>
        <translation>回答时间(&amp;A)</translation>
    </message>
    <message>
        <source>Answers after how many steps</source>
        <translation>多少步之后的回答</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>There are no prompts that the model would answer before and after.</source>
        <translation>没有让模型在前后回答的提示词。</translation>
    </message>
    <message>
        <source>Edit the prompts…</source>
        <translation>编辑提示词…</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ScheduleBars</name>
    <message>
        <source>Other schedules</source>
        <translation>其他调度方式</translation>
    </message>
    <message>
        <source>This plan</source>
        <translation>此方案</translation>
    </message>
    <message>
        <source>%1: %2 a step</source>
        <translation>%1：每步 %2</translation>
    </message>
    <message>
        <source>%1: cannot run</source>
        <translation>%1：无法运行</translation>
    </message>
    <message>
        <source>Compared as soon as there is a plan.</source>
        <translation>有方案后进行比较。</translation>
    </message>
    <message>
        <source>A step</source>
        <translation>每步</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>气泡</translation>
    </message>
    <message>
        <source>Fullest</source>
        <translation>最高占用</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::SettingEffects</name>
    <message>
        <source>%1 a step</source>
        <translation>每步 %1</translation>
    </message>
    <message>
        <source>%1 speed</source>
        <translation>速度 %1</translation>
    </message>
    <message>
        <source>%1 on the fullest device</source>
        <translation>占用最高的设备 %1</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s) in all, %1</source>
        <translation>
            <numerusform>共 %n 步，%1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 on the fullest device, where the weights of %n layer(s) stay instead of %2</source>
        <translation>
            <numerusform>占用最高的设备 %1，常驻其上的权重由 %2 层变为 %n 层</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>%1 a round</source>
        <translation>每轮次 %1</translation>
    </message>
    <message>
        <source>%1 of host memory</source>
        <translation>主机内存 %1</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Find a setting</source>
        <translation>查找设置</translation>
    </message>
    <message>
        <source>Simple</source>
        <translation>简单</translation>
    </message>
    <message>
        <source>Expert</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>Copy the line that starts this run in a terminal</source>
        <translation>复制在终端中启动此运行的命令行</translation>
    </message>
    <message>
        <source>a value is not allowed</source>
        <translation>有一个值不被允许</translation>
    </message>
    <message>
        <source>defaults</source>
        <translation>默认值</translation>
    </message>
    <message numerus="yes">
        <source>%n changed</source>
        <translation>
            <numerusform>更改了 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>The command is on the clipboard: it starts the same run in a terminal.</source>
        <translation>命令已复制到剪贴板：可在终端中启动同一运行。</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Prompts: samples, answered before and after</source>
        <translation>提示词：采样，前后回答</translation>
    </message>
    <message>
        <source>What each does to memory, time and quality on this rig</source>
        <translation>每一项在本机上对内存、时间和质量的影响</translation>
    </message>
    <message>
        <source>What each does on this rig</source>
        <translation>各项设置在本机上的作用</translation>
    </message>
    <message>
        <source>Find a setting ( / )</source>
        <translation>查找设置 ( / )</translation>
    </message>
    <message>
        <source>Next: Plan</source>
        <translation>下一步：方案</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::SourceRows</name>
    <message>
        <source>Another adapter beside it…</source>
        <translation>再加一个适配器…</translation>
    </message>
    <message>
        <source>Load several adapters of the model: what they add is added up, each by its weight</source>
        <translation>加载该模型的多个适配器：其作用按各自的权重相加</translation>
    </message>
    <message>
        <source>Who answers</source>
        <translation>由谁回答</translation>
    </message>
    <message>
        <source>Another adapter</source>
        <translation>另一个适配器</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>去掉</translation>
    </message>
    <message>
        <source>An adapter in another folder…</source>
        <translation>其他文件夹中的适配器…</translation>
    </message>
    <message>
        <source>An adapter&apos;s folder</source>
        <translation>适配器的文件夹</translation>
    </message>
    <message>
        <source>nothing trained yet: choose a folder</source>
        <translation>尚未训练：请选择文件夹</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::StagesTab</name>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Layer partition</source>
        <translation>层划分</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::StartPage</name>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Fine-tune a language model on this machine</source>
        <translation>在本机上微调语言模型</translation>
    </message>
    <message>
        <source>See it work: Polly the parrot</source>
        <translation>看看效果：鹦鹉 Polly</translation>
    </message>
    <message>
        <source>A tiny model that comes with the program learns to answer like a parrot. Takes seconds; without a GPU a minute or two.</source>
        <translation>程序自带的小模型学习像鹦鹉一样回答。只需几秒；没有 GPU 时需要一两分钟。</translation>
    </message>
    <message>
        <source>Every stage of every device, live, as it happens: on the machine&apos;s GPUs if there are any, else on its processor.</source>
        <translation>实时显示每个设备的每个阶段：有 GPU 则用 GPU，否则用处理器。</translation>
    </message>
    <message>
        <source>Train Polly</source>
        <translation>训练 Polly</translation>
    </message>
    <message>
        <source>Look at the project first</source>
        <translation>先看看项目</translation>
    </message>
    <message>
        <source>Drop a model folder or a file of rows</source>
        <translation>拖入模型文件夹或数据文件</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>新建项目</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Recent projects</source>
        <translation>最近的项目</translation>
    </message>
    <message>
        <source>Open the project %1</source>
        <translation>打开项目 %1</translation>
    </message>
    <message>
        <source>A folder with config.json and safetensors; JSONL, JSON, CSV or Parquet; a RUN.json, or a run of LLaMA-Factory, Axolotl or Unsloth</source>
        <translation>含 config.json 和 safetensors 的文件夹；JSONL、JSON、CSV 或 Parquet；RUN.json，或 LLaMA-Factory、Axolotl、Unsloth 的运行</translation>
    </message>
    <message>
        <source>From a model to an adapter</source>
        <translation>从模型到适配器</translation>
    </message>
    <message>
        <source>1  Model</source>
        <translation>1  模型</translation>
    </message>
    <message>
        <source>Choose one that fits this machine</source>
        <translation>选择本机放得下的模型</translation>
    </message>
    <message>
        <source>2  Data</source>
        <translation>2  数据</translation>
    </message>
    <message>
        <source>Drop rows, see what is trained</source>
        <translation>拖入数据行，查看训练内容</translation>
    </message>
    <message>
        <source>3  Settings</source>
        <translation>3  设置</translation>
    </message>
    <message>
        <source>A few that matter, or all</source>
        <translation>少数关键设置，或全部</translation>
    </message>
    <message>
        <source>4  Plan</source>
        <translation>4  方案</translation>
    </message>
    <message>
        <source>Memory and time, beforehand</source>
        <translation>预先知道内存和时间</translation>
    </message>
    <message>
        <source>5  Run</source>
        <translation>5  运行</translation>
    </message>
    <message>
        <source>Watch it learn, pause, go on</source>
        <translation>观看学习，暂停，继续</translation>
    </message>
    <message>
        <source>6  Results</source>
        <translation>6  结果</translation>
    </message>
    <message>
        <source>Answers, adapter, what next</source>
        <translation>回答、适配器、下一步</translation>
    </message>
    <message>
        <source>What is new</source>
        <translation>新内容</translation>
    </message>
    <message>
        <source>Everything that is new</source>
        <translation>全部新内容</translation>
    </message>
    <message>
        <source>Models and rows from Hugging Face</source>
        <translation>来自 Hugging Face 的模型和数据行</translation>
    </message>
    <message>
        <source>On the pages Model and Data</source>
        <translation>在“模型”和“数据”页面</translation>
    </message>
    <message>
        <source>Choose a model and rows, see whether and how fast it will run, watch it learn, take what it has learned with you.</source>
        <translation>选择模型和数据行，看看能否运行、有多快，看着它学习，再把学到的带走。</translation>
    </message>
    <message>
        <source>A playground</source>
        <translation>试验场</translation>
    </message>
    <message>
        <source>Talk with base and tuned, side by side</source>
        <translation>与基座和训练后的模型并排对话</translation>
    </message>
    <message>
        <source>Exports for other programs</source>
        <translation>给其他程序的导出</translation>
    </message>
    <message>
        <source>Merged, GGUF and Ollama, each proved</source>
        <translation>合并模型、GGUF、Ollama，均经验证</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::StartQuestionBox</name>
    <message>
        <source>The run does not fit</source>
        <translation>运行放不下</translation>
    </message>
    <message>
        <source>Start anyway</source>
        <translation>仍要开始</translation>
    </message>
    <message>
        <source>Look at the plan</source>
        <translation>查看方案</translation>
    </message>
    <message>
        <source>It fits now.</source>
        <translation>现在放得下了。</translation>
    </message>
    <message>
        <source>The settings have changed since: the plan is being worked out anew.</source>
        <translation>设置已经改变：正在重新计算方案。</translation>
    </message>
    <message>
        <source>Unless the estimate is wrong, it ends for want of memory before its first step or soon after.</source>
        <translation>除非估计有误，否则会因内存不足在第一步之前或不久之后结束。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::TalkDrawer</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>更换…</translation>
    </message>
    <message>
        <source>Let this model go and load another one</source>
        <translation>卸下此模型并加载另一个</translation>
    </message>
    <message>
        <source>System message</source>
        <translation>系统消息</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>What the model is told before the first question</source>
        <translation>在第一个问题之前告诉模型的话</translation>
    </message>
    <message>
        <source>%1 · loaded in %2 · room for %3 tokens</source>
        <translation>%1 · 加载用时 %2 · 可容纳 %3 个词元</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::TimelineForecast</name>
    <message>
        <source>Predicted step</source>
        <translation>预测的单步</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::TokenLensView</name>
    <message>
        <source>Tokens of the row</source>
        <translation>该行的词元</translation>
    </message>
    <message>
        <source>token %1 of %2</source>
        <translation>第 %1 个词元，共 %2 个</translation>
    </message>
    <message>
        <source>“%1”, id %2</source>
        <translation>“%1”，ID %2</translation>
    </message>
    <message>
        <source>%1, message %2</source>
        <translation>%1，第 %2 条消息</translation>
    </message>
    <message>
        <source>written by the template</source>
        <translation>由模板写入</translation>
    </message>
    <message>
        <source>special token</source>
        <translation>特殊词元</translation>
    </message>
    <message>
        <source>cut off: training does not see it</source>
        <translation>已截断：训练看不到它</translation>
    </message>
    <message>
        <source>trained</source>
        <translation>参与训练</translation>
    </message>
    <message>
        <source>not trained</source>
        <translation>不参与训练</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::TokensPanel</name>
    <message>
        <source>Which tokens</source>
        <translation>哪些词元</translation>
    </message>
    <message>
        <source>Given</source>
        <translation>给定</translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation>选出</translation>
    </message>
    <message>
        <source>Tokens that the model was given</source>
        <translation>模型得到的词元</translation>
    </message>
    <message>
        <source>Tokens that the model chose</source>
        <translation>模型选出的词元</translation>
    </message>
    <message>
        <source>Click a token, or go through them with the arrow keys: it says here how likely it was, and what else could have stood there.</source>
        <translation>点击某个词元，或用方向键逐个查看：这里会显示它的概率，以及本可出现的其他词元。</translation>
    </message>
    <message>
        <source>After an answer, the exact tokens that the model was given stand here, and how likely each token of the answer was.</source>
        <translation>得到回答之后，这里显示模型得到的确切词元，以及回答中每个词元的概率。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s), marks of the template included</source>
        <translation>
            <numerusform>%Ln 个词元，包括模板的标记</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln of them had been read before</source>
        <translation>
            <numerusform>其中 %Ln 个之前已读取</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s), by the model&apos;s own probability</source>
        <translation>
            <numerusform>%Ln 个词元，按模型自身的概率</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · %2 · id %3</source>
        <translation>%1 · %2 · 编号 %3</translation>
    </message>
    <message>
        <source>instead %1 · %2</source>
        <translation>或为 %1 · %2</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::preferences::Preferences</name>
    <message>
        <source>The window&apos;s settings in %1 could not be read and start anew.</source>
        <translation>无法读取 %1 中的窗口设置，已重新开始。</translation>
    </message>
    <message>
        <source>The window&apos;s settings could not be read and start anew. The old file is kept as %1.</source>
        <translation>无法读取窗口设置，已重新开始。旧文件保存为 %1。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::setup::SetUpDialog</name>
    <message>
        <source>Set up the training engine</source>
        <translation>设置训练引擎</translation>
    </message>
    <message>
        <source>One download before you train</source>
        <translation>训练前需下载一次</translation>
    </message>
    <message>
        <source>Training needs LibTorch and NVIDIA&apos;s CUDA libraries, and reading Parquet files needs Arrow. They are large and their makers distribute them themselves, so they are not part of this program&apos;s package.</source>
        <translation>训练需要 LibTorch 和 NVIDIA 的 CUDA 库，读取 Parquet 文件需要 Arrow。它们体积大，且由各自厂商自行分发，因此不包含在本程序的软件包中。</translation>
    </message>
    <message>
        <source>Cancelled. What was complete is kept and not downloaded again.</source>
        <translation>已取消。已完整下载的部分会保留，不再重复下载。</translation>
    </message>
    <message>
        <source>Set-up did not succeed.</source>
        <translation>设置未成功。</translation>
    </message>
    <message>
        <source>To download, from PyPI</source>
        <translation>需从 PyPI 下载</translation>
    </message>
    <message>
        <source>counting…</source>
        <translation>正在统计…</translation>
    </message>
    <message>
        <source>Room that it takes</source>
        <translation>所需空间</translation>
    </message>
    <message>
        <source>Room that is free</source>
        <translation>可用空间</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Downloaded</source>
        <translation>已下载</translation>
    </message>
    <message>
        <source>What set-up says</source>
        <translation>设置过程的输出</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Show all that set-up says</source>
        <translation>显示设置过程的全部输出</translation>
    </message>
    <message>
        <source>Set up</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Cancel the download</source>
        <translation>取消下载</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>以后再说</translation>
    </message>
    <message>
        <source>Use the simulated engine</source>
        <translation>使用模拟引擎</translation>
    </message>
    <message>
        <source>Runs are played from their plan; nothing is trained</source>
        <translation>按方案模拟运行；不进行训练</translation>
    </message>
    <message>
        <source>Download %1 and set up</source>
        <translation>下载 %1 并设置</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>%1 of %2 downloaded</source>
        <translation>已下载 %1 / %2</translation>
    </message>
    <message>
        <source>Beginning…</source>
        <translation>正在开始…</translation>
    </message>
    <message>
        <source>Go on in the background</source>
        <translation>在后台继续</translation>
    </message>
    <message>
        <source>Nothing is downloaded before you press the button. It may be interrupted at any time; what is complete by then is kept. Until then models, rows, settings and plans work; training and Parquet files do not.</source>
        <translation>按下按钮之前不会下载任何内容。可随时中断，已完整下载的部分会保留。在此之前，模型、数据、设置和方案都可用；训练和 Parquet 文件不可用。</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>%1: too little</source>
        <translation>%1：空间不足</translation>
    </message>
    <message>
        <source>%1 of %2 downloaded, about %3 left</source>
        <translation>已下载 %1 / %2，大约还需 %3</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::setup::SetUpProcess</name>
    <message>
        <source>%1 could not be started: %2.</source>
        <translation>无法启动 %1：%2。</translation>
    </message>
    <message>
        <source>Set-up ended early. Its last lines, in the log, may say why.</source>
        <translation>设置提前结束。日志的最后几行也许能说明原因。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::DropFrame</name>
    <message>
        <source>Drop a model folder, rows or a project anywhere</source>
        <translation>可在任意位置放下模型文件夹、数据或项目</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::HelpMenu</name>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Help on this</source>
        <translation>此处的帮助</translation>
    </message>
    <message>
        <source>The manual</source>
        <translation>手册</translation>
    </message>
    <message>
        <source>Quick start</source>
        <translation>快速入门</translation>
    </message>
    <message>
        <source>All settings</source>
        <translation>所有设置</translation>
    </message>
    <message>
        <source>What is new in %1</source>
        <translation>%1 的新内容</translation>
    </message>
    <message>
        <source>The manual was not found: %1</source>
        <translation>找不到手册：%1</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::MainWindow</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>新建项目</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Recent projects</source>
        <translation>最近的项目</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>Colours of the system</source>
        <translation>跟随系统配色</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>The Studio speaks this language when it is started the next time.</source>
        <translation>下次启动时使用此语言。</translation>
    </message>
    <message>
        <source>Before the run can start: %1</source>
        <translation>开始运行之前：%1</translation>
    </message>
    <message>
        <source>Trace written to %1; open it at ui.perfetto.dev.</source>
        <translation>跟踪已写入 %1；可在 ui.perfetto.dev 打开。</translation>
    </message>
    <message>
        <source>There is no file or folder “%1”.</source>
        <translation>没有名为“%1”的文件或文件夹。</translation>
    </message>
    <message>
        <source>Open a project</source>
        <translation>打开项目</translation>
    </message>
    <message>
        <source>Projects (*.json)</source>
        <translation>项目 (*.json)</translation>
    </message>
    <message>
        <source>Save the project</source>
        <translation>保存项目</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>还没有</translation>
    </message>
    <message>
        <source>nothing changed yet</source>
        <translation>尚无更改</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>saving…</source>
        <translation>正在保存…</translation>
    </message>
    <message>
        <source>not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>RoundPipe Studio</source>
        <translation>RoundPipe Studio</translation>
    </message>
    <message>
        <source> (simulated engine: nothing is trained)</source>
        <translation>（模拟引擎：不进行训练）</translation>
    </message>
    <message>
        <source>The training engine could not be loaded.</source>
        <translation>无法加载训练引擎。</translation>
    </message>
    <message>
        <source>Use the simulated engine</source>
        <translation>使用模拟引擎</translation>
    </message>
    <message>
        <source>Set up the training engine…</source>
        <translation>设置训练引擎…</translation>
    </message>
    <message>
        <source>The training engine is not set up yet.</source>
        <translation>训练引擎尚未设置。</translation>
    </message>
    <message>
        <source>It needs libraries that are downloaded once. All but training and Parquet files works without them.</source>
        <translation>它需要一次性下载一些库。除训练和 Parquet 文件外，其他功能无需它们即可使用。</translation>
    </message>
    <message>
        <source>Set up…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Open trace…</source>
        <translation>打开跟踪…</translation>
    </message>
    <message>
        <source>Compare the run with its plan</source>
        <translation>将运行与其方案比较</translation>
    </message>
    <message>
        <source>Timeline: the wheel zooms, dragging moves</source>
        <translation>时间线：滚轮缩放，拖动平移</translation>
    </message>
    <message>
        <source>Timeline: the wheel scrolls, dragging selects</source>
        <translation>时间线：滚轮滚动，拖动选择</translation>
    </message>
    <message>
        <source>Memory of the timeline…</source>
        <translation>时间线占用的内存…</translation>
    </message>
    <message>
        <source>Memory of the timeline</source>
        <translation>时间线占用的内存</translation>
    </message>
    <message>
        <source>Gigabytes that recorded slices may take. The oldest ones beyond that go to a temporary file.</source>
        <translation>已记录的片段可占用的内存（GB）。更早的片段会写入临时文件。</translation>
    </message>
    <message>
        <source>Timeline written to %1.</source>
        <translation>时间线已写入 %1。</translation>
    </message>
    <message>
        <source>The timeline was not written. %1</source>
        <translation>时间线未能写入。%1</translation>
    </message>
    <message>
        <source>Open a trace</source>
        <translation>打开跟踪</translation>
    </message>
    <message>
        <source>Traces (*.rptrace)</source>
        <translation>跟踪 (*.rptrace)</translation>
    </message>
    <message>
        <source>There is no plan of these settings to compare with.</source>
        <translation>这些设置没有可供比较的方案。</translation>
    </message>
    <message>
        <source>the run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>its plan</source>
        <translation>其方案</translation>
    </message>
    <message>
        <source>There is no prompt to answer yet: write one.</source>
        <translation>还没有可回答的提示词：请写一个。</translation>
    </message>
    <message>
        <source>The run of %1 was opened as a new project.</source>
        <translation>%1 的运行已作为新项目打开。</translation>
    </message>
    <message>
        <source>Projects, and runs of LLaMA-Factory, Axolotl and Unsloth (*.json *.yaml *.yml)</source>
        <translation>项目，以及 LLaMA-Factory、Axolotl、Unsloth 的运行 (*.json *.yaml *.yml)</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Saved in %1.</source>
        <translation>已保存到 %1。</translation>
    </message>
    <message>
        <source>simulated engine</source>
        <translation>模拟引擎</translation>
    </message>
    <message>
        <source>Rows and model folders&apos; files (*)</source>
        <translation>数据行和模型文件夹中的文件 (*)</translation>
    </message>
    <message>
        <source>Start it anew</source>
        <translation>重新启动</translation>
    </message>
    <message>
        <source>An export is being made: a run can start when it has ended.</source>
        <translation>正在导出：导出结束后才能开始运行。</translation>
    </message>
    <message>
        <source>Stop the export</source>
        <translation>停止导出</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::MessageBanner</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the message</source>
        <translation>关闭消息</translation>
    </message>
    <message>
        <source>More of the message</source>
        <translation>消息的更多内容</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::NavigationRail</name>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::RailButton</name>
    <message>
        <source>done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>something is missing</source>
        <translation>缺少内容</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::RunStatusBar</name>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
    <message>
        <source>no engine yet</source>
        <translation>还没有引擎</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::TimelineExports</name>
    <message>
        <source>Export the timeline…</source>
        <translation>导出时间线…</translation>
    </message>
    <message>
        <source>Export the selected range…</source>
        <translation>导出所选区间…</translation>
    </message>
    <message>
        <source>Write the timeline for Perfetto, as a picture or as a table (Ctrl+E)</source>
        <translation>把时间线写成 Perfetto 文件、图片或表格 (Ctrl+E)</translation>
    </message>
    <message>
        <source>writing %p %</source>
        <translation>正在写入 %p%</translation>
    </message>
    <message>
        <source>Progress of the export</source>
        <translation>导出进度</translation>
    </message>
    <message>
        <source>Give up the export</source>
        <translation>放弃导出</translation>
    </message>
    <message>
        <source>Traces for Perfetto (*.json)</source>
        <translation>Perfetto 跟踪 (*.json)</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Drawings (*.svg)</source>
        <translation>矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>Tables of slices (*.csv)</source>
        <translation>片段表格 (*.csv)</translation>
    </message>
    <message>
        <source>Statistics (*.csv)</source>
        <translation>统计 (*.csv)</translation>
    </message>
    <message>
        <source>Traces for the Studio (*.rptrace)</source>
        <translation>Studio 跟踪 (*.rptrace)</translation>
    </message>
    <message>
        <source>Export the selected range</source>
        <translation>导出所选区间</translation>
    </message>
    <message>
        <source>Export the timeline</source>
        <translation>导出时间线</translation>
    </message>
    <message>
        <source>Here also .png, a picture of points.</source>
        <translation>此处还可用 .png（位图）。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::TraceWindow</name>
    <message>
        <source>Trace</source>
        <translation>跟踪</translation>
    </message>
    <message>
        <source>reading %p %</source>
        <translation>正在读取 %p%</translation>
    </message>
    <message>
        <source>Written to %1.</source>
        <translation>已写入 %1。</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Open trace…</source>
        <translation>打开跟踪…</translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation>与其他跟踪比较…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Compare with another trace</source>
        <translation>与另一个跟踪比较</translation>
    </message>
    <message>
        <source>Open a trace</source>
        <translation>打开跟踪</translation>
    </message>
    <message>
        <source>Traces (*.rptrace)</source>
        <translation>跟踪 (*.rptrace)</translation>
    </message>
    <message>
        <source>%1 – trace</source>
        <translation>%1 – 跟踪</translation>
    </message>
    <message>
        <source>This trace has no end: its run still goes on, or was killed.</source>
        <translation>此跟踪没有结尾：其运行仍在继续，或已被强行终止。</translation>
    </message>
    <message>
        <source>It is shown up to %1 after its beginning.</source>
        <translation>显示到其开始后 %1。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::ComparisonTable</name>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>%1%2 points</source>
        <translation>%1%2 个百分点</translation>
    </message>
    <message>
        <source>only there</source>
        <translation>仅在那里</translation>
    </message>
    <message>
        <source>%1%2 %</source>
        <translation>%1%2%</translation>
    </message>
    <message>
        <source>Differences between the two traces</source>
        <translation>两个跟踪之间的差异</translation>
    </message>
    <message>
        <source>A step</source>
        <translation>每步</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>a whole step, median</source>
        <translation>整步，中位数</translation>
    </message>
    <message>
        <source>%1 busy</source>
        <translation>%1 忙碌</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, moved up</source>
        <translation>%1，上传量</translation>
    </message>
    <message>
        <source>%1, moved down</source>
        <translation>%1，下载量</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::LaneFilter</name>
    <message>
        <source>Which lanes are shown</source>
        <translation>显示哪些通道</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>Lanes: %1 of %2</source>
        <translation>通道：%1 / %2</translation>
    </message>
    <message>
        <source>All lanes</source>
        <translation>所有通道</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::LaneHeader</name>
    <message>
        <source>%1 % busy</source>
        <translation>忙碌 %1%</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Devices of the timeline</source>
        <translation>时间线的设备</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>unfolded</source>
        <translation>已展开</translation>
    </message>
    <message>
        <source>kept on top</source>
        <translation>已置顶</translation>
    </message>
    <message>
        <source>%1
Click: fold or unfold its lanes. Click on the number: keep it on top. By keys: ↑ or ↓, then Space or T.</source>
        <translation>%1
单击：折叠或展开其通道。单击编号：置顶。键盘：↑ 或 ↓，然后空格键或 T。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::Minimap</name>
    <message>
        <source>Overview of the whole run</source>
        <translation>整个运行的概览</translation>
    </message>
    <message>
        <source>The whole run. Click or drag to move the view.</source>
        <translation>整个运行。单击或拖动以移动视图。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::PinPanel</name>
    <message>
        <source>The pinned slice</source>
        <translation>固定的片段</translation>
    </message>
    <message>
        <source>%1 at %2 GB/s</source>
        <translation>%1，%2 GB/s</translation>
    </message>
    <message>
        <source>Microbatch %1</source>
        <translation>微批次 %1</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Waited</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>%1 on %2: %3 computing, %4 waiting</source>
        <translation>%2上的%1：计算 %3，等待 %4</translation>
    </message>
    <message numerus="yes">
        <source>%n stage(s)</source>
        <comment>it goes through them</comment>
        <translation>
            <numerusform>%n 个阶段</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <comment>behind: on</comment>
        <translation>
            <numerusform>%n 个设备</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::RangePanel</name>
    <message>
        <source>Statistics of the range</source>
        <translation>区间统计</translation>
    </message>
    <message>
        <source>%1 is %2 % busy</source>
        <translation>%1 忙碌 %2%</translation>
    </message>
    <message>
        <source>%1 %2 %</source>
        <translation>%1 %2%</translation>
    </message>
    <message>
        <source>%1 (slot %2)</source>
        <translation>%1（槽 %2）</translation>
    </message>
    <message>
        <source>Selected  ΔT %1</source>
        <translation>已选  ΔT %1</translation>
    </message>
    <message>
        <source>On show  %1</source>
        <translation>显示  %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>steps %1–%2</source>
        <translation>第 %1–%2 步</translation>
    </message>
    <message>
        <source>%1 % busy</source>
        <translation>忙碌 %1%</translation>
    </message>
    <message>
        <source>↑ %1/s   ↓ %2/s</source>
        <translation>↑ %1/s   ↓ %2/s</translation>
    </message>
    <message>
        <source>Kind · ms</source>
        <translation>种类 · ms</translation>
    </message>
    <message>
        <source>p50</source>
        <translation>p50</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>Stage · ms</source>
        <translation>阶段 · ms</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>counting…</source>
        <translation>正在统计…</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>no steps in this range</source>
        <translation>此范围内没有步骤</translation>
    </message>
    <message>
        <source>bubble %1 % of the steps, over all devices</source>
        <translation>气泡占各步的 %1%，所有设备平均</translation>
    </message>
    <message>
        <source>no steps: %1</source>
        <translation>没有步骤：%1</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::StepBand</name>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>step %1 …</source>
        <translation>第 %1 步 …</translation>
    </message>
    <message>
        <source>%1 …</source>
        <translation>%1…</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::TimelinePlot</name>
    <message>
        <source>Timeline of stages and transfers</source>
        <translation>阶段与传输的时间线</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::TimelineView</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Find slices</source>
        <translation>查找片段</translation>
    </message>
    <message>
        <source>Zoom out (S)</source>
        <translation>缩小 (S)</translation>
    </message>
    <message>
        <source>Zoom in (W)</source>
        <translation>放大 (W)</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Show the whole run (0)</source>
        <translation>显示整个运行 (0)</translation>
    </message>
    <message>
        <source>Keys and gestures (?)</source>
        <translation>按键与手势 (?)</translation>
    </message>
    <message>
        <source>Newest steps</source>
        <translation>最新的步</translation>
    </message>
    <message>
        <source>Keep the last three steps on show (End)</source>
        <translation>始终显示最后三步 (End)</translation>
    </message>
    <message>
        <source>Fixed range</source>
        <translation>固定范围</translation>
    </message>
    <message>
        <source>Follow at this scale (L)</source>
        <translation>以此比例跟随 (L)</translation>
    </message>
    <message>
        <source>%1 behind · L</source>
        <translation>落后 %1 · L</translation>
    </message>
    <message>
        <source>%1 events lost</source>
        <translation>丢失 %1 个事件</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Key /. For example: backward S3, m2 step 14, waits</source>
        <translation>按键 /。例如：反向 S3、m2 步 14、等待</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>no later match</source>
        <translation>之后没有匹配项</translation>
    </message>
    <message>
        <source>no earlier match</source>
        <translation>之前没有匹配项</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Thin bars below the lanes: each step as it was planned (P)</source>
        <translation>通道下方的细条：每一步的计划情形（P）</translation>
    </message>
    <message>
        <source>no match</source>
        <translation>没有匹配</translation>
    </message>
    <message>
        <source>The view stands still; recording goes on. Follow again (L).</source>
        <translation>视图已定格；记录仍在继续。重新跟随（L）。</translation>
    </message>
    <message>
        <source>Frozen</source>
        <translation>定格</translation>
    </message>
    <message>
        <source>Let the view stand. The run goes on, and so does its recording.</source>
        <translation>让视图停住。运行及其记录继续进行。</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::widgets::AnswerLabel</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::widgets::AnswersPane</name>
    <message>
        <source>Before</source>
        <translation>训练前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>训练后</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::widgets::PartitionStrip</name>
    <message>
        <source>Layer partition</source>
        <translation>层划分</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Shown as soon as a run has read the model.</source>
        <translation>运行读取模型后显示。</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>%1 of weights</source>
        <translation>权重 %1</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::widgets::Toast</name>
    <message>
        <source>Close the message</source>
        <translation>关闭消息</translation>
    </message>
</context>
<context>
    <name>timeline</name>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>重算</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>evaluate</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>weights up</source>
        <translation>权重 ↑</translation>
    </message>
    <message>
        <source>adapter up</source>
        <translation>适配器 ↑</translation>
    </message>
    <message>
        <source>activations up</source>
        <translation>激活 ↑</translation>
    </message>
    <message>
        <source>activations down</source>
        <translation>激活 ↓</translation>
    </message>
    <message>
        <source>gradients down</source>
        <translation>梯度 ↓</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>waits for weights</source>
        <translation>等待权重</translation>
    </message>
    <message>
        <source>waits for a microbatch</source>
        <translation>等待微批次</translation>
    </message>
    <message>
        <source>waits for the update</source>
        <translation>等待更新</translation>
    </message>
    <message>
        <source>waits for room</source>
        <translation>等待空间</translation>
    </message>
    <message>
        <source>waits for the host</source>
        <translation>等待主机</translation>
    </message>
    <message>
        <source>Wheel, W, S</source>
        <translation>滚轮、W、S</translation>
    </message>
    <message>
        <source>move in time</source>
        <translation>沿时间移动</translation>
    </message>
    <message>
        <source>Alt+wheel</source>
        <translation>Alt+滚轮</translation>
    </message>
    <message>
        <source>scroll the lanes</source>
        <translation>滚动通道</translation>
    </message>
    <message>
        <source>Shift+drag, drag on the ruler</source>
        <translation>Shift+拖动，在标尺上拖动</translation>
    </message>
    <message>
        <source>measure a range; its edges can be dragged</source>
        <translation>测量一个区间；可拖动其边缘</translation>
    </message>
    <message>
        <source>Click</source>
        <translation>单击</translation>
    </message>
    <message>
        <source>pin a slice and light its microbatch</source>
        <translation>固定片段并突出其微批次</translation>
    </message>
    <message>
        <source>zoom to the range or the pinned slice</source>
        <translation>放大到区间或固定的片段</translation>
    </message>
    <message>
        <source>back to the view before</source>
        <translation>返回上一个视图</translation>
    </message>
    <message>
        <source>0, Home</source>
        <translation>0、Home</translation>
    </message>
    <message>
        <source>the whole run</source>
        <translation>整个运行</translation>
    </message>
    <message>
        <source>End</source>
        <translation>End</translation>
    </message>
    <message>
        <source>follow the newest steps</source>
        <translation>跟随最新的步</translation>
    </message>
    <message>
        <source>L</source>
        <translation>L</translation>
    </message>
    <message>
        <source>go on following</source>
        <translation>继续跟随</translation>
    </message>
    <message>
        <source>. and ,</source>
        <translation>. 和 ,</translation>
    </message>
    <message>
        <source>next and previous slice of the lane</source>
        <translation>通道中的下一个和上一个片段</translation>
    </message>
    <message>
        <source>N, Shift+N</source>
        <translation>N、Shift+N</translation>
    </message>
    <message>
        <source>next and previous of the same kind</source>
        <translation>同类的下一个和上一个</translation>
    </message>
    <message>
        <source>] and [</source>
        <translation>] 和 [</translation>
    </message>
    <message>
        <source>along the pinned microbatch</source>
        <translation>沿固定的微批次移动</translation>
    </message>
    <message>
        <source>/</source>
        <translation>/</translation>
    </message>
    <message>
        <source>search: backward S3, m2 step 14, waits for weights</source>
        <translation>查找：反向 S3、m2 步 14、等待权重</translation>
    </message>
    <message>
        <source>M</source>
        <translation>M</translation>
    </message>
    <message>
        <source>set or remove a bookmark</source>
        <translation>设置或移除书签</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>let go of slice and range</source>
        <translation>取消片段和区间</translation>
    </message>
    <message>
        <source>?</source>
        <translation>?</translation>
    </message>
    <message>
        <source>this sheet</source>
        <translation>此说明</translation>
    </message>
    <message>
        <source>Timeline: keys and gestures</source>
        <translation>时间线：按键与手势</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>weights ↑</source>
        <translation>权重 ↑</translation>
    </message>
    <message>
        <source>activations ↑</source>
        <translation>激活 ↑</translation>
    </message>
    <message>
        <source>activations ↓</source>
        <translation>激活 ↓</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>its layers</source>
        <translation>其各层</translation>
    </message>
    <message>
        <source>waits for the weights of %1</source>
        <translation>等待 %1 的权重</translation>
    </message>
    <message>
        <source>waits for a packet of slot %1</source>
        <translation>等待槽 %1 的数据包</translation>
    </message>
    <message>
        <source>waits for a packet</source>
        <translation>等待数据包</translation>
    </message>
    <message>
        <source>waits for the update, after the gradients of slot %1</source>
        <translation>等待更新，在槽 %1 的梯度之后</translation>
    </message>
    <message>
        <source>waits for room: gradients of slot %1 are on their way</source>
        <translation>等待空间：槽 %1 的梯度正在传输</translation>
    </message>
    <message>
        <source>nothing was issued by the host</source>
        <translation>主机没有下发任务</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>microbatch %1</source>
        <translation>微批次 %1</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Slot</source>
        <translation>槽</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Microbatch</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>传输量</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>速率</translation>
    </message>
    <message>
        <source>Longest of %1 slices here; zoom in to tell them apart.</source>
        <translation>此处 %1 个片段中最长的一个；放大以区分。</translation>
    </message>
    <message>
        <source>Ctrl+wheel, wheel on the ruler, W, S</source>
        <translation>Ctrl+滚轮、标尺上的滚轮、W、S</translation>
    </message>
    <message>
        <source>zoom at the cursor; faster the faster it turns</source>
        <translation>在光标处缩放；转得越快缩放越快</translation>
    </message>
    <message>
        <source>Wheel, Alt+wheel</source>
        <translation>滚轮、Alt+滚轮</translation>
    </message>
    <message>
        <source>Drag</source>
        <translation>拖动</translation>
    </message>
    <message>
        <source>P</source>
        <translation>P</translation>
    </message>
    <message>
        <source>show or hide the steps as they were planned</source>
        <translation>显示或隐藏计划中的步</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>the run is paused</source>
        <translation>运行已暂停</translation>
    </message>
    <message>
        <source>gradients, saved ↓</source>
        <translation>梯度、保存 ↓</translation>
    </message>
    <message>
        <source>Drag, A, D, ←, →, Shift+wheel</source>
        <translation>拖动、A、D、←、→、Shift+滚轮</translation>
    </message>
    <message>
        <source>Shift+drag, A, D, ←, →, Shift+wheel</source>
        <translation>Shift+拖动、A、D、←、→、Shift+滚轮</translation>
    </message>
    <message>
        <source>Double click, Enter</source>
        <translation>双击、Enter</translation>
    </message>
    <message>
        <source>F, F F</source>
        <translation>F、F F</translation>
    </message>
    <message>
        <source>bring it into the middle; once more: zoom to it</source>
        <translation>移到中间；再按一次：缩放到它</translation>
    </message>
    <message>
        <source>Backspace, Alt+←</source>
        <translation>Backspace、Alt+←</translation>
    </message>
    <message>
        <source>↑ and ↓, then Space or T</source>
        <translation>↑ 和 ↓，然后空格键或 T</translation>
    </message>
    <message>
        <source>choose a device; fold its lanes, or keep it on top</source>
        <translation>选择设备；折叠其通道或将其置顶</translation>
    </message>
</context>
</TS>
