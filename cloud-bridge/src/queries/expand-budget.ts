import { ApiError } from '../http/api-error.ts';

/** Limits of one response with expands. An object that appears twice in the response counts twice. */
const expandLimits = { objects: 20_000, bytes: 8 * 1024 * 1024 } as const;

/** A position in the expand tree. */
export interface ExpandPath {
  readonly parent: ExpandPath | null;
  readonly name: string;
}

const MAX_SHOWN_LENGTH = 200;

const toText = (path: ExpandPath): string => {
  const names: string[] = [];
  for (let at: ExpandPath | null = path; at !== null; at = at.parent) names.push(at.name);
  const text = names.reverse().join('.');
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
};

export class ExpandBudgetError extends ApiError {
  constructor(path: ExpandPath) {
    super(
      'invalid_request',
      `The expand '${toText(path)}' makes the response larger than 20,000 objects or 8 MiB. ` +
        'Expand fewer levels or request smaller pages',
      { field: 'expand' },
    );
  }
}

/** Counts the objects and bytes of a response while it is built. */
export class ExpandBudget {
  #objects = 0;
  #bytes = 0;

  get remainingObjects(): number {
    return expandLimits.objects - this.#objects;
  }

  /** Adds `count` copies of an object or key with this JSON size. `path` names the expand for the error. */
  add(path: ExpandPath, { count, objects, bytes }: Readonly<Record<'count' | 'objects' | 'bytes', number>>): void {
    this.#objects += count * objects;
    this.#bytes += count * bytes;
    if (this.#objects > expandLimits.objects || this.#bytes > expandLimits.bytes) throw new ExpandBudgetError(path);
  }
}
