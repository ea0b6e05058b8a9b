import type { ScenarioWorld } from './scenario-world.ts';
import type { Act, ActOf } from './step-schema.ts';

/** How an act is said, and how it is done. */
export interface Doing<T> {
  readonly words: (given: T) => string;
  readonly run: (world: ScenarioWorld, given: T) => Promise<void> | void;
}

export type Doings<K extends keyof Act> = { readonly [P in K]: Doing<ActOf<P>> };
