import { describe, expect, it } from 'vitest';
import { createTestActivityEntry, createTestSimulatorState } from '../simulator-state.test-support.ts';
import { advanceTourIfStepDone, startTour } from './tour-progress.ts';

const at = '2026-06-01T10:00:00.000Z';
const delivered = { door: at, gateway: null, bridge: at, webhook: null };
const before = createTestSimulatorState({ activity: [createTestActivityEntry({ id: 'old', way: delivered })] });
const { lines } = before;
const cutLines = lines.map(line => ({ ...line, mode: 'cut' as const }));

const worldWith = (ids: readonly string[], changes: { isCut?: boolean; isDelivered?: boolean } = {}) =>
  createTestSimulatorState({
    lines: changes.isCut === true ? cutLines : lines,
    activity: [
      ...ids.map(id =>
        createTestActivityEntry({ id, way: { ...delivered, bridge: changes.isDelivered === false ? null : at } }),
      ),
      ...before.activity,
    ],
  });

describe('advanceTourIfStepDone', () => {
  const started = startTour(before);

  it('waits for a new opening, then for one without internet, then for its arrival', () => {
    expect(advanceTourIfStepDone(started, before)).toBe(started);
    const opened = advanceTourIfStepDone(started, worldWith(['1']));
    expect(opened.step).toBe('cut');
    const isWaiting = worldWith(['2', '1'], { isCut: true, isDelivered: false });
    expect(advanceTourIfStepDone(opened, worldWith(['1'], { isCut: true }))).toBe(opened);
    const held = advanceTourIfStepDone(opened, isWaiting);
    expect(held).toMatchObject({ step: 'arrive', heldEvent: '2' });
    expect(advanceTourIfStepDone(held, isWaiting)).toBe(held);
    expect(advanceTourIfStepDone(held, worldWith(['2', '1'])).step).toBe('done');
  });

  it('does not count an opening with internet in the second step, nor a denial', () => {
    const opened = advanceTourIfStepDone(started, worldWith(['1']));
    expect(advanceTourIfStepDone(opened, worldWith(['2', '1']))).toBe(opened);
    const denied = createTestSimulatorState({ activity: [createTestActivityEntry({ id: '3', kind: 'deny' })] });
    expect(advanceTourIfStepDone(started, denied)).toBe(started);
  });
});
