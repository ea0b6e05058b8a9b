/** One problem of an input: its location (dotted path, '' for the whole) and a message for people. */
export interface Problem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });

export const failed = (problems: readonly Problem[]): Result<never> => ({ ok: false, problems });

export const createProblem = (path: string, code: string, message: string): Problem => ({ path, code, message });
