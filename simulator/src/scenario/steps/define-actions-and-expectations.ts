import * as z from 'zod';
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

export const formatScenarioStepSentence = (
  { sentence }: ScenarioActionDefinition | ScenarioExpectationDefinition,
  given: unknown,
): string =>
  typeof sentence === 'function'
    ? sentence(given)
    : sentence.replaceAll(/\{(\w*)\}/g, (_, field: string) =>
        String(field === '' ? given : (given as Record<string, unknown>)[field]),
      );

type Kinds = Readonly<Record<string, { readonly schema: z.ZodType }>>;

/** An object with exactly one of these keys. */
export const exactlyOneKeySchema = <K extends Kinds>(kinds: K) => {
  const optional = Object.fromEntries(Object.entries(kinds).map(([key, { schema }]) => [key, z.optional(schema)]));
  return z
    .strictObject(optional as unknown as { [P in keyof K]: z.ZodOptional<K[P]['schema']> })
    .check(({ value, issues }) => {
      const given = Object.values(value).filter(field => field !== undefined).length;
      if (given === 1) return;
      const message = `must be one of ${Object.keys(kinds).join(', ')}`;
      issues.push({ code: 'custom', input: value, path: [], message });
    });
};

/** The entry of `kinds` for the only key of an object that `exactlyOneKeySchema` has parsed, and its value. */
export const findEntryForOnlyKey = <T>(
  kinds: Readonly<Record<string, T>>,
  value: object,
): readonly [kind: T, given: unknown] => {
  const [name, given] = Object.entries(value).find(([, field]) => field !== undefined)!;
  return [kinds[name]!, given];
};
