import type {
  SimulatorSetClockOffsetRequest,
  SimulatorSetDiskFullRequest,
  SimulatorOpenWithPhoneRequest,
  SimulatorOperateDoorByHandRequest,
  SimulatorSetHousingRequest,
  SimulatorVirtualActionRequest,
  SimulatorPressKeysRequest,
  SimulatorVirtualSignalRequest,
  SimulatorSetLinkModesRequest,
  SimulatorSetPowerRequest,
  SimulatorSetSupplyRequest,
  SimulatorTapRequest,
} from '@lintel/wire-protocol/simulator/simulator-api-requests';

/** Returns null, or an error message. */
const post = async (path: string, body: object): Promise<string | null> => {
  try {
    const response = await fetch(`api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.ok) return null;
    const { message } = (await response.json()) as { message?: string };
    return message ?? `The simulator returned HTTP ${response.status}. Try again.`;
  } catch {
    return 'The simulator does not respond. Check that it is running.';
  }
};

/** The commands resolve to false after an error, which is passed to `onError`. */
export const createSimulatorCommands = (onError: (message: string) => void) => {
  const send = async (path: string, body: object): Promise<boolean> => {
    const error = await post(path, body);
    if (error !== null) onError(error);
    return error === null;
  };
  const at = (controller: string, command: string) => `controllers/${controller}/${command}`;
  return {
    keys: (controller: string, body: SimulatorPressKeysRequest) => send(at(controller, 'keys'), body),
    tap: (controller: string, body: SimulatorTapRequest) => send(at(controller, 'tap'), body),
    power: (controller: string, body: SimulatorSetPowerRequest) => send(at(controller, 'power'), body),
    supply: (controller: string, body: SimulatorSetSupplyRequest) => send(at(controller, 'supply'), body),
    clock: (controller: string, body: SimulatorSetClockOffsetRequest) => send(at(controller, 'clock'), body),
    disk: (controller: string, body: SimulatorSetDiskFullRequest) => send(at(controller, 'disk'), body),
    housing: (controller: string, body: SimulatorSetHousingRequest) => send(at(controller, 'housing'), body),
    actOnDoor: (door: string, does: SimulatorOperateDoorByHandRequest['does']) =>
      send(`doors/${door}/hand`, { does } satisfies SimulatorOperateDoorByHandRequest),
    openWithPhone: (door: string, body: SimulatorOpenWithPhoneRequest) => send(`doors/${door}/phone`, body),
    performVirtualAction: (device: string, body: SimulatorVirtualActionRequest) =>
      send(`virtual_devices/${device}/action`, body),
    sendVirtualSignal: (device: string, body: SimulatorVirtualSignalRequest) =>
      send(`virtual_devices/${device}/signal`, body),
    links: (body: SimulatorSetLinkModesRequest) => send('lines', body),
    runScenario: (scenario: string) => send(`scenarios/${scenario}/play`, {}),
  };
};

export type SimulatorCommands = ReturnType<typeof createSimulatorCommands>;
