import { isMissingAtLeastOneOf, isMissingOneOf, isOneTooMany } from '@lintel/access-core/problem-texts';
import type * as z from 'zod';
import { createFieldsCheck } from '../schema-parts/fields-check.ts';

type Fields = Readonly<Record<string, unknown>>;

const given = (value: Fields, names: readonly string[]): string[] => names.filter(name => value[name] !== undefined);

const refuse = (payload: z.core.ParsePayload<Fields>, field: string, message: string): void => {
  payload.issues.push({
    code: 'custom',
    input: payload.value,
    path: [field],
    message,
    params: { code: 'field_choice' },
  });
};

/** The number of fields counts, so a field counts even if its value has a problem of its own. */
const createChoiceCheck = (check: (payload: z.core.ParsePayload<Fields>) => void): z.core.$ZodCheck<Fields> =>
  createFieldsCheck<Fields>([], check);

export const createExactlyOneFieldCheck = (...names: readonly [string, ...string[]]): z.core.$ZodCheck<Fields> =>
  createChoiceCheck(payload => {
    const found = given(payload.value, names);
    if (found.length === 0) refuse(payload, names[0], isMissingOneOf(names));
    else if (found.length > 1) refuse(payload, found[1]!, isOneTooMany(names));
  });

/** The same in JSON Schema, for the documentation. */
export const describeExactlyOneField = (...names: readonly [string, ...string[]]): { readonly oneOf: object[] } => ({
  oneOf: names.map(name => ({ required: [name] })),
});

export const createAtLeastOneFieldCheck = (...names: readonly [string, ...string[]]): z.core.$ZodCheck<Fields> =>
  createChoiceCheck(payload => {
    if (given(payload.value, names).length === 0) refuse(payload, names[0], isMissingAtLeastOneOf(names));
  });
