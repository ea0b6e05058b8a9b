import type { CardUid } from '@lintel/wire-protocol/rest/card-uid';
import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { TapCapture, TapCaptureBusyError } from './tap-capture.ts';

const card = { kind: 'card', uid: '04a1b2c3' as CardUid } as const;

let clock: VirtualClock;
let nextTap: TapCapture;
beforeEach(() => {
  clock = new VirtualClock();
  nextTap = new TapCapture(clock);
});

describe('TapCapture', () => {
  it('captures nothing without a waiting request', () => {
    expect(nextTap.capture('front', card)).toBe(false);
  });

  it('reports when it begins to wait', () => {
    const waits: (string | null)[] = [];
    const reporting = new TapCapture(clock, station => waits.push(station));
    void reporting.waitForTap('a test', 30_000, { station: 'back' });
    expect(() => reporting.waitForTap('another', 30_000)).toThrow(TapCaptureBusyError);
    reporting.stop();
    void reporting.waitForTap('a third', 30_000);
    expect(waits).toEqual(['back', null]);
  });

  it('captures the next tap for the waiting request, and leaves the following one to the door', async () => {
    const caught = nextTap.waitForTap('a test', 30_000);
    expect(nextTap.capture('front', card)).toBe(true);
    expect(nextTap.capture('front', card)).toBe(false);
    expect(await caught).toEqual({ ...card, station: 'front' });
  });

  it('leaves taps at other readers to the door when one reader is specified', async () => {
    const caught = nextTap.waitForTap('a test', 30_000, { station: 'back' });
    expect(nextTap.capture('front', card)).toBe(false);
    expect(nextTap.capture('back', card)).toBe(true);
    expect(await caught).toMatchObject({ station: 'back' });
  });

  it('times out, and leaves later taps to the door', async () => {
    const caught = nextTap.waitForTap('a test', 30_000);
    clock.advance(30_000);
    expect(await caught).toBeNull();
    expect(nextTap.capture('front', card)).toBe(false);
  });

  it('allows one waiting request at a time', async () => {
    const gone = new AbortController();
    const first = nextTap.waitForTap('a test', 30_000, { signal: gone.signal });
    expect(() => nextTap.waitForTap('another', 30_000)).toThrow(new TapCaptureBusyError('a test'));
    gone.abort();
    expect(await first).toBeNull();
    expect(nextTap.capture('front', card)).toBe(false);
    void nextTap.waitForTap('another', 30_000);
    expect(nextTap.capture('front', card)).toBe(true);
  });
});
