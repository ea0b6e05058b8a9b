import type { EnrolledDeviceIdentity } from '@lintel/device-link/session/session-link-interface';
import type { IdentityFileStore } from '@lintel/device-runtime/bridge-connection/identity-files';
import { createSignatureVerifier } from '@lintel/crypto/verify-ed25519';
import type { RenewableUpstream } from '@lintel/device-runtime/bridge-connection/bridge-link';
import type { UpstreamListener } from '@lintel/device-runtime/bridge-connection/upstream-interface';
import type { UplinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';
import type { InProcessBroker, InProcessConnection } from './in-process-broker.ts';

const VIA = 'the internet';

/** The connection of a controller to the bridge. It reconnects at once when it is allowed to. */
export class InProcessUpstream implements RenewableUpstream {
  readonly #broker: InProcessBroker;
  readonly #claimed: IdentityFileStore;
  #identity: EnrolledDeviceIdentity | null = null;
  #listener: UpstreamListener | null = null;
  #connection: InProcessConnection | null = null;
  #isOpen: boolean;

  constructor(broker: InProcessBroker, claimed: IdentityFileStore, isOpen: boolean) {
    this.#broker = broker;
    this.#claimed = claimed;
    this.#isOpen = isOpen;
  }

  identity(): EnrolledDeviceIdentity | null {
    return this.#identity;
  }

  start(listener: UpstreamListener): void {
    this.#listener = listener;
    this.reloadIdentity();
  }

  reloadIdentity(): void {
    this.#disconnect(null);
    const current = this.#claimed.read();
    if (current === null) return;
    const { enrollment, keys } = current;
    this.#identity = {
      device_id: enrollment.device_id,
      organization_id: enrollment.organization_id,
      serial: enrollment.serial,
      sign: bytes => keys.sign(bytes),
      isSignedByOrganization: createSignatureVerifier(enrollment.organization_key),
    };
    this.#connect();
  }

  #connect(): void {
    if (!this.#isOpen || this.#identity === null || this.#listener === null || this.#connection !== null) return;
    const listener = this.#listener;
    const connection: InProcessConnection = {
      identity: this.#identity,
      lastWill: listener.lastWill(),
      receive: (kind, payload) => listener.message(kind, payload),
      disconnected: () => {
        this.#connection = null;
        listener.disconnected('disconnected by the bridge');
      },
    };
    this.#connection = connection;
    this.#broker.attach(connection);
    listener.connected(VIA);
  }

  #disconnect(reason: string | null): void {
    const connection = this.#connection;
    this.#connection = null;
    if (connection === null) return;
    this.#broker.detach(connection, null);
    if (reason !== null) this.#listener?.disconnected(reason);
  }

  /** Both ends notice the change at once. */
  setOpen(isOpen: boolean): void {
    this.#isOpen = isOpen;
    if (isOpen) this.#connect();
    else this.#disconnect('connection cut');
  }

  async publish(kind: UplinkMessageKind, payload: Uint8Array): Promise<void> {
    if (this.#connection === null) throw new Error('not connected');
    this.#broker.publishUplink(this.#connection, kind, payload);
  }

  reconnect(): void {
    this.#disconnect('reconnecting');
    this.#connect();
  }

  retryConnection(): void {}

  onTimeReceived(): void {}

  async stop(goodbye: Uint8Array): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    if (connection !== null) this.#broker.detach(connection, goodbye);
  }
}
