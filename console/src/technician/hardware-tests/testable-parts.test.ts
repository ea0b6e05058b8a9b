import { readFileSync } from 'node:fs';
import { technicianStatusResponseSchema } from '@lintel/wire-protocol/technician/status-and-support-bundle';
import {
  type HardwareTestRecord,
  hardwareTestResultRequestSchema,
} from '@lintel/wire-protocol/technician/hardware-tests';
import { describe, expect, it } from 'vitest';
import { createGadgetAndActionNames } from '../../components/input-rules-editor/gadget-and-action-names.ts';
import { formatHardwareTestTitle } from './format-hardware-test-title.ts';
import { countTestedParts, listTestableParts } from './testable-parts.ts';
import { healthStates } from '@lintel/wire-protocol/technician/health';
import { toHardwareTestResultRequest } from './health-check-to-test-result-request.ts';

const golden = new URL('../../../../packages/wire-protocol/golden/technician/status.json', import.meta.url);
const status = technicianStatusResponseSchema.parse(JSON.parse(readFileSync(golden, 'utf8')));
const parts = listTestableParts(status, false);

describe('testable parts', () => {
  it('include each action, keypad, reader, light, contact, free output and the power supply', () => {
    const gadget = 'gadget:gad_01jx5m8z6q0000000000000001';
    expect(parts.map(({ id }) => id)).toEqual([
      `${gadget}:open`,
      `${gadget}:unlock`,
      'keypad:front',
      'reader:front',
      'feedback:front',
      'input:contact-0',
      'output:buzzer',
      'power:supply',
    ]);
    for (const { id } of parts)
      expect(hardwareTestResultRequestSchema.safeParse({ id, result: 'passed' }).success).toBe(true);
  });

  it('count as completed when a result is recorded', () => {
    const entries = [
      { id: 'output:buzzer', result: 'passed' },
      { id: 'reader:front', result: null },
      { id: 'gone', result: 'failed' },
    ] as unknown as readonly HardwareTestRecord[];
    expect(countTestedParts(parts, entries)).toBe(1);
  });

  it('have a name in the report', () => {
    const names = createGadgetAndActionNames(status.gadgets);
    expect(parts.map(({ id }) => formatHardwareTestTitle(id, names))).toContain('Front door: Unlock');
    expect(parts.filter(({ id }) => formatHardwareTestTitle(id, names) === id)).toEqual([]);
    expect(formatHardwareTestTitle('something:else', names)).toBe('something:else');
  });
});

describe('toHardwareTestResultRequest', () => {
  it('counts a health check as passed only when its state is ok, and as not run without evidence', () => {
    const results = healthStates.map(state =>
      toHardwareTestResultRequest({
        id: 'reader:front',
        title: 'Reader front',
        state,
        found: 'x'.repeat(600),
        advice: null,
      }),
    );
    expect(results.map(result => result?.result)).toEqual(['passed', 'failed', 'failed', undefined]);
    for (const result of results.slice(0, 3))
      expect(hardwareTestResultRequestSchema.safeParse(result).success).toBe(true);
  });
});
