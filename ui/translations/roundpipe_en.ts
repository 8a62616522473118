<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AnswerWords</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message numerus="yes">
        <source>%Ln row(s) leak into validation</source>
        <translation>
            <numerusform>%Ln row leaks into validation</numerusform>
            <numerusform>%Ln rows leak into validation</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) nearly leak into validation</source>
        <translation>
            <numerusform>%Ln row nearly leaks into validation</numerusform>
            <numerusform>%Ln rows nearly leak into validation</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) leak into validation across datasets</source>
        <translation>
            <numerusform>%Ln row leaks into validation across datasets</numerusform>
            <numerusform>%Ln rows leak into validation across datasets</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln repeated row(s)</source>
        <translation>
            <numerusform>%Ln repeated row</numerusform>
            <numerusform>%Ln repeated rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln nearly repeated row(s)</source>
        <translation>
            <numerusform>%Ln nearly repeated row</numerusform>
            <numerusform>%Ln nearly repeated rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) repeated across datasets</source>
        <translation>
            <numerusform>%Ln row repeated across datasets</numerusform>
            <numerusform>%Ln rows repeated across datasets</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) without an end</source>
        <translation>
            <numerusform>%Ln row without an end</numerusform>
            <numerusform>%Ln rows without an end</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) with an empty turn</source>
        <translation>
            <numerusform>%Ln row with an empty turn</numerusform>
            <numerusform>%Ln rows with an empty turn</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln one-sided row(s)</source>
        <translation>
            <numerusform>%Ln one-sided row</numerusform>
            <numerusform>%Ln one-sided rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln unanswered row(s)</source>
        <translation>
            <numerusform>%Ln unanswered row</numerusform>
            <numerusform>%Ln unanswered rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) with two BOS</source>
        <translation>
            <numerusform>%Ln row with two BOS</numerusform>
            <numerusform>%Ln rows with two BOS</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) without BOS</source>
        <translation>
            <numerusform>%Ln row without BOS</numerusform>
            <numerusform>%Ln rows without BOS</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) spell out a token</source>
        <translation>
            <numerusform>%Ln row spells out a token</numerusform>
            <numerusform>%Ln rows spell out a token</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln dropped row(s): %1</source>
        <translation>
            <numerusform>%Ln dropped row: %1</numerusform>
            <numerusform>%Ln dropped rows: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) left out</source>
        <translation>
            <numerusform>%Ln row left out</numerusform>
            <numerusform>%Ln rows left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln column(s) not read</source>
        <translation>
            <numerusform>%Ln column not read</numerusform>
            <numerusform>%Ln columns not read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) split</source>
        <translation>
            <numerusform>%Ln row split</numerusform>
            <numerusform>%Ln rows split</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Not used in %Ln row(s)</source>
        <translation>
            <numerusform>Not used in %Ln row</numerusform>
            <numerusform>Not used in %Ln rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) not used</source>
        <translation>
            <numerusform>%Ln file not used</numerusform>
            <numerusform>%Ln files not used</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ForeignRunDialog</name>
    <message numerus="yes">
        <source>The run was opened as a new project. %n of its settings has no counterpart here; the others stand on the page Settings.</source>
        <translation>
            <numerusform>The run was opened as a new project. %n of its settings has no counterpart here; the others stand on the page Settings.</numerusform>
            <numerusform>The run was opened as a new project. %n of its settings have no counterpart here; the others stand on the page Settings.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MachineText</name>
    <message numerus="yes">
        <source>%n processor thread(s)</source>
        <translation>
            <numerusform>%n processor thread</numerusform>
            <numerusform>%n processor threads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlanText</name>
    <message numerus="yes">
        <source>Microbatches of %n sequence(s)</source>
        <translation>
            <numerusform>Microbatches of %n sequence</numerusform>
            <numerusform>Microbatches of %n sequences</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Microbatches of at most %n token(s), more of them</source>
        <translation>
            <numerusform>Microbatches of at most %n token, more of them</numerusform>
            <numerusform>Microbatches of at most %n tokens, more of them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Sequences of at most %n token(s)</source>
        <translation>
            <numerusform>Sequences of at most %n token</numerusform>
            <numerusform>Sequences of at most %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stage(s) bound to their devices</source>
        <translation>
            <numerusform>%n stage bound to its device</numerusform>
            <numerusform>%n stages bound to their devices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n copies of the model, each with its part of the microbatches</source>
        <translation>
            <numerusform>%n copy of the model with all microbatches</numerusform>
            <numerusform>%n copies of the model, each with its part of the microbatches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, in %n round(s)</source>
        <translation>
            <numerusform>%1, in %n round</numerusform>
            <numerusform>%1, in %n rounds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; of %n layer(s) all but gate and up is saved</source>
        <translation>
            <numerusform>; of %n layer all but gate and up is saved</numerusform>
            <numerusform>; of %n layers all but gate and up is saved</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; of %n layer(s) all but gate and up is saved in host memory</source>
        <translation>
            <numerusform>; of %n layer all but gate and up is saved in host memory</numerusform>
            <numerusform>; of %n layers all but gate and up is saved in host memory</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; of %n layer(s) all is saved in host memory</source>
        <translation>
            <numerusform>; of %n layer all is saved in host memory</numerusform>
            <numerusform>; of %n layers all is saved in host memory</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; of %n layer(s) the input alone is saved</source>
        <translation>
            <numerusform>; of %n layer the input alone is saved</numerusform>
            <numerusform>; of %n layers the input alone is saved</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; of %n layer(s) the input alone is saved in host memory</source>
        <translation>
            <numerusform>; of %n layer the input alone is saved in host memory</numerusform>
            <numerusform>; of %n layers the input alone is saved in host memory</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n forward stage(s)</source>
        <translation>
            <numerusform>%n forward stage</numerusform>
            <numerusform>%n forward stages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>a fused stage of %n layer(s)</source>
        <translation>
            <numerusform>a fused stage of %n layer</numerusform>
            <numerusform>a fused stage of %n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n backward stage(s)</source>
        <translation>
            <numerusform>%n backward stage</numerusform>
            <numerusform>%n backward stages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <comment>dative</comment>
        <translation>
            <numerusform>%n device</numerusform>
            <numerusform>%n devices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n CPU worker(s)</source>
        <translation>
            <numerusform>%n CPU worker</numerusform>
            <numerusform>%n CPU workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n replica(s), each of %1</source>
        <translation>
            <numerusform>%n replica of %1</numerusform>
            <numerusform>%n replicas, each of %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Rounds of %n microbatch(es), more of them</source>
        <translation>
            <numerusform>Rounds of %n microbatch, more of them</numerusform>
            <numerusform>Rounds of %n microbatches, more of them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Steps of %n token(s)</source>
        <translation>
            <numerusform>Steps of %n token</numerusform>
            <numerusform>Steps of %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chosen microbatch(es)</source>
        <translation>
            <numerusform>%n chosen microbatch</numerusform>
            <numerusform>%n chosen microbatches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n microbatch(es)</source>
        <translation>
            <numerusform>%n microbatch</numerusform>
            <numerusform>%n microbatches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 in %n round(s)</source>
        <comment>microbatches</comment>
        <translation>
            <numerusform>%1 in %n round</numerusform>
            <numerusform>%1 in %n rounds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QueueLine</name>
    <message numerus="yes">
        <source>%n wait(s)</source>
        <translation>
            <numerusform>%n waits</numerusform>
            <numerusform>%n wait</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::help::HelpWindow</name>
    <message numerus="yes">
        <source>%n place(s) found</source>
        <translation>
            <numerusform>%n place found</numerusform>
            <numerusform>%n places found</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>And %n other(s): more letters find less.</source>
        <translation>
            <numerusform>And %n other: more letters find less.</numerusform>
            <numerusform>And %n others: more letters find less.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ColumnsPanel</name>
    <message numerus="yes">
        <source>The project reads the whole folder, %n file(s). Without this one it names the others one by one, and files that come into the folder later are not read. Nothing is deleted on the disk.</source>
        <translation>
            <numerusform>The project reads the whole folder, %n file. Without it nothing is left of the folder, and files that come into it later are not read. Nothing is deleted on the disk.</numerusform>
            <numerusform>The project reads the whole folder, %n files. Without this one it names the others one by one, and files that come into the folder later are not read. Nothing is deleted on the disk.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::DatasetsPanel</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::GridDialog</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::InterruptedOffer</name>
    <message numerus="yes">
        <source>%n other run(s) were interrupted, too.</source>
        <translation>
            <numerusform>%n other run was interrupted, too.</numerusform>
            <numerusform>%n other runs were interrupted, too.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::PlanPage</name>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::QueuePage</name>
    <message numerus="yes">
        <source>%n wait(s)</source>
        <translation>
            <numerusform>%n waits</numerusform>
            <numerusform>%n wait</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) wait</source>
        <translation>
            <numerusform>%n run waits</numerusform>
            <numerusform>%n runs wait</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) taken out of the queue.</source>
        <translation>
            <numerusform>%n run taken out of the queue.</numerusform>
            <numerusform>%n runs taken out of the queue.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) added to the queue.</source>
        <translation>
            <numerusform>%n run added to the queue.</numerusform>
            <numerusform>%n runs added to the queue.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::ResultsPage</name>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n device</numerusform>
            <numerusform>%n devices</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RowsCard</name>
    <message numerus="yes">
        <source>“%1”: %n row(s) so far, %2 %</source>
        <translation>
            <numerusform>“%1”: %n row so far, %2 %</numerusform>
            <numerusform>“%1”: %n rows so far, %2 %</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“%1”: the first %n row(s)</source>
        <translation>
            <numerusform>“%1”: the first %n row</numerusform>
            <numerusform>“%1”: the first %n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“%1”: %n row(s)</source>
        <translation>
            <numerusform>“%1”: %n row</numerusform>
            <numerusform>“%1”: %n rows</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::RunsPage</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) of all projects</source>
        <translation>
            <numerusform>%n run of all projects</numerusform>
            <numerusform>%n runs of all projects</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n run(s) with results and checkpoints?</source>
        <translation>
            <numerusform>Delete %n run with results and checkpoints?</numerusform>
            <numerusform>Delete %n runs with results and checkpoints?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::SettingEffects</name>
    <message numerus="yes">
        <source>%n step(s) in all, %1</source>
        <translation>
            <numerusform>%n step in all, %1</numerusform>
            <numerusform>%n steps in all, %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 on the fullest device, where the weights of %n layer(s) stay instead of %2</source>
        <translation>
            <numerusform>%1 on the fullest device, where the weights of %n layer stay instead of %2</numerusform>
            <numerusform>%1 on the fullest device, where the weights of %n layers stay instead of %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::SettingsPage</name>
    <message numerus="yes">
        <source>%n changed</source>
        <translation>
            <numerusform>%n changed</numerusform>
            <numerusform>%n changed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::pages::TokensPanel</name>
    <message numerus="yes">
        <source>%Ln token(s), marks of the template included</source>
        <translation>
            <numerusform>%Ln token, marks of the template included</numerusform>
            <numerusform>%Ln tokens, marks of the template included</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln of them had been read before</source>
        <translation>
            <numerusform>%Ln of them had been read before</numerusform>
            <numerusform>%Ln of them had been read before</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s), by the model&apos;s own probability</source>
        <translation>
            <numerusform>%Ln token, by the model&apos;s own probability</numerusform>
            <numerusform>%Ln tokens, by the model&apos;s own probability</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roundpipe::ui::timeline::PinPanel</name>
    <message numerus="yes">
        <source>%n stage(s)</source>
        <comment>it goes through them</comment>
        <translation>
            <numerusform>%n stage</numerusform>
            <numerusform>%n stages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <comment>behind: on</comment>
        <translation>
            <numerusform>%n device</numerusform>
            <numerusform>%n devices</numerusform>
        </translation>
    </message>
</context>
</TS>
