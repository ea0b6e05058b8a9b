import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import {
  fromPcscErrorInfo,
  type PcscRequestResult,
  type PcscNotification,
  type PcscProcessMessage,
  type PcscRequest,
} from './pcsc-process-messages.ts';
import { PcscTimeoutError } from './pcsc-session-and-service-interfaces.ts';

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
