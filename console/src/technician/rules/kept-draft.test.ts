import { describe, expect, it } from 'vitest';
import { keepDraft, type KeptDraft, readDraft } from './kept-draft.ts';

const shelf = () => {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
};

const draft = {
  base: 'abc',
  before: [],
  rules: [{ key: 1, code: '1', gadget_id: 'gad_1', action_id: 'open' }],
} satisfies KeptDraft;

describe('stored draft', () => {
  it('belongs to one controller and is deleted when it is applied', () => {
    const place = shelf();
    keepDraft(() => place, 'dev_1', draft);
    expect(readDraft(() => place, 'dev_1')).toEqual(draft);
    expect(readDraft(() => place, 'dev_2')).toBeNull();
    keepDraft(() => place, 'dev_1', null);
    expect(readDraft(() => place, 'dev_1')).toBeNull();
  });

  it('ignores stored data that is not a draft', () => {
    const place = shelf();
    for (const odd of ['', '{', '7', '{"base":1}', '{"base":"a","before":[],"rules":[{"code":1}]}']) {
      place.kept.set('lintel-rules:dev_1', odd);
      expect(readDraft(() => place, 'dev_1')).toBeNull();
    }
  });

  it('tolerates a storage that is full or forbidden', () => {
    const forbidden = () => {
      throw new Error('QuotaExceededError');
    };
    const place = { getItem: forbidden, setItem: forbidden, removeItem: forbidden };
    expect(() => keepDraft(() => place, 'dev_1', draft)).not.toThrow();
    expect(readDraft(() => place, 'dev_1')).toBeNull();
    expect(readDraft(forbidden, 'dev_1')).toBeNull();
    expect(() => keepDraft(forbidden, 'dev_1', draft)).not.toThrow();
  });
});
