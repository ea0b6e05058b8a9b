/** Figures of an event of a controller. */
interface ControllerEventFigures {
  /** Lost events. */
  readonly lost: number;
  /** Some of them may never have existed. */
  readonly isAtMost: boolean;
  /** The number of the last event that arrived. */
  readonly lastReceived: string;
}

const by = (method: string | null): string => (method === null ? '' : ` ${method}`);

/** Texts for the sentence about an event. */
export const eventsMessages = {
  allActivity: 'All activity',
  noActivity: 'No activity yet.',
  someone: 'Someone',
  application: (name: string) => `${name} (application)`,
  /** The application of tokens for scripts and of the command line. */
  script: 'A script',
  controller: (name: string) => `The controller ${name}`,
  unknownDoor: 'A door',
  system: 'Lintel',
  opened: (who: string, door: string, method: string | null) => `${who} opened ${door}${by(method)}`,
  usedAction: (who: string, action: string, door: string, method: string | null) =>
    `${who} used “${action}” on ${door}${by(method)}`,
  denied: (who: string, door: string, method: string | null, reason: string) =>
    `${door} denied access to ${who}${by(method)}: ${reason}`,
  deniedUnknown: (door: string, method: string | null, reason: string) =>
    `${door} denied access${by(method)}: ${reason}`,
  state: (door: string, state: string) => `${door}: ${state}`,
  signal: (door: string, signal: string) => `${door} reports: ${signal}`,
  changed: {
    create: (who: string, what: string) => `${who} created ${what}`,
    edit: (who: string, what: string) => `${who} changed ${what}`,
    delete: (who: string, what: string) => `${who} deleted ${what}`,
    reveal: (who: string, what: string) => `${who} viewed ${what}`,
    use: (who: string, what: string) => `${who} used ${what}`,
    check: (who: string, what: string) => `${who} checked ${what}`,
    deny: (who: string, what: string) => `${who} was denied ${what}`,
  } as Readonly<Record<string, (who: string, what: string) => string>>,
  /** Changes with a sentence of their own, by the reason of the event. */
  changedBecause: {
    alert_rule_created: (who: string) => `${who} created an alert rule`,
    alert_rule_edited: (who: string) => `${who} changed an alert rule`,
    alert_rule_deleted: (who: string) => `${who} deleted an alert rule`,
    erased: (who: string) => `${who} erased the personal data of a member`,
    secret_rotated: (who: string, what: string) => `${who} rotated the secret of ${what}`,
    guest_page: (who: string, what: string) => `${who} looked at ${what} on the guest page`,
    sent_by_email: (who: string, what: string) => `${who} sent ${what} by email`,
    token_created: (who: string) => `${who} created an access token`,
    token_revoked: (who: string) => `${who} revoked an access token`,
  } as Readonly<Record<string, (who: string, what: string) => string>>,
  /** Changes with a sentence of their own, by verb and type of the object. */
  changedObject: {
    'use claim_ticket': () => 'A controller was claimed',
    'create hardware': () => 'The hardware of a controller was registered',
  } as Readonly<Record<string, (who: string, what: string) => string>>,
  /** A person joins or leaves a group. */
  membership: {
    create: (who: string, member: string, group: string) => `${who} added ${member} to the group ${group}`,
    edit: (who: string, member: string, group: string) => `${who} changed the membership of ${member} in ${group}`,
    delete: (who: string, member: string, group: string) => `${who} removed ${member} from the group ${group}`,
  } as Readonly<Record<string, (who: string, member: string, group: string) => string>>,
  named: (type: string, name: string) => `${type} ${name}`,
  ofMember: (type: string, member: string) => `${type} of ${member}`,
  deviceReasons: {
    online: (device: string) => `${device} is online`,
    offline: (device: string) => `${device} is offline`,
    events_lost: (device: string, { lost, isAtMost }: ControllerEventFigures) =>
      `${device} ${isAtMost ? 'may have lost up to' : 'lost'} ${lost} ${lost === 1 ? 'event' : 'events'}`,
    fault: (device: string) => `${device} reports a fault`,
    status: (device: string) => `${device} has a new status`,
    rules_edited: (device: string) => `The input rules of ${device} were changed on site`,
    controller_waits: (device: string) => `A replacement of ${device} waits for a confirmation`,
    controller_confirmed: (device: string) => `The controller of ${device} was confirmed`,
    controller_replaced: (device: string, { lastReceived }: ControllerEventFigures) =>
      `The controller of ${device} was replaced. Events of the old controller after number ${lastReceived} may be missing`,
    controller_rejected: (device: string) => `The controller of ${device} was rejected`,
    replaced_controller_login: (device: string) => `A replaced controller of ${device} tried to log in`,
    controller_stolen: (device: string) => `The controller of ${device} was reported as stolen`,
  } as Readonly<Record<string, (device: string, figures: ControllerEventFigures) => string>>,
  methods: {
    pin: 'with a PIN',
    card: 'with a card',
    mobile_nfc: 'with a phone',
    bluetooth: 'over Bluetooth',
    online: 'remotely',
  } as Readonly<Record<string, string>>,
  reasons: {
    member_deleted: 'the member is deleted',
    member_not_started: 'access has not started yet',
    member_ended: 'access has ended',
    no_group: 'no group is valid now',
    no_matching_rule: 'no group allows this door',
    method_not_allowed: 'the method is not allowed',
    out_of_schedule: 'outside the schedule',
    not_present: 'not at the site',
    unknown_credential: 'unknown credential',
    no_input_rule: 'no door was selected',
    locked_out: 'the keypad is locked after too many wrong entries',
    time_untrusted: 'the controller does not know the time',
  } as Readonly<Record<string, string>>,
  types: {
    device: 'the controller',
    gadget: 'the door',
    member: 'the member',
    member_email: 'an email address',
    member_magic_link: 'a magic link',
    member_group: 'the group',
    member_group_association: 'a group membership',
    member_pin: 'a PIN',
    member_card: 'a card',
    member_token: 'a phone key',
    organization: 'the organization',
    site: 'the site',
    webhook: 'a webhook',
    hardware: 'hardware',
    card: 'the card',
    schedule: 'the schedule',
    tag: 'the tag',
    gadget_trigger: 'a trigger',
    user: 'the user',
    oauth_application: 'the application',
    claim_ticket: 'a claim ticket',
    technician_pass: 'a technician pass',
  } as Readonly<Record<string, string>>,
};
