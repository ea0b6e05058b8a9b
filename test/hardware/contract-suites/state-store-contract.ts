import type { KeyValueStore } from '@lintel/service/data-folder/key-value-store-interface';
import { describe, expect, it } from 'vitest';

export const stateStoreContract = (
  name: string,
  open: () => { readonly store: KeyValueStore<string>; readonly reopen: () => KeyValueStore<string> },
): void => {
  describe(`${name} as a state store`, () => {
    it('is empty at first and then returns what was written last', () => {
      const { store, reopen } = open();
      expect(store.read('lockouts')).toBeUndefined();
      store.write('lockouts', { a: 1 });
      store.write('lockouts', { a: [null, 'text', 2.5] });
      store.write('time_floor', 7);
      expect(store.read('lockouts')).toEqual({ a: [null, 'text', 2.5] });
      expect(reopen().read('time_floor')).toBe(7);
    });

    it('returns copies, so that changes to them are not stored', () => {
      const { store } = open();
      const value = { list: [1] };
      store.write('door_modes', value);
      value.list.push(2);
      (store.read('door_modes') as typeof value).list.push(3);
      expect(store.read('door_modes')).toEqual({ list: [1] });
    });
  });
};
