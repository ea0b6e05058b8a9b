import { join } from 'node:path';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import { describe, expect, it } from 'vitest';
import { mapInputRulesToGadgets } from './map-input-rules-to-gadgets.ts';

const laptop = loadProfile(join(import.meta.dirname, '../../../hardware-profiles/profiles/laptop-simulator.json'));

const rule = (gadget_id: string, action_id: string) => ({ code: '', gadget_id, action_id }) as never;

const keysById = (...rules: readonly never[]) =>
  Object.fromEntries(mapInputRulesToGadgets(laptop, rules).gadgets.map(({ id, key }) => [id, key]));

describe('mapInputRulesToGadgets', () => {
  it('maps a gadget of the rules to the first gadget of the profile with its actions', () => {
    expect(keysById(rule('gad_a', 'on'), rule('gad_b', 'open'), rule('gad_b', 'lock'))).toEqual({
      gad_b: 'door',
      gad_a: 'light',
      gad_blind: 'blind',
    });
  });

  it('assigns a second gadget with the same actions to another controller', () => {
    expect(keysById(rule('gad_a', 'open'), rule('gad_b', 'open'))).toEqual({
      gad_a: 'door',
      gad_light: 'light',
      gad_blind: 'blind',
      gad_b: null,
    });
  });

  it('lists the assumptions', () => {
    expect(mapInputRulesToGadgets(laptop, [rule('gad_a', 'open'), rule('gad_b', 'raise')]).assumptions).toEqual([
      'gad_a is mapped to Door',
      'gad_b matches no gadget of the profile and is treated as a gadget of another controller',
    ]);
  });
});
