import { failed, ok, type Problem, createProblem, type Result } from './result.ts';

/** Limits the response to a hostile input. */
export const MAX_REPORTED_PROBLEMS = 100;

/** Problems found by a parser. Once full, the parser may stop, because the input is rejected in any case. */
export class ProblemList {
  readonly #found: Problem[] = [];

  get count(): number {
    return this.#found.length;
  }

  get isFull(): boolean {
    return this.#found.length >= MAX_REPORTED_PROBLEMS;
  }

  add(path: string, code: string, message: string): void {
    if (!this.isFull) this.#found.push(createProblem(path, code, message));
  }

  /** Adds one by one, because spreading a long list into a call may overflow the stack. */
  addAll(found: readonly Problem[]): void {
    for (const { path, code, message } of found) {
      if (this.isFull) return;
      this.add(path, code, message);
    }
  }

  /** The value, if there are no problems. */
  resultOf<T>(value: T): Result<T> {
    return this.#found.length > 0 ? this.refusal() : ok(value);
  }

  refusal(): Result<never> {
    return failed(this.#found);
  }
}
