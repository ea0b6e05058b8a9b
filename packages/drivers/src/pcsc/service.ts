import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import {
  fromPcscErrorInfo,
  type PcscRequestResult,
  type PcscNotification,
  type PcscProcessMessage,
  type PcscRequest,
} from './messages.ts';
import {
  PcscTimeoutError,
  type PcscReaderUsbPortAndSerial,
  type PcscCard,
  type PcscService,
  type PcscSession,
  type PcscWatcher,
} from './session.ts';

interface Question {
  readonly answered: (answer: PcscRequestResult) => void;
  readonly failed: (reason: Error) => void;
}

/** A card with many applications may be slow to select ours. */
const START_MS = 10_000;

/** Beside this file or, in a package, beside the program that this file is bundled into. */
const program = new URL(`./pcsc-process${extname(import.meta.url)}`, import.meta.url);

const start = (): ChildProcess =>
  fork(program, [], {
    execArgv: [],
    // Each call into PC/SC holds a thread until the service responds.
    env: { ...process.env, UV_THREADPOOL_SIZE: '16' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });

export interface PcscChildProcessOptions {
  readonly clock: MonotonicClock;
  readonly news: (news: PcscNotification) => void;
  /** Called once, after the process was killed. Not called after `end`. */
  readonly over: (reason: Error) => void;
}

/** The process that holds the PC/SC session. A request without a timely response kills it. */
export class PcscChildProcess {
  readonly #parts: PcscChildProcessOptions;
  readonly #process = start();
  readonly #questions = new Map<number, Question>();
  readonly #started: Promise<void>;
  #hasStarted: () => void = () => undefined;
  #lastId = 0;
  #end: Error | null = null;

  constructor(parts: PcscChildProcessOptions) {
    this.#parts = parts;
    // Does not keep the main process running.
    this.#process.unref();
    this.#process.channel?.unref();
    this.#process.on('message', report => this.#hear(report as PcscProcessMessage));
    this.#process.on('error', error => this.#isOver(error));
    this.#process.on('exit', (code, signal) => this.#isOver(new Error(`its process exited with ${signal ?? code}`)));
    this.#started = new Promise(resolve => (this.#hasStarted = resolve));
    const isLate = this.#limit(START_MS, () => new Error('its process does not start'));
    void this.#started.then(isLate);
  }

  /** Rejects with the error of the service, or with the reason for the end of the process. */
  async request(request: PcscRequest, limit_ms: number): Promise<PcscRequestResult> {
    await this.#started;
    if (this.#end !== null) throw this.#end;
    const cancel = this.#limit(limit_ms, () => new PcscTimeoutError(`No response to ${request.type}`));
    try {
      return await this.#ask(request);
    } finally {
      cancel();
    }
  }

  #ask(request: PcscRequest): Promise<PcscRequestResult> {
    this.#lastId++;
    const id = this.#lastId;
    return new Promise((answered, failed) => {
      this.#questions.set(id, { answered, failed });
      this.#process.send({ id, request }, error => {
        if (error !== null) this.#isOver(error);
      });
    });
  }

  #limit(milliseconds: number, reason: () => Error): () => void {
    const { clock } = this.#parts;
    let isCancelled = false;
    const cancel = clock.wake(addMilliseconds(clock.now(), milliseconds), () => {
      // Reads responses that arrived while this process was busy before it times out.
      setImmediate(() => {
        if (!isCancelled) this.#isOver(reason());
      });
    });
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  #hear(report: PcscProcessMessage): void {
    if (this.#end !== null) return;
    switch (report.type) {
      case 'started':
        return this.#hasStarted();
      case 'answer':
        return this.#take(report.id)?.answered(report.answer);
      case 'refused':
        return this.#take(report.id)?.failed(fromPcscErrorInfo(report));
      case 'ended':
        return this.#isOver(fromPcscErrorInfo(report));
      default:
        return this.#parts.news(report);
    }
  }

  #take(id: number): Question | undefined {
    const question = this.#questions.get(id);
    this.#questions.delete(id);
    return question;
  }

  #isOver(reason: Error): void {
    if (this.#end !== null) return;
    this.end(reason);
    this.#parts.over(reason);
  }

  /** Kills the process at once. */
  end(reason = new Error('closed')): void {
    if (this.#end !== null) return;
    this.#end = reason;
    this.#process.kill('SIGKILL');
    this.#hasStarted();
    for (const { failed } of this.#questions.values()) failed(reason);
    this.#questions.clear();
  }
}

/** Together below the two seconds in which a fault must show. */
const BEAT_MS = 400;
const RESPONSE_MS = 1_400;
/** The waiting slot has reported a hanging reader long before; this limit is for a response that never comes. */
const CARD_MS = 5_000;
/** The binding leaks about 5 kB with each attempt that finds no service. */
const MAX_TRIAL_STARTS = 500;

const cardOf = (child: PcscChildProcess, card: number): PcscCard => ({
  atr: async () => (await child.request({ type: 'atr', card }, CARD_MS)) as Uint8Array,
  transmit: async apdu => (await child.request({ type: 'transmit', card, apdu }, CARD_MS)) as Uint8Array,
  release: async () => void (await child.request({ type: 'release', card }, CARD_MS)),
});

/**
 * PC/SC in a child process: a hanging service or a crashing binding affects only that process. A process that found no
 * service is reused for the next attempt; a process with a session ends with it.
 */
export class PcscProcessService implements PcscService {
  readonly #clock: MonotonicClock;
  #child: PcscChildProcess | null = null;
  #watcher: PcscWatcher | null = null;
  #attempts = 0;
  #isOpen = false;
  #cancelBeat: () => void = () => undefined;

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  async open(watcher: PcscWatcher): Promise<PcscSession> {
    if (this.#attempts >= MAX_TRIAL_STARTS) this.close();
    this.#attempts++;
    this.#child ??= this.#start();
    const child = this.#child;
    this.#watcher = watcher;
    await child.request({ type: 'open' }, RESPONSE_MS);
    this.#isOpen = true;
    this.#beatLater(child);
    return {
      connect: async reader => cardOf(child, (await child.request({ type: 'connect', reader }, CARD_MS)) as number),
      locate: async reader =>
        (await child.request({ type: 'locate', reader }, CARD_MS)) as PcscReaderUsbPortAndSerial | null,
      close: () => {
        if (this.#child === child) this.close();
      },
    };
  }

  #start(): PcscChildProcess {
    const child: PcscChildProcess = new PcscChildProcess({
      clock: this.#clock,
      news: news => this.#hear(news),
      over: reason => this.#over(child, reason),
    });
    return child;
  }

  #hear(news: PcscNotification): void {
    if (news.type === 'changed') this.#watcher?.changed(news.reader, news.hasCard);
    else if (news.type === 'mute') this.#watcher?.mute(news.reader);
    else this.#watcher?.unplugged(news.reader);
  }

  /** Without cards, a hanging service cannot be told from a healthy one. */
  #beatLater(child: PcscChildProcess): void {
    this.#cancelBeat = this.#clock.wake(addMilliseconds(this.#clock.now(), BEAT_MS), () => void this.#beat(child));
  }

  async #beat(child: PcscChildProcess): Promise<void> {
    try {
      await child.request({ type: 'beat' }, RESPONSE_MS);
    } catch (error) {
      return this.#over(child, error as Error);
    }
    if (this.#child === child) this.#beatLater(child);
  }

  #over(child: PcscChildProcess, reason: Error): void {
    if (this.#child !== child) return;
    const watcher = this.#isOpen ? this.#watcher : null;
    this.close();
    // While opening, the caller gets the error.
    watcher?.ended(reason);
  }

  close(): void {
    this.#cancelBeat();
    this.#child?.end();
    this.#child = null;
    this.#watcher = null;
    this.#attempts = 0;
    this.#isOpen = false;
  }
}
