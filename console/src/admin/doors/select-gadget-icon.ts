import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { doorIcon, lampIcon, switchIcon } from '../../design/icons.ts';

/** Actions of gadgets that let people through. */
const doorActions: ReadonlySet<string> = new Set(['open', 'unlock', 'lock', 'hold', 'close']);

const LAMP = /light|lamp|licht|leuchte|luz|lámpara/i;

/** A door, a lamp, or something else that is switched. The API has no kinds: actions and names tell them apart. */
export const selectGadgetIcon = ({ name, actions }: Pick<GadgetResponse, 'name' | 'actions'>): string => {
  if (actions.length === 0 || actions.some(({ id }) => doorActions.has(id))) return doorIcon;
  return LAMP.test(name) ? lampIcon : switchIcon;
};
