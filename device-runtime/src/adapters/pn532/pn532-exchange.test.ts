import { type Monotonic, monotonic } from '@lintel/access-core/monotonic';
import { expect, test } from 'vitest';
import { beginExchange, exchangeHears, type ExchangeStep, exchangeTimer } from './pn532-exchange.ts';
import type { Pn532Frame } from './pn532-frame.ts';

const command = { code: 0x4a, parameters: Uint8Array.of(1, 0), answer_ms: 300 };
const ack: Pn532Frame = { type: 'ack' };
const answer: Pn532Frame = { type: 'answer', code: 0x4b, data: Uint8Array.of(0) };
const at = (milliseconds: number): Monotonic => monotonic(milliseconds);

/** Frames heard and, for a number, the time at which nothing has come; what was sent is kept in hex. */
const run = (...happenings: readonly (Pn532Frame | number)[]): { step: ExchangeStep; sent: string[] } => {
  let step: ExchangeStep = beginExchange(command, at(0));
  const sent: string[] = [];
  const note = (): void => {
    if (step.type === 'wait' && step.send !== null) sent.push(Buffer.from(step.send).toString('hex'));
  };
  note();
  for (const one of happenings) {
    if (step.type !== 'wait') break;
    step = typeof one === 'number' ? exchangeTimer(step.state, at(one)) : exchangeHears(step.state, one, at(0));
    note();
  }
  return { step, sent };
};

const COMMAND = '0000ff04fcd44a0100e100';
const NACK = '0000ffff0000';

test('a command that is acknowledged and answered is sent once', () => {
  expect(run(ack, answer)).toEqual({ step: { type: 'done', data: Uint8Array.of(0) }, sent: [COMMAND] });
});

test('an answer whose acknowledgement was lost is an answer all the same', () => {
  expect(run(answer).step.type).toBe('done');
});

test('an answer to another command is none', () => {
  expect(run(ack, { ...answer, code: 0x41 }).step.type).toBe('wait');
});

test('silence is met with the command again, three times in all', () => {
  expect(run(100, 200, 300)).toEqual({ step: { type: 'failed', reason: 'silent' }, sent: [COMMAND, COMMAND, COMMAND] });
});

test('a refusal is met with the command again, a spoilt answer with the wish to have it again', () => {
  expect(run({ type: 'nack' }, ack, answer)).toMatchObject({ step: { type: 'done' }, sent: [COMMAND, COMMAND] });
  expect(run(ack, { type: 'broken' }, answer)).toMatchObject({ step: { type: 'done' }, sent: [COMMAND, NACK] });
});

test('a line of nothing but noise comes to an end', () => {
  const noise = Array.from({ length: 10 }, (): Pn532Frame => ({ type: 'broken' }));
  expect(run(...noise).step).toEqual({ type: 'failed', reason: 'noisy' });
  expect(run(ack, ...noise).step).toEqual({ type: 'failed', reason: 'noisy' });
});

test('what the chip does not understand is not tried again', () => {
  expect(run(ack, { type: 'error' })).toEqual({ step: { type: 'failed', reason: 'refused' }, sent: [COMMAND] });
});

test('the time for the answer begins with the acknowledgement', () => {
  const begun = beginExchange(command, at(0));
  const acknowledged = exchangeHears(begun.state, ack, at(90));
  expect([begun.state.deadline, acknowledged.type === 'wait' && acknowledged.state.deadline]).toEqual([100, 390]);
});
