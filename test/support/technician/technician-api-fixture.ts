import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monotonic } from '@lintel/access-core/monotonic-time';
import { DeviceCredentialDigester } from '@lintel/device-runtime/credentials/credential-digests';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';
import {
  createDeviceEntry,
  createGadgetEntry,
  createLogWithTail,
  createMemberEntry,
  createMemberGroupEntry,
  createSiteEntry,
  createSnapshotChunk,
  type DigestKeySource,
  startTechnicianServer,
  type TechnicianServer,
  type TechnicianServerOptions,
} from '@lintel/device-runtime/testing';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import { signTechnicianPass } from '@lintel/wire-protocol/claiming/technician-pass';
import { TechnicianApiClient } from './technician-api-client.ts';
import { technicianKey } from './technician-key.ts';

type Device = ReturnType<typeof createSimulatedController>;
type Membership = ReturnType<Device['enrollment']>;
type Rules = readonly { readonly code: string; readonly gadget_id: string; readonly action_id: string }[];

const organization = generateKeyPairSync('ed25519');
const profile = loadProfile(join(import.meta.dirname, '../../../hardware-profiles/profiles/laptop-simulator.json'));

export const PIN = '2580';
export const CARD = '04a1b2c3d4e5f6';

export const rule = (code: string, gadget_id = 'gad_door', action_id = 'open') => ({ code, gadget_id, action_id });

const claimedAs = {
  device_id: 'dev_own',
  organization_id: 'org_1',
  site_id: 'site_1',
  bridge_url: 'https://bridge.example',
  organization_key: organization.publicKey.export({ format: 'jwk' }).x!,
  serial: '0a1b',
  certificate: '',
  expires_at: 1_900_000_000_000,
  brokers: { mqtts: 'mqtts://bridge.example:8883', mqtt: null },
} as NonNullable<Membership>;

/** A technician pass for the site of the controller. */
const passAt = (now: number, changes: object = {}, key: KeyObject = organization.privateKey): string => {
  const content = {
    v: 1,
    id: 'pass_1',
    organization_id: 'org_1',
    site_id: 'site_1',
    device_id: null,
    public_key: technicianKey.publicKey,
    user_id: 'usr_tina',
    user_name: 'Tina',
    issued_at: now,
    expires_at: now + 86_400_000,
    ...changes,
  };
  return signTechnicianPass(content as never, bytes => sign(null, bytes, key));
};

/** A simulated controller that serves the technician API over real HTTPS, and a client of it. */
export class TechnicianApiFixture {
  readonly folder = mkdtempSync(join(tmpdir(), 'lintel-technician-'));
  readonly clock = { at: 1_000, now: () => monotonic(this.clock.at) };
  /** Default: the digest key in a file. */
  digestKey: DigestKeySource | null = null;
  /** The lines on the console of the controller. */
  printed: string[] = [];
  #membership: Membership = null;
  #device: Device | null = null;
  #technician: TechnicianServer | null = null;
  #client: TechnicianApiClient | null = null;

  readonly #deviceClock: MonotonicClock | null;

  constructor(deviceClock: MonotonicClock | null = null) {
    this.#deviceClock = deviceClock;
  }

  /** `deviceClock` replaces the clock of the controller's timers. */
  static async create(deviceClock?: MonotonicClock): Promise<TechnicianApiFixture> {
    const fixture = new TechnicianApiFixture(deviceClock);
    await fixture.open();
    return fixture;
  }

  async open(options: Partial<TechnicianServerOptions> = {}): Promise<void> {
    const { log, tail } = createLogWithTail(
      () => undefined,
      () => new Date(0),
    );
    const [clock, digestKey] = [this.#deviceClock, this.digestKey];
    this.#device = createSimulatedController({
      dataDir: this.folder,
      log,
      ...(clock && { clock }),
      ...(digestKey && { digestKey }),
    });
    this.printed = [];
    this.#technician = await startTechnicianServer({
      dataDir: this.folder,
      device: { ...this.#device, enrollment: () => this.#membership },
      productId: 'laptop-simulator',
      log,
      logTail: tail,
      host: '127.0.0.1',
      port: 0,
      profile,
      console: line => void this.printed.push(line),
      clock: this.clock,
      ...options,
    });
    this.#client = new TechnicianApiClient(this.#technician.url);
  }

  async close(): Promise<void> {
    await this.#technician?.stop();
    await this.#device?.stop();
  }

  async remove(): Promise<void> {
    await this.close();
    rmSync(this.folder, { recursive: true });
  }

  get device(): Device {
    return this.#device!;
  }

  get technician(): TechnicianServer {
    return this.#technician!;
  }

  get client(): TechnicianApiClient {
    return this.#client!;
  }

  claim(): void {
    this.#membership = claimedAs;
  }

  passOf(changes: object = {}, key?: KeyObject): string {
    return passAt(this.device.time.now(), changes, key);
  }

  get setupCode(): string {
    return readFileSync(join(this.folder, 'technician/setup-code'), 'utf8').trim();
  }

  /** Applies a snapshot with a member who may do everything; the garage belongs to another controller. */
  async serve(input_rules: Rules = [], revision = 1): Promise<void> {
    const digests = new DeviceCredentialDigester(this.device.digestKey);
    const ann = createMemberEntry(digests, 'mem_ann', { pins: [PIN], cards: [CARD], groups: ['mg_all'] });
    const entries = [
      createDeviceEntry(input_rules),
      createSiteEntry(),
      createGadgetEntry({ id: 'gad_door', states: ['locked', 'unlocked'] }),
      createGadgetEntry({ id: 'gad_garage', device_id: 'dev_other', created_at: 2 }),
      createMemberGroupEntry('mg_all', [{}]),
      ann,
    ];
    const received = await this.device.controller.receiveSnapshot(
      createSnapshotChunk(entries, revision, digests.keyId),
    );
    if (received.kind !== 'applied') throw new Error(`The snapshot was not applied: ${JSON.stringify(received)}`);
  }
}
