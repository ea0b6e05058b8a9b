import { setTimeout as delay } from 'node:timers/promises';
import { openOverBluetooth, type OpeningResult } from '@lintel/member-sdk';
import { toPhoneKey } from '@lintel/drivers/hardware';
import { SimulatedHardwareClient } from './simulated-hardware-client.ts';

/** A phone of the demo at a distance from a door. */
export interface SimulatedPhone {
  readonly organization_id: string;
  readonly memberToken: string;
  readonly bluetoothKey: Uint8Array;
  readonly distance_m: number;
}

/** At one meter, and the decrease for ten times the distance: indoors, with a person in between. */
const RSSI_AT_ONE_METER = -50;
const RSSI_PER_DECADE = 30;
const MTU = 185;
/** A controller requests the Bluetooth key at the first exchange. */
const READY_ATTEMPTS = 20;
const READY_INTERVAL_MS = 250;

/** Log-distance path loss. */
const estimateRssi = (distance_m: number): number =>
  Math.round(RSSI_AT_ONE_METER - RSSI_PER_DECADE * Math.log10(Math.max(distance_m, 0.1)));

const exchange = async (
  dataDir: string,
  { organization_id, memberToken, bluetoothKey, distance_m }: SimulatedPhone,
  gadget_id: string,
): Promise<OpeningResult> => {
  const key = toPhoneKey(memberToken);
  if (key === null) throw new TypeError('Not a member token');
  const rssi = estimateRssi(distance_m);
  const client = await SimulatedHardwareClient.open(dataDir, 'radio.sock');
  try {
    await client.request({ rssi });
    const link = {
      mtu: MTU,
      write: async (fragment: Uint8Array) => {
        const { error } = await client.request({ write: Buffer.from(fragment).toString('hex') });
        if (error !== undefined) throw new Error(error);
      },
      read: async () => Buffer.from((await client.request({ read: true })).value ?? '', 'hex'),
    };
    const credential = {
      organization_id,
      bluetoothKey,
      ...key,
      sign: async (message: Uint8Array) => key.sign(message),
    };
    return await openOverBluetooth(link, [credential], () => ({ gadget_id, action_id: 'open', rssi }));
  } finally {
    client.close();
  }
};

/** Opens a door over the simulated radio of its controller. */
export const openDoorWithPhone = async (
  dataDir: string,
  phone: SimulatedPhone,
  gadgetId: string,
): Promise<OpeningResult> => {
  for (let attempt = 1; ; attempt += 1) {
    const result = await exchange(dataDir, phone, gadgetId);
    if (result !== 'not_ready' || attempt === READY_ATTEMPTS) return result;
    await delay(READY_INTERVAL_MS);
  }
};

const reasons: Readonly<Partial<Record<OpeningResult, string>>> = {
  denied: 'The door denied access to this phone',
  too_slow: 'The phone responded too slowly',
  door_fault: 'The lock of the door does not respond',
  not_ready: 'The controller has no Bluetooth key yet. Connect it to the bridge and try again',
  rate_limited: 'Too many wrong attempts. Wait and try again',
};

/** Null if the door opened, otherwise why not. */
export const describePhoneOpeningFailure = (result: OpeningResult, distance_m: number): string | null => {
  if (result === 'granted') return null;
  if (result === 'too_far')
    return `Too far away: the signal at ${distance_m} m is ${estimateRssi(distance_m)} dBm, weaker than the door requires. Go closer`;
  return reasons[result] ?? `The exchange failed: ${result}`;
};
