import { randomBytes } from 'node:crypto';
import { encodeMemberTokenSeed } from '@lintel/wire-protocol/phone/member-token-seed';
import { respondToNfcReader, type NfcPhoneSelectionState } from '@lintel/wire-protocol/phone/nfc-phone-responder';
import { beforeEach, describe, expect, it } from 'vitest';
import { NfcPhoneAuthenticator, type TransmitApdu, toPhoneKey } from './nfc-phone.ts';
import { CardReadAttempts } from './card-reading-counter.ts';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { ContactlessCardReaderBase } from './contactless-card-reader-base.ts';

const token = encodeMemberTokenSeed(new Uint8Array(32).fill(3));
const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

describe('contactless taps', () => {
  let clock: VirtualClock;
  let reported: string[];
  let log: string[];
  let taps: ContactlessCardReaderBase;
  let isClaimed: boolean;
  beforeEach(() => {
    clock = new VirtualClock();
    [reported, log, isClaimed] = [[], [], true];
    const phones = new NfcPhoneAuthenticator({
      identity: () => (isClaimed ? { organization_id: 'org_1', device_id: 'dev_1' } : null),
      randomBytes,
      clock,
      log: (_level, message, facts) => log.push(`${message}: ${facts?.['reason']}`),
    });
    taps = new ContactlessCardReaderBase({
      time: clock,
      visits: new CardReadAttempts(clock),
      log: (_level, message) => log.push(message),
      phones,
      goneAfterMs: 300,
    });
    taps.onCard(uid => reported.push(uid));
    taps.onPhone(key => reported.push(`phone ${key.length}`));
  });

  /** Responds after this delay; `exchanges` counts the selections. */
  const phone = (delay_ms = 0) => {
    let side: NfcPhoneSelectionState = 'idle';
    const answers = { exchanges: 0, transmit: (async () => new Uint8Array()) as TransmitApdu };
    answers.transmit = async apdu => {
      if (apdu[1] === 0xa4) answers.exchanges++;
      else clock.advance(delay_ms);
      const { state, response } = respondToNfcReader(side, apdu, () => toPhoneKey(token));
      side = state;
      return response;
    };
    return answers;
  };

  it('report a phone once although its UID changes with every poll', async () => {
    const answers = phone();
    for (const uid of ['08000001', '08000002', '08000003']) {
      await taps.found({ uid: bytes(uid), transmit: answers.transmit });
      clock.advance(100);
    }
    expect([reported, answers.exchanges]).toEqual([['phone 43'], 1]);
    clock.advance(301);
    await taps.found({ uid: bytes('08000004'), transmit: answers.transmit });
    expect(reported).toEqual(['phone 43', 'phone 43']);
  });

  it('report no phone when its proof takes longer than half a second', async () => {
    await taps.found({ uid: bytes('08000001'), transmit: phone(501).transmit });
    expect(reported).toEqual(['08000001']);
    expect(log[0]).toBe('Phone authentication failed: too_slow');
  });

  it('ask a phone again that left in the middle', async () => {
    const torn: TransmitApdu = async () => Promise.reject(new Error('gone'));
    await expect(taps.found({ uid: bytes('08000001'), transmit: torn })).rejects.toThrow('gone');
    expect(reported).toEqual([]);
    await taps.found({ uid: bytes('08000001'), transmit: phone().transmit });
    expect(reported).toEqual(['phone 43']);
  });

  it('treat a phone as a card while the controller is unclaimed', async () => {
    isClaimed = false;
    const answers = phone();
    await taps.found({ uid: bytes('04000001'), transmit: answers.transmit });
    expect([reported, answers.exchanges]).toEqual([['04000001'], 0]);
  });

  it('report two cards that lie there together, each once', async () => {
    for (let looks = 0; looks < 50; looks++) {
      await taps.found({ uid: bytes('04000001'), transmit: null });
      await taps.found({ uid: bytes('04000002'), transmit: null });
      clock.advance(100);
    }
    expect(reported).toEqual(['04000001', '04000002']);
  });

  it('never log a UID', async () => {
    await taps.found({ uid: bytes('08123456'), transmit: null });
    await taps.found({ uid: bytes('0812345678'), transmit: null });
    expect(reported).toEqual(['08123456']);
    expect(log).toHaveLength(2);
    expect(log.join()).not.toContain('123456');
  });

  it('log an unusual UID length once for each presentation', async () => {
    const look = () => taps.found({ uid: bytes('0412345678'), transmit: null });
    for (let looks = 0; looks < 50; looks++) {
      await look();
      clock.advance(100);
    }
    expect(log).toEqual(['Ignored a card with an unsupported uid length']);
    clock.advance(301);
    await look();
    expect([log.length, reported]).toEqual([2, []]);
  });

  it('report a card by its UID when it is presented again and has still not answered the first command', async () => {
    const mute: TransmitApdu = async () => Promise.reject(new Error('timeout'));
    const look = () => taps.found({ uid: bytes('04000001'), transmit: mute });
    await expect(look()).rejects.toThrow('timeout');
    expect(reported).toEqual([]);
    for (let looks = 0; looks < 10; looks++) {
      await look();
      clock.advance(100);
    }
    expect(reported).toEqual(['04000001']);
  });

  it('keep asking a phone at the edge of the field', async () => {
    const answers = phone();
    let isSelected = false;
    const torn: TransmitApdu = async apdu => {
      if (isSelected) throw new Error('gone');
      isSelected = true;
      return answers.transmit(apdu);
    };
    const mute: TransmitApdu = async () => Promise.reject(new Error('gone'));
    for (let looks = 0; looks < 3; looks++) {
      isSelected = false;
      await expect(taps.found({ uid: bytes('04000001'), transmit: torn })).rejects.toThrow('gone');
    }
    for (let looks = 0; looks < 3; looks++)
      await expect(taps.found({ uid: bytes('08000001'), transmit: mute })).rejects.toThrow('gone');
    await taps.found({ uid: bytes('08000002'), transmit: phone().transmit });
    expect(reported).toEqual(['phone 43']);
  });
});
