import { join } from 'node:path';
import type { ClaimTicketAnswer } from '@lintel/wire-protocol/admin/claim-ticket';
import type { TechnicianPassAnswer } from '@lintel/wire-protocol/admin/technician-pass';
import type { LiveMessage, World } from '@lintel/wire-protocol/simulator/world';
import { BridgeClient } from '../bridge/bridge-client.ts';
import { CommittedEvents } from '../bridge/committed-events.ts';
import { pastEvents, registerWebhook } from '../bridge/webhook-registration.ts';
import { WebhookReceiver } from '../bridge/webhook-receiver.ts';
import type { ControllerPlan } from '../controllers/controller-plan.ts';
import { tellingForm } from '../controllers/controller-view.ts';
import { DoorController } from '../controllers/door-controller.ts';
import { DemoLines } from '../lines/demo-lines.ts';
import { PartProcess } from '../processes/part-process.ts';
import { TimeLine } from '../world/time-line.ts';
import { fillPhones, moveStays } from './arrivals.ts';
import { adminLogin, application, sites } from './demo-hotel.ts';
import { GatewayPart } from './gateway-part.ts';
import { controllerPlans, peopleOf } from './hotel-plan.ts';
import { KeptSecrets } from './kept-secrets.ts';
import { mintToken, plant, type Planted } from './planting.ts';

export interface DemoOptions {
  readonly dataDir: string;
  readonly httpPort: number;
  readonly mqttPort: number;
  readonly tell: (message: LiveMessage) => void;
}

interface BridgeReady {
  readonly http: string;
  readonly mqtt: string;
}

type ClaimTicket = ClaimTicketAnswer & { readonly ticket: string; readonly code: string };

const SERVING_MS = 8000;
const PASS_RENEWED_MS = 6 * 86_400_000;

/** The whole system at work: every part its own process, started by its own command. */
export class Demo {
  readonly #options: DemoOptions;
  readonly #planted: Planted;
  readonly #receiver: WebhookReceiver;
  readonly #bridgeProcess: PartProcess;
  readonly #bridge: BridgeClient;
  readonly #mqtt: string;
  readonly #timeLine: TimeLine;
  readonly #told = new Map<string, string>();
  readonly lines: DemoLines;
  readonly controllers: readonly DoorController[];
  #gateway: GatewayPart | null = null;
  #committed: CommittedEvents | null = null;
  #pass: { readonly text: string; readonly until: number } | null = null;
  #phones: Readonly<Record<string, string>> = {};

  private constructor(parts: {
    readonly options: DemoOptions;
    readonly planted: Planted;
    readonly lines: DemoLines;
    readonly receiver: WebhookReceiver;
    readonly plans: readonly ControllerPlan[];
    readonly timeLine: TimeLine;
    readonly bridgeProcess: PartProcess;
    readonly ready: BridgeReady;
  }) {
    const { options, planted, ready } = parts;
    this.#options = options;
    this.#planted = planted;
    this.#receiver = parts.receiver;
    this.#bridgeProcess = parts.bridgeProcess;
    this.#timeLine = parts.timeLine;
    this.lines = parts.lines;
    this.#mqtt = ready.mqtt;
    const mint = () => mintToken(join(options.dataDir, 'bridge'), planted.ids);
    this.#bridge = new BridgeClient(ready.http, planted.ids['hotel']!, planted.token, mint);
    this.controllers = parts.plans.map(
      plan =>
        new DoorController({
          plan,
          pass: () => this.#sitePass(),
          controllerChanged: () => this.#tellController(plan.key),
          doorChanged: door => this.#tellDoor(plan.key, door),
          recorded: (event, isNew) => this.#timeLine.writtenAtDoor(plan.key, event, isNew),
        }),
    );
  }

  static async start(options: DemoOptions): Promise<Demo> {
    const { dataDir, tell } = options;
    const planted = await plant(join(dataDir, 'bridge'), Date.now());
    const memberNames = new Map(peopleOf(Date.now()).map(({ key, name }) => [planted.ids[key], name]));
    let timeLine: TimeLine | null = null;
    const lines = await DemoLines.open({
      changed: line => tell({ type: 'line', line }),
      passed: ids => timeLine?.passedGateway(ids),
    });
    const lineUrls = { front: lines.url('front-bridge'), corridor: lines.url('corridor-gateway') };
    const plans = controllerPlans(dataDir, planted.ids, lineUrls);
    timeLine = new TimeLine({
      controllers: plans.map(plan => ({ ...plan, isBehindGateway: plan.upstream === 'gateway' })),
      nameOf: id => memberNames.get(id) ?? null,
      now: Date.now,
      changed: happening => tell({ type: 'happening', happening }),
    });
    const events = timeLine;
    const receiver = await WebhookReceiver.open(event => events.delivered(event));
    const bridgeProcess = Demo.#startBridge(options);
    const ready = await bridgeProcess.ready<BridgeReady>();
    const demo = new Demo({ options, planted, lines, receiver, plans, timeLine, bridgeProcess, ready });
    try {
      await demo.#begin();
    } catch (error) {
      await demo.stop();
      throw error;
    }
    return demo;
  }

  static #startBridge({ dataDir, httpPort, mqttPort }: DemoOptions): PartProcess {
    const ports = ['--http-port', String(httpPort), '--mqtt-port', String(mqttPort)];
    const args = ['bridge', '--data', join(dataDir, 'bridge'), ...ports, '--webhook-allow', '127.0.0.0/8'];
    const logFile = join(dataDir, 'logs', 'bridge.log');
    return new PartProcess({ name: 'The bridge', args: [...args, '--log-level', 'warn'], logFile });
  }

  async #begin(): Promise<void> {
    const port = Number(new URL(this.#mqtt).port);
    this.lines.lead('front-bridge', port);
    this.lines.lead('gateway-bridge', port);
    await Promise.all([
      this.#startGateway(),
      this.#furnish(),
      ...this.controllers.map(one => this.#startController(one)),
    ]);
    await this.#gateway?.look();
  }

  async #startGateway(): Promise<void> {
    const { dataDir, tell } = this.#options;
    this.#gateway = await GatewayPart.start({
      dataDir: join(dataDir, 'gateway'),
      logs: join(dataDir, 'logs'),
      bridgeUrl: this.#bridge.url,
      lineUrl: this.lines.url('gateway-bridge'),
      claimCode: async () => (await this.#ticket({})).code,
      keys: new Map(
        this.controllers.filter(({ plan }) => plan.upstream === 'gateway').map(({ plan }) => [plan.deviceId, plan.key]),
      ),
      changed: gateway => tell({ type: 'gateway', gateway }),
    });
    this.lines.lead('corridor-gateway', this.#gateway.mqttPort);
  }

  #ticket(about: { readonly device_id?: string }): Promise<ClaimTicket> {
    return this.#bridge.admin('POST', '/claim_tickets', { site_id: this.#planted.ids['main']!, ...about });
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
    // Not for ever: a door whose line is faulty is something to look at, too.
    await controller.untilServing(SERVING_MS);
  }

  /** Webhook, phones and reservations, as the booking system has them. */
  async #furnish(): Promise<void> {
    const secrets = new KeptSecrets(this.#options.dataDir);
    const kept = secrets.read();
    const { ids } = this.#planted;
    const webhook = await registerWebhook(this.#bridge, kept.webhook, this.#receiver.url);
    this.#receiver.secret = webhook.secret;
    const phones = await fillPhones(this.#bridge, ids, kept);
    const day = await moveStays(this.#bridge, ids, kept, Date.now());
    secrets.write({ webhook, phones, day });
    this.#phones = phones;
    for (const { event, at } of await pastEvents(this.#bridge, webhook.id)) {
      this.#timeLine.committed(event, event.recorded_at);
      if (at !== null) this.#timeLine.delivered(event, at);
    }
    this.#committed = new CommittedEvents(this.#bridge, event => this.#timeLine.committed(event));
    await this.#committed.start();
  }

  /** For the technician's pages of the site; good for a week. */
  async #sitePass(): Promise<string> {
    if (this.#pass === null || this.#pass.until < Date.now()) {
      const site_id = this.#planted.ids['main']!;
      const { pass } = await this.#bridge.admin<TechnicianPassAnswer>('POST', '/technician_passes', { site_id });
      this.#pass = { text: pass, until: Date.now() + PASS_RENEWED_MS };
    }
    return this.#pass.text;
  }

  #tellOnce(key: string, form: string, message: () => LiveMessage): void {
    if (this.#told.get(key) === form) return;
    this.#told.set(key, form);
    this.#options.tell(message());
  }

  #tellController(key: string): void {
    const controller = this.controllers?.find(({ plan }) => plan.key === key)?.state();
    if (controller === undefined) return;
    this.#tellOnce(`controller ${key}`, tellingForm(controller, Date.now()), () => ({
      type: 'controller',
      controller,
    }));
  }

  #tellDoor(controllerKey: string, key: string): void {
    const controller = this.controllers?.find(({ plan }) => plan.key === controllerKey);
    const door = controller?.doors().find(one => one.key === key);
    if (door !== undefined) this.#tellOnce(`door ${key}`, JSON.stringify(door), () => ({ type: 'door', door }));
  }

  phoneOf(person: string): string | null {
    return Object.hasOwn(this.#phones, person) ? this.#phones[person]! : null;
  }

  get bridgeUrl(): string {
    return this.#bridge.url;
  }

  get mqttUrl(): string {
    return this.#mqtt;
  }

  get organizationId(): string {
    return this.#bridge.organizationId;
  }

  get ids(): Planted['ids'] {
    return this.#planted.ids;
  }

  /** Settles when a part that everything hangs on has ended by itself. */
  get broken(): Promise<string> {
    return Promise.race([
      this.#bridgeProcess.exited.then(() => 'the bridge has ended'),
      this.#gateway!.exited.then(() => 'the gateway has ended'),
    ]);
  }

  world(): Omit<World, 'scenarios' | 'runs'> {
    const { url } = this.#bridge;
    return {
      hotel: 'Hotel Lintel',
      sites,
      addresses: [
        { name: 'API', url: `${url}/v2` },
        { name: 'Documentation', url: `${url}/docs` },
        { name: 'Gateway', url: this.#gateway!.state.page ?? '' },
      ],
      logins: [
        { name: 'Administrator', user: adminLogin.email, secret: adminLogin.password },
        { name: 'Booking system', user: application.client_id, secret: application.client_secret },
      ],
      people: peopleOf(Date.now()),
      controllers: this.controllers.map(one => one.state()),
      gateway: this.#gateway!.state,
      doors: this.controllers.flatMap(one => one.doors()),
      lines: this.lines.states(),
      happenings: this.#timeLine.list(),
    };
  }

  /** The doors first, so that they can say goodbye. */
  async stop(): Promise<void> {
    this.#committed?.stop();
    await Promise.all(this.controllers.map(one => one.stop()));
    await Promise.all([this.#gateway?.stop(), this.#bridgeProcess.stop(), this.#receiver.close(), this.lines.close()]);
  }
}
