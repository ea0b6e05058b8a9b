import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PartFault } from '../interfaces/part-fault.ts';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import {
  findPcscReaderUsbIdentity,
  type PcscReaderUsbPortAndSerial,
  type PcscCard,
  PcscTimeoutError,
  type PcscSession,
  type PcscWatcher,
} from './session.ts';
import { PcscReaders } from './readers.ts';

const READER = 'ACS ACR1252U PICC Interface 00 00';
const SAM = 'ACS ACR1252U SAM Interface 00 01';
const STORAGE_ATR = Uint8Array.from(Buffer.from('3b8f8001804f0ca000000306030001000000006a', 'hex'));

const away = Object.assign(new Error('down'), { code: 'NoService' });

const cardOf = (uid: string): PcscCard => ({
  atr: async () => STORAGE_ATR,
  transmit: async () => Uint8Array.from(Buffer.from(`${uid}9000`, 'hex')),
  release: async () => undefined,
});

class PcscFixture {
  readonly clock = new VirtualClock();
  readonly uids: string[] = [];
  readonly faults: (PartFault | null)[] = [];
  readonly log: string[] = [];
  readonly places = new Map<string, PcscReaderUsbPortAndSerial>();
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
    return {
      connect: () => this.connect(),
      locate: async reader => this.places.get(reader) ?? null,
      close: () => undefined,
    };
  }

  async start(): Promise<void> {
    const reader = this.readers.reader({});
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

describe('PC/SC readers', () => {
  let fixture: PcscFixture;
  beforeEach(async () => {
    fixture = new PcscFixture();
    await fixture.start();
  });

  it('report a card once when its contact flickers a hundred times a second', async () => {
    for (let times = 0; times < 500; times++) {
      await fixture.card(true);
      await fixture.pass(5);
      await fixture.card(false);
      await fixture.pass(5);
    }
    expect(fixture.uids).toEqual(['04a1b2c3']);
  });

  it('ignore a card that lies on the reader at start until it is presented again', async () => {
    fixture.watcher?.unplugged(READER);
    await fixture.card(true);
    await fixture.pass(1_000);
    expect(fixture.uids).toEqual([]);
    await fixture.card(false);
    await fixture.pass(301);
    await fixture.card(true);
    expect(fixture.uids).toEqual(['04a1b2c3']);
  });

  it('report it again after it was away for a moment', async () => {
    await fixture.card(true);
    await fixture.pass(60_000);
    await fixture.card(false);
    await fixture.pass(300);
    await fixture.card(true);
    expect(fixture.uids).toEqual(['04a1b2c3']);
    await fixture.card(false);
    await fixture.pass(301);
    await fixture.card(true);
    expect(fixture.uids).toEqual(['04a1b2c3', '04a1b2c3']);
  });

  it('count cards that do not respond or leave, but neither cards held by another program nor a stopped service', async () => {
    const reader = fixture.readers.reader({ model: 'ACR1252U PICC' });
    const cards = () => {
      const { clean, broken, worst } = reader.signal!()!.cards!;
      return [clean, broken, worst];
    };
    const refused = async (code: string): Promise<void> => {
      fixture.connect = () => Promise.reject(Object.assign(new Error('refused'), { code }));
      await fixture.card(true);
      for (let attempts = 0; attempts < 3; attempts++) await fixture.pass(100);
      await fixture.card(false);
      await fixture.pass(1_001);
    };
    await refused('SharingViolation');
    await refused('NoService');
    expect(cards()).toEqual([0, 0, null]);
    await refused('UnresponsiveCard');
    expect(cards()).toEqual([0, 1, 'lost']);
    for (let sightings = 0; sightings < 2; sightings++) {
      fixture.watcher?.mute(READER);
      await fixture.pass(1_001);
    }
    expect(cards()).toEqual([0, 3, 'unreadable']);
    fixture.watcher?.mute(READER);
    fixture.connect = async () => cardOf('04a1b2c3');
    await fixture.card(true);
    await fixture.pass(5_000);
    expect(cards()).toEqual([1, 3, 'unreadable']);
  });

  it('ignore other state changes while the card lies on the reader', async () => {
    let connections = 0;
    fixture.connect = async () => {
      connections++;
      return cardOf('04a1b2c3');
    };
    for (let times = 0; times < 5; times++) {
      await fixture.card(true);
      await fixture.pass(1_000);
    }
    expect([fixture.uids, connections]).toEqual([['04a1b2c3'], 1]);
  });

  it('retry while the card is present, and report a card that cannot be read', async () => {
    let failures = 2;
    fixture.connect = async () => {
      if (failures-- > 0) throw new Error('sharing violation');
      return cardOf('04a1b2c3');
    };
    await fixture.card(true);
    await fixture.pass(100);
    await fixture.pass(100);
    expect(fixture.uids).toEqual(['04a1b2c3']);
    await fixture.card(false);
    fixture.connect = async () => Promise.reject(new Error('sharing violation'));
    await fixture.card(true);
    await fixture.pass(100);
    await fixture.pass(100);
    expect(fixture.log).toEqual(['Failed to read a card']);
  });

  it('report an unplugged reader as absent, and as working when it is back', async () => {
    fixture.watcher?.unplugged(READER);
    expect(fixture.faults).toEqual([{ kind: 'absent', message: 'no reader is plugged in' }]);
    fixture.watcher?.changed(READER, false);
    expect(fixture.faults.at(-1)).toBeNull();
  });

  it('do not count the slot of a secure module as a reader', async () => {
    fixture.watcher?.unplugged(READER);
    fixture.watcher?.changed(SAM, true);
    await setImmediate();
    expect([fixture.faults.at(-1)?.kind, fixture.uids]).toEqual(['absent', []]);
  });

  it('reconnect to a restarted service and ignore the old one', async () => {
    const old = fixture.watcher;
    fixture.trouble = away;
    old?.ended(away);
    expect(fixture.faults).toEqual([{ kind: 'absent', message: 'The PC/SC service (pcscd) does not respond' }]);
    await fixture.pass(5_000);
    fixture.trouble = null;
    await fixture.pass(500);
    old?.changed(READER, true);
    old?.ended(away);
    await setImmediate();
    expect([fixture.sessions, fixture.uids]).toEqual([2, []]);
    fixture.watcher?.changed(READER, false);
    expect(fixture.faults.at(-1)).toBeNull();
    await fixture.card(true);
    expect(fixture.uids).toEqual(['04a1b2c3']);
  });

  it('report one tap for a card that lay there before and after an outage of the service or reader', async () => {
    await fixture.card(true);
    fixture.watcher?.ended(new PcscTimeoutError('no answer'));
    await fixture.pass(60_000);
    await fixture.card(true);
    fixture.watcher?.unplugged(READER);
    await fixture.pass(60_000);
    await fixture.card(true);
    expect([fixture.sessions, fixture.uids]).toEqual([2, ['04a1b2c3']]);
    await fixture.card(false);
    await fixture.pass(301);
    await fixture.card(true);
    expect(fixture.uids).toEqual(['04a1b2c3', '04a1b2c3']);
  });

  it('do not count the reading time as time that the card was away', async () => {
    await fixture.card(true);
    await fixture.card(false);
    let answer: (card: PcscCard) => void = () => undefined;
    fixture.connect = () => new Promise(resolve => (answer = resolve));
    await fixture.pass(100);
    await fixture.card(true);
    await fixture.pass(1_000);
    answer(cardOf('04a1b2c3'));
    await setImmediate();
    expect(fixture.uids).toEqual(['04a1b2c3']);
  });

  it('are faulty while the service hangs, and are polled at increasing intervals', async () => {
    fixture.trouble = new PcscTimeoutError('no answer');
    fixture.watcher?.ended(fixture.trouble);
    const fault = { kind: 'broken', message: 'The PC/SC service (pcscd) does not respond' };
    const before = fixture.attempts;
    const gaps: number[] = [];
    for (let last = 0, now = 100; now <= 20_000; now += 100) {
      const attempts = fixture.attempts;
      await fixture.pass(100);
      if (fixture.attempts === attempts) continue;
      gaps.push(now - last);
      last = now;
    }
    expect([fixture.attempts - before, gaps.slice(0, 5)]).toEqual([7, [500, 1_000, 2_000, 4_000, 4_000]]);
    expect(fixture.faults).toEqual([fault]);
    fixture.trouble = null;
    await fixture.pass(4_000);
    fixture.watcher?.changed(READER, false);
    expect(fixture.faults).toEqual([fault, null]);
  });

  it('report a hanging reader within two seconds', async () => {
    let answer: (card: PcscCard) => void = () => undefined;
    fixture.connect = () => new Promise(resolve => (answer = resolve));
    await fixture.card(true);
    await fixture.pass(1_999);
    expect(fixture.faults.at(-1)?.kind).toBe('broken');
    answer(cardOf('04a1b2c3'));
    await setImmediate();
    expect([fixture.faults.at(-1), fixture.uids]).toEqual([null, ['04a1b2c3']]);
  });
});

describe('missing PC/SC reader', () => {
  it('is reported as absent by name one second after the start', async () => {
    const fixture = new PcscFixture();
    const faults: (PartFault | null)[] = [];
    fixture.readers.reader({ model: 'ACR122U' }).onFault(fault => faults.push(fault));
    await setImmediate();
    await fixture.pass(1_000);
    expect(faults).toEqual([{ kind: 'absent', message: 'no reader "ACR122U" is plugged in' }]);
  });

  it('is reported as absent when the system library is not installed', async () => {
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
    readers.reader({}).onFault(fault => faults.push(fault));
    await setImmediate();
    expect(faults.map(fault => fault?.message)).toEqual([
      'PC/SC cannot be used: libpcsclite.so.1: cannot open shared object file',
    ]);
  });
});

describe('Equal PC/SC readers', () => {
  const [FIRST, SECOND] = ['ACS ACR122U PICC Interface 00 00', 'ACS ACR122U PICC Interface 01 00'];

  const openTwo = async (): Promise<{ fixture: PcscFixture; taps: string[]; faults: string[] }> => {
    const fixture = new PcscFixture();
    const taps: string[] = [];
    const faults: string[] = [];
    for (const [door, usb_path] of [
      ['front', '1-1.2'],
      ['back', '1-1.4'],
    ] as const) {
      const reader = fixture.readers.reader({ model: 'ACR122U', usb_path });
      reader.onCard(() => taps.push(door));
      reader.onFault(fault => faults.push(`${door}: ${fault?.message ?? 'ok'}`));
    }
    await setImmediate();
    return { fixture, taps, faults };
  };

  const tap = async (fixture: PcscFixture, reader: string): Promise<void> => {
    fixture.watcher?.changed(reader, true);
    await setImmediate();
    fixture.watcher?.changed(reader, false);
    await fixture.pass(400);
  };

  it('act for the door of their USB port, in whatever order they are plugged in', async () => {
    const { fixture, taps, faults } = await openTwo();
    fixture.places.set(FIRST, { usb_path: '1-1.4', serial: null });
    fixture.watcher!.changed(FIRST, false);
    await setImmediate();
    await tap(fixture, FIRST);
    expect(taps).toEqual(['back']);
    await fixture.pass(1_000);
    expect(faults.at(-1)).toBe('front: no reader "ACR122U" is plugged in at USB port 1-1.2');
    fixture.places.set(SECOND, { usb_path: '1-1.2', serial: null });
    fixture.watcher!.changed(SECOND, false);
    await setImmediate();
    await tap(fixture, SECOND);
    expect(taps).toEqual(['back', 'front']);
    expect(faults.at(-1)).toBe('front: ok');
  });

  it('keep their doors when both are unplugged and plugged in again in the other order', async () => {
    const { fixture, taps } = await openTwo();
    for (const [reader, usb_path] of [
      [FIRST, '1-1.2'],
      [SECOND, '1-1.4'],
      [FIRST, '1-1.4'],
      [SECOND, '1-1.2'],
    ] as const) {
      fixture.watcher!.unplugged(reader);
      fixture.places.set(reader, { usb_path, serial: null });
      fixture.watcher!.changed(reader, false);
      await setImmediate();
      await tap(fixture, reader);
    }
    expect(taps).toEqual(['front', 'back', 'back', 'front']);
  });

  it('open no door while the USB port is unknown', async () => {
    const { fixture, taps } = await openTwo();
    fixture.watcher!.changed(FIRST, false);
    await setImmediate();
    await tap(fixture, FIRST);
    expect(taps).toEqual([]);
  });
});

describe('findPcscReaderUsbIdentity', () => {
  const files = {
    list: () => ['usb1', '1-1', '1-1.2', '1-1.2:1.0', '1-1.4'],
    read: (file: string) => {
      const content = {
        '/sys/bus/usb/devices/1-1.2/busnum': '1',
        '/sys/bus/usb/devices/1-1.2/devnum': '7',
        '/sys/bus/usb/devices/1-1.4/busnum': '1',
        '/sys/bus/usb/devices/1-1.4/devnum': '11',
        '/sys/bus/usb/devices/1-1.4/serial': 'A123',
      }[file];
      if (content === undefined) throw new Error('ENOENT');
      return content;
    },
    resolve: (path: string) => path,
  };

  it('finds the port of the bus and device number that the CCID driver reports', () => {
    expect(findPcscReaderUsbIdentity(Buffer.from([7, 1, 0x20, 0]), files)).toEqual({ usb_path: '1-1.2', serial: null });
    expect(findPcscReaderUsbIdentity(Buffer.from([11, 1, 0x20, 0]), files)).toEqual({
      usb_path: '1-1.4',
      serial: 'A123',
    });
    expect(findPcscReaderUsbIdentity(Buffer.from([12, 1, 0x20, 0]), files)).toBeNull();
    expect(findPcscReaderUsbIdentity(Buffer.from([7, 1, 0x01, 0]), files)).toBeNull();
  });
});
