import { join } from 'node:path';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import { expect, it } from 'vitest';
import { trialGadgets } from './trial-gadgets.ts';

const laptop = loadProfile(join(import.meta.dirname, '../../../hardware-profiles/profiles/laptop-simulator.json'));

const rule = (gadget_id: string, action_id: string) => ({ code: '', gadget_id, action_id }) as never;

const placed = (...rules: readonly never[]) =>
  Object.fromEntries(trialGadgets(laptop, rules).gadgets.map(({ id, key }) => [id, key]));

it('a gadget of the rules is the first of the profile that can do all that is asked of it', () => {
  expect(placed(rule('gad_a', 'on'), rule('gad_b', 'open'), rule('gad_b', 'lock'))).toEqual({
    gad_b: 'door',
    gad_a: 'light',
    gad_blind: 'blind',
  });
});

it('no two of the rules are the same gadget of the profile: the second hangs on another controller', () => {
  expect(placed(rule('gad_a', 'open'), rule('gad_b', 'open'))).toEqual({
    gad_a: 'door',
    gad_light: 'light',
    gad_blind: 'blind',
    gad_b: null,
  });
});

it('says what it has assumed', () => {
  expect(trialGadgets(laptop, [rule('gad_a', 'open'), rule('gad_b', 'raise')]).assumed).toEqual([
    'gad_a is taken for Door',
    'gad_b fits nothing of the profile: it is taken for a gadget of another controller',
  ]);
});
