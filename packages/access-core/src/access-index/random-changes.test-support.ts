import * as fc from 'fast-check';
import type { AccessData } from '../permission/reference-decide.test-support.ts';
import * as random from '../permission/random-access-data.test-support.ts';
import type { AccessIndex, AccessIndexChange } from './access-index.ts';

const changeOf = <Id, T>(
  type: string,
  ids: readonly Id[],
  make: (id: Id) => fc.Arbitrary<T>,
): fc.Arbitrary<AccessIndexChange> =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .constantFrom(...ids)
        .chain(make)
        .map(put => ({ type, put })),
    },
    fc.constantFrom(...ids).map(remove => ({ type, remove })),
  ) as fc.Arbitrary<AccessIndexChange>;

export const arbitraryChange = fc.oneof(
  changeOf('site', random.sampleSiteIds, random.arbitrarySite),
  changeOf('gadget', random.sampleGadgetIds, random.arbitraryGadget),
  changeOf('schedule', random.sampleScheduleIds, random.arbitrarySchedule),
  changeOf('member_group', random.sampleMemberGroupIds, random.arbitraryMemberGroup),
  { weight: 4, arbitrary: changeOf('member', random.sampleMemberIds, random.arbitraryMember) },
);

const keys = {
  site: 'sites',
  gadget: 'gadgets',
  schedule: 'schedules',
  member_group: 'member_groups',
  member: 'members',
} as const;

/** Applies the same change to plain lists. */
export const applyChange = (world: AccessData, change: AccessIndexChange): AccessData => {
  const key = keys[change.type];
  const gone = 'put' in change ? change.put.id : change.remove;
  const others = (world[key] as readonly { id: string }[]).filter(({ id }) => id !== gone);
  return { ...world, [key]: 'put' in change ? [...others, change.put] : others };
};

export const readAnswers = (index: AccessIndex) => ({
  members: random.sampleMemberIds.map(id => index.member(id)),
  count: index.memberCount,
  pins: random.sampleCredentialDigests.map(digest => index.findPin(digest)),
  cards: random.sampleCredentialDigests.map(digest => index.findCard(digest)),
  tokens: random.sampleCredentialDigests.map(digest => index.findToken(digest)),
  magicLinks: random.sampleCredentialDigests.map(digest => index.findMagicLink(digest)),
  known: random.sampleCredentialDigests.map(digest => index.isPinKnown(digest)),
  extended: random.sampleCredentialDigests.map(digest => index.isPinExtended(digest)),
});
