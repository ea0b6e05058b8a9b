import type { DeviceId } from '@lintel/access-core/ids';
import type { UpdateMqttMessage } from '@lintel/wire-protocol/mqtt/messages/update';
import type { UpdateReportMqttMessage } from '@lintel/wire-protocol/mqtt/messages/update-report';
import type { DownlinkSender } from './downlink/downlink-sender.ts';
import type { DeviceSessionRegistry } from './device-session-registry.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { ReleaseRow, RolloutRow } from '../storage/release-and-rollout-schema.ts';
import { systemActor } from '../transactions/actor.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { createReleaseDownloadToken } from '../updates/download-token.ts';
import { recordGatewayUpdateEvent } from '../updates/record-gateway-update-event.ts';
import {
  changesRolloutDeviceState,
  hasRolloutDeviceRecovered,
  isBeforeSlotSwitch,
  type PlannedRolloutSteps,
  planRolloutSteps,
  type DeviceInRollout,
  type RolloutStage,
} from '../updates/rollout-plan.ts';

interface RolloutDependencies {
  readonly services: BridgeServices;
  readonly sessions: DeviceSessionRegistry;
  readonly downlink: DownlinkSender;
}

type RolloutWithRelease = RolloutRow & Pick<ReleaseRow, 'version' | 'sha256' | 'size'>;

/** Later than this, a device receives the cancel message as response to its next progress report. */
const RECENT_MS = 600_000;

const beforeSwitch = ['waiting', 'told', 'downloading', 'ready'];

/** Rolls out releases to controllers and gateways, stage by stage. All state is in the database. */
export class RolloutCoordinator {
  readonly #dependencies: RolloutDependencies;
  /** Stopped roll-outs whose devices received the cancel message from this bridge. */
  readonly #cancelled = new Set<string>();
  /** Avoids a query for each hello when no roll-out is open. */
  #hasOpenRollouts = true;

  constructor(dependencies: RolloutDependencies) {
    this.#dependencies = dependencies;
  }

  /** Sends due install messages and starts stages. Called periodically. */
  async advanceRollouts(): Promise<void> {
    const open = await this.#openRollouts();
    this.#hasOpenRollouts = open.length > 0;
    for (const rollout of open) {
      if (rollout.state === 'running') {
        this.#cancelled.delete(rollout.id);
        await this.#advance(rollout);
      } else if (rollout.state !== 'paused' && !this.#cancelled.has(rollout.id)) await this.#cancelDevices(rollout);
    }
  }

  /** Roll-outs that have not ended or ended recently. */
  #openRollouts(): Promise<RolloutWithRelease[]> {
    const recently = this.#dependencies.services.clock() - RECENT_MS;
    return this.#rolloutsWithRelease()
      .where('r.state', 'in', ['running', 'paused', 'halted', 'cancelled'])
      .where(row => row.or([row('r.finished_at', 'is', null), row('r.finished_at', '>', recently)]))
      .execute();
  }

  /** Sends the cancel message to devices that have not switched and are connected to this bridge. */
  async #cancelDevices(rollout: RolloutWithRelease): Promise<void> {
    for (const { device_id, state, told_at } of await this.#devicesOf(rollout.id))
      if (told_at !== null && (isBeforeSlotSwitch(state) || state === 'cancelled'))
        await this.#sendUpdateMessage(rollout, device_id, 'cancel');
    this.#cancelled.add(rollout.id);
  }

  #rolloutsWithRelease() {
    return this.#dependencies.services.storage.reader
      .selectFrom('rollouts as r')
      .innerJoin('releases as e', 'e.id', 'r.release_id')
      .selectAll('r')
      .select(['e.version', 'e.sha256', 'e.size']);
  }

  async #advance(rollout: RolloutWithRelease): Promise<void> {
    const { services } = this.#dependencies;
    const devices = await this.#devicesOf(rollout.id);
    const stages = JSON.parse(rollout.stages) as RolloutStage[];
    const steps = planRolloutSteps({ ...rollout, stages }, devices, services.clock());
    // Only devices that are connected to this bridge: other bridges send to theirs.
    const install = steps.install.filter(id => this.#dependencies.sessions.of(id) !== undefined);
    if (install.length === 0 && steps.lost.length === 0 && Object.keys(steps.change).length === 0) return;
    const isRunning = await this.#write(rollout, { ...steps, install });
    if (!isRunning) return;
    for (const id of install) await this.#sendUpdateMessage(rollout, id, 'install');
  }

  async #devicesOf(rolloutId: string): Promise<DeviceInRollout[]> {
    const rows = await this.#dependencies.services.storage.reader
      .selectFrom('rollout_devices as d')
      .leftJoin('device_links as l', 'l.device_id', 'd.device_id')
      .select(['d.device_id', 'd.stage', 'd.state', 'd.told_at', 'd.updated_at', 'l.session_nonce'])
      .where('d.rollout_id', '=', rolloutId)
      .orderBy('d.device_id')
      .execute();
    return rows.map(({ session_nonce, ...row }) => ({ ...row, isOnline: session_nonce !== null }));
  }

  /** Returns false if the roll-out was stopped in the meantime. */
  #write(
    { id, organization_id }: RolloutWithRelease,
    { install, lost, change }: PlannedRolloutSteps,
  ): Promise<boolean> {
    return this.#dependencies.services.writer.write(organization_id, systemActor, async context => {
      const { db, now } = context;
      const ended = change.state === undefined ? {} : { finished_at: change.state === 'done' ? now : null };
      const changed = await db
        .updateTable('rollouts')
        .set({ id, ...change, ...ended })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .executeTakeFirst();
      if (changed.numUpdatedRows === 0n) return false;
      const silent = { state: 'failed', reason: 'silent: no report after the switch' };
      await this.#setDeviceStates(context, id, lost, ['switched'], silent);
      await this.#setDeviceStates(context, id, install, beforeSwitch, { state: 'told', told_at: now, reason: null });
      if (change.state === 'halted' || change.state === 'done') {
        const object = { type: 'organization', organization_id };
        context.log({ verb: 'edit', object, reason: `rollout_${change.state}` });
      }
      return true;
    });
  }

  /** Skips devices that are no longer in one of the states `from`, because a newer report has changed them. */
  async #setDeviceStates(
    { db, now }: WriteContext,
    rolloutId: string,
    deviceIds: readonly string[],
    from: readonly string[],
    change: { readonly state: string; readonly reason: string | null; readonly told_at?: number },
  ): Promise<void> {
    if (deviceIds.length === 0) return;
    await db
      .updateTable('rollout_devices')
      .set({ ...change, updated_at: now })
      .where('rollout_id', '=', rolloutId)
      .where('device_id', 'in', deviceIds)
      .where('state', 'in', from)
      .execute();
  }

  async #sendUpdateMessage(
    rollout: RolloutWithRelease,
    deviceId: string,
    action: UpdateMqttMessage['action'],
  ): Promise<void> {
    const { services, sessions, downlink } = this.#dependencies;
    const session = sessions.of(deviceId);
    if (session === undefined) return;
    const { id, version, sha256, size, rate, switch_within_s } = rollout;
    await downlink.send(session, 'update', {
      v: 1,
      rollout_id: id as UpdateMqttMessage['rollout_id'],
      action,
      release: { version, sha256, size },
      path: `/updates/v1/rollouts/${id}/devices/${deviceId}/release`,
      token: createReleaseDownloadToken(services.masterKeys, { rolloutId: id, deviceId }),
      rate,
      switch_within_s,
    });
  }

  /** Repeats the last message after a hello, because a restarted device may have lost it. */
  async onHello(deviceId: string): Promise<void> {
    if (!this.#hasOpenRollouts) return;
    const rows = await this.#rolloutsWithRelease()
      .innerJoin('rollout_devices as d', 'd.rollout_id', 'r.id')
      .select('d.state as device_state')
      .where('d.device_id', '=', deviceId)
      .where('d.state', 'in', ['told', 'downloading', 'ready'])
      .execute();
    for (const row of rows) {
      const isActive = row.state === 'running' || row.state === 'paused';
      await this.#sendUpdateMessage(row, deviceId, isActive ? 'install' : 'cancel');
    }
  }

  async #stateOf(rolloutId: string, deviceId: string): Promise<string | undefined> {
    const row = await this.#dependencies.services.storage.reader
      .selectFrom('rollout_devices')
      .select('state')
      .where('rollout_id', '=', rolloutId)
      .where('device_id', '=', deviceId)
      .executeTakeFirst();
    return row?.state;
  }

  /** Records a progress report. Returns why it was rejected, or null. */
  async handleReport(device: DeviceId, report: UpdateReportMqttMessage): Promise<string | null> {
    const { services } = this.#dependencies;
    const { rollout_id, state, percent, running, reason } = report;
    const rollout = await this.#rolloutsWithRelease().where('r.id', '=', rollout_id).executeTakeFirst();
    if (rollout === undefined) return 'unknown roll-out';
    const known = await this.#stateOf(rollout_id, device);
    if (known === undefined) return 'the device is not part of this roll-out';
    if (changesRolloutDeviceState(known, state))
      await services.writer.write(rollout.organization_id, { device_id: device }, async context => {
        const { db, now } = context;
        const changed = await db
          .updateTable('rollout_devices')
          .set({ state, percent, reason, running_version: running, updated_at: now })
          .where('rollout_id', '=', rollout_id)
          .where('device_id', '=', device)
          .where('state', '=', known)
          .executeTakeFirst();
        if (changed.numUpdatedRows === 0n) return;
        if (hasRolloutDeviceRecovered(known, state)) await this.#decrementForgivenFailures(context, rollout_id);
        await recordGatewayUpdateEvent(context, device, state);
      });
    const isStopped = rollout.state === 'cancelled' || rollout.state === 'halted';
    if (isStopped && (state === 'downloading' || state === 'ready'))
      await this.#sendUpdateMessage(rollout, device, 'cancel');
    return null;
  }

  /** Without this, a recovered device would offset the failure of another device. */
  async #decrementForgivenFailures({ db }: WriteContext, rolloutId: string): Promise<void> {
    await db
      .updateTable('rollouts')
      .set(row => ({ forgiven_failures: row('forgiven_failures', '-', 1) }))
      .where('id', '=', rolloutId)
      .where('forgiven_failures', '>', 0)
      .execute();
  }
}
