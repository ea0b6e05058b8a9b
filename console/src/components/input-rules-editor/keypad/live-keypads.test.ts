import { describe, expect, it } from 'vitest';
import { createIdleLiveKeypads, applyLiveMessageToKeypads } from './live-keypads.ts';

describe('applyLiveMessageToKeypads', () => {
  it('follows a keypad until it is idle, and ignores a reader without keys', () => {
    let keypads = createIdleLiveKeypads([
      { id: 'front', keypad: true },
      { id: 'back', keypad: false },
    ]);
    expect(keypads.map(({ station }) => station)).toEqual(['front']);
    const rule = { gadget_id: 'gad_1', action_id: 'open' } as never;
    keypads = applyLiveMessageToKeypads(keypads, { type: 'key', station: 'front', key: '•' });
    keypads = applyLiveMessageToKeypads(keypads, { type: 'key', station: 'front', key: '#' });
    keypads = applyLiveMessageToKeypads(keypads, { type: 'entry', station: 'front', phase: 'armed', rule });
    expect(keypads).toEqual([{ station: 'front', phase: 'armed', rule, typed: '•#' }]);
    keypads = applyLiveMessageToKeypads(keypads, { type: 'entry', station: 'front', phase: 'idle', rule: null });
    expect(keypads).toEqual([{ station: 'front', phase: 'idle', rule: null, typed: '' }]);
  });
});
