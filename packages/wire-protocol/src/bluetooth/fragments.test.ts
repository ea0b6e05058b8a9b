import { toHex } from '@lintel/access-core/to-hex';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesFromHex, readVectorBytes, bluetoothVectors } from './bluetooth-vectors.test-support.ts';
import {
  addBluetoothFragment,
  type BluetoothFragmentAssembly,
  type BluetoothFragmentAssemblyOutcome,
  emptyBluetoothFragmentAssembly,
  splitIntoBluetoothFragments,
} from './fragments.ts';

const assemble = (fragments: readonly Uint8Array[]): BluetoothFragmentAssemblyOutcome => {
  let assembly: BluetoothFragmentAssembly = emptyBluetoothFragmentAssembly;
  let step: BluetoothFragmentAssemblyOutcome = { type: 'malformed' };
  for (const fragment of fragments) {
    step = addBluetoothFragment(assembly, fragment);
    assembly = step.type === 'incomplete' ? step.assembly : emptyBluetoothFragmentAssembly;
  }
  return step;
};

describe('fragments', () => {
  it('split the golden messages', () => {
    expect(splitIntoBluetoothFragments(readVectorBytes('hello'), 20).map(toHex)).toEqual(
      bluetoothVectors.hello_fragments_mtu_23,
    );
    expect(splitIntoBluetoothFragments(readVectorBytes('proof'), 20).map(toHex)).toEqual(
      bluetoothVectors.proof_fragments_mtu_23,
    );
    expect(splitIntoBluetoothFragments(readVectorBytes('proof'), 182).map(toHex)).toEqual(
      bluetoothVectors.proof_fragments_mtu_185,
    );
    const message = readVectorBytes('proof');
    expect(assemble(bluetoothVectors.proof_fragments_mtu_23.map(bytesFromHex))).toEqual({ type: 'message', message });
  });

  it('carry any message at any size', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 512 }),
        fc.integer({ min: 0, max: 514 }),
        (message, size) => {
          const fragments = splitIntoBluetoothFragments(message, size);
          expect(fragments.every(({ length }) => length <= Math.max(20, size))).toBe(true);
          expect(assemble(fragments)).toEqual({ type: 'message', message });
        },
      ),
    );
  });

  it('start again with fragment 0', () => {
    const [first] = splitIntoBluetoothFragments(new Uint8Array(30), 20);
    const whole = splitIntoBluetoothFragments(Uint8Array.of(1, 2, 3), 20);
    expect(assemble([first!, ...whole])).toEqual({ type: 'message', message: Uint8Array.of(1, 2, 3) });
  });

  it('are refused out of order, repeated, empty, or beyond the longest message', () => {
    const [first, second, third] = splitIntoBluetoothFragments(new Uint8Array(50), 20);
    expect(assemble([second!])).toEqual({ type: 'malformed' });
    expect(assemble([first!, third!])).toEqual({ type: 'malformed' });
    expect(assemble([first!, second!, second!])).toEqual({ type: 'malformed' });
    expect(assemble([new Uint8Array()])).toEqual({ type: 'malformed' });
    expect(assemble([Uint8Array.of(0x80)])).toEqual({ type: 'malformed' });
    expect(assemble([Uint8Array.of(0, ...new Uint8Array(512)), Uint8Array.of(0x81, 1)])).toEqual({ type: 'malformed' });
  });

  it('never exceed the longest message, whatever arrives', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 600 }), { maxLength: 12 }), fragments => {
        const step = assemble(fragments);
        return step.type !== 'message' || step.message.length <= 512;
      }),
    );
  });
});
