import type { Problem } from '@lintel/access-core/result';
import { technicianErrorTypes, type TechnicianErrorType } from '@lintel/wire-protocol/technician/errors';

/** An answer that is not 2xx. What is thrown as anything else becomes `internal`, with nothing of it shown. */
export class TechnicianError extends Error {
  override readonly name = 'TechnicianError';
  readonly type: TechnicianErrorType;
  readonly args: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    type: TechnicianErrorType,
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
    return technicianErrorTypes[this.type];
  }

  get body(): { type: string; message: string; args: Readonly<Record<string, string>> } {
    return { type: this.type, message: this.message, args: this.args };
  }
}

const sentence = ({ path, message }: Problem): string => (path === '' ? message : `${path} ${message}`);

/** The first problem is the message; a person who mends it is told of the next. */
export const invalidRequest = (problems: readonly Problem[]): TechnicianError => {
  const [first] = problems;
  if (first === undefined) return new TechnicianError('invalid_request', 'The request is not valid');
  return new TechnicianError('invalid_request', sentence(first), first.path === '' ? {} : { field: first.path });
};

/** For an address whose methods are others; none where there is nothing at all. */
export const notServed = (methods: readonly string[]): TechnicianError => {
  if (methods.length === 0) return new TechnicianError('not_found', 'There is nothing at this address');
  const allow = methods.join(', ');
  return new TechnicianError('method_not_allowed', `Allowed here: ${allow}`, {}, { allow });
};
