import type {
  ClockStepped,
  DiskFilled,
  DoorHand,
  HousingMoved,
  KeysPressed,
  LinesSwitched,
  PowerSwitched,
  SupplyChanged,
  Tapped,
} from '@lintel/wire-protocol/simulator/requests';

/** Null when it is done, otherwise why it is not. */
type Outcome = Promise<string | null>;

const send = async (path: string, body: object): Outcome => {
  try {
    const answer = await fetch(`api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.ok) return null;
    const { message } = (await answer.json()) as { message?: string };
    return message ?? `The simulator answered ${answer.status}`;
  } catch {
    return 'The simulator does not answer';
  }
};

/** Everything that hands can do, by the key of the controller or door. */
export const ordersTo = (refused: (why: string) => void) => {
  const order = async (path: string, body: object): Promise<boolean> => {
    const problem = await send(path, body);
    if (problem !== null) refused(problem);
    return problem === null;
  };
  const at = (controller: string, what: string) => `controllers/${controller}/${what}`;
  return {
    keys: (controller: string, body: KeysPressed) => order(at(controller, 'keys'), body),
    tap: (controller: string, body: Tapped) => order(at(controller, 'tap'), body),
    power: (controller: string, body: PowerSwitched) => order(at(controller, 'power'), body),
    supply: (controller: string, body: SupplyChanged) => order(at(controller, 'supply'), body),
    clock: (controller: string, body: ClockStepped) => order(at(controller, 'clock'), body),
    disk: (controller: string, body: DiskFilled) => order(at(controller, 'disk'), body),
    housing: (controller: string, body: HousingMoved) => order(at(controller, 'housing'), body),
    hand: (door: string, does: DoorHand['does']) => order(`doors/${door}/hand`, { does } satisfies DoorHand),
    lines: (body: LinesSwitched) => order('lines', body),
    play: (scenario: string) => order(`scenarios/${scenario}/play`, {}),
  };
};

export type Orders = ReturnType<typeof ordersTo>;
