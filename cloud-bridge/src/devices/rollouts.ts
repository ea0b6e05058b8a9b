import type { DeviceId } from '@lintel/access-core/ids';
import type { Update } from '@lintel/wire-protocol/mqtt/messages/update';
import type { UpdateReport } from '@lintel/wire-protocol/mqtt/messages/update-report';
import type { Downlink } from './downlink/downlink.ts';
import type { Sessions } from './sessions.ts';
import type { Services } from '../services.ts';
import type { ReleaseRow, RolloutRow } from '../storage/update-schema.ts';
import { system } from '../transactions/actor.ts';
import type { WriteContext } from '../transactions/writer.ts';
import { downloadToken } from '../updates/download-token.ts';
import { noteGatewayUpdate } from '../updates/gateway-update-event.ts';
import {
  isNews,
  isRecovery,
  isUnderWay,
  type Moves,
  nextMoves,
  type PlannedDevice,
  type Stage,
} from '../updates/rollout-plan.ts';

interface RolloutsParts {
  readonly services: Services;
  readonly sessions: Sessions;
  readonly downlink: Downlink;
}

type Ordered = RolloutRow & Pick<ReleaseRow, 'version' | 'sha256' | 'size'>;

/** A device that comes later than this is told when it says how far it is. */
const RECENTLY_MS = 600_000;

const unswitched = ['waiting', 'told', 'downloading', 'ready'];

/** Brings releases to controllers and gateways, stage by stage. All that it knows is in the database: it may stop at any time. */
export class Rollouts {
  readonly #parts: RolloutsParts;
  /** Roll-outs that were stopped, and whose devices have been told so from here. */
  readonly #calledBack = new Set<string>();
  /** Most of the time there is nothing to say to whoever comes. */
  #hasOpen = true;

  constructor(parts: RolloutsParts) {
    this.#parts = parts;
  }

  /** Again and again: who is to be told, and whether the next stage may begin. */
  async look(): Promise<void> {
    const open = await this.#open();
    this.#hasOpen = open.length > 0;
    for (const rollout of open) {
      if (rollout.state === 'running') {
        this.#calledBack.delete(rollout.id);
        await this.#advance(rollout);
      } else if (rollout.state !== 'paused' && !this.#calledBack.has(rollout.id)) await this.#callBack(rollout);
    }
  }

  /** Those that have not ended, or not long ago. */
  #open(): Promise<Ordered[]> {
    const recently = this.#parts.services.clock() - RECENTLY_MS;
    return this.#orders()
      .where('r.state', 'in', ['running', 'paused', 'halted', 'cancelled'])
      .where(row => row.or([row('r.finished_at', 'is', null), row('r.finished_at', '>', recently)]))
      .execute();
  }

  /** Whoever has not switched yet, and hangs on this bridge. */
  async #callBack(rollout: Ordered): Promise<void> {
    for (const { device_id, state, told_at } of await this.#devicesOf(rollout.id))
      if (told_at !== null && (isUnderWay(state) || state === 'cancelled'))
        await this.#order(rollout, device_id, 'cancel');
    this.#calledBack.add(rollout.id);
  }

  #orders() {
    return this.#parts.services.storage.reader
      .selectFrom('rollouts as r')
      .innerJoin('releases as e', 'e.id', 'r.release_id')
      .selectAll('r')
      .select(['e.version', 'e.sha256', 'e.size']);
  }

  async #advance(rollout: Ordered): Promise<void> {
    const { services } = this.#parts;
    const devices = await this.#devicesOf(rollout.id);
    const stages = JSON.parse(rollout.stages) as Stage[];
    const moves = nextMoves({ ...rollout, stages }, devices, services.clock());
    // Only those that hang on this bridge: the others are told by theirs.
    const tell = moves.tell.filter(id => this.#parts.sessions.of(id) !== undefined);
    if (tell.length === 0 && moves.lost.length === 0 && Object.keys(moves.change).length === 0) return;
    const isStill = await this.#write(rollout, { ...moves, tell });
    if (!isStill) return;
    for (const id of tell) await this.#order(rollout, id, 'install');
  }

  async #devicesOf(rolloutId: string): Promise<PlannedDevice[]> {
    const rows = await this.#parts.services.storage.reader
      .selectFrom('rollout_devices as d')
      .leftJoin('device_links as l', 'l.device_id', 'd.device_id')
      .select(['d.device_id', 'd.stage', 'd.state', 'd.told_at', 'd.updated_at', 'l.session_nonce'])
      .where('d.rollout_id', '=', rolloutId)
      .orderBy('d.device_id')
      .execute();
    return rows.map(({ session_nonce, ...row }) => ({ ...row, isOnline: session_nonce !== null }));
  }

  /** False when somebody has stopped it meanwhile. */
  #write({ id, organization_id }: Ordered, { tell, lost, change }: Moves): Promise<boolean> {
    return this.#parts.services.writer.write(organization_id, system, async context => {
      const { db, now } = context;
      const ended = change.state === undefined ? {} : { finished_at: change.state === 'done' ? now : null };
      const changed = await db
        .updateTable('rollouts')
        .set({ id, ...change, ...ended })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .executeTakeFirst();
      if (changed.numUpdatedRows === 0n) return false;
      const silent = { state: 'failed', reason: 'silent: it has not come back after the switch' };
      await this.#mark(context, id, lost, ['switched'], silent);
      await this.#mark(context, id, tell, unswitched, { state: 'told', told_at: now, reason: null });
      if (change.state === 'halted' || change.state === 'done') {
        const object = { type: 'organization', organization_id };
        context.log({ verb: 'edit', object, reason: `rollout_${change.state}` });
      }
      return true;
    });
  }

  /** Only devices that are still in one of the states `from`: a report that arrived meanwhile is newer than the plan. */
  async #mark(
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

  async #order(rollout: Ordered, deviceId: string, action: Update['action']): Promise<void> {
    const { services, sessions, downlink } = this.#parts;
    const session = sessions.of(deviceId);
    if (session === undefined) return;
    const { id, version, sha256, size, rate, switch_within_s } = rollout;
    await downlink.send(session, 'update', {
      v: 1,
      rollout_id: id as Update['rollout_id'],
      action,
      release: { version, sha256, size },
      path: `/updates/v1/rollouts/${id}/devices/${deviceId}/release`,
      token: downloadToken(services.masterKeys, { rolloutId: id, deviceId }),
      rate,
      switch_within_s,
    });
  }

  /** A device has said hello: it may have forgotten what it was told. */
  async greeted(deviceId: string): Promise<void> {
    if (!this.#hasOpen) return;
    const rows = await this.#orders()
      .innerJoin('rollout_devices as d', 'd.rollout_id', 'r.id')
      .select('d.state as device_state')
      .where('d.device_id', '=', deviceId)
      .where('d.state', 'in', ['told', 'downloading', 'ready'])
      .execute();
    for (const row of rows) {
      const isWanted = row.state === 'running' || row.state === 'paused';
      await this.#order(row, deviceId, isWanted ? 'install' : 'cancel');
    }
  }

  async #stateOf(rolloutId: string, deviceId: string): Promise<string | undefined> {
    const row = await this.#parts.services.storage.reader
      .selectFrom('rollout_devices')
      .select('state')
      .where('rollout_id', '=', rolloutId)
      .where('device_id', '=', deviceId)
      .executeTakeFirst();
    return row?.state;
  }

  /** How far a device is, by its own word. */
  async reported(device: DeviceId, report: UpdateReport): Promise<string | null> {
    const { services } = this.#parts;
    const { rollout_id, state, percent, running, reason } = report;
    const rollout = await this.#orders().where('r.id', '=', rollout_id).executeTakeFirst();
    if (rollout === undefined) return 'there is no such roll-out';
    const known = await this.#stateOf(rollout_id, device);
    if (known === undefined) return 'it is not part of that roll-out';
    if (isNews(known, state))
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
        if (isRecovery(known, state)) await this.#forgiveLess(context, rollout_id);
        await noteGatewayUpdate(context, device, state);
      });
    const isStopped = rollout.state === 'cancelled' || rollout.state === 'halted';
    if (isStopped && (state === 'downloading' || state === 'ready')) await this.#order(rollout, device, 'cancel');
    return null;
  }

  /** Otherwise a recovered device would excuse the failure of another one. */
  async #forgiveLess({ db }: WriteContext, rolloutId: string): Promise<void> {
    await db
      .updateTable('rollouts')
      .set(row => ({ forgiven_failures: row('forgiven_failures', '-', 1) }))
      .where('id', '=', rolloutId)
      .where('forgiven_failures', '>', 0)
      .execute();
  }
}
