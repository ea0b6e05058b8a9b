import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  confirmCandidateInSlots,
  decideProgramStart,
  emptyUpdateSlots,
  computeOldestAcceptedVersion,
  listReleasesInUse,
  MAX_TRIAL_STARTS,
  type PendingRelease,
  rollBackCandidateInSlots,
  type UpdateSlots,
  type ProgramStartInputs,
} from './update-slot-state.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

const pendingRelease = (release: string, id = release): PendingRelease => ({
  id,
  release,
  version: release.split('-')[0] ?? '',
  rollout_id: null,
  before: null,
});
const conditions = (change: Partial<ProgramStartInputs> = {}): ProgramStartInputs => ({
  pending: null,
  hasRelease: () => true,
  isExpired: false,
  packageVersion: '1.0.0',
  ...change,
});
const onTrial = decideProgramStart(emptyUpdateSlots, conditions({ pending: pendingRelease('2.0.0-a') })).slots;
const running = confirmCandidateInSlots(onTrial);

describe('update slot state', () => {
  describe('at startup', () => {
    it('runs the program of the package when there is nothing else', () => {
      expect(decideProgramStart(emptyUpdateSlots, conditions())).toMatchObject({ run: null, isTrial: false });
    });

    it('tries the pending release up to three times, then rolls back', () => {
      let slots: UpdateSlots = running;
      let pending: PendingRelease | null = pendingRelease('3.0.0-b');
      for (let attempt = 1; attempt <= MAX_TRIAL_STARTS; attempt++) {
        const start = decideProgramStart(slots, conditions({ pending }));
        expect(start).toMatchObject({ run: '3.0.0-b', isTrial: true });
        ({ slots } = start);
        pending = null;
      }
      const after = decideProgramStart(slots, conditions());
      expect(after).toMatchObject({ run: '2.0.0-a', isTrial: false });
      expect(after.slots.last).toMatchObject({ result: 'rolled_back', reason: expect.stringContaining('crashed') });
    });

    it('rolls back at once when the trial timed out or its files are missing', () => {
      expect(decideProgramStart(onTrial, conditions({ isExpired: true }))).toMatchObject({
        run: null,
        slots: { candidate: null },
      });
      expect(decideProgramStart(onTrial, conditions({ hasRelease: () => false })).slots.last?.reason).toContain(
        'files',
      );
    });

    it('takes a pending release once, even if the marker survived a power loss', () => {
      const leftover = pendingRelease('2.0.0-a');
      const failed = rollBackCandidateInSlots(onTrial, 'x');
      expect(decideProgramStart(failed, conditions({ pending: leftover }))).toMatchObject({
        run: null,
        clearsPending: true,
      });
      expect(decideProgramStart(failed, conditions({ pending: pendingRelease('2.0.0-a', 'again') }))).toMatchObject({
        run: '2.0.0-a',
      });
    });

    it('remembers a rejected release until it is confirmed after all', () => {
      const failed = rollBackCandidateInSlots(onTrial, 'x');
      expect(failed.given_up).toEqual(['2.0.0-a']);
      const again = decideProgramStart(failed, conditions({ pending: pendingRelease('2.0.0-a', 'again') })).slots;
      expect([rollBackCandidateInSlots(again, 'x').given_up, confirmCandidateInSlots(again).given_up]).toEqual([
        ['2.0.0-a'],
        [],
      ]);
    });

    it('runs a package that is newer than the confirmed release', () => {
      expect(decideProgramStart(running, conditions({ packageVersion: '2.0.1' }))).toMatchObject({
        run: null,
        slots: { good: null },
      });
      expect(decideProgramStart(running, conditions({ packageVersion: '2.0.0' }))).toMatchObject({ run: '2.0.0-a' });
    });

    it('falls back to the package when the files of the confirmed release are missing, without forgetting it', () => {
      const start = decideProgramStart(running, conditions({ hasRelease: () => false }));
      expect([start.run, start.slots.good?.release]).toEqual([null, '2.0.0-a']);
    });

    it('accepts nothing older than the newest release that ran well', () => {
      expect([
        computeOldestAcceptedVersion(running, '1.0.0'),
        computeOldestAcceptedVersion(running, '2.1.0'),
        computeOldestAcceptedVersion(emptyUpdateSlots, '1.0.0'),
      ]).toEqual(['2.0.0', '2.1.0', '1.0.0']);
    });
  });

  /** How a release behaves when it runs. */
  const behaviors = ['healthy', 'crashes', 'hangs', 'unhealthy'] as const;
  type ReleaseBehavior = (typeof behaviors)[number];

  const release = fc.record({
    behavior: fc.constantFrom<ReleaseBehavior>(...behaviors),
    name: fc.integer({ min: 1, max: 4 }).map(n => `${n + 1}.0.0-x`),
  });

  /** One random step. A power cut happens before or after the launcher has written. */
  const anyStep = fc.oneof(
    fc.record({ type: fc.constant('install' as const), release }),
    fc.record({
      type: fc.constant('start' as const),
      cut: fc.constantFrom('none', 'before writing', 'after writing', 'in the trial', 'pending not cleared'),
    }),
  );

  /** A disk and the programs on it: what is written survives every process. */
  class UpdatingMachine {
    slots: UpdateSlots = emptyUpdateSlots;
    pending: PendingRelease | null = null;
    isExpired = false;
    runs: string | null = null;
    readonly behaviors = new Map<string, ReleaseBehavior>();
    readonly healthyOnce = new Set<string>();
    #requests = 0;

    unpack({ name, behavior }: { name: string; behavior: ReleaseBehavior }): void {
      const used = listReleasesInUse(this.slots, this.pending);
      for (const other of this.behaviors.keys()) if (!used.has(other)) this.behaviors.delete(other);
      // A release that is in use is not unpacked again.
      const known = `${name}${this.behaviors.get(name) === undefined ? '' : 'y'}`;
      if (!this.behaviors.has(known)) this.behaviors.set(known, behavior);
      this.pending = pendingRelease(known, `request ${this.#requests++}`);
    }

    start(cut: string): void {
      const { pending, isExpired } = this;
      const hasRelease = (name: string): boolean => this.behaviors.has(name);
      const decision = decideProgramStart(this.slots, conditions({ pending, isExpired, hasRelease }));
      if (cut === 'before writing') return;
      this.slots = decision.slots;
      if (cut === 'after writing') return;
      if (decision.clearsPending && cut !== 'pending not cleared') this.pending = null;
      this.runs = decision.run;
      if (!decision.isTrial) this.isExpired = false;
      else if (cut !== 'in the trial') this.#trial(decision.run!);
    }

    #trial(name: string): void {
      const behavior = this.behaviors.get(name);
      if (behavior === 'healthy') {
        this.healthyOnce.add(name);
        this.slots = confirmCandidateInSlots(this.slots);
      }
      if (behavior === 'unhealthy') this.slots = rollBackCandidateInSlots(this.slots, 'unhealthy');
      if (behavior === 'hangs') this.isExpired = true;
    }
  }

  describe('on random histories', () => {
    it('never loses the confirmed release, and finally runs a healthy one', () => {
      fc.assert(
        fc.property(fc.array(anyStep, { maxLength: 40 }), steps => {
          const machine = new UpdatingMachine();
          for (const step of steps) {
            const good = machine.slots.good?.release;
            if (step.type === 'install') machine.unpack(step.release);
            else machine.start(step.cut);
            // It is replaced only by a healthy release, and never deleted.
            if (good !== undefined) expect(machine.behaviors.has(good)).toBe(true);
            const now = machine.slots.good?.release ?? null;
            expect(now === null || machine.healthyOnce.has(now)).toBe(true);
            if (good !== undefined) expect(now).not.toBeNull();
          }
          // Without further steps it settles: every trial ends, and every pending release is taken once.
          for (let start = 0; start < 2 * MAX_TRIAL_STARTS + 2; start++) machine.start('none');
          expect(machine.slots.candidate).toBeNull();
          expect(machine.pending).toBeNull();
          expect(machine.runs).toBe(machine.slots.good?.release ?? null);
        }),
        { numRuns: iterations({ sample: 300, all: 3_000 }) },
      );
    });
  });
});
