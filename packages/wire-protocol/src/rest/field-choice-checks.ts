import type * as z from 'zod';

type Check = (payload: z.core.ParsePayload<Readonly<Record<string, unknown>>>) => void;

const given = (value: Readonly<Record<string, unknown>>, names: readonly string[]): string[] =>
  names.filter(name => value[name] !== undefined);

const refuse = (
  payload: z.core.ParsePayload<Readonly<Record<string, unknown>>>,
  field: string,
  message: string,
): void => {
  payload.issues.push({
    code: 'custom',
    input: payload.value,
    path: [field],
    message,
    params: { code: 'field_choice' },
  });
};

export const createExactlyOneFieldCheck =
  (...names: readonly [string, ...string[]]): Check =>
  payload => {
    const found = given(payload.value, names);
    if (found.length !== 1) refuse(payload, found[1] ?? names[0], `exactly one of ${names.join(', ')} must be given`);
  };

export const createAtLeastOneFieldCheck =
  (...names: readonly [string, ...string[]]): Check =>
  payload => {
    if (given(payload.value, names).length === 0) {
      refuse(payload, names[0], `at least one of ${names.join(', ')} must be given`);
    }
  };
