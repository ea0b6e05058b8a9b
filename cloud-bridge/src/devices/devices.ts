import type { DeviceId } from '@lintel/access-core/ids';
import { DroppedMessages } from '@lintel/broker/dropped-messages';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { parseTopic } from '@lintel/wire-protocol/mqtt/topics';
import type { Services } from '../services.ts';
import { PeriodicTask } from '../tasks/periodic-task.ts';
import { type CertificateAuthority, openCertificateAuthority } from '../tls/certificate-authority.ts';
import { Rollouts } from './rollouts.ts';
import { system } from '../transactions/actor.ts';
import type { RecordedJournal } from '../transactions/journal.ts';
import { forgetOldChanges } from './change-retention.ts';
import { DeviceActions } from './device-actions.ts';
import { Downlink } from './downlink/downlink.ts';
import { DownCounters } from './downlink/down-counters.ts';
import { OrganizationSigners } from './downlink/organization-signers.ts';
import { Revocations } from './downlink/revocations.ts';
import { GatewayRoutes } from './gateway-routes.ts';
import { serveClaiming } from './identity/claim-routes.ts';
import { type DeviceIdentity, identifyByCertificate, identifyByPassword } from './identity/device-login.ts';
import type { BrokerAddresses } from './identity/issued-answer.ts';
import { Lanes } from './lanes.ts';
import { TechnicianLine } from './remote-technician/technician-line.ts';
import { type Origin, Sessions } from './sessions.ts';
import { DeviceSync } from './slice/device-sync.ts';
import { ServedRevisions } from './slice/served-revisions.ts';
import { SlicePushes } from './slice-pushes.ts';
import type { DeviceTransport } from './transport/device-transport.ts';
import { EmbeddedBroker } from './transport/embedded-broker.ts';
import { ExternalBroker } from './transport/external-broker.ts';
import { setOnline } from './uplink/device-status.ts';
import { handleGoodbye } from './uplink/goodbye.ts';
import { HelloNotes } from './uplink/hello-notes.ts';
import { continuedSession } from './uplink/link-session.ts';
import { sendTime } from './uplink/time-request.ts';
import { receive } from './uplink/uplink.ts';
import type { UplinkDesk } from './uplink/uplink-desk.ts';

export interface DevicesOptions {
  readonly dataDir: string;
  /** A broker that others run; without it one in this process. */
  readonly mqttUrl?: string | undefined;
  /** Instead of any broker. */
  readonly transport?: DeviceTransport | undefined;
  /** How long a controller has for an action. */
  readonly actionDeadlineMs?: number | undefined;
  /** Size of a snapshot chunk, before compression. */
  readonly chunkCharacters?: number | undefined;
}

const MOST_WAITING = 256;
const LOOK_MS = 1000;
const HOUR_MS = 3_600_000;

interface Timer {
  readonly everyMs: number;
  readonly work: () => Promise<unknown>;
}

/** Everything of the bridge that speaks with controllers. */
export class Devices {
  readonly transport: DeviceTransport;
  /** Null where the broker is not ours. */
  readonly broker: EmbeddedBroker | null;
  readonly actions: DeviceActions;
  readonly technicians: TechnicianLine;
  readonly sessions = new Sessions();
  readonly authority: () => Promise<CertificateAuthority>;
  #addresses: BrokerAddresses = { mqtts: null, mqtt: null };
  readonly #services: Services;
  readonly #served: ServedRevisions;
  readonly #desk: UplinkDesk;
  readonly #lanes: Lanes;
  readonly #syncLanes: Lanes;
  readonly #pushes: SlicePushes;
  readonly #dropped: DroppedMessages;
  readonly #tasks: readonly PeriodicTask[];
  #isClosing = false;
  #order = 0;

  private constructor(
    services: Services,
    log: FastifyBaseLogger,
    options: DevicesOptions,
    transport: DeviceTransport,
    gateways: GatewayRoutes,
  ) {
    const onError = (error: unknown): void => log.error({ reason: (error as Error).message }, 'devices failed');
    this.#services = services;
    this.transport = transport;
    this.broker = transport instanceof EmbeddedBroker ? transport : null;
    let authority: Promise<CertificateAuthority> | undefined;
    this.authority = () => (authority ??= openCertificateAuthority(options.dataDir, services.clock()));
    const { storage } = services;
    const signers = new OrganizationSigners(services);
    const counters = new DownCounters(storage);
    const downlink = new Downlink(transport, signers, counters);
    const { sessions } = this;
    this.actions = new DeviceActions(services, sessions, downlink, options.actionDeadlineMs);
    const { actionDeadlineMs: deadlineMs, chunkCharacters } = options;
    this.technicians = new TechnicianLine({ services, sessions, downlink, deadlineMs });
    sessions.onClosed(deviceId => this.technicians.gone(deviceId));
    this.#served = new ServedRevisions(storage, onError);
    const onDrift = (device_id: string, revision: number): void =>
      log.warn({ device_id, revision }, 'a controller serves another slice than it was sent');
    const sync = new DeviceSync({ services, sessions, downlink, served: this.#served, onDrift, chunkCharacters });
    this.#lanes = new Lanes(MOST_WAITING, onError);
    this.#syncLanes = new Lanes(MOST_WAITING, onError);
    const inSyncLane = (deviceId: string, work: () => Promise<void>): void => {
      if (this.#syncLanes.enter(deviceId, work)) return;
      this.#dropped.add({ device_id: deviceId, kind: 'sync', reason: 'too much at once' });
    };
    const revocations = new Revocations({ services, transport, signers, onError });
    const beforeSlices = async (id: string): Promise<void> => {
      await revocations.sent(id);
      await gateways.refresh(storage, id);
    };
    this.#pushes = new SlicePushes(sessions, sync, inSyncLane, beforeSlices, onError);
    this.#dropped = new DroppedMessages(dropped => log.warn(dropped, 'dropped a message of a controller'));
    const { actions, technicians } = this;
    const hellos = new HelloNotes(services.writer, counters);
    const rollouts = new Rollouts({ services, sessions, downlink });
    const carried = { services, transport, sessions, downlink, gateways, rollouts };
    this.#desk = { ...carried, hellos, sync, actions, technicians, inSyncLane };
    services.writer.onCommitted(recorded => this.#committed(recorded));
    this.#tasks = this.#timers().map(({ everyMs, work }) => new PeriodicTask(work, everyMs, onError));
  }

  static async open(app: FastifyInstance, services: Services, options: DevicesOptions): Promise<Devices> {
    const gateways = new GatewayRoutes();
    const { log } = app;
    const noted = (identity: DeviceIdentity | null): DeviceIdentity | null => {
      if (identity?.carries != null) gateways.came(identity.deviceId, identity.organizationId, identity.carries);
      return identity;
    };
    const transport =
      options.transport ??
      (options.mqttUrl === undefined
        ? await EmbeddedBroker.start({
            byCertificate: (serial, name) => identifyByCertificate(services, serial, name).then(noted),
            byPassword: (name, password) => identifyByPassword(services, name, password).then(noted),
            carried: gateway => gateways.atSiteOf(gateway),
            now: services.clock,
          })
        : await ExternalBroker.connect({
            url: options.mqttUrl,
            onError: error => log.error({ reason: (error as Error).message }, 'the broker is not reachable'),
          }));
    const devices = new Devices(services, log, options, transport, gateways);
    if (devices.broker !== null) await devices.#forgetSessions();
    devices.#serve(app);
    // Of several bridges upon one PostgreSQL another may have them; a controller that lacks something asks any of them.
    if (transport instanceof ExternalBroker && services.storage.engine === 'sqlite') await devices.#resumeSessions();
    return devices;
  }

  #serve(app: FastifyInstance): void {
    const { transport } = this;
    transport.onMessage((topic, payload, from) => this.#received(topic, payload, this.#origin(from ?? null)));
    transport.onPresence((deviceId, isConnected) => {
      if (isConnected || this.#isClosing) return;
      const origin = this.#origin(deviceId);
      this.#lanes.enter(deviceId, () => handleGoodbye(this.#desk, deviceId, null, origin));
    });
    serveClaiming(app, {
      services: this.#services,
      authority: this.authority,
      brokers: () => this.#addresses,
      sendAway: deviceId => this.#sendAway(deviceId),
    });
    for (const task of this.#tasks) task.start();
  }

  #origin(from: string | null): Origin {
    return { from, order: ++this.#order };
  }

  #received(topic: string, payload: Uint8Array, origin: Origin): void {
    const parsed = parseTopic(topic);
    if (parsed?.direction !== 'up') {
      return this.#dropped.add({ device_id: origin.from, kind: topic, reason: 'unknown topic' });
    }
    const { device_id, kind } = parsed;
    const isIn = this.#lanes.enter(device_id, async () => {
      const refusal = await receive(this.#desk, parsed, payload, origin);
      if (refusal !== null) this.#dropped.add({ device_id, kind, ...refusal });
    });
    if (!isIn) this.#dropped.add({ device_id, kind, reason: 'too many at once' });
  }

  /** After a stop of this process nobody is connected, whatever was written down last. */
  async #forgetSessions(): Promise<void> {
    const { storage, writer } = this.#services;
    const links = await storage.reader
      .selectFrom('device_links')
      .select(['device_id', 'organization_id'])
      .where('session_nonce', 'is not', null)
      .execute();
    const forget = links.map(({ device_id, organization_id }) =>
      writer.write(organization_id, system, async context => {
        await context.db
          .updateTable('device_links')
          .set({ session_nonce: null })
          .where('device_id', '=', device_id)
          .execute();
        await setOnline(context, device_id, false);
      }),
    );
    await Promise.all(forget);
  }

  /** The broker has kept the lines of controllers that said hello to an earlier process. */
  async #resumeSessions(): Promise<void> {
    const links = await this.#services.storage.reader
      .selectFrom('device_links as l')
      .innerJoin('devices as d', 'd.id', 'l.device_id')
      .select(['l.device_id', 'l.organization_id', 'd.gateway_id'])
      .where('l.session_nonce', 'is not', null)
      .execute();
    for (const [gateway, carried] of Map.groupBy(links, ({ gateway_id }) => gateway_id)) {
      if (gateway === null) continue;
      const named = new Set(carried.map(({ device_id }) => device_id as DeviceId));
      this.#desk.gateways.carry(gateway, carried[0]!.organization_id, named);
    }
    for (const { device_id } of links) this.#lanes.enter(device_id, () => this.#resume(device_id));
  }

  async #resume(deviceId: string): Promise<void> {
    if (this.sessions.of(deviceId) === undefined) await continuedSession(this.#desk, deviceId);
  }

  #committed({ organizationId, changed, events }: RecordedJournal): void {
    if (changed) this.#pushes.soon(organizationId);
    for (const { verb, object_type, object_device_id } of events) {
      const isGone = verb === 'delete' && (object_type === 'device' || object_type === 'hardware');
      if (isGone && object_device_id !== null) this.#sendAway(object_device_id);
    }
  }

  #sendAway(deviceId: string): void {
    this.sessions.close(deviceId);
    this.#desk.sync.forget(deviceId);
    this.transport.sendAway(deviceId);
  }

  #timers(): Timer[] {
    const { storage, clock } = this.#services;
    return [
      { everyMs: LOOK_MS, work: () => this.#pushes.lookElsewhere(storage) },
      { everyMs: LOOK_MS, work: () => this.#desk.rollouts.look() },
      {
        everyMs: HOUR_MS,
        work: async () => {
          this.#dropped.forget();
          await forgetOldChanges(storage, clock());
          await this.tellTime();
        },
      },
    ];
  }

  /** Every hour: what time it is, and how far everything is. */
  async tellTime(): Promise<void> {
    for (const session of this.sessions.all()) await sendTime(this.#desk, session, session.nonce);
    await this.#pushes.bringAll();
  }

  /** What controllers are told when they are claimed. */
  set addresses(addresses: BrokerAddresses) {
    this.#addresses = addresses;
  }

  get droppedMessages(): number {
    return this.#dropped.count;
  }

  /** All that controllers have said so far is dealt with. */
  async idle(): Promise<void> {
    await this.#lanes.idle();
    await this.#syncLanes.idle();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.actions.close();
    this.technicians.close();
    this.#pushes.close();
    for (const task of this.#tasks) await task.stop();
    await this.transport.close();
    await this.idle();
    await this.#served.close();
  }
}
