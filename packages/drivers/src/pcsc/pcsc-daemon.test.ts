import { randomBytes } from 'node:crypto';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { PcscProcessService } from './service.ts';
import type { PcscService, PcscSession } from './session.ts';
import { PcscReaders } from './readers.ts';
import { NfcPhoneAuthenticator } from '../taps/nfc-phone.ts';
import type { PartFault } from '../interfaces/part-fault.ts';
import { encodeMemberTokenSeed } from '@lintel/wire-protocol/phone/member-token-seed';
import { describe, expect, it, type TestContext } from 'vitest';
import { simulatedNfcPhone } from '@lintel/test/support/hardware/simulated-nfc-phone';
import {
  startSilentPcscService,
  PcscDaemon,
  pcscProcesses,
  requirePcsc,
} from '@lintel/test/support/hardware/pcsc-daemon';
import {
  type RespondToApdu,
  respondWithUid,
  PROCESSOR_CARD_ATR,
  STORAGE_CARD_ATR,
  VirtualCard,
} from '@lintel/test/support/hardware/virtual-card';
import { cardReaderContract } from '../testing/card-reader-contract.ts';

const ACR122U = 'ACS ACR122U PICC Interface';
const hangs: PartFault = { kind: 'broken', message: 'The PC/SC service (pcscd) does not respond' };
const identity = { organization_id: 'org_1', device_id: 'dev_1' };

/**
 * A second client of the service that shows which readers have a card, so that a tap ends when the service has seen the card
 * leave. It runs in its own process, because a service that has just started may block its clients.
 */
class CardMonitor {
  readonly #service: PcscProcessService;
  readonly #present = new Map<string, boolean>();
  #isOpen = false;

  constructor(clock: ProcessClock) {
    this.#service = new PcscProcessService(clock);
  }

  async hasCard(slot: number): Promise<boolean | undefined> {
    if (!this.#isOpen) await this.#open();
    return [...this.#present].find(([name]) => isCard(name, slot))?.[1];
  }

  async #open(): Promise<void> {
    this.#present.clear();
    await this.#service.open({
      changed: (reader, hasCard) => void this.#present.set(reader, hasCard),
      mute: () => undefined,
      unplugged: reader => void this.#present.delete(reader),
      ended: () => {
        this.#isOpen = false;
      },
    });
    this.#isOpen = true;
  }

  close(): void {
    this.#isOpen = false;
    this.#service.close();
  }
}

/** Calls back when the controller has released a card, after reading it or failing to. */
const reportReleasedCards = (session: PcscSession, onReleased: () => void): PcscSession => ({
  connect: async reader => {
    const card = await session.connect(reader);
    return {
      atr: () => card.atr(),
      transmit: apdu => card.transmit(apdu),
      release: () => card.release().finally(onReleased),
    };
  },
  locate: reader => session.locate(reader),
  close: () => session.close(),
});

const isCard = (reader: string, slot: number): boolean => reader.endsWith(`0${slot}`);

const bench = async (context: TestContext) => {
  requirePcsc(context);
  const daemon = await PcscDaemon.start(ACR122U);
  context.onTestFinished(() => daemon.close());
  const clock = new ProcessClock();
  const log: string[] = [];
  const note = (level: string, message: string): void => void log.push(`${level}: ${message}`);
  const phones = new NfcPhoneAuthenticator({ identity: () => identity, randomBytes, clock, log: note });
  // Half of the time in which the service detects the next card, so that two taps are never merged on a slow machine.
  const seen = new Set<string>();
  let releasedCards = 0;
  const inner = new PcscProcessService(clock);
  const service: PcscService = {
    open: async watcher => {
      const session = await inner.open({
        ...watcher,
        changed: (reader, hasCard) => {
          seen.add(reader);
          watcher.changed(reader, hasCard);
        },
      });
      return reportReleasedCards(session, () => releasedCards++);
    },
    close: () => inner.close(),
  };
  const readers = new PcscReaders({ clock, log: note, phones, goneAfterMs: 200, service });
  context.onTestFinished(() => readers.close());
  const monitor = new CardMonitor(clock);
  context.onTestFinished(() => monitor.close());
  const has = async (slot: number, wanted: boolean): Promise<void> => {
    await expect.poll(() => monitor.hasCard(slot)).toBe(wanted);
  };
  const tap = async (atr: string, answer: RespondToApdu, slot: 0 | 1 = 0): Promise<VirtualCard> => {
    const before = releasedCards;
    const card = await VirtualCard.insert(daemon.port(slot), atr, answer);
    await has(slot, true);
    await expect.poll(() => releasedCards).toBeGreaterThan(before);
    await card.remove();
    await has(slot, false);
    return card;
  };
  await has(0, false);
  // A card that is there when the reader is first seen does not count.
  await expect.poll(() => seen.size).toBe(2);
  const close = async (): Promise<void> => {
    monitor.close();
    readers.close();
    await daemon.close();
  };
  return { daemon, monitor, readers, tap, log, close, has };
};

const listening = ({ daemon, readers, has }: Awaited<ReturnType<typeof bench>>) => {
  const [faults, uids]: [(PartFault | null)[], string[]] = [[], []];
  const reader = readers.reader({});
  reader.onFault(fault => faults.push(fault));
  reader.onCard(uid => uids.push(uid));
  /** Presents a card until it is reported. */
  const show = async (uid: string): Promise<void> => {
    const card = await VirtualCard.insert(daemon.port(), STORAGE_CARD_ATR, respondWithUid(uid));
    await expect.poll(() => uids).toContain(uid);
    await card.remove();
    await has(0, false);
  };
  return { faults, uids, show };
};

/** Answers the reader's UID command with a random UID, and all others by the phone's application. */
const phoneOnReader = (token: string): RespondToApdu => {
  const phone = simulatedNfcPhone(token);
  const uid = respondWithUid('08010203');
  return apdu => (apdu[0] === 0xff ? uid(apdu) : phone(apdu));
};

cardReaderContract('PC/SC reader', async context => {
  const { daemon, readers, tap, close } = await bench(context);
  return {
    reader: readers.reader({}),
    tap: async uid => void (await tap(STORAGE_CARD_ATR, respondWithUid(uid))),
    tapPhone: async token => void (await tap(PROCESSOR_CARD_ATR, phoneOnReader(token))),
    misreading: {
      side: 'cards',
      trouble: 'unreadable',
      make: async () => void (await tap(STORAGE_CARD_ATR, respondWithUid('04a1b2c3', '6300'))),
    },
    unplug: () => daemon.stop(),
    plugIn: () => daemon.start(),
    close,
  };
});

describe('PcscReaders', () => {
  it('distinguishes readers by name', { tags: ['slow'] }, async context => {
    const { readers, tap, close } = await bench(context);
    const taps: string[] = [];
    readers.reader({ model: `${ACR122U} 00 01` }).onCard(uid => taps.push(`second ${uid}`));
    readers.reader({}).onCard(uid => taps.push(`other ${uid}`));
    await tap(STORAGE_CARD_ATR, respondWithUid('04a1b2c3'), 1);
    await tap(STORAGE_CARD_ATR, respondWithUid('04a1b2c3'), 0);
    await expect.poll(() => taps).toEqual(['second 04a1b2c3', 'other 04a1b2c3']);
    await close();
  });

  it('asks the service for the USB port, and uses no reader that is elsewhere', async context => {
    const { readers } = await bench(context);
    const faults: (PartFault | null)[] = [];
    readers.reader({ model: ACR122U, usb_path: '1-1.2' }).onFault(fault => faults.push(fault));
    await expect.poll(() => faults.at(-1)?.message).toBe(`no reader "${ACR122U}" is plugged in at USB port 1-1.2`);
  });

  it('silences the buzzer of an ACR122U once, and selects the application on processor cards only', {
    tags: ['slow'],
  }, async context => {
    const { readers, tap, close } = await bench(context);
    readers.reader({});
    const select = '00a4040008f04c494e54454c0100';
    expect((await tap(STORAGE_CARD_ATR, respondWithUid('04a1b2c3'))).receivedCommands).toEqual([
      'ff00520000',
      'ffca000000',
    ]);
    expect((await tap(STORAGE_CARD_ATR, respondWithUid('04a1b2c4'))).receivedCommands).toEqual(['ffca000000']);
    expect((await tap(PROCESSOR_CARD_ATR, respondWithUid('04a1b2c5'))).receivedCommands).toEqual([
      'ffca000000',
      select,
    ]);
    await close();
  });

  it('ignores a UID of wrong length or with an error status', { tags: ['slow'] }, async context => {
    const { readers, tap, log, close } = await bench(context);
    const uids: string[] = [];
    readers.reader({}).onCard(uid => uids.push(uid));
    await tap(STORAGE_CARD_ATR, respondWithUid('04a1b2c3', '6300'));
    await tap(STORAGE_CARD_ATR, respondWithUid('04a1b2c3d4'));
    await tap(STORAGE_CARD_ATR, respondWithUid(''));
    await expect.poll(() => log.length).toBe(3);
    expect(uids).toEqual([]);
    await close();
  });

  it('counts a card that leaves during reading as lost', { tags: ['slow'] }, async context => {
    const { daemon, readers, has, close } = await bench(context);
    const reader = readers.reader({});
    const cards = () => reader.signal?.()?.cards;
    let card: VirtualCard | null = null;
    card = await VirtualCard.insert(daemon.port(), STORAGE_CARD_ATR, apdu => {
      void card?.remove();
      return respondWithUid('04a1b2c3')(apdu);
    });
    await has(0, false);
    await expect.poll(cards).toMatchObject({ clean: 0, worst: 'lost' });
    await close();
  });

  it('reports a phone with an old signature as a card with its UID', { tags: ['slow'] }, async context => {
    const { readers, tap, log, close } = await bench(context);
    const reader = readers.reader({});
    const reported: string[] = [];
    reader.onCard(uid => reported.push(uid));
    reader.onPhone?.(() => reported.push('phone'));
    const phone = phoneOnReader(encodeMemberTokenSeed(new Uint8Array(32).fill(9)));
    let first: Uint8Array | null = null;
    await tap(PROCESSOR_CARD_ATR, apdu => {
      const answer = phone(apdu);
      if (apdu[0] === 0x80) first ??= answer;
      return answer;
    });
    await tap(PROCESSOR_CARD_ATR, apdu => (apdu[0] === 0x80 ? first! : phone(apdu)));
    await expect.poll(() => reported).toEqual(['phone', '08010203']);
    expect(log).toContain('warn: Phone authentication failed');
    await close();
  });

  it('reports a fault when the service hangs during a reading, and recovers', { tags: ['slow'] }, async context => {
    const { daemon, readers, has, close } = await bench(context);
    const faults: (PartFault | null)[] = [];
    const reader = readers.reader({});
    reader.onFault(fault => faults.push(fault));
    const card = await VirtualCard.insert(daemon.port(), PROCESSOR_CARD_ATR, apdu => {
      if (apdu[0] !== 0xff) daemon.signal('SIGSTOP');
      return respondWithUid('04a1b2c3')(apdu);
    });
    await expect.poll(() => faults.at(-1)?.kind).toBe('broken');
    daemon.signal('SIGCONT');
    await expect.poll(() => faults.at(-1)).toBeNull();
    await card.remove();
    await has(0, false);
    await close();
  });

  it('reports a fault when the service hangs without a card, and recovers', { tags: ['slow'] }, async context => {
    const opened = await bench(context);
    const { daemon, close } = opened;
    const { faults, uids, show } = listening(opened);
    await show('04a1b2c3');
    daemon.signal('SIGSTOP');
    await expect.poll(() => faults.at(-1)).toEqual(hangs);
    daemon.signal('SIGCONT');
    await expect.poll(() => faults.at(-1)).toBeNull();
    await show('04a1b2c4');
    await expect.poll(() => uids).toEqual(['04a1b2c3', '04a1b2c4']);
    await close();
  });

  it('reports a card that stays while the service hangs once', { tags: ['slow'] }, async context => {
    const opened = await bench(context);
    const { daemon, close, has } = opened;
    const { faults, uids, show } = listening(opened);
    const card = await VirtualCard.insert(daemon.port(), STORAGE_CARD_ATR, respondWithUid('04a1b2c3'));
    await expect.poll(() => uids).toEqual(['04a1b2c3']);
    daemon.signal('SIGSTOP');
    await expect.poll(() => faults.at(-1)?.kind).toBe('broken');
    daemon.signal('SIGCONT');
    await expect.poll(() => faults.at(-1)).toBeNull();
    await has(0, true);
    await card.remove();
    await has(0, false);
    await show('04a1b2c4');
    await expect.poll(() => uids).toEqual(['04a1b2c3', '04a1b2c4']);
    await close();
  });

  it('restarts its process while the service does not answer, and continues with one that does', {
    tags: ['slow'],
  }, async context => {
    const opened = await bench(context);
    const { daemon, monitor, close } = opened;
    const { faults, uids, show } = listening(opened);
    await show('04a1b2c3');
    await expect.poll(() => uids).toEqual(['04a1b2c3']);
    monitor.close();
    await daemon.stop();
    const deaf = await startSilentPcscService();
    await expect.poll(() => faults.at(-1)).toEqual(hangs);
    const [first] = pcscProcesses();
    await expect.poll(() => pcscProcesses().some(pid => pid !== first)).toBe(true);
    await deaf.close();
    await daemon.start();
    await expect.poll(() => faults.at(-1)).toBeNull();
    await show('04a1b2c4');
    await expect.poll(() => uids).toEqual(['04a1b2c3', '04a1b2c4']);
    await close();
    await expect.poll(() => pcscProcesses()).toEqual([]);
  });

  it('continues in a new process when its process is killed', { tags: ['slow'] }, async context => {
    const opened = await bench(context);
    const { close } = opened;
    const { faults, uids, show } = listening(opened);
    await show('04a1b2c3');
    for (const pid of pcscProcesses()) process.kill(pid, 'SIGKILL');
    const killed = 'PC/SC cannot be used: its process exited with SIGKILL';
    await expect.poll(() => faults.map(fault => fault?.message)).toContain(killed);
    await expect.poll(() => faults.at(-1)).toBeNull();
    await show('04a1b2c4');
    await expect.poll(() => uids).toEqual(['04a1b2c3', '04a1b2c4']);
    await close();
  });
});
