import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrokerConnection, type BrokerConnectionOptions } from '@lintel/device-link/connection/broker-connection';
import {
  type DeviceDescription,
  type ClaimProof,
  requestClaimRedemption,
  type UnclaimedDeviceIdentity,
} from '@lintel/device-link/identity/claim-client';
import { loadOrCreateDeviceKeys } from '@lintel/device-link/identity/device-keys';
import { encodeDigestKey } from '@lintel/device-link/identity/digest-key-id-and-encoding';
import { loadOrCreateHardwareId } from '@lintel/device-link/identity/hardware-id';
import { type DeviceEnrollment, EnrollmentFile } from '@lintel/device-link/identity/device-enrollment';
import { PendingClaimFile } from '@lintel/device-link/identity/pending-claim';
import { buildDeviceDownlinkFilter, buildRevocationTopic, buildUplinkTopic } from '@lintel/wire-protocol/mqtt/topics';
import { door } from '../bridge/site-fixtures.ts';

export const virtualDoor: DeviceDescription = { productId: 'virtual', revisionId: '1', name: 'Front', gadgets: [door] };

/** A device's end of the link: a data folder that can be claimed, and a broker connection. */
export class LinkedDevice {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'lintel-linked-'));
  readonly membershipFile = new EnrollmentFile(this.dataDir);
  readonly pendingFile = new PendingClaimFile(this.dataDir);
  readonly log: string[] = [];
  readonly received: string[] = [];
  readonly disconnectReasons: string[] = [];
  connections = 0;
  /** Kept time. */
  now: number;
  #connection: BrokerConnection | null = null;

  constructor(now: number) {
    this.now = now;
  }

  /** Its keys and hardware id, which are created by the first call. */
  unclaimed(): UnclaimedDeviceIdentity {
    return {
      keys: loadOrCreateDeviceKeys(this.dataDir),
      hardwareId: loadOrCreateHardwareId(this.dataDir, this.now, randomBytes),
      digestKey: encodeDigestKey(Buffer.alloc(32, 7)),
    };
  }

  async claim(proof: ClaimProof, thing: DeviceDescription = virtualDoor): Promise<DeviceEnrollment> {
    const membership = await requestClaimRedemption(proof, this.unclaimed(), thing, { now: this.now });
    this.membershipFile.write(membership);
    return membership;
  }

  get membership(): DeviceEnrollment {
    const read = this.membershipFile.read();
    if (!read.ok || read.value === null) throw new Error('not claimed');
    return read.value;
  }

  writeLog = (_: string, message: string, facts: object = {}): void => {
    this.log.push([message, ...Object.values(facts)].join(' '));
  };

  connect(urls: readonly string[], given: Partial<BrokerConnectionOptions> = {}): BrokerConnection {
    const { device_id, organization_id } = this.membership;
    this.#connection = new BrokerConnection({
      urls: () => urls,
      identity: () => ({ enrollment: this.membership, keys: loadOrCreateDeviceKeys(this.dataDir) }),
      filters: () => [buildDeviceDownlinkFilter(device_id), buildRevocationTopic(organization_id)],
      will: () => ({ topic: buildUplinkTopic(device_id, 'goodbye'), payload: Buffer.from('{}') }),
      now: () => this.now,
      onConnected: () => {
        this.connections += 1;
      },
      onDisconnected: why => this.disconnectReasons.push(why),
      onMessage: (topic, payload) => this.received.push(`${topic} ${Buffer.from(payload).toString()}`),
      log: this.writeLog,
      random: () => 0.01,
      limits: { firstRetryMs: 1000, longestRetryMs: 2000 },
      ...given,
    });
    this.#connection.start();
    return this.#connection;
  }

  async close(): Promise<void> {
    await this.#connection?.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
