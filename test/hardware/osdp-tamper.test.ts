import { DoorHarness } from '@lintel/device-runtime/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OsdpTestBench, type OsdpTestBenchReader, openOsdpTestBench } from '@lintel/drivers/testing';
import { requireProgram } from '../support/require-program.ts';
import { requiredPython } from '../support/processes/pty.ts';

let bench: OsdpTestBench;
let world: DoorHarness;
beforeEach(context => requireProgram(context, requiredPython));
afterEach(() => bench.close());

/** A controller whose tamper line is an input of a reader, started before the first answer of the reader. */
const start = async (
  tamper: Parameters<OsdpTestBench['inputs']>[0][string],
  reader: Partial<OsdpTestBenchReader> = {},
): Promise<void> => {
  bench = await openOsdpTestBench({ address: 1, security: 'pair', ...reader });
  world = DoorHarness.closed({ inputs: bench.inputs({ tamper }) });
  world.controller.start();
};

const codes = () => world.controller.faults().map(({ code }) => code);
const recordedFaults = () => world.recorded.map(({ fault }) => fault);

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
    expect(recordedFaults()).toEqual([expect.stringMatching(/^inputs: /)]);
    bench.reader().setTamper(true);
    await expect.poll(codes).toContain('tamper');
  });

  it('reports no tamper when the reader rejects its key', async () => {
    await start({ kind: 'tamper' }, { key: Buffer.alloc(16, 7) });
    await expect.poll(() => world.controller.faults()).toMatchObject([{ code: 'inputs', kind: 'broken' }]);
  });

  it('reports a cut wire, also at startup, and keeps the fault while the reader is absent', async () => {
    await start({ kind: 'input', number: 0 });
    bench.reader().setInput(0, 2);
    await expect.poll(codes).toEqual(['tamper']);
    await bench.unplug();
    expect(codes()).toEqual(['tamper', 'inputs']);
    await bench.plugIn();
    bench.reader().setInput(0, 0);
    await expect.poll(codes).toEqual([]);
    expect(recordedFaults().filter(fault => fault?.startsWith('tamper'))).toEqual(['tamper: The tamper line is cut']);
  });
});
