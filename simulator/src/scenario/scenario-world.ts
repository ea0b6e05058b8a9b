import { type Instant, instant } from '@lintel/access-core/instant';
import { after } from '@lintel/access-core/monotonic';
import { type Zone, zoneFor } from '@lintel/access-core/time-zone';
import type { EventAnswer } from '@lintel/wire-protocol/rest/event';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { WebhookReceiver } from '../bridge/webhook-receiver.ts';
import { claimController } from './claim-controller.ts';
import { InProcessBroker } from './in-process-broker.ts';
import { People } from './people.ts';
import { ScenarioBridge } from './scenario-bridge.ts';
import { type MachineClock, ScenarioClock } from './scenario-clock.ts';
import { ScenarioController } from './scenario-controller.ts';
import { timeOf } from './scenario-time.ts';
import { keyOf } from './seed-of-world.ts';
import type { WorldPlan } from './world-schema.ts';

const EPOCH = instant(0);
const UPKEEP_MS = 300_000;
const PATIENCE_MS = 30_000;
/** So often in a row nothing may be under way before it is believed. */
const QUIET_TURNS = 3;
const BREATHER_TURNS = 256;
/** So long after something has happened, and before the time that is waited for, every alarm rings to the millisecond. */
const LIVELY_MS = 120_000;
const STRIDE_MS = 60_000;

const zoneOf = ({ sites }: WorldPlan): Zone => {
  const zone = zoneFor(Object.values(sites)[0]?.timezone);
  if (!zone.ok) throw new Error('the first site has no time zone');
  return zone.value;
};

/** Everything that a scenario plays with: one bridge, its controllers, the people, and the time that they share. */
export class ScenarioWorld {
  readonly zone: Zone;
  readonly clock: ScenarioClock;
  readonly bridge: ScenarioBridge;
  readonly people: People;
  readonly controllers: ReadonlyMap<string, ScenarioController>;
  readonly webhooks: readonly EventAnswer[];
  readonly receiver: WebhookReceiver;
  readonly #broker: InProcessBroker;
  readonly #bell: MachineClock;
  #isStirred = false;
  #isUpkeepDue = false;
  #rung = 0;

  private constructor(parts: {
    readonly zone: Zone;
    readonly clock: ScenarioClock;
    readonly broker: InProcessBroker;
    readonly bridge: ScenarioBridge;
    readonly receiver: WebhookReceiver;
    readonly webhooks: readonly EventAnswer[];
    readonly plan: WorldPlan;
  }) {
    this.zone = parts.zone;
    this.clock = parts.clock;
    this.bridge = parts.bridge;
    this.receiver = parts.receiver;
    this.webhooks = parts.webhooks;
    this.#broker = parts.broker;
    this.#bell = parts.clock.machine();
    this.people = new People(parts.bridge, text => this.time(text));
    this.controllers = new Map(
      Object.entries(parts.plan.controllers).map(([name, { doors }]) => [
        name,
        new ScenarioController({
          name,
          deviceId: parts.bridge.ids[keyOf.controller(name)]!,
          doors: doors.map(door => door.name),
          clock: parts.clock,
          broker: parts.broker,
          stirred: () => {
            this.#isStirred = true;
          },
        }),
      ]),
    );
  }

  static async open(plan: WorldPlan): Promise<ScenarioWorld> {
    const zone = zoneOf(plan);
    const clock = new ScenarioClock(timeOf(plan.begins, EPOCH, zone));
    const broker = new InProcessBroker();
    const bridge = await ScenarioBridge.open(plan, () => clock.instant, broker);
    const webhooks: EventAnswer[] = [];
    const receiver = await WebhookReceiver.open(event => webhooks.push(event));
    const world = new ScenarioWorld({ zone, clock, broker, bridge, receiver, webhooks, plan });
    try {
      await world.#begin(plan);
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  async #begin({ controllers, sites, members, webhook }: WorldPlan): Promise<void> {
    const [firstSite] = Object.keys(sites);
    for (const [name, controller] of this.controllers) {
      const site = controllers[name]?.site ?? firstSite!;
      const place = { site_id: this.bridge.ids[keyOf.site(site)]!, device_id: controller.place.deviceId };
      await claimController(this.bridge, place, controller.dataDir);
    }
    for (const [name, member] of Object.entries(members)) await this.people.create(name, member);
    if (webhook.length > 0) await this.#listen(webhook);
    for (const controller of this.controllers.values()) controller.switchOn();
    this.#ringUpkeep();
    await this.settle();
  }

  async #listen(objectTypes: readonly string[]): Promise<void> {
    const filter = objectTypes.map(object_type => ({ object_type }));
    const { status, body } = await this.bridge.call('POST', '/webhooks', { url: this.receiver.url, filter });
    if (status !== 200) throw new Error(`the webhook was refused: ${JSON.stringify(body)}`);
    this.receiver.secret = String(body['secret']);
  }

  #ringUpkeep(): void {
    this.#bell.wake(after(this.#bell.now(), UPKEEP_MS), () => {
      this.#isUpkeepDue = true;
      this.#ringUpkeep();
    });
  }

  time(text: string): Instant {
    return timeOf(text, this.clock.instant, this.zone);
  }

  /** A controller by its name, or by that of one of its doors. */
  at(name: string): ScenarioController {
    const found =
      this.controllers.get(name) ?? [...this.controllers.values()].find(({ place }) => place.doors.includes(name));
    if (found === undefined) throw new Error(`there is no controller or door "${name}"`);
    return found;
  }

  /** The clock goes to `end`; whatever is due on the way happens at its time, and is dealt with before the next. */
  async passUntil(end: Instant): Promise<void> {
    if (end < this.clock.instant) throw new Error('that time has passed already');
    let livelyUntil = this.clock.instant + LIVELY_MS;
    while (this.clock.instant < end) {
      const { instant: now } = this.clock;
      const isNearEnd = now + LIVELY_MS >= end;
      // Beyond that there is nothing but the machines' own upkeep: on the minute it is done for the whole of it.
      const nextMinute = (Math.floor(now / STRIDE_MS) + 1) * STRIDE_MS;
      const isLively = isNearEnd || now < livelyUntil;
      const until = instant(isNearEnd ? end : isLively ? Math.min(end, livelyUntil) : nextMinute);
      if (!isLively) this.clock.skipTo(until);
      while (this.clock.ringNext(until)) {
        if (await this.#followed()) livelyUntil = this.clock.instant + LIVELY_MS;
      }
    }
    await this.#keepUp();
    await this.settle();
  }

  /** What an alarm has begun is brought to its end. True when something has happened at a door. */
  async #followed(): Promise<boolean> {
    // What it says is on the line a few turns of the promises later.
    for (let turn = 0; turn < 6; turn += 1) await Promise.resolve();
    if (this.#isUpkeepDue) await this.#keepUp();
    const isStirred = this.#isStirred;
    this.#rung += 1;
    if (isStirred || this.#broker.isBusy) await this.settle();
    else if (this.#rung % BREATHER_TURNS === 0) await nextTurn();
    return isStirred;
  }

  async #keepUp(): Promise<void> {
    this.#isUpkeepDue = false;
    await this.bridge.deleteExpired();
  }

  #isServedBy({ place, firmware }: ScenarioController, revision: number): boolean {
    const session = this.bridge.bridge.devices.sessions.of(place.deviceId);
    const { slice, outstanding } = session ?? { slice: null, outstanding: null };
    if (slice === null || outstanding !== null || slice.checked < revision) return false;
    const held = firmware?.controller.heldSnapshot?.revision ?? -1;
    return held >= slice.told && firmware?.controller.waitingEvents() === 0;
  }

  async #isQuiet(): Promise<boolean> {
    if (this.#broker.isBusy) return false;
    const revision = await this.bridge.revision();
    return this.controllers.values().every(one => !one.isOnline || this.#isServedBy(one, revision));
  }

  /** No time passes, but everything that is under way arrives. */
  async settle(): Promise<void> {
    const latest = performance.now() + PATIENCE_MS;
    for (let quiet = 0; quiet < QUIET_TURNS; ) {
      await nextTurn();
      await this.bridge.bridge.devices.idle();
      const isQuiet = await this.#isQuiet();
      quiet = isQuiet ? quiet + 1 : 0;
      if (isQuiet) continue;
      if (performance.now() > latest) throw new Error('the doors and the bridge did not come to an agreement');
      await delay(1);
    }
    this.#isStirred = false;
  }

  async close(): Promise<void> {
    this.#bell.halt();
    for (const controller of this.controllers.values()) await controller.close();
    await this.bridge.close();
    await this.receiver.close();
  }
}
