import { DAY_MS, MINUTE_MS } from '@lintel/access-core/durations';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Instant, instant } from '@lintel/access-core/instant';
import { TimeSync } from '@lintel/device-link/session/time/time-sync';
import { KeyValueStoreError } from '@lintel/service/data-folder/key-value-store-interface';
import { MemoryState } from '@lintel/test/support/memory-state-store';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { CLOCK_TOLERANCE_MS } from './trusted-clock-state-transitions.ts';
import { TrustedClock } from './trusted-clock.ts';

const NOW = instant(Date.parse('2026-06-01T10:00:00Z'));
const FIRMWARE = instant(Date.parse('2026-01-01T00:00:00Z'));

/** Loses writes after the given number, as in a crash. */
class CrashingState extends MemoryState {
  writesLeft = Number.POSITIVE_INFINITY;

  override write(key: string, value: unknown): void {
    if (this.writesLeft <= 0) throw new KeyValueStoreError('crashed');
    this.writesLeft -= 1;
    super.write(key, value);
  }
}

/** A machine whose processes crash, whose power fails, and whose system clock may be wrong. */
class Machine {
  readonly state = new CrashingState();
  realTime: Instant = NOW;
  isSynchronized = false;
  systemOffset = 0;
  time!: TrustedClock;
  #boots = 0;
  #nonces = 0;
  #uptime = new VirtualClock();
  #sync!: TimeSync;

  constructor() {
    this.switchOn();
  }

  pass(milliseconds: number): void {
    this.#uptime.advance(milliseconds);
    this.realTime = instant(this.realTime + milliseconds);
  }

  /** A new process on the same start of the machine. Nothing is saved before it. */
  restartProcess(): void {
    const system = {
      now: () => instant(this.realTime + this.systemOffset),
      isSynchronized: () => this.isSynchronized,
    };
    const { state } = this;
    state.writesLeft = Number.POSITIVE_INFINITY;
    const saved = { state, bootId: `boot-${this.#boots}`, earliest: FIRMWARE, lastWritten: null };
    this.time = new TrustedClock({ ...saved, monotonic: this.#uptime, system, hasRtc: false });
    this.#sync = new TimeSync(
      {
        link: { reconnect: () => undefined },
        publisher: { publish: async () => undefined } as never,
        clock: this.#uptime,
        wall: this.time,
        newNonce: () => `nonce-${(this.#nonces += 1)}`,
        setFault: () => undefined,
      },
      { received: () => undefined, sendHello: () => undefined, position: () => undefined as never },
    );
  }

  switchOn(): void {
    this.#boots += 1;
    this.#uptime = new VirtualClock();
    this.isSynchronized = false;
    this.restartProcess();
  }

  cutPower(milliseconds: number): void {
    this.realTime = instant(this.realTime + milliseconds);
    this.switchOn();
  }

  synchronize(): void {
    this.isSynchronized = true;
    this.systemOffset = 0;
  }

  /** Not by a time service. */
  stepSystemClock(offset: number): void {
    this.isSynchronized = false;
    this.systemOffset = offset;
  }

  requestTime(there: number, back: number): void {
    this.#sync.request();
    const nonce = `nonce-${this.#nonces}`;
    this.pass(there);
    const response = { v: 1 as const, nonce, time: this.realTime, revision: 0, revoke_counter: 0 };
    this.pass(back);
    this.#sync.receive(response);
  }

  get floor(): number {
    return (this.state.read('time_floor') as number | undefined) ?? FIRMWARE;
  }
}

describe('TrustedClock after a crash of the process', () => {
  it('continues with the trusted time of the bridge', () => {
    const machine = new Machine();
    machine.requestTime(20, 20);
    machine.pass(7 * MINUTE_MS);
    machine.restartProcess();
    const { time, realTime } = machine;
    expect([time.isTrusted(), time.source(), time.now(), time.signedNow()]).toEqual([
      true,
      'bridge',
      realTime,
      realTime,
    ]);
  });

  it('continues with the time of a time server, also when the floor was not saved since', () => {
    const machine = new Machine();
    machine.synchronize();
    machine.time.poll();
    machine.pass(2 * MINUTE_MS);
    machine.stepSystemClock(-DAY_MS);
    machine.restartProcess();
    expect([machine.time.isTrusted(), machine.time.source(), machine.time.now()]).toEqual([
      true,
      'ntp',
      machine.realTime,
    ]);
  });

  it('stays untrusted when it was untrusted, and the untrusted clock runs on', () => {
    const machine = new Machine();
    machine.requestTime(0, 0);
    machine.cutPower(DAY_MS);
    const before = machine.time.now();
    machine.pass(MINUTE_MS);
    machine.restartProcess();
    expect([machine.time.isTrusted(), machine.time.isResumed(), machine.time.now()]).toEqual([
      false,
      true,
      before + MINUTE_MS,
    ]);
  });

  it('is untrusted after a power cycle, and starts at the floor', () => {
    const machine = new Machine();
    machine.requestTime(0, 0);
    const floor = machine.time.now();
    machine.cutPower(3 * DAY_MS);
    expect([machine.time.isTrusted(), machine.time.isResumed(), machine.time.now()]).toEqual([false, false, floor]);
  });

  it('does not let a wrong time server move the time by more than a day in several runs', () => {
    const machine = new Machine();
    machine.requestTime(0, 0);
    const start = machine.time.now();
    for (let run = 1; run <= 10; run++) {
      machine.isSynchronized = true;
      machine.systemOffset = run * 0.4 * DAY_MS;
      machine.time.poll();
      machine.restartProcess();
    }
    expect(machine.time.now() - start).toBeLessThanOrEqual(DAY_MS);
  });

  it('keeps a correction by the bridge when it crashes while it saves the correction', () => {
    for (const writes of [1, 2, 3]) {
      const machine = new Machine();
      machine.isSynchronized = true;
      machine.systemOffset = DAY_MS / 2;
      machine.time.poll();
      machine.state.writesLeft = writes;
      machine.isSynchronized = false;
      machine.requestTime(0, 0);
      machine.restartProcess();
      expect([writes, machine.time.isTrusted(), machine.time.now()]).toEqual([writes, true, machine.realTime]);
    }
  });
});

describe('trusted time', () => {
  const operation = fc.oneof(
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 2 * DAY_MS }) }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 10_000 }) }),
    fc.record({ kind: fc.constant('crash' as const) }),
    fc.record({ kind: fc.constant('crash while saving' as const), writes: fc.nat(4) }),
    fc.record({ kind: fc.constant('power cycle' as const), ms: fc.integer({ min: 0, max: 90 * DAY_MS }) }),
    fc.record({ kind: fc.constant('clock step' as const), ms: fc.integer({ min: -400 * DAY_MS, max: 400 * DAY_MS }) }),
    fc.record({ kind: fc.constant('time server' as const) }),
    fc.record({
      kind: fc.constant('bridge' as const),
      there: fc.integer({ min: 0, max: 8_000 }),
      back: fc.integer({ min: 0, max: 8_000 }),
    }),
  );

  const apply = (machine: Machine, step: typeof operation extends fc.Arbitrary<infer T> ? T : never): void => {
    switch (step.kind) {
      case 'pass':
        return machine.pass(step.ms);
      case 'crash':
        return machine.restartProcess();
      case 'crash while saving':
        machine.state.writesLeft = step.writes;
        machine.requestTime(0, 0);
        return machine.restartProcess();
      case 'power cycle':
        return machine.cutPower(step.ms);
      case 'clock step':
        return machine.stepSystemClock(step.ms);
      case 'time server':
        return machine.synchronize();
      case 'bridge':
        return machine.requestTime(step.there, step.back);
    }
  };

  it('is never behind the floor, and never wrong by more than a minute', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), steps => {
        const machine = new Machine();
        for (const step of steps) {
          apply(machine, step);
          machine.time.poll();
          const { time, realTime } = machine;
          expect(time.now()).toBeGreaterThanOrEqual(machine.floor);
          if (time.isTrusted()) expect(Math.abs(time.now() - realTime)).toBeLessThanOrEqual(CLOCK_TOLERANCE_MS);
        }
      }),
      { numRuns: 300 },
    );
  });
});
