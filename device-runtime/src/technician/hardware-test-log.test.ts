import { instant } from '@lintel/access-core/instant';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ControllerStateKey, ControllerStateStore } from '../state/controller-state-keys.ts';
import { HardwareTestLog } from './hardware-test-log.ts';

let kept: Map<ControllerStateKey, unknown>;
let organization: string | null;
let now: number;
beforeEach(() => {
  kept = new Map();
  organization = null;
  now = 1_000;
});

const opened = (productId = 'virtual'): HardwareTestLog => {
  const state: ControllerStateStore = {
    read: key => kept.get(key),
    write: (key, value) => void kept.set(key, JSON.parse(JSON.stringify(value))),
  };
  const wall = { now: () => instant(now), isTrusted: () => true };
  return new HardwareTestLog({ state, wall, organization: () => organization, productId });
};
const nobody = { pass_id: null, user_id: null };
const passed = (log: HardwareTestLog, id: string) => log.recordResult({ id, result: 'passed' }, nobody, null);

describe('HardwareTestLog', () => {
  it('keeps tests made before and after the claim', () => {
    const log = opened();
    passed(log, 'output:red');
    organization = 'org_1';
    passed(log, 'reader:front');
    expect(
      opened()
        .list()
        .map(({ id }) => id),
    ).toEqual(['reader:front', 'output:red']);
  });

  it('drops the results of another hardware profile', () => {
    passed(opened(), 'output:red');
    expect(opened('rpi-osdp').list()).toEqual([]);
  });

  it('keeps the newest 500 tests', () => {
    const log = opened();
    for (let number = 0; number < 505; number++) passed(log, `t:${number}`);
    const all = opened().list();
    expect([all.length, all[0]?.id, all.at(-1)?.id]).toEqual([500, 't:504', 't:5']);
  });

  it('is not visible to another organization', () => {
    organization = 'org_1';
    passed(opened(), 'output:red');
    organization = 'org_2';
    expect(opened().list()).toEqual([]);
  });

  it('drops the verdict on a test that was repeated', () => {
    const log = opened();
    passed(log, 'output:red');
    now = 2_000;
    log.recordObservation('output:red', nobody, { ok: false, what: 'the board is gone' });
    expect(log.list()).toMatchObject([
      { id: 'output:red', result: null, seen: { ok: false }, at: '1970-01-01T00:00:02.000Z' },
    ]);
  });

  it('starts empty when the saved log cannot be read', () => {
    kept.set('technician_tests', { tests: 'broken' });
    expect(opened().list()).toEqual([]);
  });
});
