import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linuxSystemCalls } from './linux-device-system-calls.ts';

let folder = '';
let fd = -1;

describe('Linux calls on a named pipe', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lintel-calls-'));
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe')]);
    fd = linuxSystemCalls.open(join(folder, 'pipe'));
  });
  afterEach(() => {
    linuxSystemCalls.close(fd);
    rmSync(folder, { recursive: true });
  });

  it('read nothing from an empty pipe without blocking', () => {
    expect(linuxSystemCalls.read(fd, new Uint8Array(8))).toBe(0);
  });

  it('report when data can be read, until they are stopped', async () => {
    const heard: number[] = [];
    const stop = linuxSystemCalls.watch(fd, () => {
      const into = new Uint8Array(8);
      heard.push(...into.subarray(0, linuxSystemCalls.read(fd, into)));
    });
    writeSync(fd, Uint8Array.of(1, 2));
    await expect.poll(() => heard).toEqual([1, 2]);
    writeSync(fd, Uint8Array.of(3));
    await expect.poll(() => heard).toEqual([1, 2, 3]);
    stop();
    writeSync(fd, Uint8Array.of(4));
    const other: string[] = [];
    const stopOther = linuxSystemCalls.watch(fd, () => other.push('ready'));
    await expect.poll(() => other.length).toBeGreaterThan(0);
    stopOther();
    expect(heard).toEqual([1, 2, 3]);
  });

  it('return the result of an ioctl in the given bytes', () => {
    writeSync(fd, Uint8Array.of(7, 8, 9));
    const waiting = new Uint8Array(4);
    const FIONREAD = 0x541b;
    linuxSystemCalls.ioctl(fd, FIONREAD, waiting);
    expect([...waiting]).toEqual([3, 0, 0, 0]);
  });

  it('name the error of an ioctl that the device does not support', () => {
    const EVIOCGRAB = 0x40044590;
    expect(() => linuxSystemCalls.ioctl(fd, EVIOCGRAB, 1)).toThrow(expect.objectContaining({ code: 'ENOTTY' }));
  });

  it('list nothing in a missing folder', () => {
    expect(linuxSystemCalls.list(join(folder, 'nothing'))).toEqual([]);
    expect(linuxSystemCalls.list(folder)).toEqual(['pipe']);
  });
});
