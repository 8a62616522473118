<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Activity</name>
    <message>
        <source>planning a simulated run</source>
        <translation>plant einen simulierten Lauf</translation>
    </message>
    <message>
        <source>reading the model folder</source>
        <translation>liest den Modellordner</translation>
    </message>
    <message>
        <source>opening the devices</source>
        <translation>öffnet die Geräte</translation>
    </message>
    <message>
        <source>reading rows</source>
        <translation>liest Zeilen</translation>
    </message>
    <message>
        <source>looking whether the rows have been read before</source>
        <translation>prüft, ob die Zeilen schon einmal gelesen wurden</translation>
    </message>
    <message>
        <source>reading rows: %1 (%2 %), %3 rows/s, %4 left</source>
        <translation>liest Zeilen: %1 (%2 %), %3 Zeilen/s, noch %4</translation>
    </message>
    <message>
        <source>making random weights: %1 of %2</source>
        <translation>erzeugt zufällige Gewichte: %1 von %2</translation>
    </message>
    <message>
        <source>reading weights: %1 of %2</source>
        <translation>liest Gewichte: %1 von %2</translation>
    </message>
    <message>
        <source>planning</source>
        <translation>plant</translation>
    </message>
    <message>
        <source>allocating device memory</source>
        <translation>belegt Gerätespeicher</translation>
    </message>
    <message>
        <source>answering: %1</source>
        <translation>antwortet: %1</translation>
    </message>
    <message>
        <source>writing the trace</source>
        <translation>schreibt den Trace</translation>
    </message>
    <message>
        <source>writing the result</source>
        <translation>schreibt das Ergebnis</translation>
    </message>
</context>
<context>
    <name>AnswerWords</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln Token</numerusform>
            <numerusform>%Ln Token</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 Token/s</translation>
    </message>
    <message>
        <source>ended by itself</source>
        <translation>von selbst beendet</translation>
    </message>
    <message>
        <source>ended by a stop text</source>
        <translation>durch einen Stopptext beendet</translation>
    </message>
    <message>
        <source>cut off: no more tokens allowed</source>
        <translation>abgeschnitten: mehr Token sind nicht erlaubt</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>first after %1</source>
        <translation>das erste nach %1</translation>
    </message>
    <message>
        <source>under %1 %</source>
        <translation>unter %1 %</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
</context>
<context>
    <name>ChatSources</name>
    <message>
        <source>%1 · %2, step %3</source>
        <translation>%1 · %2, Schritt %3</translation>
    </message>
    <message>
        <source>result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>best checkpoint</source>
        <translation>bester Checkpoint</translation>
    </message>
    <message>
        <source>last checkpoint</source>
        <translation>letzter Checkpoint</translation>
    </message>
    <message>
        <source>checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
</context>
<context>
    <name>CloseQuestion</name>
    <message>
        <source>It can go on without this window; the page Runs shows it again, and so does its project.</source>
        <translation>Er kann ohne dieses Fenster weiterlaufen; die Seite „Läufe“ zeigt ihn wieder, und so auch sein Projekt.</translation>
    </message>
    <message>
        <source>Close the window alone</source>
        <translation>Nur Fenster schließen</translation>
    </message>
    <message>
        <source>Keep the window</source>
        <translation>Fenster offen lassen</translation>
    </message>
    <message>
        <source>A run is under way</source>
        <translation>Ein Lauf ist im Gange</translation>
    </message>
    <message>
        <source>Stop, save and close</source>
        <translation>Speichern und schließen</translation>
    </message>
    <message>
        <source>The run is paused.</source>
        <translation>Der Lauf pausiert.</translation>
    </message>
    <message>
        <source>The run is not at its end yet.</source>
        <translation>Der Lauf ist noch nicht zu Ende.</translation>
    </message>
    <message>
        <source>It is simulated: nothing of it is kept.</source>
        <translation>Er ist simuliert: Nichts von ihm bleibt.</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>Anhalten und schließen</translation>
    </message>
    <message>
        <source>Leave it paused</source>
        <translation>Pausiert lassen</translation>
    </message>
    <message>
        <source>It can end after the running step and save checkpoint and result, so that it can be continued later.</source>
        <translation>Er kann nach dem laufenden Schritt enden und Checkpoint und Ergebnis speichern, um später fortgesetzt zu werden.</translation>
    </message>
    <message>
        <source>Keep training</source>
        <translation>Weiter trainieren</translation>
    </message>
    <message>
        <source>An export is being made</source>
        <translation>Ein Export läuft</translation>
    </message>
    <message>
        <source>The export is not done yet.</source>
        <translation>Der Export ist noch nicht fertig.</translation>
    </message>
    <message>
        <source>Nothing of it stays where it is half written. It can be made again at any time.</source>
        <translation>Halb Geschriebenes bleibt nicht liegen. Der Export kann jederzeit neu gemacht werden.</translation>
    </message>
    <message>
        <source>Stop it and close</source>
        <translation>Anhalten und schließen</translation>
    </message>
    <message>
        <source>Go on exporting</source>
        <translation>Weiter exportieren</translation>
    </message>
</context>
<context>
    <name>ContinueQuestion</name>
    <message>
        <source>A run is under way. This one can be continued when that has ended.</source>
        <translation>Ein Lauf ist im Gang. Dieser lässt sich fortsetzen, wenn jener zu Ende ist.</translation>
    </message>
    <message>
        <source>There is no training engine yet. It can be continued when there is one.</source>
        <translation>Noch gibt es keine Trainings-Engine. Er lässt sich fortsetzen, sobald es eine gibt.</translation>
    </message>
    <message>
        <source>Continue after step %1 of %2?</source>
        <translation>Nach Schritt %1 von %2 fortsetzen?</translation>
    </message>
    <message>
        <source>Continue after step %1?</source>
        <translation>Nach Schritt %1 fortsetzen?</translation>
    </message>
    <message>
        <source>It goes on from the checkpoint %1.</source>
        <translation>Er geht vom Checkpoint %1 aus weiter.</translation>
    </message>
    <message>
        <source>What came after that checkpoint, up to step %1, is done again.</source>
        <translation>Was nach diesem Checkpoint kam, bis Schritt %1, wird noch einmal gerechnet.</translation>
    </message>
    <message>
        <source>Settings, rows and order stay those of the run, and so does its folder.</source>
        <translation>Einstellungen, Zeilen und Reihenfolge bleiben die des Laufs, sein Ordner auch.</translation>
    </message>
    <message>
        <source>Continue the run</source>
        <translation>Den Lauf fortsetzen</translation>
    </message>
    <message>
        <source>This run can&apos;t be continued.</source>
        <translation>Dieser Lauf lässt sich nicht fortsetzen.</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>So lassen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Also if rows, model or settings have changed since</source>
        <translation>Auch wenn sich Zeilen, Modell oder Einstellungen seither geändert haben</translation>
    </message>
    <message>
        <source>An export is being made. The run can be continued when that has ended.</source>
        <translation>Ein Export läuft. Der Lauf kann fortgesetzt werden, wenn er beendet ist.</translation>
    </message>
    <message>
        <source>The queue trains %1 on the same devices: two runs there slow each other down, and may run out of memory.</source>
        <translation>Die Warteschlange trainiert %1 auf denselben Geräten: Zwei Läufe darauf bremsen einander, und der Speicher kann ihnen ausgehen.</translation>
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
        <translation>Worker %1</translation>
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
        <translation>llama.cpp und Ollama</translation>
    </message>
    <message>
        <source>PEFT</source>
        <translation>PEFT</translation>
    </message>
    <message>
        <source>takes no adapter of rank %1: its largest is %2</source>
        <translation>nimmt keinen Adapter vom Rang %1: der größte ist %2</translation>
    </message>
    <message>
        <source>takes rank %1 with &apos;vllm serve --max-lora-rank %2&apos;; it knows no other limits than %3</source>
        <translation>nimmt Rang %1 mit „vllm serve --max-lora-rank %2“; andere Grenzen als %3 kennt es nicht</translation>
    </message>
    <message>
        <source>takes no adapter with modules that are trained whole (%1)</source>
        <translation>nimmt keinen Adapter mit ganz trainierten Modulen (%1)</translation>
    </message>
    <message>
        <source>takes an adapter of lm_head for some models only</source>
        <translation>nimmt einen Adapter von lm_head nur bei manchen Modellen</translation>
    </message>
    <message>
        <source>have no place in a GGUF adapter for modules that are trained whole (%1)</source>
        <translation>haben in einem GGUF-Adapter keinen Platz für ganz trainierte Module (%1)</translation>
    </message>
    <message>
        <source>take no adapter of lm_head where the model&apos;s head is its embedding, as here</source>
        <translation>nehmen keinen Adapter von lm_head, wo der Kopf des Modells wie hier sein Embedding ist</translation>
    </message>
    <message>
        <source>read neither rank-stabilised scales nor alphas of single modules; --to gguf-adapter writes an alpha, or a B, with which alpha / rank is right</source>
        <translation>lesen weder rangstabilisierte Skalen noch Alphas einzelner Module; --to gguf-adapter schreibt ein Alpha oder ein B, mit dem Alpha / Rang stimmt</translation>
    </message>
    <message>
        <source>give an adapter&apos;s answers best on the base that it was trained on</source>
        <translation>geben die Antworten eines Adapters am besten auf der Basis, auf der er trainiert wurde</translation>
    </message>
    <message>
        <source>get no GGUF file of this model: %1</source>
        <translation>bekommen keine GGUF-Datei dieses Modells: %1</translation>
    </message>
    <message>
        <source>look at all of a text where this model looks at its sliding window alone: answers differ once a text is longer</source>
        <translation>sehen den ganzen Text, wo dieses Modell nur sein gleitendes Fenster sieht: Bei längeren Texten weichen die Antworten ab</translation>
    </message>
    <message>
        <source>have no row in the embedding for %1 of the tokenizer&apos;s %2 tokens</source>
        <translation>haben im Embedding keine Zeile für %1 der %2 Token des Tokenizers</translation>
    </message>
    <message>
        <source>list %1 tokens that the tokenizer does not have as unused</source>
        <translation>führen %1 Token, die der Tokenizer nicht hat, als unbenutzt</translation>
    </message>
    <message>
        <source>keeps embedding and head one table only in versions that know ensure_weight_tying</source>
        <translation>behält Embedding und Kopf nur in Versionen mit ensure_weight_tying als eine Tabelle</translation>
    </message>
    <message>
        <source>get this model&apos;s text part: pictures need its projector, a file of its own (mmproj) that is not written here</source>
        <translation>bekommen den Textteil dieses Modells: Bilder brauchen seinen Projektor, eine eigene Datei (mmproj), die hier nicht geschrieben wird</translation>
    </message>
    <message>
        <source>%1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>Train with lora.rank %1 at most, or export the merged model (--to merged).</source>
        <translation>Höchstens mit lora.rank %1 trainieren oder das zusammengeführte Modell exportieren (--to merged).</translation>
    </message>
    <message>
        <source>Leave lora.modules_to_save empty, or export the merged model (--to merged).</source>
        <translation>lora.modules_to_save leer lassen oder das zusammengeführte Modell exportieren (--to merged).</translation>
    </message>
    <message>
        <source>Leave lm_head out of lora.targets, or export the merged model (--to merged).</source>
        <translation>lm_head in lora.targets weglassen oder das zusammengeführte Modell exportieren (--to merged).</translation>
    </message>
    <message>
        <source>Export the merged model (--to gguf or ollama).</source>
        <translation>Das zusammengeführte Modell exportieren (--to gguf oder ollama).</translation>
    </message>
    <message>
        <source>Leave lm_head out of lora.targets, or export the merged model (--to gguf or ollama), where the head gets a table of its own.</source>
        <translation>lm_head in lora.targets weglassen oder das zusammengeführte Modell exportieren (--to gguf oder ollama), in dem der Kopf eine eigene Tabelle hat.</translation>
    </message>
    <message>
        <source>Use --to gguf-adapter, not llama.cpp&apos;s own convert_lora_to_gguf.py.</source>
        <translation>--to gguf-adapter nehmen, nicht convert_lora_to_gguf.py von llama.cpp.</translation>
    </message>
    <message>
        <source>Export the base, or the merged model, with --to gguf or ollama.</source>
        <translation>Die Basis oder das zusammengeführte Modell mit --to gguf oder ollama exportieren.</translation>
    </message>
    <message>
        <source>Keep texts shorter than the window.</source>
        <translation>Texte kürzer als das Fenster halten.</translation>
    </message>
    <message>
        <source>Enlarge the embedding with transformers (resize_token_embeddings) before training.</source>
        <translation>Das Embedding vor dem Training mit transformers vergrößern (resize_token_embeddings).</translation>
    </message>
    <message>
        <source>Use a PEFT of 2025 or newer, or export the merged model (--to merged).</source>
        <translation>Ein PEFT von 2025 oder neuer nehmen oder das zusammengeführte Modell exportieren (--to merged).</translation>
    </message>
    <message>
        <source>Take the projector of the model that was trained, which training leaves as it is.</source>
        <translation>Den Projektor des trainierten Modells nehmen; das Training lässt ihn, wie er ist.</translation>
    </message>
    <message>
        <source>all programs</source>
        <translation>alle Programme</translation>
    </message>
</context>
<context>
    <name>Exports</name>
    <message>
        <source>Adapter, PEFT</source>
        <translation>Adapter, PEFT</translation>
    </message>
    <message>
        <source>Merged model</source>
        <translation>Verschmolzenes Modell</translation>
    </message>
    <message>
        <source>GGUF model</source>
        <translation>GGUF-Modell</translation>
    </message>
    <message>
        <source>GGUF adapter</source>
        <translation>GGUF-Adapter</translation>
    </message>
    <message>
        <source>Model for Ollama</source>
        <translation>Modell für Ollama</translation>
    </message>
    <message>
        <source>PEFT, vLLM: the adapter</source>
        <translation>PEFT, vLLM: der Adapter</translation>
    </message>
    <message>
        <source>vLLM, transformers: a merged model</source>
        <translation>vLLM, transformers: ein verschmolzenes Modell</translation>
    </message>
    <message>
        <source>llama.cpp, LM Studio, Jan: a model in one file</source>
        <translation>llama.cpp, LM Studio, Jan: ein Modell in einer Datei</translation>
    </message>
    <message>
        <source>llama.cpp: the adapter in one file</source>
        <translation>llama.cpp: der Adapter in einer Datei</translation>
    </message>
    <message>
        <source>Ollama: a model and its Modelfile</source>
        <translation>Ollama: ein Modell und sein Modelfile</translation>
    </message>
    <message>
        <source>%1: as it was trained, rounded at most once</source>
        <translation>%1: wie trainiert, höchstens einmal gerundet</translation>
    </message>
    <message>
        <source>%1: no difference that one meets, %2 bits a weight</source>
        <translation>%1: kein merklicher Unterschied, %2 Bit je Gewicht</translation>
    </message>
    <message>
        <source>%1: hardly any difference, %2 bits a weight</source>
        <translation>%1: kaum ein Unterschied, %2 Bit je Gewicht</translation>
    </message>
    <message>
        <source>%1: a small difference, %2 bits a weight</source>
        <translation>%1: ein kleiner Unterschied, %2 Bit je Gewicht</translation>
    </message>
    <message>
        <source>%1: what most people run, %2 bits a weight</source>
        <translation>%1: was die meisten nehmen, %2 Bit je Gewicht</translation>
    </message>
    <message>
        <source>%1, of checkpoint %2</source>
        <translation>%1, vom Checkpoint %2</translation>
    </message>
    <message>
        <source>not proved</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>proved: %1 of %2 tokens agree, gap %3 % (%4 % allowed)</source>
        <translation>geprüft: %1 von %2 Token gleich, Abstand %3 % (erlaubt %4 %)</translation>
    </message>
    <message>
        <source>proof failed: %1 of %2 tokens agree, gap %3 % (%4 % allowed)</source>
        <translation>nicht bestanden: %1 von %2 Token gleich, Abstand %3 % (erlaubt %4 %)</translation>
    </message>
    <message>
        <source>%1 answers of the run and of the export, read back from its files, were compared token by token: %2 of %3 agree, %4 contradict. The largest gap of two logits is %5, the mean %6 % of their spread, where %7 % are allowed.</source>
        <translation>%1 Antworten des Laufs und des Exports, aus seinen Dateien zurückgelesen, wurden Token für Token verglichen: %2 von %3 stimmen überein, %4 widersprechen. Der größte Abstand zweier Logits ist %5, der mittlere %6 % ihrer Streuung; erlaubt sind %7 %.</translation>
    </message>
    <message>
        <source>Refused. %1: %2.</source>
        <translation>Abgelehnt. %1: %2.</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1: %2.</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>a sentence, and the next</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>an export, and its type</comment>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>Finding</name>
    <message>
        <source>%1 waits %2 % of the step for weights</source>
        <translation>%1 wartet %2 % des Schritts auf Gewichte</translation>
    </message>
    <message>
        <source>%1 devices wait for weights, %2 longest: %3 % of the step</source>
        <translation>%1 Geräte warten auf Gewichte, %2 am längsten: %3 % des Schritts</translation>
    </message>
    <message>
        <source>%1 waits %2 % of the step for other stages</source>
        <translation>%1 wartet %2 % des Schritts auf andere Stufen</translation>
    </message>
    <message>
        <source>%1 devices wait for other stages, %2 longest: %3 % of the step</source>
        <translation>%1 Geräte warten auf andere Stufen, %2 am längsten: %3 % des Schritts</translation>
    </message>
    <message>
        <source>%1 waits %2 % of the step for the update</source>
        <translation>%1 wartet %2 % des Schritts auf die Aktualisierung</translation>
    </message>
    <message>
        <source>%1 devices wait for the update, %2 longest: %3 % of the step</source>
        <translation>%1 Geräte warten auf die Aktualisierung, %2 am längsten: %3 % des Schritts</translation>
    </message>
    <message>
        <source>%1 waits %2 % of the step for room for gradients</source>
        <translation>%1 wartet %2 % des Schritts auf Platz für Gradienten</translation>
    </message>
    <message>
        <source>%1 devices wait for room for gradients, %2 longest: %3 % of the step</source>
        <translation>%1 Geräte warten auf Platz für Gradienten, %2 am längsten: %3 % des Schritts</translation>
    </message>
    <message>
        <source>%1 waits %2 % of the step for the host</source>
        <translation>%1 wartet %2 % des Schritts auf den Host</translation>
    </message>
    <message>
        <source>%1 devices wait for the host, %2 longest: %3 % of the step</source>
        <translation>%1 Geräte warten auf den Host, %2 am längsten: %3 % des Schritts</translation>
    </message>
    <message>
        <source>Its slot runs at x%1, others at x%2: %3/s instead of %4/s.</source>
        <translation>Sein Steckplatz läuft mit x%1, andere mit x%2: %3/s statt %4/s.</translation>
    </message>
    <message>
        <source>They reach it at %1/s, the other devices at %2/s.</source>
        <translation>Sie erreichen es mit %1/s, die anderen Geräte mit %2/s.</translation>
    </message>
    <message>
        <source>More tokens a step give it more to compute for each upload.</source>
        <translation>Mehr Token je Schritt geben ihm je Übertragung mehr zu rechnen.</translation>
    </message>
    <message>
        <source>Mostly for slot %1. More microbatches or other cuts even this out.</source>
        <translation>Meist wegen Slot %1. Mehr Mikrobatches oder andere Schnitte gleichen das aus.</translation>
    </message>
    <message>
        <source>Earlier gradients are still on their way to the host.</source>
        <translation>Frühere Gradienten sind noch auf dem Weg zum Host.</translation>
    </message>
    <message>
        <source>Its work was issued late: the processor is busy with other things.</source>
        <translation>Seine Arbeit wurde spät ausgegeben: Der Prozessor ist mit anderem beschäftigt.</translation>
    </message>
    <message>
        <source>More microbatches or other cuts even this out.</source>
        <translation>Mehr Mikrobatches oder andere Schnitte gleichen das aus.</translation>
    </message>
    <message>
        <source>See the plan</source>
        <translation>Den Plan ansehen</translation>
    </message>
    <message>
        <source>%1 is at %2 °C</source>
        <translation>%1 hat %2 °C</translation>
    </message>
    <message>
        <source>Near this, cards slow themselves down. Does air reach it?</source>
        <translation>In dieser Nähe drosseln sich Karten selbst. Bekommt sie Luft?</translation>
    </message>
    <message>
        <source>Other programs hold %1 of the memory of %2</source>
        <translation>Andere Programme belegen %1 des Speichers von %2</translation>
    </message>
    <message>
        <source>%1 % of it is taken. Close them, or the run may run out of memory.</source>
        <translation>%1 % davon sind belegt. Sie schließen, sonst kann dem Lauf der Speicher ausgehen.</translation>
    </message>
    <message>
        <source>Only %1 of %2 of the host&apos;s memory are free</source>
        <translation>Nur %1 von %2 des Host-Speichers sind frei</translation>
    </message>
    <message>
        <source>Close other programs: a machine that swaps hardly trains.</source>
        <translation>Andere Programme schließen: Ein Rechner, der auslagert, trainiert kaum.</translation>
    </message>
    <message>
        <source>The loss of step %1 is no number</source>
        <translation>Der Loss von Schritt %1 ist keine Zahl</translation>
    </message>
    <message>
        <source>The training has come apart. Stop it, and try a lower rate.</source>
        <translation>Das Training ist entgleist. Anhalten und eine kleinere Rate versuchen.</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Validation rises: %1, was %2 after step %3</source>
        <translation>Validierung steigt: %1, nach Schritt %3 noch %2</translation>
    </message>
    <message>
        <source>The model begins to learn the rows by heart. The best checkpoint is kept.</source>
        <translation>Das Modell beginnt die Zeilen auswendig zu lernen. Der beste Checkpoint bleibt.</translation>
    </message>
    <message>
        <source>Nothing to mend: devices are busy %1 % of the time.</source>
        <translation>Nichts zu beheben: Geräte sind %1 % der Zeit beschäftigt.</translation>
    </message>
    <message>
        <source>A step takes %1 instead of the planned %2</source>
        <translation>Ein Schritt dauert %1 statt der geplanten %2</translation>
    </message>
    <message>
        <source>Thin bars below the lanes show where the plan saw it.</source>
        <translation>Dünne Balken unter den Spuren zeigen, wo der Plan es sah.</translation>
    </message>
    <message>
        <source>S%1 %2: %3 a step instead of the planned %4</source>
        <translation>S%1 %2: %3 je Schritt statt der geplanten %4</translation>
    </message>
    <message>
        <source>Of all stages it loses most. Heat and other programs slow a device; times that were never measured here are a guess.</source>
        <translation>Von allen Stufen verliert sie am meisten. Hitze und andere Programme bremsen ein Gerät; Zeiten, die hier nie gemessen wurden, sind geschätzt.</translation>
    </message>
    <message>
        <source>The next step begins when the processor has updated what is trained.</source>
        <translation>Der nächste Schritt beginnt, wenn der Prozessor aktualisiert hat, was trainiert wird.</translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message>
        <source>Would not start</source>
        <translation>Würde nicht starten</translation>
    </message>
    <message>
        <source>rows to validate on stand among those to train on</source>
        <translation>Zeilen zum Validieren stehen unter denen zum Trainieren</translation>
    </message>
    <message>
        <source>rows to validate on are like one to train on</source>
        <translation>Zeilen zum Validieren gleichen einer zum Trainieren</translation>
    </message>
    <message>
        <source>without an end</source>
        <translation>ohne Ende</translation>
    </message>
    <message>
        <source>with an empty turn</source>
        <translation>mit leerem Beitrag</translation>
    </message>
    <message>
        <source>a message says nothing</source>
        <translation>eine Nachricht sagt nichts</translation>
    </message>
    <message>
        <source>one-sided</source>
        <translation>einseitig</translation>
    </message>
    <message>
        <source>nobody asks: there is no user</source>
        <translation>niemand fragt: Es gibt keinen Benutzer</translation>
    </message>
    <message>
        <source>unanswered</source>
        <translation>unbeantwortet</translation>
    </message>
    <message>
        <source>the last message is not the assistant&apos;s</source>
        <translation>die letzte Nachricht ist nicht vom Assistenten</translation>
    </message>
    <message>
        <source>with two BOS</source>
        <translation>mit zwei BOS</translation>
    </message>
    <message>
        <source>the text starts with the token twice</source>
        <translation>der Text beginnt zweimal mit dem Token</translation>
    </message>
    <message>
        <source>without BOS</source>
        <translation>ohne BOS</translation>
    </message>
    <message>
        <source>the tokenizer puts one before other texts</source>
        <translation>der Tokenizer setzt anderen Texten eines voran</translation>
    </message>
    <message>
        <source>%1 in a message becomes the special token itself</source>
        <translation>%1 in einer Nachricht wird zum Spezialtoken selbst</translation>
    </message>
    <message>
        <source>Masks</source>
        <translation>Masken</translation>
    </message>
    <message>
        <source>found by %1 in %2 rows</source>
        <translation>gefunden durch %1 in %2 Zeilen</translation>
    </message>
    <message>
        <source>row %1</source>
        <translation>Zeile %1</translation>
    </message>
    <message>
        <source>like %1</source>
        <translation>wie %1</translation>
    </message>
    <message>
        <source>%1 row %2</source>
        <translation>%1, Zeile %2</translation>
    </message>
    <message>
        <source>%1; %2 is %3</source>
        <translation>%1; %2 ist %3</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) leak into validation</source>
        <translation>
            <numerusform>%Ln Zeile sickert in die Validierung durch</numerusform>
            <numerusform>%Ln Zeilen sickern in die Validierung durch</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) nearly leak into validation</source>
        <translation>
            <numerusform>%Ln Zeile sickert beinahe in die Validierung durch</numerusform>
            <numerusform>%Ln Zeilen sickern beinahe in die Validierung durch</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) leak into validation across datasets</source>
        <translation>
            <numerusform>%Ln Zeile sickert aus einem anderen Datensatz in die Validierung durch</numerusform>
            <numerusform>%Ln Zeilen sickern aus einem anderen Datensatz in die Validierung durch</numerusform>
        </translation>
    </message>
    <message>
        <source>rows to validate on are the same as, or like, one that another dataset trains on</source>
        <translation>Zeilen zum Validieren gleichen einer, auf der ein anderer Datensatz trainiert, genau oder beinahe</translation>
    </message>
    <message numerus="yes">
        <source>%Ln repeated row(s)</source>
        <translation>
            <numerusform>%Ln wiederholte Zeile</numerusform>
            <numerusform>%Ln wiederholte Zeilen</numerusform>
        </translation>
    </message>
    <message>
        <source>the same as an earlier row</source>
        <translation>gleich einer früheren Zeile</translation>
    </message>
    <message numerus="yes">
        <source>%Ln nearly repeated row(s)</source>
        <translation>
            <numerusform>%Ln beinahe wiederholte Zeile</numerusform>
            <numerusform>%Ln beinahe wiederholte Zeilen</numerusform>
        </translation>
    </message>
    <message>
        <source>much like an earlier row</source>
        <translation>einer früheren Zeile sehr ähnlich</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) repeated across datasets</source>
        <translation>
            <numerusform>%Ln Zeile in mehreren Datensätzen</numerusform>
            <numerusform>%Ln Zeilen in mehreren Datensätzen</numerusform>
        </translation>
    </message>
    <message>
        <source>the same as a row of another dataset, or much like it</source>
        <translation>wie eine Zeile eines anderen Datensatzes, genau oder beinahe</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) without an end</source>
        <translation>
            <numerusform>%Ln Zeile ohne Ende</numerusform>
            <numerusform>%Ln Zeilen ohne Ende</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) with an empty turn</source>
        <translation>
            <numerusform>%Ln Zeile mit leerem Beitrag</numerusform>
            <numerusform>%Ln Zeilen mit leerem Beitrag</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln one-sided row(s)</source>
        <translation>
            <numerusform>%Ln einseitige Zeile</numerusform>
            <numerusform>%Ln einseitige Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln unanswered row(s)</source>
        <translation>
            <numerusform>%Ln unbeantwortete Zeile</numerusform>
            <numerusform>%Ln unbeantwortete Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) with two BOS</source>
        <translation>
            <numerusform>%Ln Zeile mit zwei BOS</numerusform>
            <numerusform>%Ln Zeilen mit zwei BOS</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) without BOS</source>
        <translation>
            <numerusform>%Ln Zeile ohne BOS</numerusform>
            <numerusform>%Ln Zeilen ohne BOS</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) spell out a token</source>
        <translation>
            <numerusform>%Ln Zeile schreibt ein Token aus</numerusform>
            <numerusform>%Ln Zeilen schreiben ein Token aus</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln dropped row(s): %1</source>
        <translation>
            <numerusform>%Ln verworfene Zeile: %1</numerusform>
            <numerusform>%Ln verworfene Zeilen: %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Leave none out one by one</source>
        <translation>Keine einzeln auslassen</translation>
    </message>
    <message>
        <source>Keep one of each</source>
        <translation>Je eine behalten</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>Auslassen</translation>
    </message>
    <message>
        <source>chosen one by one</source>
        <translation>einzeln gewählt</translation>
    </message>
    <message>
        <source>to validate on, and the same as one to train on</source>
        <translation>zum Validieren, und dieselbe wie eine zum Trainieren</translation>
    </message>
    <message>
        <source>to validate on, and like one to train on</source>
        <translation>zum Validieren, und einer zum Trainieren ähnlich</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) left out</source>
        <translation>
            <numerusform>%Ln Zeile ausgelassen</numerusform>
            <numerusform>%Ln Zeilen ausgelassen</numerusform>
        </translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>Zurücknehmen</translation>
    </message>
    <message numerus="yes">
        <source>%Ln column(s) not read</source>
        <translation>
            <numerusform>%Ln Spalte nicht gelesen</numerusform>
            <numerusform>%Ln Spalten nicht gelesen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) split</source>
        <translation>
            <numerusform>%Ln Zeile aufgeteilt</numerusform>
            <numerusform>%Ln Zeilen aufgeteilt</numerusform>
        </translation>
    </message>
    <message>
        <source>into %1 pieces of at most %2 tokens; no token is trained twice</source>
        <translation>in %1 Stücke von höchstens %2 Token; kein Token wird zweimal trainiert</translation>
    </message>
    <message numerus="yes">
        <source>Not used in %Ln row(s)</source>
        <translation>
            <numerusform>In %Ln Zeile nicht benutzt</numerusform>
            <numerusform>In %Ln Zeilen nicht benutzt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) not used</source>
        <translation>
            <numerusform>%Ln Datei nicht benutzt</numerusform>
            <numerusform>%Ln Dateien nicht benutzt</numerusform>
        </translation>
    </message>
    <message>
        <source>not used in full</source>
        <translation>nicht ganz benutzt</translation>
    </message>
    <message>
        <source>a trained turn has no end: the model learns no stopping; a chat template that ends turns mends it</source>
        <translation>ein trainierter Beitrag hat kein Ende: das Modell lernt nicht aufzuhören; eine Chatvorlage, die Beiträge beendet, behebt es</translation>
    </message>
    <message>
        <source>What would help</source>
        <translation>Was helfen würde</translation>
    </message>
</context>
<context>
    <name>ForeignRunDialog</name>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Settings without a counterpart</source>
        <translation>Einstellungen ohne Entsprechung</translation>
    </message>
    <message>
        <source>A run of %1</source>
        <translation>Ein Lauf von %1</translation>
    </message>
    <message numerus="yes">
        <source>The run was opened as a new project. %n of its settings has no counterpart here; the others stand on the page Settings.</source>
        <translation>
            <numerusform>Der Lauf ist als neues Projekt geöffnet. %n seiner Einstellungen hat hier keine Entsprechung; die anderen stehen auf der Seite Einstellungen.</numerusform>
            <numerusform>Der Lauf ist als neues Projekt geöffnet. %n seiner Einstellungen haben hier keine Entsprechung; die anderen stehen auf der Seite Einstellungen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GridValues</name>
    <message>
        <source>“%1” is no value of this setting.</source>
        <translation>„%1“ ist kein Wert dieser Einstellung.</translation>
    </message>
</context>
<context>
    <name>Journal</name>
    <message>
        <source>Finished after step %1</source>
        <translation>Fertig nach Schritt %1</translation>
    </message>
    <message>
        <source>Stopped after step %1</source>
        <translation>Angehalten nach Schritt %1</translation>
    </message>
    <message>
        <source>Failed after step %1</source>
        <translation>Fehlgeschlagen nach Schritt %1</translation>
    </message>
    <message>
        <source>Ended after step %1</source>
        <translation>Beendet nach Schritt %1</translation>
    </message>
    <message>
        <source>Begun</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <source>Goes on after step %1</source>
        <translation>Weiter nach Schritt %1</translation>
    </message>
    <message>
        <source>Step %1: checkpoint written, %2</source>
        <translation>Schritt %1: Checkpoint geschrieben, %2</translation>
    </message>
    <message>
        <source>Step %1: not written, %2</source>
        <translation>Schritt %1: nicht geschrieben, %2</translation>
    </message>
    <message>
        <source>Step %1 skipped</source>
        <translation>Schritt %1 übersprungen</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Could not go on</source>
        <translation>Konnte nicht weitergehen</translation>
    </message>
    <message>
        <source>Step %1: result written, %2</source>
        <translation>Schritt %1: Ergebnis geschrieben, %2</translation>
    </message>
</context>
<context>
    <name>Language</name>
    <message>
        <source>Language of the system</source>
        <translation>Sprache des Systems</translation>
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
        <translation>keine NVIDIA-GPU (trainiert wird auf dem Prozessor)</translation>
    </message>
    <message numerus="yes">
        <source>%n processor thread(s)</source>
        <translation>
            <numerusform>%n Prozessor-Thread</numerusform>
            <numerusform>%n Prozessor-Threads</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of memory</source>
        <translation>%1 Arbeitsspeicher</translation>
    </message>
    <message>
        <source>This machine: %1</source>
        <translation>Dieser Rechner: %1</translation>
    </message>
</context>
<context>
    <name>NextSteps</name>
    <message>
        <source>Ask it</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Train on</source>
        <translation>Weiter trainieren</translation>
    </message>
    <message>
        <source>As a whole model</source>
        <translation>Als ganzes Modell</translation>
    </message>
</context>
<context>
    <name>NoSecret</name>
    <message>
        <source>%1 is &apos;%2&apos;, with a password or a token in it.</source>
        <translation>%1 ist „%2“, mit einem Passwort oder Token darin.</translation>
    </message>
    <message>
        <source>It would stand in the run&apos;s files for everybody to read: leave it out. The Hub&apos;s token is taken from HF_TOKEN, from the file that HF_TOKEN_PATH names, as `hf auth login` left it, or from the keyring; what lies on another server is fetched first, and named as it lies here.</source>
        <translation>Das stünde für alle lesbar in den Dateien des Laufs: weglassen. Das Token des Hubs kommt aus HF_TOKEN, aus der Datei, die HF_TOKEN_PATH nennt, wie `hf auth login` es hinterlassen hat, oder aus dem Schlüsselbund; was auf einem anderen Server liegt, zuerst holen und dann hier benennen.</translation>
    </message>
    <message>
        <source>A prompt</source>
        <translation>Ein Prompt</translation>
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
        <translation>%1 stammt von keinem Lauf und wird mitgelöscht: zum Behalten vorher anderswohin verschieben</translation>
    </message>
</context>
<context>
    <name>PlanNumbers</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>PlanText</name>
    <message>
        <source>each of %1 devices needs %2 of %3</source>
        <translation>jedes von %1 Geräten braucht %2 von %3</translation>
    </message>
    <message>
        <source>%1 needs %2 of %3</source>
        <translation>%1 braucht %2 von %3</translation>
    </message>
    <message>
        <source>the host needs %1 of %2</source>
        <translation>der Host braucht %1 von %2</translation>
    </message>
    <message>
        <source>page-locked host memory needs %1 of %2</source>
        <translation>seitengesperrter Hostspeicher: gebraucht %1 von %2</translation>
    </message>
    <message>
        <source>the disk needs %1 of %2</source>
        <translation>die Festplatte braucht %1 von %2</translation>
    </message>
    <message>
        <source>; </source>
        <comment>between parts of a sentence</comment>
        <translation>; </translation>
    </message>
    <message>
        <source>%1.</source>
        <comment>a sentence</comment>
        <translation>%1.</translation>
    </message>
    <message>
        <source>Even with one layer at a time no device takes all of its stages.</source>
        <translation>Selbst mit nur einer Schicht auf einmal fasst kein Gerät alle seine Stufen.</translation>
    </message>
    <message>
        <source>Even with one layer at a time it does not fit: %1.</source>
        <translation>Selbst mit nur einer Schicht auf einmal passt es nicht: %1.</translation>
    </message>
    <message>
        <source>There are more devices than layers.</source>
        <translation>Es gibt mehr Geräte als Schichten.</translation>
    </message>
    <message>
        <source>%1 needs %2 more</source>
        <translation>%1 fehlen %2</translation>
    </message>
    <message>
        <source>the host needs %1 more</source>
        <translation>dem Host fehlen %1</translation>
    </message>
    <message>
        <source>page-locked host memory needs %1 more</source>
        <translation>seitengesperrter Hostspeicher: es fehlen %1</translation>
    </message>
    <message>
        <source>the disk needs %1 more</source>
        <translation>auf der Festplatte fehlen %1</translation>
    </message>
    <message numerus="yes">
        <source>Microbatches of %n sequence(s)</source>
        <translation>
            <numerusform>Mikrobatches mit %n Sequenz</numerusform>
            <numerusform>Mikrobatches mit %n Sequenzen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Microbatches of at most %n token(s), more of them</source>
        <translation>
            <numerusform>Mikrobatches mit höchstens %n Token, dafür mehr davon</numerusform>
            <numerusform>Mikrobatches mit höchstens %n Token, dafür mehr davon</numerusform>
        </translation>
    </message>
    <message>
        <source>Rank %1 for the adapter</source>
        <translation>Rang %1 für den Adapter</translation>
    </message>
    <message numerus="yes">
        <source>Sequences of at most %n token(s)</source>
        <translation>
            <numerusform>Sequenzen mit höchstens %n Token</numerusform>
            <numerusform>Sequenzen mit höchstens %n Token</numerusform>
        </translation>
    </message>
    <message>
        <source>The base&apos;s weights kept and streamed in %1 bits</source>
        <translation>Gewichte des Basismodells in %1 Bit halten und übertragen</translation>
    </message>
    <message>
        <source>%1 of host memory for the run</source>
        <translation>%1 Hostspeicher für den Lauf</translation>
    </message>
    <message>
        <source>%1 of host memory that may be page-locked</source>
        <translation>%1 Hostspeicher, der gesperrt werden darf</translation>
    </message>
    <message>
        <source>Devices with %1 of memory</source>
        <translation>Geräte mit %1 Speicher</translation>
    </message>
    <message>
        <source>%1 tokens/s; less work at a time, same result with as many examples a step</source>
        <translation>%1 Token/s; weniger Arbeit auf einmal, gleiches Ergebnis bei ebenso vielen Beispielen je Schritt</translation>
    </message>
    <message>
        <source>%1 tokens/s; same result, less work at a time</source>
        <translation>%1 Token/s; gleiches Ergebnis, weniger Arbeit auf einmal</translation>
    </message>
    <message>
        <source>%1 tokens/s; the adapter can learn less</source>
        <translation>%1 Token/s; der Adapter kann weniger lernen</translation>
    </message>
    <message>
        <source>%1 tokens/s; longer examples are cut off</source>
        <translation>%1 Token/s; längere Beispiele werden abgeschnitten</translation>
    </message>
    <message>
        <source>%1 tokens/s; the base is rounded</source>
        <translation>%1 Token/s; das Basismodell wird gerundet</translation>
    </message>
    <message>
        <source>%1 tokens/s; buy or free memory</source>
        <translation>%1 Token/s; Speicher kaufen oder freimachen</translation>
    </message>
    <message>
        <source>%1 tokens/s; raise the limit</source>
        <translation>%1 Token/s; die Grenze anheben</translation>
    </message>
    <message>
        <source>%1 tokens/s; other GPUs</source>
        <translation>%1 Token/s; andere GPUs</translation>
    </message>
    <message>
        <source>Interleaved 1F1B</source>
        <translation>1F1B, verschränkt</translation>
    </message>
    <message>
        <source>Looped BFS</source>
        <translation>BFS in Schleifen</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Kopien</translation>
    </message>
    <message>
        <source>RoundPipe, one step stale</source>
        <translation>RoundPipe, einen Schritt verzögert</translation>
    </message>
    <message numerus="yes">
        <source>%n stage(s) bound to their devices</source>
        <translation>
            <numerusform>%n Stufe, an ihr Gerät gebunden</numerusform>
            <numerusform>%n Stufen, an ihre Geräte gebunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n copies of the model, each with its part of the microbatches</source>
        <translation>
            <numerusform>%n Kopie des Modells mit allen Mikrobatches</numerusform>
            <numerusform>%n Kopien des Modells, jede mit ihrem Teil der Mikrobatches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, in %n round(s)</source>
        <translation>
            <numerusform>%1, in %n Runde</numerusform>
            <numerusform>%1, in %n Runden</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message numerus="yes">
        <source>; of %n layer(s) all but gate and up is saved</source>
        <translation>
            <numerusform>; von %n Schicht wird alles außer Gate und Up gespeichert</numerusform>
            <numerusform>; von %n Schichten wird alles außer Gate und Up gespeichert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; of %n layer(s) all but gate and up is saved in host memory</source>
        <translation>
            <numerusform>; von %n Schicht wird alles außer Gate und Up im Arbeitsspeicher gespeichert</numerusform>
            <numerusform>; von %n Schichten wird alles außer Gate und Up im Arbeitsspeicher gespeichert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; of %n layer(s) all is saved in host memory</source>
        <translation>
            <numerusform>; von %n Schicht wird alles im Arbeitsspeicher gespeichert</numerusform>
            <numerusform>; von %n Schichten wird alles im Arbeitsspeicher gespeichert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; of %n layer(s) the input alone is saved</source>
        <translation>
            <numerusform>; von %n Schicht wird nur die Eingabe gespeichert</numerusform>
            <numerusform>; von %n Schichten wird nur die Eingabe gespeichert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; of %n layer(s) the input alone is saved in host memory</source>
        <translation>
            <numerusform>; von %n Schicht wird nur die Eingabe im Arbeitsspeicher gespeichert</numerusform>
            <numerusform>; von %n Schichten wird nur die Eingabe im Arbeitsspeicher gespeichert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n forward stage(s)</source>
        <translation>
            <numerusform>%n Vorwärtsstufe</numerusform>
            <numerusform>%n Vorwärtsstufen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>a fused stage of %n layer(s)</source>
        <translation>
            <numerusform>eine verschmolzene Stufe von %n Schicht</numerusform>
            <numerusform>eine verschmolzene Stufe von %n Schichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n backward stage(s)</source>
        <translation>
            <numerusform>%n Rückwärtsstufe</numerusform>
            <numerusform>%n Rückwärtsstufen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <comment>dative</comment>
        <translation>
            <numerusform>%n Gerät</numerusform>
            <numerusform>%n Geräten</numerusform>
        </translation>
    </message>
    <message>
        <source>lengths of %L1 examples</source>
        <translation>Längen von %L1 Beispielen</translation>
    </message>
    <message>
        <source>lengths assumed, %L1 tokens on average</source>
        <translation>Längen angenommen, im Mittel %L1 Token</translation>
    </message>
    <message>
        <source>lengths assumed, all as long as they may be</source>
        <translation>Längen angenommen, alle so lang wie erlaubt</translation>
    </message>
    <message>
        <source>%1, %2 blocks of %3 experts (%4 a token), hidden %5, %6 parameters</source>
        <translation>%1, %2 Blöcke mit %3 Experten (%4 je Token), Breite %5, %6 Parameter</translation>
    </message>
    <message>
        <source>%1, %2 blocks, hidden %3, %4 parameters</source>
        <translation>%1, %2 Blöcke, Breite %3, %4 Parameter</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>Embedding</translation>
    </message>
    <message>
        <source>head</source>
        <translation>Kopf</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>Block %1</translation>
    </message>
    <message>
        <source>None of these settings is enough alone. Together they are, with %1 tokens/s:</source>
        <translation>Keine dieser Einstellungen genügt allein. Zusammen genügen sie, mit %1 Token/s:</translation>
    </message>
    <message>
        <source>None of these changes is enough alone. Together they are, with %1 tokens/s:</source>
        <translation>Keine dieser Änderungen genügt allein. Zusammen genügen sie, mit %1 Token/s:</translation>
    </message>
    <message>
        <source>less work at a time, same result with as many examples a step</source>
        <translation>weniger Arbeit auf einmal, gleiches Ergebnis bei ebenso vielen Beispielen je Schritt</translation>
    </message>
    <message>
        <source>same result, less work at a time</source>
        <translation>gleiches Ergebnis, weniger Arbeit auf einmal</translation>
    </message>
    <message>
        <source>the adapter can learn less</source>
        <translation>der Adapter kann weniger lernen</translation>
    </message>
    <message>
        <source>longer examples are cut off</source>
        <translation>längere Beispiele werden abgeschnitten</translation>
    </message>
    <message>
        <source>the base is rounded</source>
        <translation>das Basismodell wird gerundet</translation>
    </message>
    <message>
        <source>buy or free memory</source>
        <translation>Speicher kaufen oder freigeben</translation>
    </message>
    <message>
        <source>raise the limit</source>
        <translation>die Grenze anheben</translation>
    </message>
    <message>
        <source>other GPUs</source>
        <translation>andere GPUs</translation>
    </message>
    <message numerus="yes">
        <source>%n CPU worker(s)</source>
        <translation>
            <numerusform>%n CPU-Worker</numerusform>
            <numerusform>%n CPU-Worker</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (this machine)</source>
        <translation>%1 (dieser Rechner)</translation>
    </message>
    <message>
        <source>However it is cut, it does not fit: %1.</source>
        <translation>Wie es auch geteilt wird, es passt nicht: %1.</translation>
    </message>
    <message numerus="yes">
        <source>%n replica(s), each of %1</source>
        <translation>
            <numerusform>%n Kopie: %1</numerusform>
            <numerusform>%n Kopien, jede: %1</numerusform>
        </translation>
    </message>
    <message>
        <source>each device</source>
        <translation>jedes Gerät</translation>
    </message>
    <message>
        <source>Replicas would be faster. They add gradients up in another order, so they are only taken by themselves on GPUs; the setting Replicas asks for them.</source>
        <translation>Kopien wären schneller. Sie zählen Gradienten in anderer Reihenfolge zusammen und werden daher von selbst nur auf GPUs genommen; die Einstellung „Kopien“ verlangt sie.</translation>
    </message>
    <message>
        <source>The same microbatches would be faster dealt out otherwise: %1. The settings Microbatches and Rounds say how they are.</source>
        <translation>Dieselben Mikrobatches wären anders verteilt schneller: %1. Die Einstellungen „Mikrobatches“ und „Runden“ sagen, wie sie es sind.</translation>
    </message>
    <message>
        <source>Updates that are one step late would be faster, with other losses; the setting Updates asks for them.</source>
        <translation>Aktualisierungen, die einen Schritt später kommen, wären schneller, mit anderem Loss; die Einstellung „Aktualisierung“ verlangt sie.</translation>
    </message>
    <message>
        <source>%1 would be faster here. It is compared, but cannot be run.</source>
        <translation>%1 wäre hier schneller. Es wird verglichen, kann aber nicht laufen.</translation>
    </message>
    <message numerus="yes">
        <source>Rounds of %n microbatch(es), more of them</source>
        <translation>
            <numerusform>Runden zu %n Mikrobatch, mehr davon</numerusform>
            <numerusform>Runden zu %n Mikrobatches, mehr davon</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Steps of %n token(s)</source>
        <translation>
            <numerusform>Schritte zu %n Token</numerusform>
            <numerusform>Schritte zu %n Token</numerusform>
        </translation>
    </message>
    <message>
        <source>an update has fewer examples, and an epoch more updates</source>
        <translation>eine Aktualisierung hat weniger Beispiele und eine Epoche mehr Aktualisierungen</translation>
    </message>
    <message>
        <source>%1 tokens/s; an update has fewer examples, and an epoch more updates</source>
        <translation>%1 Token/s; eine Aktualisierung hat weniger Beispiele und eine Epoche mehr Aktualisierungen</translation>
    </message>
    <message>
        <source>Precision %1</source>
        <translation>Genauigkeit %1</translation>
    </message>
    <message>
        <source>same result, but for rounding; weights travel for each round</source>
        <translation>gleiches Ergebnis bis auf Rundung; die Gewichte reisen in jeder Runde</translation>
    </message>
    <message>
        <source>weights and activations have fewer digits</source>
        <translation>Gewichte und Aktivierungen haben weniger Stellen</translation>
    </message>
    <message>
        <source>%1 tokens/s; same result, but for rounding; weights travel for each round</source>
        <translation>%1 Token/s; gleiches Ergebnis bis auf Rundung; die Gewichte reisen in jeder Runde</translation>
    </message>
    <message>
        <source>%1 tokens/s; weights and activations have fewer digits</source>
        <translation>%1 Token/s; Gewichte und Aktivierungen haben weniger Stellen</translation>
    </message>
    <message>
        <source>RoundPipe, other rounds</source>
        <translation>RoundPipe, andere Runden</translation>
    </message>
    <message>
        <source>Stages in turn, with updates in time, would be faster: %1. The settings Replicas and Updates ask for them.</source>
        <translation>Reihum ausgeteilte Stufen mit rechtzeitiger Aktualisierung wären schneller: %1. Die Einstellungen „Kopien“ und „Aktualisierung“ verlangen sie.</translation>
    </message>
    <message>
        <source>at least %1</source>
        <comment>a speed</comment>
        <translation>mindestens %1</translation>
    </message>
    <message numerus="yes">
        <source>%n chosen microbatch(es)</source>
        <translation>
            <numerusform>%n gewählter Mikrobatch</numerusform>
            <numerusform>%n gewählte Mikrobatches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n microbatch(es)</source>
        <translation>
            <numerusform>%n Mikrobatch</numerusform>
            <numerusform>%n Mikrobatches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 in %n round(s)</source>
        <comment>microbatches</comment>
        <translation>
            <numerusform>%1 in %n Runde</numerusform>
            <numerusform>%1 in %n Runden</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of at most %2 tokens</source>
        <comment>microbatches</comment>
        <translation>%1 zu höchstens %2 Token</translation>
    </message>
    <message>
        <source>%1 of %2 × %3 tokens</source>
        <comment>microbatches</comment>
        <translation>%1 zu %2 × %3 Token</translation>
    </message>
    <message>
        <source>Adapters instead of all weights</source>
        <translation>Adapter statt aller Gewichte</translation>
    </message>
    <message>
        <source>%1 free on the disk</source>
        <translation>%1 frei auf der Festplatte</translation>
    </message>
    <message>
        <source>Together these are faster than the others, with %1 tokens/s:</source>
        <translation>Zusammen sind diese schneller als die anderen, mit %1 Token/s:</translation>
    </message>
    <message>
        <source>adapters alone are trained; they learn less than all weights do</source>
        <translation>nur Adapter werden trainiert; sie lernen weniger als alle Gewichte</translation>
    </message>
    <message>
        <source>free some of it, or write the run to another disk</source>
        <translation>Platz schaffen oder den Lauf auf eine andere Platte schreiben</translation>
    </message>
    <message>
        <source>%1 tokens/s; adapters alone are trained; they learn less than all weights do</source>
        <translation>%1 Token/s; nur Adapter werden trainiert; sie lernen weniger als alle Gewichte</translation>
    </message>
    <message>
        <source>%1 tokens/s; free some of it, or write the run to another disk</source>
        <translation>%1 Token/s; Platz schaffen oder den Lauf auf eine andere Platte schreiben</translation>
    </message>
</context>
<context>
    <name>Presets</name>
    <message>
        <source>First try</source>
        <translation>Erster Versuch</translation>
    </message>
    <message>
        <source>1 epoch, rank 8</source>
        <translation>1 Epoche, Rang 8</translation>
    </message>
    <message>
        <source>Balanced</source>
        <translation>Ausgewogen</translation>
    </message>
    <message>
        <source>3 epochs, rank 16</source>
        <translation>3 Epochen, Rang 16</translation>
    </message>
    <message>
        <source>Thorough</source>
        <translation>Gründlich</translation>
    </message>
    <message>
        <source>5 epochs, rank 64</source>
        <translation>5 Epochen, Rang 64</translation>
    </message>
    <message>
        <source>%1 epochs, rank %2</source>
        <translation>%L1 Epochen, Rang %2</translation>
    </message>
    <message>
        <source>1 epoch, all weights</source>
        <translation>1 Epoche, alle Gewichte</translation>
    </message>
    <message>
        <source>%1 epochs, all weights</source>
        <translation>%1 Epochen, alle Gewichte</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>LibTorch engine</source>
        <translation>LibTorch-Engine</translation>
    </message>
</context>
<context>
    <name>QueueLine</name>
    <message>
        <source>defaults</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>noch %1</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>all devices</source>
        <translation>alle Geräte</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>etwa %1</translation>
    </message>
    <message>
        <source>more than %1</source>
        <translation>mehr als %1</translation>
    </message>
    <message>
        <source>On %1</source>
        <translation>Auf %1</translation>
    </message>
    <message>
        <source>nothing waits</source>
        <translation>nichts wartet</translation>
    </message>
    <message numerus="yes">
        <source>%n wait(s)</source>
        <translation>
            <numerusform>%n wartet</numerusform>
            <numerusform>%n warten</numerusform>
        </translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Beginnt</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>Can&apos;t be read</source>
        <translation>Nicht lesbar</translation>
    </message>
    <message>
        <source>Not readable by this version</source>
        <translation>Für diese Version nicht lesbar</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>loss, smoothed</source>
        <translation>Loss, geglättet</translation>
    </message>
    <message>
        <source>validation loss (dashed)</source>
        <translation>Validierungs-Loss (gestrichelt)</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 Token/s</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>Validierungs-Loss</translation>
    </message>
    <message>
        <source>%1 at first, %2 at best, %3 at last</source>
        <translation>zuerst %1, bestenfalls %2, zuletzt %3</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>Adapter</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>Loss over the steps</source>
        <translation>Loss über die Schritte</translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation>Vorher und nachher</translation>
    </message>
    <message>
        <source>Settings (bold: not the default)</source>
        <translation>Einstellungen (fett: vom Standard abweichend)</translation>
    </message>
    <message>
        <source>Trained model</source>
        <translation>Trainiertes Modell</translation>
    </message>
</context>
<context>
    <name>RowRemark</name>
    <message>
        <source>bad row</source>
        <translation>fehlerhafte Zeile</translation>
    </message>
    <message>
        <source>no assistant turn</source>
        <translation>kein Beitrag des Assistenten</translation>
    </message>
    <message>
        <source>refused by the chat template</source>
        <translation>von der Chatvorlage abgelehnt</translation>
    </message>
    <message>
        <source>assistant&apos;s tokens unclear</source>
        <translation>Token des Assistenten unklar</translation>
    </message>
    <message>
        <source>no trained token</source>
        <translation>kein trainiertes Token</translation>
    </message>
    <message>
        <source>too long</source>
        <translation>zu lang</translation>
    </message>
    <message>
        <source>generation tags</source>
        <translation>Generation-Tags</translation>
    </message>
    <message>
        <source>sentinels</source>
        <translation>Platzhalter</translation>
    </message>
    <message>
        <source>turn markers</source>
        <translation>Beitragsmarken</translation>
    </message>
    <message>
        <source>the row itself</source>
        <translation>die Zeile selbst</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>alles</translation>
    </message>
    <message>
        <source>%1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>and all after it cannot be read: %1</source>
        <translation>und alle danach sind nicht lesbar: %1</translation>
    </message>
    <message>
        <source>and %1 after it cannot be read: %2</source>
        <translation>und %1 danach sind nicht lesbar: %2</translation>
    </message>
    <message>
        <source>is longer than 64 MiB: a row is an object on a line, or in a list</source>
        <translation>ist länger als 64 MiB: Eine Zeile ist ein Objekt auf einer Zeile der Datei oder in einer Liste</translation>
    </message>
    <message>
        <source>is cut off: the file ends within the array</source>
        <translation>ist abgeschnitten: Die Datei endet mitten im Array</translation>
    </message>
    <message>
        <source>is followed by more text than the array</source>
        <translation>ist von mehr Text als dem Array gefolgt</translation>
    </message>
    <message>
        <source>has a quote that is never closed, or not within 64 MiB</source>
        <translation>hat ein Anführungszeichen, das nie oder nicht innerhalb von 64 MiB geschlossen wird</translation>
    </message>
    <message>
        <source>holds a zero byte at position %1, as binary files and UTF-16 do</source>
        <translation>enthält an Stelle %1 ein Nullbyte, wie Binärdateien und UTF-16</translation>
    </message>
    <message>
        <source>is nested deeper than %1 levels</source>
        <translation>ist tiefer als %1 Ebenen verschachtelt</translation>
    </message>
    <message>
        <source>has an object of more than %1 fields</source>
        <translation>hat ein Objekt mit mehr als %1 Feldern</translation>
    </message>
    <message>
        <source>is not valid JSON: it ends before a bracket or a quote is closed</source>
        <translation>ist kein gültiges JSON: Der Text endet, bevor eine Klammer oder ein Anführungszeichen geschlossen ist</translation>
    </message>
    <message>
        <source>is not valid JSON: at character %1 stands %2, where a value should begin</source>
        <translation>ist kein gültiges JSON: An Zeichen %1 steht %2, wo ein Wert beginnen sollte</translation>
    </message>
    <message>
        <source>is not valid JSON: at character %1 stands %2, where a field&apos;s name in double quotes should</source>
        <translation>ist kein gültiges JSON: An Zeichen %1 steht %2, wo der Name eines Felds in doppelten Anführungszeichen stehen sollte</translation>
    </message>
    <message>
        <source>is not valid JSON: at character %1 stands %2, where a &apos;:&apos; should follow the field&apos;s name</source>
        <translation>ist kein gültiges JSON: An Zeichen %1 steht %2, wo auf den Namen des Felds ein &apos;:&apos; folgen sollte</translation>
    </message>
    <message>
        <source>is not valid JSON: at character %1 stands %2, where a &apos;,&apos; or a &apos;}&apos; should</source>
        <translation>ist kein gültiges JSON: An Zeichen %1 steht %2, wo ein &apos;,&apos; oder ein &apos;}&apos; stehen sollte</translation>
    </message>
    <message>
        <source>is not valid JSON: at character %1 stands %2, where a &apos;,&apos; or a &apos;]&apos; should</source>
        <translation>ist kein gültiges JSON: An Zeichen %1 steht %2, wo ein &apos;,&apos; oder ein &apos;]&apos; stehen sollte</translation>
    </message>
    <message>
        <source>is not valid JSON: at character %1 stands %2, behind the row&apos;s end</source>
        <translation>ist kein gültiges JSON: An Zeichen %1 steht %2, hinter dem Ende der Zeile</translation>
    </message>
    <message>
        <source>is not valid JSON: at character %1 stands %2 within quotes, where it has to be written with a backslash (\n, \t)</source>
        <translation>ist kein gültiges JSON: An Zeichen %1 steht %2 innerhalb von Anführungszeichen, wo es mit einem umgekehrten Schrägstrich geschrieben werden muss (\n, \t)</translation>
    </message>
    <message>
        <source>is not valid JSON: at character %1 begins an escape that JSON does not have</source>
        <translation>ist kein gültiges JSON: An Zeichen %1 beginnt eine Escape-Folge, die JSON nicht kennt</translation>
    </message>
    <message>
        <source>is not valid JSON: in its line %1, at character %2, stands %3, where a value should begin</source>
        <translation>ist kein gültiges JSON: In Textzeile %1 davon, an Zeichen %2, steht %3, wo ein Wert beginnen sollte</translation>
    </message>
    <message>
        <source>is not valid JSON: in its line %1, at character %2, stands %3, where a field&apos;s name in double quotes should</source>
        <translation>ist kein gültiges JSON: In Textzeile %1 davon, an Zeichen %2, steht %3, wo der Name eines Felds in doppelten Anführungszeichen stehen sollte</translation>
    </message>
    <message>
        <source>is not valid JSON: in its line %1, at character %2, stands %3, where a &apos;:&apos; should follow the field&apos;s name</source>
        <translation>ist kein gültiges JSON: In Textzeile %1 davon, an Zeichen %2, steht %3, wo auf den Namen des Felds ein &apos;:&apos; folgen sollte</translation>
    </message>
    <message>
        <source>is not valid JSON: in its line %1, at character %2, stands %3, where a &apos;,&apos; or a &apos;}&apos; should</source>
        <translation>ist kein gültiges JSON: In Textzeile %1 davon, an Zeichen %2, steht %3, wo ein &apos;,&apos; oder ein &apos;}&apos; stehen sollte</translation>
    </message>
    <message>
        <source>is not valid JSON: in its line %1, at character %2, stands %3, where a &apos;,&apos; or a &apos;]&apos; should</source>
        <translation>ist kein gültiges JSON: In Textzeile %1 davon, an Zeichen %2, steht %3, wo ein &apos;,&apos; oder ein &apos;]&apos; stehen sollte</translation>
    </message>
    <message>
        <source>is not valid JSON: in its line %1, at character %2, stands %3, behind the row&apos;s end</source>
        <translation>ist kein gültiges JSON: In Textzeile %1 davon, an Zeichen %2, steht %3, hinter dem Ende der Zeile</translation>
    </message>
    <message>
        <source>is not valid JSON: in its line %1, at character %2, stands %3 within quotes, where it has to be written with a backslash (\n, \t)</source>
        <translation>ist kein gültiges JSON: In Textzeile %1 davon, an Zeichen %2, steht %3 innerhalb von Anführungszeichen, wo es mit einem umgekehrten Schrägstrich geschrieben werden muss (\n, \t)</translation>
    </message>
    <message>
        <source>is not valid JSON: in its line %1, at character %2, begins an escape that JSON does not have</source>
        <translation>ist kein gültiges JSON: In Textzeile %1 davon, an Zeichen %2, beginnt eine Escape-Folge, die JSON nicht kennt</translation>
    </message>
    <message>
        <source>is not a JSON object</source>
        <translation>ist kein JSON-Objekt</translation>
    </message>
    <message>
        <source>has no field &apos;%1&apos;</source>
        <translation>hat kein Feld &apos;%1&apos;</translation>
    </message>
    <message>
        <source>has a field &apos;%1&apos; that is not a string</source>
        <translation>hat ein Feld &apos;%1&apos;, das kein Text ist</translation>
    </message>
    <message>
        <source>has a field &apos;%1&apos; that is not a list</source>
        <translation>hat ein Feld &apos;%1&apos;, das keine Liste ist</translation>
    </message>
    <message>
        <source>has a field &apos;%1&apos; that is not valid JSON from character %2 on</source>
        <translation>hat ein Feld &apos;%1&apos;, das ab Zeichen %2 kein gültiges JSON ist</translation>
    </message>
    <message>
        <source>has a field &apos;%1&apos; that is neither a string nor messages</source>
        <translation>hat ein Feld &apos;%1&apos;, das weder Text noch Nachrichten enthält</translation>
    </message>
    <message>
        <source>has a field &apos;%1&apos; that is empty</source>
        <translation>hat ein leeres Feld &apos;%1&apos;</translation>
    </message>
    <message>
        <source>has no list &apos;%1&apos;</source>
        <translation>hat keine Liste &apos;%1&apos;</translation>
    </message>
    <message>
        <source>has &apos;%1&apos;: only text can be trained on</source>
        <translation>hat &apos;%1&apos;: Nur auf Text lässt sich trainieren</translation>
    </message>
    <message>
        <source>has a &apos;history&apos; whose items are not pairs of strings</source>
        <translation>hat ein &apos;history&apos;, dessen Einträge keine Paare von Texten sind</translation>
    </message>
    <message>
        <source>has a segment %1 without a string &apos;text&apos;</source>
        <translation>hat ein Segment %1 ohne Text in &apos;text&apos;</translation>
    </message>
    <message>
        <source>has a segment %1 whose &apos;label&apos; is neither true nor false</source>
        <translation>hat ein Segment %1, dessen &apos;label&apos; weder true noch false ist</translation>
    </message>
    <message>
        <source>has a message %1 whose content is neither a string nor a list of parts</source>
        <translation>hat eine Nachricht %1, deren Inhalt weder Text noch eine Liste von Teilen ist</translation>
    </message>
    <message>
        <source>has a message %1 with a part that is not text</source>
        <translation>hat eine Nachricht %1 mit einem Teil, der kein Text ist</translation>
    </message>
    <message>
        <source>has a message %1 whose tool_calls are not a list</source>
        <translation>hat eine Nachricht %1, deren tool_calls keine Liste sind</translation>
    </message>
    <message>
        <source>has a message %1 with a tool call that is not an object</source>
        <translation>hat eine Nachricht %1 mit einem Werkzeugaufruf, der kein Objekt ist</translation>
    </message>
    <message>
        <source>has a message %1 whose &apos;train&apos; is neither true nor false</source>
        <translation>hat eine Nachricht %1, deren &apos;train&apos; weder true noch false ist</translation>
    </message>
    <message>
        <source>has a message %1 whose &apos;%2&apos; is neither 0 nor 1</source>
        <translation>hat eine Nachricht %1, deren &apos;%2&apos; weder 0 noch 1 ist</translation>
    </message>
    <message>
        <source>has a message %1 whose &apos;%2&apos; is not a string</source>
        <translation>hat eine Nachricht %1, deren &apos;%2&apos; kein Text ist</translation>
    </message>
    <message>
        <source>has a message %1 with two different thoughts, one in &apos;%2&apos; and one in &apos;%3&apos;; keep one of them</source>
        <translation>hat eine Nachricht %1 mit zwei verschiedenen Gedanken, einem in &apos;%2&apos; und einem in &apos;%3&apos;; einer davon soll bleiben</translation>
    </message>
    <message>
        <source>has a message %1 with a thought behind other parts of its content; a thought stands before them</source>
        <translation>hat eine Nachricht %1 mit einem Gedanken hinter anderen Teilen ihres Inhalts; ein Gedanke steht vor ihnen</translation>
    </message>
    <message>
        <source>has a message %1 with a text behind a call of a tool; give the text a message of its own</source>
        <translation>hat eine Nachricht %1 mit einem Text hinter einem Werkzeugaufruf; der Text braucht eine eigene Nachricht</translation>
    </message>
    <message>
        <source>has a message %1 from &apos;%2&apos;, which is no role that we know</source>
        <translation>hat eine Nachricht %1 von &apos;%2&apos;, einer unbekannten Rolle</translation>
    </message>
    <message>
        <source>has a message %1 with a function call that is not valid JSON from character %2 on</source>
        <translation>hat eine Nachricht %1 mit einem Funktionsaufruf, der ab Zeichen %2 kein gültiges JSON ist</translation>
    </message>
    <message>
        <source>has a message %1 with a function call without a name</source>
        <translation>hat eine Nachricht %1 mit einem Funktionsaufruf ohne Namen</translation>
    </message>
    <message>
        <source>has a message %1 that is not an object</source>
        <translation>hat eine Nachricht %1, die kein Objekt ist</translation>
    </message>
    <message>
        <source>has a message %1 without a role</source>
        <translation>hat eine Nachricht %1 ohne Rolle</translation>
    </message>
    <message>
        <source>has a message %1 with the outdated &apos;function_call&apos;; use &apos;tool_calls&apos;</source>
        <translation>hat eine Nachricht %1 mit dem veralteten &apos;function_call&apos;; &apos;tool_calls&apos; verwenden</translation>
    </message>
    <message>
        <source>has a message %1 without content</source>
        <translation>hat eine Nachricht %1 ohne Inhalt</translation>
    </message>
    <message>
        <source>has a message %1 without &apos;%2&apos;</source>
        <translation>hat eine Nachricht %1 ohne &apos;%2&apos;</translation>
    </message>
    <message>
        <source>has an assistant&apos;s turn (message %1) that says nothing</source>
        <translation>hat einen Beitrag des Assistenten (Nachricht %1), der nichts sagt</translation>
    </message>
    <message>
        <source>has no assistant&apos;s turn, but turns of: %1</source>
        <translation>hat keinen Beitrag des Assistenten, sondern Beiträge von: %1</translation>
    </message>
    <message>
        <source>is refused by the chat template: %1</source>
        <translation>wird von der Chatvorlage abgelehnt: %1</translation>
    </message>
    <message>
        <source>takes too long: %1</source>
        <translation>dauert zu lange: %1</translation>
    </message>
    <message>
        <source>is too long for the model&apos;s tokenizer, which takes such a text only as a whole: split it into several rows</source>
        <translation>ist zu lang für den Tokenizer des Modells, der einen solchen Text nur als Ganzes nimmt: auf mehrere Zeilen aufteilen</translation>
    </message>
    <message>
        <source>cannot be masked turn by turn: the chat template marks %1 spans for %2 turns of the assistant</source>
        <translation>lässt sich nicht Beitrag für Beitrag maskieren: Die Chatvorlage markiert %1 Stellen für %2 Beiträge des Assistenten</translation>
    </message>
    <message>
        <source>cannot be masked: &apos;%1&apos; (data.turn_begin) stands %2 times in its text, but the assistant has %3 turns</source>
        <translation>lässt sich nicht maskieren: &apos;%1&apos; (data.turn_begin) steht %2-mal im Text, der Assistent hat aber %3 Beiträge</translation>
    </message>
    <message>
        <source>cannot be masked: the chat template does not print the assistant&apos;s turn once, in its place (message %1)</source>
        <translation>lässt sich nicht maskieren: Die Chatvorlage gibt den Beitrag des Assistenten nicht genau einmal an seiner Stelle aus (Nachricht %1)</translation>
    </message>
    <message>
        <source>cannot be masked: the chat template does not print the assistant&apos;s thought once, before its answer (message %1)</source>
        <translation>lässt sich nicht maskieren: Die Chatvorlage gibt den Gedanken des Assistenten nicht genau einmal vor seiner Antwort aus (Nachricht %1)</translation>
    </message>
    <message>
        <source>cannot be masked: the chat template changes what stands around the assistant&apos;s turn (message %1)</source>
        <translation>lässt sich nicht maskieren: Die Chatvorlage ändert, was um den Beitrag des Assistenten steht (Nachricht %1)</translation>
    </message>
    <message>
        <source>cannot be masked: the chat template can be read in two ways around the assistant&apos;s turn (message %1)</source>
        <translation>lässt sich nicht maskieren: Die Chatvorlage ist um den Beitrag des Assistenten auf zwei Arten lesbar (Nachricht %1)</translation>
    </message>
    <message>
        <source>cannot be masked: the chat template rewrites the assistant&apos;s turn (message %1)</source>
        <translation>lässt sich nicht maskieren: Die Chatvorlage schreibt den Beitrag des Assistenten um (Nachricht %1)</translation>
    </message>
    <message>
        <source>cannot be masked: with its turns replaced, it %1</source>
        <translation>lässt sich nicht maskieren; mit ersetzten Beiträgen gilt: %1</translation>
    </message>
    <message>
        <source>has %1 tokens, more than %2</source>
        <translation>hat %1 Token, mehr als %2</translation>
    </message>
    <message>
        <source>has %1 tokens, and none of the first %2 is trained</source>
        <translation>hat %1 Token, und keines der ersten %2 wird trainiert</translation>
    </message>
    <message>
        <source>has no trained token</source>
        <translation>hat kein trainiertes Token</translation>
    </message>
    <message>
        <source>Message %1 spells out %2, which becomes the special token itself.</source>
        <translation>Nachricht %1 schreibt %2 aus, was zum Spezialtoken selbst wird.</translation>
    </message>
    <message>
        <source>%1 of the trained turns has no special token at the end: the model does not learn to stop.</source>
        <translation>%1 der trainierten Beiträge hat am Ende kein Spezialtoken: Das Modell lernt nicht aufzuhören.</translation>
    </message>
    <message>
        <source>%1 of the trained turns have no special token at the end: the model does not learn to stop.</source>
        <translation>%1 der trainierten Beiträge haben am Ende kein Spezialtoken: Das Modell lernt nicht aufzuhören.</translation>
    </message>
    <message>
        <source>The text has no %1 at its start, which the tokenizer puts before other texts.</source>
        <translation>Dem Text fehlt am Anfang %1, das der Tokenizer anderen Texten voranstellt.</translation>
    </message>
    <message>
        <source>The text starts with two %1.</source>
        <translation>Der Text beginnt mit zwei %1.</translation>
    </message>
    <message>
        <source>it has &apos;%1&apos;</source>
        <translation>es gibt &apos;%1&apos;</translation>
    </message>
    <message>
        <source>it has &apos;%1&apos; and &apos;%2&apos;</source>
        <translation>es gibt &apos;%1&apos; und &apos;%2&apos;</translation>
    </message>
    <message>
        <source>is hidden</source>
        <translation>ist verborgen</translation>
    </message>
    <message>
        <source>describes a data set</source>
        <translation>beschreibt einen Datensatz</translation>
    </message>
    <message>
        <source>is a text beside files with rows</source>
        <translation>ist ein Text neben Dateien mit Zeilen</translation>
    </message>
    <message>
        <source>has an ending that we do not know</source>
        <translation>hat eine unbekannte Endung</translation>
    </message>
    <message>
        <source>There is no trained token in the data.</source>
        <translation>In den Daten gibt es kein trainiertes Token.</translation>
    </message>
    <message>
        <source>Only %1 of %2 tokens (%3 %) would be trained, less than %4 %.</source>
        <translation>Nur %1 von %2 Token (%3 %) würden trainiert, weniger als %4 %.</translation>
    </message>
    <message>
        <source>left out by choice</source>
        <translation>auf Wunsch ausgelassen</translation>
    </message>
    <message>
        <source>is left out: the same as row %1 of &apos;%2&apos;</source>
        <translation>ist ausgelassen: dieselbe wie Zeile %1 in „%2“</translation>
    </message>
    <message>
        <source>is left out: nearly the same as row %1 of &apos;%2&apos;</source>
        <translation>ist ausgelassen: beinahe dieselbe wie Zeile %1 in „%2“</translation>
    </message>
    <message>
        <source>is left out: to validate on, and the same as row %1 of &apos;%2&apos;</source>
        <translation>ist ausgelassen: zum Validieren, und dieselbe wie Zeile %1 in „%2“</translation>
    </message>
    <message>
        <source>is left out: to validate on, and nearly the same as row %1 of &apos;%2&apos;</source>
        <translation>ist ausgelassen: zum Validieren, und beinahe dieselbe wie Zeile %1 in „%2“</translation>
    </message>
    <message>
        <source>is left out: it has a message that says nothing</source>
        <translation>ist ausgelassen: eine Nachricht sagt nichts</translation>
    </message>
    <message>
        <source>is left out: it was chosen itself</source>
        <translation>ist ausgelassen: sie wurde selbst gewählt</translation>
    </message>
    <message>
        <source>%1 of the rows to leave out (data.leave_out_rows) stand no longer in the data, &apos;%2&apos; for one.</source>
        <translation>%1 der auszulassenden Zeilen (data.leave_out_rows) stehen nicht mehr in den Daten, zum Beispiel „%2“.</translation>
    </message>
    <message>
        <source>rejected answer</source>
        <translation>abgelehnte Antwort</translation>
    </message>
    <message>
        <source>has &apos;%1&apos;: %2, so its answer is one not to learn</source>
        <translation>hat „%1“: %2, ihre Antwort soll also nicht gelernt werden</translation>
    </message>
    <message>
        <source>cannot be masked: where the chat template prints a tool&apos;s answer cannot be told (message %1)</source>
        <translation>lässt sich nicht maskieren: Wo die Chatvorlage die Antwort eines Werkzeugs ausgibt, ist nicht zu erkennen (Nachricht %1)</translation>
    </message>
    <message>
        <source>cannot be masked: the chat template prints a tool&apos;s answer within the assistant&apos;s turn, and no end before it</source>
        <translation>lässt sich nicht maskieren: Die Chatvorlage gibt die Antwort eines Werkzeugs im Beitrag des Assistenten aus, und kein Ende davor</translation>
    </message>
    <message>
        <source>cannot be masked: message %1 spells out &apos;%2&apos;, and where it stands in the text cannot be told</source>
        <translation>lässt sich nicht maskieren: Nachricht %1 enthält „%2“ ausgeschrieben, und wo sie im Text steht, ist nicht zu erkennen</translation>
    </message>
    <message>
        <source>%1 of the trained turns has nothing but its end: the model learns to say nothing.</source>
        <translation>%1 der trainierten Beiträge hat nichts als sein Ende: Das Modell lernt, nichts zu sagen.</translation>
    </message>
    <message>
        <source>%1 of the trained turns have nothing but their ends: the model learns to say nothing.</source>
        <translation>%1 der trainierten Beiträge haben nichts als ihr Ende: Das Modell lernt, nichts zu sagen.</translation>
    </message>
    <message>
        <source>and others are not read: the file is an object, of which one list holds rows, and others stand beside it</source>
        <translation>und weitere werden nicht gelesen: Die Datei ist ein Objekt, in dem eine Liste die Zeilen enthält, und daneben stehen weitere</translation>
    </message>
    <message>
        <source>is never closed: the file ends within the object</source>
        <translation>wird nie geschlossen: Die Datei endet innerhalb des Objekts</translation>
    </message>
    <message>
        <source>holds a zero byte at position %1 of column &apos;%2&apos;, as binary files and UTF-16 do</source>
        <translation>enthält an Stelle %1 der Spalte &apos;%2&apos; ein Nullbyte, wie Binärdateien und UTF-16</translation>
    </message>
    <message>
        <source>is plain text, which has no place for a system prompt (data.system_prompt)</source>
        <translation>ist reiner Text, der keinen Platz für einen System-Prompt hat (data.system_prompt)</translation>
    </message>
    <message>
        <source>is of a format that has no prompt to fill in (data.prompt_template)</source>
        <translation>hat ein Format ohne Prompt, der auszufüllen wäre (data.prompt_template)</translation>
    </message>
    <message>
        <source>is refused by the chat template, which asks for tools: give the row a field &apos;tools&apos;, [] where it has none</source>
        <translation>wird von der Chatvorlage abgelehnt, die nach Werkzeugen fragt: der Zeile ein Feld &apos;tools&apos; geben, [], wo sie keine hat</translation>
    </message>
    <message>
        <source>The text becomes %1 pieces of at most %2 tokens; each but the first begins with %3 of the one before, as context.</source>
        <translation>Der Text wird zu %1 Stücken von höchstens %2 Token; jedes außer dem ersten beginnt mit %3 des vorigen, als Kontext.</translation>
    </message>
    <message>
        <source>is not among the data files that its folder&apos;s state.json lists</source>
        <translation>gehört nicht zu den Datendateien, die die state.json ihres Ordners aufzählt</translation>
    </message>
    <message>
        <source>is empty</source>
        <translation>ist leer</translation>
    </message>
    <message>
        <source>Not used: thoughts, as the chat template does not print them (message %1).</source>
        <translation>Nicht benutzt: Gedanken, da die Chatvorlage sie nicht ausgibt (Nachricht %1).</translation>
    </message>
    <message>
        <source>Not used: texts, as the chat template does not print them (message %1).</source>
        <translation>Nicht benutzt: Texte, da die Chatvorlage sie nicht ausgibt (Nachricht %1).</translation>
    </message>
    <message>
        <source>Not used: the tools, as the chat template does not print them.</source>
        <translation>Nicht benutzt: die Werkzeuge, da die Chatvorlage sie nicht ausgibt.</translation>
    </message>
    <message>
        <source>Not used: the model&apos;s chat template, as the row is plain text.</source>
        <translation>Nicht benutzt: die Chatvorlage des Modells, da die Zeile reiner Text ist.</translation>
    </message>
    <message>
        <source>Not used: the turns of a chat that is rendered already, as all of its text is trained. To train the answers alone, set data.turn_begin to &apos;%1&apos; and data.turn_end to &apos;%2&apos;.</source>
        <translation>Nicht benutzt: die Beiträge eines Chats, der schon gesetzt ist, da sein ganzer Text trainiert wird. Um nur die Antworten zu trainieren, data.turn_begin auf &apos;%1&apos; und data.turn_end auf &apos;%2&apos; setzen.</translation>
    </message>
    <message>
        <source>thoughts, as the chat template does not print them</source>
        <translation>Gedanken, da die Chatvorlage sie nicht ausgibt</translation>
    </message>
    <message>
        <source>texts, such as those beside tool calls, as the chat template does not print them</source>
        <translation>Texte, etwa neben Werkzeugaufrufen, da die Chatvorlage sie nicht ausgibt</translation>
    </message>
    <message>
        <source>tools, as the chat template does not print them</source>
        <translation>Werkzeuge, da die Chatvorlage sie nicht ausgibt</translation>
    </message>
    <message>
        <source>the model&apos;s chat template, as prompt and completion are plain text; to make chats of them, set data.format to &apos;alpaca&apos; and data.columns to &apos;%1&apos;</source>
        <translation>die Chatvorlage des Modells, da Prompt und Fortsetzung reiner Text sind; um Chats daraus zu machen, data.format auf &apos;alpaca&apos; und data.columns auf &apos;%1&apos; setzen</translation>
    </message>
    <message>
        <source>the model&apos;s chat template, as the rows are plain text</source>
        <translation>die Chatvorlage des Modells, da die Zeilen reiner Text sind</translation>
    </message>
    <message>
        <source>the turns of chats that are rendered already, as all of their text is trained; to train the answers alone, set data.turn_begin to &apos;%1&apos; and data.turn_end to &apos;%2&apos;</source>
        <translation>die Beiträge von Chats, die schon gesetzt sind, da ihr ganzer Text trainiert wird; um nur die Antworten zu trainieren, data.turn_begin auf &apos;%1&apos; und data.turn_end auf &apos;%2&apos; setzen</translation>
    </message>
    <message>
        <source>is for testing, by its name</source>
        <translation>ist dem Namen nach zum Testen</translation>
    </message>
    <message>
        <source>is for validation, by its name, and data.validation_file names another</source>
        <translation>ist dem Namen nach zum Validieren, und data.validation_file nennt eine andere</translation>
    </message>
    <message>
        <source>Not used: the turns of a chat that is rendered already, in the form of %1, as all of its text is trained. To train the answers alone, set data.turn_begin to &apos;%2&apos; and data.turn_end to &apos;%3&apos;.</source>
        <translation>Nicht benutzt: die Beiträge eines Chats, der schon gesetzt ist, in der Form von %1, da sein ganzer Text trainiert wird. Um nur die Antworten zu trainieren, data.turn_begin auf &apos;%2&apos; und data.turn_end auf &apos;%3&apos; setzen.</translation>
    </message>
    <message>
        <source>Not used: the model&apos;s chat template, as the prompt is rendered already, in the form of %1.</source>
        <translation>Nicht benutzt: die Chatvorlage des Modells, da der Prompt schon gesetzt ist, in der Form von %1.</translation>
    </message>
    <message>
        <source>the turns of chats that are rendered already, in the form of %1, as all of their text is trained; to train the answers alone, set data.turn_begin to &apos;%2&apos; and data.turn_end to &apos;%3&apos;; a model with a chat template of its own is better given the chats as messages</source>
        <translation>die Beiträge von Chats, die schon gesetzt sind, in der Form von %1, da ihr ganzer Text trainiert wird; um nur die Antworten zu trainieren, data.turn_begin auf &apos;%2&apos; und data.turn_end auf &apos;%3&apos; setzen; einem Modell mit eigener Chatvorlage gibt man die Chats besser als Nachrichten</translation>
    </message>
    <message>
        <source>the model&apos;s chat template, as the prompts are rendered already, in the form of %1</source>
        <translation>die Chatvorlage des Modells, da die Prompts schon gesetzt sind, in der Form von %1</translation>
    </message>
    <message>
        <source>tool call not printed</source>
        <translation>Werkzeugaufruf nicht ausgegeben</translation>
    </message>
    <message>
        <source>has a tool call that the chat template does not print (message %1)</source>
        <translation>hat einen Werkzeugaufruf, den die Chatvorlage nicht ausgibt (Nachricht %1)</translation>
    </message>
    <message>
        <source>has a tool call whose arguments the chat template does not print (message %1)</source>
        <translation>hat einen Werkzeugaufruf, dessen Argumente die Chatvorlage nicht ausgibt (Nachricht %1)</translation>
    </message>
    <message>
        <source>Not used: the system&apos;s words of the row&apos;s column, as its messages begin with words of the system.</source>
        <translation>Nicht benutzt: der System-Prompt aus der Spalte der Zeile, da ihre Nachrichten mit einem System-Prompt beginnen.</translation>
    </message>
    <message>
        <source>the system&apos;s words of a column, as the messages beside it begin with words of the system</source>
        <translation>der System-Prompt einer Spalte, da die Nachrichten daneben mit einem System-Prompt beginnen</translation>
    </message>
    <message>
        <source>is not valid UTF-8: byte 0x%1 at position %2; save the file as UTF-8</source>
        <translation>ist kein gültiges UTF-8: Byte 0x%1 an Stelle %2; die Datei als UTF-8 speichern</translation>
    </message>
    <message>
        <source>is not valid UTF-8: byte 0x%1 at position %2 of column &apos;%3&apos;; save the file as UTF-8</source>
        <translation>ist kein gültiges UTF-8: Byte 0x%1 an Stelle %2 der Spalte &apos;%3&apos;; die Datei als UTF-8 speichern</translation>
    </message>
    <message>
        <source>has quotes in column %1 that are written with a backslash; CSV writes them twice</source>
        <translation>hat in Spalte %1 Anführungszeichen mit einem umgekehrten Schrägstrich davor; CSV schreibt sie doppelt</translation>
    </message>
    <message>
        <source>has a message %1 with a tool call whose arguments are not valid JSON from character %2 on; where there are none, they are {}</source>
        <translation>hat eine Nachricht %1 mit einem Werkzeugaufruf, dessen Argumente ab Zeichen %2 kein gültiges JSON sind; wo es keine gibt, sind sie {}</translation>
    </message>
    <message>
        <source>has a message %1 with a tool call whose arguments are %2, not an object of their names and values; where there are none, they are {}</source>
        <translation>hat eine Nachricht %1 mit einem Werkzeugaufruf, dessen Argumente %2 sind, kein Objekt ihrer Namen und Werte; wo es keine gibt, sind sie {}</translation>
    </message>
    <message>
        <source>Not used: columns that nothing reads: %1.</source>
        <translation>Nicht benutzt: Spalten, die nichts liest: %1.</translation>
    </message>
    <message>
        <source>labels that do not say whether the answer is a good one, though those of other rows do; such rows are trained</source>
        <translation>Labels, die nicht sagen, ob die Antwort gut ist, obwohl die anderer Zeilen es tun; solche Zeilen werden trainiert</translation>
    </message>
    <message>
        <source>has another number of columns (%2) than the header (%1); a cell that holds the delimiter stands in quotes</source>
        <translation>hat eine andere Zahl von Spalten (%2) als die Kopfzeile (%1); eine Zelle, die das Trennzeichen enthält, steht in Anführungszeichen</translation>
    </message>
    <message>
        <source>has text behind the closing quote of column %1; a cell with quotes in it stands in quotes, and each of them is written twice</source>
        <translation>hat in Spalte %1 Text hinter dem schließenden Anführungszeichen; eine Zelle mit Anführungszeichen darin steht in Anführungszeichen, und jedes davon wird doppelt geschrieben</translation>
    </message>
    <message>
        <source>has a message %1 with a thought that is never closed: a %2 and no %3 behind it</source>
        <translation>hat eine Nachricht %1 mit einem Gedanken, der nie geschlossen wird: ein %2 und kein %3 dahinter</translation>
    </message>
    <message>
        <source>has a message %1 with a &apos;%2&apos; in its &apos;%3&apos;, where the thought would end; what is behind it is the content</source>
        <translation>hat eine Nachricht %1 mit einem &apos;%2&apos; in ihrem &apos;%3&apos;, wo der Gedanke enden würde; was dahinter steht, gehört in den Inhalt</translation>
    </message>
    <message>
        <source>has a message %1 with a tool call that says two things, in &apos;%2&apos; and in &apos;%3&apos;; keep one of them</source>
        <translation>hat eine Nachricht %1 mit einem Werkzeugaufruf, der in &apos;%2&apos; und in &apos;%3&apos; Verschiedenes sagt; eines davon soll bleiben</translation>
    </message>
    <message>
        <source>has a message %1 with a tool call without &apos;arguments&apos;, but with &apos;%2&apos;, which is not understood; what the function is given stands in &apos;arguments&apos;, {} where it is given nothing</source>
        <translation>hat eine Nachricht %1 mit einem Werkzeugaufruf ohne &apos;arguments&apos;, aber mit &apos;%2&apos;, was nicht verstanden wird; was die Funktion bekommt, steht in &apos;arguments&apos;, {}, wo es nichts ist</translation>
    </message>
    <message>
        <source>Not used: what stands beside &apos;role&apos; or &apos;content&apos; under another name, and says something else (message %1).</source>
        <translation>Nicht benutzt: was neben &apos;role&apos; oder &apos;content&apos; unter einem anderen Namen steht und etwas anderes sagt (Nachricht %1).</translation>
    </message>
    <message>
        <source>Not used: &lt;think&gt; or [THINK] as the beginning of a thought, as nothing closes it; what follows is trained as the answer (message %1).</source>
        <translation>Nicht benutzt: &lt;think&gt; oder [THINK] als Anfang eines Gedankens, da nichts ihn schließt; was folgt, wird als Antwort trainiert (Nachricht %1).</translation>
    </message>
    <message>
        <source>Not used: the turns of a chat that is rendered already, in the form of %1, as all of its text is trained. Of its answers only the last has an end, that of the text: to train it alone, set data.turn_begin to &apos;%2&apos;, data.turn_end to &apos;%3&apos; and data.train_on to &apos;last-assistant&apos;.</source>
        <translation>Nicht benutzt: die Beiträge eines Chats, der schon gesetzt ist, in der Form von %1, da sein ganzer Text trainiert wird. Von seinen Antworten hat nur die letzte ein Ende, das des Textes: um nur sie zu trainieren, data.turn_begin auf &apos;%2&apos;, data.turn_end auf &apos;%3&apos; und data.train_on auf &apos;last-assistant&apos; setzen.</translation>
    </message>
    <message>
        <source>what stands beside a message&apos;s &apos;role&apos; or &apos;content&apos; under another name, and says something else</source>
        <translation>was neben &apos;role&apos; oder &apos;content&apos; einer Nachricht unter einem anderen Namen steht und etwas anderes sagt</translation>
    </message>
    <message>
        <source>&lt;think&gt; or [THINK] as the beginning of a thought, as nothing closes it; what follows is trained as the answer</source>
        <translation>&lt;think&gt; oder [THINK] als Anfang eines Gedankens, da nichts ihn schließt; was folgt, wird als Antwort trainiert</translation>
    </message>
    <message>
        <source>the turns of chats that are rendered already, in the form of %1, as all of their text is trained; of their answers only the last has an end, that of the text: to train it alone, set data.turn_begin to &apos;%2&apos;, data.turn_end to &apos;%3&apos; and data.train_on to &apos;last-assistant&apos;, or give the chats as messages to a model with a chat template</source>
        <translation>die Beiträge von Chats, die schon gesetzt sind, in der Form von %1, da ihr ganzer Text trainiert wird; von ihren Antworten hat nur die letzte ein Ende, das des Textes: um nur sie zu trainieren, data.turn_begin auf &apos;%2&apos;, data.turn_end auf &apos;%3&apos; und data.train_on auf &apos;last-assistant&apos; setzen, oder die Chats einem Modell mit Chatvorlage als Nachrichten geben</translation>
    </message>
    <message>
        <source>has a number that is too large, %2 at character %1; in quotes it is a text</source>
        <translation>hat eine Zahl, die zu groß ist, %2 an Zeichen %1; in Anführungszeichen ist sie ein Text</translation>
    </message>
    <message>
        <source>is not valid JSON: at character %1 begins a comment, which JSON does not have</source>
        <translation>ist kein gültiges JSON: An Zeichen %1 beginnt ein Kommentar, den es in JSON nicht gibt</translation>
    </message>
    <message>
        <source>has a number that is too large, %3 in its line %1, at character %2; in quotes it is a text</source>
        <translation>hat eine Zahl, die zu groß ist, %3 in Textzeile %1 davon, an Zeichen %2; in Anführungszeichen ist sie ein Text</translation>
    </message>
    <message>
        <source>is not valid JSON: in its line %1, at character %2, begins a comment, which JSON does not have</source>
        <translation>ist kein gültiges JSON: In Textzeile %1 davon, an Zeichen %2, beginnt ein Kommentar, den es in JSON nicht gibt</translation>
    </message>
    <message>
        <source>has two fields &apos;%1&apos; that say different things; keep one of them</source>
        <translation>hat zwei Felder &apos;%1&apos;, die Verschiedenes sagen; eines davon behalten</translation>
    </message>
    <message>
        <source>Message %1 spells out %2, a mark of other models&apos; chat templates: this model has no such token and takes it as letters.</source>
        <translation>Nachricht %1 schreibt %2 aus, eine Marke der Chatvorlagen anderer Modelle: Dieses Modell hat kein solches Token und nimmt sie als Buchstaben.</translation>
    </message>
    <message>
        <source>The text ends with %1, as other models end their turns: this model has no such token and takes it as letters.</source>
        <translation>Der Text endet mit %1, wie andere Modelle ihre Beiträge beenden: Dieses Modell hat kein solches Token und nimmt es als Buchstaben.</translation>
    </message>
    <message>
        <source>Not used: &lt;/think&gt; as words of an answer, as the chat template takes what stands before it as a thought (message %1).</source>
        <translation>Nicht benutzt: &lt;/think&gt; als Worte einer Antwort, da die Chatvorlage für einen Gedanken hält, was davor steht (Nachricht %1).</translation>
    </message>
    <message>
        <source>Not used: a call written out in words, as the same call stands in &apos;tool_calls&apos;: both are trained (message %1).</source>
        <translation>Nicht benutzt: ein in Worten ausgeschriebener Aufruf, da derselbe in &apos;tool_calls&apos; steht: Beide werden trainiert (Nachricht %1).</translation>
    </message>
    <message>
        <source>Not used: the turns of a chat that is rendered already, in the form of %1, as all of its text is trained. It ends with %2, which this model takes as letters, so no setting trains its answers with an end: give the chat as messages to a model with a chat template.</source>
        <translation>Nicht benutzt: die Beiträge eines Chats, der schon gesetzt ist, in der Form von %1, da sein ganzer Text trainiert wird. Er endet mit %2, was dieses Modell als Buchstaben nimmt; keine Einstellung trainiert seine Antworten mit einem Ende: den Chat einem Modell mit Chatvorlage als Nachrichten geben.</translation>
    </message>
    <message>
        <source>&lt;/think&gt; as words of an answer, as the chat template takes what stands before it as a thought</source>
        <translation>&lt;/think&gt; als Worte einer Antwort, da die Chatvorlage für einen Gedanken hält, was davor steht</translation>
    </message>
    <message>
        <source>calls written out in words, as the same calls stand in &apos;tool_calls&apos;: both are trained</source>
        <translation>in Worten ausgeschriebene Aufrufe, da dieselben in &apos;tool_calls&apos; stehen: Beide werden trainiert</translation>
    </message>
    <message>
        <source>marks of other models&apos; chat templates, such as [INST] or &lt;/s&gt;, as this model has no such tokens and takes them as letters</source>
        <translation>Marken der Chatvorlagen anderer Modelle, wie [INST] oder &lt;/s&gt;, da dieses Modell keine solchen Token hat und sie als Buchstaben nimmt</translation>
    </message>
    <message>
        <source>the turns of chats that are rendered already, in the form of %1, as all of their text is trained; they end with another model&apos;s mark of an end, which this model takes as letters, so no setting trains their answers with an end: give the chats as messages to a model with a chat template</source>
        <translation>die Beiträge von Chats, die schon gesetzt sind, in der Form von %1, da ihr ganzer Text trainiert wird; sie enden mit der Endmarke eines anderen Modells, die dieses als Buchstaben nimmt, so dass keine Einstellung ihre Antworten mit einem Ende trainiert: die Chats einem Modell mit Chatvorlage als Nachrichten geben</translation>
    </message>
    <message>
        <source>Not used: splitting (data.over_length), as a part of the row is not trained: it is cut off.</source>
        <translation>Nicht benutzt: das Teilen (data.over_length), da ein Teil der Zeile nicht trainiert wird: sie wird abgeschnitten.</translation>
    </message>
    <message>
        <source>Not used: data.delimiter, as the row stands in no CSV or TSV file.</source>
        <translation>Nicht benutzt: data.delimiter, da die Zeile in keiner CSV- oder TSV-Datei steht.</translation>
    </message>
    <message>
        <source>Not used: data.header, as the row stands in no CSV or TSV file.</source>
        <translation>Nicht benutzt: data.header, da die Zeile in keiner CSV- oder TSV-Datei steht.</translation>
    </message>
    <message>
        <source>splitting (data.over_length), as a part of each of these rows is not trained: they are cut off</source>
        <translation>das Teilen (data.over_length), da ein Teil jeder dieser Zeilen nicht trainiert wird: sie werden abgeschnitten</translation>
    </message>
    <message>
        <source>data.delimiter, as the rows stand in no CSV or TSV file</source>
        <translation>data.delimiter, da die Zeilen in keiner CSV- oder TSV-Datei stehen</translation>
    </message>
    <message>
        <source>data.header, as the rows stand in no CSV or TSV file</source>
        <translation>data.header, da die Zeilen in keiner CSV- oder TSV-Datei stehen</translation>
    </message>
</context>
<context>
    <name>RunEnd</name>
    <message>
        <source>The run</source>
        <translation>Der Lauf</translation>
    </message>
    <message>
        <source>%1 was stopped.</source>
        <translation>%1 wurde angehalten.</translation>
    </message>
    <message>
        <source>%1 is ready.</source>
        <translation>%1 ist fertig.</translation>
    </message>
    <message>
        <source>%1 has failed.</source>
        <translation>%1 ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>Loss %1 → %2.</source>
        <translation>Loss %1 → %2.</translation>
    </message>
</context>
<context>
    <name>RunHistory</name>
    <message>
        <source>Gradient norm</source>
        <translation>Gradientennorm</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>Token pro Sekunde</translation>
    </message>
    <message>
        <source>Device memory (GiB)</source>
        <translation>Gerätespeicher (GiB)</translation>
    </message>
    <message>
        <source>Host memory (GiB)</source>
        <translation>Host-Speicher (GiB)</translation>
    </message>
    <message>
        <source>Links up (GB/s)</source>
        <translation>Verbindungen hoch (GB/s)</translation>
    </message>
    <message>
        <source>Links down (GB/s)</source>
        <translation>Verbindungen herunter (GB/s)</translation>
    </message>
    <message>
        <source>GPU temperature (°C)</source>
        <translation>GPU-Temperatur (°C)</translation>
    </message>
    <message>
        <source>GPU power (W)</source>
        <translation>GPU-Leistung (W)</translation>
    </message>
    <message>
        <source>GPU clock (MHz)</source>
        <translation>GPU-Takt (MHz)</translation>
    </message>
    <message>
        <source>GPU memory clock (MHz)</source>
        <translation>GPU-Speichertakt (MHz)</translation>
    </message>
    <message>
        <source>The run ended before its first step.</source>
        <translation>Der Lauf endete vor seinem ersten Schritt.</translation>
    </message>
    <message>
        <source>Begins with the first step.</source>
        <translation>Beginnt mit dem ersten Schritt.</translation>
    </message>
    <message>
        <source>The run ended before its devices were open.</source>
        <translation>Der Lauf endete, bevor seine Geräte offen waren.</translation>
    </message>
    <message>
        <source>Begins when the devices are open.</source>
        <translation>Beginnt, wenn die Geräte offen sind.</translation>
    </message>
    <message>
        <source>No device of this run says this of itself.</source>
        <translation>Kein Gerät dieses Laufs sagt das von sich.</translation>
    </message>
    <message>
        <source>run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>seitengesperrt</translation>
    </message>
</context>
<context>
    <name>RunSpec</name>
    <message>
        <source>Host memory</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>GiB of the machine&apos;s memory that it may be planned with, where the system says less than there is or other programs need some; 0: what it says is free.</source>
        <translation>GiB des Arbeitsspeichers, mit denen geplant werden darf, wo das System weniger nennt, als es gibt, oder andere Programme welchen brauchen; 0: was es als frei nennt.</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>Format version</source>
        <translation>Formatversion</translation>
    </message>
    <message>
        <source>Version of this file&apos;s format.</source>
        <translation>Version des Formats dieser Datei.</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>What the run is called in lists.</source>
        <translation>Wie der Lauf in Listen heißt.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Decides the order of rows, dropout and fresh weights.</source>
        <translation>Bestimmt die Reihenfolge der Zeilen, Dropout und neue Gewichte.</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>What is trained: lora, adapters beside the frozen weights; full, the weights themselves.</source>
        <translation>Was trainiert wird: LoRA, Adapter neben den eingefrorenen Gewichten; voll, die Gewichte selbst.</translation>
    </message>
    <message>
        <source>Model folder</source>
        <translation>Modellordner</translation>
    </message>
    <message>
        <source>Hugging Face folder with config.json and safetensors.</source>
        <translation>Hugging-Face-Ordner mit config.json und safetensors.</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>Chatvorlage</translation>
    </message>
    <message>
        <source>Template file that replaces the model folder&apos;s own.</source>
        <translation>Vorlagendatei, die an die Stelle der Vorlage des Modellordners tritt.</translation>
    </message>
    <message>
        <source>Template arguments</source>
        <translation>Argumente der Vorlage</translation>
    </message>
    <message>
        <source>JSON object of extra variables for the template.</source>
        <translation>JSON-Objekt mit zusätzlichen Variablen für die Vorlage.</translation>
    </message>
    <message>
        <source>Random weights</source>
        <translation>Zufällige Gewichte</translation>
    </message>
    <message>
        <source>Make the weights from config.json alone, by the seed (for benchmarks).</source>
        <translation>Die Gewichte allein aus config.json und dem Startwert erzeugen (für Messungen).</translation>
    </message>
    <message>
        <source>Base model id</source>
        <translation>Kennung des Basismodells</translation>
    </message>
    <message>
        <source>Name of the base model that is written into the adapter; empty: the folder.</source>
        <translation>Name des Basismodells, der in den Adapter geschrieben wird; leer: der Ordner.</translation>
    </message>
    <message>
        <source>Base model revision</source>
        <translation>Revision des Basismodells</translation>
    </message>
    <message>
        <source>Revision of the base model that is written into the adapter.</source>
        <translation>Revision des Basismodells, die in den Adapter geschrieben wird.</translation>
    </message>
    <message>
        <source>Data files</source>
        <translation>Datendateien</translation>
    </message>
    <message>
        <source>Files or folders with training rows: JSONL, JSON, CSV, TSV, Parquet, text; also .gz and .zst.</source>
        <translation>Dateien oder Ordner mit Trainingszeilen: JSONL, JSON, CSV, TSV, Parquet, Text; auch .gz und .zst.</translation>
    </message>
    <message>
        <source>Row format</source>
        <translation>Zeilenformat</translation>
    </message>
    <message>
        <source>How a row is read; auto looks at its columns.</source>
        <translation>Wie eine Zeile gelesen wird; bei „automatisch“ entscheiden ihre Spalten.</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Fields that stand in columns of another name: prompt=question,completion=answer.</source>
        <translation>Felder, deren Spalten anders heißen: prompt=question,completion=answer.</translation>
    </message>
    <message>
        <source>Validation file</source>
        <translation>Validierungsdatei</translation>
    </message>
    <message>
        <source>Validation share</source>
        <translation>Validierungsanteil</translation>
    </message>
    <message>
        <source>Validation rows at most</source>
        <translation>Höchstzahl Validierungszeilen</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Tokens of an example at most.</source>
        <translation>Höchstzahl der Token eines Beispiels.</translation>
    </message>
    <message>
        <source>Longer rows</source>
        <translation>Längere Zeilen</translation>
    </message>
    <message>
        <source>Train on</source>
        <translation>Weiter trainieren</translation>
    </message>
    <message>
        <source>Which tokens the loss counts.</source>
        <translation>Welche Token im Loss zählen.</translation>
    </message>
    <message>
        <source>Turn begins after</source>
        <translation>Antwort beginnt nach</translation>
    </message>
    <message>
        <source>Text that stands before each of the assistant&apos;s turns (\n: line feed); empty: the template tells.</source>
        <translation>Text vor jedem Beitrag des Assistenten (\n: Zeilenvorschub); leer: die Vorlage sagt es.</translation>
    </message>
    <message>
        <source>Turn ends before</source>
        <translation>Antwort endet vor</translation>
    </message>
    <message>
        <source>Text that stands after each of the assistant&apos;s turns; given together with the one before.</source>
        <translation>Text nach jedem Beitrag des Assistenten; zusammen mit dem davor anzugeben.</translation>
    </message>
    <message>
        <source>Trained share at least</source>
        <translation>Mindestanteil trainierter Token</translation>
    </message>
    <message>
        <source>Keep tokens</source>
        <translation>Token aufbewahren</translation>
    </message>
    <message>
        <source>Keep the tokenised rows in the user&apos;s cache folder, so that the next run need not make them again.</source>
        <translation>Die in Token zerlegten Zeilen im Cache-Ordner des Benutzers aufbewahren, damit der nächste Lauf sie nicht neu erzeugen muss.</translation>
    </message>
    <message>
        <source>Shuffle</source>
        <translation>Mischen</translation>
    </message>
    <message>
        <source>Take rows in an order drawn by the seed, else in file order.</source>
        <translation>Die Zeilen in einer vom Startwert gezogenen Reihenfolge nehmen, sonst in der der Dateien.</translation>
    </message>
    <message>
        <source>Template date</source>
        <translation>Datum der Vorlage</translation>
    </message>
    <message>
        <source>Day that templates see, as 2026-01-31; empty: the day on which the run is made.</source>
        <translation>Tag, den Vorlagen sehen, etwa 2026-01-31; leer: der Tag, an dem der Lauf entsteht.</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Rank of the adapters.</source>
        <translation>Rang der Adapter.</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>The adapters&apos; output is scaled by alpha / rank.</source>
        <translation>Die Ausgabe der Adapter wird mit Alpha / Rang skaliert.</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout</translation>
    </message>
    <message>
        <source>Probability with which an adapter&apos;s input is dropped.</source>
        <translation>Wahrscheinlichkeit, mit der eine Eingabe des Adapters ausfällt.</translation>
    </message>
    <message>
        <source>Rank-stabilised</source>
        <translation>Rangstabilisiert</translation>
    </message>
    <message>
        <source>Scale by alpha / sqrt(rank) instead.</source>
        <translation>Stattdessen mit Alpha / √Rang skalieren.</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Linear layers that get an adapter: names such as q_proj, or all-linear.</source>
        <translation>Lineare Schichten, die einen Adapter bekommen: Namen wie q_proj, oder all-linear.</translation>
    </message>
    <message>
        <source>Trained whole</source>
        <translation>Ganz trainiert</translation>
    </message>
    <message>
        <source>Modules that are trained whole beside the adapters: embed_tokens, lm_head, norm (every norm).</source>
        <translation>Module, die neben den Adaptern ganz trainiert werden: embed_tokens, lm_head, norm (jede Norm).</translation>
    </message>
    <message>
        <source>Start from adapter</source>
        <translation>Von Adapter ausgehen</translation>
    </message>
    <message>
        <source>Adapter folder, as PEFT writes it, to go on from.</source>
        <translation>Adapterordner im Format von PEFT, von dem aus weitertrainiert wird.</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Peak learning rate.</source>
        <translation>Höchste Lernrate.</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>How the learning rate falls after the warm-up.</source>
        <translation>Wie die Lernrate nach dem Aufwärmen fällt.</translation>
    </message>
    <message>
        <source>Warm-up steps</source>
        <translation>Aufwärmschritte</translation>
    </message>
    <message>
        <source>Steps in which the rate rises from 0; wins over the ratio.</source>
        <translation>Schritte, in denen die Rate von 0 ansteigt; geht dem Anteil vor.</translation>
    </message>
    <message>
        <source>Warm-up share</source>
        <translation>Aufwärmanteil</translation>
    </message>
    <message>
        <source>Share of all steps in which the rate rises.</source>
        <translation>Anteil aller Schritte, in denen die Rate ansteigt.</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>Weight Decay</translation>
    </message>
    <message>
        <source>Decoupled weight decay of AdamW.</source>
        <translation>Entkoppelter Weight Decay von AdamW.</translation>
    </message>
    <message>
        <source>Beta 1</source>
        <translation>Beta 1</translation>
    </message>
    <message>
        <source>Decay of the first moment.</source>
        <translation>Abklingen des ersten Moments.</translation>
    </message>
    <message>
        <source>Beta 2</source>
        <translation>Beta 2</translation>
    </message>
    <message>
        <source>Decay of the second moment.</source>
        <translation>Abklingen des zweiten Moments.</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>Added to the denominator of the update.</source>
        <translation>Wird zum Nenner der Aktualisierung addiert.</translation>
    </message>
    <message>
        <source>Clip norm</source>
        <translation>Höchste Gradientennorm</translation>
    </message>
    <message>
        <source>Gradients are scaled down to this global norm; 0: never.</source>
        <translation>Gradienten werden auf diese Gesamtnorm herunterskaliert; 0: nie.</translation>
    </message>
    <message>
        <source>Microbatch size</source>
        <translation>Mikrobatchgröße</translation>
    </message>
    <message>
        <source>Examples in a microbatch; 0: two, or as many as are fastest, where a step is said in tokens and its microbatches are chosen.</source>
        <translation>Beispiele in einem Mikrobatch; 0: zwei, oder so viele, wie am schnellsten sind, wenn ein Schritt in Token angegeben ist und seine Mikrobatches gewählt werden.</translation>
    </message>
    <message>
        <source>Microbatches</source>
        <translation>Mikrobatches</translation>
    </message>
    <message>
        <source>Microbatches that go through the pipeline together; 0: as many as keep the devices busy.</source>
        <translation>Mikrobatches, die gemeinsam durch die Pipeline gehen; 0: so viele, wie die Geräte beschäftigt halten.</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>Rounds of microbatches in one optimizer step.</source>
        <translation>Runden von Mikrobatches in einem Optimiererschritt.</translation>
    </message>
    <message>
        <source>Tokens a step</source>
        <translation>Token je Schritt</translation>
    </message>
    <message>
        <source>Tokens in an optimizer step, to the nearest example; 0: so many examples as size, microbatches and rounds say.</source>
        <translation>Token in einem Optimiererschritt, auf das nächste Beispiel genau; 0: so viele Beispiele, wie Größe, Mikrobatches und Runden ergeben.</translation>
    </message>
    <message>
        <source>Microbatch tokens</source>
        <translation>Token je Mikrobatch</translation>
    </message>
    <message>
        <source>Tokens in a microbatch at most; 0: microbatch size times length where tokens or packing decide, else by examples.</source>
        <translation>Höchstzahl der Token in einem Mikrobatch; 0: Mikrobatchgröße mal Länge, wo Token oder Packen entscheiden, sonst nach Beispielen.</translation>
    </message>
    <message>
        <source>Packing</source>
        <translation>Packen</translation>
    </message>
    <message>
        <source>Which examples of a step share a microbatch: as drawn, of like length, or the fewest microbatches. The loss is the same.</source>
        <translation>Welche Beispiele eines Schritts sich einen Mikrobatch teilen: wie gezogen, ähnlich lange oder so, dass es die wenigsten Mikrobatches werden. Der Loss ist derselbe.</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>How often every row is trained on.</source>
        <translation>Wie oft auf jeder Zeile trainiert wird.</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Optimizer steps; 0: by epochs.</source>
        <translation>Optimiererschritte; 0: nach Epochen.</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>auto (every GPU, else a CPU worker per core), cpu, cpu:3 (three workers), cuda:0, a GPU&apos;s UUID. cuda:0@24GiB takes so much of its memory at most, cuda:0@4090 has memory and link of such a card.</source>
        <translation>auto (jede GPU, sonst ein CPU-Worker je Kern), cpu, cpu:3 (drei Worker), cuda:0, die UUID einer GPU. cuda:0@24GiB nimmt höchstens so viel ihres Speichers, cuda:0@4090 hat Speicher und Anbindung einer solchen Karte.</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Type of weights and activations; auto: bf16 on GPUs, fp32 on CPU workers. fp16 is more exact than bf16 but ends at 65,504; steps are skipped until the scale of its loss fits.</source>
        <translation>Typ der Gewichte und Aktivierungen; automatisch: bf16 auf GPUs, fp32 auf CPU-Workern. fp16 ist genauer als bf16, endet aber bei 65.504; Schritte werden ausgelassen, bis die Skalierung des Loss passt.</translation>
    </message>
    <message>
        <source>Determinism</source>
        <translation>Determinismus</translation>
    </message>
    <message>
        <source>strict: the same bits on every run; fast: within tolerances, and quicker.</source>
        <translation>streng: bei jedem Lauf dieselben Bits; schnell: innerhalb von Toleranzen, und zügiger.</translation>
    </message>
    <message>
        <source>Forward stages</source>
        <translation>Vorwärtsstufen</translation>
    </message>
    <message>
        <source>Layers in each forward stage; empty: planned, or none where backward stages are given.</source>
        <translation>Schichten in jeder Vorwärtsstufe; leer: geplant, oder keine, wo Rückwärtsstufen angegeben sind.</translation>
    </message>
    <message>
        <source>Backward stages</source>
        <translation>Rückwärtsstufen</translation>
    </message>
    <message>
        <source>Layers in the fused stage and in each backward stage, from the head down; empty: planned.</source>
        <translation>Schichten in der verschmolzenen Stufe und in jeder Rückwärtsstufe, vom Kopf abwärts; leer: geplant.</translation>
    </message>
    <message>
        <source>Run folder</source>
        <translation>Laufordner</translation>
    </message>
    <message>
        <source>Folder that receives metrics, checkpoints and the adapter.</source>
        <translation>Ordner, der Messwerte, Checkpoints und den Adapter aufnimmt.</translation>
    </message>
    <message>
        <source>Save every</source>
        <translation>Speichern alle</translation>
    </message>
    <message>
        <source>Validate every</source>
        <translation>Validieren alle</translation>
    </message>
    <message>
        <source>Optimizer steps between validations; 0: at the end of every epoch.</source>
        <translation>Optimiererschritte zwischen Validierungen; 0: am Ende jeder Epoche.</translation>
    </message>
    <message>
        <source>Save the trace</source>
        <translation>Trace speichern</translation>
    </message>
    <message>
        <source>Write the timeline into the run folder.</source>
        <translation>Die Zeitleiste in den Laufordner schreiben.</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>alpaca</source>
        <translation>Alpaca</translation>
    </message>
    <message>
        <source>assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>best-fit</source>
        <translation>dichteste Füllung</translation>
    </message>
    <message>
        <source>bf16</source>
        <translation>bf16</translation>
    </message>
    <message>
        <source>by-length</source>
        <translation>nach Länge</translation>
    </message>
    <message>
        <source>completion</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>konstant</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>Kosinus</translation>
    </message>
    <message>
        <source>drop</source>
        <translation>verwerfen</translation>
    </message>
    <message>
        <source>fast</source>
        <translation>schnell</translation>
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
        <translation>letzte Antwort</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>linear</translation>
    </message>
    <message>
        <source>lora</source>
        <translation>LoRA</translation>
    </message>
    <message>
        <source>messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keines</translation>
    </message>
    <message>
        <source>segments</source>
        <translation>Segmente</translation>
    </message>
    <message>
        <source>sharegpt</source>
        <translation>ShareGPT</translation>
    </message>
    <message>
        <source>strict</source>
        <translation>streng</translation>
    </message>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>truncate</source>
        <translation>abschneiden</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>Auslassen</translation>
    </message>
    <message>
        <source>Rows that are not trained on though they could be: repeated ones, those that leak into validation, those with an empty turn.</source>
        <translation>Zeilen, auf denen nicht trainiert wird, obwohl es ginge: wiederholte, in die Validierung durchgesickerte, solche mit einem leeren Beitrag.</translation>
    </message>
    <message>
        <source>Single rows left out</source>
        <translation>Einzeln ausgelassene Zeilen</translation>
    </message>
    <message>
        <source>Rows that are left out one by one, each by its number and the hash of what it says.</source>
        <translation>Zeilen, die einzeln ausgelassen werden, jede mit ihrer Nummer und dem Hash dessen, was in ihr steht.</translation>
    </message>
    <message>
        <source>duplicates</source>
        <translation>wiederholte</translation>
    </message>
    <message>
        <source>empty-turns</source>
        <translation>mit leerem Beitrag</translation>
    </message>
    <message>
        <source>leaks</source>
        <translation>durchgesickerte</translation>
    </message>
    <message>
        <source>near-duplicates</source>
        <translation>beinahe wiederholte</translation>
    </message>
    <message>
        <source>near-leaks</source>
        <translation>beinahe durchgesickerte</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>What the user says, from columns in braces: {question}\n{schema} (\n: line feed); empty: as a column has it.</source>
        <translation>Was der Nutzer sagt, aus Spalten in geschweiften Klammern: {question}\n{schema} (\n: Zeilenvorschub); leer: wie es in einer Spalte steht.</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>System-Prompt</translation>
    </message>
    <message>
        <source>What the system says at a chat&apos;s start (\n: line feed); empty: only what the rows have.</source>
        <translation>Was das System am Anfang eines Gesprächs sagt (\n: Zeilenvorschub); leer: nur, was die Zeilen haben.</translation>
    </message>
    <message>
        <source>System prompt for</source>
        <translation>System-Prompt für</translation>
    </message>
    <message>
        <source>default: rows that have none; override: all rows, in place of their own.</source>
        <translation>default: Zeilen, die keinen haben; override: alle Zeilen, anstelle ihres eigenen.</translation>
    </message>
    <message>
        <source>Between cells</source>
        <translation>Zwischen Zellen</translation>
    </message>
    <message>
        <source>Character between the cells of a CSV file, or tab; empty: found out.</source>
        <translation>Zeichen zwischen den Zellen einer CSV-Datei, oder tab; leer: wird herausgefunden.</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>Kopfzeile</translation>
    </message>
    <message>
        <source>The first line of a CSV file names its columns; else they are column 1, column 2 and so on.</source>
        <translation>Die erste Zeile einer CSV-Datei nennt ihre Spalten; sonst heißen sie column 1, column 2 und so weiter.</translation>
    </message>
    <message>
        <source>default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>override</source>
        <translation>ersetzen</translation>
    </message>
    <message>
        <source>File with rows to validate on, written as the first dataset&apos;s are; empty: split off from the data.</source>
        <translation>Datei mit Zeilen zum Validieren, geschrieben wie die des ersten Datensatzes; leer: von den Daten abgetrennt.</translation>
    </message>
    <message>
        <source>Share of each dataset&apos;s rows that is split off to validate on.</source>
        <translation>Anteil der Zeilen jedes Datensatzes, der zum Validieren abgetrennt wird.</translation>
    </message>
    <message>
        <source>Upper limit of rows that are split off each dataset.</source>
        <translation>Obergrenze der Zeilen, die von jedem Datensatz abgetrennt werden.</translation>
    </message>
    <message>
        <source>Rows at most</source>
        <translation>Zeilen höchstens</translation>
    </message>
    <message>
        <source>Rows of the dataset that are trained on; 0: all. Those to validate on are split off before.</source>
        <translation>Zeilen des Datensatzes, auf denen trainiert wird; 0: alle. Die zum Validieren werden vorher abgetrennt.</translation>
    </message>
    <message>
        <source>Which rows</source>
        <translation>Welche Zeilen</translation>
    </message>
    <message>
        <source>Which rows those are, where there are more: drawn by the seed, or the first ones.</source>
        <translation>Welche Zeilen das sind, wenn es mehr gibt: vom Startwert gezogen oder die ersten.</translation>
    </message>
    <message>
        <source>Share by</source>
        <translation>Anteil nach</translation>
    </message>
    <message>
        <source>What says how much an epoch takes of the dataset: how often it goes over all of it, a number of rows or tokens, or a weight among the datasets that have one.</source>
        <translation>Was sagt, wie viel eine Epoche vom Datensatz nimmt: wie oft sie ihn ganz durchläuft, eine Zahl von Zeilen oder Token oder ein Gewicht unter den Datensätzen, die eines haben.</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>How many epochs, rows or tokens, or which weight. Rows repeat where they do not suffice.</source>
        <translation>Wie viele Epochen, Zeilen oder Token, oder welches Gewicht. Wo Zeilen nicht reichen, wiederholen sie sich.</translation>
    </message>
    <message>
        <source>A run is not started if fewer of a dataset&apos;s tokens are trained; 0: whatever the share.</source>
        <translation>Ein Lauf startet nicht, wenn von einem Datensatz weniger Token trainiert werden; 0: gleich welcher Anteil.</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>first</source>
        <translation>die ersten</translation>
    </message>
    <message>
        <source>random</source>
        <translation>zufällig</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>Moments</source>
        <translation>Momente</translation>
    </message>
    <message>
        <source>What the optimizer keeps its two moments of every trained value in. bf16 takes half the host memory; values are then rounded up or down at random, by the seed.</source>
        <translation>Worin der Optimierer seine beiden Momente jedes trainierten Werts hält. bf16 braucht halb so viel Host-Speicher; die Werte werden dann zufällig auf- oder abgerundet, nach dem Startwert.</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>Aktualisierung</translation>
    </message>
    <message>
        <source>synchronous: a step waits for the update before it; one-step-stale: steps flow into each other, and each reads the weights of one step earlier.</source>
        <translation>synchron: ein Schritt wartet auf die Aktualisierung vor ihm; einen Schritt verzögert: Schritte gehen ineinander über, und jeder liest die Gewichte von einem Schritt früher.</translation>
    </message>
    <message>
        <source>one-step-stale</source>
        <translation>einen Schritt verzögert</translation>
    </message>
    <message>
        <source>synchronous</source>
        <translation>synchron</translation>
    </message>
    <message>
        <source>What happens to rows that are longer. split: texts become pieces, other rows are cut off.</source>
        <translation>Was mit längeren Zeilen geschieht. Aufteilen: Texte werden zu Stücken, andere Zeilen werden abgeschnitten.</translation>
    </message>
    <message>
        <source>Overlap of pieces</source>
        <translation>Überlappung der Stücke</translation>
    </message>
    <message>
        <source>Tokens that a piece of a split text repeats of the one before. They are context and are not trained a second time; at least one is repeated.</source>
        <translation>Token, die ein Stück eines aufgeteilten Textes vom vorigen wiederholt. Sie sind Kontext und werden nicht ein zweites Mal trainiert; mindestens eines wird wiederholt.</translation>
    </message>
    <message>
        <source>split</source>
        <translation>aufteilen</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Kopien</translation>
    </message>
    <message>
        <source>always</source>
        <translation>immer</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>never: all GPUs take a step&apos;s stages in turn; always: each takes its part of a step&apos;s microbatches through all stages alone, and gradients are added up, so that losses of later steps differ in their last bits; auto: what is faster, and never on CPU workers.</source>
        <translation>nie: Alle GPUs nehmen die Stufen eines Schritts reihum; immer: Jede führt ihren Teil der Mikrobatches eines Schritts allein durch alle Stufen, und die Gradienten werden addiert, sodass der Loss späterer Schritte in den letzten Bits abweicht; auto: was schneller ist, und auf CPU-Workern nie.</translation>
    </message>
    <message>
        <source>full</source>
        <translation>voll</translation>
    </message>
    <message>
        <source>chosen</source>
        <comment>a number, by the plan</comment>
        <translation>gewählt</translation>
    </message>
    <message>
        <source>When it diverges</source>
        <translation>Wenn er divergiert</translation>
    </message>
    <message>
        <source>What follows three steps in a row whose loss or gradients are not finite. end: the run is saved and ends in words; roll-back: it goes on from the weights of its last checkpoint with the rows that follow, also where the loss has doubled for three steps.</source>
        <translation>Was auf drei Schritte in Folge mit nicht endlichem Loss oder nicht endlichen Gradienten folgt. end: der Lauf wird gespeichert und endet mit einer Erklärung; roll-back: er macht mit den Gewichten des letzten Checkpoints und den Zeilen danach weiter, auch wenn sich der Loss für drei Schritte verdoppelt hat.</translation>
    </message>
    <message>
        <source>Early stop</source>
        <translation>Früh beenden</translation>
    </message>
    <message>
        <source>Validations in a row without a lower loss after which the run ends; 0: never.</source>
        <translation>Validierungen in Folge ohne niedrigeren Loss, nach denen der Lauf endet; 0: nie.</translation>
    </message>
    <message>
        <source>Optimizer steps between checkpoints; 0: by time alone.</source>
        <translation>Optimiererschritte zwischen Checkpoints; 0: nur nach der Zeit.</translation>
    </message>
    <message>
        <source>Save after</source>
        <translation>Speichern nach</translation>
    </message>
    <message>
        <source>Minutes between checkpoints; 0: by steps alone. At the end and on stop one is written in any case.</source>
        <translation>Minuten zwischen Checkpoints; 0: nur nach Schritten. Am Ende und beim Anhalten wird immer einer geschrieben.</translation>
    </message>
    <message>
        <source>Keep checkpoints</source>
        <translation>Checkpoints behalten</translation>
    </message>
    <message>
        <source>How many of the last checkpoints are kept, beside the best one.</source>
        <translation>Wie viele der letzten Checkpoints neben dem besten bleiben.</translation>
    </message>
    <message>
        <source>end</source>
        <translation>beenden</translation>
    </message>
    <message>
        <source>roll-back</source>
        <translation>zurückgehen</translation>
    </message>
    <message>
        <source>It must be between %1 and %2.</source>
        <translation>Erlaubt ist %1 bis %2.</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>How the frozen matrices of blocks are kept and streamed beside adapters: as they are, in 8 bits (int8 and fp8, a scale a row) or in 4 (nf4, as QLoRA has them); embedding and head stay as they are. GPUs with FP8 units multiply fp8 as it is. mxfp4 is of experts alone, 4 bits as gpt-oss is published.</source>
        <translation>Wie die eingefrorenen Matrizen der Blöcke neben Adaptern gehalten und übertragen werden: wie sie sind, in 8 Bit (int8 und fp8, ein Skalenfaktor je Zeile) oder in 4 (nf4, wie bei QLoRA); Embedding und Kopf bleiben, wie sie sind. GPUs mit FP8-Einheiten multiplizieren fp8, wie es ist. mxfp4 ist nur für Experten da, 4 Bit, wie gpt-oss veröffentlicht ist.</translation>
    </message>
    <message>
        <source>as-is</source>
        <translation>wie sie sind</translation>
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
        <translation>Darin steht ein Passwort oder Token, das mit dem Lauf gespeichert würde. Das Zugangstoken des Hubs gehört in HF_TOKEN, in seine eigene Datei oder in den Schlüsselbund.</translation>
    </message>
</context>
<context>
    <name>RunState</name>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>Vorbereitung</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Validating</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>Answering</source>
        <translation>Antwortet</translation>
    </message>
    <message>
        <source>Saving</source>
        <translation>Speichert</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Stopping after this step</source>
        <translation>Hält nach diesem Schritt an</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
</context>
<context>
    <name>RunText</name>
    <message>
        <source>The machine&apos;s memory is nearly used up: programs wait for it, and %1 are left. Close some; if it gets worse, the run saves and ends.</source>
        <translation>Der Speicher des Rechners ist fast aufgebraucht: Programme warten darauf, und %1 sind noch frei. Bitte einige schließen; wird es schlimmer, sichert der Lauf und endet.</translation>
    </message>
    <message>
        <source>The machine has slept for %1. The run goes on after step %2.</source>
        <translation>Der Rechner hat %1 geschlafen. Der Lauf geht nach Schritt %2 weiter.</translation>
    </message>
    <message>
        <source>The run&apos;s folder &apos;%1&apos; was moved while it trains: it is &apos;%2&apos; now, and the run goes on there.</source>
        <translation>Der Ordner „%1“ des Laufs wurde verschoben, während er trainiert: Er ist jetzt „%2“, und der Lauf geht dort weiter.</translation>
    </message>
    <message>
        <source>The run&apos;s folder &apos;%1&apos; was removed or emptied while it trains, with what was saved in it. The run goes on in &apos;%2&apos;, and saves there from now on.</source>
        <translation>Der Ordner „%1“ des Laufs wurde entfernt oder geleert, während er trainiert, und mit ihm, was darin gesichert war. Der Lauf geht in „%2“ weiter und sichert ab jetzt dort.</translation>
    </message>
    <message>
        <source>%1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>This run is simulated for %1: times are what the planner predicts, nothing is trained, losses and answers are made up, nothing is saved.</source>
        <translation>Dieser Lauf ist simuliert, für %1: Die Zeiten sind, was der Planer vorhersagt, nichts wird trainiert, Losses und Antworten sind erfunden, nichts wird gespeichert.</translation>
    </message>
    <message>
        <source>There are no validation rows, so nothing was validated.</source>
        <translation>Es gibt keine Validierungszeilen, also wurde nichts validiert.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; came too late: the run is over.</source>
        <translation>„%1“ kam zu spät: Der Lauf ist vorbei.</translation>
    </message>
    <message>
        <source>The tokenizer has %1 tokens, the model&apos;s embedding %2; a row that needs more will stop the run.</source>
        <translation>Der Tokenizer hat %1 Token, das Embedding des Modells %2; eine Zeile, die mehr braucht, beendet den Lauf.</translation>
    </message>
    <message>
        <source>The system would not page-lock %1 of the weights, so GPUs copy them more slowly.</source>
        <translation>Das System wollte %1 der Gewichte nicht seitensperren, die GPUs kopieren sie also langsamer.</translation>
    </message>
    <message>
        <source>The checkpoint has the optimizer&apos;s moments in %1. They are converted: the run goes on with %2.</source>
        <translation>Der Checkpoint hält die Momente des Optimierers in %1. Sie werden umgewandelt: Der Lauf geht mit %2 weiter.</translation>
    </message>
    <message>
        <source>A prompt was not answered.</source>
        <translation>Ein Prompt wurde nicht beantwortet.</translation>
    </message>
    <message>
        <source>An answer was not written down.</source>
        <translation>Eine Antwort wurde nicht aufgeschrieben.</translation>
    </message>
    <message>
        <source>The curves are not written for now; what they lack is tried again with each step.</source>
        <translation>Die Kurven werden vorerst nicht geschrieben; was ihnen fehlt, wird mit jedem Schritt wieder versucht.</translation>
    </message>
    <message>
        <source>The checkpoint &apos;%1&apos; was not written after step %2; training goes on.</source>
        <translation>Der Checkpoint „%1“ wurde nach Schritt %2 nicht geschrieben; das Training geht weiter.</translation>
    </message>
    <message>
        <source>The checkpoint &apos;%1&apos; was not written after step %2; the one before stays, and training goes on.</source>
        <translation>Der Checkpoint „%1“ wurde nach Schritt %2 nicht geschrieben; der vorige bleibt, und das Training geht weiter.</translation>
    </message>
    <message>
        <source>The trace file ends early.</source>
        <translation>Die Trace-Datei endet vorzeitig.</translation>
    </message>
    <message>
        <source>(simulated) What the base model answers stands here.</source>
        <translation>(simuliert) Hier steht, was das Basismodell antwortet.</translation>
    </message>
    <message>
        <source>(simulated) nothing is written</source>
        <translation>(simuliert) nichts wird geschrieben</translation>
    </message>
    <message>
        <source>The longest example has %1 tokens, the model %2 positions: it has never learned what stands beyond them, and learns it badly. Set data.max_length to %2.</source>
        <translation>Das längste Beispiel hat %1 Token, das Modell %2 Positionen: Was dahinter steht, hat es nie gelernt und lernt es schlecht. data.max_length auf %2 setzen.</translation>
    </message>
    <message>
        <source>A learning rate of %1 is one for adapters: with method full it can undo what the model knows. Usual are 0.00001 to %2; set optimizer.learning_rate to %2.</source>
        <translation>Eine Lernrate von %1 ist eine für Adapter: Mit der Methode „voll“ kann sie zerstören, was das Modell kann. Üblich sind 0,00001 bis %2; optimizer.learning_rate auf %2 setzen.</translation>
    </message>
    <message>
        <source>A learning rate of %1 is one for method full: an adapter hardly learns with it. Usual are 0.0001 to 0.0005; set optimizer.learning_rate to %2.</source>
        <translation>Eine Lernrate von %1 ist eine für die Methode „voll“: Ein Adapter lernt damit kaum. Üblich sind 0,0001 bis 0,0005; optimizer.learning_rate auf %2 setzen.</translation>
    </message>
    <message>
        <source>The memory of %1 ran out. The run goes on with a plan that takes %2 % of what is free there at most; no step is lost.</source>
        <translation>Der Speicher von %1 hat nicht gereicht. Der Lauf geht mit einem Plan weiter, der dort höchstens %2 % des freien Speichers nimmt; kein Schritt geht verloren.</translation>
    </message>
    <message>
        <source>The base model was not asked: the run begins with other weights in the place of some of its own.</source>
        <translation>Das Basismodell wurde nicht gefragt: Der Lauf beginnt mit anderen Gewichten an der Stelle einiger von seinen eigenen.</translation>
    </message>
    <message>
        <source>A learning rate of %1 is one for adapters alone: an embedding or head that is trained whole can lose with it what it knows. Usual for both are 0.00003 to 0.0001; set optimizer.learning_rate to %2.</source>
        <translation>Eine Lernrate von %1 ist eine für Adapter allein: Ein Embedding oder Kopf, der ganz trainiert wird, kann damit verlieren, was er kann. Üblich für beides sind 0,00003 bis 0,0001; optimizer.learning_rate auf %2 setzen.</translation>
    </message>
    <message>
        <source>A checkpoint takes %1 here, and &apos;%2&apos; has %3 free.</source>
        <translation>Ein Checkpoint braucht hier %1, und „%2“ hat %3 frei.</translation>
    </message>
    <message>
        <source>A newer checkpoint is damaged and was passed over: %1</source>
        <translation>Ein neuerer Checkpoint ist beschädigt und wurde übergangen: %1</translation>
    </message>
    <message>
        <source>The checkpoint &apos;%1&apos; was written by an older version: it has no checksums, and does not say which rows, model and settings it belongs to.</source>
        <translation>Der Checkpoint „%1“ stammt von einer älteren Version: Er hat keine Prüfsummen und sagt nicht, zu welchen Zeilen, welchem Modell und welchen Einstellungen er gehört.</translation>
    </message>
    <message>
        <source>The run was ended before its first checkpoint, so it starts from its beginning.</source>
        <translation>Der Lauf wurde vor seinem ersten Checkpoint beendet und fängt darum von vorn an.</translation>
    </message>
    <message>
        <source>The run goes on though something has changed since its checkpoint: %1</source>
        <translation>Der Lauf geht weiter, obwohl sich seit seinem Checkpoint etwas geändert hat: %1</translation>
    </message>
    <message>
        <source>Step %1 was skipped: values of its gradients (%2) are not finite, so nothing was updated.</source>
        <translation>Schritt %1 wurde übersprungen: Werte seiner Gradienten (%2) sind nicht endlich, also wurde nichts geändert.</translation>
    </message>
    <message>
        <source>The loss has been more than twice its usual %1 for %2 steps. The learning rate may be too high; look at the rows of these steps.</source>
        <translation>Der Loss ist seit %2 Schritten mehr als doppelt so hoch wie sonst (%1). Vielleicht ist die Lernrate zu hoch; die Zeilen dieser Schritte ansehen.</translation>
    </message>
    <message>
        <source>After step %1 the run went back to the weights of step %2, as it diverged. It goes on with the rows that follow.</source>
        <translation>Nach Schritt %1 ging der Lauf zu den Gewichten von Schritt %2 zurück, weil er divergierte. Er macht mit den Zeilen danach weiter.</translation>
    </message>
    <message>
        <source>What stood in &apos;%1&apos; was not made by this run. It was kept as &apos;%2&apos;.</source>
        <translation>Was in „%1“ stand, hat nicht dieser Lauf gemacht. Es wurde als „%2“ behalten.</translation>
    </message>
    <message>
        <source>data.overlap has no effect because longer rows are not split: data.over_length is &apos;%1&apos;. Set data.over_length to &apos;split&apos;, or data.overlap to %2.</source>
        <translation>data.overlap hat keine Wirkung, weil längere Zeilen nicht geteilt werden: data.over_length ist &apos;%1&apos;. data.over_length auf &apos;split&apos; setzen oder data.overlap auf %2.</translation>
    </message>
    <message>
        <source>data.subset has no effect because all rows are taken: data.max_rows is 0. Set it to a number of rows, or data.subset to &apos;%1&apos;.</source>
        <translation>data.subset hat keine Wirkung, weil alle Zeilen genommen werden: data.max_rows ist 0. Dort eine Zahl von Zeilen setzen oder data.subset auf &apos;%1&apos;.</translation>
    </message>
    <message>
        <source>data.system_prompt_use has no effect because data.system_prompt is empty. Give it words, or set data.system_prompt_use to &apos;%1&apos;.</source>
        <translation>data.system_prompt_use hat keine Wirkung, weil data.system_prompt leer ist. Dort Worte angeben oder data.system_prompt_use auf &apos;%1&apos; setzen.</translation>
    </message>
    <message>
        <source>data.turn_begin and data.turn_end have no effect because everything is trained: data.train_on is &apos;all&apos;. Set data.train_on to &apos;%1&apos;, or leave both empty.</source>
        <translation>data.turn_begin und data.turn_end haben keine Wirkung, weil alles trainiert wird: data.train_on ist &apos;all&apos;. data.train_on auf &apos;%1&apos; setzen oder beide leer lassen.</translation>
    </message>
    <message>
        <source>data.validation_fraction has no effect because data.validation_file has the rows to validate on. Take out one of the two; without a file data.validation_fraction is %1.</source>
        <translation>data.validation_fraction hat keine Wirkung, weil die Zeilen zum Validieren in data.validation_file stehen. Eines von beiden herausnehmen; ohne Datei ist data.validation_fraction %1.</translation>
    </message>
    <message>
        <source>data.max_validation_rows has no effect because no rows are split off to validate on. Left out, it is %1.</source>
        <translation>data.max_validation_rows hat keine Wirkung, weil keine Zeilen zum Validieren abgeteilt werden. Weggelassen ist es %1.</translation>
    </message>
    <message>
        <source>data.share_amount has no effect because no other dataset has a weight. Set data.share to &apos;epochs&apos;, or data.share_amount to %1.</source>
        <translation>data.share_amount hat keine Wirkung, weil kein anderer Datensatz ein Gewicht hat. data.share auf &apos;epochs&apos; setzen oder data.share_amount auf %1.</translation>
    </message>
    <message>
        <source>%1 has no effect because no adapter is trained, but all weights: method is &apos;full&apos;. Set method to &apos;lora&apos;, or %1 to &apos;%2&apos;.</source>
        <translation>%1 hat keine Wirkung, weil kein Adapter trainiert wird, sondern alle Gewichte: method ist &apos;full&apos;. method auf &apos;lora&apos; setzen oder %1 auf &apos;%2&apos;.</translation>
    </message>
    <message>
        <source>%1 has no effect: the run was begun with method &apos;full&apos;, trains all weights and no adapter, and keeps its method. Take it out (it is &apos;%2&apos; then), or begin a run of its own with method &apos;lora&apos; from what this one has made (on the command line: --start-from).</source>
        <translation>%1 hat keine Wirkung: Der Lauf wurde mit method &apos;full&apos; begonnen, trainiert alle Gewichte und keinen Adapter und behält seine Methode. Weglassen (dann ist es &apos;%2&apos;) oder einen eigenen Lauf mit method &apos;lora&apos; aus dem Ergebnis von diesem beginnen (auf der Kommandozeile: --start-from).</translation>
    </message>
    <message>
        <source>This run is simulated for %1 and shown %2 times as fast as the planner predicts: nothing is trained, losses and answers are made up, nothing is saved.</source>
        <translation>Dieser Lauf wird für %1 simuliert und %2-mal so schnell gezeigt, wie der Planer vorhersagt: Nichts wird trainiert, Losses und Antworten sind erfunden, nichts wird gespeichert.</translation>
    </message>
    <message>
        <source>A step holds whole examples, of %1 tokens each: %2 tokens are what steps have on average, some more and some less. Set batch.tokens_per_step to %3.</source>
        <translation>Ein Schritt enthält ganze Beispiele von je %1 Token: %2 Token haben Schritte im Mittel, manche mehr und manche weniger. batch.tokens_per_step auf %3 setzen.</translation>
    </message>
    <message>
        <source>batch.rounds has no effect because batch.tokens_per_step says what a step holds: it has the rounds that this takes. Set batch.tokens_per_step to 0, or batch.rounds to %1.</source>
        <translation>batch.rounds hat keine Wirkung, weil batch.tokens_per_step sagt, was ein Schritt enthält: Er hat die Runden, die das braucht. batch.tokens_per_step auf 0 setzen oder batch.rounds auf %1.</translation>
    </message>
    <message>
        <source>Answers that end without a special token: %1. The model may not learn to stop.</source>
        <translation>Antworten, die ohne besonderes Token enden: %1. Das Modell lernt vielleicht nicht aufzuhören.</translation>
    </message>
    <message>
        <source>The model in &apos;%1&apos; is gone. The run needs it no more: all weights are in its checkpoint, &apos;%2&apos;.</source>
        <translation>Das Modell in „%1“ ist nicht mehr da. Der Lauf braucht es nicht mehr: Alle Gewichte liegen in seinem Checkpoint „%2“.</translation>
    </message>
    <message>
        <source>Validations without a lower loss: %1 in a row, so the run ends after step %2. The best one was %3: its weights are in &apos;%4&apos;.</source>
        <translation>Validierungen ohne niedrigeren Loss: %1 in Folge, also endet der Lauf nach Schritt %2. Der beste war %3: Seine Gewichte liegen in „%4“.</translation>
    </message>
    <message>
        <source>The run has ended early, after step %1 (validations without a lower loss: %2): nothing is trained now. To train it on, continue it (on the command line: --continue), or set duration.early_stop higher.</source>
        <translation>Der Lauf wurde nach Schritt %1 vorzeitig beendet (Validierungen ohne niedrigeren Loss: %2): Jetzt wird nichts trainiert. Um weiterzutrainieren, den Lauf fortsetzen (auf der Kommandozeile: --continue) oder duration.early_stop höher setzen.</translation>
    </message>
    <message>
        <source>The run had ended early, after step %1. It trains on, until so many more validations have no lower loss: %2.</source>
        <translation>Der Lauf war nach Schritt %1 vorzeitig beendet worden. Er trainiert weiter, bis so viele weitere Validierungen keinen niedrigeren Loss haben: %2.</translation>
    </message>
    <message>
        <source>The disk was too slow for the trace file, which lacks events: %1.</source>
        <translation>Die Platte war zu langsam für die Trace-Datei, der deshalb Ereignisse fehlen: %1.</translation>
    </message>
    <message>
        <source>The disk of &apos;%1&apos; has too little room, with %2 free: free some space.</source>
        <translation>Die Platte von „%1“ hat zu wenig Platz, frei sind %2: Bitte Platz schaffen.</translation>
    </message>
    <message>
        <source>This run writes %1 at least, %2 a checkpoint, but &apos;%3&apos; has %4 free: free %5 more, or choose another folder.</source>
        <translation>Dieser Lauf schreibt mindestens %1, je Checkpoint %2, aber in „%3“ sind %4 frei: Bitte noch %5 freimachen oder einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>Free some space there.</source>
        <translation>Bitte dort Platz schaffen.</translation>
    </message>
    <message>
        <source>(simulated) What the tuned model would answer after step %1 stands here.</source>
        <translation>(simuliert) Hier steht, was das trainierte Modell nach Schritt %1 antworten würde.</translation>
    </message>
</context>
<context>
    <name>Sampling</name>
    <message>
        <source>Repetition penalty</source>
        <translation>Wiederholungsstrafe</translation>
    </message>
    <message>
        <source>Above 1: tokens that the text has already become less likely.</source>
        <translation>Über 1: Token, die der Text schon hat, werden unwahrscheinlicher.</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>0: always the likeliest token; above: draws, the higher the wilder.</source>
        <translation>0: immer das wahrscheinlichste Token; darüber wird gezogen, je höher, desto wilder.</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Draws only from the k likeliest tokens; 0: all.</source>
        <translation>Zieht nur aus den k wahrscheinlichsten Token; 0: aus allen.</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Draws only from the likeliest tokens that together reach this probability.</source>
        <translation>Zieht nur aus den wahrscheinlichsten Token, die zusammen diese Wahrscheinlichkeit erreichen.</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Draws only from tokens with this part of the likeliest one&apos;s probability.</source>
        <translation>Zieht nur aus Token mit diesem Teil der Wahrscheinlichkeit des wahrscheinlichsten.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Of the draws: the same draws the same.</source>
        <translation>Für das Ziehen: derselbe zieht dasselbe.</translation>
    </message>
    <message>
        <source>Tokens at most</source>
        <translation>Token höchstens</translation>
    </message>
    <message>
        <source>Tokens of an answer at most.</source>
        <translation>So viele Token hat eine Antwort höchstens.</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Batches and speed</source>
        <translation>Batches und Tempo</translation>
    </message>
    <message>
        <source>Optimizer and schedule</source>
        <translation>Optimierer und Verlauf</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Maschine</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>Dieser Lauf</translation>
    </message>
    <message>
        <source>More learns the rows better, too many learn them by heart.</source>
        <translation>Mehr lernt die Zeilen besser, zu viele lernen sie auswendig.</translation>
    </message>
    <message>
        <source>0: by epochs. There is no hidden limit of steps.</source>
        <translation>0: nach Epochen. Es gibt keine verborgene Grenze der Schritte.</translation>
    </message>
    <message>
        <source>Quality only. Usual for adapters: 0.0001 to 0.0005.</source>
        <translation>Nur Qualität. Üblich für Adapter: 0,0001 bis 0,0005.</translation>
    </message>
    <message>
        <source>How much the adapter can learn. Usual: 8 to 64.</source>
        <translation>Wie viel der Adapter lernen kann. Üblich: 8 bis 64.</translation>
    </message>
    <message>
        <source>Quality only. Usual: twice the rank.</source>
        <translation>Nur Qualität. Üblich: das Doppelte des Rangs.</translation>
    </message>
    <message>
        <source>Against learning by heart where rows are few; 0.05 is usual then.</source>
        <translation>Gegen Auswendiglernen, wo es wenige Zeilen gibt; üblich ist dann 0,05.</translation>
    </message>
    <message>
        <source>Fewer layers train faster and learn less.</source>
        <translation>Weniger Schichten trainieren schneller und lernen weniger.</translation>
    </message>
    <message>
        <source>Longer rows are cut there.</source>
        <translation>Längere Zeilen werden dort abgeschnitten.</translation>
    </message>
    <message>
        <source>Examples that go through a layer at once.</source>
        <translation>Beispiele, die zugleich durch eine Schicht gehen.</translation>
    </message>
    <message>
        <source>More keep all devices busy, and make fewer updates an epoch.</source>
        <translation>Mehr halten alle Geräte beschäftigt und ergeben weniger Aktualisierungen je Epoche.</translation>
    </message>
    <message>
        <source>Short examples share a microbatch. The loss is the same.</source>
        <translation>Kurze Beispiele teilen sich einen Mikrobatch. Der Loss ist derselbe.</translation>
    </message>
    <message>
        <source>fp32 doubles memory and traffic. auto: bf16 on GPUs, fp32 on CPU workers.</source>
        <translation>fp32 verdoppelt Speicher und Datenverkehr. automatisch: bf16 auf GPUs, fp32 auf dem Prozessor.</translation>
    </message>
    <message>
        <source>What is trained</source>
        <translation>Was trainiert wird</translation>
    </message>
    <message>
        <source>lora: a small adapter, beside a model that stays as it is. full: all of the model&apos;s weights, which takes many times the memory.</source>
        <translation>LoRA: ein kleiner Adapter neben dem Modell, das bleibt, wie es ist. voll: alle Gewichte des Modells, mit einem Vielfachen an Speicher.</translation>
    </message>
    <message>
        <source>No effect: with method full there is no adapter.</source>
        <translation>Ohne Wirkung: Mit der Methode „voll“ gibt es keinen Adapter.</translation>
    </message>
    <message>
        <source>For new tokens or another language. A table takes as much host memory as with method full.</source>
        <translation>Für neue Token oder eine andere Sprache. Eine Tabelle braucht so viel Host-Speicher wie mit der Methode „voll“.</translation>
    </message>
    <message>
        <source>Usual for a model&apos;s own weights: 0.00001 to 0.00002.</source>
        <translation>Üblich für die Gewichte des Modells selbst: 0,00001 bis 0,00002.</translation>
    </message>
    <message>
        <source>A crash costs what came after the last checkpoint.</source>
        <translation>Ein Absturz kostet, was nach dem letzten Checkpoint kam.</translation>
    </message>
    <message>
        <source>More than one, so that a damaged one is no loss.</source>
        <translation>Mehr als einer, damit ein beschädigter kein Verlust ist.</translation>
    </message>
    <message>
        <source>int8 and fp8 take half the memory and traffic of 16 bits, nf4 a quarter, which costs a little quality. For models that are too large otherwise; fp8 also for speed, on GPUs from the RTX 4090 and H100 on.</source>
        <translation>int8 und fp8 brauchen halb so viel Speicher und Übertragung wie 16 Bit, nf4 ein Viertel, was ein wenig Qualität kostet. Für Modelle, die sonst zu groß sind; fp8 auch für mehr Tempo, auf GPUs ab RTX 4090 und H100.</translation>
    </message>
</context>
<context>
    <name>SpecRemark</name>
    <message>
        <source>Set to %1</source>
        <translation>Auf %1 setzen</translation>
    </message>
</context>
<context>
    <name>StopQuestion</name>
    <message>
        <source>Stop the run?</source>
        <translation>Den Lauf anhalten?</translation>
    </message>
    <message>
        <source>The running step is finished in any case.</source>
        <translation>Der laufende Schritt wird in jedem Fall beendet.</translation>
    </message>
    <message>
        <source>Stop and save</source>
        <translation>Anhalten und speichern</translation>
    </message>
    <message>
        <source>Stop and discard</source>
        <translation>Anhalten und verwerfen</translation>
    </message>
    <message>
        <source>Keep training</source>
        <translation>Weiter trainieren</translation>
    </message>
    <message>
        <source>It is simulated and leaves no files. Saved, it can be continued while its project is open.</source>
        <translation>Er ist simuliert und hinterlässt keine Dateien. Gespeichert lässt er sich fortsetzen, solange sein Projekt offen ist.</translation>
    </message>
    <message>
        <source>Saved, the run can be continued later, and its result can be used. Discarded, only what was saved before stays.</source>
        <translation>Gespeichert lässt sich der Lauf später fortsetzen und sein Ergebnis verwenden. Verworfen bleibt nur, was vorher gespeichert wurde.</translation>
    </message>
</context>
<context>
    <name>StoredRun</name>
    <message>
        <source>Damaged</source>
        <translation>Beschädigt</translation>
    </message>
    <message>
        <source>Running, no step for %1</source>
        <translation>Läuft, %1 ohne Schritt</translation>
    </message>
    <message>
        <source>Its process ended without a word. It was last heard of: %1, after step %2.</source>
        <translation>Der Prozess endete ohne ein Wort. Letztes Lebenszeichen: %1, nach Schritt %2.</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>Unbekannt</translation>
    </message>
    <message>
        <source>today %1</source>
        <translation>heute %1</translation>
    </message>
    <message>
        <source>yesterday %1</source>
        <translation>gestern %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>TokenPaper</name>
    <message>
        <source>from 90 %</source>
        <translation>ab 90 %</translation>
    </message>
    <message>
        <source>from 50 %</source>
        <translation>ab 50 %</translation>
    </message>
    <message>
        <source>from 10 %</source>
        <translation>ab 10 %</translation>
    </message>
    <message>
        <source>below</source>
        <translation>darunter</translation>
    </message>
</context>
<context>
    <name>TraceFacts</name>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>stages</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>planned steps</source>
        <translation>geplante Schritte</translation>
    </message>
    <message>
        <source>microbatches of a step</source>
        <translation>Mikrobatches eines Schritts</translation>
    </message>
    <message>
        <source>predicted for</source>
        <translation>vorhergesagt für</translation>
    </message>
    <message>
        <source>%1, %2 blocks of %3 experts (%4 a token), hidden %5, %6 parameters</source>
        <translation>%1, %2 Blöcke aus %3 Experten (%4 je Token), Breite %5, %6 Parameter</translation>
    </message>
    <message>
        <source>%1, %2 blocks, hidden %3, %4 parameters</source>
        <translation>%1, %2 Blöcke, Breite %3, %4 Parameter</translation>
    </message>
    <message>
        <source>%1 (simulated)</source>
        <translation>%1 (simuliert)</translation>
    </message>
    <message>
        <source>%1 forward, one fused, %2 backward</source>
        <translation>%1 vorwärts, eine verschmolzen, %2 rückwärts</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between devices</comment>
        <translation>, </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>WatchRun</name>
    <message>
        <source>Watch the run</source>
        <translation>Den Lauf ansehen</translation>
    </message>
</context>
<context>
    <name>roundpipe::studio::EngineLibrary</name>
    <message>
        <source>%1 is not beside the program. Build it with packaging/run, or install it again.</source>
        <translation>%1 liegt nicht neben dem Programm. Mit packaging/run bauen oder neu installieren.</translation>
    </message>
    <message>
        <source>%1 is not an engine of RoundPipe: it lacks %2.</source>
        <translation>%1 ist keine Engine von RoundPipe: %2 fehlt.</translation>
    </message>
    <message>
        <source>Without the engine this machine can&apos;t be measured: %1</source>
        <translation>Ohne die Engine kann dieser Rechner nicht gemessen werden: %1</translation>
    </message>
    <message>
        <source>Choose a rig on the Plan page, or describe one, as in 4x4090,ram=256.</source>
        <translation>Auf der Seite Plan einen Rechner wählen oder beschreiben, etwa 4x4090,ram=256.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::bridge::QueueController</name>
    <message>
        <source>The queue is not trained: its program has ended.</source>
        <translation>Die Warteschlange wird nicht trainiert: ihr Programm hat sich beendet.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::charts::CurvesChart</name>
    <message>
        <source>Curves of the chosen runs</source>
        <translation>Kurven der gewählten Läufe</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::charts::LossChart</name>
    <message>
        <source>loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Loss chart</source>
        <translation>Loss-Diagramm</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>Loss %1</translation>
    </message>
    <message>
        <source>smoothed %1</source>
        <translation>geglättet %1</translation>
    </message>
    <message>
        <source>validation %1</source>
        <translation>Validierung %1</translation>
    </message>
    <message>
        <source>learning rate %1</source>
        <translation>Lernrate %1</translation>
    </message>
    <message>
        <source>Step %1: %2</source>
        <translation>Schritt %1: %2</translation>
    </message>
    <message>
        <source>Step %1
%2
Click: see it on the timeline</source>
        <translation>Schritt %1
%2
Klick: auf der Zeitleiste zeigen</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::desktop::QueueAttendant</name>
    <message>
        <source>The queue is being trained</source>
        <translation>Die Warteschlange wird trainiert</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::desktop::RunAttendant</name>
    <message>
        <source>A model is being trained</source>
        <translation>Ein Modell wird trainiert</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::desktop::SleepGuard</name>
    <message>
        <source>there is no system bus</source>
        <translation>es gibt keinen Systembus</translation>
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
        <translation>Ohne Namen</translation>
    </message>
    <message>
        <source>Change “%1”</source>
        <translation>„%1“ ändern</translation>
    </message>
    <message>
        <source>Change the prompts</source>
        <translation>Prompts ändern</translation>
    </message>
    <message>
        <source>The project is not saved. %1</source>
        <translation>Das Projekt ist nicht gespeichert. %1</translation>
    </message>
    <message>
        <source>Save it to another place: File, Save as.</source>
        <translation>An einem anderen Ort speichern: Datei, Speichern unter.</translation>
    </message>
    <message>
        <source>Add what was dropped</source>
        <translation>Abgelegtes hinzufügen</translation>
    </message>
    <message>
        <source>%1 (rescued)</source>
        <translation>%1 (gerettet)</translation>
    </message>
    <message>
        <source>The project could not be saved in its place. It is kept as %1.</source>
        <translation>Das Projekt konnte an seinem Ort nicht gespeichert werden. Es liegt nun als %1.</translation>
    </message>
    <message>
        <source>The project was changed by another window or program, too. What that saved is kept as %1.</source>
        <translation>Das Projekt wurde auch von einem anderen Fenster oder Programm geändert. Was dieses gespeichert hat, bleibt als %1 erhalten.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::editors::FieldControl</name>
    <message>
        <source>“%1” is not a whole number.</source>
        <translation>„%1“ ist keine ganze Zahl.</translation>
    </message>
    <message>
        <source>“%1” is not a number.</source>
        <translation>„%1“ ist keine Zahl.</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>Write whole numbers with commas between: 9, 10, 9.</source>
        <translation>Ganze Zahlen mit Kommas dazwischen angeben: 9, 10, 9.</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>Durchsuchen…</translation>
    </message>
    <message>
        <source>Browse for %1</source>
        <translation>%1 suchen</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::editors::FieldRow</name>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>Reset %1 to its default</source>
        <translation>%1 auf den Standard zurücksetzen</translation>
    </message>
    <message>
        <source>Reset to %1</source>
        <translation>Zurück auf %1</translation>
    </message>
    <message>
        <source>Help on %1 (F1)</source>
        <translation>Hilfe zu %1 (F1)</translation>
    </message>
    <message>
        <source>%1 · dataset %2</source>
        <translation>%1 · Datensatz %2</translation>
    </message>
    <message>
        <source>Each dataset has its own; this is that of dataset %1, which is chosen on the page Data.</source>
        <translation>Jeder Datensatz hat seine eigene Einstellung; dies ist die von Datensatz %1, der auf der Seite Daten gewählt ist.</translation>
    </message>
    <message>
        <source>Have it chosen</source>
        <translation>Wählen lassen</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::editors::PathList</name>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Files and folders</source>
        <translation>Dateien und Ordner</translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation>Dateien…</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>Ordner…</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::editors::PromptsEditor</name>
    <message>
        <source>Add a prompt</source>
        <translation>Prompt hinzufügen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Answered before the first step and after the last, and by “Sample now”: so that you see what training changes. A prompt is what a user would say.</source>
        <translation>Werden vor dem ersten und nach dem letzten Schritt beantwortet, und bei „Jetzt fragen“: so zeigt sich, was das Training ändert. Ein Prompt ist, was jemand sagen würde, der das Modell benutzt.</translation>
    </message>
    <message>
        <source>Text of the prompt</source>
        <translation>Text des Prompts</translation>
    </message>
    <message>
        <source>What would you ask the model?</source>
        <translation>Was soll das Modell beantworten?</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>(no text yet: it is left out)</source>
        <translation>(noch ohne Text: wird ausgelassen)</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::help::HelpWindow</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>RoundPipe Studio: the manual</source>
        <translation>RoundPipe Studio: das Handbuch</translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation>Das Handbuch durchsuchen</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Page of the manual</source>
        <translation>Seite des Handbuchs</translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) found</source>
        <translation>
            <numerusform>%n Stelle gefunden</numerusform>
            <numerusform>%n Stellen gefunden</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Nothing has all of these words.</source>
        <translation>Nichts enthält alle diese Wörter.</translation>
    </message>
    <message numerus="yes">
        <source>And %n other(s): more letters find less.</source>
        <translation>
            <numerusform>Und %n weitere: mehr Buchstaben finden weniger.</numerusform>
            <numerusform>Und %n weitere: mehr Buchstaben finden weniger.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::hub::FetchNotice</name>
    <message>
        <source>Fetch</source>
        <translation>Holen</translation>
    </message>
    <message>
        <source>Fetches what the project names of Hugging Face&apos;s Hub</source>
        <translation>Holt, was das Projekt vom Hub von Hugging Face nennt</translation>
    </message>
    <message>
        <source>The project&apos;s model is %1 of Hugging Face&apos;s Hub. To be used here it is fetched into the cache of this machine; what lies there already is not fetched again. Nothing goes to the network before you press the button.</source>
        <translation>Das Modell des Projekts ist %1 vom Hub von Hugging Face. Um hier benutzt zu werden, wird es in den Cache dieses Rechners geholt; was dort schon liegt, wird nicht noch einmal geholt. Ins Netz geht nichts, bevor Sie den Knopf drücken.</translation>
    </message>
    <message>
        <source>The project&apos;s rows are named on Hugging Face&apos;s Hub: %1. To be used here they are fetched into the cache of this machine; what lies there already is not fetched again. Nothing goes to the network before you press the button.</source>
        <translation>Die Zeilen des Projekts sind auf dem Hub von Hugging Face genannt: %1. Um hier benutzt zu werden, werden sie in den Cache dieses Rechners geholt; was dort schon liegt, wird nicht noch einmal geholt. Ins Netz geht nichts, bevor Sie den Knopf drücken.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::hub::FetchProgress</name>
    <message>
        <source>The Hub does not answer, or asks to wait. Next try in %1.</source>
        <translation>Der Hub antwortet nicht oder bittet zu warten. Nächster Versuch in %1.</translation>
    </message>
    <message>
        <source>Asking what there is…</source>
        <translation>Frage, was es gibt…</translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation>%1 von %2: %3</translation>
    </message>
    <message>
        <source>%1 of %2, %3 a second, %4 left: %5</source>
        <translation>%1 von %2, %3 pro Sekunde, noch %4: %5</translation>
    </message>
    <message>
        <source>How far it is</source>
        <translation>Wie weit es ist</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Suche…</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::hub::HubDialog</name>
    <message>
        <source>Models from Hugging Face&apos;s Hub</source>
        <translation>Modelle vom Hub von Hugging Face</translation>
    </message>
    <message>
        <source>Datasets from Hugging Face&apos;s Hub</source>
        <translation>Datensätze vom Hub von Hugging Face</translation>
    </message>
    <message>
        <source>Part of a name: qwen3, or an owner</source>
        <translation>Teil eines Namens: qwen3, oder ein Besitzer</translation>
    </message>
    <message>
        <source>Part of a name: alpaca, or an owner</source>
        <translation>Teil eines Namens: alpaca, oder ein Besitzer</translation>
    </message>
    <message>
        <source>What to look for</source>
        <translation>Wonach gesucht wird</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>Was gefunden wurde</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>Downloads</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Access</source>
        <translation>Zugang</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>owner/name, owner/name@revision, or the address of its page</source>
        <translation>Besitzer/Name, Besitzer/Name@Revision oder die Adresse der Seite</translation>
    </message>
    <message>
        <source>owner/name, owner/name/subset:split, or the address of its page</source>
        <translation>Besitzer/Name, Besitzer/Name/Teilmenge:Split oder die Adresse der Seite</translation>
    </message>
    <message>
        <source>Fetch</source>
        <translation>Holen</translation>
    </message>
    <message>
        <source>&amp;Name:</source>
        <translation>&amp;Name:</translation>
    </message>
    <message>
        <source>Stay o&amp;ffline: use only what is in the cache</source>
        <translation>O&amp;ffline bleiben: nur verwenden, was im Cache liegt</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>There is no access token in its usual places; the desktop&apos;s keyring is asked once you fetch. Gated and private ones need it.</source>
        <translation>An den üblichen Orten liegt kein Zugangstoken; der Schlüsselbund der Arbeitsumgebung wird gefragt, sobald etwas geholt wird. Zugangsbeschränkte und private brauchen eines.</translation>
    </message>
    <message>
        <source>The access token is the one from %1.</source>
        <translation>Das Zugangstoken ist das aus %1.</translation>
    </message>
    <message>
        <source>The network is not used, by %1. What lies in the cache %2 can be used by its name.</source>
        <translation>Das Netz wird nicht benutzt, wegen %1. Was im Cache %2 liegt, ist unter seinem Namen zu verwenden.</translation>
    </message>
    <message>
        <source>%1 is asked once you press a button, not before. What it gives lies in the cache of Hugging Face&apos;s tools, %2. %3</source>
        <translation>%1 wird erst auf Knopfdruck gefragt, nicht vorher. Was von dort kommt, liegt im Cache der Werkzeuge von Hugging Face, %2. %3</translation>
    </message>
    <message>
        <source>gated</source>
        <translation>beschränkt</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>Nothing was found for “%1”.</source>
        <translation>Zu „%1“ wurde nichts gefunden.</translation>
    </message>
    <message>
        <source>Try a shorter part of the name.</source>
        <translation>Mit einem kürzeren Teil des Namens versuchen.</translation>
    </message>
    <message>
        <source>From the Hub…</source>
        <translation>Vom Hub…</translation>
    </message>
    <message>
        <source>Look for a model on Hugging Face&apos;s Hub and fetch it</source>
        <translation>Ein Modell auf dem Hub von Hugging Face suchen und holen</translation>
    </message>
    <message>
        <source>Look for rows on Hugging Face&apos;s Hub and fetch them</source>
        <translation>Zeilen auf dem Hub von Hugging Face suchen und holen</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::models::StagesModel</name>
    <message>
        <source>In the first step; where stages and devices don&apos;t divide evenly it moves on from step to step.</source>
        <translation>Im ersten Schritt; wo Stufen und Geräte nicht aufgehen, wandert es von Schritt zu Schritt weiter.</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>First on</source>
        <translation>Zuerst auf</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>forward + loss + backward</source>
        <translation>vorwärts + Loss + rückwärts</translation>
    </message>
    <message>
        <source>recompute + backward</source>
        <translation>neu berechnen + rückwärts</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::AdapterCard</name>
    <message>
        <source>Adapter</source>
        <translation>Adapter</translation>
    </message>
    <message>
        <source>A factor on what the adapters add: 0 is the base model, above 1 is overdone (Alt+Left, Alt+Right)</source>
        <translation>Ein Faktor auf das, was die Adapter hinzufügen: 0 ist das Basismodell, über 1 ist übertrieben (Alt+Links, Alt+Rechts)</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>Stärke</translation>
    </message>
    <message>
        <source>Strength of the adapters</source>
        <translation>Stärke der Adapter</translation>
    </message>
    <message>
        <source>0 · base</source>
        <translation>0 · Basis</translation>
    </message>
    <message>
        <source>Weight of %1</source>
        <translation>Gewicht von %1</translation>
    </message>
    <message>
        <source>How much of this adapter is added; 0: nothing of it</source>
        <translation>Wie viel von diesem Adapter hinzukommt; 0: nichts</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::AnswerSettings</name>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>“%1” is no number.</source>
        <translation>„%1“ ist keine Zahl.</translation>
    </message>
    <message>
        <source>Stop texts, one a line</source>
        <translation>Stopptexte, einer je Zeile</translation>
    </message>
    <message>
        <source>Stop texts</source>
        <translation>Stopptexte</translation>
    </message>
    <message>
        <source>An answer ends before the first of them, and nothing of it is shown. \n is a line feed.</source>
        <translation>Eine Antwort endet vor dem ersten davon, und nichts von ihm wird gezeigt. \n ist ein Zeilenumbruch.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::AskBar</name>
    <message>
        <source>Ask</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>Ask (Return; Shift+Return begins a new line)</source>
        <translation>Fragen (Eingabe; Umschalt+Eingabe beginnt eine neue Zeile)</translation>
    </message>
    <message>
        <source>End the answer here (Esc)</source>
        <translation>Die Antwort hier beenden (Esc)</translation>
    </message>
    <message>
        <source>In place of an earlier question; what followed it will be forgotten.</source>
        <translation>Anstelle einer früheren Frage; was ihr folgte, wird vergessen.</translation>
    </message>
    <message>
        <source>Leave it as it was</source>
        <translation>Lassen, wie sie war</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ChangesCard</name>
    <message>
        <source>Changed from the defaults</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>Alle zurücksetzen</translation>
    </message>
    <message>
        <source>Reset all settings</source>
        <translation>Alle Einstellungen zurücksetzen</translation>
    </message>
    <message>
        <source>Nothing: all settings are at their defaults.</source>
        <translation>Nichts: Alle Einstellungen stehen auf dem Standard.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ChartCard</name>
    <message>
        <source>Log axis</source>
        <translation>Log-Achse</translation>
    </message>
    <message>
        <source>What the chart shows</source>
        <translation>Was das Diagramm zeigt</translation>
    </message>
    <message>
        <source>Loss and learning rate</source>
        <translation>Loss und Lernrate</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>time of the run</source>
        <translation>Zeit des Laufs</translation>
    </message>
    <message>
        <source>time since it went on after step %1 (earlier: not kept)</source>
        <translation>Zeit seit der Fortsetzung nach Schritt %1 (früher: nicht aufbewahrt)</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ColumnsPanel</name>
    <message>
        <source>cannot be read</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <source>no known format</source>
        <translation>kein bekanntes Format</translation>
    </message>
    <message>
        <source>Files and columns</source>
        <translation>Dateien und Spalten</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Read as</source>
        <translation>Gelesen als</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Files of the dataset</source>
        <translation>Dateien des Datensatzes</translation>
    </message>
    <message>
        <source>Rows are read as</source>
        <translation>Zeilen werden gelesen als</translation>
    </message>
    <message>
        <source>left out: it %1</source>
        <translation>ausgelassen: %1</translation>
    </message>
    <message>
        <source>remove data</source>
        <translation>Daten entfernen</translation>
    </message>
    <message>
        <source>Found to be %1: %2.</source>
        <translation>Erkannt als %1: %2.</translation>
    </message>
    <message>
        <source>Column for the field %1</source>
        <translation>Spalte für das Feld %1</translation>
    </message>
    <message>
        <source>no column</source>
        <translation>keine Spalte</translation>
    </message>
    <message>
        <source>Leave it out</source>
        <translation>Auslassen</translation>
    </message>
    <message>
        <source>Take the chosen file out of the project; nothing is deleted on the disk</source>
        <translation>Die gewählte Datei aus dem Projekt nehmen; auf der Platte wird nichts gelöscht</translation>
    </message>
    <message>
        <source>Leave out %1</source>
        <translation>%1 auslassen</translation>
    </message>
    <message>
        <source>leave a file out</source>
        <translation>eine Datei auslassen</translation>
    </message>
    <message>
        <source>Remove data</source>
        <translation>Daten entfernen</translation>
    </message>
    <message>
        <source>“%1” was found in the folder “%2”.</source>
        <translation>„%1“ wurde im Ordner „%2“ gefunden.</translation>
    </message>
    <message numerus="yes">
        <source>The project reads the whole folder, %n file(s). Without this one it names the others one by one, and files that come into the folder later are not read. Nothing is deleted on the disk.</source>
        <translation>
            <numerusform>Das Projekt liest den ganzen Ordner, %n Datei. Ohne diese nennt es die anderen einzeln, und Dateien, die später in den Ordner kommen, werden nicht gelesen. Auf der Platte wird nichts gelöscht.</numerusform>
            <numerusform>Das Projekt liest den ganzen Ordner, %n Dateien. Ohne diese nennt es die anderen einzeln, und Dateien, die später in den Ordner kommen, werden nicht gelesen. Auf der Platte wird nichts gelöscht.</numerusform>
        </translation>
    </message>
    <message>
        <source>Leave out this file</source>
        <translation>Diese Datei auslassen</translation>
    </message>
    <message>
        <source>Remove the folder</source>
        <translation>Den Ordner entfernen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>%1, to validate on</source>
        <translation>%1, zum Validieren</translation>
    </message>
    <message>
        <source>Its columns are none of a known format. They may be meant so:</source>
        <translation>Die Spalten gehören zu keinem bekannten Format. Vielleicht sind sie so gemeint:</translation>
    </message>
    <message>
        <source>%1 from “%2”</source>
        <translation>%1 aus „%2“</translation>
    </message>
    <message>
        <source>Read %1</source>
        <translation>%1 lesen</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ConversationColumn</name>
    <message>
        <source>Ask something below: the answer comes here, word by word.</source>
        <translation>Unten etwas fragen: Die Antwort kommt hier, Wort für Wort.</translation>
    </message>
    <message>
        <source>Conversation with %1</source>
        <translation>Unterhaltung mit %1</translation>
    </message>
    <message>
        <source>Answer of %1</source>
        <translation>Antwort von %1</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>reading the question…</source>
        <translation>liest die Frage…</translation>
    </message>
    <message>
        <source>not asked: it was stopped before its turn</source>
        <translation>nicht gefragt: vorher wurde angehalten</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::DataPage</name>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Files and columns</source>
        <translation>Dateien und Spalten</translation>
    </message>
    <message>
        <source>Drop files or a folder here</source>
        <translation>Dateien oder einen Ordner hier ablegen</translation>
    </message>
    <message>
        <source>Choose files…</source>
        <translation>Dateien wählen…</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>Ordner wählen…</translation>
    </message>
    <message>
        <source>Lengths</source>
        <translation>Längen</translation>
    </message>
    <message>
        <source>drag the line, or ← → with it focused</source>
        <translation>Linie ziehen, oder ← →, wenn sie den Fokus hat</translation>
    </message>
    <message>
        <source>Worth a look</source>
        <translation>Einen Blick wert</translation>
    </message>
    <message>
        <source>every line leads to its rows; nothing is changed on disk</source>
        <translation>führt zu den Zeilen; Dateien bleiben gleich</translation>
    </message>
    <message>
        <source>What the files are, and which column is read as what</source>
        <translation>Was die Dateien sind und welche Spalte als was gelesen wird</translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation>Dateien wählen…</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>Ordner wählen…</translation>
    </message>
    <message>
        <source>Rows to train on</source>
        <translation>Zeilen zum Trainieren</translation>
    </message>
    <message>
        <source>add data</source>
        <translation>Daten hinzufügen</translation>
    </message>
    <message>
        <source>1 file</source>
        <translation>1 Datei</translation>
    </message>
    <message>
        <source>%1 files</source>
        <translation>%1 Dateien</translation>
    </message>
    <message>
        <source>%1 left out</source>
        <translation>%1 ausgelassen</translation>
    </message>
    <message>
        <source>Rows to train on: files and folders, as many as you like</source>
        <translation>Zeilen zum Trainieren: Dateien und Ordner, so viele man will</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>Wird geöffnet…</translation>
    </message>
    <message>
        <source>Reading, %1 %</source>
        <translation>Wird gelesen, %1 %</translation>
    </message>
    <message>
        <source>Cannot be used</source>
        <translation>Nicht verwendbar</translation>
    </message>
    <message>
        <source>Needs a model</source>
        <translation>Braucht ein Modell</translation>
    </message>
    <message>
        <source>Would not start</source>
        <translation>Würde nicht starten</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Tokens, lengths and masks are told by a model&apos;s tokenizer and template. Choose one on the page Model.</source>
        <translation>Token, Längen und Masken ergeben sich aus Tokenizer und Vorlage eines Modells. Auf der Seite Modell eines wählen.</translation>
    </message>
    <message>
        <source>no rows yet</source>
        <translation>noch keine Zeilen</translation>
    </message>
    <message>
        <source>opening…</source>
        <translation>wird geöffnet…</translation>
    </message>
    <message>
        <source>%1 rows so far</source>
        <translation>bisher %1 Zeilen</translation>
    </message>
    <message>
        <source>needs a model</source>
        <translation>braucht ein Modell</translation>
    </message>
    <message>
        <source>cannot be used</source>
        <translation>nicht verwendbar</translation>
    </message>
    <message>
        <source>would not start</source>
        <translation>würde nicht starten</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>Choose the rows to train on</source>
        <translation>Zeilen zum Trainieren wählen</translation>
    </message>
    <message>
        <source>leave rows out</source>
        <translation>Zeilen auslassen</translation>
    </message>
    <message>
        <source>take rows back</source>
        <translation>Zeilen zurücknehmen</translation>
    </message>
    <message>
        <source>leave a row out</source>
        <translation>eine Zeile auslassen</translation>
    </message>
    <message>
        <source>take a row back</source>
        <translation>eine Zeile zurücknehmen</translation>
    </message>
    <message>
        <source>Datasets</source>
        <translation>Datensätze</translation>
    </message>
    <message>
        <source>Which datasets the run trains on, and how much an epoch takes of each</source>
        <translation>Auf welchen Datensätzen der Lauf trainiert und wie viel eine Epoche von jedem nimmt</translation>
    </message>
    <message>
        <source>Rows of another dataset</source>
        <translation>Zeilen eines weiteren Datensatzes</translation>
    </message>
    <message>
        <source>JSONL, JSON, CSV, TSV, Parquet, Arrow, text and markdown, also as .gz and .zst. Chats (OpenAI&apos;s messages, ShareGPT), Alpaca, prompt and completion are recognised by their columns; others can be mapped.</source>
        <translation>JSONL, JSON, CSV, TSV, Parquet, Arrow, Text, Markdown, auch .gz und .zst. Chats (OpenAI, ShareGPT), Alpaca, Prompt und Antwort werden an ihren Spalten erkannt; andere lassen sich zuordnen.</translation>
    </message>
    <message>
        <source>The rows to validate on are of one file, but %1 has %2.</source>
        <translation>Die Zeilen zum Validieren sind die einer Datei, %1 hat aber %2.</translation>
    </message>
    <message>
        <source>Choose one of those files, which are in the cache now.</source>
        <translation>Wählen Sie eine dieser Dateien, die nun im Cache liegen.</translation>
    </message>
    <message>
        <source>fetch data</source>
        <translation>Daten holen</translation>
    </message>
    <message>
        <source>Rows that the project names on Hugging Face&apos;s Hub</source>
        <translation>Zeilen, die das Projekt auf dem Hub von Hugging Face nennt</translation>
    </message>
    <message>
        <source>To be fetched</source>
        <translation>Noch zu holen</translation>
    </message>
    <message>
        <source>to be fetched</source>
        <translation>noch zu holen</translation>
    </message>
    <message>
        <source>Fetch the rows that the project names</source>
        <translation>Zeilen holen, die das Projekt nennt</translation>
    </message>
    <message>
        <source>Token lens</source>
        <translation>Tokenlupe</translation>
    </message>
    <message>
        <source>What becomes of a row, token by token</source>
        <translation>Was aus einer Zeile wird, Token für Token</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Modell wählen</translation>
    </message>
    <message>
        <source>Next: Settings</source>
        <translation>Weiter: Einstellungen</translation>
    </message>
    <message>
        <source>What deserves a look stands here when all rows are read.</source>
        <translation>Was einen Blick wert ist, steht hier, sobald alle Zeilen gelesen sind.</translation>
    </message>
    <message>
        <source>Lengths appear once rows have been read with the model&apos;s tokenizer.</source>
        <translation>Längen erscheinen, sobald Zeilen mit dem Tokenizer des Modells gelesen sind.</translation>
    </message>
    <message>
        <source>No lengths: the rows cannot be used. “Worth a look” says why.</source>
        <translation>Keine Längen: Die Zeilen sind nicht verwendbar. Warum, steht unter „Einen Blick wert“.</translation>
    </message>
    <message>
        <source>Lengths appear once a model has been chosen: its tokenizer tells how long rows are.</source>
        <translation>Längen erscheinen, sobald ein Modell gewählt ist: Sein Tokenizer sagt, wie lang Zeilen sind.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::DatasetTiles</name>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>Tokens an epoch</source>
        <translation>Token je Epoche</translation>
    </message>
    <message>
        <source>Trained</source>
        <translation>Trainiert</translation>
    </message>
    <message>
        <source>Median length</source>
        <translation>Medianlänge</translation>
    </message>
    <message>
        <source>of %1 used</source>
        <translation>von %1 verwendet</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%L1 %</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>p99 %1 · max %2</source>
        <translation>p99 %1 · max. %2</translation>
    </message>
    <message>
        <source>at most %1 a row</source>
        <translation>max. %1 je Zeile</translation>
    </message>
    <message>
        <source>so far</source>
        <translation>bisher</translation>
    </message>
    <message>
        <source>train · %1 validate</source>
        <translation>Training · %1 Valid.</translation>
    </message>
    <message>
        <source>once all rows are read</source>
        <translation>nach allen Zeilen</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::DatasetsPanel</name>
    <message>
        <source>no files yet</source>
        <translation>noch keine Dateien</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 und %n weitere</numerusform>
            <numerusform>%1 und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 ×</source>
        <translation>%1 ×</translation>
    </message>
    <message>
        <source>weight %1</source>
        <translation>Gewicht %1</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Datasets</source>
        <translation>Datensätze</translation>
    </message>
    <message>
        <source>Add…</source>
        <translation>Hinzufügen…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Add a dataset</source>
        <translation>Einen Datensatz hinzufügen</translation>
    </message>
    <message>
        <source>Train on another dataset too, with a format and a share of its own</source>
        <translation>Auch auf einem weiteren Datensatz trainieren, mit eigenem Format und eigenem Anteil</translation>
    </message>
    <message>
        <source>Remove the dataset</source>
        <translation>Den Datensatz entfernen</translation>
    </message>
    <message>
        <source>Take the chosen dataset out of the project; nothing is deleted on the disk</source>
        <translation>Den gewählten Datensatz aus dem Projekt nehmen; auf der Platte wird nichts gelöscht</translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>Datensatz</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Of an epoch</source>
        <translation>Der Epoche</translation>
    </message>
    <message>
        <source>Part of an epoch&apos;s tokens</source>
        <translation>Teil der Token einer Epoche</translation>
    </message>
    <message>
        <source>Datasets of the project</source>
        <translation>Datensätze des Projekts</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>Share of an epoch</source>
        <translation>Anteil an der Epoche</translation>
    </message>
    <message>
        <source>change a dataset&apos;s share</source>
        <translation>den Anteil eines Datensatzes ändern</translation>
    </message>
    <message>
        <source>remove a dataset</source>
        <translation>einen Datensatz entfernen</translation>
    </message>
    <message>
        <source>Its rows are not counted yet.</source>
        <translation>Seine Zeilen sind noch nicht gezählt.</translation>
    </message>
    <message>
        <source>An epoch draws %1 times from its %2 rows to train on: %3 of all draws.</source>
        <translation>Eine Epoche zieht %1-mal aus seinen %2 Trainingszeilen: %3 aller Ziehungen.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::DifferencesTable</name>
    <message>
        <source>What differs</source>
        <translation>Was sich unterscheidet</translation>
    </message>
    <message>
        <source>What came out</source>
        <translation>Was herauskam</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>Validierungs-Loss</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Adapter or model</source>
        <translation>Adapter oder Modell</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ExportDialog</name>
    <message>
        <source>&amp;Weights</source>
        <translation>&amp;Gewichte</translation>
    </message>
    <message>
        <source>&amp;Prove it: ask run and export the same, and compare their answers</source>
        <translation>&amp;Prüfen: Lauf und Export dasselbe fragen und die Antworten vergleichen</translation>
    </message>
    <message>
        <source>Export for other programs</source>
        <translation>Export für andere Programme</translation>
    </message>
    <message>
        <source>Before anything is written</source>
        <translation>Bevor etwas geschrieben wird</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>the run&apos;s result</source>
        <translation>Ergebnis des Laufs</translation>
    </message>
    <message>
        <source>checkpoint %1, step %2</source>
        <translation>Checkpoint %1, Schritt %2</translation>
    </message>
    <message>
        <source>Loads the model twice, one after the other. The figures are kept with the run.</source>
        <translation>Lädt das Modell zweimal nacheinander. Die Zahlen bleiben beim Lauf.</translation>
    </message>
    <message>
        <source>&amp;For</source>
        <translation>&amp;Für</translation>
    </message>
    <message>
        <source>&amp;Of</source>
        <translation>&amp;Von</translation>
    </message>
    <message>
        <source>For which programs</source>
        <translation>Für welche Programme</translation>
    </message>
    <message>
        <source>Type of the weights</source>
        <translation>Typ der Gewichte</translation>
    </message>
    <message>
        <source>Of which state of the run</source>
        <translation>Von welchem Stand des Laufs</translation>
    </message>
    <message>
        <source>as they are</source>
        <translation>wie sie sind</translation>
    </message>
    <message>
        <source>Asking who would refuse what…</source>
        <translation>Prüfen, wer was ablehnt…</translation>
    </message>
    <message>
        <source>Nothing is known that another program would refuse.</source>
        <translation>Nichts bekannt, was ein anderes Programm ablehnt.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ExportsCard</name>
    <message>
        <source>Exports for other programs</source>
        <translation>Exporte für andere Programme</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Make a model for Ollama, llama.cpp, vLLM or others, and prove that it answers as the run</source>
        <translation>Ein Modell für Ollama, llama.cpp, vLLM oder andere machen und prüfen, dass es wie der Lauf antwortet</translation>
    </message>
    <message>
        <source>How far the export is</source>
        <translation>Wie weit der Export ist</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>stopping…</source>
        <translation>hält an…</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>%1 zeigen</translation>
    </message>
    <message>
        <source>The engine makes exports, and it is not loaded.</source>
        <translation>Exporte macht die Engine, und sie ist nicht geladen.</translation>
    </message>
    <message>
        <source>A run is under way: exports wait for its end, as the proof needs the memory.</source>
        <translation>Ein Lauf ist im Gang: Exporte warten auf sein Ende, denn die Prüfung braucht den Speicher.</translation>
    </message>
    <message>
        <source>An export of another run is under way.</source>
        <translation>Ein Export eines anderen Laufs ist im Gang.</translation>
    </message>
    <message>
        <source>None yet. An export is asked the same as the run, and has to answer the same.</source>
        <translation>Noch keiner. Ein Export wird dasselbe gefragt wie der Lauf und muss dasselbe antworten.</translation>
    </message>
    <message>
        <source>proving it: %1 of %2</source>
        <translation>wird geprüft: %1 von %2</translation>
    </message>
    <message>
        <source>writing: %1 of %2</source>
        <translation>wird geschrieben: %1 von %2</translation>
    </message>
    <message>
        <source>reading the model…</source>
        <translation>Modell wird gelesen…</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::FindingsList</name>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Show the rows: %1</source>
        <translation>Die Zeilen zeigen: %1</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1: %2, %3</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::FindingsPane</name>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>What slows the run stands here after its first steps.</source>
        <translation>Was den Lauf bremst, steht hier nach seinen ersten Schritten.</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Show on the timeline: %1</source>
        <translation>Auf der Zeitleiste zeigen: %1</translation>
    </message>
    <message>
        <source>The longest such wait, on the timeline</source>
        <translation>Das längste Warten dieser Art, auf der Zeitleiste</translation>
    </message>
    <message>
        <source>Costs much</source>
        <translation>Kostet viel</translation>
    </message>
    <message>
        <source>Worth knowing</source>
        <translation>Gut zu wissen</translation>
    </message>
    <message>
        <source>The run ended before its second step, too early to tell what slows it.</source>
        <translation>Der Lauf endete vor seinem zweiten Schritt, zu früh, um zu sagen, was ihn bremst.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::FixesCard</name>
    <message>
        <source>Why not, and what makes it fit</source>
        <translation>Warum nicht, und womit es passt</translation>
    </message>
    <message>
        <source>Looking for what would help…</source>
        <translation>Suche nach dem, was helfen würde…</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Apply: %1</source>
        <translation>Anwenden: %1</translation>
    </message>
    <message>
        <source>Describe a rig…</source>
        <translation>Einen Rechner beschreiben…</translation>
    </message>
    <message>
        <source>No change of settings, memory or GPUs is enough: choose a smaller model.</source>
        <translation>Keine Änderung von Einstellungen, Speicher oder GPUs genügt: ein kleineres Modell wählen.</translation>
    </message>
    <message>
        <source>Apply all</source>
        <translation>Alle anwenden</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::GridDialog</name>
    <message>
        <source>Another setting</source>
        <translation>Weitere Einstellung</translation>
    </message>
    <message>
        <source>Add a grid</source>
        <translation>Raster hinzufügen</translation>
    </message>
    <message>
        <source>%1 is trained once for each value, and where there are several settings for each combination of their values. Everything else stays as the project has it.</source>
        <translation>%1 wird für jeden Wert einmal trainiert, bei mehreren Einstellungen für jede Kombination ihrer Werte. Alles andere bleibt wie im Projekt.</translation>
    </message>
    <message>
        <source>Name of the grid</source>
        <translation>Name des Rasters</translation>
    </message>
    <message>
        <source>Runs of the grid</source>
        <translation>Läufe des Rasters</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Add to the queue</source>
        <translation>In die Warteschlange</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Give each setting its values.</source>
        <translation>Jeder Einstellung ihre Werte geben.</translation>
    </message>
    <message>
        <source>Give the grid a name: its results are found by it.</source>
        <translation>Dem Raster einen Namen geben: an ihm werden die Ergebnisse erkannt.</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>Noch kein Lauf</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 in all</source>
        <translation>zusammen %1</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::GridField</name>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>Values with ; between</source>
        <translation>Werte, dazwischen ;</translation>
    </message>
    <message>
        <source>Values with ; between, the parts of one with +</source>
        <translation>Werte, dazwischen ;, zwischen den Teilen eines Werts +</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::InterruptedOffer</name>
    <message>
        <source>Continue…</source>
        <translation>Fortsetzen…</translation>
    </message>
    <message>
        <source>Show all runs</source>
        <translation>Alle Läufe zeigen</translation>
    </message>
    <message>
        <source>Do not offer this again</source>
        <translation>Nicht mehr anbieten</translation>
    </message>
    <message>
        <source>“%1” was interrupted after step %2, %3</source>
        <translation>„%1“ wurde nach Schritt %2 unterbrochen, %3</translation>
    </message>
    <message>
        <source>“%1” was interrupted before its first step, %2</source>
        <translation>„%1“ wurde vor dem ersten Schritt unterbrochen, %2</translation>
    </message>
    <message>
        <source>It can go on from its checkpoint of step %1.</source>
        <translation>Er kann vom Checkpoint nach Schritt %1 aus weitergehen.</translation>
    </message>
    <message>
        <source>It had no checkpoint yet from which it could go on.</source>
        <translation>Es gab noch keinen Checkpoint, von dem aus er weitergehen könnte.</translation>
    </message>
    <message numerus="yes">
        <source>%n other run(s) were interrupted, too.</source>
        <translation>
            <numerusform>Auch %n anderer Lauf wurde unterbrochen.</numerusform>
            <numerusform>Auch %n andere Läufe wurden unterbrochen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Continue %1…</source>
        <translation>%1 fortsetzen…</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::JournalView</name>
    <message>
        <source>Journal</source>
        <translation>Journal</translation>
    </message>
    <message>
        <source>This run has kept no journal.</source>
        <translation>Dieser Lauf hat kein Journal geführt.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::KeptList</name>
    <message>
        <source>Each conversation is kept here after its first answer, in the run&apos;s folder.</source>
        <translation>Jede Unterhaltung wird nach der ersten Antwort hier aufgehoben, im Ordner des Laufs.</translation>
    </message>
    <message>
        <source>Go on with it</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Unterhaltungen</translation>
    </message>
    <message>
        <source>Show it and go on (Return)</source>
        <translation>Zeigen und fortsetzen (Eingabe)</translation>
    </message>
    <message>
        <source>Give it another name (F2)</source>
        <translation>Anders benennen (F2)</translation>
    </message>
    <message>
        <source>Delete its file (Del)</source>
        <translation>Ihre Datei löschen (Entf)</translation>
    </message>
    <message>
        <source>Delete a conversation</source>
        <translation>Eine Unterhaltung löschen</translation>
    </message>
    <message>
        <source>Delete “%1”?</source>
        <translation>„%1“ löschen?</translation>
    </message>
    <message>
        <source>Rows that were made of its answers stay. What is deleted can&apos;t be brought back.</source>
        <translation>Zeilen, die aus ihren Antworten wurden, bleiben. Was gelöscht ist, kommt nicht zurück.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::LengthHistogram</name>
    <message>
        <source>%1 %</source>
        <translation>%L1 %</translation>
    </message>
    <message>
        <source>Length limit</source>
        <translation>Längengrenze</translation>
    </message>
    <message>
        <source>max length %1</source>
        <translation>höchste Länge %1</translation>
    </message>
    <message>
        <source>no row is longer</source>
        <translation>keine Zeile ist länger</translation>
    </message>
    <message>
        <source>%1 rows dropped (%2)</source>
        <translation>%1 Zeilen verworfen (%2)</translation>
    </message>
    <message>
        <source>%1 rows cut (%2)</source>
        <translation>%1 Zeilen gekürzt (%2)</translation>
    </message>
    <message>
        <source>%1 trained tokens lost</source>
        <translation>%1 trainierte Token verloren</translation>
    </message>
    <message>
        <source>tokens of a whole row</source>
        <translation>Token einer ganzen Zeile</translation>
    </message>
    <message>
        <source>%1 longer rows (%2)</source>
        <translation>%1 längere Zeilen (%2)</translation>
    </message>
    <message>
        <source>texts are split, others are cut</source>
        <translation>Texte werden aufgeteilt, andere abgeschnitten</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::LensFeed</name>
    <message>
        <source>Tokens are told by a model. Choose one on the page Model.</source>
        <translation>Erst ein Modell bestimmt die Token. Auf der Seite Modell eines wählen.</translation>
    </message>
    <message>
        <source>%1, row %2</source>
        <translation>%1, Zeile %2</translation>
    </message>
    <message>
        <source>No tokens: the rows cannot be used. “Worth a look” says why.</source>
        <translation>Keine Token: Die Zeilen sind nicht verwendbar. Warum, steht unter „Einen Blick wert“.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::LensPanel</name>
    <message>
        <source>Token lens</source>
        <translation>Tokenlupe</translation>
    </message>
    <message>
        <source>The row, as far as it came</source>
        <translation>Die Zeile, so weit sie kam</translation>
    </message>
    <message>
        <source>Choose a row to see what becomes of it, token by token.</source>
        <translation>Eine Zeile wählen, um Token für Token zu sehen, was aus ihr wird.</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Ids</source>
        <translation>Ids</translation>
    </message>
    <message>
        <source>Next trained (T)</source>
        <translation>Nächstes trainiertes (T)</translation>
    </message>
    <message>
        <source>trained</source>
        <translation>trainiert</translation>
    </message>
    <message>
        <source>special</source>
        <translation>speziell</translation>
    </message>
    <message>
        <source>cut off</source>
        <translation>abgeschnitten</translation>
    </message>
    <message>
        <source>line feed</source>
        <translation>Zeilenende</translation>
    </message>
    <message>
        <source>%1 tokens, %2 trained</source>
        <translation>%1 Token, %2 trainiert</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>Not trained on: %1</source>
        <translation>Nicht trainiert: %1</translation>
    </message>
    <message>
        <source>%1 tokens are cut off.</source>
        <translation>%1 Token sind abgeschnitten.</translation>
    </message>
    <message>
        <source>The first %1 tokens are shown.</source>
        <translation>Die ersten %1 Token werden gezeigt.</translation>
    </message>
    <message>
        <source>Del in the table does the same. Nothing is changed in the file.</source>
        <translation>Entf in der Tabelle bewirkt dasselbe. In der Datei wird nichts geändert.</translation>
    </message>
    <message>
        <source>Take this row back</source>
        <translation>Diese Zeile zurücknehmen</translation>
    </message>
    <message>
        <source>Leave this row out</source>
        <translation>Diese Zeile auslassen</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::LineModel</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Changed settings</source>
        <translation>Geänderte Einstellungen</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>Nr.</translation>
    </message>
    <message>
        <source>The settings that are not as a new project has them</source>
        <translation>Die Einstellungen, die anders sind als in einem neuen Projekt</translation>
    </message>
    <message>
        <source>As it was planned when the run was added; of one that trains what is left</source>
        <translation>Wie beim Hinzufügen geplant; bei einem Lauf, der trainiert, die Restzeit</translation>
    </message>
    <message>
        <source>By which roundpipe queue names the run</source>
        <translation>So nennt roundpipe queue den Lauf</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::LoadCard</name>
    <message>
        <source>Load a model to talk with</source>
        <translation>Ein Modell laden, um mit ihm zu reden</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Pause the run</source>
        <translation>Den Lauf pausieren</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>Läuft auf</translation>
    </message>
    <message>
        <source>Room for a conversation, in tokens</source>
        <translation>Raum für eine Unterhaltung, in Token</translation>
    </message>
    <message>
        <source>Tokens of a conversation with its answer; their memory is taken at the start. 0: as each question needs</source>
        <translation>Token einer Unterhaltung mit ihrer Antwort; ihr Speicher wird zu Beginn genommen. 0: wie jede Frage es braucht</translation>
    </message>
    <message>
        <source>tokens of a conversation</source>
        <translation>Token einer Unterhaltung</translation>
    </message>
    <message>
        <source>Who answers</source>
        <translation>Wer antwortet</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Room</source>
        <translation>Raum</translation>
    </message>
    <message>
        <source>Takes</source>
        <translation>Braucht</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Choose the model&apos;s folder</source>
        <translation>Den Ordner des Modells wählen</translation>
    </message>
    <message>
        <source>The folder of the model that the adapter was trained on</source>
        <translation>Der Ordner des Modells, auf dem der Adapter trainiert wurde</translation>
    </message>
    <message>
        <source>Let the run stand still after its step; it keeps its memory, and goes on by Resume</source>
        <translation>Den Lauf nach seinem Schritt stillstehen lassen; er behält seinen Speicher und geht durch Fortsetzen weiter</translation>
    </message>
    <message>
        <source>giving up…</source>
        <translation>wird abgebrochen…</translation>
    </message>
    <message>
        <source>The model&apos;s folder</source>
        <translation>Ordner des Modells</translation>
    </message>
    <message>
        <source>none chosen yet</source>
        <translation>noch keines gewählt</translation>
    </message>
    <message>
        <source>%1 as it came</source>
        <translation>%1, wie es kam</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>A simulated engine trains nothing that could answer.</source>
        <translation>Eine simulierte Engine trainiert nichts, was antworten könnte.</translation>
    </message>
    <message>
        <source>The engine answers, and it is not loaded yet.</source>
        <translation>Die Engine antwortet, und sie ist noch nicht geladen.</translation>
    </message>
    <message>
        <source>An export is being made: it wants the memory until it has ended.</source>
        <translation>Ein Export entsteht: Er braucht den Speicher, bis er fertig ist.</translation>
    </message>
    <message>
        <source>A run is under way, and has memory and devices to itself. Pause it to talk on the processor or on another GPU meanwhile: a pause frees none of its memory. To free its GPUs stop it, and continue it later.</source>
        <translation>Ein Lauf ist im Gang und hat Speicher und Geräte für sich. Pausiert man ihn, lässt sich solange auf dem Prozessor oder einer anderen GPU reden: Eine Pause gibt nichts von seinem Speicher frei. Damit seine GPUs frei werden, ihn anhalten und später fortsetzen.</translation>
    </message>
    <message>
        <source>Nothing can be asked yet: train something, or choose a model and an adapter.</source>
        <translation>Noch kann nichts gefragt werden: etwas trainieren, oder ein Modell und einen Adapter wählen.</translation>
    </message>
    <message>
        <source>reading the model…</source>
        <translation>liest das Modell…</translation>
    </message>
    <message>
        <source>the model before is leaving…</source>
        <translation>das Modell davor geht…</translation>
    </message>
    <message>
        <source>Pausing after this step…</source>
        <translation>Pausiert nach diesem Schritt…</translation>
    </message>
    <message>
        <source>Precision and chat template…</source>
        <translation>Genauigkeit und Chatvorlage…</translation>
    </message>
    <message>
        <source>%1 of memory, and up to %2 of the GPU&apos;s: layers for which it has no room stream to it.</source>
        <translation>%1 Speicher, und bis zu %2 von dem der GPU: Schichten, für die sie keinen Platz hat, strömen ihr zu.</translation>
    </message>
    <message>
        <source>%1 of memory: the processor computes with a copy of the weights.</source>
        <translation>%1 Speicher: Der Prozessor rechnet mit einer Kopie der Gewichte.</translation>
    </message>
    <message>
        <source>Only %1 are free.</source>
        <translation>Nur %1 sind frei.</translation>
    </message>
    <message>
        <source>%1 are free.</source>
        <translation>%1 sind frei.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::MemoryBars</name>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>workspace</source>
        <translation>Arbeitsbereich</translation>
    </message>
    <message>
        <source>context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Page-locked</source>
        <translation>Gesperrt</translation>
    </message>
    <message>
        <source>Host RAM</source>
        <translation>Host-RAM</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1: %2 von %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Nothing is known yet.</source>
        <translation>Noch ist nichts bekannt.</translation>
    </message>
    <message>
        <source>less with fewer or shorter sequences at a time</source>
        <translation>weniger mit weniger oder kürzeren Sequenzen auf einmal</translation>
    </message>
    <message>
        <source>a stage at a time, the next one, and layers that stay</source>
        <translation>jeweils eine Stufe, die nächste und Schichten, die bleiben</translation>
    </message>
    <message>
        <source>two stages&apos; worth, of what is trained</source>
        <translation>zweier Stufen, von dem, was trainiert wird</translation>
    </message>
    <message>
        <source>driver, libraries and what they allocate</source>
        <translation>Treiber, Bibliotheken und was sie belegen</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>all of the model&apos;s, less in fewer bits</source>
        <translation>alle des Modells, weniger in weniger Bits</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>what is trained in full precision, and its moments</source>
        <translation>was trainiert wird in voller Genauigkeit, und seine Momente</translation>
    </message>
    <message>
        <source>of what is trained; their sum, where a step has several rounds</source>
        <translation>dessen, was trainiert wird; ihre Summe, wo ein Schritt mehrere Runden hat</translation>
    </message>
    <message>
        <source>between stages, and what layers save there</source>
        <translation>zwischen Stufen, und was Schichten dort sichern</translation>
    </message>
    <message>
        <source>of the microbatches under way</source>
        <translation>der Mikrobatches, die unterwegs sind</translation>
    </message>
    <message>
        <source>the last one and the best</source>
        <translation>der letzte und der beste</translation>
    </message>
    <message>
        <source>earlier checkpoints</source>
        <translation>frühere Checkpoints</translation>
    </message>
    <message>
        <source>as many as are kept; they go where there is no room</source>
        <translation>so viele, wie behalten werden; ohne Platz weichen sie</translation>
    </message>
    <message>
        <source>result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>what the run leaves</source>
        <translation>was der Lauf hinterlässt</translation>
    </message>
    <message>
        <source>trace</source>
        <translation>Trace</translation>
    </message>
    <message>
        <source>longer with each step</source>
        <translation>mit jedem Schritt länger</translation>
    </message>
    <message>
        <source>Earlier checkpoints go where there is no room.</source>
        <translation>Frühere Checkpoints weichen, wo kein Platz ist.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::MemoryParts</name>
    <message>
        <source>What takes the memory</source>
        <translation>Was den Speicher belegt</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>more than there is</source>
        <translation>mehr als vorhanden</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::MessageView</name>
    <message>
        <source>Edit</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Ask this otherwise; what followed it is forgotten</source>
        <translation>Dies anders fragen; was folgte, wird vergessen</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Show what the model was given, and how likely each token was</source>
        <translation>Zeigen, was das Modell bekam, und wie wahrscheinlich jedes Token war</translation>
    </message>
    <message>
        <source>Add as a row</source>
        <translation>Als Zeile aufnehmen</translation>
    </message>
    <message>
        <source>Append question and answer to a dataset, to train on</source>
        <translation>Frage und Antwort an einen Datensatz anhängen, um darauf zu trainieren</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the answer</source>
        <translation>Die Antwort kopieren</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>Noch einmal fragen</translation>
    </message>
    <message>
        <source>Let the same question be answered anew (Ctrl+Shift+Return)</source>
        <translation>Dieselbe Frage neu beantworten lassen (Strg+Umschalt+Eingabe)</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ModelList</name>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>✕ cannot be trained</source>
        <translation>✕ nicht trainierbar</translation>
    </message>
    <message>
        <source>✓ fits</source>
        <translation>✓ passt</translation>
    </message>
    <message>
        <source>△ does not fit</source>
        <translation>△ passt nicht</translation>
    </message>
    <message>
        <source>Model · context · type · licence</source>
        <translation>Modell · Kontext · Typ · Lizenz</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>Auf der Platte</translation>
    </message>
    <message>
        <source>On this rig</source>
        <translation>Auf diesem Rechner</translation>
    </message>
    <message>
        <source>not worked out yet</source>
        <translation>noch nicht berechnet</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ModelPage</name>
    <message>
        <source>Architecture</source>
        <translation>Architektur</translation>
    </message>
    <message>
        <source>%1, %2 blocks</source>
        <translation>%1, %2 Blöcke</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>%1, hidden %2</source>
        <translation>%1, verborgen %2</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>%1, %2 a token</source>
        <translation>%1, %2 je Token</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>Vokabular</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>Auf der Platte</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>Tokenizer</translation>
    </message>
    <message>
        <source>its own</source>
        <translation>eigener</translation>
    </message>
    <message>
        <source>its own</source>
        <comment>chat template</comment>
        <translation>eigene</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>Chatvorlage</translation>
    </message>
    <message>
        <source>none: choose one in the settings</source>
        <translation>keine: in den Einstellungen wählen</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>not said</source>
        <translation>nicht angegeben</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Which model learns. Its own weights are never changed; the adapter is written beside the run.</source>
        <translation>Welches Modell lernt. Es selbst bleibt gleich; der Adapter liegt beim Lauf.</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Erneut suchen</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>Ordner hinzufügen…</translation>
    </message>
    <message>
        <source>A model folder, or one of models</source>
        <translation>Ein Modellordner, oder einer mit Modellen</translation>
    </message>
    <message>
        <source>Drop a folder anywhere to add it. Verdicts are for the project&apos;s settings.</source>
        <translation>Zum Hinzufügen einen Ordner irgendwo ablegen. Die Urteile gelten für die Einstellungen des Projekts.</translation>
    </message>
    <message>
        <source>Models of this machine</source>
        <translation>Modelle auf diesem Rechner</translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation>Suche nach Modellen…</translation>
    </message>
    <message>
        <source>Use this model</source>
        <translation>Dieses Modell verwenden</translation>
    </message>
    <message>
        <source>No model is chosen</source>
        <translation>Kein Modell gewählt</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>In Verwendung</translation>
    </message>
    <message>
        <source>Cannot be trained</source>
        <translation>Nicht trainierbar</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>Passt</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>Passt nicht</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>noch nichts</translation>
    </message>
    <message>
        <source>choose a model</source>
        <translation>ein Modell wählen</translation>
    </message>
    <message>
        <source>No model was found on this machine</source>
        <translation>Auf diesem Rechner wurde kein Modell gefunden</translation>
    </message>
    <message>
        <source>A model is a folder with config.json, safetensors and a tokenizer, as Hugging Face has them. Drop one anywhere on the window, or a folder of several; what lies in Hugging Face&apos;s cache is found by itself.</source>
        <translation>Ein Modell ist ein Ordner mit config.json, safetensors und einem Tokenizer, wie es sie bei Hugging Face gibt. Einen davon, oder einen Ordner mit mehreren, irgendwo auf das Fenster ziehen; was im Cache von Hugging Face liegt, wird von selbst gefunden.</translation>
    </message>
    <message>
        <source>to be fetched</source>
        <translation>noch zu holen</translation>
    </message>
    <message>
        <source>fetch the model</source>
        <translation>Modell holen</translation>
    </message>
    <message>
        <source>Which model learns. All of its weights are trained, in a copy: the result is a model of its own in the run&apos;s folder.</source>
        <translation>Welches Modell lernt. Alle seine Gewichte werden trainiert, in einer Kopie: Das Ergebnis ist ein eigenes Modell im Ordner des Laufs.</translation>
    </message>
    <message>
        <source>No model was found in %1.</source>
        <translation>In %1 wurde kein Modell gefunden.</translation>
    </message>
    <message>
        <source>A model is a folder with config.json, tokenizer.json and safetensors files. Rows to train on are added on the page Data.</source>
        <translation>Ein Modell ist ein Ordner mit config.json, tokenizer.json und safetensors-Dateien. Zeilen zum Trainieren kommen auf der Seite Daten hinzu.</translation>
    </message>
    <message>
        <source>%1, chosen in the settings</source>
        <translation>%1, in den Einstellungen gewählt</translation>
    </message>
    <message>
        <source>Next: Data</source>
        <translation>Weiter: Daten</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ModelVerdicts</name>
    <message>
        <source>%1 a step, %2 tokens/s</source>
        <translation>%1 je Schritt, %2 Token/s</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>A step</source>
        <translation>Ein Schritt</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 Token/s</translation>
    </message>
    <message>
        <source>Fullest device</source>
        <translation>Vollstes Gerät</translation>
    </message>
    <message>
        <source>Host memory</source>
        <translation>Host-Speicher</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::NoticeStrip</name>
    <message>
        <source>Close the message</source>
        <translation>Die Meldung schließen</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::Page</name>
    <message>
        <source>No program here shows folders. It lies in %1.</source>
        <translation>Kein Programm hier zeigt Ordner. Er liegt in %1.</translation>
    </message>
    <message>
        <source>Copy the path</source>
        <translation>Pfad kopieren</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PartitionEditor</name>
    <message>
        <source>%1 ms</source>
        <translation>%L1 ms</translation>
    </message>
    <message>
        <source>Layer partition</source>
        <translation>Aufteilung der Schichten</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>fused: forward and backward</source>
        <translation>verschmolzen: vorwärts und rückwärts</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>rückwärts</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>S%1, %2, %3, on device %4: %5 a microbatch, %6 of weights</source>
        <translation>S%1, %2, %3, auf Gerät %4: %5 je Mikrobatch, %6 Gewichte</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>verschmolzen</translation>
    </message>
    <message>
        <source>emb</source>
        <translation>Emb.</translation>
    </message>
    <message>
        <source>head</source>
        <translation>Kopf</translation>
    </message>
    <message>
        <source>Shown as soon as a model is chosen and something fits.</source>
        <translation>Erscheint, sobald ein Modell gewählt ist und etwas passt.</translation>
    </message>
    <message>
        <source>1 stage</source>
        <translation>1 Stufe</translation>
    </message>
    <message>
        <source>%1 stages</source>
        <translation>%1 Stufen</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>Height of the fill: memory of the weights (full = %1). Width of a layer: its time. Numeral: the device of that slot in the first step.</source>
        <translation>Füllhöhe: Speicher der Gewichte (voll = %1). Breite einer Schicht: ihre Zeit. Ziffer: das Gerät dieses Slots im ersten Schritt.</translation>
    </message>
    <message>
        <source>S%1, %2, %3, on each device: %4 a microbatch, %5 of weights</source>
        <translation>S%1, %2, %3, auf jedem Gerät: %4 je Mikrobatch, %5 Gewichte</translation>
    </message>
    <message>
        <source>Height of the fill: memory of the weights (full = %1). Width of a layer: its time. Each of %2 devices takes all stages, for its part of a step.</source>
        <translation>Füllhöhe: Speicher der Gewichte (voll = %1). Breite einer Schicht: ihre Zeit. Jedes von %2 Geräten nimmt alle Stufen, für seinen Teil eines Schritts.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PlanCard</name>
    <message>
        <source>What it comes to</source>
        <translation>Was dabei herauskommt</translation>
    </message>
    <message>
        <source>A step</source>
        <translation>Ein Schritt</translation>
    </message>
    <message>
        <source>Speed, tokens/s</source>
        <translation>Tempo, Token/s</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>The whole run</source>
        <translation>Der ganze Lauf</translation>
    </message>
    <message>
        <source>Fullest device</source>
        <translation>Vollstes Gerät</translation>
    </message>
    <message>
        <source>Host memory</source>
        <translation>Host-Speicher</translation>
    </message>
    <message>
        <source>Choose a model to see memory and time.</source>
        <translation>Ein Modell wählen, um Speicher und Zeit zu sehen.</translation>
    </message>
    <message>
        <source>Does not fit. %1</source>
        <translation>Passt nicht. %1</translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation>Plant…</translation>
    </message>
    <message>
        <source>needs the rows</source>
        <translation>braucht die Zeilen</translation>
    </message>
    <message>
        <source>more</source>
        <translation>mehr</translation>
    </message>
    <message>
        <source>less</source>
        <translation>weniger</translation>
    </message>
    <message>
        <source>better</source>
        <translation>besser</translation>
    </message>
    <message>
        <source>worse</source>
        <translation>schlechter</translation>
    </message>
    <message>
        <source>Steps an epoch</source>
        <translation>Schritte/Epoche</translation>
    </message>
    <message>
        <source>Steps in all</source>
        <translation>Schritte gesamt</translation>
    </message>
    <message>
        <source>On %1. Times of layers are estimated.</source>
        <translation>Auf %1. Die Zeiten der Schichten sind geschätzt.</translation>
    </message>
    <message>
        <source>On %1. Times of layers are measured.</source>
        <translation>Auf %1. Die Zeiten der Schichten sind gemessen.</translation>
    </message>
    <message>
        <source>This project is planned when the run under way has ended.</source>
        <translation>Dieses Projekt wird geplant, wenn der laufende Lauf zu Ende ist.</translation>
    </message>
    <message>
        <source>Times of before are left out: they were %1.</source>
        <translation>Die Zeiten von vorher fehlen: Sie waren %1.</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>estimated</source>
        <translation>geschätzt</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PlanPage</name>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>A step</source>
        <translation>Ein Schritt</translation>
    </message>
    <message>
        <source>The whole run</source>
        <translation>Der ganze Lauf</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Idle (bubble)</source>
        <translation>Leerlauf (Bubble)</translation>
    </message>
    <message>
        <source>Fullest device</source>
        <translation>Vollstes Gerät</translation>
    </message>
    <message>
        <source>Back to the computed cuts</source>
        <translation>Zurück zu den berechneten Schnitten</translation>
    </message>
    <message>
        <source>Back to this machine</source>
        <translation>Zurück zu diesem Rechner</translation>
    </message>
    <message>
        <source>Layer partition</source>
        <translation>Aufteilung der Schichten</translation>
    </message>
    <message>
        <source>Predicted step</source>
        <translation>Vorhergesagter Schritt</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Other schedules</source>
        <translation>Andere Abläufe</translation>
    </message>
    <message>
        <source>hatched: idle</source>
        <translation>schraffiert: Leerlauf</translation>
    </message>
    <message>
        <source>On another rig</source>
        <translation>Auf einem anderen Rechner</translation>
    </message>
    <message>
        <source>no plan yet</source>
        <translation>noch kein Plan</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>passt nicht</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>passt</translation>
    </message>
    <message>
        <source>fits · %1</source>
        <translation>passt · %1</translation>
    </message>
    <message>
        <source>No plan</source>
        <translation>Kein Plan</translation>
    </message>
    <message>
        <source>Choose a model to see how it would run.</source>
        <translation>Ein Modell wählen, um zu sehen, wie es laufen würde.</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>Passt</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>Passt nicht</translation>
    </message>
    <message>
        <source>%1 at best</source>
        <translation>bestenfalls %1</translation>
    </message>
    <message>
        <source>when the rows are counted</source>
        <translation>nach dem Zählen</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>GPipe %1 %</source>
        <translation>GPipe %L1 %</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%L1 %</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>von %1</translation>
    </message>
    <message>
        <source>Use better cuts: %1</source>
        <translation>Bessere Schnitte nehmen: %1</translation>
    </message>
    <message>
        <source>%1 → %2 ms a step (%3 %)</source>
        <translation>%L1 → %L2 ms je Schritt (%L3 %)</translation>
    </message>
    <message>
        <source>Move a cut</source>
        <translation>Schnitt verschieben</translation>
    </message>
    <message>
        <source>Computed cuts</source>
        <translation>Berechnete Schnitte</translation>
    </message>
    <message>
        <source>Save plan…</source>
        <translation>Plan speichern…</translation>
    </message>
    <message>
        <source>Write the plan as JSON, or a picture of the predicted step</source>
        <translation>Den Plan als JSON oder ein Bild des vorhergesagten Schritts schreiben</translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation>Den Plan speichern</translation>
    </message>
    <message>
        <source>The step is still being predicted.</source>
        <translation>Der Schritt wird noch vorhergesagt.</translation>
    </message>
    <message>
        <source>Save its picture in a moment.</source>
        <translation>Sein Bild in einem Augenblick speichern.</translation>
    </message>
    <message>
        <source>%1 a step</source>
        <translation>%1 je Schritt</translation>
    </message>
    <message>
        <source>%1 % idle</source>
        <translation>%1 % Leerlauf</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 Token/s</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>The plan is in %1.</source>
        <translation>Der Plan liegt in %1.</translation>
    </message>
    <message>
        <source>drag a cut, or Tab to it and press ← →; ↑ ↓ go over the stages</source>
        <translation>Schnitt ziehen, oder mit Tab hin und ← →; ↑ ↓ gehen über die Stufen</translation>
    </message>
    <message>
        <source>Does not fit: %1</source>
        <translation>Passt nicht: %1</translation>
    </message>
    <message>
        <source>Use better cuts</source>
        <translation>Bessere Schnitte verwenden</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n Schritt</numerusform>
            <numerusform>%n Schritte</numerusform>
        </translation>
    </message>
    <message>
        <source>Started now, done at %1</source>
        <translation>Jetzt gestartet, fertig um %1</translation>
    </message>
    <message>
        <source>This project is planned when the run under way has ended.</source>
        <translation>Dieses Projekt wird geplant, wenn der laufende Lauf zu Ende ist.</translation>
    </message>
    <message>
        <source>Apply all that helps together</source>
        <translation>Alles anwenden, was zusammen hilft</translation>
    </message>
    <message>
        <source>the same run, by estimates</source>
        <translation>derselbe Lauf, geschätzt</translation>
    </message>
    <message>
        <source>being worked out…</source>
        <translation>wird berechnet…</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>how lengths are known</comment>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Plan (*.json)</source>
        <translation>Plan (*.json)</translation>
    </message>
    <message>
        <source>Picture of a step (*.svg)</source>
        <translation>Bild eines Schritts (*.svg)</translation>
    </message>
    <message>
        <source>No plan yet</source>
        <translation>Noch kein Plan</translation>
    </message>
    <message>
        <source>Once a model is chosen, this page tells, before anything is loaded, how its layers are cut, what every device does in a step, how much memory it takes and how long the run will be.</source>
        <translation>Sobald ein Modell gewählt ist, steht hier, bevor etwas geladen wird, wie seine Schichten geteilt werden, was jedes Gerät in einem Schritt tut, wie viel Speicher es braucht und wie lange der Lauf dauert.</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Modell wählen</translation>
    </message>
    <message>
        <source>What takes the memory</source>
        <translation>Was den Speicher belegt</translation>
    </message>
    <message>
        <source>%1, the fullest</source>
        <translation>%1, am vollsten</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PlaygroundPage</name>
    <message>
        <source>Playground</source>
        <translation>Spielwiese</translation>
    </message>
    <message>
        <source>Who answers</source>
        <translation>Wer antwortet</translation>
    </message>
    <message>
        <source>One</source>
        <translation>Eine Seite</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>Neue Unterhaltung</translation>
    </message>
    <message>
        <source>Begin another conversation with the same settings; this one is kept (Ctrl+L)</source>
        <translation>Eine andere Unterhaltung mit denselben Einstellungen beginnen; diese wird aufgehoben (Strg+L)</translation>
    </message>
    <message>
        <source>Rows go to…</source>
        <translation>Zeilen nach…</translation>
    </message>
    <message>
        <source>Choose the file that good answers are appended to</source>
        <translation>Die Datei wählen, an die gute Antworten angehängt werden</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>lädt</translation>
    </message>
    <message>
        <source>answering</source>
        <translation>antwortet</translation>
    </message>
    <message>
        <source>Talk with what was trained, and with the model as it came beside it.</source>
        <translation>Mit dem reden, was trainiert wurde, und daneben mit dem Modell, wie es kam.</translation>
    </message>
    <message>
        <source>The run goes on, so the playground&apos;s model was let go. What was said is kept.</source>
        <translation>Der Lauf geht weiter, darum wurde das Modell der Spielwiese entlassen. Was gesagt wurde, ist aufgehoben.</translation>
    </message>
    <message>
        <source>With “%1”</source>
        <translation>Mit „%1“</translation>
    </message>
    <message>
        <source>as it came</source>
        <translation>wie es kam</translation>
    </message>
    <message>
        <source>strength %1</source>
        <translation>Stärke %1</translation>
    </message>
    <message>
        <source>The same question, before and after: one load serves both columns.</source>
        <translation>Dieselbe Frage, davor und danach: Einmal Laden reicht für beide Spalten.</translation>
    </message>
    <message>
        <source>Each answer follows from all that was said before it.</source>
        <translation>Jede Antwort folgt aus allem, was davor gesagt wurde.</translation>
    </message>
    <message>
        <source>Ask both…</source>
        <translation>Beide fragen…</translation>
    </message>
    <message>
        <source>Ask…</source>
        <translation>Fragen…</translation>
    </message>
    <message>
        <source>The answer is empty.</source>
        <translation>Die Antwort ist leer.</translation>
    </message>
    <message>
        <source>A row needs one to train on.</source>
        <translation>Eine Zeile braucht eine, um darauf zu trainieren.</translation>
    </message>
    <message>
        <source>This answer was cut off: a model that is trained on it learns not to end. Let it be answered again, with more tokens allowed.</source>
        <translation>Diese Antwort wurde abgeschnitten: Ein Modell, das darauf trainiert wird, lernt, nicht zu enden. Noch einmal fragen, mit mehr erlaubten Token.</translation>
    </message>
    <message>
        <source>Add it all the same</source>
        <translation>Trotzdem aufnehmen</translation>
    </message>
    <message>
        <source>Added as a row to %1.</source>
        <translation>Als Zeile in %1 aufgenommen.</translation>
    </message>
    <message>
        <source>Train on it</source>
        <translation>Darauf trainieren</translation>
    </message>
    <message>
        <source>Rows go to</source>
        <translation>Zeilen nach</translation>
    </message>
    <message>
        <source>Rows of messages (*.jsonl)</source>
        <translation>Zeilen mit Nachrichten (*.jsonl)</translation>
    </message>
    <message>
        <source>Good answers go to %1 from now on.</source>
        <translation>Gute Antworten gehen von nun an nach %1.</translation>
    </message>
    <message>
        <source>This conversation is with the adapter “%1”, which is not loaded.</source>
        <translation>Diese Unterhaltung ist mit dem Adapter „%1“, der nicht geladen ist.</translation>
    </message>
    <message>
        <source>Load it by “Change…” first.</source>
        <translation>Ihn zuerst mit „Ändern…“ laden.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PredictedStep</name>
    <message>
        <source>Predicted step</source>
        <translation>Vorhergesagter Schritt</translation>
    </message>
    <message>
        <source>A step takes %1, %2 % of it idle.</source>
        <translation>Ein Schritt dauert %1, davon %L2 % Leerlauf.</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%L1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%L1 s</translation>
    </message>
    <message>
        <source>Shown as soon as there is a plan.</source>
        <translation>Erscheint, sobald es einen Plan gibt.</translation>
    </message>
    <message>
        <source>opt</source>
        <translation>Opt</translation>
    </message>
    <message>
        <source>%1 of microbatch %2 in S%3: %4</source>
        <translation>%1 von Mikrobatch %2 in S%3: %4</translation>
    </message>
    <message>
        <source>S%1 computes %2 a step.</source>
        <translation>S%1 rechnet %2 je Schritt.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PresetTimes</name>
    <message>
        <source>does not fit</source>
        <translation>passt nicht</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PresetsCard</name>
    <message>
        <source>Presets</source>
        <translation>Vorlagen</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter…</translation>
    </message>
    <message>
        <source>%1 · in use</source>
        <translation>%1 · aktiv</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Forget the preset %1</source>
        <translation>Die Vorlage %1 vergessen</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Use the preset %1</source>
        <translation>Die Vorlage %1 verwenden</translation>
    </message>
    <message>
        <source>Use the preset “%1”</source>
        <translation>Vorlage „%1“ verwenden</translation>
    </message>
    <message>
        <source>Save the settings as a preset</source>
        <translation>Die Einstellungen als Vorlage speichern</translation>
    </message>
    <message>
        <source>Name of the preset:</source>
        <translation>Name der Vorlage:</translation>
    </message>
    <message>
        <source>How long the whole run would take with it</source>
        <translation>Wie lange der ganze Lauf damit dauern würde</translation>
    </message>
    <message>
        <source>The whole run with the preset %1</source>
        <translation>Der ganze Lauf mit der Vorlage %1</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::QueuePage</name>
    <message>
        <source>Queue</source>
        <translation>Warteschlange</translation>
    </message>
    <message>
        <source>Nothing waits</source>
        <translation>Nichts wartet</translation>
    </message>
    <message>
        <source>Runs that are added here are trained by themselves: one after the other on the same devices, side by side on others. A grid adds a run for each value of a setting, and compares what came of them.</source>
        <translation>Läufe, die hier hinzukommen, werden von selbst trainiert: auf denselben Geräten nacheinander, auf anderen nebeneinander. Ein Raster fügt für jeden Wert einer Einstellung einen Lauf hinzu und vergleicht, was daraus wurde.</translation>
    </message>
    <message>
        <source>After an error</source>
        <translation>Nach einem Fehler</translation>
    </message>
    <message>
        <source>go on</source>
        <translation>weiter</translation>
    </message>
    <message>
        <source>pause</source>
        <translation>pausieren</translation>
    </message>
    <message>
        <source>When done</source>
        <translation>Am Ende</translation>
    </message>
    <message>
        <source>stay awake</source>
        <translation>wach bleiben</translation>
    </message>
    <message>
        <source>sleep</source>
        <translation>schlafen</translation>
    </message>
    <message>
        <source>When the queue is empty the next time, the machine goes to sleep.</source>
        <translation>Wenn die Warteschlange das nächste Mal leer ist, geht der Rechner schlafen.</translation>
    </message>
    <message>
        <source>Runs in line</source>
        <translation>Wartende Läufe</translation>
    </message>
    <message>
        <source>Add the project</source>
        <translation>Projekt hinzufügen</translation>
    </message>
    <message>
        <source>Add a grid…</source>
        <translation>Raster hinzufügen…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>A run for each value of a setting of the open project</source>
        <translation>Ein Lauf für jeden Wert einer Einstellung des offenen Projekts</translation>
    </message>
    <message>
        <source>Let the open project be trained when its devices are free (Ctrl+Shift+R)</source>
        <translation>Das offene Projekt trainieren lassen, sobald seine Geräte frei sind (Ctrl+Shift+R)</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>nothing waits</source>
        <translation>nichts wartet</translation>
    </message>
    <message numerus="yes">
        <source>%n wait(s)</source>
        <translation>
            <numerusform>%n wartet</numerusform>
            <numerusform>%n warten</numerusform>
        </translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>Ansehen</translation>
    </message>
    <message>
        <source>Show on the page Run how it goes, and steer it from there (Return)</source>
        <translation>Auf der Seite Lauf zeigen, wie es geht, und von dort steuern (Eingabetaste)</translation>
    </message>
    <message>
        <source>Take the selected runs out of the queue (Del)</source>
        <translation>Die gewählten Läufe aus der Warteschlange nehmen (Entf)</translation>
    </message>
    <message>
        <source>Without the training engine nothing of it can be trained here; it waits.</source>
        <translation>Ohne die Trainings-Engine kann hier nichts davon trainiert werden; es wartet.</translation>
    </message>
    <message>
        <source>It pauses: %1 has failed. Nothing more begins before you let it go on.</source>
        <translation>Pausiert: %1 ist fehlgeschlagen. Vor dem nächsten Start beginnt nichts mehr.</translation>
    </message>
    <message>
        <source>It pauses: nothing more begins, what is under way goes on.</source>
        <translation>Pausiert: es beginnt nichts mehr, was läuft, läuft weiter.</translation>
    </message>
    <message>
        <source>It goes on by itself, without this window too. Drag a run to another place, or move it by Alt+↑ and Alt+↓.</source>
        <translation>Geht von selbst weiter, auch ohne dieses Fenster. Einen Lauf an eine andere Stelle ziehen oder mit Alt+↑ und Alt+↓ verschieben.</translation>
    </message>
    <message>
        <source>Nothing begins by itself before you press Start.</source>
        <translation>Ohne Start beginnt nichts von selbst.</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Nothing more begins; what is under way goes on</source>
        <translation>Es beginnt nichts mehr; was läuft, läuft weiter</translation>
    </message>
    <message>
        <source>Nothing waits.</source>
        <translation>Nichts wartet.</translation>
    </message>
    <message>
        <source>Train what waits, as soon as its devices are free</source>
        <translation>Trainieren, was wartet, sobald seine Geräte frei sind</translation>
    </message>
    <message>
        <source>Runs that are trained by themselves, those of the command line too</source>
        <translation>Läufe, die von selbst trainiert werden, auch die der Befehlszeile</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) wait</source>
        <translation>
            <numerusform>%n Lauf wartet</numerusform>
            <numerusform>%n Läufe warten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) taken out of the queue.</source>
        <translation>
            <numerusform>%n Lauf aus der Warteschlange genommen.</numerusform>
            <numerusform>%n Läufe aus der Warteschlange genommen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) added to the queue.</source>
        <translation>
            <numerusform>%n Lauf wartet jetzt in der Warteschlange.</numerusform>
            <numerusform>%n Läufe warten jetzt in der Warteschlange.</numerusform>
        </translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>can&apos;t be read</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <source>It is starting, and can be watched in a moment.</source>
        <translation>Er beginnt gerade und kann gleich beobachtet werden.</translation>
    </message>
    <message>
        <source>Nothing waits that this version can read.</source>
        <translation>Es wartet nichts, was diese Version lesen kann.</translation>
    </message>
    <message>
        <source>The devices are taken</source>
        <translation>Die Geräte sind belegt</translation>
    </message>
    <message>
        <source>The queue trains %1 on the same devices.</source>
        <translation>Die Warteschlange trainiert %1 auf denselben Geräten.</translation>
    </message>
    <message>
        <source>Two runs on one device slow each other down, and may run out of its memory. In the queue this project waits, and begins by itself when the devices are free.</source>
        <translation>Zwei Läufe auf einem Gerät bremsen einander, und sein Speicher kann ihnen ausgehen. In der Warteschlange wartet dieses Projekt und beginnt von selbst, wenn die Geräte frei sind.</translation>
    </message>
    <message>
        <source>Add to the queue</source>
        <translation>In die Warteschlange</translation>
    </message>
    <message>
        <source>Start anyway</source>
        <translation>Trotzdem starten</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ResultsCard</name>
    <message>
        <source>What came of it</source>
        <translation>Was daraus wurde</translation>
    </message>
    <message>
        <source>Show in Runs</source>
        <translation>In Läufe zeigen</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Raster</translation>
    </message>
    <message>
        <source>Whose runs are shown</source>
        <translation>Wessen Läufe gezeigt werden</translation>
    </message>
    <message>
        <source>Curves, settings and journal of this run (Return)</source>
        <translation>Kurven, Einstellungen und Journal dieses Laufs (Eingabetaste)</translation>
    </message>
    <message>
        <source>All runs of the queue</source>
        <translation>Alle Läufe der Warteschlange</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ResultsModel</name>
    <message>
        <source>Deleted</source>
        <translation>Gelöscht</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Begun</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Beginnt</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ResultsPage</name>
    <message>
        <source>What happened, without rows and answers: for who looks for a fault</source>
        <translation>Was geschah, ohne Zeilen und Antworten: für die Fehlersuche</translation>
    </message>
    <message>
        <source>Debug report…</source>
        <translation>Fehlerbericht…</translation>
    </message>
    <message>
        <source>Write versions, machine, settings, journal, log and the end of the trace into one file</source>
        <translation>Versionen, Rechner, Einstellungen, Journal, Protokoll und das Ende der Aufzeichnung in eine Datei schreiben</translation>
    </message>
    <message>
        <source>Debug report</source>
        <translation>Fehlerbericht</translation>
    </message>
    <message>
        <source>The report is in %1. It holds no rows, answers or weights.</source>
        <translation>Der Bericht ist in %1. Er enthält keine Zeilen, Antworten oder Gewichte.</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>Validierungs-Loss</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>Auf der Platte</translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation>Vorher und nachher</translation>
    </message>
    <message>
        <source>What next</source>
        <translation>Wie weiter</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>Kopiert.</translation>
    </message>
    <message>
        <source>Write a line a step: loss, validation loss, learning rate, …</source>
        <translation>Je Schritt eine Zeile schreiben: Loss, Validierungs-Loss, Lernrate, …</translation>
    </message>
    <message>
        <source>Curves as CSV</source>
        <translation>Kurven als CSV</translation>
    </message>
    <message>
        <source>TensorBoard…</source>
        <translation>TensorBoard…</translation>
    </message>
    <message>
        <source>Write the curves as an event file into a folder, for TensorBoard</source>
        <translation>Die Kurven als Ereignisdatei für TensorBoard in einen Ordner schreiben</translation>
    </message>
    <message>
        <source>Folder for TensorBoard</source>
        <translation>Ordner für TensorBoard</translation>
    </message>
    <message>
        <source>HTML…</source>
        <translation>HTML…</translation>
    </message>
    <message>
        <source>Write a report: numbers, loss, answers, every setting</source>
        <translation>Einen Bericht schreiben: Zahlen, Loss, Antworten, alle Einstellungen</translation>
    </message>
    <message>
        <source>Report as HTML</source>
        <translation>Bericht als HTML</translation>
    </message>
    <message>
        <source>PDF…</source>
        <translation>PDF…</translation>
    </message>
    <message>
        <source>Write the report as PDF</source>
        <translation>Den Bericht als PDF schreiben</translation>
    </message>
    <message>
        <source>Report as PDF</source>
        <translation>Bericht als PDF</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Show the run&apos;s files</source>
        <translation>Die Dateien des Laufs zeigen</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>noch nichts</translation>
    </message>
    <message>
        <source>validation %1</source>
        <translation>Validierung %1</translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n Gerät</numerusform>
            <numerusform>%n Geräte</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 at first</source>
        <translation>zuerst %1</translation>
    </message>
    <message>
        <source>no validation rows</source>
        <translation>keine Validierungszeilen</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>Loss %1</translation>
    </message>
    <message>
        <source>%1 a step</source>
        <translation>%1 je Schritt</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>adapter %1</source>
        <translation>Adapter %1</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>%1 zeigen</translation>
    </message>
    <message>
        <source>Adapter, PEFT</source>
        <translation>Adapter, PEFT</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Best checkpoint</source>
        <translation>Bester Checkpoint</translation>
    </message>
    <message>
        <source>step %1 · validation %2</source>
        <translation>Schritt %1 · Validierung %2</translation>
    </message>
    <message>
        <source>This run saved nothing: it ended before its first checkpoint.</source>
        <translation>Dieser Lauf hat nichts gespeichert: Er endete vor seinem ersten Checkpoint.</translation>
    </message>
    <message>
        <source>The report is in %1.</source>
        <translation>Der Bericht liegt in %1.</translation>
    </message>
    <message>
        <source>The curves are in %1.</source>
        <translation>Die Kurven liegen in %1.</translation>
    </message>
    <message>
        <source>The curves are in %1: tensorboard --logdir shows them.</source>
        <translation>Die Kurven liegen in %1: tensorboard --logdir zeigt sie.</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>%1 löschen</translation>
    </message>
    <message>
        <source>Delete a checkpoint</source>
        <translation>Einen Checkpoint löschen</translation>
    </message>
    <message>
        <source>Delete “%1” of step %2?</source>
        <translation>„%1“ von Schritt %2 löschen?</translation>
    </message>
    <message>
        <source>It is what the run is resumed from: without it, it can only be begun anew.</source>
        <translation>Von ihm aus wird der Lauf fortgesetzt: Ohne ihn lässt er sich nur neu beginnen.</translation>
    </message>
    <message>
        <source>What is deleted can&apos;t be brought back.</source>
        <translation>Gelöschtes lässt sich nicht zurückholen.</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>No results yet</source>
        <translation>Noch keine Ergebnisse</translation>
    </message>
    <message>
        <source>Results of earlier runs</source>
        <translation>Ergebnisse früherer Läufe</translation>
    </message>
    <message>
        <source>This run was given no prompts to answer before and after.</source>
        <translation>Dieser Lauf bekam keine Prompts, die er vorher und nachher beantwortet.</translation>
    </message>
    <message>
        <source>Continue…</source>
        <translation>Fortsetzen…</translation>
    </message>
    <message>
        <source>Go on with this run from its last checkpoint</source>
        <translation>Mit diesem Lauf von seinem letzten Checkpoint an weitermachen</translation>
    </message>
    <message>
        <source>Checkpoint to continue from</source>
        <translation>Checkpoint zum Fortsetzen</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>model %1</source>
        <translation>Modell %1</translation>
    </message>
    <message>
        <source>Trained model</source>
        <translation>Trainiertes Modell</translation>
    </message>
    <message>
        <source>Everything else of the run stays.</source>
        <translation>Alles andere des Laufs bleibt.</translation>
    </message>
    <message>
        <source>Report and curves</source>
        <translation>Bericht und Kurven</translation>
    </message>
    <message>
        <source>Numbers, loss, answers and every setting</source>
        <translation>Zahlen, Loss, Antworten und alle Einstellungen</translation>
    </message>
    <message>
        <source>Loss, validation, learning rate and more of every step</source>
        <translation>Loss, Validierung, Lernrate und mehr zu jedem Schritt</translation>
    </message>
    <message>
        <source>CSV…</source>
        <translation>CSV…</translation>
    </message>
    <message>
        <source>ended before the first</source>
        <translation>vor der ersten beendet</translation>
    </message>
    <message>
        <source>Result and checkpoints</source>
        <translation>Ergebnis und Checkpoints</translation>
    </message>
    <message>
        <source>When a run ends, its answers before and after, its result and its checkpoints stand here.</source>
        <translation>Wenn ein Lauf endet, stehen hier seine Antworten vorher und nachher, sein Ergebnis und seine Checkpoints.</translation>
    </message>
    <message>
        <source>Answers, results and what to do with them</source>
        <translation>Antworten, Ergebnisse und was damit zu tun ist</translation>
    </message>
    <message>
        <source>(asked at the end)</source>
        <translation>(am Ende gefragt)</translation>
    </message>
    <message>
        <source>(not asked: the run ended before its end)</source>
        <translation>(nicht gefragt: der Lauf endete vorzeitig)</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Show the run&apos;s timeline in a window of its own</source>
        <translation>Die Zeitleiste des Laufs in einem eigenen Fenster zeigen</translation>
    </message>
    <message>
        <source>The export is in %1.</source>
        <translation>Der Export liegt in %1.</translation>
    </message>
    <message>
        <source>The proof was stopped; the export is whole.</source>
        <translation>Die Prüfung wurde angehalten; der Export ist vollständig.</translation>
    </message>
    <message>
        <source>The export was stopped; nothing of it is left.</source>
        <translation>Der Export wurde angehalten; nichts davon ist übrig.</translation>
    </message>
    <message>
        <source>Ask it on the page Playground</source>
        <translation>Auf der Seite Spielwiese fragen</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RigTable</name>
    <message>
        <source>On another rig</source>
        <translation>Auf einem anderen Rechner</translation>
    </message>
    <message>
        <source>4x4090@pcie4x8,ram=256</source>
        <translation>4x4090@pcie4x8,ram=256</translation>
    </message>
    <message>
        <source>Another rig</source>
        <translation>Anderer Rechner</translation>
    </message>
    <message>
        <source>GPUs with their number, &quot;+&quot; between kinds; after commas ram=… in GiB. Enter adds it.</source>
        <translation>GPUs mit ihrer Anzahl, „+“ zwischen Sorten; nach Kommas ram=… in GiB. Die Eingabetaste fügt hinzu.</translation>
    </message>
    <message>
        <source>Add rig</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Show the whole plan on this rig</source>
        <translation>Den ganzen Plan auf diesem Rechner zeigen</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 Token/s</translation>
    </message>
    <message>
        <source>%1%2 %</source>
        <translation>%1%L2 %</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>passt nicht</translation>
    </message>
    <message>
        <source>not understood</source>
        <translation>nicht verstanden</translation>
    </message>
    <message>
        <source>Show the whole plan on %1</source>
        <translation>Den ganzen Plan auf %1 zeigen</translation>
    </message>
    <message>
        <source>Rig file…</source>
        <translation>Aus Datei…</translation>
    </message>
    <message>
        <source>Add a rig that a file describes, as roundpipe plan writes and reads it</source>
        <translation>Einen Rechner hinzufügen, den eine Datei beschreibt, wie roundpipe plan sie schreibt und liest</translation>
    </message>
    <message>
        <source>A rig</source>
        <translation>Ein Rechner</translation>
    </message>
    <message>
        <source>Rigs (*.json)</source>
        <translation>Rechner (*.json)</translation>
    </message>
    <message>
        <source>being worked out…</source>
        <translation>wird berechnet…</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>does not fit: %1</source>
        <translation>passt nicht: %1</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RowSettings</name>
    <message>
        <source>Prompt, system prompt, cells of tables</source>
        <translation>Prompt, System-Prompt, Zellen von Tabellen</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RowsCard</name>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Go to row</source>
        <translation>Zu Zeile</translation>
    </message>
    <message>
        <source>Number of the row to go to</source>
        <translation>Nummer der Zeile, zu der gegangen wird</translation>
    </message>
    <message>
        <source>Find a text in the rows ( / )</source>
        <translation>Einen Text in den Zeilen suchen ( / )</translation>
    </message>
    <message>
        <source>Text to find in the rows</source>
        <translation>In den Zeilen zu suchender Text</translation>
    </message>
    <message>
        <source>%1 …</source>
        <translation>%1…</translation>
    </message>
    <message>
        <source>“%1”: looking…</source>
        <translation>„%1“: wird gesucht…</translation>
    </message>
    <message numerus="yes">
        <source>“%1”: %n row(s) so far, %2 %</source>
        <translation>
            <numerusform>„%1“: bisher %n Zeile, %2 %</numerusform>
            <numerusform>„%1“: bisher %n Zeilen, %2 %</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“%1”: the first %n row(s)</source>
        <translation>
            <numerusform>„%1“: die erste %n Zeile</numerusform>
            <numerusform>„%1“: die ersten %n Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“%1”: %n row(s)</source>
        <translation>
            <numerusform>„%1“: %n Zeile</numerusform>
            <numerusform>„%1“: %n Zeilen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RowsModel</name>
    <message>
        <source>%1 of %2 tokens trained</source>
        <translation>%1 von %2 Token trainiert</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>Nr.</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>First message</source>
        <translation>Erste Nachricht</translation>
    </message>
    <message>
        <source>Turns</source>
        <translation>Beiträge</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Trained</source>
        <translation>Trainiert</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RowsTable</name>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RunCommands</name>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Start the run (Ctrl+R)</source>
        <translation>Den Lauf starten (Strg+R)</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Stop and save</source>
        <translation>Anhalten und speichern</translation>
    </message>
    <message>
        <source>Finish the running step, save, and end (Ctrl+.)</source>
        <translation>Den laufenden Schritt beenden, speichern und aufhören (Strg+.)</translation>
    </message>
    <message>
        <source>Stop and discard</source>
        <translation>Anhalten und verwerfen</translation>
    </message>
    <message>
        <source>Finish the running step and end; what was saved before stays</source>
        <translation>Den laufenden Schritt beenden und aufhören; was vorher gespeichert wurde, bleibt</translation>
    </message>
    <message>
        <source>Save now</source>
        <translation>Jetzt speichern</translation>
    </message>
    <message>
        <source>Write a checkpoint after the running step</source>
        <translation>Nach dem laufenden Schritt einen Checkpoint schreiben</translation>
    </message>
    <message>
        <source>Validate now</source>
        <translation>Jetzt validieren</translation>
    </message>
    <message>
        <source>Measure the validation loss after the running step</source>
        <translation>Nach dem laufenden Schritt den Validierungs-Loss messen</translation>
    </message>
    <message>
        <source>Sample now</source>
        <translation>Jetzt fragen</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>No engine</source>
        <translation>Keine Engine</translation>
    </message>
    <message>
        <source>Set up training…</source>
        <translation>Training einrichten…</translation>
    </message>
    <message>
        <source>Download what training needs (Ctrl+R)</source>
        <translation>Herunterladen, was das Training braucht (Strg+R)</translation>
    </message>
    <message>
        <source>Loading engine…</source>
        <translation>Engine wird geladen…</translation>
    </message>
    <message>
        <source>Still missing: %1</source>
        <translation>Fehlt noch: %1</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Go on with the next step (Ctrl+P)</source>
        <translation>Mit dem nächsten Schritt weitermachen (Strg+P)</translation>
    </message>
    <message>
        <source>Stand still after the running step; all memory is kept (Ctrl+P)</source>
        <translation>Nach dem laufenden Schritt stillstehen; aller Speicher bleibt belegt (Strg+P)</translation>
    </message>
    <message>
        <source>Start anyway…</source>
        <translation>Trotzdem starten…</translation>
    </message>
    <message>
        <source>Answer the prompts with what has been learned by now</source>
        <translation>Die Prompts mit dem bisher Gelernten beantworten</translation>
    </message>
    <message>
        <source>An export is being made: a run can start when it has ended.</source>
        <translation>Ein Export läuft: Ein Lauf kann starten, wenn er beendet ist.</translation>
    </message>
    <message>
        <source>Add to the queue</source>
        <translation>In die Warteschlange</translation>
    </message>
    <message>
        <source>Let this project be trained when its devices are free (Ctrl+Shift+R)</source>
        <translation>Dieses Projekt trainieren lassen, sobald seine Geräte frei sind (Ctrl+Shift+R)</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RunLog</name>
    <message>
        <source>Messages of the run</source>
        <translation>Meldungen des Laufs</translation>
    </message>
    <message>
        <source>validation loss %1 after step %2</source>
        <translation>Validierungs-Loss %1 nach Schritt %2</translation>
    </message>
    <message>
        <source>warning: %1</source>
        <translation>Warnung: %1</translation>
    </message>
    <message>
        <source>saved %1</source>
        <translation>gespeichert: %1</translation>
    </message>
    <message>
        <source>error: %1 %2</source>
        <translation>Fehler: %1 %2</translation>
    </message>
    <message>
        <source>%1 parameters are trained on %2 rows, %3 are for validation</source>
        <translation>%1 Parameter werden auf %2 Zeilen trainiert, %3 dienen der Validierung</translation>
    </message>
    <message>
        <source>%1 rows of the data were dropped</source>
        <translation>%1 Zeilen der Daten wurden verworfen</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RunPage</name>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Stop…</source>
        <translation>Anhalten…</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>nicht gestartet</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>The timeline alone (F11)</source>
        <translation>Nur die Zeitleiste (F11)</translation>
    </message>
    <message>
        <source>The timeline alone</source>
        <translation>Nur die Zeitleiste</translation>
    </message>
    <message>
        <source>Asks whether to save</source>
        <translation>Fragt, ob gespeichert werden soll</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>%1 It leaves no files.</source>
        <translation>%1 Er hinterlässt keine Dateien.</translation>
    </message>
    <message>
        <source>The timeline shows a step as predicted for %1.</source>
        <translation>Die Zeitleiste zeigt einen Schritt, wie er für %1 vorhergesagt ist.</translation>
    </message>
    <message>
        <source>%1 (simulated)</source>
        <translation>%1 (simuliert)</translation>
    </message>
    <message>
        <source>Continue…</source>
        <translation>Fortsetzen…</translation>
    </message>
    <message>
        <source>Go on with this run from its last checkpoint</source>
        <translation>Mit diesem Lauf von seinem letzten Checkpoint an weitermachen</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Run of the project “%1”</source>
        <translation>Lauf des Projekts „%1“</translation>
    </message>
    <message>
        <source>See the results</source>
        <translation>Zu den Ergebnissen</translation>
    </message>
    <message>
        <source>can go on</source>
        <translation>kann fortgesetzt werden</translation>
    </message>
    <message>
        <source>Nothing was recorded: the run ended before its first step.</source>
        <translation>Nichts wurde aufgezeichnet: Der Lauf endete vor seinem ersten Schritt.</translation>
    </message>
    <message>
        <source>Once a run has begun, each device&apos;s work stands here as it happens.</source>
        <translation>Sobald ein Lauf begonnen hat, steht hier die Arbeit jedes Geräts, während sie geschieht.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RunTiles</name>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Remaining</source>
        <translation>Verbleibend</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Maschine</translation>
    </message>
    <message>
        <source>validation %1</source>
        <translation>Validierung %1</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>Epoche %1</translation>
    </message>
    <message>
        <source>%1 after %2</source>
        <translation>%1 nach %2</translation>
    </message>
    <message>
        <source>after the pause</source>
        <translation>nach der Pause</translation>
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
        <translation>Schritt ausgelassen</translation>
    </message>
    <message>
        <source>gradient %1</source>
        <translation>Gradient %1</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>The last step took %1.</source>
        <translation>Der letzte Schritt dauerte %1.</translation>
    </message>
    <message>
        <source>until %1</source>
        <translation>bis %1</translation>
    </message>
    <message>
        <source>in memory</source>
        <translation>im Speicher</translation>
    </message>
    <message>
        <source>%1 of the host&apos;s memory are free.</source>
        <translation>%1 des Host-Speichers sind frei.</translation>
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
        <translation>Leistung und Temperatur aller GPUs</translation>
    </message>
    <message>
        <source>± %1, until %2</source>
        <translation>± %1, bis %2</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RunsModel</name>
    <message>
        <source>Compare %1</source>
        <translation>%1 vergleichen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RunsPage</name>
    <message>
        <source>Watch</source>
        <translation>Ansehen</translation>
    </message>
    <message>
        <source>Show on the page Run how it goes, and steer it from there</source>
        <translation>Auf der Seite Lauf zeigen, wie er vorankommt, und ihn von dort steuern</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Over</source>
        <translation>Über</translation>
    </message>
    <message>
        <source>by step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>by tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>by time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>Kurve</translation>
    </message>
    <message>
        <source>training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Skala</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>linear</translation>
    </message>
    <message>
        <source>log</source>
        <translation>log</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>Was sich unterscheidet</translation>
    </message>
    <message>
        <source>What you want to remember of this run</source>
        <translation>Was von diesem Lauf in Erinnerung bleiben soll</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtern</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>Läufe filtern</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Show answers, checkpoints and exports of this run (Return)</source>
        <translation>Antworten, Checkpoints und Exporte dieses Laufs zeigen (Eingabe)</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Give this run another name (F2)</source>
        <translation>Diesem Lauf einen anderen Namen geben (F2)</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <source>Delete the selected runs, after you were asked (Del)</source>
        <translation>Die ausgewählten Läufe löschen, nach Rückfrage (Entf)</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>noch nichts</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>Runs of all projects, those of the command line too</source>
        <translation>Läufe aller Projekte und der Befehlszeile</translation>
    </message>
    <message>
        <source>Note on %1</source>
        <translation>Notiz zu %1</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>mark two runs to compare them</source>
        <translation>zum Vergleichen zwei Läufe vormerken</translation>
    </message>
    <message>
        <source>%1 settings are equal</source>
        <translation>%1 Einstellungen sind gleich</translation>
    </message>
    <message>
        <source>lies elsewhere: only taken off the list</source>
        <translation>liegt woanders: nur von der Liste genommen</translation>
    </message>
    <message>
        <source>Delete runs</source>
        <translation>Läufe löschen</translation>
    </message>
    <message>
        <source>What is deleted can&apos;t be brought back.</source>
        <translation>Gelöschtes lässt sich nicht zurückholen.</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>%1 löschen</translation>
    </message>
    <message>
        <source>Take off the list</source>
        <translation>Von der Liste nehmen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation>Noch keine Läufe</translation>
    </message>
    <message>
        <source>Every run that is started here, or by roundpipe train, will stand in this list, and runs can be compared.</source>
        <translation>Jeder Lauf, der hier oder mit roundpipe train gestartet wird, steht in dieser Liste, und Läufe lassen sich vergleichen.</translation>
    </message>
    <message>
        <source>Train the demo</source>
        <translation>Die Demo trainieren</translation>
    </message>
    <message>
        <source>Continue…</source>
        <translation>Fortsetzen…</translation>
    </message>
    <message>
        <source>Go on with this run from its last checkpoint</source>
        <translation>Mit diesem Lauf von seinem letzten Checkpoint an weitermachen</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) of all projects</source>
        <translation>
            <numerusform>%n Lauf aller Projekte</numerusform>
            <numerusform>%n Läufe aller Projekte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n run(s) with results and checkpoints?</source>
        <translation>
            <numerusform>%n Lauf mit Ergebnis und Checkpoints löschen?</numerusform>
            <numerusform>%n Läufe mit Ergebnissen und Checkpoints löschen?</numerusform>
        </translation>
    </message>
    <message>
        <source>and %1 others</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>Mark this run for comparison, or not any more (Space)</source>
        <translation>Diesen Lauf zum Vergleich markieren oder nicht mehr (Leertaste)</translation>
    </message>
    <message>
        <source>Unmark</source>
        <translation>Nicht vergleichen</translation>
    </message>
    <message>
        <source>About the runs</source>
        <translation>Über die Läufe</translation>
    </message>
    <message>
        <source>Journal</source>
        <translation>Journal</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the whole journal</source>
        <translation>Das ganze Journal kopieren</translation>
    </message>
    <message>
        <source>The journal is copied.</source>
        <translation>Das Journal ist kopiert.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::SamplesPane</name>
    <message>
        <source>The answers &amp;after</source>
        <translation>Die Antworten &amp;nach</translation>
    </message>
    <message>
        <source>Answers after how many steps</source>
        <translation>Antworten nach wie vielen Schritten</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>There are no prompts that the model would answer before and after.</source>
        <translation>Es gibt keine Prompts, die das Modell vorher und nachher beantwortet.</translation>
    </message>
    <message>
        <source>Edit the prompts…</source>
        <translation>Prompts bearbeiten…</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ScheduleBars</name>
    <message>
        <source>Other schedules</source>
        <translation>Andere Abläufe</translation>
    </message>
    <message>
        <source>This plan</source>
        <translation>Dieser Plan</translation>
    </message>
    <message>
        <source>%1: %2 a step</source>
        <translation>%1: %2 je Schritt</translation>
    </message>
    <message>
        <source>%1: cannot run</source>
        <translation>%1: nicht ausführbar</translation>
    </message>
    <message>
        <source>Compared as soon as there is a plan.</source>
        <translation>Wird verglichen, sobald es einen Plan gibt.</translation>
    </message>
    <message>
        <source>A step</source>
        <translation>Je Schritt</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>Bubble</translation>
    </message>
    <message>
        <source>Fullest</source>
        <translation>Vollstes</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%L1 %</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>passt nicht</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::SettingEffects</name>
    <message>
        <source>%1 a step</source>
        <translation>%1 je Schritt</translation>
    </message>
    <message>
        <source>%1 speed</source>
        <translation>%1 Tempo</translation>
    </message>
    <message>
        <source>%1 on the fullest device</source>
        <translation>%1 auf dem vollsten Gerät</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>passt nicht</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s) in all, %1</source>
        <translation>
            <numerusform>%n Schritt insgesamt, %1</numerusform>
            <numerusform>%n Schritte insgesamt, %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 on the fullest device, where the weights of %n layer(s) stay instead of %2</source>
        <translation>
            <numerusform>%1 auf dem vollsten Gerät, wo die Gewichte von %n Schicht statt %2 bleiben</numerusform>
            <numerusform>%1 auf dem vollsten Gerät, wo die Gewichte von %n Schichten statt %2 bleiben</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>%1 a round</source>
        <translation>%1 je Runde</translation>
    </message>
    <message>
        <source>%1 of host memory</source>
        <translation>%1 Host-Speicher</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Find a setting</source>
        <translation>Einstellung suchen</translation>
    </message>
    <message>
        <source>Simple</source>
        <translation>Einfach</translation>
    </message>
    <message>
        <source>Expert</source>
        <translation>Experte</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>Copy the line that starts this run in a terminal</source>
        <translation>Die Zeile kopieren, die diesen Lauf in einem Terminal startet</translation>
    </message>
    <message>
        <source>a value is not allowed</source>
        <translation>Wert nicht erlaubt</translation>
    </message>
    <message>
        <source>defaults</source>
        <translation>Standard</translation>
    </message>
    <message numerus="yes">
        <source>%n changed</source>
        <translation>
            <numerusform>%n geändert</numerusform>
            <numerusform>%n geändert</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>The command is on the clipboard: it starts the same run in a terminal.</source>
        <translation>Der Befehl liegt in der Zwischenablage: Er startet denselben Lauf in einem Terminal.</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>Prompts: samples, answered before and after</source>
        <translation>Prompts: Beispiele, Fragen, vorher und nachher beantwortet</translation>
    </message>
    <message>
        <source>What each does to memory, time and quality on this rig</source>
        <translation>Was jede mit Speicher, Zeit und Qualität auf diesem Rechner macht</translation>
    </message>
    <message>
        <source>What each does on this rig</source>
        <translation>Was jede auf diesem Rechner bewirkt</translation>
    </message>
    <message>
        <source>Find a setting ( / )</source>
        <translation>Einstellung suchen ( / )</translation>
    </message>
    <message>
        <source>Next: Plan</source>
        <translation>Weiter: Plan</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::SourceRows</name>
    <message>
        <source>Another adapter beside it…</source>
        <translation>Noch einen Adapter dazu…</translation>
    </message>
    <message>
        <source>Load several adapters of the model: what they add is added up, each by its weight</source>
        <translation>Mehrere Adapter des Modells laden: Was sie hinzufügen, wird zusammengezählt, jeder mit seinem Gewicht</translation>
    </message>
    <message>
        <source>Who answers</source>
        <translation>Wer antwortet</translation>
    </message>
    <message>
        <source>Another adapter</source>
        <translation>Noch ein Adapter</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>Weglassen</translation>
    </message>
    <message>
        <source>An adapter in another folder…</source>
        <translation>Ein Adapter in einem anderen Ordner…</translation>
    </message>
    <message>
        <source>An adapter&apos;s folder</source>
        <translation>Ordner eines Adapters</translation>
    </message>
    <message>
        <source>nothing trained yet: choose a folder</source>
        <translation>noch nichts trainiert: Ordner wählen</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::StagesTab</name>
    <message>
        <source>Stages</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>Layer partition</source>
        <translation>Aufteilung der Schichten</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::StartPage</name>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Fine-tune a language model on this machine</source>
        <translation>Ein Sprachmodell auf diesem Rechner feinabstimmen</translation>
    </message>
    <message>
        <source>See it work: Polly the parrot</source>
        <translation>In Aktion sehen: Polly, der Papagei</translation>
    </message>
    <message>
        <source>A tiny model that comes with the program learns to answer like a parrot. Takes seconds; without a GPU a minute or two.</source>
        <translation>Ein winziges Modell, das dem Programm beiliegt, lernt wie ein Papagei zu antworten. Dauert Sekunden; ohne GPU ein bis zwei Minuten.</translation>
    </message>
    <message>
        <source>Every stage of every device, live, as it happens: on the machine&apos;s GPUs if there are any, else on its processor.</source>
        <translation>Jede Stufe jedes Geräts, live, wie sie geschieht: auf den GPUs des Rechners, wenn es welche gibt, sonst auf seinem Prozessor.</translation>
    </message>
    <message>
        <source>Train Polly</source>
        <translation>Polly trainieren</translation>
    </message>
    <message>
        <source>Look at the project first</source>
        <translation>Erst das Projekt ansehen</translation>
    </message>
    <message>
        <source>Drop a model folder or a file of rows</source>
        <translation>Einen Modellordner oder eine Datei mit Zeilen ablegen</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>Neues Projekt</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>Recent projects</source>
        <translation>Letzte Projekte</translation>
    </message>
    <message>
        <source>Open the project %1</source>
        <translation>Das Projekt %1 öffnen</translation>
    </message>
    <message>
        <source>A folder with config.json and safetensors; JSONL, JSON, CSV or Parquet; a RUN.json, or a run of LLaMA-Factory, Axolotl or Unsloth</source>
        <translation>Ein Ordner mit config.json und safetensors; JSONL, JSON, CSV oder Parquet; eine RUN.json oder ein Lauf von LLaMA-Factory, Axolotl oder Unsloth</translation>
    </message>
    <message>
        <source>From a model to an adapter</source>
        <translation>Vom Modell zum Adapter</translation>
    </message>
    <message>
        <source>1  Model</source>
        <translation>1  Modell</translation>
    </message>
    <message>
        <source>Choose one that fits this machine</source>
        <translation>Eines, das auf den Rechner passt</translation>
    </message>
    <message>
        <source>2  Data</source>
        <translation>2  Daten</translation>
    </message>
    <message>
        <source>Drop rows, see what is trained</source>
        <translation>Zeilen ablegen und ansehen</translation>
    </message>
    <message>
        <source>3  Settings</source>
        <translation>3  Einstellungen</translation>
    </message>
    <message>
        <source>A few that matter, or all</source>
        <translation>Die wichtigen oder alle</translation>
    </message>
    <message>
        <source>4  Plan</source>
        <translation>4  Plan</translation>
    </message>
    <message>
        <source>Memory and time, beforehand</source>
        <translation>Speicher und Zeit, vorher</translation>
    </message>
    <message>
        <source>5  Run</source>
        <translation>5  Lauf</translation>
    </message>
    <message>
        <source>Watch it learn, pause, go on</source>
        <translation>Zusehen, anhalten, fortsetzen</translation>
    </message>
    <message>
        <source>6  Results</source>
        <translation>6  Ergebnisse</translation>
    </message>
    <message>
        <source>Answers, adapter, what next</source>
        <translation>Antworten, Adapter, wie weiter</translation>
    </message>
    <message>
        <source>What is new</source>
        <translation>Was neu ist</translation>
    </message>
    <message>
        <source>Everything that is new</source>
        <translation>Alles, was neu ist</translation>
    </message>
    <message>
        <source>Models and rows from Hugging Face</source>
        <translation>Modelle und Zeilen von Hugging Face</translation>
    </message>
    <message>
        <source>On the pages Model and Data</source>
        <translation>Auf den Seiten „Modell“ und „Daten“</translation>
    </message>
    <message>
        <source>Choose a model and rows, see whether and how fast it will run, watch it learn, take what it has learned with you.</source>
        <translation>Modell und Zeilen wählen, sehen, ob und wie schnell es läuft, beim Lernen zusehen, das Gelernte mitnehmen.</translation>
    </message>
    <message>
        <source>A playground</source>
        <translation>Eine Spielwiese</translation>
    </message>
    <message>
        <source>Talk with base and tuned, side by side</source>
        <translation>Basis und Trainiertes im Gespräch</translation>
    </message>
    <message>
        <source>Exports for other programs</source>
        <translation>Exporte für andere Programme</translation>
    </message>
    <message>
        <source>Merged, GGUF and Ollama, each proved</source>
        <translation>Zusammengeführt, GGUF und Ollama, alle geprüft</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::StartQuestionBox</name>
    <message>
        <source>The run does not fit</source>
        <translation>Der Lauf passt nicht</translation>
    </message>
    <message>
        <source>Start anyway</source>
        <translation>Trotzdem starten</translation>
    </message>
    <message>
        <source>Look at the plan</source>
        <translation>Plan ansehen</translation>
    </message>
    <message>
        <source>It fits now.</source>
        <translation>Jetzt passt er.</translation>
    </message>
    <message>
        <source>The settings have changed since: the plan is being worked out anew.</source>
        <translation>Die Einstellungen haben sich seitdem geändert: Der Plan wird neu berechnet.</translation>
    </message>
    <message>
        <source>Unless the estimate is wrong, it ends for want of memory before its first step or soon after.</source>
        <translation>Wenn die Schätzung nicht irrt, endet der Lauf aus Speichermangel vor dem ersten Schritt oder bald danach.</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::TalkDrawer</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Unterhaltungen</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Ändern…</translation>
    </message>
    <message>
        <source>Let this model go and load another one</source>
        <translation>Dieses Modell entlassen und ein anderes laden</translation>
    </message>
    <message>
        <source>System message</source>
        <translation>Systemnachricht</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>What the model is told before the first question</source>
        <translation>Was dem Modell vor der ersten Frage gesagt wird</translation>
    </message>
    <message>
        <source>%1 · loaded in %2 · room for %3 tokens</source>
        <translation>%1 · in %2 geladen · Raum für %3 Token</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::TimelineForecast</name>
    <message>
        <source>Predicted step</source>
        <translation>Vorhergesagter Schritt</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::TokenLensView</name>
    <message>
        <source>Tokens of the row</source>
        <translation>Token der Zeile</translation>
    </message>
    <message>
        <source>token %1 of %2</source>
        <translation>Token %1 von %2</translation>
    </message>
    <message>
        <source>“%1”, id %2</source>
        <translation>„%1“, Id %2</translation>
    </message>
    <message>
        <source>%1, message %2</source>
        <translation>%1, Nachricht %2</translation>
    </message>
    <message>
        <source>written by the template</source>
        <translation>von der Vorlage geschrieben</translation>
    </message>
    <message>
        <source>special token</source>
        <translation>Spezialtoken</translation>
    </message>
    <message>
        <source>cut off: training does not see it</source>
        <translation>abgeschnitten: das Training sieht es nicht</translation>
    </message>
    <message>
        <source>trained</source>
        <translation>trainiert</translation>
    </message>
    <message>
        <source>not trained</source>
        <translation>nicht trainiert</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::TokensPanel</name>
    <message>
        <source>Which tokens</source>
        <translation>Welche Token</translation>
    </message>
    <message>
        <source>Given</source>
        <translation>Bekommen</translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation>Gewählt</translation>
    </message>
    <message>
        <source>Tokens that the model was given</source>
        <translation>Token, die das Modell bekam</translation>
    </message>
    <message>
        <source>Tokens that the model chose</source>
        <translation>Token, die das Modell wählte</translation>
    </message>
    <message>
        <source>Click a token, or go through them with the arrow keys: it says here how likely it was, and what else could have stood there.</source>
        <translation>Ein Token anklicken oder mit den Pfeiltasten durchgehen: Hier steht, wie wahrscheinlich es war und was sonst dort stehen könnte.</translation>
    </message>
    <message>
        <source>After an answer, the exact tokens that the model was given stand here, and how likely each token of the answer was.</source>
        <translation>Nach einer Antwort stehen hier genau die Token, die das Modell bekam, und wie wahrscheinlich jedes Token der Antwort war.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s), marks of the template included</source>
        <translation>
            <numerusform>%Ln Token, mit den Marken der Vorlage</numerusform>
            <numerusform>%Ln Token, mit den Marken der Vorlage</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln of them had been read before</source>
        <translation>
            <numerusform>%Ln davon war schon gelesen</numerusform>
            <numerusform>%Ln davon waren schon gelesen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s), by the model&apos;s own probability</source>
        <translation>
            <numerusform>%Ln Token, nach der eigenen Wahrscheinlichkeit des Modells</numerusform>
            <numerusform>%Ln Token, nach der eigenen Wahrscheinlichkeit des Modells</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · %2 · id %3</source>
        <translation>%1 · %2 · Nr. %3</translation>
    </message>
    <message>
        <source>instead %1 · %2</source>
        <translation>stattdessen %1 · %2</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::preferences::Preferences</name>
    <message>
        <source>The window&apos;s settings in %1 could not be read and start anew.</source>
        <translation>Die Einstellungen des Fensters in %1 ließen sich nicht lesen und beginnen von vorn.</translation>
    </message>
    <message>
        <source>The window&apos;s settings could not be read and start anew. The old file is kept as %1.</source>
        <translation>Die Einstellungen des Fensters ließen sich nicht lesen und beginnen von vorn. Die alte Datei liegt als %1.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::setup::SetUpDialog</name>
    <message>
        <source>Set up the training engine</source>
        <translation>Trainings-Engine einrichten</translation>
    </message>
    <message>
        <source>One download before you train</source>
        <translation>Ein Download vor dem Training</translation>
    </message>
    <message>
        <source>Training needs LibTorch and NVIDIA&apos;s CUDA libraries, and reading Parquet files needs Arrow. They are large and their makers distribute them themselves, so they are not part of this program&apos;s package.</source>
        <translation>Das Training braucht LibTorch und NVIDIAs CUDA-Bibliotheken, das Lesen von Parquet-Dateien Arrow. Sie sind groß, und ihre Hersteller verteilen sie selbst; darum gehören sie nicht zum Paket dieses Programms.</translation>
    </message>
    <message>
        <source>Cancelled. What was complete is kept and not downloaded again.</source>
        <translation>Abgebrochen. Was vollständig war, bleibt und wird nicht erneut heruntergeladen.</translation>
    </message>
    <message>
        <source>Set-up did not succeed.</source>
        <translation>Das Einrichten ist nicht gelungen.</translation>
    </message>
    <message>
        <source>To download, from PyPI</source>
        <translation>Herunterzuladen, von PyPI</translation>
    </message>
    <message>
        <source>counting…</source>
        <translation>wird gezählt…</translation>
    </message>
    <message>
        <source>Room that it takes</source>
        <translation>Platzbedarf</translation>
    </message>
    <message>
        <source>Room that is free</source>
        <translation>Freier Platz</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Downloaded</source>
        <translation>Heruntergeladen</translation>
    </message>
    <message>
        <source>What set-up says</source>
        <translation>Was das Einrichten meldet</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Show all that set-up says</source>
        <translation>Alles zeigen, was das Einrichten meldet</translation>
    </message>
    <message>
        <source>Set up</source>
        <translation>Einrichten</translation>
    </message>
    <message>
        <source>Cancel the download</source>
        <translation>Download abbrechen</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>Use the simulated engine</source>
        <translation>Die simulierte Engine verwenden</translation>
    </message>
    <message>
        <source>Runs are played from their plan; nothing is trained</source>
        <translation>Läufe werden nach ihrem Plan gespielt; nichts wird trainiert</translation>
    </message>
    <message>
        <source>Download %1 and set up</source>
        <translation>%1 herunterladen und einrichten</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>etwa %1</translation>
    </message>
    <message>
        <source>%1 of %2 downloaded</source>
        <translation>%1 von %2 heruntergeladen</translation>
    </message>
    <message>
        <source>Beginning…</source>
        <translation>Beginnt…</translation>
    </message>
    <message>
        <source>Go on in the background</source>
        <translation>Im Hintergrund weitermachen</translation>
    </message>
    <message>
        <source>Nothing is downloaded before you press the button. It may be interrupted at any time; what is complete by then is kept. Until then models, rows, settings and plans work; training and Parquet files do not.</source>
        <translation>Vor dem Druck auf den Knopf wird nichts heruntergeladen. Es lässt sich jederzeit unterbrechen; was bis dahin vollständig ist, bleibt. Bis dahin gehen Modelle, Zeilen, Einstellungen und Pläne; Training und Parquet-Dateien nicht.</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>%1: too little</source>
        <translation>%1: zu wenig</translation>
    </message>
    <message>
        <source>%1 of %2 downloaded, about %3 left</source>
        <translation>%1 von %2 heruntergeladen, noch etwa %3</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::setup::SetUpProcess</name>
    <message>
        <source>%1 could not be started: %2.</source>
        <translation>%1 ließ sich nicht starten: %2.</translation>
    </message>
    <message>
        <source>Set-up ended early. Its last lines, in the log, may say why.</source>
        <translation>Das Einrichten endete vorzeitig. Seine letzten Zeilen im Protokoll sagen vielleicht, warum.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::DropFrame</name>
    <message>
        <source>Drop a model folder, rows or a project anywhere</source>
        <translation>Modellordner, Zeilen oder ein Projekt an beliebiger Stelle ablegen</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::HelpMenu</name>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>Help on this</source>
        <translation>Hilfe hierzu</translation>
    </message>
    <message>
        <source>The manual</source>
        <translation>Das Handbuch</translation>
    </message>
    <message>
        <source>Quick start</source>
        <translation>Schnellstart</translation>
    </message>
    <message>
        <source>All settings</source>
        <translation>Alle Einstellungen</translation>
    </message>
    <message>
        <source>What is new in %1</source>
        <translation>Neu in %1</translation>
    </message>
    <message>
        <source>The manual was not found: %1</source>
        <translation>Das Handbuch wurde nicht gefunden: %1</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::MainWindow</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>Neues Projekt</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>Recent projects</source>
        <translation>Letzte Projekte</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Lauf</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>Colours of the system</source>
        <translation>Farben des Systems</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>The Studio speaks this language when it is started the next time.</source>
        <translation>Das Studio spricht diese Sprache, wenn es das nächste Mal gestartet wird.</translation>
    </message>
    <message>
        <source>Before the run can start: %1</source>
        <translation>Bevor der Lauf starten kann: %1</translation>
    </message>
    <message>
        <source>Trace written to %1; open it at ui.perfetto.dev.</source>
        <translation>Trace nach %1 geschrieben; zu öffnen bei ui.perfetto.dev.</translation>
    </message>
    <message>
        <source>There is no file or folder “%1”.</source>
        <translation>Es gibt keine Datei und keinen Ordner „%1“.</translation>
    </message>
    <message>
        <source>Open a project</source>
        <translation>Ein Projekt öffnen</translation>
    </message>
    <message>
        <source>Projects (*.json)</source>
        <translation>Projekte (*.json)</translation>
    </message>
    <message>
        <source>Save the project</source>
        <translation>Das Projekt speichern</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>Noch keine</translation>
    </message>
    <message>
        <source>nothing changed yet</source>
        <translation>noch nichts geändert</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>gespeichert</translation>
    </message>
    <message>
        <source>saving…</source>
        <translation>wird gespeichert…</translation>
    </message>
    <message>
        <source>not saved</source>
        <translation>nicht gespeichert</translation>
    </message>
    <message>
        <source>RoundPipe Studio</source>
        <translation>RoundPipe Studio</translation>
    </message>
    <message>
        <source> (simulated engine: nothing is trained)</source>
        <translation> (simulierte Engine: nichts wird trainiert)</translation>
    </message>
    <message>
        <source>The training engine could not be loaded.</source>
        <translation>Die Trainings-Engine ließ sich nicht laden.</translation>
    </message>
    <message>
        <source>Use the simulated engine</source>
        <translation>Die simulierte Engine verwenden</translation>
    </message>
    <message>
        <source>Set up the training engine…</source>
        <translation>Trainings-Engine einrichten…</translation>
    </message>
    <message>
        <source>The training engine is not set up yet.</source>
        <translation>Die Trainings-Engine ist noch nicht eingerichtet.</translation>
    </message>
    <message>
        <source>It needs libraries that are downloaded once. All but training and Parquet files works without them.</source>
        <translation>Sie braucht Bibliotheken, die einmal heruntergeladen werden. Alles außer Training und Parquet-Dateien geht auch ohne sie.</translation>
    </message>
    <message>
        <source>Set up…</source>
        <translation>Einrichten…</translation>
    </message>
    <message>
        <source>Open trace…</source>
        <translation>Trace öffnen…</translation>
    </message>
    <message>
        <source>Compare the run with its plan</source>
        <translation>Den Lauf mit seinem Plan vergleichen</translation>
    </message>
    <message>
        <source>Timeline: the wheel zooms, dragging moves</source>
        <translation>Zeitleiste: Mausrad vergrößert, Ziehen verschiebt</translation>
    </message>
    <message>
        <source>Timeline: the wheel scrolls, dragging selects</source>
        <translation>Zeitleiste: Mausrad rollt, Ziehen wählt aus</translation>
    </message>
    <message>
        <source>Memory of the timeline…</source>
        <translation>Speicher der Zeitleiste…</translation>
    </message>
    <message>
        <source>Memory of the timeline</source>
        <translation>Speicher der Zeitleiste</translation>
    </message>
    <message>
        <source>Gigabytes that recorded slices may take. The oldest ones beyond that go to a temporary file.</source>
        <translation>Gigabyte, die aufgezeichnete Abschnitte belegen dürfen. Was älter ist, kommt in eine temporäre Datei.</translation>
    </message>
    <message>
        <source>Timeline written to %1.</source>
        <translation>Zeitleiste nach %1 geschrieben.</translation>
    </message>
    <message>
        <source>The timeline was not written. %1</source>
        <translation>Die Zeitleiste wurde nicht geschrieben. %1</translation>
    </message>
    <message>
        <source>Open a trace</source>
        <translation>Einen Trace öffnen</translation>
    </message>
    <message>
        <source>Traces (*.rptrace)</source>
        <translation>Traces (*.rptrace)</translation>
    </message>
    <message>
        <source>There is no plan of these settings to compare with.</source>
        <translation>Zu diesen Einstellungen gibt es keinen Plan zum Vergleichen.</translation>
    </message>
    <message>
        <source>the run</source>
        <translation>der Lauf</translation>
    </message>
    <message>
        <source>its plan</source>
        <translation>sein Plan</translation>
    </message>
    <message>
        <source>There is no prompt to answer yet: write one.</source>
        <translation>Es gibt noch keinen Prompt zu beantworten: erst einen schreiben.</translation>
    </message>
    <message>
        <source>The run of %1 was opened as a new project.</source>
        <translation>Der Lauf von %1 ist als neues Projekt geöffnet.</translation>
    </message>
    <message>
        <source>Projects, and runs of LLaMA-Factory, Axolotl and Unsloth (*.json *.yaml *.yml)</source>
        <translation>Projekte und Läufe von LLaMA-Factory, Axolotl und Unsloth (*.json *.yaml *.yml)</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Saved in %1.</source>
        <translation>Gespeichert in %1.</translation>
    </message>
    <message>
        <source>simulated engine</source>
        <translation>simulierte Engine</translation>
    </message>
    <message>
        <source>Rows and model folders&apos; files (*)</source>
        <translation>Zeilen und Dateien von Modellordnern (*)</translation>
    </message>
    <message>
        <source>Start it anew</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>An export is being made: a run can start when it has ended.</source>
        <translation>Ein Export läuft: Ein Lauf kann starten, wenn er beendet ist.</translation>
    </message>
    <message>
        <source>Stop the export</source>
        <translation>Export anhalten</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::MessageBanner</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close the message</source>
        <translation>Die Meldung schließen</translation>
    </message>
    <message>
        <source>More of the message</source>
        <translation>Mehr zur Meldung</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::NavigationRail</name>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::RailButton</name>
    <message>
        <source>done</source>
        <translation>erledigt</translation>
    </message>
    <message>
        <source>something is missing</source>
        <translation>etwas fehlt</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::RunStatusBar</name>
    <message>
        <source>Progress of the run</source>
        <translation>Fortschritt des Laufs</translation>
    </message>
    <message>
        <source>no engine yet</source>
        <translation>noch keine Engine</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 Token/s</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>noch %1</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::TimelineExports</name>
    <message>
        <source>Export the timeline…</source>
        <translation>Zeitleiste exportieren…</translation>
    </message>
    <message>
        <source>Export the selected range…</source>
        <translation>Ausgewählten Bereich exportieren…</translation>
    </message>
    <message>
        <source>Write the timeline for Perfetto, as a picture or as a table (Ctrl+E)</source>
        <translation>Die Zeitleiste für Perfetto, als Bild oder als Tabelle schreiben (Strg+E)</translation>
    </message>
    <message>
        <source>writing %p %</source>
        <translation>wird geschrieben, %p %</translation>
    </message>
    <message>
        <source>Progress of the export</source>
        <translation>Fortschritt des Exports</translation>
    </message>
    <message>
        <source>Give up the export</source>
        <translation>Export abbrechen</translation>
    </message>
    <message>
        <source>Traces for Perfetto (*.json)</source>
        <translation>Traces für Perfetto (*.json)</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Bilder (*.png)</translation>
    </message>
    <message>
        <source>Drawings (*.svg)</source>
        <translation>Zeichnungen (*.svg)</translation>
    </message>
    <message>
        <source>Tables of slices (*.csv)</source>
        <translation>Tabellen der Abschnitte (*.csv)</translation>
    </message>
    <message>
        <source>Statistics (*.csv)</source>
        <translation>Statistik (*.csv)</translation>
    </message>
    <message>
        <source>Traces for the Studio (*.rptrace)</source>
        <translation>Traces für das Studio (*.rptrace)</translation>
    </message>
    <message>
        <source>Export the selected range</source>
        <translation>Den ausgewählten Bereich exportieren</translation>
    </message>
    <message>
        <source>Export the timeline</source>
        <translation>Die Zeitleiste exportieren</translation>
    </message>
    <message>
        <source>Here also .png, a picture of points.</source>
        <translation>Hier auch .png, ein Bild aus Punkten.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::shell::TraceWindow</name>
    <message>
        <source>Trace</source>
        <translation>Trace</translation>
    </message>
    <message>
        <source>reading %p %</source>
        <translation>wird gelesen, %p %</translation>
    </message>
    <message>
        <source>Written to %1.</source>
        <translation>Nach %1 geschrieben.</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Open trace…</source>
        <translation>Trace öffnen…</translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation>Vergleichen mit…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Compare with another trace</source>
        <translation>Mit einem anderen Trace vergleichen</translation>
    </message>
    <message>
        <source>Open a trace</source>
        <translation>Einen Trace öffnen</translation>
    </message>
    <message>
        <source>Traces (*.rptrace)</source>
        <translation>Traces (*.rptrace)</translation>
    </message>
    <message>
        <source>%1 – trace</source>
        <translation>%1 – Trace</translation>
    </message>
    <message>
        <source>This trace has no end: its run still goes on, or was killed.</source>
        <translation>Dieser Trace hat kein Ende: Sein Lauf geht noch weiter oder wurde abgewürgt.</translation>
    </message>
    <message>
        <source>It is shown up to %1 after its beginning.</source>
        <translation>Gezeigt wird er bis %1 nach seinem Beginn.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::ComparisonTable</name>
    <message>
        <source>%1 %</source>
        <translation>%L1 %</translation>
    </message>
    <message>
        <source>%1%2 points</source>
        <translation>%1%2 Punkte</translation>
    </message>
    <message>
        <source>only there</source>
        <translation>nur dort</translation>
    </message>
    <message>
        <source>%1%2 %</source>
        <translation>%1%L2 %</translation>
    </message>
    <message>
        <source>Differences between the two traces</source>
        <translation>Unterschiede zwischen den beiden Traces</translation>
    </message>
    <message>
        <source>A step</source>
        <translation>Je Schritt</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>a whole step, median</source>
        <translation>ein ganzer Schritt, Median</translation>
    </message>
    <message>
        <source>%1 busy</source>
        <translation>%1 beschäftigt</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1, moved up</source>
        <translation>%1, hoch bewegt</translation>
    </message>
    <message>
        <source>%1, moved down</source>
        <translation>%1, herunter bewegt</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::LaneFilter</name>
    <message>
        <source>Which lanes are shown</source>
        <translation>Welche Spuren gezeigt werden</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>Spuren</translation>
    </message>
    <message>
        <source>Lanes: %1 of %2</source>
        <translation>Spuren: %1 von %2</translation>
    </message>
    <message>
        <source>All lanes</source>
        <translation>Alle Spuren</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::LaneHeader</name>
    <message>
        <source>%1 % busy</source>
        <translation>%L1 % aktiv</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>Devices of the timeline</source>
        <translation>Geräte der Zeitleiste</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>eingeklappt</translation>
    </message>
    <message>
        <source>unfolded</source>
        <translation>ausgeklappt</translation>
    </message>
    <message>
        <source>kept on top</source>
        <translation>bleibt oben</translation>
    </message>
    <message>
        <source>%1
Click: fold or unfold its lanes. Click on the number: keep it on top. By keys: ↑ or ↓, then Space or T.</source>
        <translation>%1
Klick: seine Spuren ein- oder ausklappen. Klick auf die Nummer: oben behalten. Mit Tasten: ↑ oder ↓, dann Leertaste oder T.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::Minimap</name>
    <message>
        <source>Overview of the whole run</source>
        <translation>Überblick über den ganzen Lauf</translation>
    </message>
    <message>
        <source>The whole run. Click or drag to move the view.</source>
        <translation>Der ganze Lauf. Klicken oder ziehen bewegt die Ansicht.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::PinPanel</name>
    <message>
        <source>The pinned slice</source>
        <translation>Der angeheftete Abschnitt</translation>
    </message>
    <message>
        <source>%1 at %2 GB/s</source>
        <translation>%1 mit %L2 GB/s</translation>
    </message>
    <message>
        <source>Microbatch %1</source>
        <translation>Mikrobatch %1</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Waited</source>
        <translation>Gewartet</translation>
    </message>
    <message>
        <source>%1 on %2: %3 computing, %4 waiting</source>
        <translation>%1 auf %2: %3 gerechnet, %4 gewartet</translation>
    </message>
    <message numerus="yes">
        <source>%n stage(s)</source>
        <comment>it goes through them</comment>
        <translation>
            <numerusform>%n Stufe</numerusform>
            <numerusform>%n Stufen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <comment>behind: on</comment>
        <translation>
            <numerusform>%n Gerät</numerusform>
            <numerusform>%n Geräten</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::RangePanel</name>
    <message>
        <source>Statistics of the range</source>
        <translation>Statistik des Bereichs</translation>
    </message>
    <message>
        <source>%1 is %2 % busy</source>
        <translation>%1 ist zu %L2 % beschäftigt</translation>
    </message>
    <message>
        <source>%1 %2 %</source>
        <translation>%1 %L2 %</translation>
    </message>
    <message>
        <source>%1 (slot %2)</source>
        <translation>%1 (Slot %2)</translation>
    </message>
    <message>
        <source>Selected  ΔT %1</source>
        <translation>Auswahl  ΔT %1</translation>
    </message>
    <message>
        <source>On show  %1</source>
        <translation>Gezeigt  %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>steps %1–%2</source>
        <translation>Schritte %1–%2</translation>
    </message>
    <message>
        <source>%1 % busy</source>
        <translation>%L1 % aktiv</translation>
    </message>
    <message>
        <source>↑ %1/s   ↓ %2/s</source>
        <translation>↑ %1/s   ↓ %2/s</translation>
    </message>
    <message>
        <source>Kind · ms</source>
        <translation>Art · ms</translation>
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
        <translation>Bewegt</translation>
    </message>
    <message>
        <source>Stage · ms</source>
        <translation>Stufe · ms</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source>counting…</source>
        <translation>wird gezählt…</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anz.</translation>
    </message>
    <message>
        <source>no steps in this range</source>
        <translation>keine Schritte in diesem Bereich</translation>
    </message>
    <message>
        <source>bubble %1 % of the steps, over all devices</source>
        <translation>Bubble %1 % der Schritte, über alle Geräte</translation>
    </message>
    <message>
        <source>no steps: %1</source>
        <translation>keine Schritte: %1</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::StepBand</name>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>step %1 …</source>
        <translation>Schritt %1 …</translation>
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
        <translation>Zeitleiste der Stufen und Übertragungen</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::TimelineView</name>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Find slices</source>
        <translation>Abschnitte suchen</translation>
    </message>
    <message>
        <source>Zoom out (S)</source>
        <translation>Verkleinern (S)</translation>
    </message>
    <message>
        <source>Zoom in (W)</source>
        <translation>Vergrößern (W)</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Show the whole run (0)</source>
        <translation>Den ganzen Lauf zeigen (0)</translation>
    </message>
    <message>
        <source>Keys and gestures (?)</source>
        <translation>Tasten und Gesten (?)</translation>
    </message>
    <message>
        <source>Newest steps</source>
        <translation>Neueste</translation>
    </message>
    <message>
        <source>Keep the last three steps on show (End)</source>
        <translation>Die letzten drei Schritte im Blick behalten (Ende)</translation>
    </message>
    <message>
        <source>Fixed range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Follow at this scale (L)</source>
        <translation>In diesem Maßstab folgen (L)</translation>
    </message>
    <message>
        <source>%1 behind · L</source>
        <translation>%1 zurück · L</translation>
    </message>
    <message>
        <source>%1 events lost</source>
        <translation>%1 Ereignisse verloren</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Key /. For example: backward S3, m2 step 14, waits</source>
        <translation>Taste /. Zum Beispiel: rückwärts S3, m2 Schritt 14, wartet</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>wird gesucht…</translation>
    </message>
    <message>
        <source>no later match</source>
        <translation>kein späterer Treffer</translation>
    </message>
    <message>
        <source>no earlier match</source>
        <translation>kein früherer Treffer</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Thin bars below the lanes: each step as it was planned (P)</source>
        <translation>Dünne Balken unter den Spuren: jeder Schritt, wie er geplant war (P)</translation>
    </message>
    <message>
        <source>no match</source>
        <translation>nichts gefunden</translation>
    </message>
    <message>
        <source>The view stands still; recording goes on. Follow again (L).</source>
        <translation>Die Ansicht steht; die Aufzeichnung geht weiter. Wieder folgen (L).</translation>
    </message>
    <message>
        <source>Frozen</source>
        <translation>Eingefroren</translation>
    </message>
    <message>
        <source>Let the view stand. The run goes on, and so does its recording.</source>
        <translation>Die Ansicht steht lassen. Der Lauf und seine Aufzeichnung gehen weiter.</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::widgets::AnswerLabel</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::widgets::AnswersPane</name>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::widgets::PartitionStrip</name>
    <message>
        <source>Layer partition</source>
        <translation>Aufteilung der Schichten</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>verschmolzen</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>rückwärts</translation>
    </message>
    <message>
        <source>Shown as soon as a run has read the model.</source>
        <translation>Erscheint, sobald ein Lauf das Modell gelesen hat.</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>%1 of weights</source>
        <translation>%1 Gewichte</translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::widgets::Toast</name>
    <message>
        <source>Close the message</source>
        <translation>Die Meldung schließen</translation>
    </message>
</context>
<context>
    <name>timeline</name>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>Neuberechnung</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>rückwärts</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>verschmolzen</translation>
    </message>
    <message>
        <source>evaluate</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>weights up</source>
        <translation>Gewichte ↑</translation>
    </message>
    <message>
        <source>adapter up</source>
        <translation>Adapter ↑</translation>
    </message>
    <message>
        <source>activations up</source>
        <translation>Aktivierungen ↑</translation>
    </message>
    <message>
        <source>activations down</source>
        <translation>Aktivierungen ↓</translation>
    </message>
    <message>
        <source>gradients down</source>
        <translation>Gradienten ↓</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>waits for weights</source>
        <translation>wartet auf Gewichte</translation>
    </message>
    <message>
        <source>waits for a microbatch</source>
        <translation>wartet auf einen Mikrobatch</translation>
    </message>
    <message>
        <source>waits for the update</source>
        <translation>wartet auf die Aktualisierung</translation>
    </message>
    <message>
        <source>waits for room</source>
        <translation>wartet auf Platz</translation>
    </message>
    <message>
        <source>waits for the host</source>
        <translation>wartet auf den Host</translation>
    </message>
    <message>
        <source>Wheel, W, S</source>
        <translation>Mausrad, W, S</translation>
    </message>
    <message>
        <source>move in time</source>
        <translation>in der Zeit verschieben</translation>
    </message>
    <message>
        <source>Alt+wheel</source>
        <translation>Alt+Mausrad</translation>
    </message>
    <message>
        <source>scroll the lanes</source>
        <translation>die Spuren rollen</translation>
    </message>
    <message>
        <source>Shift+drag, drag on the ruler</source>
        <translation>Umschalt+Ziehen, auf dem Lineal ziehen</translation>
    </message>
    <message>
        <source>measure a range; its edges can be dragged</source>
        <translation>einen Bereich messen; seine Ränder lassen sich ziehen</translation>
    </message>
    <message>
        <source>Click</source>
        <translation>Klick</translation>
    </message>
    <message>
        <source>pin a slice and light its microbatch</source>
        <translation>einen Abschnitt anheften und seinen Mikrobatch hervorheben</translation>
    </message>
    <message>
        <source>zoom to the range or the pinned slice</source>
        <translation>auf den Bereich oder den angehefteten Abschnitt vergrößern</translation>
    </message>
    <message>
        <source>back to the view before</source>
        <translation>zurück zur Ansicht davor</translation>
    </message>
    <message>
        <source>0, Home</source>
        <translation>0, Pos1</translation>
    </message>
    <message>
        <source>the whole run</source>
        <translation>der ganze Lauf</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>follow the newest steps</source>
        <translation>den neuesten Schritten folgen</translation>
    </message>
    <message>
        <source>L</source>
        <translation>L</translation>
    </message>
    <message>
        <source>go on following</source>
        <translation>weiter folgen</translation>
    </message>
    <message>
        <source>. and ,</source>
        <translation>. und ,</translation>
    </message>
    <message>
        <source>next and previous slice of the lane</source>
        <translation>nächster und voriger Abschnitt der Spur</translation>
    </message>
    <message>
        <source>N, Shift+N</source>
        <translation>N, Umschalt+N</translation>
    </message>
    <message>
        <source>next and previous of the same kind</source>
        <translation>nächster und voriger derselben Art</translation>
    </message>
    <message>
        <source>] and [</source>
        <translation>] und [</translation>
    </message>
    <message>
        <source>along the pinned microbatch</source>
        <translation>dem angehefteten Mikrobatch entlang</translation>
    </message>
    <message>
        <source>/</source>
        <translation>/</translation>
    </message>
    <message>
        <source>search: backward S3, m2 step 14, waits for weights</source>
        <translation>suchen: rückwärts S3, m2 Schritt 14, wartet auf Gewichte</translation>
    </message>
    <message>
        <source>M</source>
        <translation>M</translation>
    </message>
    <message>
        <source>set or remove a bookmark</source>
        <translation>ein Lesezeichen setzen oder entfernen</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>let go of slice and range</source>
        <translation>Abschnitt und Bereich loslassen</translation>
    </message>
    <message>
        <source>?</source>
        <translation>?</translation>
    </message>
    <message>
        <source>this sheet</source>
        <translation>diese Übersicht</translation>
    </message>
    <message>
        <source>Timeline: keys and gestures</source>
        <translation>Zeitleiste: Tasten und Gesten</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>weights ↑</source>
        <translation>Gewichte ↑</translation>
    </message>
    <message>
        <source>activations ↑</source>
        <translation>Aktivierungen ↑</translation>
    </message>
    <message>
        <source>activations ↓</source>
        <translation>Aktivierungen ↓</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>its layers</source>
        <translation>seiner Schichten</translation>
    </message>
    <message>
        <source>waits for the weights of %1</source>
        <translation>wartet auf die Gewichte von %1</translation>
    </message>
    <message>
        <source>waits for a packet of slot %1</source>
        <translation>wartet auf ein Paket von Slot %1</translation>
    </message>
    <message>
        <source>waits for a packet</source>
        <translation>wartet auf ein Paket</translation>
    </message>
    <message>
        <source>waits for the update, after the gradients of slot %1</source>
        <translation>wartet auf die Aktualisierung, nach den Gradienten von Slot %1</translation>
    </message>
    <message>
        <source>waits for room: gradients of slot %1 are on their way</source>
        <translation>wartet auf Platz: Gradienten von Slot %1 sind unterwegs</translation>
    </message>
    <message>
        <source>nothing was issued by the host</source>
        <translation>vom Host wurde nichts ausgegeben</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>microbatch %1</source>
        <translation>Mikrobatch %1</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Slot</source>
        <translation>Slot</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Microbatch</source>
        <translation>Mikrobatch</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>Bewegt</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>Rate</translation>
    </message>
    <message>
        <source>Longest of %1 slices here; zoom in to tell them apart.</source>
        <translation>Der längste von %1 Abschnitten hier; vergrößern trennt sie.</translation>
    </message>
    <message>
        <source>Ctrl+wheel, wheel on the ruler, W, S</source>
        <translation>Strg+Mausrad, Mausrad auf dem Lineal, W, S</translation>
    </message>
    <message>
        <source>zoom at the cursor; faster the faster it turns</source>
        <translation>am Zeiger vergrößern; schneller, je schneller es dreht</translation>
    </message>
    <message>
        <source>Wheel, Alt+wheel</source>
        <translation>Mausrad, Alt+Mausrad</translation>
    </message>
    <message>
        <source>Drag</source>
        <translation>Ziehen</translation>
    </message>
    <message>
        <source>P</source>
        <translation>P</translation>
    </message>
    <message>
        <source>show or hide the steps as they were planned</source>
        <translation>die Schritte, wie sie geplant waren, zeigen oder verbergen</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
    <message>
        <source>the run is paused</source>
        <translation>der Lauf ist pausiert</translation>
    </message>
    <message>
        <source>gradients, saved ↓</source>
        <translation>Gradienten u. a. ↓</translation>
    </message>
    <message>
        <source>Drag, A, D, ←, →, Shift+wheel</source>
        <translation>Ziehen, A, D, ←, →, Umschalt+Mausrad</translation>
    </message>
    <message>
        <source>Shift+drag, A, D, ←, →, Shift+wheel</source>
        <translation>Umschalt+Ziehen, A, D, ←, →, Umschalt+Mausrad</translation>
    </message>
    <message>
        <source>Double click, Enter</source>
        <translation>Doppelklick, Eingabe</translation>
    </message>
    <message>
        <source>F, F F</source>
        <translation>F, F F</translation>
    </message>
    <message>
        <source>bring it into the middle; once more: zoom to it</source>
        <translation>in die Mitte holen; noch einmal: darauf zoomen</translation>
    </message>
    <message>
        <source>Backspace, Alt+←</source>
        <translation>Rücktaste, Alt+←</translation>
    </message>
    <message>
        <source>↑ and ↓, then Space or T</source>
        <translation>↑ und ↓, dann Leertaste oder T</translation>
    </message>
    <message>
        <source>choose a device; fold its lanes, or keep it on top</source>
        <translation>ein Gerät wählen; seine Spuren einklappen oder es oben behalten</translation>
    </message>
</context>
</TS>
