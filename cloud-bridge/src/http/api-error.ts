import type { Problem, Result } from '@lintel/access-core/result';
import { type ErrorType, errorTypes } from '@lintel/wire-protocol/rest/error';

/** An answer that is not 2xx. What is thrown as anything else becomes `internal`, with nothing of it shown. */
export class ApiError extends Error {
  readonly type: ErrorType;
  readonly args: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    type: ErrorType,
    message: string,
    args: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.type = type;
    this.args = args;
    this.headers = headers;
  }

  get status(): number {
    return errorTypes[this.type];
  }

  get body(): { type: string; message: string; args: Readonly<Record<string, string>> } {
    return { type: this.type, message: this.message, args: this.args };
  }
}

export const notFound = (what: string, id: string): ApiError =>
  new ApiError('not_found', `There is no ${what} ${id}`, { id });

export const invalid = (field: string, message: string, args: Readonly<Record<string, string>> = {}): ApiError =>
  new ApiError('invalid_request', message, { field, ...args });

const sentence = ({ path, code, message }: Problem): string =>
  path === '' || code === 'invalid_expand' ? message : `${path} ${message}`;

/** The first problem is the message; a person who mends it is told of the next. */
export const invalidRequest = (problems: readonly Problem[]): ApiError => {
  const [first] = problems;
  if (first === undefined) return new ApiError('invalid_request', 'The request is not valid');
  return new ApiError('invalid_request', sentence(first), first.path === '' ? {} : { field: first.path });
};

export const orThrow = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  throw invalidRequest(result.problems);
};
