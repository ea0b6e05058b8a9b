import type { Problem } from '@lintel/access-core/result';

type Texts = Readonly<Record<string, string>>;

const MAX_ECHO_LENGTH = 200;
/** More than an echo, because messages list permitted values. */
const MAX_MESSAGE_LENGTH = 1_000;

const truncate = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;

/** Shortens input that an error repeats, so that no response is larger than its request. */
export const truncateEcho = (text: string): string => truncate(text, MAX_ECHO_LENGTH);

/** A response other than 2xx. Any other thrown error becomes `internal` without details. */
export abstract class BaseApiError<Type extends string> extends Error {
  readonly type: Type;
  readonly args: Texts;
  readonly headers: Texts;

  constructor(type: Type, message: string, args: Texts = {}, headers: Texts = {}) {
    const long = Object.values(args).filter(value => value.length > MAX_ECHO_LENGTH);
    const short = long.reduce((text, value) => text.replaceAll(value, () => truncateEcho(value)), message);
    super(truncate(short, MAX_MESSAGE_LENGTH));
    this.type = type;
    this.args = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, truncateEcho(value)]));
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
