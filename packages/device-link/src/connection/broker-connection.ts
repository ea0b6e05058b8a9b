import { MqttClient } from 'mqtt';
import { Backoff } from '@lintel/service/timing/backoff';
import type { Log } from '@lintel/service/log';
import { processTimers, type Timers } from '@lintel/service/timing/timers';
import { hostOf, isLoopback } from '../tls/loopback.ts';
import { type ConnectingIdentity, openBrokerSocket } from './broker-socket.ts';
import { BrokerSession, type OutgoingMessage } from './broker-session.ts';

export interface BrokerConnectionOptions {
  /** Tried in turn, the one that worked last first: `mqtts://…`, or `mqtt://…` on loopback. */
  readonly urls: () => readonly string[];
  /** Read at every attempt, so that a renewed certificate is used. */
  readonly identity: () => ConnectingIdentity;
  /** Subscribed before `onConnected`. */
  readonly filters: () => readonly string[];
  /** Asked for at every attempt. */
  readonly will: () => OutgoingMessage;
  /** Kept time: certificates are checked against it. */
  readonly now: () => number;
  /** The machine's own clock, for the password of a plain line, whose other end is on the same machine. Else kept time. */
  readonly machineNow?: () => number;
  readonly onConnected: (url: string) => void;
  /** Only after `onConnected`. */
  readonly onDisconnected: (why: string) => void;
  readonly onMessage: (topic: string, payload: Uint8Array) => void;
  readonly log: Log;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly timers?: Timers;
  readonly limits?: Partial<ConnectionLimits>;
}

export interface ConnectionLimits {
  readonly connectMs: number;
  readonly keepaliveS: number;
  /** A connection that has held for so long was a good one. */
  readonly stableMs: number;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
}

const defaultLimits: ConnectionLimits = {
  connectMs: 10_000,
  keepaliveS: 30,
  stableMs: 30_000,
  firstRetryMs: 500,
  longestRetryMs: 60_000,
};

/** A broker on this machine is not waited for as long: asking costs nobody anything. */
const LONGEST_NEAR_MS = 3000;
/** For the last word and the leaving together. */
const LEAVING_MS = 2000;
const noWork = (): void => undefined;

/** A device's line to its broker, which is opened again and again for as long as it is wanted. */
export class BrokerConnection {
  readonly #options: BrokerConnectionOptions;
  readonly #limits: ConnectionLimits;
  readonly #timers: Timers;
  readonly #backoff: Backoff;
  #session: BrokerSession | null = null;
  /** Each round of attempts has its own; what an older one brings is thrown away. */
  #round = 0;
  #attempt = new AbortController();
  #isWanted = false;
  #lastGood: string | null = null;
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

  /** Of the broker that it is connected to. */
  get url(): string | null {
    return this.#session?.url ?? null;
  }

  /** What waits for the network to take it. */
  get bufferedBytes(): number {
    return this.#session?.bufferedBytes ?? 0;
  }

  start(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#begin();
  }

  /** QoS 1: resolves when the broker has taken it. Rejects at once without a connection: messages are not queued. */
  publish(topic: string, payload: Uint8Array): Promise<void> {
    return this.#session?.publish({ topic, payload }) ?? Promise.reject(new Error('not connected to a broker'));
  }

  subscribe(filters: readonly string[]): Promise<void> {
    return this.#session?.subscribe(filters) ?? Promise.reject(new Error('not connected to a broker'));
  }

  unsubscribe(filters: readonly string[]): Promise<void> {
    return this.#session?.unsubscribe(filters) ?? Promise.reject(new Error('not connected to a broker'));
  }

  /** At once and from the first: the identity or the addresses have changed. */
  reconnect(why = 'connecting anew'): void {
    if (!this.#isWanted) return;
    this.#backoff.reset();
    this.#drop(why);
    this.#begin();
  }

  /** Says the last word, if there is a line, and leaves as one who means it: the will is not spoken. */
  async stop(lastWord?: OutgoingMessage): Promise<void> {
    if (!this.#isWanted) return;
    this.#isWanted = false;
    this.#giveUpAttempt();
    this.#cancelWait();
    const session = this.#session;
    this.#session = null;
    if (session === null) return;
    const late = this.#timers.after(LEAVING_MS, () => session.cut());
    if (lastWord !== undefined) await session.publish(lastWord).catch(noWork);
    await session.leave();
    late();
    this.#options.onDisconnected('stopped');
  }

  /** Its socket is closed and its timers are gone: they would keep the process for as long. */
  #giveUpAttempt(): void {
    this.#round += 1;
    this.#attempt.abort();
  }

  #begin(): void {
    this.#cancelWait();
    this.#giveUpAttempt();
    this.#attempt = new AbortController();
    void this.#tryAll(this.#round, this.#attempt.signal);
  }

  #drop(why: string): void {
    const session = this.#session;
    this.#session = null;
    if (session === null) return;
    session.cut();
    this.#options.onDisconnected(why);
  }

  #inOrder(): string[] {
    const urls = [...new Set(this.#options.urls())];
    const good = this.#lastGood;
    return good !== null && urls.includes(good) ? [good, ...urls.filter(url => url !== good)] : urls;
  }

  async #tryAll(round: number, signal: AbortSignal): Promise<void> {
    for (const url of this.#inOrder()) {
      try {
        const session = await this.#open(url, signal, () => round === this.#round);
        if (round === this.#round) return this.#connected(session);
        session.cut();
        return;
      } catch (error) {
        if (round !== this.#round) return;
        this.#tellFailure(url, (error as Error).message);
      }
    }
    this.#retryLater();
  }

  async #open(url: string, signal: AbortSignal, isCurrent: () => boolean): Promise<BrokerSession> {
    const { identity, filters, will, now, onMessage, log } = this.#options;
    const { connectMs: timeoutMs, keepaliveS } = this.#limits;
    const who = identity();
    const wanted = [...new Set(filters())];
    const { topic, payload } = will();
    const machineNow = (this.#options.machineNow ?? now)();
    const line = await openBrokerSocket(url, who, { now: now(), machineNow, timeoutMs, signal });
    if (!isCurrent()) {
      line.socket.destroy();
      throw new Error('no longer wanted');
    }
    const client = new MqttClient(() => line.socket, {
      clientId: who.membership.device_id,
      ...line.login,
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
    const session = new BrokerSession(url, client, line.socket, (said, bytes) => {
      if (isCurrent()) onMessage(said, bytes);
    });
    const giveUp = (): void => session.cut('no longer wanted');
    signal.addEventListener('abort', giveUp);
    try {
      const refused = await session.begin(wanted, timeoutMs);
      for (const filter of refused) log('warn', 'the broker refuses a subscription', { url, filter });
      return session;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  #connected(session: BrokerSession): void {
    const { log, onConnected } = this.#options;
    this.#session = session;
    this.#lastGood = session.url;
    this.#failures.clear();
    const cancelStable = this.#timers.after(this.#limits.stableMs, () => this.#backoff.reset());
    this.#cancelWait = cancelStable;
    session.onEnd(why => {
      cancelStable();
      if (this.#session !== session) return;
      this.#drop(why);
      log('warn', 'the line to the broker is lost', { url: session.url, why });
      this.#retryLater();
    });
    if (this.#session !== session) return;
    log('info', 'connected to the broker', { url: session.url });
    onConnected(session.url);
  }

  #retryLater(): void {
    if (!this.#isWanted) return;
    this.#round += 1;
    this.#cancelWait();
    const wait = this.#backoff.next();
    const longest = this.#isNear() ? LONGEST_NEAR_MS : wait;
    this.#cancelWait = this.#timers.after(Math.min(wait, longest), () => this.#begin());
  }

  #isNear(): boolean {
    return this.#options.urls().every(url => {
      const parsed = URL.parse(url);
      return parsed !== null && isLoopback(hostOf(parsed));
    });
  }

  /** Once for each reason: an outage of a week is not a week of lines. */
  #tellFailure(url: string, why: string): void {
    if (this.#failures.get(url) === why) return;
    this.#failures.set(url, why);
    this.#options.log('warn', 'the broker is not reachable', { url, why });
  }
}
