/** Error types of the technician API with their HTTP status. The body is that of the REST API. */
export const technicianErrorTypes = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  /** Another change or condition conflicts: see `args.reason`. */
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
} as const;
export type TechnicianErrorType = keyof typeof technicianErrorTypes;
