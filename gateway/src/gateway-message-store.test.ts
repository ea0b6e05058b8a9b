import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceId } from '@lintel/access-core/ids';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { instant } from '@lintel/access-core/instant';
import { FaultRegistry } from '@lintel/service/faults/fault-registry';
import { GatewayMessageStore } from './gateway-message-store.ts';
import { OfflineDownlinkQueue } from './store/offline-downlink-queue.ts';
import { StoredRevocations } from './store/stored-revocations.ts';
import { GatewayStoreFile } from './store/gateway-sqlite-file.ts';

const MB = 1024 * 1024;
const device = 'dev_1' as DeviceId;

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-store-'));
  path = join(folder, 'store.db');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const frame = (sequence: number, bytes = 100) => ({
  device,
  serial: '01',
  kind: 'events' as const,
  ranges: [{ epoch: '', range: [sequence, sequence] as const }],
  receivedAt: 1,
  payload: new Uint8Array(bytes),
});

const openStore = (limits = {}) => {
  const faults = new FaultRegistry(() => instant(0));
  return { faults, store: new GatewayMessageStore(path, faults, limits) };
};

describe('gateway store', () => {
  describe('event queue', () => {
    it('keeps its contents over closing and opening', () => {
      const first = openStore().store;
      expect(first.frames.add(frame(1))).toBe('stored');
      first.close();
      const { store } = openStore();
      expect(store.frames.total).toEqual({ frames: 1, bytes: 100, events: 1 });
      expect(store.frames.add(frame(1))).toBe('duplicate');
      store.close();
    });

    it('leaves events with the controllers while it is full, and accepts them when there is room again', () => {
      const { store } = openStore({ maxBytesPerDevice: 250 });
      expect([1, 2, 3].map(sequence => store.frames.add(frame(sequence)))).toEqual(['stored', 'stored', 'rejected']);
      store.frames.confirm([1]);
      expect(store.frames.add(frame(3))).toBe('stored');
      expect(store.frames.total.frames).toBe(2);
      store.close();
    });

    it('archives a damaged file, reports it, and starts empty', async () => {
      writeFileSync(path, Buffer.alloc(8192, 0x55));
      const { store, faults } = openStore();
      expect(store.frames.add(frame(1))).toBe('stored');
      expect(faults.list().map(({ code }) => code)).toEqual(['store_damaged']);
      expect(readFileSync(`${path}.damaged`)[0]).toBe(0x55);
      store.close();
    });

    it('starts empty when damage is found during operation, and requests the lost events again', async () => {
      const { store, faults } = openStore();
      for (let sequence = 1; sequence <= 200; sequence++) store.frames.add(frame(sequence, 3000));
      store.close();
      const bytes = readFileSync(path);
      bytes.fill(0x55, 4096 * 3);
      writeFileSync(path, bytes);
      const asked = new Promise<void>(resolve => store.onDamage(resolve));
      for (let id = 0; id < 200 && !existsSync(`${path}.damaged`); id++) store.frames.next(device, id);
      await asked;
      expect(store.frames.total.frames).toBe(0);
      expect(faults.list().map(({ code }) => code)).toContain('store_damaged');
      expect(store.frames.add(frame(1))).toBe('stored');
      store.close();
    });

    it('reports a full disk, leaves the rest with the controllers, and reports when it is over', () => {
      const { store, faults } = openStore({ diskBytes: 200_000 });
      const results = Array.from({ length: 60 }, (_, sequence) => store.frames.add(frame(sequence + 1, 4000)));
      expect(results.at(-1)).toBe('rejected');
      expect(faults.list().map(({ code }) => code)).toEqual(['store']);
      const stored = results.filter(result => result === 'stored').length;
      expect(store.frames.total.frames).toBe(stored);
      store.frames.confirm([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      expect(store.frames.add(frame(61, 4000))).toBe('stored');
      expect(faults.list()).toEqual([]);
      store.close();
    });
  });

  describe('messages for an offline controller', () => {
    it('are delivered in order and once, without the oldest when there are too many', () => {
      const file = new GatewayStoreFile(path, 64 * MB, () => undefined);
      const offlineQueue = new OfflineDownlinkQueue(file);
      for (let n = 0; n < 70; n++) offlineQueue.put(device, 'ack', Uint8Array.of(n));
      offlineQueue.put('dev_2' as DeviceId, 'ack', Uint8Array.of(0));
      expect(offlineQueue.take(device).map(({ payload }) => payload[0])).toEqual(
        Array.from({ length: 64 }, (_, n) => n + 6),
      );
      expect(offlineQueue.take(device)).toEqual([]);
      offlineQueue.removeExcept(new Set([device]));
      expect(offlineQueue.take('dev_2' as DeviceId)).toEqual([]);
      file.close();
    });
  });

  describe('stored revocations', () => {
    const site = new Set([device, 'dev_2' as DeviceId]);

    it('are sent to controllers that may lack them, and dropped when all have them', () => {
      const file = new GatewayStoreFile(path, 64 * MB, () => undefined);
      const revocations = new StoredRevocations(file);
      for (let n = 1; n <= 4; n++) revocations.add(n, n * 10, Uint8Array.of(n));
      revocations.add(4, 40, Uint8Array.of(4));
      revocations.setServedRevision(device, 20, site);
      expect(revocations.pendingFor(device).map(([n]) => n)).toEqual([3, 4]);
      expect(revocations.pendingFor('dev_2' as DeviceId).map(([n]) => n)).toEqual([1, 2, 3, 4]);
      revocations.setServedRevision('dev_2' as DeviceId, 30, site);
      expect(revocations.count).toBe(2);
      expect(revocations.latestCounter()).toBe(4);
      file.close();
    });
  });
});
