import { failed, ok, type Problem, problem, type Result } from './result.ts';

/** A hostile input must not be answered with a list longer than itself. */
export const MOST_PROBLEMS = 100;

/** Problems as a parser finds them. Once it is full the parser may stop: the input is refused in any case. */
export class ProblemList {
  readonly #found: Problem[] = [];

  get count(): number {
    return this.#found.length;
  }

  get isFull(): boolean {
    return this.#found.length >= MOST_PROBLEMS;
  }

  add(path: string, code: string, message: string): void {
    if (!this.isFull) this.#found.push(problem(path, code, message));
  }

  /** One by one: a list that is spread into a call may be longer than the stack. */
  addAll(found: readonly Problem[]): void {
    for (const { path, code, message } of found) {
      if (this.isFull) return;
      this.add(path, code, message);
    }
  }

  /** The value, when nothing was found. */
  resultOf<T>(value: T): Result<T> {
    return this.#found.length > 0 ? this.refusal() : ok(value);
  }

  refusal(): Result<never> {
    return failed(this.#found);
  }
}
