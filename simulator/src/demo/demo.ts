import { join } from 'node:path';
import type { ClaimTicketAnswer } from '@lintel/wire-protocol/admin/claim-ticket';
import type { TechnicianPassAnswer } from '@lintel/wire-protocol/admin/technician-pass';
import type { LiveMessage, World } from '@lintel/wire-protocol/simulator/world';
import { BridgeClient } from '../bridge/bridge-client.ts';
import { CommittedEvents } from '../bridge/committed-events.ts';
import { WebhookReceiver } from '../bridge/webhook-receiver.ts';
import { pastEvents, registerWebhook } from '../bridge/webhook-registration.ts';
import type { ControllerPlan } from '../controllers/controller-plan.ts';
import { comparableForm } from '../controllers/controller-state.ts';
import { DoorController } from '../controllers/door-controller.ts';
import { DemoLinks } from '../links/demo-links.ts';
import { PartProcess } from '../processes/part-process.ts';
import { TimeLine } from '../world/time-line.ts';
import { fillPhones, moveStays } from './arrivals.ts';
import { DemoGateway } from './demo-gateway.ts';
import { adminLogin, application, sites } from './demo-hotel.ts';
import { controllerPlans, peopleOf } from './hotel-plan.ts';
import { readKept, writeKept } from './kept-state.ts';
import { mintToken, seedHotel, type SeedIds } from './seeding.ts';

export interface DemoOptions {
  readonly dataDir: string;
  readonly httpPort: number;
  readonly mqttPort: number;
  readonly tell: (message: LiveMessage) => void;
}

interface DemoParts {
  readonly options: DemoOptions;
  readonly ids: SeedIds;
  readonly links: DemoLinks;
  readonly receiver: WebhookReceiver;
  readonly plans: readonly ControllerPlan[];
  readonly timeLine: TimeLine;
  readonly bridgeProcess: PartProcess;
  readonly bridge: BridgeClient;
  readonly mqttUrl: string;
}

type ClaimTicket = ClaimTicketAnswer & { readonly ticket: string; readonly code: string };

const SERVING_MS = 8000;
const PASS_RENEWED_MS = 6 * 86_400_000;

const startBridge = ({ dataDir, httpPort, mqttPort }: DemoOptions): PartProcess => {
  const ports = ['--http-port', String(httpPort), '--mqtt-port', String(mqttPort)];
  const args = ['bridge', '--data', join(dataDir, 'bridge'), ...ports, '--webhook-allow', '127.0.0.0/8'];
  const logFile = join(dataDir, 'logs', 'bridge.log');
  return new PartProcess({ name: 'The bridge', args: [...args, '--log-level', 'warn'], logFile });
};

/** The whole system: each part runs in its own process, started by its own command. */
export class Demo {
  readonly links: DemoLinks;
  readonly controllers: readonly DoorController[];
  readonly #parts: DemoParts;
  readonly #told = new Map<string, string>();
  #gateway: DemoGateway | null = null;
  #committed: CommittedEvents | null = null;
  #pass: { readonly text: string; readonly until: number } | null = null;
  #phones: Readonly<Record<string, string>> = {};

  private constructor(parts: DemoParts) {
    this.#parts = parts;
    this.links = parts.links;
    this.controllers = parts.plans.map(
      plan =>
        new DoorController({
          plan,
          upstreamUrl: parts.links.url(plan.upstream === 'bridge' ? 'front-bridge' : 'corridor-gateway'),
          pass: () => this.#sitePass(),
          controllerChanged: controller =>
            this.#tellOnce(plan.key, comparableForm(controller, Date.now()), { type: 'controller', controller }),
          doorChanged: door => this.#tellOnce(`door ${door.key}`, JSON.stringify(door), { type: 'door', door }),
          recorded: (event, isNew) => parts.timeLine.writtenAtDoor(plan.key, event, isNew),
        }),
    );
  }

  static async start(options: DemoOptions): Promise<Demo> {
    const { dataDir, tell } = options;
    const bridgeDir = join(dataDir, 'bridge');
    const ids = await seedHotel(bridgeDir, Date.now());
    const token = await mintToken(bridgeDir, ids);
    const memberNames = new Map(peopleOf(Date.now()).map(({ key, name }) => [ids[key], name]));
    const plans = controllerPlans(dataDir, ids);
    const timeLine = new TimeLine({
      controllers: plans,
      nameOf: id => memberNames.get(id) ?? null,
      now: Date.now,
      changed: happening => tell({ type: 'happening', happening }),
    });
    const links = await DemoLinks.open({
      changed: line => tell({ type: 'line', line }),
      passed: eventIds => timeLine.passedGateway(eventIds),
    });
    const receiver = await WebhookReceiver.open(event => timeLine.delivered(event));
    const bridgeProcess = startBridge(options);
    const ready = await bridgeProcess.ready<{ readonly http: string; readonly mqtt: string }>();
    const bridge = new BridgeClient(ready.http, ids['hotel']!, token, () => mintToken(bridgeDir, ids));
    const mqttUrl = ready.mqtt;
    const demo = new Demo({ options, ids, links, receiver, plans, timeLine, bridgeProcess, bridge, mqttUrl });
    try {
      await demo.#begin();
    } catch (error) {
      await demo.stop();
      throw error;
    }
    return demo;
  }

  async #begin(): Promise<void> {
    const port = Number(new URL(this.#parts.mqttUrl).port);
    this.links.setTarget('front-bridge', port);
    this.links.setTarget('gateway-bridge', port);
    await Promise.all([
      this.#startGateway(),
      this.#startBookingSystem(),
      ...this.controllers.map(one => this.#startController(one)),
    ]);
    await this.#gateway?.look();
  }

  async #startGateway(): Promise<void> {
    const { options, plans, bridge } = this.#parts;
    this.#gateway = await DemoGateway.start({
      dataDir: join(options.dataDir, 'gateway'),
      logs: join(options.dataDir, 'logs'),
      bridgeUrl: bridge.url,
      upstreamUrl: this.links.url('gateway-bridge'),
      claimCode: async () => (await this.#ticket({})).code,
      keys: new Map(plans.filter(({ upstream }) => upstream === 'gateway').map(({ deviceId, key }) => [deviceId, key])),
      changed: gateway => options.tell({ type: 'gateway', gateway }),
    });
    this.links.setTarget('corridor-gateway', this.#gateway.mqttPort);
  }

  #ticket(about: { readonly device_id?: string }): Promise<ClaimTicket> {
    const { bridge, ids } = this.#parts;
    return bridge.admin('POST', '/claim_tickets', { site_id: ids['main']!, ...about });
  }

  async #startController(controller: DoorController): Promise<void> {
    const problem = await controller.switchOn();
    if (problem !== null) throw new Error(`${controller.plan.name}: ${problem}`);
    const { deviceId: device_id, name } = controller.plan;
    if (!controller.isClaimed) {
      const { ticket } = await this.#ticket({ device_id });
      await controller.claim(ticket).catch((error: unknown) => {
        throw new Error(`${name} could not be claimed: ${(error as Error).message}`, { cause: error });
      });
    }
    // The page also shows a controller that cannot connect.
    await controller.untilServing(SERVING_MS);
  }

  /** Webhook, phones and reservations. */
  async #startBookingSystem(): Promise<void> {
    const { options, ids, bridge, receiver, timeLine } = this.#parts;
    const kept = readKept(options.dataDir);
    const webhook = await registerWebhook(bridge, kept.webhook, receiver.url);
    receiver.secret = webhook.secret;
    this.#phones = await fillPhones(bridge, ids, kept);
    const day = await moveStays(bridge, ids, kept, Date.now());
    writeKept(options.dataDir, { webhook, phones: this.#phones, day });
    for (const { event, at } of await pastEvents(bridge, webhook.id)) {
      timeLine.committed(event, event.recorded_at);
      if (at !== null) timeLine.delivered(event, at);
    }
    this.#committed = new CommittedEvents(bridge, event => timeLine.committed(event));
    await this.#committed.start();
  }

  /** For the technician pages of the site; valid for a week. */
  async #sitePass(): Promise<string> {
    if (this.#pass === null || this.#pass.until < Date.now()) {
      const { bridge, ids } = this.#parts;
      const site_id = ids['main']!;
      const { pass } = await bridge.admin<TechnicianPassAnswer>('POST', '/technician_passes', { site_id });
      this.#pass = { text: pass, until: Date.now() + PASS_RENEWED_MS };
    }
    return this.#pass.text;
  }

  #tellOnce(key: string, form: string, message: LiveMessage): void {
    if (this.#told.get(key) === form) return;
    this.#told.set(key, form);
    this.#parts.options.tell(message);
  }

  phoneOf(person: string): string | null {
    return Object.hasOwn(this.#phones, person) ? this.#phones[person]! : null;
  }

  get addresses() {
    const { bridge, mqttUrl, ids } = this.#parts;
    return { bridgeUrl: bridge.url, mqttUrl, organizationId: bridge.organizationId, frontDoorId: ids['front-door']! };
  }

  /** Settles when the bridge or the gateway has ended by itself. */
  get broken(): Promise<string> {
    return Promise.race([
      this.#parts.bridgeProcess.exited.then(() => 'the bridge has ended'),
      this.#gateway!.exited.then(() => 'the gateway has ended'),
    ]);
  }

  world(): Omit<World, 'scenarios' | 'runs'> {
    const { bridge, timeLine } = this.#parts;
    const gateway = this.#gateway!.state;
    return {
      hotel: 'Hotel Lintel',
      sites,
      addresses: [
        { name: 'API', url: `${bridge.url}/v2` },
        { name: 'Documentation', url: `${bridge.url}/docs` },
        { name: 'Gateway', url: gateway.page ?? '' },
      ],
      logins: [
        { name: 'Administrator', user: adminLogin.email, secret: adminLogin.password },
        { name: 'Booking system', user: application.client_id, secret: application.client_secret },
      ],
      people: peopleOf(Date.now()),
      controllers: this.controllers.map(({ state }) => state),
      gateway,
      doors: this.controllers.flatMap(({ doors }) => doors),
      lines: this.links.states(),
      happenings: timeLine.list(),
    };
  }

  /** Stops the controllers first, so that they can say goodbye. */
  async stop(): Promise<void> {
    const { bridgeProcess, receiver } = this.#parts;
    this.#committed?.stop();
    await Promise.all(this.controllers.map(one => one.stop()));
    await Promise.all([this.#gateway?.stop(), bridgeProcess.stop(), receiver.close(), this.links.close()]);
  }
}
