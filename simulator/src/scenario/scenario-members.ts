import type { Instant } from '@lintel/access-core/instant';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { ScenarioBridgeResponse, ScenarioBridge } from './scenario-bridge.ts';
import { scenarioSeedKeyBuilders } from './world-seed.ts';
import type { ScenarioMemberPlan } from './world-schema.ts';

interface ScenarioMember {
  readonly id: string;
  pin: string | null;
  pinId: string | null;
  card: string | null;
  cardId: string | null;
  token: string | null;
  /** Ids of the group associations by group name. */
  readonly groups: Map<string, string>;
}

interface Dates {
  readonly starts?: string | null | undefined;
  readonly ends?: string | null | undefined;
}

export class ScenarioBridgeResponseError extends Error {}

/** The members of a scenario by name, with their credentials. */
export class ScenarioMembers {
  readonly #bridge: ScenarioBridge;
  readonly #parseTime: (text: string) => Instant;
  readonly #all = new Map<string, ScenarioMember>();
  lastResponse: ScenarioBridgeResponse | null = null;

  constructor(bridge: ScenarioBridge, parseTime: (text: string) => Instant) {
    this.#bridge = bridge;
    this.#parseTime = parseTime;
  }

  /** Throws a ScenarioBridgeResponseError. */
  async request(...call: Parameters<ScenarioBridge['call']>): Promise<ScenarioBridgeResponse['body']> {
    this.lastResponse = await this.#bridge.call(...call);
    const { status, body } = this.lastResponse;
    if (status !== 200)
      throw new ScenarioBridgeResponseError(`The bridge responded ${status}: ${String(body['message'])}`);
    return body;
  }

  of(name: string): ScenarioMember {
    const member = this.#all.get(name);
    if (member === undefined) throw new Error(`Unknown member: ${name}`);
    return member;
  }

  nameOf(memberId: string | null | undefined): string | null {
    for (const [name, { id }] of this.#all) if (id === memberId) return name;
    return null;
  }

  /** Leaves absent dates unchanged; `null` removes a date. */
  dates({ starts, ends }: Dates): object {
    const dateOf = (text: string | null | undefined) => (text == null ? text : toDateTime(this.#parseTime(text)));
    return { starts_at: dateOf(starts), ends_at: dateOf(ends) };
  }

  async create(name: string, plan: ScenarioMemberPlan): Promise<void> {
    const body = await this.request('POST', '/members', { name, ...this.dates(plan), metadata: { reservation: name } });
    const id = String(body['id']);
    this.#all.set(name, { id, pin: null, pinId: null, card: null, cardId: null, token: null, groups: new Map() });
    for (const group of plan.groups) await this.join(name, group);
    if (plan.pin !== undefined) await this.createCredential(name, 'pin', plan.pin);
    if (plan.card !== undefined) await this.createCredential(name, 'card', plan.card);
    if (!plan.phone) return;
    this.of(name).token = String((await this.request('POST', `/members/${id}/tokens`, {}))['token']);
  }

  async join(name: string, groupAssociation: ScenarioMemberPlan['groups'][number]): Promise<void> {
    const { group, ...dates } = typeof groupAssociation === 'string' ? { group: groupAssociation } : groupAssociation;
    const member = this.of(name);
    const form = { member_group_id: this.#bridge.ids[scenarioSeedKeyBuilders.group(group)], ...this.dates(dates) };
    const body = await this.request('POST', `/members/${member.id}/group_associations`, form);
    member.groups.set(group, String(body['id']));
  }

  async leave(name: string, group: string): Promise<void> {
    const member = this.of(name);
    const association = member.groups.get(group);
    if (association === undefined) throw new Error(`${name} is not in the group ${group}`);
    await this.request('DELETE', `/members/${member.id}/group_associations/${association}`);
    member.groups.delete(group);
  }

  async createCredential(name: string, kind: 'pin' | 'card', value: string): Promise<void> {
    const member = this.of(name);
    const body = kind === 'pin' ? { pin: value } : { uid: value };
    member[`${kind}Id`] = String((await this.request('POST', `/members/${member.id}/${kind}s`, body))['id']);
    member[kind] = value;
  }

  async deleteCredential(name: string, kind: 'pin' | 'card'): Promise<void> {
    const member = this.of(name);
    await this.request('DELETE', `/members/${member.id}/${kind}s/${member[`${kind}Id`]}`);
  }
}
