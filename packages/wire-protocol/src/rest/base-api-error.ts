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

/** The specification prints this message, so it stays alone and without a period. */
const isLiteral = (text: string): boolean => text.startsWith("Invalid expand '");

/** Adds the period that a sentence lacks. */
export const endSentence = (text: string): string => (isLiteral(text) || /[.?!…]$/.test(text) ? text : `${text}.`);

/** What a problem is about: a field of a body, or a parameter of an address. */
export type ProblemSubject = 'field' | 'parameter';

/** `The field 'name' must be a string.` A message that begins with a capital letter is already a sentence. */
const toSentence = ({ path, message }: Problem, subject: ProblemSubject): string => {
  const text = path.length > MAX_ECHO_LENGTH ? message.replaceAll(path, () => truncateEcho(path)) : message;
  if (/^[A-Z]/.test(text)) return endSentence(text);
  return endSentence(path === '' ? `The body ${text}` : `The ${subject} '${truncateEcho(path)}' ${text}`);
};

const MAX_TOLD_PROBLEMS = 10;

/** As many sentences as fit, and how many problems are left. */
const joinSentences = (sentences: readonly string[]): string => {
  let text = sentences[0] ?? '';
  let told = 1;
  while (told < Math.min(sentences.length, MAX_TOLD_PROBLEMS)) {
    const longer = `${text} ${sentences[told]}`;
    if (longer.length > MAX_MESSAGE_LENGTH - 50) break;
    text = longer;
    told += 1;
  }
  const others = sentences.length - told;
  if (others === 0) return text;
  return `${text} ${others === 1 ? '1 more problem is' : `${others} more problems are`} not listed.`;
};

/** The paths that fit, without a part of a path. */
const joinPaths = (paths: readonly string[]): string => {
  let text = paths[0] ?? '';
  for (const path of paths.slice(1)) {
    if (text.length + path.length + 1 > MAX_ECHO_LENGTH) break;
    text += `,${path}`;
  }
  return text;
};

/** All problems of a request as a message and the arguments of the error. `field` is that of the first problem. */
export const describeProblems = (
  problems: readonly Problem[],
  subject: ProblemSubject = 'field',
): readonly [message: string, args: Texts] => {
  const literal = problems.find(({ message }) => isLiteral(message));
  if (literal !== undefined) return [literal.message, { field: literal.path }];
  if (problems.length === 0) return ['The request is not valid.', {}];
  const paths = [...new Set(problems.map(({ path }) => path).filter(path => path !== ''))];
  const [field] = paths;
  return [
    joinSentences([...new Set(problems.map(problem => toSentence(problem, subject)))]),
    {
      ...(field === undefined || problems[0]?.path === '' ? {} : { field }),
      ...(paths.length > 1 ? { fields: joinPaths(paths) } : {}),
    },
  ];
};
