import { type OsdpInputLine, OsdpInputs } from '../../packages/drivers/src/osdp/osdp-inputs.ts';
import { DoorWorld } from '../../device-runtime/src/test-support/door-world.test-support.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OsdpBench, type OsdpBenchReader, openOsdpBench } from '../support/osdp-peripheral/osdp-bench.ts';
import { requirePart } from '../reporting/system-part.ts';
import { pythonPart } from '../support/processes/pty.ts';

let bench: OsdpBench;
let world: DoorWorld;
beforeEach(context => requirePart(context, pythonPart));
afterEach(() => bench.close());

/** A controller whose tamper line is an input of a reader, started before the first answer of the reader. */
const start = async (tamper: OsdpInputLine, reader: Partial<OsdpBenchReader> = {}): Promise<void> => {
  bench = await openOsdpBench({ address: 1, security: 'pair', ...reader });
  world = DoorWorld.closed({ inputs: new OsdpInputs(bench.peripheral(), { tamper }) });
  world.controller.start();
};

const codes = () => world.controller.faults().map(({ code }) => code);
const told = () => world.recorded.map(({ fault }) => fault);

describe('Tamper detection by an OSDP reader', () => {
  it('reports no tamper at startup or when the reader is absent', async () => {
    await start({ kind: 'tamper' });
    await bench.ready();
    await bench.idle();
    await bench.unplug();
    expect(codes()).toEqual(['inputs']);
    await bench.plugIn();
    await bench.idle();
    expect(codes()).toEqual([]);
    expect(told()).toEqual([expect.stringMatching(/^inputs: /)]);
    bench.reader().open(true);
    await expect.poll(codes).toContain('tamper');
  });

  it('reports no tamper when the reader rejects its key', async () => {
    await start({ kind: 'tamper' }, { key: Buffer.alloc(16, 7) });
    await expect.poll(() => world.controller.faults()).toMatchObject([{ code: 'inputs', kind: 'broken' }]);
  });

  it('reports a cut wire, also at startup, and keeps the fault while the reader is absent', async () => {
    await start({ kind: 'input', number: 0 });
    bench.reader().move(0, 2);
    await expect.poll(codes).toEqual(['tamper']);
    await bench.unplug();
    expect(codes()).toEqual(['tamper', 'inputs']);
    await bench.plugIn();
    bench.reader().move(0, 0);
    await expect.poll(codes).toEqual([]);
    expect(told().filter(fault => fault?.startsWith('tamper'))).toEqual(['tamper: the tamper line is cut']);
  });
});
