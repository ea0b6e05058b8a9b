import { checkProfile, type Profile } from '@lintel/hardware-profiles/check-profile';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { openHardware, type OpenedHardware } from '@lintel/device-runtime/hardware';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { type PeripheralOptions, SimulatedPeripheral } from '../osdp-peripheral/simulated-peripheral.ts';
import { openPty, type Pty } from '../processes/pty.ts';

const createProfile = (path: string, addresses: readonly number[]): Profile => {
  const shipped = loadProfiles().find(({ product_id }) => product_id === 'laptop-simulator')!;
  const { product_id, name, revision, capabilities } = shipped;
  const names = addresses.map(address => `door_${address}`);
  const checked = checkProfile({
    product_id,
    name,
    revision,
    capabilities: { ...capabilities, audio: false },
    buses: {
      rs485: {
        driver: 'osdp',
        port: { path },
        readers: Object.fromEntries(addresses.map((address, at) => [`${names[at]}_reader`, { address }])),
      },
    },
    stations: Object.fromEntries(names.map(door => [door, { keypad: `${door}_reader`, reader: `${door}_reader` }])),
  });
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.profile;
};

/** The parts of a controller with simulated OSDP readers on a pseudo terminal, opened from a profile. */
export class OsdpControllerParts {
  readonly profile: Profile;
  readonly hardware: OpenedHardware;
  readonly readers: ReadonlyMap<number, SimulatedPeripheral>;
  readonly #pty: Pty;

  private constructor(
    profile: Profile,
    hardware: OpenedHardware,
    readers: ReadonlyMap<number, SimulatedPeripheral>,
    pty: Pty,
  ) {
    this.profile = profile;
    this.hardware = hardware;
    this.readers = readers;
    this.#pty = pty;
  }

  static async open(
    dataDir: string,
    options: readonly Omit<PeripheralOptions, 'write'>[],
  ): Promise<OsdpControllerParts> {
    const pty = await openPty();
    const write = (bytes: Buffer): void => void pty.write(bytes).catch(() => undefined);
    const readers = new Map(options.map(one => [one.address, new SimulatedPeripheral({ ...one, write })]));
    pty.onBytes(bytes => {
      for (const reader of readers.values()) reader.receive(bytes);
    });
    const profile = createProfile(pty.path, [...readers.keys()]);
    const hardware = await openHardware(profile, { log: () => undefined, clock: new ProcessClock(), dataDir });
    return new OsdpControllerParts(profile, hardware, readers, pty);
  }

  reader(address: number): SimulatedPeripheral {
    return this.readers.get(address)!;
  }

  async close(): Promise<void> {
    await this.hardware.close();
    await this.#pty.close();
  }
}
