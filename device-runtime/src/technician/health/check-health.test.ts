import { readFileSync } from 'node:fs';
import { instant } from '@lintel/access-core/instant';
import {
  technicianStatusResponseSchema,
  type TechnicianStatusResponse,
} from '@lintel/wire-protocol/technician/status-and-support-bundle';
import { describe, expect, it } from 'vitest';
import { type HealthCheckInputs, checkHealth } from './check-health.ts';
import { describeFaultAdvice } from './fault-advice.ts';

const golden = new URL('../../../../packages/wire-protocol/golden/technician/status.json', import.meta.url);
const status = technicianStatusResponseSchema.parse(JSON.parse(readFileSync(golden, 'utf8')));

const readings = { clean: 100, broken: 0, worst: null, over_ms: 900_000, clean_in_a_row: 0, broken_ago_ms: null };
const readerSignals = new Map([['front', { link: 'rs485', line: readings, cards: null } as const]]);

const checkOf = (id: string, changes: Partial<TechnicianStatusResponse>, facts: Partial<HealthCheckInputs> = {}) =>
  checkHealth({
    now: instant(0),
    status: { ...status, faults: [], ...changes },
    throughGateway: false,
    clockChanges: [],
    readerSignals,
    faultKinds: new Map(),
    ...facts,
  }).checks.find(check => check.id === id);
const line = (changes: Partial<TechnicianStatusResponse['upstream']>) => ({
  upstream: { ...status.upstream, ...changes },
});
const GIGABYTE = 2 ** 30;

describe('health', () => {
  it('is good without advice when nothing is wrong', () => {
    const { state, checks } = checkHealth({
      now: instant(0),
      status: {
        ...status,
        faults: [],
        disk: { free_bytes: 8 * GIGABYTE, total_bytes: 16 * GIGABYTE },
        digest_key_kept_in: 'hardware',
      },
      throughGateway: false,
      clockChanges: [],
      readerSignals,
      faultKinds: new Map(),
    });
    expect(state).toBe('ok');
    expect(checks.filter(({ advice }) => advice !== null)).toEqual([]);
  });

  it('shows a disk that is almost full, with advice', () => {
    const message = 'The disk is almost full (91 %). Events need free space';
    const faults = [{ code: 'disk_almost_full', message, since: status.clock.time }];
    const { state, checks } = checkHealth({
      now: instant(0),
      status: { ...status, faults },
      throughGateway: false,
      clockChanges: [],
      readerSignals,
      faultKinds: new Map(),
    });
    expect(state).not.toBe('ok');
    expect(checks).toContainEqual(
      expect.objectContaining({
        found: expect.stringContaining(message),
        advice: expect.stringContaining('Free up space'),
      }),
    );
  });

  it('includes advice for every problem', () => {
    const { state, checks } = checkHealth({
      now: instant(0),
      status: {
        ...status,
        ...line({ online: false, connected: false, via: null }),
        clock: { ...status.clock, trusted: false, source: 'floor' },
        slice: { revision: 1, age_ms: 8 * 86_400_000 },
        disk: { free_bytes: 1, total_bytes: 2 },
        power: { ...status.power, mains_present: false },
        rules: { pending: false, conflict: true },
        waiting_events: 5_000,
        faults: [...status.faults, { code: 'tamper', message: 'the housing is open', since: status.clock.time }],
      },
      throughGateway: false,
      clockChanges: [],
      readerSignals,
      faultKinds: new Map(),
    });
    expect(state).toBe('fail');
    const wrong = checks.filter(check => check.state === 'warn' || check.state === 'fail');
    expect(wrong.map(({ id }) => id)).toEqual([
      'line',
      'clock',
      'slice',
      'events',
      'rules',
      'supply',
      'disk',
      'pin_key',
      'reader:front',
      'fault:tamper',
    ]);
    expect(wrong.filter(({ advice }) => advice === null)).toEqual([]);
  });

  it('distinguishes a gateway without internet from no connection', () => {
    const behind = { throughGateway: true };
    const cut = line({ online: false });
    expect(checkOf('line', cut, behind)).toMatchObject({ state: 'fail', found: expect.stringContaining('gateway') });
    expect(checkOf('gateway', cut, behind)).toMatchObject({ state: 'warn' });
    expect(checkOf('gateway', {}, behind)).toMatchObject({ state: 'ok', found: expect.stringContaining('gateway') });
    expect(checkOf('gateway', {})?.found).toContain('No gateway');
  });

  it('is unknown before the claim where it depends on the bridge', () => {
    expect(['line', 'gateway', 'slice'].map(id => checkOf(id, { claimed: false })?.state)).toEqual([
      'unknown',
      'unknown',
      'unknown',
    ]);
  });

  it('counts the fault of a part for that part only', () => {
    const faults = [{ code: 'keypad:front', message: 'gone', since: status.clock.time }];
    expect(checkOf('keypad:front', { faults })).toMatchObject({ state: 'fail', found: 'gone' });
    expect(checkOf('reader:front', { faults })).toMatchObject({ state: 'ok' });
    expect(checkOf('fault:keypad:front', { faults })).toBeUndefined();
  });

  it('does not recommend checking the plug when the part is present but rejects commands or was opened', () => {
    const codes = ['keypad:front', 'reader:front', 'outputs:rs485.front', 'inputs:rs485.front'];
    const adviceOf = (code: string, kind: 'absent' | 'broken' | 'tampered') => {
      const faults = [{ code, message: 'reported by the part', since: status.clock.time }];
      const facts = { faultKinds: new Map([[code, kind]]) };
      return (checkOf(code, { faults }, facts) ?? checkOf(`fault:${code}`, { faults }, facts))?.advice;
    };
    for (const code of codes) {
      expect(adviceOf(code, 'absent')).toMatch(/plug|cable/);
      expect(adviceOf(code, 'broken')).toMatch(/reported problem/);
      expect(adviceOf(code, 'tampered')).toMatch(/opened/);
      expect([adviceOf(code, 'broken'), adviceOf(code, 'tampered')].join()).not.toMatch(/plug|cable|supply/);
    }
    expect(describeFaultAdvice('output:front_green', null)).not.toMatch(/plug|cable|supply/);
  });

  it('warns that a key in a file reveals PINs, and says what to do', () => {
    expect(checkOf('pin_key', { digest_key_kept_in: 'file' })).toMatchObject({
      state: 'warn',
      advice: expect.stringContaining('TPM'),
    });
  });

  it('ignores earlier readings of a reader that is missing now', () => {
    const faults = [{ code: 'reader:front', message: 'gone', since: status.clock.time }];
    expect(checkOf('signal:front', {})).toMatchObject({ state: 'ok' });
    expect(checkOf('signal:front', { faults })).toMatchObject({ state: 'unknown', advice: null });
  });

  it('states that a reader without signal data does not report it', () => {
    for (const none of [new Map(), new Map([['front', null]])])
      expect(checkOf('signal:front', {}, { readerSignals: none })).toMatchObject({
        state: 'unknown',
        found: 'This reader does not report its signal',
      });
  });

  it('includes the last clock correction, but not the first time that the clock was set to', () => {
    const change = { ...status.clock, uptime_ms: 5, stepped_ms: 0 };
    const corrected = { ...change, stepped_ms: 120_000 };
    const found = (clockChanges: HealthCheckInputs['clockChanges']) => checkOf('clock', {}, { clockChanges })?.found;
    expect(found([{ ...change, trusted: true }, corrected])).toContain('corrected by 2 minutes');
    expect(found([{ ...change, trusted: false }, corrected])).not.toContain('corrected');
  });

  it('says one minute, and no time that the clock showed before it was set', () => {
    expect(checkOf('slice', { slice: { revision: 3, age_ms: 60_000 } })?.found).toBe(
      'Revision 3, confirmed 1 minute ago',
    );
    const upstream = {
      ...status.upstream,
      connected: false,
      online: false,
      since: '2026-01-01T00:00:00.000Z' as never,
    };
    expect(checkOf('line', { upstream })?.found).toBe('No connection');
  });

  it('says that the controller was replaced instead of a fault of the network', () => {
    const faults = [{ code: 'replaced', message: 'This controller was replaced', since: status.clock.time }];
    const upstream = { ...status.upstream, connected: false, online: false };
    expect(checkOf('line', { faults, upstream })).toMatchObject({
      state: 'fail',
      found: 'The bridge refuses this controller. This controller was replaced',
      advice: expect.stringContaining('setup button') as string,
    });
  });

  it('uses the advice of the longest matching fault code prefix, or a general one', () => {
    expect(describeFaultAdvice('digest_key_unknown', null)).toBe(describeFaultAdvice('digest_key', null));
    expect(describeFaultAdvice('slice_refused', null)).not.toBe(describeFaultAdvice('slice_old', null));
    expect(describeFaultAdvice('never_heard_of', null)).toContain('support bundle');
  });

  it('fails with advice while no profile is chosen', () => {
    expect(checkOf('profile', { product_id: 'unconfigured' })).toMatchObject({
      state: 'fail',
      advice: expect.any(String),
    });
    expect(checkOf('profile', {})).toBeUndefined();
  });
});
