import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DemoProcess } from '../support/processes/demo-process.ts';
import { runLintel } from '../support/processes/lintel-command.ts';

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
}

interface Operation {
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly in: string; readonly description: string }>;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Page {
  readonly data: ReadonlyArray<{ readonly id?: string }>;
}

/** Rejects fields that the document does not declare. */
const closed = (document: Document): Document => {
  const close = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(close);
    if (typeof value !== 'object' || value === null) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, close(inner)]));
    const isObject = typeof copy['properties'] === 'object' && Object.keys(copy['properties'] ?? {}).length > 0;
    return isObject && copy['type'] === 'object' && copy['additionalProperties'] === undefined
      ? { ...copy, additionalProperties: false }
      : copy;
  };
  return close(document) as Document;
};

/** Everything that the GET endpoints of one API of a running demo answer, judged by its OpenAPI document. */
class AnswerCheck {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #document: Document;
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  readonly #constants: Readonly<Record<string, string>>;
  readonly checked = new Set<string>();
  /** Paths without an object in the demo. */
  readonly skipped = new Set<string>();

  private constructor(
    base: string,
    headers: Readonly<Record<string, string>>,
    document: Document,
    constants: Readonly<Record<string, string>>,
  ) {
    this.#base = base;
    this.#headers = headers;
    this.#document = closed(document);
    this.#constants = constants;
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.#ajv.addSchema({ $id: 'document', components: this.#document.components });
  }

  static async open(
    base: string,
    headers: Readonly<Record<string, string>>,
    constants: Readonly<Record<string, string>> = {},
  ): Promise<AnswerCheck> {
    const document = (await (await fetch(`${base}/openapi.json`, { headers })).json()) as Document;
    return new AnswerCheck(base, headers, document, constants);
  }

  get documentedPaths(): readonly string[] {
    return Object.keys(this.#document.paths).filter(path => this.#document.paths[path]!['get'] !== undefined);
  }

  #validatorOf(reference: string): ValidateFunction {
    const cached = this.#validators.get(reference);
    if (cached !== undefined) return cached;
    const validator = this.#ajv.compile({ $ref: `document${reference}` });
    this.#validators.set(reference, validator);
    return validator;
  }

  async read(path: string): Promise<unknown> {
    const answer = await fetch(this.#base + path, { headers: this.#headers });
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}`);
    return answer.json();
  }

  /** Reads a path and checks the answer. */
  async check(template: string, path: string): Promise<unknown> {
    const schema = this.#document.paths[template]!['get']!.responses['200']?.content?.['application/json']?.schema;
    if (schema === undefined) return null;
    const body = await this.read(path);
    const validate = this.#validatorOf(schema.$ref ?? '');
    if (!validate(body)) throw new Error(`${path}: ${JSON.stringify(validate.errors)}`);
    this.checked.add(template);
    return body;
  }

  /** The paths of a template with the ids of objects of the demo, at most a few for each. */
  async fill(template: string, most = 3): Promise<readonly string[]> {
    const last = template.lastIndexOf('{');
    if (last < 0) return [template];
    const end = template.indexOf('}', last);
    const name = template.slice(last + 1, end);
    const list = template.slice(0, last - 1);
    const rest = template.slice(end + 1);
    const constant = this.#constants[name];
    const parents = await this.fill(list, most);
    const hasList = this.#document.paths[list]?.['get'] !== undefined;
    if (constant !== undefined && !hasList) return parents.map(parent => `${parent}/${constant}${rest}`);
    const filled: string[] = [];
    for (const parent of hasList ? parents : []) {
      const { data = [] } = (await this.read(parent)) as Partial<Page>;
      filled.push(...data.flatMap(({ id }) => (id === undefined ? [] : `${parent}/${id}${rest}`)));
    }
    return filled.slice(0, most);
  }

  /** All endpoints, with each expand by itself. */
  async checkAll(): Promise<void> {
    for (const template of this.documentedPaths) {
      const paths = await this.fill(template);
      if (paths.length === 0) this.skipped.add(template);
      const { parameters } = this.#document.paths[template]!['get']!;
      const described = parameters.find(({ name }) => name === 'expand')?.description ?? '';
      const expands = /nested with dots: ([a-z_, ]+)\./.exec(described)?.[1]?.split(', ') ?? [];
      for (const path of paths) {
        await this.check(template, path);
        for (const name of expands) await this.check(template, `${path}?expand=${name}`);
      }
    }
  }
}

const folder = mkdtempSync(join(tmpdir(), 'lintel-demo-answers-'));

describe('the answers of the demo', { tags: ['slow'] }, () => {
  let demo: DemoProcess;
  let pinId: string;
  let bearer: Readonly<Record<string, string>>;
  let call: (method: string, path: string, body?: object) => Promise<{ readonly id: string }>;

  beforeAll(async () => {
    demo = await DemoProcess.start(folder);
    const { http, organization_id, pin } = demo.addresses;
    const minting = ['--organization', organization_id, '--scope', 'full_read_write'];
    const { stdout } = await runLintel('token', '--data', join(folder, 'bridge'), ...minting);
    bearer = { authorization: `Bearer ${stdout.trim()}` };
    call = async (method, path, body) => {
      const answer = await fetch(`${http}/v2${path}`, {
        method,
        headers: { ...bearer, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (answer.status !== 200) throw new Error(`${method} ${path} answers ${answer.status}`);
      return (await answer.json()) as { id: string };
    };
    // An event of each verb: a person at a door, one without access, and an administrator.
    await demo.post('controllers/front/keys', { keys: pin });
    await demo.activity('front-door', ({ kind }) => kind === 'use');
    await demo.post('controllers/front/keys', { keys: '0000#' });
    await demo.activity('front-door', ({ kind }) => kind === 'deny');
    await call('POST', '/webhooks', { url: 'https://pms.example/hook', filter: [{ object_type: 'member' }] });
    const member = await call('POST', '/members', { name: 'Guest' });
    pinId = (await call('POST', `/members/${member.id}/pins`, { length: 6 })).id;
    await call('POST', `/members/${member.id}/pins/${pinId}/reveal`, {});
    await call('POST', `/members/${member.id}/emails`, { email: 'guest@example.test' });
    await call('POST', `/members/${member.id}/magic_links`, {});
    await call('POST', `/members/${member.id}/tokens`, {});
    await call('POST', `/members/${member.id}/cards`, { uid: '04a1b2c3d4e5f7' });
    await call('PATCH', `/members/${member.id}`, { name: 'Guest of room 102' });
    await call('POST', '/tags', { name: 'VIP' });
    const deleted = await call('POST', '/members', { name: 'Nobody' });
    await call('DELETE', `/members/${deleted.id}`);
  }, 120_000);

  afterAll(async () => {
    await demo.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('of the public API have no field and no value that its document does not declare', async () => {
    const check = await AnswerCheck.open(`${demo.addresses.http}/v2`, bearer);
    await check.checkAll();
    for (const verb of ['create', 'edit', 'delete', 'use', 'reveal', 'deny']) {
      const page = (await check.check('/events', `/events?verb=${verb}&limit=100`)) as Page;
      expect({ verb, isEmpty: page.data.length === 0 }).toEqual({ verb, isEmpty: false });
      for (const { id } of page.data.slice(0, 5)) await check.check('/events/{event_id}', `/events/${id}`);
    }
    const all = (await check.check('/events', '/events?limit=100')) as { data: ReadonlyArray<{ reason?: string }> };
    expect(new Set(all.data.map(({ reason }) => reason))).toContain('online');
    const devices = (await check.read('/devices')) as { data: ReadonlyArray<{ hardware_id: string | null }> };
    expect(devices.data.filter(({ hardware_id }) => hardware_id !== null).length).toBeGreaterThan(1);
    expect([...check.skipped]).toEqual([]);
  }, 240_000);

  it('of the admin API have no field and no value that its document does not declare', async () => {
    const { console: link, http, organization_id } = demo.addresses;
    const signedIn = await fetch(link, { redirect: 'manual' });
    const cookies = signedIn.headers.getSetCookie().map(text => text.split(';')[0]);
    const check = await AnswerCheck.open(
      `${http}/admin/v1`,
      { cookie: cookies.join('; ') },
      { organization_id, member_pin_id: pinId },
    );
    await check.checkAll();
    // The demo has no releases, and no alert rules before somebody makes one.
    expect([...check.skipped].map(path => path.split('/').at(-1))).toEqual([
      '{release_id}',
      '{rollout_id}',
      '{alert_rule_id}',
    ]);
  }, 240_000);
});
