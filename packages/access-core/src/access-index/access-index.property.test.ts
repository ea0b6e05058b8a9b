import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideByReference, type AccessData } from '../permission/reference-decide.test-support.ts';
import * as random from '../permission/random-access-data.test-support.ts';
import { type AccessIndexChange, AccessIndex } from './access-index.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

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

const changes = fc.oneof(
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
const changed = (world: AccessData, change: AccessIndexChange): AccessData => {
  const key = keys[change.type];
  const gone = 'put' in change ? change.put.id : change.remove;
  const others = (world[key] as readonly { id: string }[]).filter(({ id }) => id !== gone);
  return { ...world, [key]: 'put' in change ? [...others, change.put] : others };
};

const answers = (index: AccessIndex) => ({
  members: random.sampleMemberIds.map(id => index.member(id)),
  count: index.memberCount,
  pins: random.sampleCredentialDigests.map(digest => index.findPin(digest)),
  cards: random.sampleCredentialDigests.map(digest => index.findCard(digest)),
  tokens: random.sampleCredentialDigests.map(digest => index.findToken(digest)),
  magicLinks: random.sampleCredentialDigests.map(digest => index.findMagicLink(digest)),
  known: random.sampleCredentialDigests.map(digest => index.isPinKnown(digest)),
  extended: random.sampleCredentialDigests.map(digest => index.isPinExtended(digest)),
});

describe('AccessIndex on random data', () => {
  it('decides like the reference implementation', () => {
    fc.assert(
      fc.property(
        random.arbitraryAccessData,
        fc.array(random.arbitraryAccessRequest, { minLength: 1, maxLength: 12 }),
        random.arbitraryUntrustedTimePolicy,
        (world, all, policy) => {
          const index = new AccessIndex(world);
          for (const request of all)
            expect(index.decide(request, policy)).toEqual(decideByReference(world, request, policy));
        },
      ),
      { numRuns: iterations({ sample: 100, all: 500 }) },
    );
  });

  it('is the same after incremental changes as an index built from the final data', () => {
    fc.assert(
      fc.property(
        random.arbitraryAccessData,
        fc.array(changes, { maxLength: 25 }),
        fc.array(random.arbitraryAccessRequest, { maxLength: 8 }),
        (start, all, requests) => {
          const index = new AccessIndex(start);
          let world: AccessData = start;
          for (const change of all) {
            index.apply(change);
            world = changed(world, change);
            for (const request of requests.slice(0, 2))
              expect(index.decide(request)).toEqual(decideByReference(world, request));
          }
          expect(answers(index)).toEqual(answers(new AccessIndex(world)));
          for (const request of requests) expect(index.decide(request)).toEqual(decideByReference(world, request));
        },
      ),
      { numRuns: iterations({ sample: 80, all: 400 }) },
    );
  });

  it('returns members unchanged', () => {
    fc.assert(
      fc.property(random.arbitraryAccessData, world => {
        const index = new AccessIndex(world);
        for (const member of world.members) expect(index.member(member.id)).toEqual(member);
      }),
    );
  });
});
