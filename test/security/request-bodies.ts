import { createECDH, randomBytes } from 'node:crypto';
import {
  TEST_PASSWORD,
  createRequestBodySchema,
  type DeclaredEndpoint,
  type JsonSchema,
} from '@lintel/cloud-bridge/testing';
import type { Tenant } from './tenant-fixture.ts';

/** A body that the endpoint accepts from its own organization, with an id in every field that takes one. */
export interface RequestBody {
  readonly body?: object;
  /** 200 unless given. Another status shows that the request has passed the authorization. */
  readonly status?: number;
}

type BodyBuilder = (ids: Tenant['ids']) => object | readonly RequestBody[];

const metadata = { source: 'suite' };
const weekdays = Array.from({ length: 7 }, () => ({ ranges: [] }));
const unused = (prefix: string): string => `${prefix}${randomBytes(7).toString('hex')}`;

const describedWithTags: BodyBuilder = ids => ({ metadata, tag_ids: [ids['tag']] });
const described: BodyBuilder = () => ({ metadata });

const permission = ({ gadget, schedule, site }: Tenant['ids']) => [
  { gadget_id: gadget, action_id: 'open', schedule_id: schedule },
  { site_id: site },
];
const groupBodies = (more: object, ids: Tenant['ids']): readonly RequestBody[] => [
  { body: { ...more, permissions: permission(ids), tag_ids: [ids['tag']] } },
  { body: { ...more, permissions: [{ member_group_id: ids['second_group'] }] } },
];

const triggerBodies: BodyBuilder = ({ gadget, schedule }) => {
  const target = { target_gadget_id: gadget, target_action_id: 'open' };
  return [
    { body: { ...target, source_type: 'state', source_gadget_id: gadget, source_state_id: 'unlocked' } },
    {
      body: {
        ...target,
        source_type: 'schedule',
        source_schedule_id: schedule,
        source_schedule_event: 'enter',
        source_gadget_id: null,
        source_state_id: null,
      },
    },
  ];
};

const rolloutBodies: BodyBuilder = ({ release, device, site }) =>
  [{ device_ids: [device] }, { site_id: site }].map(target => ({ body: { ...target, release_id: release } }));

const technicianKey = createECDH('prime256v1').generateKeys('base64url');

const archive = Buffer.from('not a release');

/** By method and path. The suite fails for a new endpoint with a body until it has an entry here. */
const builders: Readonly<Record<string, BodyBuilder>> = {
  'PATCH /v2/organization': described,
  'PATCH /v2/sites/:site_id': describedWithTags,
  'PATCH /v2/devices/:device_id': describedWithTags,
  'PATCH /v2/gadgets/:gadget_id': describedWithTags,
  'POST /v2/gadgets/:gadget_id/actions/:action_id/execute_as_member': ids => ({ member_id: ids['member'] }),
  'POST /v2/gadget_triggers': triggerBodies,
  'PATCH /v2/gadget_triggers/:gadget_trigger_id': triggerBodies,
  'POST /v2/members': ids => ({ name: 'Ann', tag_ids: [ids['tag']] }),
  'PATCH /v2/members/:member_id': ids => ({ name: 'Ann', tag_ids: [ids['tag']] }),
  'POST /v2/members/:member_id/emails': () => ({ email: `${unused('mail')}@example.test` }),
  'PATCH /v2/members/:member_id/emails/:member_email_id': described,
  'POST /v2/members/:member_id/magic_links': described,
  'PATCH /v2/members/:member_id/magic_links/:member_magic_link_id': described,
  'POST /v2/members/:member_id/pins': () => ({ length: 12 }),
  'PATCH /v2/members/:member_id/pins/:member_pin_id': described,
  'POST /v2/members/:member_id/cards': ids => ({ card_id: ids['card'] }),
  'PATCH /v2/members/:member_id/cards/:member_card_id': described,
  'POST /v2/members/:member_id/tokens': described,
  'PATCH /v2/members/:member_id/tokens/:member_token_id': described,
  'POST /v2/members/:member_id/group_associations': ids => ({ member_group_id: ids['member_group'] }),
  'PATCH /v2/members/:member_id/group_associations/:member_group_association_id': described,
  'POST /v2/member_groups': ids => groupBodies({ name: 'Staff' }, ids),
  'PATCH /v2/member_groups/:member_group_id': ids => groupBodies({}, ids),
  'POST /v2/schedules': () => ({ name: 'Night', weekdays }),
  'PATCH /v2/schedules/:schedule_id': () => ({ name: 'Night' }),
  'POST /v2/cards': ids => [{ body: { id: ids['stock_card'] } }, { body: { uid: unused('') } }],
  'PATCH /v2/cards/:card_id': () => ({ name: 'Blue' }),
  'POST /v2/tags': () => ({ name: 'VIP' }),
  'PATCH /v2/tags/:tag_id': () => ({ name: 'VIP' }),
  'POST /v2/webhooks': () => ({ url: 'http://hook.invalid/new', is_enabled: false }),
  'PATCH /v2/webhooks/:webhook_id': described,
  'POST /admin/v1/session/proof': () => ({ password: TEST_PASSWORD }),
  'POST /admin/v1/organizations': () => ({ name: 'New hotel' }),
  'PATCH /admin/v1/organizations/:organization_id': () => ({ name: 'Hotel' }),
  'PATCH /admin/v1/organizations/:organization_id/retention': () => ({ event_days: 365 }),
  'PATCH /admin/v1/organizations/:organization_id/desk_limits': ids => ({
    longest_stay_days: null,
    member_groups: [{ member_group_id: ids['member_group'], may_give: true }],
  }),
  'POST /admin/v1/organizations/:organization_id/users': ids => ({
    email: `${ids['account']}@example.test`,
    role: 'technician',
    site_ids: [ids['site']],
  }),
  'PATCH /admin/v1/organizations/:organization_id/users/:user_id': ids => ({
    role: 'technician',
    site_ids: [ids['site']],
  }),
  'POST /admin/v1/organizations/:organization_id/sites': ids => ({ name: 'Annex', tag_ids: [ids['tag']] }),
  'PATCH /admin/v1/organizations/:organization_id/sites/:site_id': ids => ({ name: 'Annex', tag_ids: [ids['tag']] }),
  'POST /admin/v1/organizations/:organization_id/devices': ids => ({
    site_id: ids['site'],
    hardware_id: ids['spare_hardware'],
    name: 'Back door',
    product_id: 'virtual',
    tag_ids: [ids['tag']],
    input_rules: [{ code: '', gadget_id: ids['gadget'], action_id: 'open' }],
  }),
  'PATCH /admin/v1/organizations/:organization_id/devices/:device_id': ids => ({ name: 'Gate', tag_ids: [ids['tag']] }),
  'POST /admin/v1/organizations/:organization_id/devices/:device_id/replace': ids => ({ hardware_id: ids['hardware'] }),
  'PUT /admin/v1/organizations/:organization_id/schedules/:schedule_id/exceptions/:date': () => ({ ranges: [] }),
  // The bridge of the suite has no mail server.
  'POST /admin/v1/organizations/:organization_id/members/:member_id/emails/:member_email_id/send': ids => [
    {
      body: { member_pin_ids: [ids['member_pin']], member_magic_link_ids: [ids['member_magic_link']] },
      status: 400,
    },
  ],
  // The controllers of the suite are offline.
  'POST /admin/v1/organizations/:organization_id/devices/:device_id/confirm': () => [{ body: {}, status: 404 }],
  'POST /admin/v1/organizations/:organization_id/devices/:device_id/report_stolen': () => ({ dry_run: true }),
  'POST /admin/v1/organizations/:organization_id/devices/:device_id/reject': () => [{ body: {}, status: 404 }],
  'POST /admin/v1/organizations/:organization_id/devices/:device_id/enroll_card': () => [{ body: {}, status: 503 }],
  'DELETE /admin/v1/organizations/:organization_id/devices/:device_id/enroll_card': () => [{ status: 503 }],
  'POST /admin/v1/organizations/:organization_id/devices/:device_id/keypad': () => [
    // Only virtual devices have a keypad in the API.
    { body: { keys: '1' }, status: 400 },
  ],
  'POST /admin/v1/organizations/:organization_id/member_import': ids => ({
    members: [{ line: 2, name: 'Ann', member_group_ids: [ids['member_group']] }],
    pin_length: 6,
    magic_links: true,
  }),
  'POST /admin/v1/organizations/:organization_id/card_stock': () => ({
    csv: `printed_code,uid\n${unused('code')},${randomBytes(7).toString('hex')}\n`,
  }),
  'POST /admin/v1/organizations/:organization_id/gadgets': ids => ({
    device_id: ids['virtual_device'],
    name: 'Gate',
    tag_ids: [ids['tag']],
  }),
  'PATCH /admin/v1/organizations/:organization_id/gadgets/:gadget_id': ids => ({ name: 'Gate', tag_ids: [ids['tag']] }),
  'PUT /admin/v1/organizations/:organization_id/devices/:device_id/input_rules': ids => ({
    input_rules: [{ code: '', gadget_id: ids['gadget'], action_id: 'open' }],
  }),
  'POST /admin/v1/organizations/:organization_id/devices/:device_id/input_rules/copy': ids => ({
    device_ids: [ids['virtual_device']],
  }),
  'POST /admin/v1/organizations/:organization_id/incidents/:incident_id/confirm_clock': () => ({
    time: '2026-06-01T10:00:00.000Z',
  }),
  'POST /admin/v1/organizations/:organization_id/access_check': ids => ({
    member_id: ids['member'],
    gadget_id: ids['gadget'],
    action_id: 'open',
    access_method: 'pin',
  }),
  'POST /admin/v1/organizations/:organization_id/claim_tickets': ids => ({
    site_id: ids['site'],
    device_id: ids['device'],
  }),
  'POST /admin/v1/organizations/:organization_id/technician_passes': ids => ({
    site_id: ids['site'],
    device_id: ids['device'],
    public_key: technicianKey,
  }),
  'POST /admin/v1/organizations/:organization_id/rollouts': rolloutBodies,
  // The webhook of the fixture is disabled, so that nothing is sent.
  'POST /v2/webhooks/:webhook_id/deliveries/:webhook_delivery_id/redeliver': () => [{ body: {}, status: 400 }],
  'POST /v2/webhooks/:webhook_id/test': () => [{ body: {}, status: 400 }],
  // A trigger uses the gadget of the fixture.
  'DELETE /admin/v1/organizations/:organization_id/gadgets/:gadget_id': () => [{ status: 400 }],
  // The release of the fixture is being rolled out.
  'DELETE /admin/v1/organizations/:organization_id/releases/:release_id': () => [{ status: 400 }],
  'POST /admin/v1/organizations/:organization_id/applications': () => ({ name: 'PMS' }),
  'POST /admin/v1/organizations/:organization_id/alert_rules': ({ site }) => ({
    name: 'Forced',
    kind: 'door_forced',
    site_id: site,
  }),
  'PATCH /admin/v1/organizations/:organization_id/alert_rules/:alert_rule_id': ({ site }) => ({ site_id: site }),
  'POST /admin/v1/organizations/:organization_id/tokens': () => ({ name: 'Export', scope: 'full_read_only' }),
  'PATCH /admin/v1/organizations/:organization_id/applications/:application_id': () => ({ name: 'PMS' }),
  'POST /admin/v1/organizations/:organization_id/releases': () => [{ body: archive, status: 400 }],
  'PUT /admin/v1/organizations/:organization_id/release_uploads/:digest': () => [{ body: archive }],
};

const hasFields = ({ body, acceptsBytes }: DeclaredEndpoint): boolean =>
  acceptsBytes === true ||
  (body !== undefined && Object.keys(createRequestBodySchema(body).properties ?? {}).length > 0);

const ID_PATTERN = /^\^[a-z]+_\[/;

/** The names of the fields that take an id. */
const idFieldsOf = ({ properties = {}, items, anyOf = [], pattern }: JsonSchema, name = ''): string[] => [
  ...(pattern !== undefined && ID_PATTERN.test(pattern) ? [name] : []),
  ...Object.entries(properties).flatMap(([field, schema]) => idFieldsOf(schema, field)),
  ...anyOf.flatMap(schema => idFieldsOf(schema, name)),
  ...(typeof items === 'object' ? idFieldsOf(items, name) : []),
];

/** Valid bodies for the endpoint; one without a body if it takes none. */
export const bodiesFor = (endpoint: DeclaredEndpoint, prefix: string, ids: Tenant['ids']): readonly RequestBody[] => {
  const name = `${endpoint.method} ${prefix}${endpoint.path}`;
  // Endpoints that both APIs share take the same bodies.
  const builder =
    builders[name] ??
    builders[
      name.replace(/\/admin\/v1\/organizations\/:organization_id(\/applications\/:application_id(?=\/))?/, '/v2')
    ];
  if (builder === undefined) {
    if (hasFields(endpoint)) throw new Error(`Add a builder for ${name} in test/security/request-bodies.ts`);
    return [endpoint.body === undefined ? {} : { body: {} }];
  }
  const built = builder(ids);
  const bodies = Array.isArray(built) ? (built as readonly RequestBody[]) : [{ body: built }];
  const text = JSON.stringify(bodies.map(({ body }) => body));
  const fields = endpoint.body === undefined ? [] : idFieldsOf(createRequestBodySchema(endpoint.body));
  const missing = fields.filter(field => !text.includes(JSON.stringify(field)));
  if (missing.length > 0) {
    throw new Error(`Add ${missing.join(', ')} to the builder for ${name} in test/security/request-bodies.ts`);
  }
  return bodies;
};
