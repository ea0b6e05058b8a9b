import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '../../support/seeded-random.ts';
import { StreamFollower } from '../../support/bridge/stream-follower.ts';
import { WebhookTestServer } from '../../support/bridge/webhook-test-server.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { ApiEvent, DamageRecord, DoorCheck, Presentation, RoundHistory } from './checker/round-history-types.ts';
import { AccessWriter } from './load/access-writer.ts';
import { ApiClient } from './load/retrying-api-client.ts';
import { EventPoller, listEventsAfter, toApiEvent } from './load/event-poller.ts';
import type { InjectedFault } from './schedule/fault-schedule.ts';
import type { CampaignController } from './system/campaign-controller.ts';
import { type CampaignDatabase, CampaignSystem } from './system/campaign-system.ts';
import { FaultInjector } from './system/fault-injector.ts';

const PRESENTATION_PAUSE_MS = 40;
const WRITE_PAUSE_MS = 100;
const CHECK_MS = 1000;
/** Until everything has converged after the last fault: retries of webhooks included. */
const SETTLE_MS = 200_000;
const WEBHOOKS = ['first', 'second'];
const CHECKED_CARDS = 8;

/** The time until the next presentation at any door, and until the next change of members or permissions. */
export interface LoadPauses {
  readonly presentation_ms: () => number;
  readonly change_ms: () => number;
}

const campaignPauses: LoadPauses = {
  presentation_ms: () => PRESENTATION_PAUSE_MS,
  change_ms: () => WRITE_PAUSE_MS,
};

export interface CampaignSetup {
  /** False: the parts keep their data in the temporary folder. */
  readonly hasSmallDisks?: boolean;
  /** Members before the first round. */
  readonly members?: number;
}

/** A running system with its clients. Rounds of faults follow one another. */
export class Campaign {
  readonly system: CampaignSystem;
  readonly #receiver: WebhookTestServer;
  readonly #writer: AccessWriter;
  readonly #stream: StreamFollower;
  readonly #poller: EventPoller;
  readonly #api: ApiClient;
  readonly #random: SeededRandom;
  #recordedAt: string;

  private constructor(
    system: CampaignSystem,
    receiver: WebhookTestServer,
    clients: { writer: AccessWriter; stream: StreamFollower; poller: EventPoller; api: ApiClient },
    random: SeededRandom,
    recordedAt: string,
  ) {
    this.system = system;
    this.#receiver = receiver;
    this.#writer = clients.writer;
    this.#stream = clients.stream;
    this.#poller = clients.poller;
    this.#api = clients.api;
    this.#random = random;
    this.#recordedAt = recordedAt;
  }

  static async open(database: CampaignDatabase, seed: number, options: CampaignSetup = {}): Promise<Campaign> {
    const receiver = await WebhookTestServer.open();
    const { hasSmallDisks = true, members } = options;
    const system = await CampaignSystem.open(database, Number(new URL(receiver.url).port), hasSmallDisks);
    try {
      return await Campaign.#connect(system, receiver, seed, members);
    } catch (error) {
      await system.close();
      await receiver.close();
      throw error;
    }
  }

  static async #connect(
    system: CampaignSystem,
    receiver: WebhookTestServer,
    seed: number,
    members?: number,
  ): Promise<Campaign> {
    const random = new SeededRandom(seed);
    const api = new ApiClient(system.httpUrl('api'), system.token);
    const stream = new StreamFollower(() => [system.httpUrl('stream')], system.token);
    await waitUntil(
      () => stream.connections > 0,
      () => 'the event stream',
    );
    const doors = system.controllers.map(({ door }) => door);
    const writer = new AccessWriter(api, doors, random);
    await writer.createGroupsAndMembers(members);
    for (const name of WEBHOOKS) {
      const url = `http://127.0.0.1:${system.links.get('webhooks')!.port}/${name}`;
      await api.call('POST', '/webhooks', { url, filter: [{ object_type: 'gadget_action', verb: 'use' }] });
    }
    const events = await listEventsAfter(api, '2026-01-01T00:00:00Z');
    const last = events.at(-1)!;
    await waitUntil(
      () => stream.eventIds.includes(last.id),
      () => 'the first events in the stream',
    );
    const recordedAt = last.recorded_at!;
    const poller = new EventPoller(new ApiClient(system.httpUrl('poller'), system.token), recordedAt);
    const campaign = new Campaign(system, receiver, { writer, stream, poller, api }, random, recordedAt);
    // The first round starts with doors that serve the current data.
    const doorsAtStart = await Promise.all(
      system.controllers.map(controller => campaign.#checkDoor(controller, () => undefined)),
    );
    for (const { door, problem } of doorsAtStart)
      if (problem !== null) throw new Error(`${door} has no current data before the first fault: ${problem}`);
    const checks = await listEventsAfter(api, recordedAt);
    campaign.#recordedAt = checks.at(-1)?.recorded_at ?? recordedAt;
    return campaign;
  }

  /** Runs the load and the faults, lets everything settle, and returns what was observed. */
  runRound(faults: readonly InjectedFault[]): Promise<RoundHistory> {
    const injector = new FaultInjector(this.system, areOn => this.#setWebhookErrors(areOn));
    return this.runLoad(
      campaignPauses,
      async () => {
        const start = performance.now();
        const running: Promise<void>[] = [];
        for (const fault of faults) {
          await delay(Math.max(0, start + fault.at - performance.now()));
          const caused = injector.cause(fault);
          caused.catch(() => undefined);
          running.push(caused);
        }
        await Promise.all(running);
        this.#heal();
      },
      injector.damages,
    );
  }

  /** Runs the load until `work` is done, lets everything settle, and returns what was observed. */
  async runLoad(
    pauses: LoadPauses,
    work: () => Promise<void>,
    damages: readonly DamageRecord[] = [],
  ): Promise<RoundHistory> {
    const initial = this.#writer.model.toChanges();
    this.#writer.writes = [];
    const presentations: Presentation[] = [];
    let isOver = false;
    const record = (one: Presentation): void => void presentations.push(one);
    const load = Promise.all([
      this.#present(pauses, () => isOver, record),
      (async () => {
        while (!isOver) {
          await this.#writer.changeSomething();
          await delay(pauses.change_ms());
        }
      })(),
    ]);
    // Errors are thrown below, when all faults are over.
    load.catch(() => undefined);
    try {
      await work();
    } finally {
      isOver = true;
    }
    await load;
    return this.#settle(initial, presentations, damages);
  }

  async #present(
    { presentation_ms }: LoadPauses,
    isOver: () => boolean,
    record: (one: Presentation) => void,
  ): Promise<void> {
    const pending: Promise<void>[] = [];
    while (!isOver()) {
      const controller = this.#random.pick(this.system.controllers);
      const recent = this.#writer.cards.slice(-2 * CHECKED_CARDS);
      pending.push(controller.present(this.#random.pick(recent)).then(record));
      await delay(presentation_ms());
    }
    await Promise.all(pending);
  }

  #setWebhookErrors(areOn: boolean): void {
    for (const name of WEBHOOKS)
      this.#receiver.answer(`/${name}`, areOn ? (_, response) => void response.writeHead(500).end() : null);
  }

  #heal(): void {
    for (const link of this.system.links.values()) {
      link.restore();
      link.slowdown = null;
      link.reset();
    }
    for (const disk of this.system.disks.values()) disk.free();
    this.#setWebhookErrors(false);
  }

  async #settle(
    initial: RoundHistory['initial'],
    presentations: Presentation[],
    damages: readonly DamageRecord[],
  ): Promise<RoundHistory> {
    const record = (one: Presentation): void => void presentations.push(one);
    const doors = await Promise.all(this.system.controllers.map(controller => this.#checkDoor(controller, record)));
    const recorded = await listEventsAfter(this.#api, this.#recordedAt);
    const doorOf = (id: string): string | null =>
      this.system.controllers.find(({ deviceId }) => deviceId === id)?.door ?? null;
    const api = recorded.map(event => toApiEvent(event, doorOf));
    await this.#waitForClients(api);
    this.#recordedAt = recorded.at(-1)?.recorded_at ?? this.#recordedAt;
    return {
      initial,
      writes: this.#writer.writes,
      presentations,
      damages,
      api,
      followers: { stream: [...this.#stream.eventIds], poller: [...this.#poller.eventIds] },
      webhooks: this.#delivered(),
      lostWrites: await this.#writer.findLostWrites(),
      doors,
      crashes: this.system.parts.flatMap(({ crashes }) => crashes.splice(0)),
    };
  }

  #delivered(): Record<string, ReadonlySet<string>> {
    const idsAt = (name: string) => new Set(this.#receiver.at(`/${name}`).map(({ event }) => event.id));
    return Object.fromEntries(WEBHOOKS.map(name => [name, idsAt(name)]));
  }

  /** The checker reports what has not arrived by then. */
  async #waitForClients(api: readonly ApiEvent[]): Promise<void> {
    const uses = api.filter(({ isUse }) => isUse);
    const hasArrived = (): boolean => {
      const followers = [new Set(this.#stream.eventIds), new Set(this.#poller.eventIds)];
      return (
        followers.every(ids => api.every(({ id }) => ids.has(id))) &&
        Object.values(this.#delivered()).every(ids => uses.every(({ id }) => ids.has(id)))
      );
    };
    for (const end = Date.now() + SETTLE_MS; Date.now() < end && !hasArrived(); ) await delay(CHECK_MS);
  }

  /** Waits until the controller decides as the model does, has uploaded everything and has locked its door. */
  async #checkDoor(controller: CampaignController, record: (one: Presentation) => void): Promise<DoorCheck> {
    const { door } = controller;
    const end = Date.now() + SETTLE_MS;
    let problem: string | null = null;
    do {
      problem = await this.#findDifference(controller, record);
      if (problem !== null) await delay(CHECK_MS);
    } while (problem !== null && Date.now() < end);
    let status = await controller.status();
    while (status?.waiting !== 0 || status.isUnlocked || !status.isOnline) {
      if (Date.now() > end) break;
      await delay(CHECK_MS);
      status = await controller.status();
    }
    if (status === null) problem ??= `no answer; ${controller.part.log}`;
    else if (status.waiting > 0 || !status.isOnline) problem ??= `${JSON.stringify(status)}; ${controller.part.log}`;
    return { door, problem, isUnlocked: status?.isUnlocked ?? false };
  }

  async #findDifference(controller: CampaignController, record: (one: Presentation) => void): Promise<string | null> {
    const status = await controller.status();
    if (status?.isOnline !== true) return `offline; ${controller.part.log}`;
    for (const card of this.#writer.cards.slice(-CHECKED_CARDS)) {
      const isAllowed = this.#writer.model.allows(card, controller.door);
      const presentation = await controller.present(card);
      record(presentation);
      if ((presentation.outcome === 'granted') !== isAllowed)
        return `${presentation.outcome} for card ${card}; ${JSON.stringify(status)}; ${controller.part.log}`;
    }
    return null;
  }

  async close(): Promise<void> {
    this.#heal();
    this.#poller.stop();
    await this.#stream.stop();
    await this.system.close();
    await this.#receiver.close();
  }
}
