import { describe, expect, it } from 'vitest';
import { checkHistory } from './check-history.ts';
import type { ApiEvent, Presentation, RoundHistory, ViolationKind } from './round-history-types.ts';

const [DOOR, OTHER_DOOR, ANN, BOB] = ['gad_1', 'gad_2', 'card_ann', 'card_bob'];

const use = (sequence: number): ApiEvent => ({
  id: `ev_${sequence}`,
  door: DOOR,
  isUse: true,
  createdAt: sequence * 1000,
  lost: null,
});
const present = (card: string, at: number, outcome: Presentation['outcome']): Presentation => ({
  door: DOOR,
  card,
  presentedAt: at,
  answeredAt: at,
  outcome,
  event:
    outcome === 'granted' ? { id: `ev_${at / 1000}`, sequence: at / 1000, occurredAt: at, isTimeTrusted: true } : null,
});

/** Ann may open the door until her card is deleted at 3500. Bob gets access at 4500. */
const valid: RoundHistory = {
  initial: [
    { kind: 'permissions', group: 'mg_1', doors: [DOOR] },
    { kind: 'member', member: 'mem_ann' },
    { kind: 'card', member: 'mem_ann', card: ANN },
    { kind: 'association', member: 'mem_ann', association: 'mga_1', group: 'mg_1' },
    { kind: 'member', member: 'mem_bob' },
    { kind: 'card', member: 'mem_bob', card: BOB },
  ],
  writes: [
    { issuedAt: 3500, change: { kind: 'card_deleted', member: 'mem_ann', card: ANN } },
    { issuedAt: 4500, change: { kind: 'association', member: 'mem_bob', association: 'mga_2', group: 'mg_1' } },
  ],
  presentations: [
    present(ANN, 1000, 'granted'),
    present(BOB, 2000, 'denied'),
    // The revocation may still be on its way.
    present(ANN, 4000, 'granted'),
    present(ANN, 5000, 'denied'),
    present(BOB, 6000, 'granted'),
    present(BOB, 7000, 'unknown'),
  ],
  damages: [],
  api: [use(1), use(4), use(6), use(7)],
  followers: { stream: ['ev_1', 'ev_4', 'ev_6', 'ev_7'], poller: ['ev_0', 'ev_1', 'ev_4', 'ev_6', 'ev_7'] },
  webhooks: { first: new Set(['ev_1', 'ev_4', 'ev_6', 'ev_7']) },
  lostWrites: [],
  doors: [{ door: DOOR, problem: null, isUnlocked: false }],
  crashes: [],
};

const withPresentation = (index: number, change: Partial<Presentation>): RoundHistory => ({
  ...valid,
  presentations: valid.presentations.map((one, at) => (at === index ? { ...one, ...change } : one)),
});
const withStream = (...stream: readonly string[]): RoundHistory => ({
  ...valid,
  followers: { ...valid.followers, stream },
});
const withoutEvents: RoundHistory = { ...valid, api: [], followers: {}, webhooks: {} };
const decisionsOnly = (...presentations: readonly Presentation[]): RoundHistory => ({
  ...withoutEvents,
  presentations: presentations.map(one => ({ ...one, event: null })),
});
const kinds = (history: RoundHistory): ViolationKind[] => checkHistory(history).map(({ kind }) => kind);
/** Without the events that a history of decisions lacks on purpose. */
const decisionKinds = (history: RoundHistory): ViolationKind[] =>
  kinds(history).filter(kind => kind !== 'grant_without_event');

const planted: Readonly<Record<string, readonly [ViolationKind, RoundHistory]>> = {
  'a use that the API does not have': [
    'event_lost',
    { ...withStream('ev_1', 'ev_6', 'ev_7'), api: [use(1), use(6), use(7)] },
  ],
  'a use that the API has twice': ['event_duplicated', { ...valid, api: [use(1), use(1), use(4), use(6), use(7)] }],
  'a use with another time in the API': [
    'event_time_changed',
    { ...valid, api: [{ ...use(1), createdAt: 1001 }, use(4), use(6), use(7)] },
  ],
  'a use that nobody presented': [
    'event_unexplained',
    {
      ...withStream('ev_1', 'ev_4', 'ev_6', 'ev_7', 'ev_8'),
      followers: {},
      api: [...valid.api, use(8)],
      webhooks: {},
    },
  ],
  'a grant without an event': [
    'grant_without_event',
    { ...withoutEvents, presentations: [{ ...valid.presentations[0]!, event: null }] },
  ],
  'a use that a webhook never received': [
    'webhook_missing',
    { ...valid, webhooks: { first: new Set(['ev_1', 'ev_4', 'ev_6']) } },
  ],
  'a stream with a gap': ['follower_gap', withStream('ev_1', 'ev_6', 'ev_7')],
  'a stream in another order': ['follower_order', withStream('ev_1', 'ev_6', 'ev_4', 'ev_7')],
  'a stream that repeats an event': ['follower_duplicate', withStream('ev_1', 'ev_4', 'ev_4', 'ev_6', 'ev_7')],
  'a poller with a gap': [
    'follower_gap',
    { ...valid, followers: { ...valid.followers, poller: ['ev_1', 'ev_4', 'ev_7'] } },
  ],
  'an acknowledged write that is gone': ['write_lost', { ...valid, lostWrites: ['mem_ann'] }],
  'a controller that does not converge': [
    'not_converged',
    { ...valid, doors: [{ door: DOOR, problem: 'offline', isUnlocked: false }] },
  ],
  'a door that stays unlocked': [
    'not_relocked',
    { ...valid, doors: [{ door: DOOR, problem: null, isUnlocked: true }] },
  ],
  'a part that ended by itself': ['part_ended', { ...valid, crashes: ['gateway ended with 1'] }],
  'a grant for a card without permission': ['forbidden_grant', decisionsOnly(present(BOB, 1000, 'granted'))],
  'a grant at another door': ['forbidden_grant', decisionsOnly({ ...present(ANN, 1000, 'granted'), door: OTHER_DOOR })],
  'a grant for an unknown card': ['forbidden_grant', decisionsOnly(present('card_unknown', 1000, 'granted'))],
  'a grant before its permission was written': ['forbidden_grant', decisionsOnly(present(BOB, 4000, 'granted'))],
  'a grant after the same controller denied the deleted card': [
    'forbidden_grant',
    decisionsOnly(present(ANN, 4000, 'denied'), present(ANN, 5000, 'granted')),
  ],
  'a grant by a controller that already knows a later change': [
    'forbidden_grant',
    decisionsOnly(present(BOB, 5000, 'granted'), present(ANN, 6000, 'granted')),
  ],
  'a denial of a permitted card': ['wrong_denial', decisionsOnly(present(ANN, 1000, 'denied'))],
};

describe('checker of the fault campaign', () => {
  it('accepts a valid history', () => {
    expect(checkHistory(valid)).toEqual([]);
  });

  it.each(Object.entries(planted))('names %s', (_, [kind, history]) => {
    expect([...new Set(decisionKinds(history)), ...new Set(kinds(history))]).toContain(kind);
    if (!kind.startsWith('grant')) expect(new Set(decisionKinds(history))).toEqual(new Set([kind]));
  });

  it('accepts a lost event only when it was damaged and is reported', () => {
    const report: ApiEvent = { ...use(9), id: 'ev_gap', isUse: false, lost: { first: 3, last: 5 } };
    const damages = [{ door: DOOR, at: 4200, data: 'events' as const }];
    const lost = { ...valid, api: [use(1), use(6), use(7), report], followers: {}, webhooks: {} };
    expect(kinds(lost)).toEqual(['event_lost']);
    expect(kinds({ ...lost, damages })).toEqual([]);
    const elsewhere = { ...report, lost: { first: 5, last: 5 } };
    expect(kinds({ ...lost, damages, api: [use(1), use(6), use(7), elsewhere] })).toEqual(['event_lost']);
  });

  it('accepts any denial, but no other grant, after damage to the access data', () => {
    const damages = [{ door: DOOR, at: 500, data: 'access' as const }];
    expect(decisionKinds({ ...decisionsOnly(present(ANN, 1000, 'denied')), damages })).toEqual([]);
    expect(decisionKinds({ ...decisionsOnly(present(BOB, 1000, 'granted')), damages })).toEqual(['forbidden_grant']);
  });

  it('accepts a corrected time only for an event whose time was not trusted', () => {
    const event = { id: 'ev_1', sequence: 1, occurredAt: 5, isTimeTrusted: false };
    expect(kinds(withPresentation(0, { event }))).toEqual([]);
    expect(kinds(withPresentation(0, { event: { ...event, isTimeTrusted: true } }))).toEqual(['event_time_changed']);
  });
});
