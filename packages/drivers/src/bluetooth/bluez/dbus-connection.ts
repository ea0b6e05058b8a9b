import { createClient } from '@httptoolkit/dbus-native';
import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';

/** A value with its D-Bus type, as dbus-native writes it. */
type Variant = readonly [signature: string, value: unknown];
export type DbusVariants = readonly (readonly [name: string, value: Variant])[];

/** As dbus-native reads it: the parsed type, and a list with the value. */
export type ReceivedDbusVariants = readonly (readonly [
  name: string,
  value: readonly [type: unknown, values: readonly unknown[]],
])[];

export const findVariantValue = (variants: ReceivedDbusVariants, name: string): unknown =>
  variants.find(([key]) => key === name)?.[1][1][0];

interface Message {
  readonly type: number;
  readonly flags?: number;
  readonly serial?: number;
  readonly path?: string;
  readonly interface?: string;
  readonly member?: string;
  readonly sender?: string;
  readonly body?: readonly unknown[];
}

interface OutgoingMessage {
  readonly destination?: string;
  readonly replySerial?: number;
}

export interface DbusMethodCall {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string;
  readonly body?: readonly unknown[];
}

/** An interface of an exported object. A method returns null for no value. */
export interface DbusInterface {
  readonly name: string;
  /** By name: signatures of the arguments and of the result. */
  readonly methods: Readonly<Record<string, readonly [string, string]>>;
  readonly properties?: Readonly<Record<string, string>>;
}

/** The part of dbus-native that is used; its own types are incomplete. */
interface Bus {
  readonly connection: {
    message: (message: OutgoingMessage) => void;
    readonly stream: { on(event: 'end' | 'close', listener: () => void): void; destroy(): void };
    on(event: 'message', listener: (message: Message) => void): void;
    prependListener(event: 'message', listener: (message: Message) => void): void;
    on(event: 'error', listener: (error: Error) => void): void;
    once(event: 'connect', listener: () => void): void;
  };
  invoke(message: object, callback: (error: unknown, ...values: readonly unknown[]) => void): void;
  exportInterface(implementation: object, path: string, description: DbusInterface): void;
  addMatch(rule: string, callback: (error: unknown) => void): void;
}

const METHOD_CALL = 1;
const SIGNAL = 4;
const NO_REPLY_EXPECTED = 0x1;
const CALL_TIMEOUT_MS = 10_000;

const toError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(Array.isArray(error) ? error.join(' ') : String(error));

/** dbus-native also answers calls that expect no reply. The message bus would reject such an answer and log it. */
const dropUnexpectedReplies = ({ connection }: Bus): void => {
  const unexpected = new Set<string>();
  connection.prependListener('message', ({ type, flags = 0, sender, serial }) => {
    if (type === METHOD_CALL && (flags & NO_REPLY_EXPECTED) !== 0) unexpected.add(`${sender} ${serial}`);
  });
  const send = connection.message;
  connection.message = message => {
    if (!unexpected.delete(`${message.destination} ${message.replySerial}`)) send.call(connection, message);
  };
};

/** A connection to a message bus. Every call ends, also when the bus goes away. */
export class DbusConnection {
  readonly #bus: Bus;
  readonly #clock: MonotonicClock;
  /** Rejects when the connection ends. */
  readonly #ended: Promise<never>;
  readonly closed: Promise<void>;

  private constructor(bus: Bus, clock: MonotonicClock) {
    this.#bus = bus;
    this.#clock = clock;
    const ended = Promise.withResolvers<never>();
    const { connection } = bus;
    const end = (error: Error): void => {
      // dbus-native would throw when it sends a late reply.
      connection.message = () => undefined;
      ended.reject(error);
    };
    connection.on('error', end);
    connection.stream.on('end', () => end(new Error('The message bus closed the connection')));
    connection.stream.on('close', () => end(new Error('The connection to the message bus is closed')));
    this.#ended = ended.promise;
    this.closed = this.#ended.then(
      () => undefined,
      () => undefined,
    );
  }

  /** Rejects if the bus does not accept the connection. */
  static async open(busAddress: string, clock: MonotonicClock): Promise<DbusConnection> {
    const bus = createClient({ busAddress } as object) as unknown as Bus;
    const opened = new DbusConnection(bus, clock);
    await opened.#settle(new Promise<void>(resolve => bus.connection.once('connect', resolve)), 'The message bus');
    dropUnexpectedReplies(bus);
    return opened;
  }

  async #settle<T>(work: Promise<T>, what: string): Promise<T> {
    const timeout = Promise.withResolvers<never>();
    const cancel = this.#clock.wake(addMilliseconds(this.#clock.now(), CALL_TIMEOUT_MS), () =>
      timeout.reject(new Error(`${what} does not answer`)),
    );
    try {
      return await Promise.race([work, this.#ended, timeout.promise]);
    } finally {
      cancel();
    }
  }

  /** Returns the first value of the reply. */
  call(call: DbusMethodCall): Promise<unknown> {
    const reply = new Promise<unknown>((resolve, reject) =>
      this.#bus.invoke({ ...call }, (error, value) => (error === null ? resolve(value) : reject(toError(error)))),
    );
    return this.#settle(reply, call.destination);
  }

  export(path: string, description: DbusInterface, implementation: object): void {
    this.#bus.exportInterface(implementation, path, description);
  }

  /** Calls the listener for each signal that the rule matches; others may arrive too. */
  async onSignal(
    rule: string,
    listener: (signal: { readonly path: string; readonly member: string; readonly body: readonly unknown[] }) => void,
  ): Promise<void> {
    this.#bus.connection.on('message', ({ type, path = '', member = '', body = [] }) => {
      if (type === SIGNAL) listener({ path, member, body });
    });
    const added = new Promise<void>((resolve, reject) =>
      this.#bus.addMatch(rule, error => (error === null ? resolve() : reject(toError(error)))),
    );
    await this.#settle(added, 'The message bus');
  }

  close(): void {
    this.#bus.connection.stream.destroy();
  }
}
