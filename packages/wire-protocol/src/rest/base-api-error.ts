import type { Problem } from '@lintel/access-core/result';

type Texts = Readonly<Record<string, string>>;

/** A response other than 2xx. Any other thrown error becomes `internal` without details. */
export abstract class BaseApiError<Type extends string> extends Error {
  readonly type: Type;
  readonly args: Texts;
  readonly headers: Texts;

  constructor(type: Type, message: string, args: Texts = {}, headers: Texts = {}) {
    super(message);
    this.type = type;
    this.args = args;
    this.headers = headers;
  }

  abstract get status(): number;

  get body(): { type: string; message: string; args: Texts } {
    return { type: this.type, message: this.message, args: this.args };
  }
}

const sentence = ({ path, code, message }: Problem): string =>
  path === '' || code === 'invalid_expand' ? message : `${path} ${message}`;

/** The first problem is the message; the next one shows after it is fixed. */
export const describeFirstProblem = ([first]: readonly Problem[]): readonly [message: string, args: Texts] => {
  if (first === undefined) return ['The request is not valid', {}];
  return [sentence(first), first.path === '' ? {} : { field: first.path }];
};
