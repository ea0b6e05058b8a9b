/** Every type of error that a controller answers a technician with, and its status. The body is that of the API. */
export const technicianErrorTypes = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  /** Something else has changed meanwhile, or stands in the way right now: `args.reason` says what. */
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
} as const;
export type TechnicianErrorType = keyof typeof technicianErrorTypes;
