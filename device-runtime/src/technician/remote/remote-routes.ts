/**
 * What a technician may do remotely. Everything else is for the door: what lets somebody in or changes what the board
 * is, and whatever carries a PIN or a uid, which a broker in between could read.
 */
const allowed: readonly string[] = [
  'GET /hello',
  'GET /status',
  'GET /events',
  'GET /health',
  'GET /doctor',
  'GET /tests',
  'POST /tests',
  'GET /report',
  'GET /support_bundle',
  'GET /input_rules',
  'PUT /input_rules',
  'POST /input_rules/check',
  'POST /input_rules/confirm',
  'POST /input_rules/revert',
  'POST /input_rules/conflict',
  'POST /input_rules/copy',
  'GET /commissioning',
  'POST /gadgets/*/actions/*',
  'POST /outputs/*/pulse',
  'POST /stations/*/feedback',
];

const forms = allowed.map(one => new RegExp(`^${one.replaceAll('*', '[^/]+')}$`));

/** `path` is below the API's root, without its query. */
export const isRemoteRoute = (method: string, path: string): boolean =>
  forms.some(form => form.test(`${method} ${path.length > 1 ? path.replace(/\/$/, '') : path}`));
