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

const LISTING_OF_MEMBERS = 'join members as m';
const PAGE_OF_MEMBERS = 'from members as t';
/** Small, so that a page of members fills several chunks. */
const CHUNK_CHARACTERS = 8192;

/** Does some work before the result of the nth query that contains the fragment, once. */
class WorkDuringSnapshotBuild implements KyselyPlugin {
  readonly #work: () => Promise<unknown>;
  readonly #fragment: string;
  #queriesBefore: number;
  #query: object | null = null;

  constructor(work: () => Promise<unknown>, fragment = LISTING_OF_MEMBERS, nth = 1) {
    this.#work = work;
    this.#fragment = fragment;
    this.#queriesBefore = nth;
  }

  transformQuery({ node, queryId }: PluginMethod<'transformQuery'>) {
    const isCounted = node.kind === 'RawNode' && node.sqlFragments.join('').includes(this.#fragment);
    if (isCounted && --this.#queriesBefore === 0) this.#query = queryId;
    return node;
  }

  async transformResult({ result, queryId }: PluginMethod<'transformResult'>) {
    if (this.#query === queryId) await this.#work();
    return result;
  }
}

/** A controller that applies what the bridge sends. */
class AppliedSnapshot {
  readonly entries = new Map<string, SnapshotEntry>();
  readonly received: SnapshotChunkMqttMessage[] = [];
  readonly firstReceived = Promise.withResolvers<void>();

  receive({ body, encoding }: EncodedSnapshotChunk): void {
    const decoded = decodeMqttMessage('snapshot', encoding === 'gzip' ? gunzipSync(body) : body);
    if (!decoded.ok) throw new Error(decoded.problems[0]!.path);
    const { value } = decoded;
    this.received.push(value);
    this.firstReceived.resolve();
    if (value.from === null && value.chunk === 0) this.entries.clear();
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
const openSync = (
  deviceId: string,
  snapshot: AppliedSnapshot,
  plugins: readonly KyselyPlugin[] = [],
  chunkCharacters?: number,
) => {
  const { services } = test.database;
  const { storage } = services;
  const reader = plugins.reduce((db, plugin) => db.withPlugin(plugin), storage.reader);
  const sync = new DeviceSnapshotSync({
    services: { ...services, storage: { ...storage, reader } },
    sessions: { isCurrent: () => true },
    downlink: {
      sendChunks: async (_to: unknown, chunks: EncodedSnapshotChunk[]) => chunks.forEach(c => snapshot.receive(c)),
    },
    served: { find: async () => undefined, record: () => undefined, recordGroups: () => undefined },
    onUnreadable: () => undefined,
    onDigestMismatch: () => undefined,
    chunkCharacters,
  } as unknown as DeviceSnapshotSyncDependencies);
  const session = {
    deviceId,
    origin: { from: deviceId, order: 1 },
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

describe('a full snapshot in several chunks', () => {
  const openLargeHotel = async (): Promise<Hotel> => {
    const hotel = await createHotel();
    await hotel.organization.write(async context => {
      for (let number = 0; number < 1200; number++) {
        const { id } = await createMember(context, parseTestBody(createMemberRequestSchema, { name: `G${number}` }));
        const association = parseTestBody(createMemberGroupAssociationRequestSchema, {
          member_group_id: hotel.group.id,
        });
        await createGroupAssociation(context, id, association);
      }
    });
    return hotel;
  };

  /** Opens a session, and does some work before the second page of members is read. */
  const openSession = (
    { deviceId }: Hotel,
    controller: AppliedSnapshot,
    accepts: boolean,
    work: () => Promise<unknown>,
  ) => {
    const opened = openSync(
      deviceId,
      controller,
      [new WorkDuringSnapshotBuild(work, PAGE_OF_MEMBERS, 2)],
      CHUNK_CHARACTERS,
    );
    opened.session.acceptsOpenSnapshots = accepts;
    return opened;
  };

  const requestRest = async ({ sync, session }: ReturnType<typeof openSync>, { received }: AppliedSnapshot) => {
    while (received.at(-1)!.chunk + 1 !== received.at(-1)!.chunks) {
      const resume = { revision: received[0]!.to, chunk: received.length };
      await sync.handleSyncRequest(session, { v: 1, have: null, resume, ahead: true });
    }
  };

  it('is sent while the rest is read, to a controller that accepts it', async () => {
    const controller = new AppliedSnapshot();
    const opened = openSession(await openLargeHotel(), controller, true, () => controller.firstReceived.promise);
    await opened.sync.handleSyncRequest(opened.session, withoutRequest);
    expect(controller.received[0]).toMatchObject({ chunk: 0, chunks: null, digest: null });
    expect(controller.received).toHaveLength(8);
    await requestRest(opened, controller);
    expect(controller.digest).toBe(controller.received.at(-1)!.digest);
    expect(opened.session.snapshot?.digest).toBe(controller.digest);
  });

  it('is sent when all of it is read, to any other controller', async () => {
    const controller = new AppliedSnapshot();
    let receivedBefore = -1;
    const opened = openSession(await openLargeHotel(), controller, false, async () => {
      receivedBefore = controller.received.length;
    });
    await opened.sync.handleSyncRequest(opened.session, withoutRequest);
    expect(receivedBefore).toBe(0);
    await requestRest(opened, controller);
    const { chunks, digest } = controller.received[0]!;
    expect(controller.received.every(chunk => chunk.chunks === chunks && chunk.digest === digest)).toBe(true);
    expect(controller.digest).toBe(digest);
  });

  it('ignores a request for chunks after the last one only if it is ahead', async () => {
    const controller = new AppliedSnapshot();
    const opened = openSession(await openLargeHotel(), controller, true, async () => undefined);
    const { sync, session } = opened;
    await sync.handleSyncRequest(session, withoutRequest);
    await requestRest(opened, controller);
    const count = controller.received.length;
    const past = { v: 1, have: null, resume: { revision: controller.received[0]!.to, chunk: count } } as const;
    await sync.handleSyncRequest(session, { ...past, ahead: true });
    expect(controller.received).toHaveLength(count);
    await sync.handleSyncRequest(session, past);
    expect(controller.received[count]).toMatchObject({ chunk: 0, from: null });
  });

  it('is built again at the next request if a page cannot be read', async () => {
    const controller = new AppliedSnapshot();
    const opened = openSession(await openLargeHotel(), controller, true, async () => {
      await controller.firstReceived.promise;
      throw new Error('disk');
    });
    const { sync, session } = opened;
    await sync.handleSyncRequest(session, withoutRequest);
    await expect(requestRest(opened, controller)).rejects.toThrow('disk');
    expect([session.snapshot, session.pendingRevision]).toEqual([null, null]);
    const resume = { revision: controller.received[0]!.to, chunk: controller.received.length };
    controller.received.length = 0;
    await sync.handleSyncRequest(session, { v: 1, have: null, resume });
    await requestRest(opened, controller);
    expect(controller.digest).toBe(controller.received.at(-1)!.digest);
  });
});
