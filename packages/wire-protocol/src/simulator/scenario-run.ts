export interface ScenarioSummary {
  readonly name: string;
  readonly title: string;
  /** A short description. */
  readonly about: string;
}

export interface ScenarioStepProgress {
  readonly words: string;
  readonly outcome: 'waiting' | 'running' | 'passed' | 'failed';
  /** Of a failed step: the actual result. */
  readonly seen: string | null;
}

export interface ScenarioRun {
  readonly id: string;
  readonly name: string;
  readonly outcome: 'running' | 'passed' | 'failed';
  readonly steps: readonly ScenarioStepProgress[];
  /** Why the run could not start. */
  readonly problem: string | null;
}
