import type { Instant } from '@lintel/access-core/instant';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import type { Answer, ScenarioBridge } from './scenario-bridge.ts';
import { keyOf } from './seed-of-world.ts';
import type { MemberPlan } from './world-schema.ts';

interface Person {
  readonly id: string;
  pin: string | null;
  pinId: string | null;
  card: string | null;
  cardId: string | null;
  token: string | null;
  /** Associations by the name of their group. */
  readonly groups: Map<string, string>;
}

interface Dates {
  readonly starts?: string | null | undefined;
  readonly ends?: string | null | undefined;
}

/** The bridge rejected a request. */
export class BridgeResponseError extends Error {}

/** Members of the organization by the names that the file gives them, and what they carry. */
export class People {
  readonly #bridge: ScenarioBridge;
  readonly #time: (text: string) => Instant;
  readonly #all = new Map<string, Person>();
  lastAnswer: Answer | null = null;

  constructor(bridge: ScenarioBridge, time: (text: string) => Instant) {
    this.#bridge = bridge;
    this.#time = time;
  }

  /** Throws a BridgeResponseError. */
  async ask(...call: Parameters<ScenarioBridge['call']>): Promise<Answer['body']> {
    this.lastAnswer = await this.#bridge.call(...call);
    const { status, body } = this.lastAnswer;
    if (status !== 200) throw new BridgeResponseError(`the bridge answered ${status}: ${String(body['message'])}`);
    return body;
  }

  of(name: string): Person {
    const person = this.#all.get(name);
    if (person === undefined) throw new Error(`${name} is not a member yet`);
    return person;
  }

  nameOf(memberId: string | null | undefined): string | null {
    for (const [name, { id }] of this.#all) if (id === memberId) return name;
    return null;
  }

  /** Absent dates stay as they are, `null` removes one. */
  dates({ starts, ends }: Dates): object {
    const dateOf = (text: string | null | undefined) => (text == null ? text : dateTimeOf(this.#time(text)));
    return { starts_at: dateOf(starts), ends_at: dateOf(ends) };
  }

  async create(name: string, plan: MemberPlan): Promise<void> {
    const body = await this.ask('POST', '/members', { name, ...this.dates(plan), metadata: { reservation: name } });
    const id = String(body['id']);
    this.#all.set(name, { id, pin: null, pinId: null, card: null, cardId: null, token: null, groups: new Map() });
    for (const group of plan.groups) await this.join(name, group);
    if (plan.pin !== undefined) await this.createCredential(name, 'pin', plan.pin);
    if (plan.card !== undefined) await this.createCredential(name, 'card', plan.card);
    if (!plan.phone) return;
    this.of(name).token = String((await this.ask('POST', `/members/${id}/tokens`, {}))['token']);
  }

  async join(name: string, belonging: MemberPlan['groups'][number]): Promise<void> {
    const { group, ...dates } = typeof belonging === 'string' ? { group: belonging } : belonging;
    const person = this.of(name);
    const form = { member_group_id: this.#bridge.ids[keyOf.group(group)], ...this.dates(dates) };
    const body = await this.ask('POST', `/members/${person.id}/group_associations`, form);
    person.groups.set(group, String(body['id']));
  }

  async leave(name: string, group: string): Promise<void> {
    const person = this.of(name);
    const association = person.groups.get(group);
    if (association === undefined) throw new Error(`${name} is not in the group ${group}`);
    await this.ask('DELETE', `/members/${person.id}/group_associations/${association}`);
    person.groups.delete(group);
  }

  async createCredential(name: string, kind: 'pin' | 'card', value: string): Promise<void> {
    const person = this.of(name);
    const body = kind === 'pin' ? { pin: value } : { uid: value };
    person[`${kind}Id`] = String((await this.ask('POST', `/members/${person.id}/${kind}s`, body))['id']);
    person[kind] = value;
  }

  async deleteCredential(name: string, kind: 'pin' | 'card'): Promise<void> {
    const person = this.of(name);
    await this.ask('DELETE', `/members/${person.id}/${kind}s/${person[`${kind}Id`]}`);
  }
}
