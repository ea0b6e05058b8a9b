import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { FaultRegistry } from '@lintel/service/faults/fault-registry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RevocationStore } from './store.ts';

const [device, other] = ['dev_1', 'dev_2'] as DeviceId[] as [DeviceId, DeviceId];
const site = new Set([device, other]);

let folder: string;
let path: string;
let faults: FaultRegistry;
let store: RevocationStore;

const open = (organization = 'org_1'): void => {
  faults = new FaultRegistry(() => instant(0));
  store = new RevocationStore(path, organization as OrganizationId, faults);
};
const codes = (): string[] => faults.list().map(({ code }) => code);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-revocations-'));
  path = join(folder, 'gateway', 'revocations.db');
  open();
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('RevocationStore', () => {
  it('returns what a controller may lack, and drops what all controllers have', () => {
    for (let n = 1; n <= 4; n++) store.add(n, n * 10, Uint8Array.of(n));
    store.add(4, 40, Uint8Array.of(4));
    store.setActiveRevision(device, 20, site);
    expect(store.pendingFor(device).map(([n]) => n)).toEqual([3, 4]);
    expect(store.pendingFor(other).map(([n]) => n)).toEqual([1, 2, 3, 4]);
    store.setActiveRevision(other, 30, site);
    expect([store.count, store.latestCounter()]).toEqual([2, 4]);
  });

  it('keeps its contents over a restart', () => {
    store.add(1, 10, Uint8Array.of(1));
    store.close();
    open();
    expect(store.pendingFor(device)).toHaveLength(1);
    expect(codes()).toEqual([]);
  });

  it('keeps the newest of two revocations with the same counter, from before and after a bridge was restored', () => {
    store.add(5, 50, Uint8Array.of(1));
    store.add(5, 40, Uint8Array.of(2));
    expect(store.pendingFor(device).map(([n]) => n)).toEqual([2]);
  });

  it('deletes the revocations of the organization that it belonged to before', () => {
    store.add(5, 50, Uint8Array.of(1));
    store.close();
    open('org_2');
    expect([store.count, store.latestCounter()]).toEqual([0, 0]);
  });

  it('sets a damaged file aside, reports it, and starts empty', () => {
    store.close();
    writeFileSync(path, Buffer.alloc(8192, 0x55));
    open();
    store.add(1, 10, Uint8Array.of(1));
    expect([store.count, codes()]).toEqual([1, ['store_damaged']]);
    expect(readFileSync(`${path}.damaged`)[0]).toBe(0x55);
  });

  it('starts empty when damage is found during operation', () => {
    for (let n = 1; n <= 200; n++) store.add(n, n, new Uint8Array(3000));
    store.close();
    const bytes = readFileSync(path);
    bytes.fill(0x55, 4096 * 3);
    writeFileSync(path, bytes);
    open();
    expect(store.pendingFor(device)).toEqual([]);
    expect([existsSync(`${path}.damaged`), codes()]).toEqual([true, ['store_damaged']]);
    store.add(1, 10, Uint8Array.of(1));
    expect(store.count).toBe(1);
  });

  it('reports a file that cannot be opened, and recovers when it can', () => {
    store.close();
    rmSync(join(folder, 'gateway'), { recursive: true });
    writeFileSync(join(folder, 'gateway'), 'a file in place of the folder');
    open();
    store.add(1, 10, Uint8Array.of(1));
    expect([store.count, codes()]).toEqual([0, ['store']]);
    store.retry();
    expect(codes()).toEqual(['store']);
    rmSync(join(folder, 'gateway'));
    store.retry();
    expect([store.count, codes()]).toEqual([0, []]);
  });
});
