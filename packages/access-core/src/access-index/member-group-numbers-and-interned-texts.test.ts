import { describe, expect, it } from 'vitest';
import type { MemberGroupId } from '../ids.ts';
import * as given from '../permission/sample-hotel.test-support.ts';
import { InternedTexts } from './interned-texts.ts';
import { MemberGroupNumbers } from './member-group-numbers.ts';

const staff = 'mg_staff' as MemberGroupId;

describe('a group number', () => {
  it('stays in use until both the group and its last association are removed, in either order', () => {
    const groups = new MemberGroupNumbers();
    const number = groups.retain(given.SAMPLE_MEMBER_GROUP_ID);
    groups.put(given.createSampleMemberGroup([]));
    groups.release(number);
    expect([groups.id(number), groups.get(given.SAMPLE_MEMBER_GROUP_ID)?.id]).toEqual([
      given.SAMPLE_MEMBER_GROUP_ID,
      given.SAMPLE_MEMBER_GROUP_ID,
    ]);
    expect(groups.retain(given.SAMPLE_MEMBER_GROUP_ID)).toBe(number);
    groups.remove(given.SAMPLE_MEMBER_GROUP_ID);
    expect([groups.id(number), groups.living(number)]).toEqual([given.SAMPLE_MEMBER_GROUP_ID, undefined]);
  });

  it('is reused after both are removed, so that numbers stay small', () => {
    const groups = new MemberGroupNumbers();
    const number = groups.retain(given.SAMPLE_MEMBER_GROUP_ID);
    expect(groups.retain(given.SAMPLE_MEMBER_GROUP_ID)).toBe(number);
    groups.release(number);
    expect(groups.retain(staff)).not.toBe(number);
    groups.release(number);
    expect(groups.retain('mg_new' as MemberGroupId)).toBe(number);
    groups.put(given.createSampleMemberGroup([]));
    expect([groups.id(number), groups.living(number)]).toEqual(['mg_new', undefined]);
  });

  it('is freed when a group without associations is removed', () => {
    const groups = new MemberGroupNumbers();
    groups.put(given.createSampleMemberGroup([]));
    groups.remove(given.SAMPLE_MEMBER_GROUP_ID);
    expect([groups.get(given.SAMPLE_MEMBER_GROUP_ID), groups.retain(staff)]).toEqual([undefined, 0]);
  });

  it('is not lost when an unknown group is removed', () => {
    const groups = new MemberGroupNumbers();
    groups.remove(staff);
    expect(groups.get(staff)).toBeUndefined();
  });
});

describe('a text that cannot be packed', () => {
  it('has one number for all holders, freed with the last of them', () => {
    const texts = new InternedTexts();
    const number = texts.retain('odd');
    expect([texts.retain('odd'), texts.find('odd'), texts.text(number)]).toEqual([number, number, 'odd']);
    texts.release(number);
    expect(texts.find('odd')).toBe(number);
    expect(texts.retain('even')).not.toBe(number);
    texts.release(number);
    expect([texts.find('odd'), texts.text(number)]).toEqual([undefined, '']);
    expect(texts.retain('new')).toBe(number);
  });
});
