import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PartFault } from '../../ports/part-fault.ts';
import { VirtualClock } from '../simulated/virtual-clock.ts';
import { PcscReaders } from './pcsc-readers.ts';
import { type PcscCard, PcscHangs, type PcscSession, type PcscWatcher } from './pcsc-session.ts';

const READER = 'ACS ACR1252U PICC Interface 00 00';
const SAM = 'ACS ACR1252U SAM Interface 00 01';
const STORAGE_ATR = Uint8Array.from(Buffer.from('3b8f8001804f0ca000000306030001000000006a', 'hex'));

const away = Object.assign(new Error('down'), { code: 'NoService' });

const cardOf = (uid: string): PcscCard => ({
  atr: async () => STORAGE_ATR,
  transmit: async () => Uint8Array.from(Buffer.from(`${uid}9000`, 'hex')),
  release: async () => undefined,
});

class Bench {
  readonly clock = new VirtualClock();
  readonly uids: string[] = [];
  readonly faults: (PartFault | null)[] = [];
  readonly log: string[] = [];
  trouble: Error | null = null;
  attempts = 0;
  sessions = 0;
  watcher: PcscWatcher | null = null;
  connect: () => Promise<PcscCard> = async () => cardOf('04a1b2c3');
  readonly readers = new PcscReaders({
    clock: this.clock,
    log: (_level, message) => this.log.push(message),
    phones: null,
    service: { open: watcher => this.#open(watcher), close: () => undefined },
  });

  async #open(watcher: PcscWatcher): Promise<PcscSession> {
    this.attempts++;
    if (this.trouble !== null) throw this.trouble;
    this.watcher = watcher;
    this.sessions++;
    return { connect: () => this.connect(), close: () => undefined };
  }

  async start(): Promise<void> {
    const reader = this.readers.reader(null);
    reader.onCard(uid => this.uids.push(uid));
    reader.onFault(fault => this.faults.push(fault));
    await setImmediate();
    this.watcher?.changed(READER, false);
  }

  async card(isThere: boolean): Promise<void> {
    this.watcher?.changed(READER, isThere);
    await setImmediate();
  }

  async pass(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    await setImmediate();
  }
}

describe('readers of the PC/SC service', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = new Bench();
    await bench.start();
  });

  it('tell a card once that comes and goes a hundred times a second', async () => {
    for (let times = 0; times < 500; times++) {
      await bench.card(true);
      await bench.pass(5);
      await bench.card(false);
      await bench.pass(5);
    }
    expect(bench.uids).toEqual(['04a1b2c3']);
  });

  it('tell it again when it was away for a moment', async () => {
    await bench.card(true);
    await bench.pass(60_000);
    await bench.card(false);
    await bench.pass(300);
    await bench.card(true);
    expect(bench.uids).toEqual(['04a1b2c3']);
    await bench.card(false);
    await bench.pass(301);
    await bench.card(true);
    expect(bench.uids).toEqual(['04a1b2c3', '04a1b2c3']);
  });

  it('count cards that do not answer or leave, and neither those that somebody else holds nor a service that has gone', async () => {
    const reader = bench.readers.reader('ACR1252U PICC');
    const cards = () => {
      const { clean, broken, worst } = reader.signal!()!.cards!;
      return [clean, broken, worst];
    };
    const refused = async (code: string): Promise<void> => {
      bench.connect = () => Promise.reject(Object.assign(new Error('refused'), { code }));
      await bench.card(true);
      for (let attempts = 0; attempts < 3; attempts++) await bench.pass(100);
      await bench.card(false);
      await bench.pass(1_001);
    };
    await refused('SharingViolation');
    await refused('NoService');
    expect(cards()).toEqual([0, 0, null]);
    await refused('UnresponsiveCard');
    expect(cards()).toEqual([0, 1, 'lost']);
    for (let sightings = 0; sightings < 2; sightings++) {
      bench.watcher?.mute(READER);
      await bench.pass(1_001);
    }
    expect(cards()).toEqual([0, 3, 'unreadable']);
    bench.watcher?.mute(READER);
    bench.connect = async () => cardOf('04a1b2c3');
    await bench.card(true);
    await bench.pass(5_000);
    expect(cards()).toEqual([1, 3, 'unreadable']);
  });

  it('are not confused by what else changes on a reader while the card lies there', async () => {
    let connections = 0;
    bench.connect = async () => {
      connections++;
      return cardOf('04a1b2c3');
    };
    for (let times = 0; times < 5; times++) {
      await bench.card(true);
      await bench.pass(1_000);
    }
    expect([bench.uids, connections]).toEqual([['04a1b2c3'], 1]);
  });

  it('try again while the card is still there, and say so when it cannot be read', async () => {
    let failures = 2;
    bench.connect = async () => {
      if (failures-- > 0) throw new Error('sharing violation');
      return cardOf('04a1b2c3');
    };
    await bench.card(true);
    await bench.pass(100);
    await bench.pass(100);
    expect(bench.uids).toEqual(['04a1b2c3']);
    await bench.card(false);
    bench.connect = async () => Promise.reject(new Error('sharing violation'));
    await bench.card(true);
    await bench.pass(100);
    await bench.pass(100);
    expect(bench.log).toEqual(['a card could not be read']);
  });

  it('report the reader as absent when it is unplugged, and as well when it is back', async () => {
    bench.watcher?.unplugged(READER);
    expect(bench.faults).toEqual([{ kind: 'absent', message: 'no reader is plugged in' }]);
    bench.watcher?.changed(READER, false);
    expect(bench.faults.at(-1)).toBeNull();
  });

  it('do not count the slot of a secure module as a reader', async () => {
    bench.watcher?.unplugged(READER);
    bench.watcher?.changed(SAM, true);
    await setImmediate();
    expect([bench.faults.at(-1)?.kind, bench.uids]).toEqual(['absent', []]);
  });

  it('come back with the service, and hear nothing more of the old one', async () => {
    const old = bench.watcher;
    bench.trouble = away;
    old?.ended(away);
    expect(bench.faults).toEqual([{ kind: 'absent', message: 'the PC/SC service (pcscd) does not answer' }]);
    await bench.pass(5_000);
    bench.trouble = null;
    await bench.pass(500);
    old?.changed(READER, true);
    old?.ended(away);
    await setImmediate();
    expect([bench.sessions, bench.uids]).toEqual([2, []]);
    bench.watcher?.changed(READER, false);
    expect(bench.faults.at(-1)).toBeNull();
    await bench.card(true);
    expect(bench.uids).toEqual(['04a1b2c3']);
  });

  it('take a card that lay there before and after for one tap, however long the service or the reader was away', async () => {
    await bench.card(true);
    bench.watcher?.ended(new PcscHangs('no answer'));
    await bench.pass(60_000);
    await bench.card(true);
    bench.watcher?.unplugged(READER);
    await bench.pass(60_000);
    await bench.card(true);
    expect([bench.sessions, bench.uids]).toEqual([2, ['04a1b2c3']]);
    await bench.card(false);
    await bench.pass(301);
    await bench.card(true);
    expect(bench.uids).toEqual(['04a1b2c3', '04a1b2c3']);
  });

  it('do not count the time that reading takes as time that the card was away', async () => {
    await bench.card(true);
    await bench.card(false);
    let answer: (card: PcscCard) => void = () => undefined;
    bench.connect = () => new Promise(resolve => (answer = resolve));
    await bench.pass(100);
    await bench.card(true);
    await bench.pass(1_000);
    answer(cardOf('04a1b2c3'));
    await setImmediate();
    expect(bench.uids).toEqual(['04a1b2c3']);
  });

  it('are broken while the service hangs, and ask it less and less often', async () => {
    bench.trouble = new PcscHangs('no answer');
    bench.watcher?.ended(bench.trouble);
    const fault = { kind: 'broken', message: 'the PC/SC service (pcscd) does not answer' };
    const before = bench.attempts;
    const gaps: number[] = [];
    for (let last = 0, now = 100; now <= 20_000; now += 100) {
      const attempts = bench.attempts;
      await bench.pass(100);
      if (bench.attempts === attempts) continue;
      gaps.push(now - last);
      last = now;
    }
    expect([bench.attempts - before, gaps.slice(0, 5)]).toEqual([7, [500, 1_000, 2_000, 4_000, 4_000]]);
    expect(bench.faults).toEqual([fault]);
    bench.trouble = null;
    await bench.pass(4_000);
    bench.watcher?.changed(READER, false);
    expect(bench.faults).toEqual([fault, null]);
  });

  it('say that the reader hangs before two seconds are over', async () => {
    let answer: (card: PcscCard) => void = () => undefined;
    bench.connect = () => new Promise(resolve => (answer = resolve));
    await bench.card(true);
    await bench.pass(1_999);
    expect(bench.faults.at(-1)?.kind).toBe('broken');
    answer(cardOf('04a1b2c3'));
    await setImmediate();
    expect([bench.faults.at(-1), bench.uids]).toEqual([null, ['04a1b2c3']]);
  });
});

describe('a PC/SC reader that was never there', () => {
  it('is absent a second after the start, by its name', async () => {
    const bench = new Bench();
    const faults: (PartFault | null)[] = [];
    bench.readers.reader('ACR122U').onFault(fault => faults.push(fault));
    await setImmediate();
    await bench.pass(1_000);
    expect(faults).toEqual([{ kind: 'absent', message: 'no reader "ACR122U" is plugged in' }]);
  });

  it('is absent when the library of the system is not installed', async () => {
    const faults: (PartFault | null)[] = [];
    const readers = new PcscReaders({
      clock: new VirtualClock(),
      log: () => undefined,
      phones: null,
      service: {
        open: async () => Promise.reject(new Error('libpcsclite.so.1: cannot open\nshared object file')),
        close: () => undefined,
      },
    });
    readers.reader(null).onFault(fault => faults.push(fault));
    await setImmediate();
    expect(faults.map(fault => fault?.message)).toEqual([
      'PC/SC cannot be used: libpcsclite.so.1: cannot open shared object file',
    ]);
  });
});
