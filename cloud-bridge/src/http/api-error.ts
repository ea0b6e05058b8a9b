import { parseIdKind } from '@lintel/access-core/ids';
import { isInUse, joinWords, refersToNothing } from '@lintel/access-core/problem-texts';
import { MAX_REPORTED_PROBLEMS } from '@lintel/access-core/problem-list';
import { createProblem, type Problem, type Result } from '@lintel/access-core/result';
import { HttpErrorFactory } from '@lintel/service/http/http-error-factory';
import { type ApiErrorType, apiErrorTypes } from '@lintel/wire-protocol/rest/api-error-types';
import {
  BaseApiError,
  describeProblems,
  endSentence,
  type ProblemSubject,
} from '@lintel/wire-protocol/rest/base-api-error';

type Texts = Readonly<Record<string, string>>;

export class ApiError extends BaseApiError<ApiErrorType> {
  constructor(type: ApiErrorType, message: string, args: Texts = {}, headers: Texts = {}) {
    super(type, endSentence(message), args, headers);
  }

  get status(): number {
    return apiErrorTypes[this.type];
  }
}

/** One or more fields of a body, or parameters of an address, are invalid. */
export class InvalidFieldsError extends ApiError {
  readonly problems: readonly Problem[];

  /** `args` belong to the first problem. */
  constructor(problems: readonly Problem[], subject: ProblemSubject = 'field', args: Texts = {}) {
    const [message, fields] = describeProblems(problems, subject);
    super('invalid_request', message, { ...fields, ...args });
    this.problems = problems;
  }
}

/** `member_group` as `member group`. */
const nameOfKind = (kind: string): string => kind.replaceAll('_', ' ').replace(/\bpin$/, 'PIN');

/** The kind of an object with its id, such as `the card crd_1`. */
const nameWithId = (kind: string, id: string): string => `the ${nameOfKind(kind)} ${id}`;

export const createNotFoundError = (kind: string, id: string): ApiError =>
  new ApiError('not_found', `The ${nameOfKind(kind)} ${id} does not exist`, { id });

/** `problem` follows "The field 'name'". If it begins with a capital letter, it is a sentence of its own. */
export const createInvalidFieldError = (field: string, problem: string, args: Texts = {}): InvalidFieldsError =>
  new InvalidFieldsError([createProblem(field, 'invalid', problem)], 'field', args);

/** Like `createInvalidFieldError`, for a parameter of an address. */
export const createInvalidParameterError = (name: string, problem: string, args: Texts = {}): InvalidFieldsError =>
  new InvalidFieldsError([createProblem(name, 'invalid', problem)], 'parameter', args);

/** For an object that does not exist, is deleted, or belongs to another organization. */
export const createUnknownReferenceError = (
  field: string,
  id: string,
  kind: string = parseIdKind(id) ?? 'object',
): InvalidFieldsError => createInvalidFieldError(field, refersToNothing(nameOfKind(kind), id), { id });

/** `args.id` is the id of the user. */
export const createValueInUseError = (field: string, kind: string, id: string, args: Texts = {}): InvalidFieldsError =>
  createInvalidFieldError(field, isInUse(nameWithId(kind, id)), { id, ...args });

const MAX_NAMED = 5;

/** Names the first few and counts the others. */
export const listNames = (names: readonly string[]): string => {
  const more = names.length - MAX_NAMED;
  return joinWords([...names.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])]);
};

/** What uses an object keeps it from being deleted. `id` is that of the first user. */
export const createInUseError = (field: string, id: string, users: readonly string[]): ApiError =>
  createInvalidFieldError(
    field,
    `is still in use by ${listNames(users)}. Remove these first, or send force=true to remove them too`,
    { id },
  );

export const unwrapOrThrow = <T>(result: Result<T>, subject: ProblemSubject = 'field'): T => {
  if (result.ok) return result.value;
  throw new InvalidFieldsError(result.problems, subject);
};

type Checks = readonly (() => unknown)[];
type CheckResults<T extends Checks> = { -readonly [K in keyof T]: Awaited<ReturnType<T[K]>> };

/** Runs all checks and returns their results, or throws one error with the invalid fields of all. */
export const checkAll = async <const T extends Checks>(checks: T): Promise<CheckResults<T>> => {
  const results: unknown[] = [];
  const failed: InvalidFieldsError[] = [];
  for (const check of checks) {
    try {
      results.push(await check());
    } catch (error) {
      if (!(error instanceof InvalidFieldsError)) throw error;
      failed.push(error);
      if (failed.length === MAX_REPORTED_PROBLEMS) break;
    }
  }
  const [first] = failed;
  if (first === undefined) return results as CheckResults<T>;
  if (failed.length === 1) throw first;
  const { fields: _, ...args } = first.args;
  throw new InvalidFieldsError(
    failed.flatMap(({ problems }) => problems),
    'field',
    args,
  );
};

export const apiErrorFactory = new HttpErrorFactory(ApiError);
