interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/technician/v1`, with `:name` for each parameter. */
  readonly path: string;
}

/** Operations of the technician API that are also available through the bridge. */
export const remoteTechnicianOperations = {
  get_hello: { method: 'GET', path: '/hello' },
  get_status: { method: 'GET', path: '/status' },
  get_health: { method: 'GET', path: '/health' },
  get_doctor: { method: 'GET', path: '/doctor' },
  get_report: { method: 'GET', path: '/report' },
  get_support_bundle: { method: 'GET', path: '/support_bundle' },
  list_events: { method: 'GET', path: '/events' },
  list_tests: { method: 'GET', path: '/tests' },
  record_test: { method: 'POST', path: '/tests' },
  get_input_rules: { method: 'GET', path: '/input_rules' },
  set_input_rules: { method: 'PUT', path: '/input_rules' },
  check_input_rules: { method: 'POST', path: '/input_rules/check' },
  confirm_input_rules: { method: 'POST', path: '/input_rules/confirm' },
  revert_input_rules: { method: 'POST', path: '/input_rules/revert' },
  resolve_rule_conflict: { method: 'POST', path: '/input_rules/conflict' },
  copy_input_rules: { method: 'POST', path: '/input_rules/copy' },
  confirm_rules_copy: { method: 'POST', path: '/input_rules/copy/confirm' },
  revert_rules_copy: { method: 'POST', path: '/input_rules/copy/revert' },
  get_commissioning: { method: 'GET', path: '/commissioning' },
  run_action: { method: 'POST', path: '/gadgets/:gadget_id/actions/:action_id' },
  pulse_output: { method: 'POST', path: '/outputs/:output/pulse' },
  play_feedback: { method: 'POST', path: '/stations/:station/feedback' },
  watch_live: { method: 'GET', path: '/live' },
  /** See `…/devices/{device_id}/enroll_card` of the admin API. */
  enroll_card: { method: 'POST', path: '/enroll_card' },
  cancel_card_enrollment: { method: 'DELETE', path: '/enroll_card' },
} as const satisfies Record<string, Operation>;
export type RemoteTechnicianOperation = keyof typeof remoteTechnicianOperations;

/** Operations that the bridge sends for the admin API. Remote technicians cannot request them. */
export const bridgeOnlyTechnicianOperations: readonly RemoteTechnicianOperation[] = [
  'enroll_card',
  'cancel_card_enrollment',
];

export const remoteTechnicianOperationNames = Object.keys(remoteTechnicianOperations) as [
  RemoteTechnicianOperation,
  ...RemoteTechnicianOperation[],
];

/**
 * Operations that require the technician to be at the controller: they let a person in, change what the controller is
 * or belongs to, or carry a PIN or a card number.
 */
export const localOnlyTechnicianOperations: readonly Operation[] = [
  { method: 'POST', path: '/challenge' },
  { method: 'POST', path: '/login' },
  { method: 'POST', path: '/logout' },
  { method: 'GET', path: '/claim' },
  { method: 'POST', path: '/claim' },
  { method: 'PUT', path: '/profile' },
  { method: 'GET', path: '/pcsc_readers' },
  { method: 'POST', path: '/pcsc_readers/:reader/assign' },
  { method: 'POST', path: '/readers/:station/next_card' },
  { method: 'POST', path: '/input_rules/try' },
  { method: 'POST', path: '/commissioning' },
  { method: 'DELETE', path: '/commissioning' },
];
