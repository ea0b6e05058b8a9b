import { type Instant, instant } from '@lintel/access-core/instant';
import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import { type TimeZone, resolveTimeZone } from '@lintel/access-core/time-zone';
import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { SimulatedWebhookReceiver } from '../bridge/simulated-webhook-receiver.ts';
import { claimScenarioController } from './claim-controller.ts';
import { InProcessBroker } from './in-process-broker.ts';
import { ScenarioMembers } from './scenario-members.ts';
import { ScenarioBridge } from './scenario-bridge.ts';
import { type ScenarioMachineClock, ScenarioClock } from './scenario-clock.ts';
import { ScenarioController } from './scenario-controller.ts';
import { parseScenarioTime } from './scenario-time.ts';
import { scenarioSeedKeyBuilders } from './world-seed.ts';
import type { ScenarioWorldPlan } from './world-schema.ts';

const EPOCH = instant(0);
const MAINTENANCE_MS = 300_000;
const SETTLE_TIMEOUT_MS = 30_000;
/** Consecutive idle checks before the system counts as settled. */
const IDLE_CHECKS = 3;
const ALARMS_PER_YIELD = 256;
/** Alarms fire at their exact time this long after an event and before the target time. In between, time advances in larger steps. */
const EXACT_MS = 120_000;
const STEP_MS = 60_000;

const zoneOf = ({ sites }: ScenarioWorldPlan): TimeZone => {
  const zone = resolveTimeZone(Object.values(sites)[0]?.timezone);
  if (!zone.ok) throw new Error('The first site has no valid time zone');
  return zone.value;
};

/** The system under test of a scenario: a bridge, its controllers and members, and their common clock. */
export class ScenarioWorld {
  readonly zone: TimeZone;
  readonly clock: ScenarioClock;
  readonly bridge: ScenarioBridge;
  readonly members: ScenarioMembers;
  readonly controllers: ReadonlyMap<string, ScenarioController>;
  readonly webhooks: readonly EventResponse[];
  readonly receiver: SimulatedWebhookReceiver;
  readonly #broker: InProcessBroker;
  readonly #maintenanceClock: ScenarioMachineClock;
  #hasNewEvents = false;
  #isMaintenanceDue = false;
  #firedAlarms = 0;

  private constructor(parts: {
    readonly zone: TimeZone;
    readonly clock: ScenarioClock;
    readonly broker: InProcessBroker;
    readonly bridge: ScenarioBridge;
    readonly receiver: SimulatedWebhookReceiver;
    readonly webhooks: readonly EventResponse[];
    readonly plan: ScenarioWorldPlan;
  }) {
    this.zone = parts.zone;
    this.clock = parts.clock;
    this.bridge = parts.bridge;
    this.receiver = parts.receiver;
    this.webhooks = parts.webhooks;
    this.#broker = parts.broker;
    this.#maintenanceClock = parts.clock.machine();
    this.members = new ScenarioMembers(parts.bridge, text => this.time(text));
    this.controllers = new Map(
      Object.entries(parts.plan.controllers).map(([name, { doors }]) => [
        name,
        new ScenarioController({
          name,
          deviceId: parts.bridge.ids[scenarioSeedKeyBuilders.controller(name)]!,
          doors: doors.map(door => door.name),
          clock: parts.clock,
          broker: parts.broker,
          onEvent: () => {
            this.#hasNewEvents = true;
          },
        }),
      ]),
    );
  }

  static async open(plan: ScenarioWorldPlan): Promise<ScenarioWorld> {
    const zone = zoneOf(plan);
    const clock = new ScenarioClock(parseScenarioTime(plan.begins, EPOCH, zone));
    const broker = new InProcessBroker();
    const webhooks: EventResponse[] = [];
    const receiver = await SimulatedWebhookReceiver.open(event => webhooks.push(event));
    const bridge = await ScenarioBridge.open(plan, () => clock.instant, broker, receiver.url).catch(async error => {
      await receiver.close();
      throw error;
    });
    const world = new ScenarioWorld({ zone, clock, broker, bridge, receiver, webhooks, plan });
    try {
      await world.#start(plan);
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  async #start({ controllers, sites, members, webhook }: ScenarioWorldPlan): Promise<void> {
    const [firstSite] = Object.keys(sites);
    for (const [name, controller] of this.controllers) {
      const site = controllers[name]?.site ?? firstSite!;
      const target = {
        site_id: this.bridge.ids[scenarioSeedKeyBuilders.site(site)]!,
        device_id: controller.options.deviceId,
      };
      await claimScenarioController(this.bridge, target, controller.dataDir);
    }
    for (const [name, member] of Object.entries(members)) await this.members.create(name, member);
    if (webhook.length > 0) await this.#registerWebhook(webhook);
    for (const controller of this.controllers.values()) controller.switchOn();
    this.#scheduleMaintenance();
    await this.settle();
  }

  async #registerWebhook(objectTypes: readonly string[]): Promise<void> {
    const filter = objectTypes.map(object_type => ({ object_type }));
    const { status, body } = await this.bridge.call('POST', '/webhooks', { url: this.receiver.url, filter });
    if (status !== 200) throw new Error(`The webhook could not be registered: ${JSON.stringify(body)}`);
    this.receiver.secret = String(body['secret']);
  }

  #scheduleMaintenance(): void {
    this.#maintenanceClock.wake(addMilliseconds(this.#maintenanceClock.now(), MAINTENANCE_MS), () => {
      this.#isMaintenanceDue = true;
      this.#scheduleMaintenance();
    });
  }

  time(text: string): Instant {
    return parseScenarioTime(text, this.clock.instant, this.zone);
  }

  /** A controller by its name or by the name of one of its doors. */
  at(name: string): ScenarioController {
    const found =
      this.controllers.get(name) ?? [...this.controllers.values()].find(({ options }) => options.doors.includes(name));
    if (found === undefined) throw new Error(`Unknown controller or door: "${name}"`);
    return found;
  }

  /** Advances the clock to `end`. The effects of each alarm are complete before the next alarm fires. */
  async passUntil(end: Instant): Promise<void> {
    if (end < this.clock.instant) throw new Error('This time has already passed');
    let exactUntil = this.clock.instant + EXACT_MS;
    while (this.clock.instant < end) {
      const { instant: now } = this.clock;
      const isNearEnd = now + EXACT_MS >= end;
      // Only periodic tasks remain here: they run once a minute.
      const nextMinute = (Math.floor(now / STEP_MS) + 1) * STEP_MS;
      const isExact = isNearEnd || now < exactUntil;
      const until = instant(isNearEnd ? end : isExact ? Math.min(end, exactUntil) : nextMinute);
      if (!isExact) this.clock.skipTo(until);
      while (this.clock.fireNextAlarm(until)) {
        if (await this.#completeAlarm()) exactUntil = this.clock.instant + EXACT_MS;
      }
    }
    await this.#runMaintenance();
    await this.settle();
  }

  /** Waits for the effects of an alarm. Returns whether a controller recorded an event. */
  async #completeAlarm(): Promise<boolean> {
    // Messages reach the broker after a few microtasks.
    for (let turn = 0; turn < 6; turn += 1) await Promise.resolve();
    if (this.#isMaintenanceDue) await this.#runMaintenance();
    const hasNewEvents = this.#hasNewEvents;
    this.#firedAlarms += 1;
    if (hasNewEvents || this.#broker.isBusy) await this.settle();
    else if (this.#firedAlarms % ALARMS_PER_YIELD === 0) await nextTurn();
    return hasNewEvents;
  }

  async #runMaintenance(): Promise<void> {
    this.#isMaintenanceDue = false;
    await this.bridge.deleteExpired();
  }

  #isUpToDate({ options, firmware }: ScenarioController, revision: number): boolean {
    const session = this.bridge.bridge.devices.sessions.of(options.deviceId);
    const { snapshot, pendingRevision } = session ?? { snapshot: null, pendingRevision: null };
    if (snapshot === null || pendingRevision !== null || snapshot.checkedRevision < revision) return false;
    const held = firmware?.controller.storedSnapshot?.revision ?? -1;
    return held >= snapshot.sentRevision && firmware?.controller.waitingEventCount() === 0;
  }

  async #isIdle(): Promise<boolean> {
    if (this.#broker.isBusy) return false;
    const revision = await this.bridge.revision();
    return this.controllers
      .values()
      .every(controller => !controller.isOnline || this.#isUpToDate(controller, revision));
  }

  /** Waits until all messages are delivered, without advancing the clock. */
  async settle(): Promise<void> {
    const deadline = performance.now() + SETTLE_TIMEOUT_MS;
    for (let idleChecks = 0; idleChecks < IDLE_CHECKS; ) {
      await nextTurn();
      await this.bridge.bridge.devices.whenIdle();
      const isIdle = await this.#isIdle();
      idleChecks = isIdle ? idleChecks + 1 : 0;
      if (isIdle) continue;
      if (performance.now() > deadline) throw new Error('The controllers did not synchronize with the bridge in time');
      await delay(1);
    }
    this.#hasNewEvents = false;
  }

  async close(): Promise<void> {
    this.#maintenanceClock.halt();
    for (const controller of this.controllers.values()) await controller.close();
    await this.bridge.close();
    await this.receiver.close();
  }
}
