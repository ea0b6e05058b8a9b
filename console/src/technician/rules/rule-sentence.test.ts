import { describe, expect, it } from 'vitest';
import { namesOf } from '../frame/names.ts';
import { ruleSentence } from './rule-sentence.ts';

const names = namesOf([
  {
    gadget_id: 'gad_1',
    name: 'Garage',
    actions: [
      { id: 'open', name: 'Open' },
      { id: 'vent', name: 'Vent' },
    ],
  },
]);
const rule = { key: 1, code: '1', gadget_id: 'gad_1', action_id: 'open' };

describe('ruleSentence', () => {
  it('describes a rule in a sentence', () => {
    expect(ruleSentence(rule, names)).toBe('Typing 1 and then a PIN or a card opens Garage');
    expect(ruleSentence({ ...rule, code: '' }, names)).toBe('A PIN or a card alone opens Garage');
    expect(ruleSentence({ ...rule, action_id: 'vent' }, names)).toContain('does “Vent” at Garage');
    expect(ruleSentence({ ...rule, gadget_id: 'gad_9' }, names)).toContain('a gadget that is not known here');
    expect(ruleSentence({ ...rule, gadget_id: '', action_id: '' }, names)).toContain('leads nowhere yet');
  });
});
