import * as z from 'zod';
import type { ScenarioWorld } from '../scenario-world.ts';

/** A sentence with the fields of the step in braces: `{who} taps the phone at {at}`; `{}` is a value without fields. */
type Words<S extends z.ZodType> = string | ((given: z.output<S>) => string);

/** What people, faults and the booking system do: how it is written, described and carried out. */
export interface Act<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  readonly words: Words<S>;
  readonly run: (world: ScenarioWorld, given: z.output<S>) => unknown;
}

export const act = <S extends z.ZodType>(schema: S, words: Words<S>, run: Act<S>['run']): Act<S> => ({
  schema,
  words,
  run,
});

/** What has happened at the doors since the last act. */
export interface Moment {
  readonly world: ScenarioWorld;
  readonly since: ReadonlyMap<string, number>;
}

export interface Expectation<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  readonly words: Words<S>;
  /** Null when the expectation is met, otherwise what is seen instead. */
  readonly look: (moment: Moment, given: z.output<S>) => Promise<string | null> | string | null;
  /** Polled for a moment of real time, because something goes over the network. */
  readonly isAwaited: boolean;
}

const expectationOf =
  (isAwaited: boolean) =>
  <S extends z.ZodType>(schema: S, words: Words<S>, look: Expectation<S>['look']): Expectation<S> => ({
    schema,
    words,
    look,
    isAwaited,
  });

export const expectation = expectationOf(false);
export const awaitedExpectation = expectationOf(true);

export const sentenceOf = ({ words }: Act | Expectation, given: unknown): string =>
  typeof words === 'function'
    ? words(given)
    : words.replaceAll(/\{(\w*)\}/g, (_, field: string) =>
        String(field === '' ? given : (given as Record<string, unknown>)[field]),
      );

type Kinds = Readonly<Record<string, { readonly schema: z.ZodType }>>;

/** An object with exactly one of these keys. */
export const oneOf = <K extends Kinds>(kinds: K) => {
  const optional = Object.fromEntries(Object.entries(kinds).map(([key, { schema }]) => [key, z.optional(schema)]));
  return z
    .strictObject(optional as unknown as { [P in keyof K]: z.ZodOptional<K[P]['schema']> })
    .check(({ value, issues }) => {
      const given = Object.values(value).filter(one => one !== undefined).length;
      if (given === 1) return;
      const message = `must be one of ${Object.keys(kinds).join(', ')}`;
      issues.push({ code: 'custom', input: value, path: [], message });
    });
};

/** The kind that an object parsed by `oneOf` has chosen, and its value. */
export const chosen = <T>(kinds: Readonly<Record<string, T>>, value: object): readonly [kind: T, given: unknown] => {
  const [name, given] = Object.entries(value).find(([, one]) => one !== undefined)!;
  return [kinds[name]!, given];
};
