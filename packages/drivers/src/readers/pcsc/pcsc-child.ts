import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { after } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import { errorOf, type PcscAnswer, type PcscNews, type PcscReport, type PcscRequest } from './pcsc-messages.ts';
import { PcscTimeoutError } from './pcsc-session.ts';

interface Question {
  readonly answered: (answer: PcscAnswer) => void;
  readonly failed: (reason: Error) => void;
}

/** A card full of other programs may take its time to give us ours. */
const START_MS = 10_000;

/** Beside this file, or, in a package, beside the program that this file is bundled into. */
const program = new URL(`./pcsc-process${extname(import.meta.url)}`, import.meta.url);

const start = (): ChildProcess =>
  fork(program, [], {
    execArgv: [],
    // Each call into PC/SC holds a thread until the service answers.
    env: { ...process.env, UV_THREADPOOL_SIZE: '16' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });

export interface PcscChildParts {
  readonly clock: MonotonicClock;
  readonly news: (news: PcscNews) => void;
  /** Told once; it has been killed by then. Not told after `end`. */
  readonly over: (reason: Error) => void;
}

/** The process that holds the PC/SC session, asked over its channel. Whatever it fails to answer in time ends it. */
export class PcscChild {
  readonly #parts: PcscChildParts;
  readonly #process = start();
  readonly #questions = new Map<number, Question>();
  readonly #started: Promise<void>;
  #hasStarted: () => void = () => undefined;
  #lastId = 0;
  #end: Error | null = null;

  constructor(parts: PcscChildParts) {
    this.#parts = parts;
    // The door ends when it wants to, whether this process has ended or not.
    this.#process.unref();
    this.#process.channel?.unref();
    this.#process.on('message', report => this.#hear(report as PcscReport));
    this.#process.on('error', error => this.#isOver(error));
    this.#process.on('exit', (code, signal) => this.#isOver(new Error(`its process ended with ${signal ?? code}`)));
    this.#started = new Promise(resolve => (this.#hasStarted = resolve));
    const isLate = this.#limit(START_MS, () => new Error('its process does not start'));
    void this.#started.then(isLate);
  }

  /** Rejects with what the service says, or with why the process is over. */
  async ask(request: PcscRequest, limit_ms: number): Promise<PcscAnswer> {
    await this.#started;
    if (this.#end !== null) throw this.#end;
    const cancel = this.#limit(limit_ms, () => new PcscTimeoutError(`no answer to ${request.type}`));
    try {
      return await this.#ask(request);
    } finally {
      cancel();
    }
  }

  #ask(request: PcscRequest): Promise<PcscAnswer> {
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
    const cancel = clock.wake(after(clock.now(), milliseconds), () => {
      // An answer that has come while this process was busy is read before that.
      setImmediate(() => {
        if (!isCancelled) this.#isOver(reason());
      });
    });
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  #hear(report: PcscReport): void {
    if (this.#end !== null) return;
    switch (report.type) {
      case 'started':
        return this.#hasStarted();
      case 'answer':
        return this.#take(report.id)?.answered(report.answer);
      case 'refused':
        return this.#take(report.id)?.failed(errorOf(report));
      case 'ended':
        return this.#isOver(errorOf(report));
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

  /** At once, whatever it is about. */
  end(reason = new Error('closed')): void {
    if (this.#end !== null) return;
    this.#end = reason;
    this.#process.kill('SIGKILL');
    this.#hasStarted();
    for (const { failed } of this.#questions.values()) failed(reason);
    this.#questions.clear();
  }
}
