import type { WiringRow } from '@lintel/drivers/definition';
import { driverOf, type HardwareBus } from '@lintel/drivers/drivers';
import type { ProfileGadget } from './gadget-schemas.ts';
import { listOutputsInSteps } from './gadget-schemas.ts';
import type { Profile } from './check-profile.ts';

export interface WiringGroup {
  readonly title: string;
  /** The board at which the wires begin. Null for the controller. */
  readonly board: string | null;
  readonly rows: readonly WiringRow[];
}

const outputsOf = (gadget: ProfileGadget): readonly string[] => {
  if (gadget.kind === 'door') return [gadget.strike];
  return gadget.kind === 'blind' ? [gadget.up, gadget.down] : [...listOutputsInSteps(gadget.actions)];
};

/** The purpose of each output and input. */
const purposesOf = ({ gadgets, tamper, setup_button }: Profile): ReadonlyMap<string, string> => {
  const purposes = new Map<string, string>();
  for (const gadget of gadgets) {
    for (const output of outputsOf(gadget)) purposes.set(output, gadget.name);
    if (gadget.kind !== 'door') continue;
    if (gadget.contact !== undefined) purposes.set(gadget.contact.input, `${gadget.name}, contact`);
    if (gadget.exit_button !== undefined) purposes.set(gadget.exit_button, `${gadget.name}, exit`);
  }
  if (tamper !== undefined) purposes.set(tamper, 'tamper');
  if (setup_button !== undefined) purposes.set(setup_button, 'setup code');
  return purposes;
};

const groupsOf = (name: string, bus: HardwareBus): readonly WiringGroup[] => {
  const driver = driverOf(bus);
  const { rows, boards = [] } = driver.wiring(bus, name);
  return [{ title: driver.title, board: null, rows }, ...boards];
};

/** All wires of a profile with their purpose: first from the controller, then from its boards. */
export const buildWiringGroups = (profile: Profile): readonly WiringGroup[] => {
  const purposes = purposesOf(profile);
  const withPurpose = (row: WiringRow): WiringRow => {
    const purpose = purposes.get(row.name);
    return purpose === undefined ? row : { ...row, name: `${row.name}: ${purpose}` };
  };
  const groups = Object.entries(profile.buses)
    .flatMap(([name, bus]) => groupsOf(name, bus))
    .map(group => ({ ...group, rows: group.rows.map(withPurpose) }));
  return [...groups.filter(({ board }) => board === null), ...groups.filter(({ board }) => board !== null)];
};
