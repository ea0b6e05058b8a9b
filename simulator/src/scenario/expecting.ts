import type { ScenarioWorld } from './scenario-world.ts';
import type { Expectation, ExpectationOf } from './step-schema.ts';

/** What has happened at the doors since the last act. */
export interface Moment {
  readonly world: ScenarioWorld;
  readonly since: ReadonlyMap<string, number>;
}

export interface Expecting<T> {
  readonly words: (given: T) => string;
  /** Null when it is so, otherwise what is seen instead. */
  readonly look: (moment: Moment, given: T) => Promise<string | null> | string | null;
  /** It may take a moment of real time until it is so, where something goes over the network. */
  readonly isAwaited?: boolean;
}

export type Expectings<K extends keyof Expectation> = { readonly [P in K]: Expecting<ExpectationOf<P>> };
