import { randomBytes } from 'node:crypto';
import { ProcessClock } from '@lintel/device-runtime/adapters/clock/process-clock';
import { PhoneCheck } from '@lintel/device-runtime/adapters/phone/phone-check';
import { Pn532Reader } from '@lintel/device-runtime/adapters/pn532/pn532-reader';
import { ReopeningSerialLine } from '@lintel/device-runtime/adapters/serial-line/serial-line';
import type { PartFault } from '@lintel/device-runtime/ports/part-fault';
import { encodeMemberToken } from '@lintel/wire-protocol/phone/member-token';
import { describe, expect, it, type TestContext } from 'vitest';
import { requirePart } from '../reporting/system-part.ts';
import { nfcPhone } from '../support/hardware/nfc-phone.ts';
import { type ModuleTarget, Pn532Module } from '../support/hardware/pn532-module.ts';
import { openPty, pythonPart } from '../support/processes/pty.ts';
import { cardReaderContract } from './port-suites/card-reader.ts';

const patiently = { timeout: 10_000, interval: 10 };
/** The reader looks every 50 ms, and a card is gone after 300. */
const LOOKS_UNTIL_GONE = 8;

const bench = async (context: TestContext) => {
  requirePart(context, pythonPart);
  const pty = await openPty();
  const module = new Pn532Module(pty);
  const clock = new ProcessClock();
  const line = new ReopeningSerialLine({ path: pty.path, baud_rate: 115_200 });
  const log: string[] = [];
  const note = (_level: string, message: string): void => void log.push(message);
  const identity = () => ({ organization_id: 'org_1', device_id: 'dev_1' });
  const phones = new PhoneCheck({ identity, randomBytes, clock, log: note });
  const reader = new Pn532Reader({ line, clock, log: note, phones });
  const tap = async (target: ModuleTarget, looks = 1): Promise<void> => {
    const before = module.found;
    module.target = target;
    await expect.poll(() => module.found, patiently).toBeGreaterThan(before + looks);
    module.target = null;
    await expect.poll(() => module.empty, patiently).toBeGreaterThan(LOOKS_UNTIL_GONE);
  };
  const close = async (): Promise<void> => {
    await reader.close();
    await pty.close();
  };
  /** A phone that is gone after its first answer. */
  const leaveEarly = async (): Promise<void> => {
    const phone = nfcPhone(encodeMemberToken(new Uint8Array(32).fill(5)));
    module.target = {
      uid: '08000001',
      answer: apdu => {
        module.target = null;
        return phone(apdu);
      },
    };
    await expect.poll(() => module.empty, patiently).toBeGreaterThan(LOOKS_UNTIL_GONE);
  };
  return { pty, module, reader, log, tap, leaveEarly, close };
};

cardReaderContract('a PN532 on a serial line', async context => {
  const { pty, module, reader, tap, leaveEarly, close } = await bench(context);
  return {
    reader,
    tap: uid => tap({ uid: uid.toLowerCase() }),
    tapPhone: token => tap({ uid: '08112233', answer: nfcPhone(token) }),
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

describe('a PN532', () => {
  it('tells a card once that stays for many looks, and does not ask the phone again either', async context => {
    const { reader, tap, close } = await bench(context);
    const told: string[] = [];
    reader.onCard(uid => told.push(uid));
    reader.onPhone(() => told.push('phone'));
    await tap({ uid: '04a1b2c3' }, 20);
    let commands = 0;
    const phone = nfcPhone(encodeMemberToken(new Uint8Array(32).fill(5)));
    const answer = (apdu: Uint8Array): Uint8Array => {
      commands++;
      return phone(apdu);
    };
    await tap({ uid: '08000001', answer }, 20);
    expect([told, commands]).toEqual([['04a1b2c3', 'phone'], 2]);
    await close();
  });

  it('reads on though answers come spoilt', async context => {
    const { reader, module, tap, close } = await bench(context);
    const uids: string[] = [];
    reader.onCard(uid => uids.push(uid));
    await expect.poll(() => module.empty, patiently).toBeGreaterThan(0);
    module.spoil = 2;
    await tap({ uid: '04a1b2c3' });
    expect(uids).toEqual(['04a1b2c3']);
    await close();
  });

  it('makes one tap of a card that stays while one answer is lost, or a few, or the chip sets up anew', async context => {
    const { reader, module, tap, close } = await bench(context);
    const uids: string[] = [];
    reader.onCard(uid => uids.push(uid));
    const looks = async (): Promise<void> => {
      const before = module.found;
      await expect.poll(() => module.found, patiently).toBeGreaterThan(before + 3);
    };
    module.target = { uid: '04a1b2c3' };
    await looks();
    for (const lost of [1, 2, 3, 7]) {
      module.lose = lost;
      await looks();
      await expect.poll(() => module.lose, patiently).toBe(0);
      await looks();
    }
    expect(uids).toEqual(['04a1b2c3']);
    await tap({ uid: '04a1b2c3' });
    await tap({ uid: '04a1b2c3' });
    expect(uids).toEqual(['04a1b2c3', '04a1b2c3']);
    await close();
  });

  it('tells a card that answers no command by the uid that was read, once', async context => {
    const { reader, tap, close } = await bench(context);
    const uids: string[] = [];
    reader.onCard(uid => uids.push(uid));
    await tap({ uid: '04a1b2c3d4e5f6', answer: () => null }, 10);
    expect(uids).toEqual(['04a1b2c3d4e5f6']);
    await close();
  });

  it('counts answers that are spoilt or lost on its line beside those that come whole, and not that it has no power', async context => {
    const { pty, reader, module, close } = await bench(context);
    const line = () => reader.signal().line!;
    await expect.poll(() => line().clean, patiently).toBeGreaterThan(5);
    expect(line().broken).toBeLessThan(line().clean);
    // Two at a time: the third try comes through, and the chip is not set up anew.
    const troubled = (kind: 'spoil' | 'lose') => () => {
      if (module[kind] === 0) module[kind] = 2;
      return line().worst;
    };
    await expect.poll(troubled('spoil'), patiently).toBe('damaged');
    await expect.poll(troubled('lose'), patiently).toBe('silent');
    module.isPowered = false;
    module.reset();
    let isAbsent = false;
    reader.onFault(fault => (isAbsent = fault !== null));
    await expect.poll(() => isAbsent, patiently).toBe(true);
    const { broken } = line();
    let asked = 0;
    pty.onBytes(() => asked++);
    await expect.poll(() => asked, patiently).toBeGreaterThan(5);
    expect(line().broken).toBe(broken);
    await close();
  });

  it('is absent within two seconds when it loses its power and the line stays, and is set up anew when it has it back', async context => {
    const { reader, module, tap, close } = await bench(context);
    const faults: (PartFault | null)[] = [];
    const uids: string[] = [];
    reader.onFault(fault => faults.push(fault));
    reader.onCard(uid => uids.push(uid));
    await expect.poll(() => module.empty, patiently).toBeGreaterThan(0);
    module.isPowered = false;
    module.reset();
    await expect.poll(() => faults.at(-1)?.message, { timeout: 2_000 }).toBe('no PN532 answers: the chip is silent');
    module.isPowered = true;
    await expect.poll(() => faults.at(-1), patiently).toBeNull();
    await tap({ uid: '04a1b2c3' });
    expect(uids).toEqual(['04a1b2c3']);
    await close();
  });

  it('tells neither card nor phone when the phone leaves in the middle, and goes on', async context => {
    const { reader, leaveEarly, tap, close } = await bench(context);
    const told: string[] = [];
    reader.onCard(uid => told.push(uid));
    reader.onPhone(() => told.push('phone'));
    await leaveEarly();
    await tap({ uid: '04a1b2c3' });
    expect(told).toEqual(['04a1b2c3']);
    await close();
  });

  it('comes through a flood of garbage without telling a card', async context => {
    const { pty, reader, module, tap, close } = await bench(context);
    const uids: string[] = [];
    reader.onCard(uid => uids.push(uid));
    for (let megabytes = 0; megabytes < 2; megabytes++) await pty.write(randomBytes(2 ** 20));
    expect(uids).toEqual([]);
    await expect.poll(() => module.empty, patiently).toBeGreaterThan(2);
    await tap({ uid: '04a1b2c3' });
    expect(uids).toEqual(['04a1b2c3']);
    await close();
  });
});
