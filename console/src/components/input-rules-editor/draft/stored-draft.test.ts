import { describe, expect, it } from 'vitest';
import { storeInputRulesDraft, type StoredInputRulesDraft, readStoredInputRulesDraft } from './stored-draft.ts';

const createStorage = () => {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
};

const draft = {
  base: 'abc',
  before: [],
  rules: [{ key: 1, code: '1', gadget_id: 'gad_1', action_id: 'open' }],
} satisfies StoredInputRulesDraft;

describe('stored draft', () => {
  it('belongs to one controller and is deleted when it is applied', () => {
    const storage = createStorage();
    storeInputRulesDraft(() => storage, 'dev_1', draft);
    expect(readStoredInputRulesDraft(() => storage, 'dev_1')).toEqual(draft);
    expect(readStoredInputRulesDraft(() => storage, 'dev_2')).toBeNull();
    storeInputRulesDraft(() => storage, 'dev_1', null);
    expect(readStoredInputRulesDraft(() => storage, 'dev_1')).toBeNull();
  });

  it('ignores stored data that is not a draft', () => {
    const storage = createStorage();
    for (const odd of ['', '{', '7', '{"base":1}', '{"base":"a","before":[],"rules":[{"code":1}]}']) {
      storage.items.set('lintel-rules:dev_1', odd);
      expect(readStoredInputRulesDraft(() => storage, 'dev_1')).toBeNull();
    }
  });

  it('tolerates a storage that is full or forbidden', () => {
    const forbidden = () => {
      throw new Error('QuotaExceededError');
    };
    const storage = { getItem: forbidden, setItem: forbidden, removeItem: forbidden };
    expect(() => storeInputRulesDraft(() => storage, 'dev_1', draft)).not.toThrow();
    expect(readStoredInputRulesDraft(() => storage, 'dev_1')).toBeNull();
    expect(readStoredInputRulesDraft(forbidden, 'dev_1')).toBeNull();
    expect(() => storeInputRulesDraft(forbidden, 'dev_1', draft)).not.toThrow();
  });
});
