import type { ScenarioRun, ScenarioStep, ScenarioSummary } from '@lintel/wire-protocol/simulator/scenario-run';
import { useState } from 'preact/hooks';
import { Press } from '../../design/controls.tsx';
import { Icon } from '../../design/icon.tsx';
import * as shapes from '../../design/shapes.ts';
import { useHands } from '../live/hands.ts';

const outcomeWords: Readonly<Record<ScenarioStep['outcome'], string>> = {
  waiting: 'not yet',
  running: 'now',
  passed: 'passed',
  failed: 'failed',
};

const Step = ({ step: { words, outcome, seen } }: { readonly step: ScenarioStep }) => (
  <li class="step" data-outcome={outcome}>
    <span class="tick">
      {outcome === 'passed' ? (
        <Icon shape={shapes.check} />
      ) : outcome === 'failed' ? (
        <Icon shape={shapes.cross} />
      ) : null}
      <span class="unseen">{outcomeWords[outcome]}: </span>
    </span>
    <span>
      {words}
      {seen === null ? null : <span class="seen">Seen instead: {seen}</span>}
    </span>
  </li>
);

const runWords = (run: ScenarioRun): string => {
  const done = run.steps.filter(({ outcome }) => outcome === 'passed').length;
  switch (run.outcome) {
    case 'running':
      return run.steps.length === 0 ? 'Getting ready' : `Playing: ${done} of ${run.steps.length} steps`;
    case 'passed':
      return `Passed: ${done} ${done === 1 ? 'step' : 'steps'}`;
    case 'failed':
      return run.problem ?? 'Failed';
  }
};

interface PlayedProps {
  readonly scenario: ScenarioSummary;
  readonly run: ScenarioRun | undefined;
}

const Played = ({ scenario, run }: PlayedProps) => (
  // It scrolls where there is room for two columns, and then by the keyboard too.
  <div class="played" role="region" aria-label={`Steps of ${scenario.title}`} tabIndex={0}>
    <h3>{scenario.title}</h3>
    <p class="about">{scenario.about}</p>
    <p class="outcome" role="status" data-outcome={run?.outcome}>
      {run === undefined ? 'Not played yet.' : runWords(run)}
    </p>
    <ol class="steps">
      {run?.steps.map((step, place) => (
        <Step key={place} step={step} />
      ))}
    </ol>
  </div>
);

interface ScenariosProps {
  readonly scenarios: readonly ScenarioSummary[];
  readonly runs: readonly ScenarioRun[];
}

/** Stories with their expectations, played on a copy of the system with a clock of its own. */
export const Scenarios = ({ scenarios, runs }: ScenariosProps) => {
  const { orders } = useHands();
  const [chosen, choose] = useState<string | null>(null);
  const shownName = chosen ?? runs.at(-1)?.name ?? scenarios[0]?.name;
  const shown = scenarios.find(({ name }) => name === shownName);
  const lastRun = (name: string | undefined) => runs.findLast(run => run.name === name);
  const isPlaying = runs.some(({ outcome }) => outcome === 'running');
  const play = (name: string) => () => {
    choose(name);
    void orders.play(name);
  };
  return (
    <section class="scenarios card" aria-label="Scenarios">
      <header>
        <h2>Scenarios</h2>
        <p>Whole nights in a moment, on the same software with a clock of its own.</p>
      </header>
      <div class="scenario-columns">
        <ul class="scenario-list">
          {scenarios.length === 0 ? <li>There is no scenario file.</li> : null}
          {scenarios.map(({ name, title }) => (
            <li key={name} data-outcome={lastRun(name)?.outcome} data-is-shown={name === shownName ? '' : undefined}>
              <Press look="plain" icon={shapes.play} label={`Play: ${title}`} isOff={isPlaying} press={play(name)} />
              <button type="button" class="title" onClick={() => choose(name)}>
                {title}
              </button>
            </li>
          ))}
        </ul>
        {shown === undefined ? null : <Played scenario={shown} run={lastRun(shownName)} />}
      </div>
    </section>
  );
};
