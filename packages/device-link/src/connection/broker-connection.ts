import { MqttClient } from 'mqtt';
import { Backoff } from '@lintel/service/timing/backoff';
import type { Log } from '@lintel/service/log-function-type';
import { processTimers, type Timers } from '@lintel/service/timing/timers';
import { getUrlHost, isLoopbackAddress } from '../tls/loopback-address.ts';
import { type EnrollmentAndKeys, openBrokerSocket } from './broker-socket.ts';
import { SingleBrokerConnection, type OutgoingMqttMessage } from './single-broker-connection.ts';

export interface BrokerConnectionOptions {
  /** Tried in turn, the last connected one first: `mqtts://…`, or `mqtt://…` on loopback. */
  readonly urls: () => readonly string[];
  /** Read at every attempt, so that a renewed certificate is used. */
  readonly identity: () => EnrollmentAndKeys;
  /** Subscribed before `onConnected`. */
  readonly filters: () => readonly string[];
  /** Called at every attempt. */
  readonly will: () => OutgoingMqttMessage;
  /** Trusted time, for certificate checks. */
  readonly now: () => number;
  /** The system clock, for the password of a plain connection on the same machine. Default: `now`. */
  readonly machineNow?: () => number;
  /** `rejectedFilters`: the part of `filters` that the broker does not allow. */
  readonly onConnected: (url: string, rejectedFilters: readonly string[]) => void;
  /** Only after `onConnected`. */
  readonly onDisconnected: (why: string) => void;
  /** The broker answered, and does not accept this device. */
  readonly onRefused?: () => void;
  readonly onMessage: (topic: string, payload: Uint8Array) => void;
  readonly log: Log;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly timers?: Timers;
  readonly limits?: Partial<BrokerConnectionLimits>;
}

export interface BrokerConnectionLimits {
  readonly connectMs: number;
  readonly keepaliveS: number;
  /** After this time connected the backoff is reset. */
  readonly stableMs: number;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
}

const defaultLimits: BrokerConnectionLimits = {
  connectMs: 10_000,
  keepaliveS: 30,
  stableMs: 30_000,
  firstRetryMs: 500,
  longestRetryMs: 60_000,
};

interface OpenedSession {
  readonly session: SingleBrokerConnection;
  readonly rejected: readonly string[];
}

/** Shorter for a broker on this machine, because attempts are cheap. */
const LONGEST_LOCAL_RETRY_MS = 3000;
/** For the last message and the disconnect together. */
const DISCONNECT_TIMEOUT_MS = 2000;
const noWork = (): void => undefined;

/** CONNACK with "bad user name or password" or "not authorized". */
const REFUSALS: readonly unknown[] = [4, 5];

const isRefusal = (error: unknown): boolean => REFUSALS.includes((error as { readonly code?: unknown }).code);

/** The MQTT connection of a device, which reconnects until it is stopped. */
export class BrokerConnection {
  readonly #options: BrokerConnectionOptions;
  readonly #limits: BrokerConnectionLimits;
  readonly #timers: Timers;
  readonly #backoff: Backoff;
  #session: SingleBrokerConnection | null = null;
  /** Changes with each round of attempts, so that results of older rounds are ignored. */
  #round = 0;
  #attempt = new AbortController();
  #isStarted = false;
  #lastConnectedUrl: string | null = null;
  #cancelWait = noWork;
  readonly #failures = new Map<string, string>();

  constructor(options: BrokerConnectionOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#timers = options.timers ?? processTimers;
    const { firstRetryMs: firstMs, longestRetryMs: longestMs } = this.#limits;
    this.#backoff = new Backoff({ firstMs, longestMs }, options.random);
  }

  get isConnected(): boolean {
    return this.#session !== null;
  }

  /** URL of the connected broker. */
  get url(): string | null {
    return this.#session?.url ?? null;
  }

  /** Bytes that were not sent or acknowledged yet. */
  get bufferedBytes(): number {
    return this.#session?.bufferedBytes ?? 0;
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#startAttempt();
  }

  /** QoS 1: resolves when the broker acknowledges. Rejects at once when offline: messages are not queued. */
  publish(topic: string, payload: Uint8Array): Promise<void> {
    return this.#session?.publish({ topic, payload }) ?? Promise.reject(new Error('not connected to a broker'));
  }

  subscribe(filters: readonly string[]): Promise<void> {
    return this.#session?.subscribe(filters) ?? Promise.reject(new Error('not connected to a broker'));
  }

  unsubscribe(filters: readonly string[]): Promise<void> {
    return this.#session?.unsubscribe(filters) ?? Promise.reject(new Error('not connected to a broker'));
  }

  /** Reconnects at once after the identity or the addresses changed. */
  reconnect(why = 'reconnecting'): void {
    if (!this.#isStarted) return;
    this.#backoff.reset();
    this.#drop(why);
    this.#startAttempt();
  }

  /** Sends a last message and disconnects cleanly, so that the broker does not send the will. */
  async stop(lastMessage?: OutgoingMqttMessage): Promise<void> {
    if (!this.#isStarted) return;
    this.#isStarted = false;
    this.#cancelAttempt();
    this.#cancelWait();
    const session = this.#session;
    this.#session = null;
    if (session === null) return;
    const late = this.#timers.after(DISCONNECT_TIMEOUT_MS, () => session.destroy());
    if (lastMessage !== undefined) await session.publish(lastMessage).catch(noWork);
    await session.disconnect();
    late();
    this.#options.onDisconnected('stopped');
  }

  /** Closes the socket and timers of the attempt, which would keep the process alive. */
  #cancelAttempt(): void {
    this.#round += 1;
    this.#attempt.abort();
  }

  #startAttempt(): void {
    this.#cancelWait();
    this.#cancelAttempt();
    this.#attempt = new AbortController();
    void this.#tryAll(this.#round, this.#attempt.signal);
  }

  #drop(why: string): void {
    const session = this.#session;
    this.#session = null;
    if (session === null) return;
    session.destroy();
    this.#options.onDisconnected(why);
  }

  #orderedUrls(): string[] {
    const urls = [...new Set(this.#options.urls())];
    const good = this.#lastConnectedUrl;
    return good !== null && urls.includes(good) ? [good, ...urls.filter(url => url !== good)] : urls;
  }

  async #tryAll(round: number, signal: AbortSignal): Promise<void> {
    for (const url of this.#orderedUrls()) {
      try {
        const { session, rejected } = await this.#open(url, signal, () => round === this.#round);
        if (round === this.#round) return this.#onConnected(session, rejected);
        session.destroy();
        return;
      } catch (error) {
        if (round !== this.#round) return;
        this.#logFailure(url, (error as Error).message);
        if (isRefusal(error)) this.#options.onRefused?.();
      }
    }
    this.#retryLater();
  }

  async #open(url: string, signal: AbortSignal, isCurrent: () => boolean): Promise<OpenedSession> {
    const { identity, filters, will, now, onMessage, log } = this.#options;
    const { connectMs: timeoutMs, keepaliveS } = this.#limits;
    const enrolled = identity();
    const topicFilters = [...new Set(filters())];
    const { topic, payload } = will();
    const machineNow = (this.#options.machineNow ?? now)();
    const connection = await openBrokerSocket(url, enrolled, { now: now(), machineNow, timeoutMs, signal });
    if (!isCurrent()) {
      connection.socket.destroy();
      throw new Error('aborted');
    }
    const client = new MqttClient(() => connection.socket, {
      clientId: enrolled.enrollment.device_id,
      ...connection.login,
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      keepalive: keepaliveS,
      connectTimeout: timeoutMs,
      reconnectPeriod: 0,
      queueQoSZero: false,
      resubscribe: false,
      will: { topic, payload: Buffer.from(payload), qos: 1, retain: false },
    });
    const session = new SingleBrokerConnection(url, client, connection.socket, (receivedTopic, bytes) => {
      if (isCurrent()) onMessage(receivedTopic, bytes);
    });
    const giveUp = (): void => session.destroy('aborted');
    signal.addEventListener('abort', giveUp);
    try {
      const rejected = await session.connect(topicFilters, timeoutMs);
      for (const filter of rejected) log('warn', 'The broker rejected a subscription', { url, filter });
      return { session, rejected };
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  #onConnected(session: SingleBrokerConnection, rejected: readonly string[]): void {
    const { log, onConnected } = this.#options;
    this.#session = session;
    this.#lastConnectedUrl = session.url;
    this.#failures.clear();
    const cancelStable = this.#timers.after(this.#limits.stableMs, () => this.#backoff.reset());
    this.#cancelWait = cancelStable;
    session.onClose(why => {
      cancelStable();
      if (this.#session !== session) return;
      this.#drop(why);
      log('warn', 'Lost the connection to the broker', { url: session.url, why });
      this.#retryLater();
    });
    if (this.#session !== session) return;
    log('info', 'Connected to the broker', { url: session.url });
    onConnected(session.url, rejected);
  }

  #retryLater(): void {
    if (!this.#isStarted) return;
    this.#round += 1;
    this.#cancelWait();
    const wait = this.#backoff.next();
    const longest = this.#isLocal() ? LONGEST_LOCAL_RETRY_MS : wait;
    this.#cancelWait = this.#timers.after(Math.min(wait, longest), () => this.#startAttempt());
  }

  #isLocal(): boolean {
    return this.#options.urls().every(url => {
      const parsed = URL.parse(url);
      return parsed !== null && isLoopbackAddress(getUrlHost(parsed));
    });
  }

  /** Logs each reason once. */
  #logFailure(url: string, why: string): void {
    if (this.#failures.get(url) === why) return;
    this.#failures.set(url, why);
    this.#options.log('warn', 'The broker is not reachable', { url, why });
  }
}
