import { describe, expect, test } from 'vitest';
import type { MemberGroupId } from '../ids.ts';
import * as given from '../permission/hotel.test-arrangement.ts';
import { ForeignTexts } from './foreign-texts.ts';
import { GroupDirectory } from './group-directory.ts';

const staff = 'mg_staff' as MemberGroupId;

describe('the number of a group', () => {
  test('stays while an association or the group itself is left, in either order', () => {
    const groups = new GroupDirectory();
    const number = groups.hold(given.groupId);
    groups.put(given.group([]));
    groups.release(number);
    expect([groups.id(number), groups.get(given.groupId)?.id]).toEqual([given.groupId, given.groupId]);
    expect(groups.hold(given.groupId)).toBe(number);
    groups.remove(given.groupId);
    expect([groups.id(number), groups.living(number)]).toEqual([given.groupId, undefined]);
  });

  test('is given to another group once neither is left, so that the numbers stay small', () => {
    const groups = new GroupDirectory();
    const number = groups.hold(given.groupId);
    expect(groups.hold(given.groupId)).toBe(number);
    groups.release(number);
    expect(groups.hold(staff)).not.toBe(number);
    groups.release(number);
    expect(groups.hold('mg_new' as MemberGroupId)).toBe(number);
    groups.put(given.group([]));
    expect([groups.id(number), groups.living(number)]).toEqual(['mg_new', undefined]);
  });

  test('is free when a group goes that nobody was in', () => {
    const groups = new GroupDirectory();
    groups.put(given.group([]));
    groups.remove(given.groupId);
    expect([groups.get(given.groupId), groups.hold(staff)]).toEqual([undefined, 0]);
  });

  test('is not lost when a group is removed that was never there', () => {
    const groups = new GroupDirectory();
    groups.remove(staff);
    expect(groups.get(staff)).toBeUndefined();
  });
});

describe('a text that does not pack', () => {
  test('has one number for all its holders, which is free when the last lets go', () => {
    const texts = new ForeignTexts();
    const number = texts.hold('odd');
    expect([texts.hold('odd'), texts.find('odd'), texts.text(number)]).toEqual([number, number, 'odd']);
    texts.release(number);
    expect(texts.find('odd')).toBe(number);
    expect(texts.hold('even')).not.toBe(number);
    texts.release(number);
    expect([texts.find('odd'), texts.text(number)]).toEqual([undefined, '']);
    expect(texts.hold('new')).toBe(number);
  });
});
