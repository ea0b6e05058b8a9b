import { describe, expect, it } from 'vitest';
import { idleKeypads, updateKeypads } from './live-keypads.ts';

describe('updateKeypads', () => {
  it('follows a keypad until it is idle, and ignores a reader without keys', () => {
    let keypads = idleKeypads([
      { id: 'front', keypad: true },
      { id: 'back', keypad: false },
    ]);
    expect(keypads.map(({ station }) => station)).toEqual(['front']);
    const rule = { gadget_id: 'gad_1', action_id: 'open' } as never;
    keypads = updateKeypads(keypads, { type: 'key', station: 'front', key: '•' });
    keypads = updateKeypads(keypads, { type: 'key', station: 'front', key: '#' });
    keypads = updateKeypads(keypads, { type: 'entry', station: 'front', phase: 'armed', rule });
    expect(keypads).toEqual([{ station: 'front', phase: 'armed', rule, typed: '•#' }]);
    keypads = updateKeypads(keypads, { type: 'entry', station: 'front', phase: 'idle', rule: null });
    expect(keypads).toEqual([{ station: 'front', phase: 'idle', rule: null, typed: '' }]);
  });
});
