import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { acts, expectations } from './step-schema.ts';
import { sentenceOf } from './step-kind.ts';

const kinds = Object.entries({ ...acts, ...expectations });

describe('steps of a scenario', () => {
  it.each(kinds)('describes %s with fields that it has', (_, { schema, words }) => {
    if (typeof words === 'function') return;
    const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [''];
    const named = Array.from(words.matchAll(/\{(\w*)\}/g), ([, field]) => field);
    expect(named.filter(field => !fields.includes(field!))).toEqual([]);
  });

  it('puts the fields of a step into its sentence', () => {
    expect(sentenceOf(acts.create_pin as never, { who: 'Ann', pin: '2580' })).toBe('The desk gives Ann the PIN 2580');
    expect(sentenceOf(acts.force as never, 'front door')).toBe('front door is forced open');
  });
});
