import { randomBytes } from 'node:crypto';
import { monotonic } from '@lintel/access-core/monotonic-time';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { NfcPhoneAuthenticator } from '../taps/nfc-phone.ts';
import { Pn532Reader } from './reader.ts';
import { ReconnectingSerialLine } from '../serial-line/reconnecting-serial-line.ts';
import type { PartFault } from '../interfaces/part-fault.ts';
import { encodeMemberTokenSeed } from '@lintel/wire-protocol/phone/member-token-seed';
import { describe, expect, it, type TestContext } from 'vitest';
import { requireProgram } from '@lintel/test/support/require-program';
import { simulatedNfcPhone } from '@lintel/test/support/hardware/simulated-nfc-phone';
import { type SimulatedPn532Target, SimulatedPn532 } from '@lintel/test/support/hardware/simulated-pn532';
import { openPty, requiredPython } from '@lintel/test/support/processes/pty';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';
import { cardReaderContract } from '../testing/card-reader-contract.ts';

const GARBAGE_BYTES = iterations({ sample: 2 ** 18, all: 2 ** 21 });
/** The reader polls every 50 ms; a card is gone after 300 ms. */
const POLLS_UNTIL_GONE = 8;

/** A phone that answers through a busy machine is not rejected as a relayed one. */
const stopped = { now: () => monotonic(0) };

const bench = async (context: TestContext, first: SimulatedPn532Target | null = null) => {
  requireProgram(context, requiredPython);
  const pty = await openPty();
  const module = new SimulatedPn532(pty);
  module.target = first;
  const clock = new ProcessClock();
  const line = new ReconnectingSerialLine({ path: pty.path, baud_rate: 115_200 });
  const log: string[] = [];
  const note = (_level: string, message: string): void => void log.push(message);
  const identity = () => ({ organization_id: 'org_1', device_id: 'dev_1' });
  const phones = new NfcPhoneAuthenticator({ identity, randomBytes, clock: stopped, log: note });
  const reader = new Pn532Reader({ line, clock, log: note, phones });
  const tap = async (target: SimulatedPn532Target, looks = 1): Promise<void> => {
    const before = module.finishedReadings;
    module.target = target;
    await expect.poll(() => module.finishedReadings).toBeGreaterThan(before + looks);
    module.target = null;
    await expect.poll(() => module.pollsWithoutTarget).toBeGreaterThan(POLLS_UNTIL_GONE);
  };
  // A card that is there at the first poll does not count.
  await expect.poll(() => module.finishedReadings + module.pollsWithoutTarget).toBeGreaterThan(0);
  const close = async (): Promise<void> => {
    await reader.close();
    await pty.close();
  };
  /** Presents a phone that leaves after its first answer. */
  const leaveEarly = async (): Promise<void> => {
    const phone = simulatedNfcPhone(encodeMemberTokenSeed(new Uint8Array(32).fill(5)));
    module.target = {
      uid: '08000001',
      answer: apdu => {
        module.target = null;
        return phone(apdu);
      },
    };
    await expect.poll(() => module.pollsWithoutTarget).toBeGreaterThan(POLLS_UNTIL_GONE);
  };
  return { pty, module, reader, log, tap, leaveEarly, close };
};

cardReaderContract('PN532', async context => {
  const { pty, module, reader, tap, leaveEarly, close } = await bench(context);
  return {
    reader,
    tap: uid => tap({ uid: uid.toLowerCase() }),
    tapPhone: token => tap({ uid: '08112233', answer: simulatedNfcPhone(token) }),
    misreading: {
      side: 'cards',
      trouble: 'lost',
      make: leaveEarly,
    },
    unplug: () => pty.unplug(),
    plugIn: async () => {
      module.reset();
      await pty.plugIn();
    },
    close,
  };
});

describe('Pn532Reader', () => {
  it('ignores a card that lies on it at start until it is presented again', async context => {
    const { module, reader, tap, close } = await bench(context, { uid: '04a1b2c3' });
    const uids: string[] = [];
    reader.onCard(uid => uids.push(uid));
    await expect.poll(() => module.finishedReadings).toBeGreaterThan(3);
    module.target = null;
    await expect.poll(() => module.pollsWithoutTarget).toBeGreaterThan(POLLS_UNTIL_GONE);
    expect(uids).toEqual([]);
    await tap({ uid: '04a1b2c3' });
    expect(uids).toEqual(['04a1b2c3']);
    await close();
  });

  it('reports a card that stays once and authenticates a phone once', async context => {
    const { reader, tap, close } = await bench(context);
    const reported: string[] = [];
    reader.onCard(uid => reported.push(uid));
    reader.onPhone(() => reported.push('phone'));
    await tap({ uid: '04a1b2c3' }, 20);
    let commands = 0;
    const phone = simulatedNfcPhone(encodeMemberTokenSeed(new Uint8Array(32).fill(5)));
    const answer = (apdu: Uint8Array): Uint8Array => {
      commands++;
      return phone(apdu);
    };
    await tap({ uid: '08000001', answer }, 20);
    expect([reported, commands]).toEqual([['04a1b2c3', 'phone'], 2]);
    await close();
  });

  it('keeps reading after damaged answers', async context => {
    const { reader, module, tap, close } = await bench(context);
    const uids: string[] = [];
    reader.onCard(uid => uids.push(uid));
    await expect.poll(() => module.pollsWithoutTarget).toBeGreaterThan(0);
    module.responsesToCorrupt = 2;
    await tap({ uid: '04a1b2c3' });
    expect(uids).toEqual(['04a1b2c3']);
    await close();
  });

  it('reports a card once when answers are lost or the chip is initialized again', {
    tags: ['slow'],
  }, async context => {
    const { reader, module, tap, close } = await bench(context);
    const uids: string[] = [];
    reader.onCard(uid => uids.push(uid));
    const looks = async (): Promise<void> => {
      const before = module.finishedReadings;
      await expect.poll(() => module.finishedReadings).toBeGreaterThan(before + 3);
    };
    module.target = { uid: '04a1b2c3' };
    await looks();
    for (const lost of [1, 2, 3, 7]) {
      module.pollResponsesToDrop = lost;
      await looks();
      await expect.poll(() => module.pollResponsesToDrop).toBe(0);
      await looks();
    }
    expect(uids).toEqual(['04a1b2c3']);
    await tap({ uid: '04a1b2c3' });
    await tap({ uid: '04a1b2c3' });
    expect(uids).toEqual(['04a1b2c3', '04a1b2c3']);
    await close();
  });

  it('reports a card that answers no command by its UID, once', async context => {
    const { reader, tap, close } = await bench(context);
    const uids: string[] = [];
    reader.onCard(uid => uids.push(uid));
    await tap({ uid: '04a1b2c3d4e5f6', answer: () => null }, 10);
    expect(uids).toEqual(['04a1b2c3d4e5f6']);
    await close();
  });

  it('counts intact, damaged and lost answers, but not those without power', { tags: ['slow'] }, async context => {
    const { pty, reader, module, close } = await bench(context);
    const line = () => reader.signal().line!;
    await expect.poll(() => line().clean).toBeGreaterThan(5);
    expect(line().broken).toBeLessThan(line().clean);
    // Two at a time, so that the third attempt succeeds and the chip is not initialized again.
    const troubled = (kind: 'responsesToCorrupt' | 'pollResponsesToDrop') => () => {
      if (module[kind] === 0) module[kind] = 2;
      return line().worst;
    };
    await expect.poll(troubled('responsesToCorrupt')).toBe('damaged');
    await expect.poll(troubled('pollResponsesToDrop')).toBe('silent');
    module.isPowered = false;
    module.reset();
    let isAbsent = false;
    reader.onFault(fault => (isAbsent = fault !== null));
    await expect.poll(() => isAbsent).toBe(true);
    const { broken } = line();
    let asked = 0;
    pty.onBytes(() => asked++);
    await expect.poll(() => asked).toBeGreaterThan(5);
    expect(line().broken).toBe(broken);
    await close();
  });

  it('reports the chip as absent while it has no power and initializes it again afterwards', {
    tags: ['slow'],
  }, async context => {
    const { reader, module, tap, close } = await bench(context);
    const faults: (PartFault | null)[] = [];
    const uids: string[] = [];
    reader.onFault(fault => faults.push(fault));
    reader.onCard(uid => uids.push(uid));
    await expect.poll(() => module.pollsWithoutTarget).toBeGreaterThan(0);
    module.isPowered = false;
    module.reset();
    await expect.poll(() => faults.at(-1)?.message).toBe('The PN532 does not respond: The chip is silent');
    module.isPowered = true;
    await expect.poll(() => faults.at(-1)).toBeNull();
    await tap({ uid: '04a1b2c3' });
    expect(uids).toEqual(['04a1b2c3']);
    await close();
  });

  it('reports nothing when a phone leaves during authentication, and keeps reading', {
    tags: ['slow'],
  }, async context => {
    const { reader, leaveEarly, tap, close } = await bench(context);
    const reported: string[] = [];
    reader.onCard(uid => reported.push(uid));
    reader.onPhone(() => reported.push('phone'));
    await leaveEarly();
    await tap({ uid: '04a1b2c3' });
    expect(reported).toEqual(['04a1b2c3']);
    await close();
  });

  it('reports no card from random bytes and keeps reading', { tags: ['slow'] }, async context => {
    const { pty, reader, module, tap, close } = await bench(context);
    const uids: string[] = [];
    reader.onCard(uid => uids.push(uid));
    await pty.write(randomBytes(GARBAGE_BYTES));
    expect(uids).toEqual([]);
    await expect.poll(() => module.pollsWithoutTarget).toBeGreaterThan(2);
    await tap({ uid: '04a1b2c3' });
    expect(uids).toEqual(['04a1b2c3']);
    await close();
  });
});
