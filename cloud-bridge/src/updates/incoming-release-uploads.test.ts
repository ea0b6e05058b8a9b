import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { captureApiError } from '../test-organization.test-support.ts';
import { IncomingReleaseUploads } from './incoming-release-uploads.ts';

const limits = { releaseBytes: 100, bytes: 150, uploads: 2, bridgeBytes: 1000, lifetimeMs: 1000 };

let folder: string;
let now: number;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'lintel-uploads-')), 'incoming');
  now = Date.now();
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const GIGABYTE = 1e9;
let space = { free: GIGABYTE, size: 2 * GIGABYTE };
const open = () =>
  new IncomingReleaseUploads(
    folder,
    limits,
    () => now,
    () => space,
  );
const of = (organizationId: string, uploader = `user of ${organizationId}`) => ({ organizationId, uploader });
const bytes = (count: number): Readable => Readable.from([Buffer.alloc(count, 'x')]);

describe('IncomingReleaseUploads', () => {
  it('appends at the size received so far, starts over at 0, and rejects other offsets', async () => {
    const uploads = open();
    expect(await uploads.write(of('org_1'), 'a', bytes(10), 0)).toBe(10);
    expect(await uploads.write(of('org_1'), 'a', bytes(5), 10)).toBe(15);
    expect(await captureApiError(uploads.write(of('org_1'), 'a', bytes(5), 10))).toBe('invalid_request: offset');
    expect(await uploads.write(of('org_1'), 'a', bytes(3), 0)).toBe(3);
    expect(readFileSync(uploads.pathOf('org_1', 'a'), 'utf8')).toBe('xxx');
  });

  it('limits one release, the bytes and the number of uploads of an organization, and of no other', async () => {
    const uploads = open();
    expect(await captureApiError(uploads.write(of('org_1'), 'a', bytes(101), 0))).toBe('payload_too_large');
    await uploads.write(of('org_1'), 'a', bytes(100), 0);
    expect(await captureApiError(uploads.write(of('org_1'), 'b', bytes(51), 0))).toBe('payload_too_large');
    await uploads.write(of('org_1'), 'b', bytes(50), 0);
    expect(await captureApiError(uploads.write(of('org_1'), 'c', bytes(1), 0))).toBe('rate_limited');
    expect(await uploads.write(of('org_2'), 'a', bytes(100), 0)).toBe(100);
    uploads.remove('org_1', 'a');
    expect(await uploads.write(of('org_1'), 'c', bytes(1), 0)).toBe(1);
  });

  it('limits the bytes and the number of uploads of an uploader in all organizations', async () => {
    const uploads = open();
    await uploads.write(of('org_1', 'user'), 'a', bytes(100), 0);
    expect(await captureApiError(uploads.write(of('org_2', 'user'), 'a', bytes(51), 0))).toBe('payload_too_large');
    await uploads.write(of('org_2', 'user'), 'a', bytes(50), 0);
    expect(await captureApiError(uploads.write(of('org_3', 'user'), 'a', bytes(1), 0))).toBe('rate_limited');
    expect(await uploads.write(of('org_3', 'other'), 'a', bytes(100), 0)).toBe(100);
  });

  it('limits the bytes of the bridge to a share of the free space, and keeps a reserve', async () => {
    const uploads = open();
    for (let index = 0; index < 10; index++) await uploads.write(of(`org_${index}`), 'a', bytes(100), 0);
    const further = () => captureApiError(uploads.write(of('org_10'), 'a', bytes(1), 0));
    expect(await further()).toBe('insufficient_storage');
    uploads.remove('org_0', 'a');
    space = { free: 2500, size: 10_000 };
    expect(await further()).toBe('insufficient_storage');
    space = { free: GIGABYTE / 2, size: 30 * GIGABYTE };
    expect(await further()).toBe('insufficient_storage');
    space = { free: GIGABYTE, size: 2 * GIGABYTE };
    expect(await uploads.write(of('org_10'), 'a', bytes(1), 0)).toBe(1);
  });

  it('counts bytes of uploads that run at the same time', async () => {
    const uploads = open();
    const [first, second] = [new PassThrough(), new PassThrough()];
    const results = [
      uploads.write(of('org_1'), 'a', first, 0),
      captureApiError(uploads.write(of('org_1'), 'b', second, 0)),
    ];
    first.end(Buffer.alloc(100));
    await results[0];
    second.end(Buffer.alloc(60));
    expect(await results[1]).toBe('payload_too_large');
  });

  it('rejects a second request for an upload that is being written', async () => {
    const uploads = open();
    const body = new PassThrough();
    const written = uploads.write(of('org_1'), 'a', body, 0);
    expect(await captureApiError(uploads.write(of('org_1'), 'a', bytes(1), 0))).toBe('invalid_request');
    body.end('xx');
    expect(await written).toBe(2);
  });

  it('counts the uploads of an earlier process, and deletes them when they expire', async () => {
    await open().write(of('org_1'), 'a', bytes(10), 0);
    await open().write(of('org_1'), 'b', bytes(10), 0);
    const restarted = open();
    expect(await captureApiError(restarted.write(of('org_1'), 'c', bytes(1), 0))).toBe('rate_limited');
    now += limits.lifetimeMs + 1000;
    restarted.deleteExpired();
    expect(existsSync(restarted.pathOf('org_1', 'a'))).toBe(false);
    expect(await restarted.write(of('org_1'), 'c', bytes(1), 0)).toBe(1);
  });

  it('keeps a running upload beyond its lifetime', async () => {
    const uploads = open();
    const body = new PassThrough();
    const written = uploads.write(of('org_1'), 'a', body, 0);
    now += limits.lifetimeMs + 1000;
    uploads.deleteExpired();
    body.end('xx');
    expect(await written).toBe(2);
    expect(uploads.has('org_1', 'a')).toBe(true);
  });
});
