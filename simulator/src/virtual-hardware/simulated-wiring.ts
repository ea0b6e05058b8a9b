import { type DoorConfig, parseDoorConfig } from '@lintel/access-core/door/door-config';
import type { Wiring, DoorWiring, GadgetWiring, StationWiring, SwitchWiring } from '@lintel/drivers/ports/wiring';

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

const door = (place: number, station: string): DoorWiring => ({
  kind: 'door',
  config: doorConfig,
  strike: `strike-${place}`,
  contact: { input: `contact-${place}`, open_when: 'active' },
  exit_button: `exit-${place}`,
  actions: doorActions,
  station,
});

const PULSE_MS = 1_000;

/** `on` and `off` switch, everything else is a push of a button. */
const switched = ({ actions }: WiredGadget, place: number): SwitchWiring => {
  const output = `output-${place}`;
  const wired = actions.map(({ id }): [string, SwitchWiring['actions'][string]] => {
    if (id === 'on' || id === 'off') return [id, { steps: [{ step: id, output }], state_id: id }];
    return [id, { steps: [{ step: 'pulse', output, ms: PULSE_MS }], state_id: null }];
  });
  const resting_state_id = actions.some(({ id }) => id === 'off') ? 'off' : null;
  return { kind: 'switch', outputs: [output], interlocks: [], resting_state_id, actions: Object.fromEntries(wired) };
};

/** What a gadget is shows in its actions; its lines are called by its place. */
export const wireByActions = (gadget: WiredGadget, place: number, station: string): GadgetWiring => {
  const can = (action: string): boolean => gadget.actions.some(({ id }) => id === action);
  if (Object.keys(doorActions).some(can)) return door(place, station);
  if (!can('up') || !can('down')) return switched(gadget, place);
  const config = { up_output: `up-${place}`, down_output: `down-${place}`, travel_ms: 20_000, dead_ms: 500 };
  return { kind: 'blind', config };
};

/** On a laptop everything that the desk can think of is wired: what a gadget is shows in its actions. */
export const simulatedWiring = (parts: Pick<StationWiring, 'keypad' | 'reader'>): Wiring => ({
  stations: [{ id: 'station-0', ...parts, indicator: { green: 'green', red: 'red', buzzer: 'buzzer' } }],
  tamper: 'tamper',
  setup_button: 'setup',
  gadget: (gadget, place) => wireByActions(gadget, place, 'station-0'),
});
