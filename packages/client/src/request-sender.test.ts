import { describe, expect, it } from 'vitest';
import { computeBackoffMs, RequestSender } from './request-sender.ts';

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly type?: string;
}

const request = { method: 'POST', url: 'https://doors.example/v2/members', body: '{}', headers: {}, signal: undefined };

/** Sends one request to a server that gives these answers in turn; `null` is a lost connection. */
const sendTo = async (answers: ReadonlyArray<Answer | null>) => {
  const waits: number[] = [];
  const usedTokens: string[] = [];
  const sender = new RequestSender({
    maxAttempts: 3,
    random: () => 0.5,
    wait: async ms => void waits.push(ms),
    tokens: { accessToken: async () => 'first', refresh: async rejected => `after ${rejected}` },
    fetch: async (_, init) => {
      usedTokens.push(new Headers(init?.headers).get('authorization') ?? '');
      const answer = answers[usedTokens.length - 1];
      if (answer == null) throw new TypeError('fetch failed');
      const { status, headers = {}, type = 'rate_limited' } = answer;
      const body = status === 200 ? { id: 'mem_1' } : { type, message: 'Refused', args: {} };
      return new Response(JSON.stringify(body), { status, headers });
    },
  });
  const outcome = await sender.send(request).catch((error: unknown) => error);
  return { outcome, waits, usedTokens };
};

const created = { status: 200 };
const limited = { status: 429, headers: { 'retry-after': '7' } };

describe('RequestSender', () => {
  it('waits for the seconds in Retry-After', async () => {
    const unavailable = { status: 503, type: 'unavailable', headers: { 'retry-after': '2' } };
    expect(await sendTo([limited, unavailable, created])).toMatchObject({
      outcome: { id: 'mem_1' },
      waits: [7000, 2000],
    });
  });

  it('gives up after the last attempt', async () => {
    const { outcome, waits } = await sendTo([limited, limited, limited]);
    expect(outcome).toMatchObject({ status: 429, type: 'rate_limited' });
    expect(waits).toHaveLength(2);
    expect((await sendTo([null, null, null])).outcome).toBeInstanceOf(TypeError);
  });

  it('does not repeat an action on a device that is offline', async () => {
    const { outcome, usedTokens } = await sendTo([{ status: 503, type: 'hardware_offline' }]);
    expect(outcome).toMatchObject({ type: 'hardware_offline' });
    expect(usedTokens).toHaveLength(1);
  });

  it('repeats after a lost connection, with growing waits', async () => {
    expect(await sendTo([null, null, created])).toMatchObject({ outcome: { id: 'mem_1' }, waits: [500, 1000] });
    expect(computeBackoffMs(20, () => 0)).toBe(15_000);
  });

  it('takes one new token after 401', async () => {
    const rejected = { status: 401, type: 'unauthorized' };
    expect(await sendTo([rejected, created])).toMatchObject({ usedTokens: ['Bearer first', 'Bearer after first'] });
    expect((await sendTo([rejected, rejected])).outcome).toMatchObject({ status: 401 });
  });

  it('reports a response of a proxy without JSON', async () => {
    const sender = new RequestSender({
      maxAttempts: 1,
      random: Math.random,
      wait: async () => undefined,
      tokens: { accessToken: async () => 'token', refresh: async () => 'token' },
      fetch: async () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    });
    await expect(sender.send(request)).rejects.toMatchObject({ status: 502, type: 'internal', args: {} });
  });
});
