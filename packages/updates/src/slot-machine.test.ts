import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  confirmed,
  decideStart,
  emptySlots,
  floorOf,
  inUse,
  MOST_ATTEMPTS,
  type Pending,
  rolledBack,
  type Slots,
  type StartLook,
} from './slot-machine.ts';
import { iterations } from '@lintel/test/support/test-budget';

const wish = (release: string, id = release): Pending => ({
  id,
  release,
  version: release.split('-')[0] ?? '',
  rollout_id: null,
  before: null,
});
const look = (change: Partial<StartLook> = {}): StartLook => ({
  pending: null,
  isThere: () => true,
  isExpired: false,
  packageVersion: '1.0.0',
  ...change,
});
const onTrial = decideStart(emptySlots, look({ pending: wish('2.0.0-a') })).slots;
const running = confirmed(onTrial);

describe('update slot state', () => {
  describe('at startup', () => {
    it('runs the program of the package when there is nothing else', () => {
      expect(decideStart(emptySlots, look())).toMatchObject({ run: null, isTrial: false });
    });

    it('tries the pending release up to three times, then rolls back', () => {
      let slots: Slots = running;
      let pending: Pending | null = wish('3.0.0-b');
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
        const start = decideStart(slots, look({ pending }));
        expect(start).toMatchObject({ run: '3.0.0-b', isTrial: true });
        ({ slots } = start);
        pending = null;
      }
      const after = decideStart(slots, look());
      expect(after).toMatchObject({ run: '2.0.0-a', isTrial: false });
      expect(after.slots.last).toMatchObject({ result: 'rolled_back', reason: expect.stringContaining('crashed') });
    });

    it('rolls back at once when the trial timed out or its files are missing', () => {
      expect(decideStart(onTrial, look({ isExpired: true }))).toMatchObject({ run: null, slots: { candidate: null } });
      expect(decideStart(onTrial, look({ isThere: () => false })).slots.last?.reason).toContain('files');
    });

    it('takes a pending release once, even if the marker survived a power loss', () => {
      const left = wish('2.0.0-a');
      const failed = rolledBack(onTrial, 'x');
      expect(decideStart(failed, look({ pending: left }))).toMatchObject({ run: null, dropsPending: true });
      expect(decideStart(failed, look({ pending: wish('2.0.0-a', 'again') }))).toMatchObject({ run: '2.0.0-a' });
    });

    it('remembers a rejected release until it is confirmed after all', () => {
      const failed = rolledBack(onTrial, 'x');
      expect(failed.given_up).toEqual(['2.0.0-a']);
      const again = decideStart(failed, look({ pending: wish('2.0.0-a', 'again') })).slots;
      expect([rolledBack(again, 'x').given_up, confirmed(again).given_up]).toEqual([['2.0.0-a'], []]);
    });

    it('runs a package that is newer than the confirmed release', () => {
      expect(decideStart(running, look({ packageVersion: '2.0.1' }))).toMatchObject({
        run: null,
        slots: { good: null },
      });
      expect(decideStart(running, look({ packageVersion: '2.0.0' }))).toMatchObject({ run: '2.0.0-a' });
    });

    it('falls back to the package when the files of the confirmed release are missing, without forgetting it', () => {
      const start = decideStart(running, look({ isThere: () => false }));
      expect([start.run, start.slots.good?.release]).toEqual([null, '2.0.0-a']);
    });

    it('accepts nothing older than the newest release that ran well', () => {
      expect([floorOf(running, '1.0.0'), floorOf(running, '2.1.0'), floorOf(emptySlots, '1.0.0')]).toEqual([
        '2.0.0',
        '2.1.0',
        '1.0.0',
      ]);
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
  const happening = fc.oneof(
    fc.record({ type: fc.constant('wish' as const), release }),
    fc.record({
      type: fc.constant('start' as const),
      cut: fc.constantFrom('none', 'before writing', 'after writing', 'in the trial', 'wish not cleared'),
    }),
  );

  /** A disk and the programs on it: what is written survives every process. */
  class World {
    slots: Slots = emptySlots;
    pending: Pending | null = null;
    isExpired = false;
    runs: string | null = null;
    readonly behaviors = new Map<string, ReleaseBehavior>();
    readonly healthyOnce = new Set<string>();
    #wishes = 0;

    unpack({ name, behavior }: { name: string; behavior: ReleaseBehavior }): void {
      const used = inUse(this.slots, this.pending);
      for (const one of this.behaviors.keys()) if (!used.has(one)) this.behaviors.delete(one);
      // A release that is in use is not unpacked again.
      const known = `${name}${this.behaviors.get(name) === undefined ? '' : 'y'}`;
      if (!this.behaviors.has(known)) this.behaviors.set(known, behavior);
      this.pending = wish(known, `wish ${this.#wishes++}`);
    }

    start(cut: string): void {
      const { pending, isExpired } = this;
      const isThere = (name: string): boolean => this.behaviors.has(name);
      const decision = decideStart(this.slots, look({ pending, isExpired, isThere }));
      if (cut === 'before writing') return;
      this.slots = decision.slots;
      if (cut === 'after writing') return;
      if (decision.dropsPending && cut !== 'wish not cleared') this.pending = null;
      this.runs = decision.run;
      if (!decision.isTrial) this.isExpired = false;
      else if (cut !== 'in the trial') this.#trial(decision.run!);
    }

    #trial(name: string): void {
      const behavior = this.behaviors.get(name);
      if (behavior === 'healthy') {
        this.healthyOnce.add(name);
        this.slots = confirmed(this.slots);
      }
      if (behavior === 'unhealthy') this.slots = rolledBack(this.slots, 'unhealthy');
      if (behavior === 'hangs') this.isExpired = true;
    }
  }

  describe('on random histories', () => {
    it('never loses the confirmed release, and finally runs a healthy one', () => {
      fc.assert(
        fc.property(fc.array(happening, { maxLength: 40 }), happenings => {
          const world = new World();
          for (const one of happenings) {
            const good = world.slots.good?.release;
            if (one.type === 'wish') world.unpack(one.release);
            else world.start(one.cut);
            // It is replaced only by a healthy release, and never deleted.
            if (good !== undefined) expect(world.behaviors.has(good)).toBe(true);
            const now = world.slots.good?.release ?? null;
            expect(now === null || world.healthyOnce.has(now)).toBe(true);
            if (good !== undefined) expect(now).not.toBeNull();
          }
          // Without further steps it settles: every trial ends, and every pending release is taken once.
          for (let start = 0; start < 2 * MOST_ATTEMPTS + 2; start++) world.start('none');
          expect(world.slots.candidate).toBeNull();
          expect(world.pending).toBeNull();
          expect(world.runs).toBe(world.slots.good?.release ?? null);
        }),
        { numRuns: iterations({ sample: 300, all: 3_000 }) },
      );
    });
  });
});
