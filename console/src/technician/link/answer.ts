/** Why there is no answer to use. */
export type Failure =
  /** Nobody answered: the controller restarts, or the phone has left the network. */
  | { readonly kind: 'offline' }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly type: string;
      readonly message: string;
      readonly args: Readonly<Record<string, string>>;
      readonly retry_after_s: number | null;
    };

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

const textOf = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** A proxy or a captive portal may answer in the controller's place, with anything. */
export const refusalOf = (status: number, body: unknown, retryAfter: string | null): Failure => {
  const { type, message, args } = recordOf(body);
  const seconds = Number(retryAfter ?? Number.NaN);
  return {
    kind: 'refused',
    status,
    type: textOf(type, 'internal'),
    message: textOf(message, `HTTP ${status}`),
    args: Object.fromEntries(Object.entries(recordOf(args)).map(([key, value]) => [key, String(value)])),
    retry_after_s: Number.isFinite(seconds) ? seconds : null,
  };
};

export const isRefusedWith = (failure: Failure, status: number, reason?: string): boolean =>
  failure.kind === 'refused' &&
  failure.status === status &&
  (reason === undefined || failure.args['reason'] === reason);
