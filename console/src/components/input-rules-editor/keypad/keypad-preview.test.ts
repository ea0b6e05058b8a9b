import type { KeypadKey } from '@lintel/access-core/key-entry-types';
import { describe, expect, it } from 'vitest';
import {
  presentPreviewCard,
  pressPreviewKey,
  expirePreviewEntry,
  idleKeypadPreview,
  computePreviewEntryDeadline,
  compileInputRulesForPreview,
  listMatchingInputRuleCodes,
} from './keypad-preview.ts';
import type { DraftInputRule } from '../draft-input-rule.ts';
import { createIdleLiveKeypads, applyLiveMessageToKeypads } from './live-keypads.ts';

const compiled = (...codes: readonly string[]) =>
  compileInputRulesForPreview(
    codes.map((code, index): DraftInputRule => ({ key: index, code, gadget_id: `gad_${index}`, action_id: 'open' })),
    new Map(),
  );

const typed = (rules: ReturnType<typeof compiled>, keys: string) =>
  Array.from(keys).reduce(
    (preview, key, index) => pressPreviewKey(rules, preview, key as KeypadKey, index),
    idleKeypadPreview,
  );

describe('keypad preview', () => {
  it('narrows the rules with each key and names the selected one', () => {
    const rules = compiled('11', '12', '2');
    expect(listMatchingInputRuleCodes(rules, idleKeypadPreview)).toEqual([]);
    expect(listMatchingInputRuleCodes(rules, typed(rules, '1'))).toEqual(['11', '12']);
    expect(listMatchingInputRuleCodes(rules, typed(rules, '12'))).toEqual(['12']);
    expect(listMatchingInputRuleCodes(rules, typed(rules, '1234'))).toEqual(['12']);
  });

  it('shows the result of an entry', () => {
    const rules = compiled('1', '2');
    expect(typed(rules, '9').outcome).toBe('dropped');
    expect(typed(rules, '1*').outcome).toBe('cleared');
    expect(typed(rules, '12580#')).toMatchObject({ outcome: 'pin', presentedCode: '1' });
    expect(presentPreviewCard(rules, typed(rules, '2'), 5)).toMatchObject({ outcome: 'card', presentedCode: '2' });
    expect(presentPreviewCard(rules, idleKeypadPreview, 5).outcome).toBe('card_without_rule');
    expect(presentPreviewCard(compiled(), idleKeypadPreview, 5)).toMatchObject({
      outcome: 'card',
      presentedCode: null,
    });
  });

  it('discards an entry after ten seconds, as the keypad does', () => {
    const rules = compiled('11');
    const preview = typed(rules, '1');
    expect(computePreviewEntryDeadline(preview)).toBe(10_000);
    expect(expirePreviewEntry(rules, preview, 9_999).outcome).toBeNull();
    expect(expirePreviewEntry(rules, preview, 10_000)).toMatchObject({
      outcome: 'forgotten',
      state: { entry: { phase: 'idle' } },
    });
  });

  it('never locks out, after any number of wrong entries', () => {
    const rules = compiled('');
    let preview = idleKeypadPreview;
    for (const key of '9999*'.repeat(20)) preview = pressPreviewKey(rules, preview, key as KeypadKey, 1);
    expect(preview.outcome).toBe('cleared');
  });

  it('ignores invalid rules', () => {
    const rule: DraftInputRule = { key: 1, code: '1', gadget_id: 'gad_1', action_id: 'open' };
    expect(compileInputRulesForPreview([rule, { ...rule, code: '12' }], new Map([[1, []]])).rules).toHaveLength(1);
  });
});

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
