import type { BlindAction } from './blind.ts';

/** Actions that unlock or lock a door. */
const doorActions = ['open', 'unlock', 'lock'] as const;
type DoorAction = (typeof doorActions)[number];

export const isDoorAction = (action_id: string): action_id is DoorAction =>
  (doorActions as readonly string[]).includes(action_id);

const blindActions: Readonly<Record<string, BlindAction>> = {
  up: 'up',
  raise: 'up',
  down: 'down',
  lower: 'down',
  stop: 'stop',
};

export const toBlindAction = (action_id: string): BlindAction | null =>
  Object.hasOwn(blindActions, action_id) ? blindActions[action_id]! : null;

/** The kind of a gadget that is defined by its actions alone, without a hardware profile. */
export const inferGadgetKind = (action_ids: readonly string[]): 'door' | 'blind' | 'switch' => {
  if (action_ids.some(isDoorAction)) return 'door';
  const directions = action_ids.map(toBlindAction);
  return directions.includes('up') && directions.includes('down') ? 'blind' : 'switch';
};
