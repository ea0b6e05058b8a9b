import type { AdminPermission } from '../permissions/admin-permissions.ts';

interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/technician/v1`, with `:name` for each parameter. */
  readonly path: string;
  /** It can switch an output, so that a door can open. */
  readonly movesStrike?: true;
}

/** What the role of a user, or the scope of a token, must permit so that the bridge forwards the operation. */
interface RemoteOperation extends Operation {
  readonly needs: readonly [AdminPermission, ...AdminPermission[]];
}

/** A user who may have a technician pass for the site may do remotely most of what the pass allows at the door. */
const technician = ['input_rules.write'] as const;
/** Shows who was where: events of members and their credentials. */
const eventReader = ['input_rules.write', 'events.read'] as const;
/** Opens doors. The bridge authorizes each request as it authorizes an action of the API. */
const operator = ['input_rules.write', 'gadgets.execute'] as const;

/** Operations of the technician API that are also available through the bridge. */
export const remoteTechnicianOperations = {
  get_hello: { method: 'GET', path: '/hello', needs: technician },
  get_status: { method: 'GET', path: '/status', needs: technician },
  get_health: { method: 'GET', path: '/health', needs: technician },
  get_doctor: { method: 'GET', path: '/doctor', needs: technician },
  get_report: { method: 'GET', path: '/report', needs: technician },
  get_support_bundle: { method: 'GET', path: '/support_bundle', needs: eventReader },
  list_events: { method: 'GET', path: '/events', needs: eventReader },
  list_tests: { method: 'GET', path: '/tests', needs: technician },
  record_test: { method: 'POST', path: '/tests', needs: technician },
  get_input_rules: { method: 'GET', path: '/input_rules', needs: technician },
  set_input_rules: { method: 'PUT', path: '/input_rules', needs: technician },
  check_input_rules: { method: 'POST', path: '/input_rules/check', needs: technician },
  confirm_input_rules: { method: 'POST', path: '/input_rules/confirm', needs: technician },
  revert_input_rules: { method: 'POST', path: '/input_rules/revert', needs: technician },
  resolve_rule_conflict: { method: 'POST', path: '/input_rules/conflict', needs: technician },
  copy_input_rules: { method: 'POST', path: '/input_rules/copy', needs: technician },
  confirm_rules_copy: { method: 'POST', path: '/input_rules/copy/confirm', needs: technician },
  undo_rules_copy: { method: 'POST', path: '/input_rules/copy/undo', needs: technician },
  revert_rules_copy: { method: 'POST', path: '/input_rules/copy/revert', needs: technician },
  get_commissioning: { method: 'GET', path: '/commissioning', needs: technician },
  run_action: {
    method: 'POST',
    path: '/gadgets/:gadget_id/actions/:action_id',
    needs: operator,
    movesStrike: true,
  },
  pulse_output: { method: 'POST', path: '/outputs/:output/pulse', needs: operator, movesStrike: true },
  play_feedback: { method: 'POST', path: '/stations/:station/feedback', needs: technician },
  watch_live: { method: 'GET', path: '/live', needs: eventReader },
  /** See `…/devices/{device_id}/enroll_card` of the admin API. */
  enroll_card: { method: 'POST', path: '/enroll_card', needs: ['cards.write'] },
  cancel_card_enrollment: { method: 'DELETE', path: '/enroll_card', needs: ['cards.write'] },
} as const satisfies Record<string, RemoteOperation>;
export type RemoteTechnicianOperation = keyof typeof remoteTechnicianOperations;

/** Operations that the bridge forwards only with a proof that it has authorized the strike. */
export type StrikeOperation = {
  [K in RemoteTechnicianOperation]: (typeof remoteTechnicianOperations)[K] extends { readonly movesStrike: true }
    ? K
    : never;
}[RemoteTechnicianOperation];

export const isStrikeOperation = (operation: RemoteTechnicianOperation): operation is StrikeOperation =>
  'movesStrike' in remoteTechnicianOperations[operation];

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
  { method: 'POST', path: '/profile/check' },
  { method: 'GET', path: '/pcsc_readers' },
  { method: 'POST', path: '/pcsc_readers/:reader/assign' },
  { method: 'GET', path: '/osdp_readers' },
  { method: 'POST', path: '/osdp_readers/:reader/replace' },
  { method: 'DELETE', path: '/osdp_readers/:reader/replace' },
  { method: 'POST', path: '/readers/:station/next_card' },
  { method: 'POST', path: '/input_rules/try' },
  { method: 'POST', path: '/commissioning' },
  { method: 'DELETE', path: '/commissioning' },
];
