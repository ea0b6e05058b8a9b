import type { DeviceId } from '@lintel/access-core/ids';
import { signatureVerifier, type VerifySignature } from '@lintel/crypto/ed25519';
import type { SliceEntry, SliceEntryOf } from '@lintel/wire-protocol/mqtt/slice-entry';

interface Certificate {
  readonly deviceId: DeviceId;
  readonly verify: VerifySignature;
}

const isPeer = (entry: SliceEntry): entry is SliceEntryOf<'peer'> => entry.type === 'peer';

/** The claimed devices of the site, by each certificate that they may show. */
export class PeerDirectory {
  readonly #bySerial = new Map<string, Certificate>();
  readonly #devices = new Map<DeviceId, string>();

  constructor(entries: readonly SliceEntry[]) {
    for (const { id, serial, public_key, certificates, name } of entries.filter(isPeer)) {
      this.#devices.set(id, name ?? '');
      for (const one of [...(certificates ?? []), { serial, public_key }]) {
        this.#bySerial.set(one.serial, { deviceId: id, verify: signatureVerifier(one.public_key) });
      }
    }
  }

  has(deviceId: string): boolean {
    return this.#devices.has(deviceId as DeviceId);
  }

  devices(): ReadonlySet<DeviceId> {
    return new Set(this.#devices.keys());
  }

  /** Of each device. */
  names(): ReadonlyMap<DeviceId, string> {
    return this.#devices;
  }

  /** Verifies signatures of the certificate's key. Null when it is not a certificate of the device. */
  verifierOf(deviceId: string, serial: string): VerifySignature | null {
    const held = this.#bySerial.get(serial);
    return held?.deviceId === deviceId ? held.verify : null;
  }

  deviceOf(serial: string): DeviceId | null {
    return this.#bySerial.get(serial)?.deviceId ?? null;
  }
}
