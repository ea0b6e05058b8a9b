import { createRequestBodySchema, type JsonSchema } from '@lintel/cloud-bridge/testing';
import { parseRequestBody } from '@lintel/wire-protocol/rest/parse-request-body';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRoute, apiRoutes } from '../../security/api-routes.ts';
import { idPathsIn, send, urlOf } from '../../security/foreign-tenant-requests.ts';
import { bodiesFor } from '../../security/request-bodies.ts';
import { createTenant, type Tenant } from '../../security/tenant-fixture.ts';
import { TestBridge } from '../../support/bridge/test-bridge.ts';
import { iterations, runSeed } from '../../support/test-iterations-and-seed.ts';

/** One sentence, or several, each about a field that it names. */
const SENTENCES =
  /^(?:(?:The field '[^']+'|The body) (?:is|must|has|refers to|needs|overlaps|cannot) [^\n]*?[.?](?: (?=[A-Z])|$)[^\n]*)+$/;

/** The specification prints this message. */
const INVALID_EXPAND = /^Invalid expand '[^']*' for object '\w+'$/;

type Path = readonly (string | number)[];

/** Each is wrong for most fields. */
const wrongValues: readonly unknown[] = [
  null,
  7,
  -1.5,
  1e300,
  true,
  '',
  'x',
  'x'.repeat(20_000),
  [],
  ['x'],
  {},
  { x: 1 },
];

const alternativesOf = (schema: JsonSchema): readonly JsonSchema[] => [
  schema,
  ...(schema.anyOf ?? []).flatMap(alternativesOf),
];

/** The paths of all fields, with the first item of each list. */
const pathsIn = (schema: JsonSchema, path: Path = []): Path[] =>
  alternativesOf(schema).flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties).flatMap(([name, field]) => [[...path, name], ...pathsIn(field, [...path, name])]),
    ...(typeof items === 'object' ? [[...path, 0], ...pathsIn(items, [...path, 0])] : []),
  ]);

/** A copy of the body with the value at the path. Makes the objects and lists around it that are missing. */
const withValue = (body: unknown, [key, ...rest]: Path, value: unknown): unknown => {
  if (key === undefined) return value;
  const inner = (body as Record<string | number, unknown> | null | undefined)?.[key];
  const changed = withValue(inner, rest, value);
  if (typeof key === 'number') return Object.assign(Array.isArray(body) ? [...body] : [], { [key]: changed });
  return { ...(typeof body === 'object' && !Array.isArray(body) ? body : {}), [key]: changed };
};

interface ErrorBody {
  readonly type: string;
  readonly message: string;
  readonly args: Readonly<Record<string, string>>;
}

const isWithin = (field: string, path: Path): boolean =>
  field === path.join('.') || field.startsWith(`${path.join('.')}.`);

const headersOf = ({ prefix }: ApiRoute, { owner, client }: Tenant): Readonly<Record<string, string>> =>
  prefix === '/v2' ? { authorization: `Bearer ${client.token}` } : owner.headers;

const routes = apiRoutes.filter(({ endpoint: { body } }) => body !== undefined);

describe('error messages', () => {
  let bridge: TestBridge;
  let tenant: Tenant;
  beforeAll(async () => {
    bridge = await TestBridge.open();
    tenant = await createTenant(bridge, 'messages');
  });
  afterAll(() => bridge.close());

  const sendBody = async (route: ApiRoute, body: unknown): Promise<{ status: number; answer: ErrorBody }> => {
    const response = await send(bridge, route, urlOf(route, tenant), headersOf(route, tenant), body as object);
    return { status: response.statusCode, answer: response.json<ErrorBody>() };
  };

  /** What is wrong with an error; empty if it is a sentence that names the field. */
  const faultsOf = (sent: string, path: Path, { status, answer }: { status: number; answer: ErrorBody }): string[] => {
    const { type, message, args } = answer;
    const fields = [args['field'] ?? '', ...(args['fields'] ?? '').split(',')];
    const isSentence = SENTENCES.test(message) || INVALID_EXPAND.test(message);
    const isNamed = fields.some(field => isWithin(field, path));
    if (status === 400 && type === 'invalid_request' && isSentence && isNamed) return [];
    return [`${sent} ${path.join('.')}: ${status} ${JSON.stringify(answer)}`];
  };

  it('are sentences that name the field, for a wrong value in any field of any body', async () => {
    const share = iterations({ sample: 29, all: 1 });
    let turn = runSeed();
    let sent = 0;
    const faults: string[] = [];
    for (const route of routes) {
      const schema = route.endpoint.body!;
      const [valid = {}] = bodiesFor(route.endpoint, route.prefix, tenant.ids).map(({ body }) => body ?? {});
      for (const path of pathsIn(createRequestBodySchema(schema)))
        for (const value of wrongValues) {
          const body = withValue(valid, path, value);
          const parsed = parseRequestBody(schema, body);
          const isWrong = !parsed.ok && parsed.problems.some(problem => isWithin(problem.path, path));
          if (!isWrong || ++turn % share !== 0) continue;
          faults.push(
            ...faultsOf(`${route.name} ${JSON.stringify(body).slice(0, 300)}`, path, await sendBody(route, body)),
          );
          sent += 1;
        }
    }
    expect(sent).toBeGreaterThan(100);
    expect(faults).toEqual([]);
  });

  it('name the nearest field for a mistyped one', async () => {
    for (const route of routes) {
      const [name] = Object.keys(createRequestBodySchema(route.endpoint.body!).properties ?? {}).filter(
        field => field.length > 4 && field !== 'password',
      );
      if (name === undefined) continue;
      const typed = `${name}s`;
      const { answer } = await sendBody(route, { [typed]: 1 });
      expect(answer.message).toContain(`The field '${typed}' is not a known field. Did you mean '${name}'?`);
    }
  });

  it('are sentences that name the field, for an id of an object that does not exist', async () => {
    const ids = new Set(Object.values(tenant.ids));
    const faults: string[] = [];
    for (const route of routes)
      for (const { body = {} } of bodiesFor(route.endpoint, route.prefix, tenant.ids))
        for (const path of Buffer.isBuffer(body) ? [] : idPathsIn(body, ids)) {
          const known = path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], body);
          const unknown = String(known).replace(/_.*$/, '_unknown');
          const wrong = withValue(body, path, unknown);
          faults.push(...faultsOf(`${route.name} ${JSON.stringify(wrong)}`, path, await sendBody(route, wrong)));
        }
    expect(faults).toEqual([]);
  });

  it('tell all wrong fields of a body together', async () => {
    for (const route of routes) {
      const schema = route.endpoint.body!;
      const [valid = {}] = bodiesFor(route.endpoint, route.prefix, tenant.ids).map(({ body }) => body ?? {});
      const wrong = Object.keys(createRequestBodySchema(schema).properties ?? {})
        .filter(name => !parseRequestBody(schema, { ...valid, [name]: [[0]] }).ok)
        .slice(0, 3);
      const fields = [...wrong, 'unknown'];
      const body = { ...valid, ...Object.fromEntries(fields.map(name => [name, [[0]]])) };
      const { status, answer } = await sendBody(route, body);
      const told = { route: route.name, status, ...answer };
      expect(told).toMatchObject({ status: 400, message: expect.stringMatching(SENTENCES) });
      for (const field of fields) expect(told.message).toMatch(new RegExp(`The field '${field}(?:\\.\\d+)*' `));
      if (wrong.length > 0) expect(answer.args['fields']?.split(',').length).toBeGreaterThanOrEqual(fields.length);
    }
  });

  it.each<[name: string, bodyOf: (ids: Tenant['ids']) => object, fields: readonly string[]]>([
    [
      'POST /v2/members',
      () => ({ tag_ids: ['tag_unknown', 'tag_other'] }),
      ['tag_ids.0 refers to the tag tag_unknown', 'tag_ids.1 refers to the tag tag_other'],
    ],
    [
      'POST /v2/member_groups',
      ({ gadget }) => ({
        permissions: [
          { gadget_id: gadget, action_id: 'fly' },
          { site_id: 'site_unknown', schedule_id: 'sch_unknown' },
        ],
        tag_ids: ['tag_unknown'],
      }),
      [
        'permissions.1.site_id refers to the site site_unknown',
        'permissions.0.action_id must be the id of an action of the gadget',
        'permissions.1.schedule_id refers to the schedule sch_unknown',
        'tag_ids.0 refers to the tag tag_unknown',
      ],
    ],
    [
      'PATCH /v2/member_groups/:member_group_id',
      () => ({ permissions: [{ gadget_id: 'gad_unknown' }, { member_group_id: 'mg_unknown' }] }),
      [
        'permissions.0.gadget_id refers to the gadget gad_unknown',
        'permissions.1.member_group_id refers to the member group mg_unknown',
      ],
    ],
    [
      'POST /v2/gadget_triggers',
      ({ gadget }) => ({
        source_type: 'state',
        source_gadget_id: 'gad_unknown',
        source_state_id: 'unlocked',
        target_gadget_id: gadget,
        target_action_id: 'fly',
      }),
      ['target_action_id must be an action of the gadget', 'source_gadget_id refers to the gadget gad_unknown'],
    ],
    [
      'POST /admin/v1/organizations/:organization_id/devices',
      () => ({
        name: 'Gate',
        product_id: 'unknown',
        site_id: 'site_unknown',
        tag_ids: ['tag_unknown'],
      }),
      [
        'product_id refers to the product unknown',
        'site_id refers to the site site_unknown',
        'tag_ids.0 refers to the tag tag_unknown',
      ],
    ],
    [
      'PUT /admin/v1/organizations/:organization_id/devices/:device_id/input_rules',
      ({ gadget }) => ({
        input_rules: [
          { code: '1', gadget_id: 'gad_unknown', action_id: 'open' },
          { code: '12', gadget_id: gadget, action_id: 'fly' },
        ],
      }),
      [
        'input_rules.0.gadget_id refers to the gadget gad_unknown',
        'input_rules.1.action_id is not an action of this gadget: it has open, hold',
        'input_rules.1.code must not be "12"',
      ],
    ],
    [
      'POST /admin/v1/organizations/:organization_id/users',
      () => ({ email: 'nobody', role: 'technician', site_ids: ['site_unknown', 'site_other'] }),
      [
        'email must be an email address',
        'site_ids.0 refers to the site site_unknown',
        'site_ids.1 refers to the site site_other',
      ],
    ],
    [
      'POST /admin/v1/organizations/:organization_id/claim_tickets',
      () => ({ site_id: 'site_unknown', device_id: 'dev_unknown' }),
      ['site_id refers to the site site_unknown', 'device_id refers to the device dev_unknown'],
    ],
    [
      'POST /admin/v1/organizations/:organization_id/rollouts',
      ({ release }) => ({ release_id: release, device_ids: ['dev_unknown', 'dev_other'] }),
      ['device_ids.0 refers to the device dev_unknown', 'device_ids.1 refers to the device dev_other'],
    ],
  ])('tell all wrong references of %s together', async (name, bodyOf, told) => {
    const { answer } = await sendBody(routes.find(route => route.name === name)!, bodyOf(tenant.ids));
    const paths = told.map(text => text.slice(0, text.indexOf(' ')));
    expect(answer).toMatchObject({ type: 'invalid_request', message: expect.stringMatching(SENTENCES) });
    expect([answer.args['field'], answer.args['fields']]).toEqual([
      paths[0],
      paths.length > 1 ? paths.join(',') : undefined,
    ]);
    for (const [index, text] of told.entries())
      expect(answer.message).toContain(text.replace(paths[index]!, `The field '${paths[index]}'`));
  });

  it('names both codes of a card that are in use', async () => {
    const codes = { uid: '04a1b2c3d4e5f6', printed_code: 'A-1' };
    const [first, second] = [
      await tenant.client.callOk('POST', '/cards', { uid: codes.uid }),
      await tenant.client.callOk('POST', '/cards', { uid: '04a1b2c3d4e5f7', printed_code: codes.printed_code }),
    ];
    expect((await tenant.client.call('POST', '/cards', codes)).body).toEqual({
      type: 'invalid_request',
      message:
        `The field 'uid' is already in use by the card ${first.id}. ` +
        `The field 'printed_code' is already in use by the card ${second.id}.`,
      args: { field: 'uid', id: first.id, fields: 'uid,printed_code' },
    });
  });

  it('are sentences for addresses, parameters and tokens', async () => {
    const { client } = tenant;
    const message = async (path: string): Promise<unknown> => (await client.call('GET', path)).body['message'];
    expect([
      await message('/members?limit=0&sort=nmae:asc'),
      await message('/members?emial=a'),
      await message('/members/mem_unknown'),
      await message(`/members/${tenant.ids['member']}?expnad=pins`),
      await message('/members?expand=pinz'),
      await message('/nothing'),
      await message('/members?cursor=x'),
    ]).toEqual([
      "The parameter 'limit' must be a whole number from 1 to 100. The parameter 'sort' must be one of id, created_at, name, " +
        'starts_at, ends_at, followed by :asc or :desc.',
      "The parameter 'emial' is not a supported filter. Did you mean 'email'?",
      'The member mem_unknown does not exist.',
      "The parameter 'expnad' is not a supported parameter. Did you mean 'expand'?",
      "Invalid expand 'pinz' for object 'member'",
      'This address does not exist.',
      "The parameter 'cursor' must be the 'cursor_next' of a page of this list with the same filters and the same sort.",
    ]);
  });
});
