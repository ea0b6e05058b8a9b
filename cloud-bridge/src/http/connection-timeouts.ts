/** For every HTTP server: how long a client may leave a request unfinished or a connection idle. */
export const connectionTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  /** Node checks the time of requests at this interval. */
  connectionsCheckingInterval: 5_000,
} as const;

/** A connection without any traffic, such as one whose client does not read the answer. */
export const IDLE_TIMEOUT_MS = 120_000;
