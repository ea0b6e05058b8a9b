import { type DoorConfig, parseDoorConfig } from '@lintel/access-core/door/door-config';
import { inferGadgetKind } from '@lintel/access-core/gadgets/infer-gadget-kind';
import type { Wiring, DoorWiring, GadgetWiring, ReaderUnitWiring, SwitchWiring } from '@lintel/drivers/interfaces';

type WiredGadget = Parameters<Wiring['gadget']>[0];

const plainDoor = (): DoorConfig => {
  const parsed = parseDoorConfig({
    strike_ms: 5_000,
    contact: true,
    exit_button: true,
    held_open_ms: 30_000,
    pre_alarm_ms: 10_000,
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
};

const doorConfig = plainDoor();

const doorActions = { open: 'open', unlock: 'unlock', lock: 'lock' } as const;

const doorWiring = (index: number, station: string): DoorWiring => ({
  kind: 'door',
  config: doorConfig,
  strike: `strike-${index}`,
  contact: { input: `contact-${index}`, open_when: 'active' },
  exit_button: `exit-${index}`,
  actions: doorActions,
  station,
});

const PULSE_MS = 1_000;

/** `on` and `off` switch the output. Any other action is a pulse. */
const switchWiring = ({ actions }: WiredGadget, index: number): SwitchWiring => {
  const output = `output-${index}`;
  const wired = actions.map(({ id }): [string, SwitchWiring['actions'][string]] => {
    if (id === 'on' || id === 'off') return [id, { steps: [{ step: id, output }], state_id: id }];
    return [id, { steps: [{ step: 'pulse', output, ms: PULSE_MS }], state_id: null }];
  });
  const resting_state_id = actions.some(({ id }) => id === 'off') ? 'off' : null;
  return { kind: 'switch', outputs: [output], interlocks: [], resting_state_id, actions: Object.fromEntries(wired) };
};

/** Derives the wiring of a gadget from its actions. Line names end with its index. */
export const createSimulatedGadgetWiring = (gadget: WiredGadget, index: number, station: string): GadgetWiring => {
  const kind = inferGadgetKind(gadget.actions.map(({ id }) => id));
  if (kind === 'door') return doorWiring(index, station);
  if (kind === 'switch') return switchWiring(gadget, index);
  const config = { up_output: `up-${index}`, down_output: `down-${index}`, travel_ms: 20_000, dead_ms: 500 };
  return { kind: 'blind', config };
};

/** Wiring for any gadget that an administrator creates. */
export const createSimulatedWiring = (parts: Pick<ReaderUnitWiring, 'keypad' | 'reader'>): Wiring => ({
  stations: [{ id: 'station-0', ...parts, indicator: { green: 'green', red: 'red', buzzer: 'buzzer' } }],
  tamper: 'tamper',
  setup_button: 'setup',
  gadget: (gadget, index) => createSimulatedGadgetWiring(gadget, index, 'station-0'),
});
