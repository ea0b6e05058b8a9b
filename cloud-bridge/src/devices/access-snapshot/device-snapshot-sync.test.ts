import { hash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { SnapshotDigest, hashSnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-digest';
import { decodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { SnapshotChunkMqttMessage } from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';
import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { createMemberGroupAssociationRequestSchema } from '@lintel/wire-protocol/rest/member-group-association';
import { createMemberGroupRequestSchema } from '@lintel/wire-protocol/rest/member-group';
import { createMemberPinRequestSchema } from '@lintel/wire-protocol/rest/member-pin';
import { createMemberRequestSchema } from '@lintel/wire-protocol/rest/member';
import type { KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createGroupAssociation } from '../../resources/group-associations.ts';
import { createMemberGroup, editMemberGroup } from '../../resources/member-groups.ts';
import { createMemberPin } from '../../resources/member-pins.ts';
import { createMember } from '../../resources/members.ts';
import { parseTestBody, useTestOrganization } from '../../test-organization.test-support.ts';
import type { ActiveDeviceSession } from '../device-session-registry.ts';
import type { EncodedSnapshotChunk } from '../downlink/downlink-sender.ts';
import { DeviceSnapshotSync, type DeviceSnapshotSyncDependencies } from './device-snapshot-sync.ts';

const test = useTestOrganization();

type Hotel = Awaited<ReturnType<typeof createHotel>>;

type PluginMethod<K extends 'transformQuery' | 'transformResult'> = Parameters<KyselyPlugin[K]>[0];

/** Does some work before the members of a full snapshot are loaded, once. */
class WorkDuringSnapshotBuild implements KyselyPlugin {
  #work: (() => Promise<unknown>) | null;
  readonly #listings = new WeakSet<object>();

  constructor(work: () => Promise<unknown>) {
    this.#work = work;
  }

  transformQuery({ node, queryId }: PluginMethod<'transformQuery'>) {
    const isListing = node.kind === 'RawNode' && node.sqlFragments.join('').includes('join members as m');
    if (isListing) this.#listings.add(queryId);
    return node;
  }

  async transformResult({ result, queryId }: PluginMethod<'transformResult'>) {
    if (this.#listings.has(queryId)) {
      const work = this.#work;
      this.#work = null;
      await work?.();
    }
    return result;
  }
}

/** A controller that applies what the bridge sends. */
class AppliedSnapshot {
  readonly entries = new Map<string, SnapshotEntry>();
  readonly received: SnapshotChunkMqttMessage[] = [];

  receive({ body, encoding }: EncodedSnapshotChunk): void {
    const decoded = decodeMqttMessage('slice', encoding === 'gzip' ? gunzipSync(body) : body);
    if (!decoded.ok) throw new Error(decoded.problems[0]!.path);
    const { value } = decoded;
    this.received.push(value);
    if (value.from === null) this.entries.clear();
    for (const entry of value.put) this.entries.set(`${entry.type} ${entry.id}`, entry);
    for (const { type, id } of value.drop) this.entries.delete(`${type} ${id}`);
  }

  get digest(): string {
    const digest = new SnapshotDigest();
    for (const entry of this.entries.values())
      digest.add(hashSnapshotEntry(entry, bytes => hash('sha256', bytes, 'buffer')));
    return digest.toString();
  }
}

const createHotel = async () => {
  const { organization } = test;
  const { id: siteId } = await organization.site();
  const device = await organization.device(siteId);
  const permissions = [{ gadget_id: device.gadgets[0]!.id, action_id: 'open' }];
  const group = await organization.write(context =>
    createMemberGroup(context, parseTestBody(createMemberGroupRequestSchema, { name: 'Guests', permissions })),
  );
  const addMember = (name: string) =>
    organization.write(async context => {
      const { id } = await createMember(context, parseTestBody(createMemberRequestSchema, { name }));
      const association = parseTestBody(createMemberGroupAssociationRequestSchema, { member_group_id: group.id });
      await createGroupAssociation(context, id, association);
      return id;
    });
  const addPin = (memberId: string, pin: string) =>
    organization.write(context =>
      createMemberPin(context, memberId, parseTestBody(createMemberPinRequestSchema, { pin })),
    );
  return { organization, deviceId: device.device.id, group, addMember, addPin };
};

/** A bridge without cached hashes, as after a start, and a session of the controller. */
const openSync = (deviceId: string, snapshot: AppliedSnapshot, plugins: readonly KyselyPlugin[] = []) => {
  const { services } = test.database;
  const { storage } = services;
  const reader = plugins.reduce((db, plugin) => db.withPlugin(plugin), storage.reader);
  const sync = new DeviceSnapshotSync({
    services: { ...services, storage: { ...storage, reader } },
    sessions: { isCurrent: () => true },
    downlink: {
      sendChunks: async (_to: unknown, chunks: EncodedSnapshotChunk[]) => chunks.forEach(c => snapshot.receive(c)),
    },
    served: { find: async () => undefined, record: () => undefined },
    onUnreadable: () => undefined,
    onDigestMismatch: () => undefined,
  } as unknown as DeviceSnapshotSyncDependencies);
  const session = {
    deviceId,
    organizationId: test.organization.id,
    digestKeyId: 'key',
    digestKey: new Uint8Array(32),
    snapshot: null,
    pendingRevision: null,
    sentSnapshots: new Map(),
  } as unknown as ActiveDeviceSession;
  return { sync, session };
};

const withoutRequest = { v: 1, have: null, resume: null } as never;

describe('a delta of a bridge that has just started', () => {
  const changes = {
    'a member': ({ addPin }: Hotel, [, bob]: readonly string[]) => addPin(bob!, '48151623'),
    'a member group': ({ organization, group }: Hotel) =>
      organization.write(context => editMemberGroup(context, group.id, { permissions: [] })),
    'a new member': ({ addMember }: Hotel) => addMember('Cleo'),
  };

  it.each(Object.entries(changes))(
    'matches its digest if %s changes while the full snapshot is read',
    async (_, change) => {
      const hotel = await createHotel();
      const members = [await hotel.addMember('Ann'), await hotel.addMember('Bob')];
      const controller = new AppliedSnapshot();
      const before = openSync(hotel.deviceId, controller);
      await before.sync.handleSyncRequest(before.session, withoutRequest);
      expect(controller.received).toHaveLength(1);

      const { sync, session } = openSync(hotel.deviceId, controller, [
        new WorkDuringSnapshotBuild(() => change(hotel, members)),
      ]);
      session.snapshot = before.session.snapshot;
      await hotel.addPin(members[0]!, '10203040');
      await sync.sendChanges(session, (await sync.views.current(test.organization.id))!, 'if-changed');
      expect(controller.received).toHaveLength(2);
      expect(controller.received[1]).toMatchObject({ from: controller.received[0]!.to });
      expect(controller.digest).toBe(controller.received[1]!.digest);
    },
  );
});
