import { readFileSync } from 'node:fs';
import { liveHappening } from '@lintel/wire-protocol/technician/live';
import { describe, expect, it } from 'vitest';
import { namesOf } from '../frame/names.ts';
import { happeningWords } from './happening-words.ts';

const names = namesOf([
  { gadget_id: 'gad_01jx5m8z6q0000000000000001', name: 'Front door', actions: [{ id: 'open', name: 'Open' }] },
]);

const golden = new URL('../../../../packages/wire-protocol/golden/technician/live.json', import.meta.url);
const told = (JSON.parse(readFileSync(golden, 'utf8')) as unknown[]).map(one => liveHappening.parse(one));

describe('happeningWords', () => {
  it('describes every live event of a controller', () => {
    const titles = told.map(one => happeningWords(one as never, names).title);
    expect(titles).toContain('Key • at front');
    expect(titles).toContain('front: Front door, Open is selected, waits for a PIN or a card');
    expect(titles).toContain('Denied: Front door, Open');
    expect(titles.filter(title => /undefined|null|^[a-z]+$/.test(title))).toEqual([]);
  });

  it('describes why access was denied', () => {
    const denied = told.find(({ type }) => type === 'event');
    expect(happeningWords(denied as never, names)).toMatchObject({
      group: 'decisions',
      mood: 'wrong',
      more: 'nobody’s PIN or card · PIN',
    });
  });

  it('shows the name of an unknown event of a newer controller', () => {
    expect(happeningWords({ type: 'earthquake' } as never, names).title).toBe('earthquake');
  });
});
