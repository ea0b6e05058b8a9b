import { describe, expect, it } from 'vitest';
import type { ControllerDependencies } from './controller-assembly.ts';
import { createSingleDoorSnapshot, DoorHarness } from '../testing/door-harness.ts';

const absent = { kind: 'absent', message: 'the reader does not answer' } as const;
const broken = { kind: 'broken', message: 'the reader does not take its key' } as const;
const tampered = { kind: 'tampered', message: 'the reader was opened' } as const;

const logging = async () => {
  const lines: unknown[] = [];
  const log: ControllerDependencies['log'] = (...line) => lines.push(line);
  const world = await DoorHarness.open(createSingleDoorSnapshot(), { log });
  lines.length = 0;
  return { world, lines };
};

describe('part faults', () => {
  describe('failing part', () => {
    it('is reported once as a fault, which clears when the part recovers', async () => {
      const world = await DoorHarness.open();
      world.reader.fail(absent);
      world.reader.fail(absent);
      expect(world.recorded).toMatchObject([{ kind: 'fault', fault: 'reader:station-0: the reader does not answer' }]);
      expect(world.controller.faults()).toMatchObject([{ code: 'reader:station-0', kind: 'absent' }]);
      world.reader.fail(null);
      expect(world.controller.faults()).toEqual([]);
    });

    it('is logged when it fails and when it recovers, under the same code', async () => {
      const { world, lines } = await logging();
      world.reader.fail(absent);
      world.reader.fail(null);
      world.reader.fail(null);
      const facts = { fault: 'reader:station-0' };
      expect(lines).toEqual([
        ['error', 'the reader does not answer', facts],
        ['info', 'Resolved: the reader does not answer', facts],
      ]);
    });

    it('reports a new reason in the log and on the page as the same fault', async () => {
      const { world, lines } = await logging();
      world.reader.fail(absent);
      const [before] = world.controller.faults();
      world.clock.advance(1_000);
      world.reader.fail(broken);
      expect(world.controller.faults()).toEqual([{ ...before, ...broken }]);
      expect(lines).toHaveLength(2);
      expect(world.kinds()).toEqual(['fault']);
    });

    it('that was absent and is then opened is reported as opened', async () => {
      const world = await DoorHarness.open();
      world.reader.fail(absent);
      world.reader.fail(tampered);
      expect(world.recorded.map(({ fault }) => fault)).toEqual([
        'reader:station-0: the reader does not answer',
        'reader:station-0: the reader was opened',
      ]);
    });
  });

  describe('housing', () => {
    const messages = (world: DoorHarness) =>
      world.controller.faults().map(({ code, message }) => `${code}: ${message}`);

    it('is a fault as long as it is open', async () => {
      const world = await DoorHarness.open();
      world.inputs.set('tamper', 'active');
      expect(messages(world)).toEqual(['tamper: The housing is open']);
      world.inputs.set('tamper', 'inactive');
      expect(messages(world)).toEqual([]);
    });

    it('is no fault before its board responds or while the board is missing', async () => {
      const world = DoorHarness.closed({});
      world.inputs.set('tamper', 'inactive');
      world.inputs.fail(absent);
      world.controller.start();
      expect(messages(world)).toEqual([]);
      world.inputs.fail(null);
      expect(messages(world)).toEqual([]);
      world.inputs.fail(absent);
      expect(messages(world)).toEqual(['inputs: the reader does not answer']);
      world.inputs.fail(null);
      world.inputs.set('tamper', 'active');
      world.inputs.fail(absent);
      expect(messages(world)).toEqual(['tamper: The housing is open', 'inputs: the reader does not answer']);
      world.inputs.fail(null);
      world.inputs.set('tamper', 'inactive');
      expect(messages(world)).toEqual([]);
    });

    it('is a fault when its line is cut while the board responds, also at startup', async () => {
      const world = DoorHarness.closed({});
      world.inputs.set('tamper', 'unknown');
      world.controller.start();
      expect(messages(world)).toEqual(['tamper: The tamper line is cut']);
      world.inputs.set('tamper', 'inactive');
      world.inputs.set('tamper', 'unknown');
      expect(messages(world)).toEqual(['tamper: The tamper line is cut']);
    });
  });
});
