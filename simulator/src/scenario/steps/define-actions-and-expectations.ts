import type * as z from 'zod';
import type { ScenarioWorld } from '../scenario-world.ts';

/** A template with fields in braces, such as `{who} taps the phone at {at}`. `{}` stands for a value without fields. */
type Sentence<S extends z.ZodType> = string | ((given: z.output<S>) => string);

/** An action of a person, a fault or the booking system. */
export interface ScenarioActionDefinition<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  readonly sentence: Sentence<S>;
  readonly run: (world: ScenarioWorld, given: z.output<S>) => unknown;
}

export const defineScenarioAction = <S extends z.ZodType>(
  schema: S,
  sentence: Sentence<S>,
  run: ScenarioActionDefinition<S>['run'],
): ScenarioActionDefinition<S> => ({
  schema,
  sentence,
  run,
});

export interface ScenarioExpectationContext {
  readonly world: ScenarioWorld;
  /** Number of events of each controller before the last action. */
  readonly since: ReadonlyMap<string, number>;
}

export interface ScenarioExpectationDefinition<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  readonly sentence: Sentence<S>;
  /** Null when the expectation is met, otherwise the actual state. */
  readonly check: (context: ScenarioExpectationContext, given: z.output<S>) => Promise<string | null> | string | null;
  /** Polled in real time, because the result arrives over the network. */
  readonly isAwaited: boolean;
}

const expectationOf =
  (isAwaited: boolean) =>
  <S extends z.ZodType>(
    schema: S,
    sentence: Sentence<S>,
    check: ScenarioExpectationDefinition<S>['check'],
  ): ScenarioExpectationDefinition<S> => ({
    schema,
    sentence,
    check,
    isAwaited,
  });

export const defineScenarioExpectation = expectationOf(false);
export const defineAwaitedScenarioExpectation = expectationOf(true);
