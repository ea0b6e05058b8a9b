import { join } from 'node:path';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import { describe, expect, it } from 'vitest';
import { trialGadgets } from './trial-gadgets.ts';

const laptop = loadProfile(join(import.meta.dirname, '../../../hardware-profiles/profiles/laptop-simulator.json'));

const rule = (gadget_id: string, action_id: string) => ({ code: '', gadget_id, action_id }) as never;

const placed = (...rules: readonly never[]) =>
  Object.fromEntries(trialGadgets(laptop, rules).gadgets.map(({ id, key }) => [id, key]));

describe('trial gadgets', () => {
  it('map a gadget of the rules to the first of the profile that supports its actions', () => {
    expect(placed(rule('gad_a', 'on'), rule('gad_b', 'open'), rule('gad_b', 'lock'))).toEqual({
      gad_b: 'door',
      gad_a: 'light',
      gad_blind: 'blind',
    });
  });

  it('never map two gadgets to one: the second belongs to another controller', () => {
    expect(placed(rule('gad_a', 'open'), rule('gad_b', 'open'))).toEqual({
      gad_a: 'door',
      gad_light: 'light',
      gad_blind: 'blind',
      gad_b: null,
    });
  });

  it('list their assumptions', () => {
    expect(trialGadgets(laptop, [rule('gad_a', 'open'), rule('gad_b', 'raise')]).assumed).toEqual([
      'gad_a is taken for Door',
      'gad_b fits nothing of the profile: it is taken for a gadget of another controller',
    ]);
  });
});
