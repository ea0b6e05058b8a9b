interface Door {
  readonly id: string;
  readonly device_id: string;
  readonly actions: readonly { readonly id: string }[];
}

interface Device {
  readonly id: string;
  readonly capabilities: { readonly pin: boolean };
  readonly input_rules: readonly Rule[];
}

interface Rule {
  readonly code: string;
  readonly gadget_id: string;
  readonly action_id: string;
}

interface Access {
  readonly gadget_id: string;
  readonly action_id: string;
  readonly grants: readonly { readonly access_methods: readonly string[] }[];
}

interface PinEntry<D> {
  readonly door: D;
  /** Typed before the PIN; empty if the PIN alone opens the door. */
  readonly code: string;
}

/** Without rules, a keypad performs the first action of its first gadget. `doors` are in the order of their creation. */
const rulesOf = ({ id, capabilities, input_rules }: Device, doors: readonly Door[]): readonly Rule[] => {
  if (!capabilities.pin) return [];
  if (input_rules.length > 0) return input_rules;
  const first = doors.find(({ device_id }) => device_id === id);
  const action = first?.actions[0];
  return first === undefined || action === undefined ? [] : [{ code: '', gadget_id: first.id, action_id: action.id }];
};

/** How to enter a PIN at each door that it may open. Doors without a keypad are left out. */
export const listPinEntries = <D extends Door>(
  access: readonly Access[],
  doors: readonly D[],
  devices: readonly Device[],
): readonly PinEntry<D>[] => {
  const rules = devices.flatMap(device => rulesOf(device, doors));
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
