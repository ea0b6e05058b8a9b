export interface ScenarioSummary {
  readonly name: string;
  readonly title: string;
  /** What it shows, in a sentence or two. */
  readonly about: string;
}

export interface ScenarioStep {
  readonly words: string;
  readonly outcome: 'waiting' | 'running' | 'passed' | 'failed';
  /** Of a failed step: what was seen instead. */
  readonly seen: string | null;
}

export interface ScenarioRun {
  readonly id: string;
  readonly name: string;
  readonly outcome: 'running' | 'passed' | 'failed';
  readonly steps: readonly ScenarioStep[];
  /** Why it could not be run at all. */
  readonly problem: string | null;
}
