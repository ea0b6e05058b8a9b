import {
  type BluetoothResultName,
  isEncryptedBluetoothResult,
} from '@lintel/wire-protocol/bluetooth/bluetooth-uuids-and-result-codes';
import {
  challengeBluetoothPhone,
  checkBluetoothProof,
  type BluetoothControllerSession,
  encryptBluetoothResult,
} from '@lintel/wire-protocol/bluetooth/controller-session';
import {
  BLUETOOTH_NONCE_BYTES,
  bluetoothMessageTypes,
  encodeBluetoothError,
  BLUETOOTH_SESSION_ID_BYTES,
} from '@lintel/wire-protocol/bluetooth/messages';
import { createEphemeralKey } from '@lintel/wire-protocol/bluetooth/session-keys';
import type { PresentedControllerIdentity } from '@lintel/wire-protocol/phone/nfc-phone-protocol';
import { verifyEd25519 } from '@lintel/crypto/verify-ed25519';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { BluetoothDecision, BluetoothActionRequest } from '../interfaces/bluetooth-radio.ts';
import type { ProvenPhoneKey } from '../interfaces/card-reader.ts';
import { BluetoothPhoneConnection } from './phone-connection.ts';
import { WrongProofLimit } from './wrong-proof-limit.ts';

export interface BluetoothPhoneConnectionsOptions {
  /** Null until the controller is claimed. */
  readonly identity: () => PresentedControllerIdentity | null;
  /** Null until the bridge has sent it. */
  readonly bluetoothKey: () => Uint8Array | null;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly log: Log;
  /** Signal strength of the phone at the controller in dBm; null if unknown. */
  readonly rssiOf: (phone: string) => Promise<number | null>;
}

/** Phones with an exchange at the same time. Further ones get `busy`. */
const MOST_SESSIONS = 8;
const MOST_PHONES = 32;
/** An exchange takes about a second. A phone that pauses for longer has left or blocks others. */
const IDLE_MS = 10_000;

/** The exchanges with all connected phones. `phone` identifies a connection. */
export class BluetoothPhoneConnections {
  readonly #options: BluetoothPhoneConnectionsOptions;
  readonly #connections = new Map<string, BluetoothPhoneConnection>();
  readonly #limit = new WrongProofLimit();
  #decide: (request: BluetoothActionRequest) => BluetoothDecision = () => 'denied';
  #wrongProof: () => void = () => undefined;

  constructor(options: BluetoothPhoneConnectionsOptions) {
    this.#options = options;
  }

  onRequest(listener: (request: BluetoothActionRequest) => BluetoothDecision): void {
    this.#decide = listener;
  }

  onWrongProof(listener: () => void): void {
    this.#wrongProof = listener;
  }

  /** Handles a fragment from the phone. Rejects if there are too many phones. */
  async write(phone: string, fragment: Uint8Array): Promise<void> {
    const connection = this.#connectionOf(phone);
    const received = connection.add(fragment);
    if (received === 'incomplete') return;
    const receivedAt = this.#options.clock.now();
    await connection.run(async () => {
      if (received === 'malformed') return this.#fail(connection, 'malformed');
      if (received[0] === bluetoothMessageTypes.hello) return this.#greet(phone, connection, received);
      return this.#answer(phone, connection, received, receivedAt);
    });
  }

  /** The next fragment for the phone; empty if there is none. `size`: the bytes that fit into one read. */
  async read(phone: string, size: number): Promise<Uint8Array> {
    const connection = this.#connections.get(phone);
    if (connection === undefined) return new Uint8Array();
    connection.lastActive = this.#options.clock.now();
    return connection.read(size);
  }

  disconnect(phone: string): void {
    this.#connections.delete(phone);
  }

  #connectionOf(phone: string): BluetoothPhoneConnection {
    const now = this.#options.clock.now();
    for (const [name, { lastActive }] of this.#connections)
      if (name !== phone && now - lastActive > IDLE_MS) this.#connections.delete(name);
    const connection = this.#connections.get(phone) ?? new BluetoothPhoneConnection(now);
    connection.lastActive = now;
    if (!this.#connections.has(phone) && this.#connections.size >= MOST_PHONES)
      throw new Error('Too many phones are connected');
    this.#connections.set(phone, connection);
    return connection;
  }

  #fail(connection: BluetoothPhoneConnection, result: BluetoothResultName): void {
    connection.session = null;
    connection.send(encodeBluetoothError(result));
  }

  #sessionCount(): number {
    return [...this.#connections.values()].filter(({ session }) => session !== null).length;
  }

  async #greet(phone: string, connection: BluetoothPhoneConnection, hello: Uint8Array): Promise<void> {
    const { identity, bluetoothKey, randomBytes, clock } = this.#options;
    const [reader, key] = [identity(), bluetoothKey()];
    connection.session = null;
    connection.challengeReadAt = null;
    if (reader === null || key === null) return this.#fail(connection, 'not_ready');
    if (this.#limit.isLocked(phone, clock.now())) return this.#fail(connection, 'rate_limited');
    if (this.#sessionCount() >= MOST_SESSIONS) return this.#fail(connection, 'busy');
    const step = await challengeBluetoothPhone(hello, reader, key, {
      sessionId: randomBytes(BLUETOOTH_SESSION_ID_BYTES),
      nonce: randomBytes(BLUETOOTH_NONCE_BYTES),
      ephemeral: await createEphemeralKey(),
    });
    if (step.type === 'failed') return this.#fail(connection, step.result);
    const { session } = step;
    connection.session = session;
    connection.send(step.message, () => {
      if (connection.session === session) connection.challengeReadAt = clock.now();
    });
  }

  async #answer(
    phone: string,
    connection: BluetoothPhoneConnection,
    message: Uint8Array,
    receivedAt: ReturnType<MonotonicClock['now']>,
  ): Promise<void> {
    const { session, challengeReadAt } = connection;
    if (session === null) return this.#fail(connection, 'malformed');
    // A session accepts one proof.
    connection.session = null;
    const roundTripMs = challengeReadAt === null ? Number.NaN : receivedAt - challengeReadAt;
    const result = await this.#check(phone, session, message, roundTripMs);
    connection.send(
      isEncryptedBluetoothResult(result) ? await encryptBluetoothResult(session, result) : encodeBluetoothError(result),
    );
  }

  async #check(
    phone: string,
    session: BluetoothControllerSession,
    message: Uint8Array,
    roundTripMs: number,
  ): Promise<BluetoothResultName> {
    const { log, clock, rssiOf } = this.#options;
    const step = await checkBluetoothProof(session, message, (publicKey, signed, signature) =>
      verifyEd25519(Buffer.from(publicKey).toString('base64url'), signed, signature),
    );
    if (step.type === 'failed') {
      log('warn', 'Bluetooth authentication failed', { reason: step.result });
      if (step.result === 'wrong_proof') {
        this.#limit.count(phone, clock.now());
        this.#wrongProof();
      }
      return step.result;
    }
    const { gadget_id, action_id, rssi: phoneRssi } = step.request;
    const controllerRssi = await rssiOf(phone);
    const key = step.public_key as ProvenPhoneKey;
    return this.#decide({ key, gadget_id, action_id, phoneRssi, controllerRssi, roundTripMs });
  }
}
