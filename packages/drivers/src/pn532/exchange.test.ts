import { type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import { describe, expect, it } from 'vitest';
import { beginPn532Exchange, receivePn532Frame, type Pn532ExchangeStep, expirePn532Exchange } from './chip.ts';
import type { Pn532Frame } from './frame.ts';

const command = { code: 0x4a, parameters: Uint8Array.of(1, 0), timeout_ms: 300 };
const ack: Pn532Frame = { type: 'ack' };
const answer: Pn532Frame = { type: 'answer', code: 0x4b, data: Uint8Array.of(0) };
const at = (milliseconds: number): MonotonicTime => monotonic(milliseconds);

/** Received frames, or for a number the time at which nothing was received. Sent frames are recorded in hex. */
const run = (...inputs: readonly (Pn532Frame | number)[]): { step: Pn532ExchangeStep; sent: string[] } => {
  let step: Pn532ExchangeStep = beginPn532Exchange(command, at(0));
  const sent: string[] = [];
  const note = (): void => {
    if (step.type === 'wait' && step.send !== null) sent.push(Buffer.from(step.send).toString('hex'));
  };
  note();
  for (const one of inputs) {
    if (step.type !== 'wait') break;
    step =
      typeof one === 'number' ? expirePn532Exchange(step.state, at(one)) : receivePn532Frame(step.state, one, at(0));
    note();
  }
  return { step, sent };
};

const COMMAND = '0000ff04fcd44a0100e100';
const NACK = '0000ffff0000';

describe('PN532 exchange', () => {
  it('sends a command once when it is acknowledged and answered', () => {
    expect(run(ack, answer)).toEqual({
      step: { type: 'done', data: Uint8Array.of(0), isRepeated: false },
      sent: [COMMAND],
    });
  });

  it('accepts a response whose acknowledgement was lost', () => {
    expect(run(answer).step.type).toBe('done');
  });

  it('ignores the response to another command', () => {
    expect(run(ack, { ...answer, code: 0x41 }).step.type).toBe('wait');
  });

  it('sends the command up to three times when there is no response', () => {
    expect(run(100, 200, 300)).toEqual({
      step: { type: 'failed', reason: 'silent' },
      sent: [COMMAND, COMMAND, COMMAND],
    });
  });

  it('repeats the command after a NACK, and requests a damaged response again', () => {
    expect(run({ type: 'nack' }, ack, answer)).toMatchObject({ step: { type: 'done' }, sent: [COMMAND, COMMAND] });
    expect(run(ack, { type: 'broken' }, answer)).toMatchObject({ step: { type: 'done' }, sent: [COMMAND, NACK] });
  });

  it('gives up on a line with nothing but noise', () => {
    const noise = Array.from({ length: 10 }, (): Pn532Frame => ({ type: 'broken' }));
    expect(run(...noise).step).toEqual({ type: 'failed', reason: 'noisy' });
    expect(run(ack, ...noise).step).toEqual({ type: 'failed', reason: 'noisy' });
  });

  it('does not retry a command that the chip does not support', () => {
    expect(run(ack, { type: 'error' })).toEqual({ step: { type: 'failed', reason: 'refused' }, sent: [COMMAND] });
  });

  it('starts the response timeout at the acknowledgement', () => {
    const begun = beginPn532Exchange(command, at(0));
    const acknowledged = receivePn532Frame(begun.state, ack, at(90));
    expect([begun.state.deadline, acknowledged.type === 'wait' && acknowledged.state.deadline]).toEqual([100, 390]);
  });
});
