export type TechnicianApiError =
  /** No response: the controller restarts, or the phone has left the network. */
  | { readonly kind: 'offline' }
  | {
      readonly kind: 'rejected';
      readonly status: number;
      readonly type: string;
      readonly message: string;
      readonly args: Readonly<Record<string, string>>;
      readonly retry_after_s: number | null;
    };

export type TechnicianApiResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: TechnicianApiError };

const textOf = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Accepts any body, because a proxy or a captive portal may respond instead of the controller. */
export const parseTechnicianApiError = (
  status: number,
  body: unknown,
  retryAfter: string | null,
): TechnicianApiError => {
  const { type, message, args } = recordOf(body);
  const seconds = Number(retryAfter ?? Number.NaN);
  return {
    kind: 'rejected',
    status,
    type: textOf(type, 'internal'),
    message: textOf(message, `HTTP ${status}`),
    args: Object.fromEntries(Object.entries(recordOf(args)).map(([key, value]) => [key, String(value)])),
    retry_after_s: Number.isFinite(seconds) ? seconds : null,
  };
};

export const isTechnicianApiRejectionWith = (error: TechnicianApiError, status: number, reason?: string): boolean =>
  error.kind === 'rejected' && error.status === status && (reason === undefined || error.args['reason'] === reason);
