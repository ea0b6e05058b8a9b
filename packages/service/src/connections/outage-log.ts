import type { Log } from '../log-function-type.ts';
import { describeProtocolError } from './protocol-error.ts';

/** The message of an error, or its code: an error of several addresses has no message. */
export const formatConnectionError = (error: unknown): string => {
  const problem = describeProtocolError(error);
  if (problem !== null) return `The server ${problem}`;
  const { message = '', code } = (error ?? {}) as { readonly message?: string; readonly code?: unknown };
  return message === '' ? String(code ?? error) : message;
};

/**
 * Logs the start and the end of an outage, however many errors occur in between. With `begin`, operations that overlap the change
 * do not count: an answer to a question from before a failure does not end the outage.
 */
export class OutageLog {
  readonly #subject: string;
  readonly #log: Log;
  #isOut = false;
  #operations = 0;
  #lastFailure = 0;
  #lastRecovery = 0;
  #succeedsSince: number | null = null;
  readonly #settleMs: number;
  readonly #now: () => number;

  /**
   * `subject` starts the log message, such as "Database". An outage ends with a success that is `settleMs` later than the
   * first one: a server that stops may answer some clients when others have lost it already.
   */
  constructor(subject: string, log: Log, settleMs = 0, now = () => performance.now()) {
    this.#subject = subject;
    this.#log = log;
    this.#settleMs = settleMs;
    this.#now = now;
  }

  get isOut(): boolean {
    return this.#isOut;
  }

  /** Starts an operation. Pass the result to `failed` or `recovered`. */
  begin(): number {
    return ++this.#operations;
  }

  /** Returns true for the first failure of an outage. */
  failed(error: unknown, operation = this.begin()): boolean {
    if (operation <= this.#lastRecovery) return false;
    this.#lastFailure = this.#operations;
    this.#succeedsSince = null;
    if (this.#isOut) return false;
    this.#isOut = true;
    this.#log('error', `${this.#subject} not available`, { reason: formatConnectionError(error) });
    return true;
  }

  recovered(operation = this.begin()): void {
    if (!this.#isOut || operation <= this.#lastFailure) return;
    this.#succeedsSince ??= this.#now();
    if (this.#now() - this.#succeedsSince < this.#settleMs) return;
    this.#isOut = false;
    this.#lastRecovery = this.#operations;
    this.#log('info', `${this.#subject} available again`);
  }
}
