import { join } from 'node:path';
import { createP256Signer } from '@lintel/crypto/p256';
import type { ClaimTicketResponse } from '@lintel/wire-protocol/admin/claim-ticket';
import type { TechnicianPassResponse } from '@lintel/wire-protocol/admin/technician-pass';
import type {
  SimulatorLiveMessage,
  SimulatorState,
} from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import { DemoBridgeClient } from '../bridge/demo-bridge-client.ts';
import { registerPhoneForBluetoothKey } from '../bridge/register-phone-for-bluetooth-key.ts';
import { BridgeEventSubscription } from '../bridge/bridge-event-subscription.ts';
import { SimulatedWebhookReceiver } from '../bridge/simulated-webhook-receiver.ts';
import { signInAtBridge } from '../bridge/sign-in.ts';
import { SimulatorVirtualDevices } from '../bridge/simulator-virtual-devices.ts';
import {
  listPastWebhookDeliveries,
  registerOrUpdateWebhook,
} from '../bridge/webhook-registration-and-past-deliveries.ts';
import type { DemoControllerPlan } from '../controllers/demo-controller-plan-types-and-part-names.ts';
import { encodeVisibleControllerState } from '../controllers/initial-controller-and-door-state.ts';
import type { DemoTechnicianPass } from '../controllers/demo-technician-client.ts';
import { DemoController } from '../controllers/demo-controller.ts';
import type { SimulatedPhone } from '../controllers/simulated-bluetooth-phone.ts';
import { DemoLinks } from '../links/demo-links.ts';
import { LintelProcess } from '../processes/lintel-process.ts';
import { ActivityLog } from '../activity/activity-log.ts';
import { createGuestLink, issueMissingPhoneTokens, moveStaysToToday } from './refresh-demo-data.ts';
import { DemoGateway } from './demo-gateway.ts';
import { demoSites } from './demo-hotel-definition.ts';
import { demoEmployees } from './demo-people.ts';
import { createDemoLogins } from './demo-logins.ts';
import {
  createDemoControllerPlans,
  createDemoPeople,
  createDemoVirtualDevicePlans,
  listTrackedVirtualDevices,
} from './demo-device-plans-and-people.ts';
import { type DemoLogins, readStoredDemoState, writeStoredDemoState } from './stored-demo-state.ts';
import {
  createBookingSystemToken,
  createDemoOperatorToken,
  replaceDemoLogins,
  seedDemoHotel,
  type DemoIds,
} from './seed-demo-hotel-and-logins.ts';

export interface DemoOptions {
  readonly dataDir: string;
  readonly httpPort: number;
  readonly mqttPort: number;
  readonly broadcast: (message: SimulatorLiveMessage) => void;
}

interface DemoParts {
  readonly options: DemoOptions;
  readonly ids: DemoIds;
  readonly logins: DemoLogins;
  readonly links: DemoLinks;
  readonly receiver: SimulatedWebhookReceiver;
  readonly plans: readonly DemoControllerPlan[];
  readonly activityLog: ActivityLog;
  readonly bridgeProcess: LintelProcess;
  readonly bridge: DemoBridgeClient;
  /** With a script token of the operator. */
  readonly operator: DemoBridgeClient;
  readonly mqttUrl: string;
}

type ClaimTicket = ClaimTicketResponse & { readonly ticket: string; readonly code: string };

const SERVING_TIMEOUT_MS = 8000;
const PASS_LIFETIME_MS = 20 * 3_600_000;

/** `receiverUrl` is the only private address that webhooks may reach. */
const startBridge = ({ dataDir, httpPort, mqttPort }: DemoOptions, receiverUrl: string): LintelProcess => {
  const ports = ['--http-port', String(httpPort), '--mqtt-port', String(mqttPort)];
  const args = ['bridge', '--data', join(dataDir, 'bridge'), ...ports, '--webhook-allow', new URL(receiverUrl).host];
  const logFile = join(dataDir, 'logs', 'bridge.log');
  return new LintelProcess({ name: 'The bridge', args: [...args, '--log-level', 'warn'], logFile });
};

/** Runs bridge, gateway and controllers, each in its own process with its production command. */
export class Demo {
  readonly links: DemoLinks;
  readonly controllers: readonly DemoController[];
  readonly virtualDevices: SimulatorVirtualDevices;
  readonly #parts: DemoParts;
  readonly #lastSent = new Map<string, string>();
  #gateway: DemoGateway | null = null;
  #committed: BridgeEventSubscription | null = null;
  readonly #technicianKey = createP256Signer();
  #pass: { readonly text: string; readonly until: number } | null = null;
  #guestLink: SimulatorState['guest_link'] = null;
  #bluetoothKey: Uint8Array | null = null;
  #phones: Readonly<Record<string, string>> = {};

  private constructor(parts: DemoParts) {
    this.#parts = parts;
    this.links = parts.links;
    const { broadcast } = parts.options;
    this.virtualDevices = new SimulatorVirtualDevices({
      bridge: parts.bridge,
      plans: createDemoVirtualDevicePlans(parts.ids),
      onChange: virtual_device => broadcast({ type: 'virtual_device', virtual_device }),
    });
    this.controllers = parts.plans.map(
      plan =>
        new DemoController({
          plan,
          upstreamUrl: parts.links.url(plan.upstream === 'bridge' ? 'front-bridge' : 'corridor-gateway'),
          pass: () => this.#sitePass(),
          onControllerChange: controller =>
            this.#broadcastIfChanged(plan.key, encodeVisibleControllerState(controller, Date.now()), {
              type: 'controller',
              controller,
            }),
          onDoorChange: door =>
            this.#broadcastIfChanged(`door ${door.key}`, JSON.stringify(door), { type: 'door', door }),
          onEvent: (event, isNew) => parts.activityLog.recordedAtDoor(plan.key, event, isNew),
        }),
    );
  }

  static async start(options: DemoOptions): Promise<Demo> {
    const { dataDir, broadcast } = options;
    const bridgeDir = join(dataDir, 'bridge');
    const state = readStoredDemoState(dataDir);
    const logins = state.logins ?? createDemoLogins();
    const ids = await seedDemoHotel(bridgeDir, Date.now(), logins);
    if (state.logins === null) await replaceDemoLogins(bridgeDir, ids, logins);
    writeStoredDemoState(dataDir, { ...state, logins });
    const token = await createBookingSystemToken(bridgeDir, ids);
    const memberNames = new Map(createDemoPeople(Date.now()).map(({ key, name }) => [ids[key], name]));
    const plans = createDemoControllerPlans(dataDir, ids);
    const activityLog = new ActivityLog({
      controllers: [...plans, ...listTrackedVirtualDevices(ids)],
      nameOf: id => memberNames.get(id) ?? null,
      now: Date.now,
      onChange: entry => broadcast({ type: 'activity', entry }),
    });
    const links = await DemoLinks.open({
      onChange: line => broadcast({ type: 'line', line }),
      onEventIds: eventIds => activityLog.passedGateway(eventIds),
    });
    const receiver = await SimulatedWebhookReceiver.open(event => activityLog.delivered(event));
    const bridgeProcess = startBridge(options, receiver.url);
    const ready = await bridgeProcess.ready<{ readonly http: string; readonly mqtt: string }>();
    const bridge = new DemoBridgeClient(ready.http, ids['hotel']!, token, () =>
      createBookingSystemToken(bridgeDir, ids),
    );
    const operatorToken = (): Promise<string> => createDemoOperatorToken(bridgeDir, ids);
    const operator = new DemoBridgeClient(ready.http, ids['hotel']!, await operatorToken(), operatorToken);
    const mqttUrl = ready.mqtt;
    const demo = new Demo({
      options,
      ids,
      logins,
      links,
      receiver,
      plans,
      activityLog,
      bridgeProcess,
      bridge,
      operator,
      mqttUrl,
    });
    try {
      await demo.#startAll();
    } catch (error) {
      await demo.stop();
      throw error;
    }
    return demo;
  }

  async #startAll(): Promise<void> {
    const port = Number(new URL(this.#parts.mqttUrl).port);
    this.links.setTarget('front-bridge', port);
    this.links.setTarget('gateway-bridge', port);
    await Promise.all([
      this.#startGateway(),
      this.#startBookingSystem(),
      this.virtualDevices.load(),
      ...this.controllers.map(controller => this.#startController(controller)),
    ]);
    await this.#gateway?.refreshStatus();
  }

  async #startGateway(): Promise<void> {
    const { options, plans, bridge } = this.#parts;
    this.#gateway = await DemoGateway.start({
      dataDir: join(options.dataDir, 'gateway'),
      logs: join(options.dataDir, 'logs'),
      bridgeUrl: bridge.url,
      upstreamUrl: this.links.url('gateway-bridge'),
      claimCode: async () => (await this.#createTicket({})).code,
      keys: new Map(plans.filter(({ upstream }) => upstream === 'gateway').map(({ deviceId, key }) => [deviceId, key])),
      onChange: gateway => options.broadcast({ type: 'gateway', gateway }),
    });
    this.links.setTarget('corridor-gateway', this.#gateway.mqttPort);
  }

  #createTicket(target: { readonly device_id?: string }): Promise<ClaimTicket> {
    const { operator, ids } = this.#parts;
    return operator.admin('POST', '/claim_tickets', { site_id: ids['main']!, ...target });
  }

  async #startController(controller: DemoController): Promise<void> {
    const problem = await controller.switchOn();
    if (problem !== null) throw new Error(`${controller.plan.name}: ${problem}`);
    const { deviceId: device_id, name } = controller.plan;
    if (!controller.isClaimed) {
      const { ticket } = await this.#createTicket({ device_id });
      await controller.claim(ticket).catch((error: unknown) => {
        throw new Error(`${name} could not be claimed: ${(error as Error).message}`, { cause: error });
      });
    }
    // Continues without a connection: the page also shows an offline controller.
    await controller.waitUntilServing(SERVING_TIMEOUT_MS);
  }

  /** Registers the webhook, creates phone tokens and updates the stays. */
  async #startBookingSystem(): Promise<void> {
    const { options, ids, bridge, receiver, activityLog } = this.#parts;
    const state = readStoredDemoState(options.dataDir);
    const webhook = await registerOrUpdateWebhook(bridge, state.webhook, receiver.url);
    receiver.secret = webhook.secret;
    this.#phones = await issueMissingPhoneTokens(bridge, ids, state);
    const guestLink = state.guestLink ?? (await createGuestLink(bridge, ids));
    this.#guestLink = guestLink;
    const day = await moveStaysToToday(bridge, ids, state, Date.now());
    writeStoredDemoState(options.dataDir, { ...state, webhook, phones: this.#phones, guestLink, day });
    for (const { event, at } of await listPastWebhookDeliveries(bridge, webhook.id)) {
      activityLog.committed(event, event.recorded_at);
      if (at !== null) activityLog.delivered(event, at);
    }
    this.#committed = new BridgeEventSubscription(bridge, event => {
      activityLog.committed(event);
      this.virtualDevices.committed(event);
    });
    await this.#committed.start();
  }

  /** A technician pass of the site, valid for a day. */
  async #sitePass(): Promise<DemoTechnicianPass> {
    const key = this.#technicianKey;
    if (this.#pass === null || this.#pass.until < Date.now()) {
      const { operator, ids } = this.#parts;
      const site_id = ids['main']!;
      const request = { site_id, public_key: key.publicKey };
      const { pass } = await operator.admin<TechnicianPassResponse>('POST', '/technician_passes', request);
      this.#pass = { text: pass, until: Date.now() + PASS_LIFETIME_MS };
    }
    return { pass: this.#pass.text, key };
  }

  #broadcastIfChanged(key: string, signature: string, message: SimulatorLiveMessage): void {
    if (this.#lastSent.get(key) === signature) return;
    this.#lastSent.set(key, signature);
    this.#parts.options.broadcast(message);
  }

  /** The technician page of a controller at the bridge, with the cookies of a signed-in administrator. */
  async openTechnicianPage(key: string): Promise<{ readonly url: string; readonly cookies: readonly string[] } | null> {
    const { bridge, plans, logins } = this.#parts;
    const plan = plans.find(one => one.key === key);
    if (plan === undefined) return null;
    const cookies = await signInAtBridge(bridge.url, logins.admin);
    return { url: `${bridge.url}/technician/devices/${plan.deviceId}`, cookies };
  }

  /** The admin console, with the cookies of a signed-in administrator. */
  async openConsole(): Promise<{ readonly url: string; readonly cookies: readonly string[] }> {
    const { bridge, logins } = this.#parts;
    return { url: `${bridge.url}/`, cookies: await signInAtBridge(bridge.url, logins.admin) };
  }

  phoneOf(person: string): string | null {
    return Object.hasOwn(this.#phones, person) ? this.#phones[person]! : null;
  }

  /** What a reader receives; null if the person has no such credential. */
  credentialOf(person: string, kind: 'phone' | 'qr_code'): string | null {
    if (kind === 'phone') return this.phoneOf(person);
    return this.#guestLink?.person === person ? this.#guestLink.url : null;
  }

  /** The phone of a person for Bluetooth; null if the person has none. */
  async bluetoothPhoneOf(person: string): Promise<Omit<SimulatedPhone, 'distance_m'> | null> {
    const { bridge, ids } = this.#parts;
    const memberToken = this.phoneOf(person);
    if (memberToken === null) return null;
    // An employee, because a guest whose stay has not started cannot register a phone.
    const employee = demoEmployees.find(({ key }) => this.phoneOf(key) !== null)!.key;
    this.#bluetoothKey ??= await registerPhoneForBluetoothKey(bridge, ids[employee]!, this.phoneOf(employee)!);
    return { organization_id: bridge.organizationId, memberToken, bluetoothKey: this.#bluetoothKey };
  }

  get addresses() {
    const { bridge, mqttUrl, ids, logins } = this.#parts;
    const { organizationId, url: bridgeUrl } = bridge;
    return { guestLink: this.#guestLink, bridgeUrl, mqttUrl, organizationId, frontDoorId: ids['front-door']!, logins };
  }

  /** Resolves when the bridge or the gateway ends unexpectedly. */
  get failure(): Promise<string> {
    return Promise.race([
      this.#parts.bridgeProcess.exited.then(() => 'The bridge has ended unexpectedly'),
      this.#gateway!.exited.then(() => 'The gateway has ended unexpectedly'),
    ]);
  }

  world(): Omit<SimulatorState, 'scenarios' | 'runs'> {
    const { bridge, activityLog, logins } = this.#parts;
    const gateway = this.#gateway!.state;
    return {
      hotel: 'Hotel Lintel',
      sites: demoSites,
      addresses: [
        { name: 'Admin console', url: '/console' },
        { name: 'API documentation', url: `${bridge.url}/docs` },
        { name: 'Gateway', url: gateway.page ?? '' },
      ],
      logins: [
        { name: 'Administrator', user: logins.admin.email, secret: logins.admin.password },
        { name: 'Booking system', user: logins.application.client_id, secret: logins.application.client_secret },
      ],
      people: createDemoPeople(Date.now()),
      controllers: this.controllers.map(({ state }) => state),
      gateway,
      doors: this.controllers.flatMap(({ doors }) => doors),
      virtual_devices: this.virtualDevices.list(),
      guest_link: this.#guestLink,
      lines: this.links.states(),
      activity: activityLog.list(),
    };
  }

  /** Stops the controllers first, so that they can disconnect cleanly. */
  async stop(): Promise<void> {
    const { bridgeProcess, receiver } = this.#parts;
    this.#committed?.stop();
    await Promise.all(this.controllers.map(controller => controller.stop()));
    await Promise.all([this.#gateway?.stop(), bridgeProcess.stop(), receiver.close(), this.links.close()]);
  }
}
