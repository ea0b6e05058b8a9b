import { readFileSync } from 'node:fs';
import { technicianLiveMessageSchema } from '@lintel/wire-protocol/technician/live-message';
import { describe, expect, it } from 'vitest';
import { createGadgetAndActionNames } from '../../components/input-rules-editor/gadget-and-action-names.ts';
import { describeLiveMessage } from './describe-live-message.ts';

const names = createGadgetAndActionNames([
  { gadget_id: 'gad_01jx5m8z6q0000000000000001', name: 'Front door', actions: [{ id: 'open', name: 'Open' }] },
]);

const golden = new URL('../../../../packages/wire-protocol/golden/technician/live.json', import.meta.url);
const events = (JSON.parse(readFileSync(golden, 'utf8')) as unknown[]).map(event =>
  technicianLiveMessageSchema.parse(event),
);

describe('describeLiveMessage', () => {
  it('describes every live event of a controller', () => {
    const titles = events.map(event => describeLiveMessage(event as never, names).title);
    expect(titles).toContain('Key • at front');
    expect(titles).toContain('front: Front door, Open selected, waiting for a PIN or card');
    expect(titles).toContain('Denied: Front door, Open');
    expect(titles.filter(title => /undefined|null|^[a-z]+$/.test(title))).toEqual([]);
  });

  it('describes why access was denied', () => {
    const denied = events.find(({ type }) => type === 'event');
    expect(describeLiveMessage(denied as never, names)).toMatchObject({
      group: 'decisions',
      level: 'error',
      details: 'Unknown PIN or card · PIN',
    });
  });

  it('shows the type of an unknown event of a newer controller', () => {
    expect(describeLiveMessage({ type: 'earthquake' } as never, names).title).toBe('earthquake');
  });
});
