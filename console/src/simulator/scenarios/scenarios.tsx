import type { ScenarioRun, ScenarioStepProgress, ScenarioSummary } from '@lintel/wire-protocol/simulator/scenario-run';
import { useState } from 'preact/hooks';
import { Icon } from '../../design/icon.tsx';
import * as icons from '../../design/icons.ts';
import { useSimulatorControls } from '../api/simulator-controls-context.ts';

const outcomeText: Readonly<Record<ScenarioStepProgress['outcome'], string>> = {
  waiting: 'pending',
  running: 'running',
  passed: 'passed',
  failed: 'failed',
};

const Step = ({ step: { words, outcome, seen } }: { readonly step: ScenarioStepProgress }) => (
  <li class="step" data-outcome={outcome}>
    <span class="tick">
      {outcome === 'passed' ? (
        <Icon shape={icons.checkMarkIcon} />
      ) : outcome === 'failed' ? (
        <Icon shape={icons.crossMarkIcon} />
      ) : null}
      <span class="unseen">{outcomeText[outcome]}: </span>
    </span>
    <span>
      {words}
      {seen === null ? null : <span class="seen">Actual: {seen}</span>}
    </span>
  </li>
);

const runStatus = (run: ScenarioRun): string => {
  const done = run.steps.filter(({ outcome }) => outcome === 'passed').length;
  switch (run.outcome) {
    case 'running':
      return run.steps.length === 0 ? 'Starting' : `Running: ${done} of ${run.steps.length} steps`;
    case 'passed':
      return `Passed: ${done} ${done === 1 ? 'step' : 'steps'}`;
    case 'failed':
      return run.problem ?? 'Failed';
  }
};

const runLabel = (outcome: ScenarioRun['outcome'] | undefined): string => {
  switch (outcome) {
    case 'running':
      return 'running';
    case 'passed':
      return 'passed, run again';
    case 'failed':
      return 'failed, run again';
    default:
      return 'run';
  }
};

interface ScenarioStepsProps {
  readonly scenario: ScenarioSummary;
  readonly run: ScenarioRun | undefined;
}

const ScenarioSteps = ({ scenario, run }: ScenarioStepsProps) => (
  // Focusable, so that it can be scrolled with the keyboard.
  <div class="scenario-steps" role="region" aria-label={`Steps of ${scenario.title}`} tabIndex={0}>
    <h3>{scenario.title}</h3>
    <p class="about">{scenario.about}</p>
    <p class="outcome" role="status" data-outcome={run?.outcome}>
      {run === undefined ? 'Not run yet.' : runStatus(run)}
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

/** Runs scenarios on a copy of the system with its own clock. */
export const ScenariosPanel = ({ scenarios, runs }: ScenariosProps) => {
  const { commands } = useSimulatorControls();
  const [selected, select] = useState<string | null>(null);
  const shownName = selected ?? runs.at(-1)?.name ?? scenarios[0]?.name;
  const shown = scenarios.find(({ name }) => name === shownName);
  const lastRun = (name: string | undefined) => runs.findLast(run => run.name === name);
  const isRunning = runs.some(({ outcome }) => outcome === 'running');
  const run = (name: string): void => {
    select(name);
    void commands.runScenario(name);
  };
  return (
    <section class="scenarios card" aria-label="Scenarios">
      <header>
        <h2>Scenarios</h2>
        <p>A whole night in seconds, on the same software with a simulated clock.</p>
      </header>
      <div class="scenario-columns">
        <ul class="scenario-list">
          {scenarios.length === 0 ? <li>No scenarios found.</li> : null}
          {scenarios.map(({ name, title }) => (
            <li key={name} data-outcome={lastRun(name)?.outcome} data-is-shown={name === shownName ? '' : undefined}>
              <button
                type="button"
                class="run-scenario"
                aria-disabled={isRunning ? 'true' : undefined}
                onClick={() => (isRunning ? select(name) : run(name))}
              >
                <Icon shape={icons.playIcon} />
                <span class="title">{title}</span>
                <span class="run-label">{runLabel(lastRun(name)?.outcome)}</span>
              </button>
            </li>
          ))}
        </ul>
        {shown === undefined ? null : <ScenarioSteps scenario={shown} run={lastRun(shownName)} />}
      </div>
    </section>
  );
};
