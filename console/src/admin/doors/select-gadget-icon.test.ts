import { describe, expect, it } from 'vitest';
import { doorIcon, lampIcon, switchIcon } from '../../design/icons.ts';
import { selectGadgetIcon } from './select-gadget-icon.ts';

const iconOf = (name: string, ...actions: readonly string[]): string =>
  selectGadgetIcon({ name, actions: actions.map(id => ({ id, name: id })) });

describe('selectGadgetIcon', () => {
  it('distinguishes doors, lamps and other gadgets', () => {
    expect(iconOf('Lighthouse', 'open')).toBe(doorIcon);
    expect(iconOf('Annex light', 'on', 'off')).toBe(lampIcon);
    expect(iconOf('Pump', 'on', 'off')).toBe(switchIcon);
  });
});
