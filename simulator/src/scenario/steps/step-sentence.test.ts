import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { scenarioActions, scenarioExpectations } from './step-schema.ts';
import { formatScenarioStepSentence } from './step-sentence.ts';

const kinds = Object.entries({ ...scenarioActions, ...scenarioExpectations });

describe('formatScenarioStepSentence', () => {
  it.each(kinds)('uses only fields of the step: %s', (_, { schema, sentence }) => {
    if (typeof sentence === 'function') return;
    const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [''];
    const named = Array.from(sentence.matchAll(/\{(\w*)\}/g), ([, field]) => field);
    expect(named.filter(field => !fields.includes(field!))).toEqual([]);
  });

  it('puts the fields of a step into its sentence', () => {
    expect(formatScenarioStepSentence(scenarioActions.create_pin as never, { who: 'Ann', pin: '2580' })).toBe(
      'The booking system creates PIN 2580 for Ann',
    );
    expect(formatScenarioStepSentence(scenarioActions.force as never, 'front door')).toBe('front door is forced open');
  });
});
