import type { ClaimedIdentity } from '@lintel/device-runtime/uplink/connection/claimed-identity';
import { signatureVerifier } from '@lintel/crypto/ed25519';
import type { RenewableUpstream } from '@lintel/device-runtime/uplink/bridge-link';
import type { UpstreamIdentity, UpstreamListener } from '@lintel/device-runtime/uplink/upstream';
import type { UpKind } from '@lintel/wire-protocol/mqtt/topics';
import type { InProcessBroker, Listening } from './in-process-broker.ts';

const VIA = 'the internet';

/** A controller's line to the bridge. It holds as long as nobody cuts it, and comes back as soon as it can. */
export class InProcessLine implements RenewableUpstream {
  readonly #broker: InProcessBroker;
  readonly #claimed: ClaimedIdentity;
  #identity: UpstreamIdentity | null = null;
  #listener: UpstreamListener | null = null;
  #listening: Listening | null = null;
  #isOpen: boolean;

  constructor(broker: InProcessBroker, claimed: ClaimedIdentity, isOpen: boolean) {
    this.#broker = broker;
    this.#claimed = claimed;
    this.#isOpen = isOpen;
  }

  identity(): UpstreamIdentity | null {
    return this.#identity;
  }

  start(listener: UpstreamListener): void {
    this.#listener = listener;
    this.renewed();
  }

  renewed(): void {
    this.#drop(null);
    const current = this.#claimed.read();
    if (current === null) return;
    const { membership, keys } = current;
    this.#identity = {
      device_id: membership.device_id,
      organization_id: membership.organization_id,
      serial: membership.serial,
      sign: bytes => keys.sign(bytes),
      isSignedByOrganization: signatureVerifier(membership.organization_key),
    };
    this.#connect();
  }

  #connect(): void {
    if (!this.#isOpen || this.#identity === null || this.#listener === null || this.#listening !== null) return;
    const listener = this.#listener;
    const listening: Listening = {
      identity: this.#identity,
      lastWill: listener.lastWill(),
      hear: (kind, payload) => listener.message(kind, payload),
      sentAway: () => {
        this.#listening = null;
        listener.disconnected('sent away');
      },
    };
    this.#listening = listening;
    this.#broker.attach(listening);
    listener.connected(VIA);
  }

  #drop(why: string | null): void {
    const listening = this.#listening;
    this.#listening = null;
    if (listening === null) return;
    this.#broker.detach(listening, null);
    if (why !== null) this.#listener?.disconnected(why);
  }

  /** Both ends notice at once. */
  setOpen(isOpen: boolean): void {
    this.#isOpen = isOpen;
    if (isOpen) this.#connect();
    else this.#drop('the line was cut');
  }

  async publish(kind: UpKind, payload: Uint8Array): Promise<void> {
    if (this.#listening === null) throw new Error('there is no line');
    this.#broker.say(this.#listening, kind, payload);
  }

  reconnect(): void {
    this.#drop('connecting anew');
    this.#connect();
  }

  waysChanged(): void {}

  clockSet(): void {}

  async stop(goodbye: Uint8Array): Promise<void> {
    const listening = this.#listening;
    this.#listening = null;
    if (listening !== null) this.#broker.detach(listening, goodbye);
  }
}
