import type { DeviceId } from '@lintel/access-core/ids';
import { createSignatureVerifier, type VerifySignature } from '@lintel/crypto/verify-ed25519';
import type { SnapshotEntry, SnapshotEntryOf } from '@lintel/wire-protocol/mqtt/snapshot-entry';

interface Certificate {
  readonly deviceId: DeviceId;
  readonly verify: VerifySignature;
}

const isPeer = (entry: SnapshotEntry): entry is SnapshotEntryOf<'peer'> => entry.type === 'peer';

/** The claimed devices of the site and their valid certificates. */
export class PeerDirectory {
  readonly #bySerial = new Map<string, Certificate>();
  readonly #devices = new Map<DeviceId, string>();

  constructor(entries: readonly SnapshotEntry[]) {
    for (const { id, serial, public_key, certificates, name } of entries.filter(isPeer)) {
      this.#devices.set(id, name ?? '');
      for (const certificate of [...(certificates ?? []), { serial, public_key }]) {
        this.#bySerial.set(certificate.serial, {
          deviceId: id,
          verify: createSignatureVerifier(certificate.public_key),
        });
      }
    }
  }

  has(deviceId: string): boolean {
    return this.#devices.has(deviceId as DeviceId);
  }

  devices(): ReadonlySet<DeviceId> {
    return new Set(this.#devices.keys());
  }

  names(): ReadonlyMap<DeviceId, string> {
    return this.#devices;
  }

  /** Verifies signatures of the certificate's key. Null when it is not a certificate of the device. */
  verifierOf(deviceId: string, serial: string): VerifySignature | null {
    const certificate = this.#bySerial.get(serial);
    return certificate?.deviceId === deviceId ? certificate.verify : null;
  }

  deviceOf(serial: string): DeviceId | null {
    return this.#bySerial.get(serial)?.deviceId ?? null;
  }
}
