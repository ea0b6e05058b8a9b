import type { ActionAccess } from '@lintel/wire-protocol/admin/effective-access';
import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';

interface PinEntry {
  readonly door: GadgetResponse;
  /** Typed before the PIN; empty if the PIN alone opens the door. */
  readonly code: string;
}

/** How to enter a PIN at each door that it may open. Doors without a keypad are left out. */
export const listPinEntries = (
  access: readonly ActionAccess[],
  doors: readonly GadgetResponse[],
  devices: readonly DeviceResponse[],
): readonly PinEntry[] => {
  const rules = devices.flatMap(({ capabilities, input_rules }) => (capabilities.pin ? input_rules : []));
  return doors.flatMap(door => {
    const allowed = access.filter(
      ({ gadget_id, grants }) =>
        gadget_id === door.id && grants.some(({ access_methods }) => access_methods.includes('pin')),
    );
    const codes = rules
      .filter(rule => rule.gadget_id === door.id && allowed.some(({ action_id }) => action_id === rule.action_id))
      .map(({ code }) => code);
    return [...new Set(codes)].map(code => ({ door, code }));
  });
};
