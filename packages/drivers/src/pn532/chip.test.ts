import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SerialLine } from '../serial-line/serial-line-interface.ts';
import { CardReadingCounter } from '../taps/card-reading-counter.ts';
import { Pn532Chip } from './chip.ts';

const ACK = Uint8Array.of(0x00, 0x00, 0xff, 0x00, 0xff, 0x00);
const EXCHANGE = 0x40;
const DIAGNOSE = 0x00;

const responseFrame = (code: number, ...data: readonly number[]): Uint8Array => {
  const content = [0xd5, code + 1, ...data];
  const sum = content.reduce((total, byte) => total + byte, 0);
  return Uint8Array.of(0, 0, 0xff, content.length, -content.length & 0xff, ...content, -sum & 0xff, 0);
};

describe('Pn532Chip', () => {
  let clock: VirtualClock;
  let sent: { code: number; parameters: number[] }[];
  let receive: (...frames: readonly Uint8Array[]) => void;
  let chip: Pn532Chip;
  beforeEach(() => {
    clock = new VirtualClock();
    sent = [];
    const line: SerialLine = {
      write: async frame => void sent.push({ code: frame[6]!, parameters: [...frame.subarray(7, -2)] }),
      onBytes: listener => {
        receive = (...frames) => frames.forEach(listener);
      },
      onOpen: () => undefined,
      onFault: () => undefined,
      close: async () => undefined,
    };
    chip = new Pn532Chip(line, clock, new CardReadingCounter(clock));
  });

  const exchange = (parameter: number): Promise<Uint8Array> =>
    chip.command({ code: EXCHANGE, parameters: Uint8Array.of(parameter), timeout_ms: 1_500 });
  const lateAcknowledgement = (): void => clock.advance(100);
  /** Resolves when the command that follows has been sent. */
  const commandSent = async (count: number): Promise<void> => {
    await expect.poll(() => sent).toHaveLength(count);
  };

  it('does not take the second response to a repeated command as the response to the next one', async () => {
    const first = exchange(1);
    lateAcknowledgement();
    receive(ACK, responseFrame(EXCHANGE, 0, 1));
    expect([...(await first)]).toEqual([0, 1]);

    const second = exchange(2);
    await commandSent(3);
    receive(ACK, responseFrame(EXCHANGE, 0, 1));
    const { code, parameters } = sent.at(-1)!;
    expect(code).toBe(DIAGNOSE);
    receive(ACK, responseFrame(DIAGNOSE, ...parameters));
    await commandSent(4);
    receive(ACK, responseFrame(EXCHANGE, 0, 2));
    expect([...(await second)]).toEqual([0, 2]);
  });

  it('distinguishes its line tests, whose responses may also be late', async () => {
    const tests: number[][] = [];
    for (const parameter of [1, 2]) {
      const repeated = exchange(parameter);
      lateAcknowledgement();
      receive(responseFrame(EXCHANGE, 0, parameter));
      await repeated;
      const before = sent.length;
      const next = exchange(9);
      await commandSent(before + 1);
      for (const earlier of tests) receive(responseFrame(DIAGNOSE, ...earlier));
      expect(sent).toHaveLength(before + 1);
      tests.push(sent.at(-1)!.parameters);
      receive(responseFrame(DIAGNOSE, ...sent.at(-1)!.parameters));
      await commandSent(before + 2);
      receive(responseFrame(EXCHANGE, 0, 9));
      await next;
    }
    expect(new Set(tests.map(String)).size).toBe(2);
  });

  it('sends no line test after a command that was sent once', async () => {
    for (const parameter of [1, 2]) {
      const response = exchange(parameter);
      receive(ACK, responseFrame(EXCHANGE, 0, parameter));
      expect([...(await response)]).toEqual([0, parameter]);
    }
    expect(sent.map(({ code }) => code)).toEqual([EXCHANGE, EXCHANGE]);
  });

  it('sends the next command to a chip that rejects the line test', async () => {
    const repeated = exchange(1);
    lateAcknowledgement();
    receive(responseFrame(EXCHANGE, 0, 1));
    await repeated;
    const next = exchange(2);
    await commandSent(3);
    receive(ACK, Uint8Array.of(0, 0, 0xff, 0x01, 0xff, 0x7f, 0x81, 0x00));
    await commandSent(4);
    receive(ACK, responseFrame(EXCHANGE, 0, 2));
    expect([...(await next)]).toEqual([0, 2]);
  });
});
