import { AccessIndex } from '@lintel/access-core/access-index/access-index';
import type { Member } from '@lintel/access-core/access-data-types';
import { decideByReference } from '@lintel/access-core/testing';
import { type Benchmark, type Measurement, scaled } from './harness/benchmark-types-and-statistics.ts';
import { casbinEngine } from './decide-fixture/casbin-engine.ts';
import { caslEngine } from './decide-fixture/casl-engine.ts';
import { cedarEngine } from './decide-fixture/cedar-engine.ts';
import {
  type GeneratedHotel,
  makeHotel,
  makeMembers,
  makeRequests,
  type MemberWithGroups,
} from './decide-fixture/generate-hotel-members-and-requests.ts';
import { batchTimes, percentile } from './decide-fixture/batch-times.ts';
import { bytesPerMember } from './decide-fixture/bytes-per-member.ts';
import {
  type AccessEngine,
  type DecisionRequest,
  toDecisionRequests,
} from './decide-fixture/access-engine-interface-and-input-conversion.ts';

const REQUESTS = scaled(200_000, 20_000);
const MILLION = scaled(1_000_000, 10_000);

interface LintelEngine {
  readonly engine: AccessEngine;
  readonly requests: readonly DecisionRequest[];
}

/** Yields all members and collects every `stride`-th of them. */
function* collectEvery(members: Iterable<Member>, stride: number, collected: MemberWithGroups[]): Generator<Member> {
  let number = 0;
  for (const member of members) {
    const groups = member.group_associations.map(({ member_group_id }) => member_group_id);
    if (number++ % stride === 0) collected.push({ id: member.id, groups });
    yield member;
  }
}

const buildLintelEngine = (hotel: GeneratedHotel, count: number): LintelEngine => {
  const requesters: MemberWithGroups[] = [];
  const members = collectEvery(makeMembers(hotel, count), Math.ceil(count / REQUESTS), requesters);
  const index = new AccessIndex({ ...hotel, members });
  const requests = toDecisionRequests(hotel, makeRequests(hotel, requesters, REQUESTS));
  return { engine: request => index.decide(request).outcome === 'grant', requests };
};

const BATCH = 1000;
const TURNS = scaled(10, 1);

/** Decisions per second in the median batch, which other load on the machine affects least. */
const perSecond = (times: readonly number[], size: number): number => (size * 1000) / percentile(times, 0.5);

const rate = ({ engine, requests }: LintelEngine): number => {
  batchTimes(engine, requests, { batches: scaled(100, 10), size: BATCH });
  return perSecond(batchTimes(engine, requests, { batches: scaled(400, 40), size: BATCH, from: 100 * BATCH }), BATCH);
};

/** How many times faster Lintel is than the other engine. Measured alternately, so that other load affects both. */
const timesAsFast = ({ engine, requests }: LintelEngine, theirs: AccessEngine, size: number): number => {
  const times = { ours: [] as number[], theirs: [] as number[] };
  batchTimes(theirs, requests, { batches: 5, size });
  for (let turn = 0; turn < TURNS; turn++) {
    times.ours.push(...batchTimes(engine, requests, { batches: 40, size: BATCH, from: turn * 40 * BATCH }));
    times.theirs.push(...batchTimes(theirs, requests, { batches: 3, size, from: turn * 3 * size }));
  }
  return perSecond(times.ours, BATCH) / perSecond(times.theirs, size);
};

const countMismatches = (engine: AccessEngine, expected: readonly (readonly [DecisionRequest, boolean])[]): number =>
  expected.filter(([request, granted]) => engine(request) !== granted).length;

const expectedDecisions = (hotel: GeneratedHotel, members: readonly Member[], requests: readonly DecisionRequest[]) => {
  const byId = new Map(members.map(member => [member.id, member]));
  return requests.map(request => {
    const world = { ...hotel, members: [byId.get(request.member_id)!] };
    return [request, decideByReference(world, request).outcome === 'grant'] as const;
  });
};

const p99Ratio = (large: LintelEngine, small: LintelEngine): number => {
  const times = { large: [] as number[], small: [] as number[] };
  for (let turn = 0; turn < TURNS; turn++) {
    const part = { batches: scaled(150, 30), size: BATCH, from: turn * 150 * BATCH };
    times.small.push(...batchTimes(small.engine, small.requests, part));
    times.large.push(...batchTimes(large.engine, large.requests, part));
  }
  return percentile(times.large, 0.99) / percentile(times.small, 0.99);
};

const run = async (): Promise<Measurement> => {
  const hotel = makeHotel();
  const members = [...makeMembers(hotel, 10_000)];
  const world = { hotel, members };
  const small = buildLintelEngine(hotel, 10_000);
  const { engine, requests } = small;

  const casbin = await casbinEngine(world);
  const cedar = cedarEngine(world);
  const casl = caslEngine(world);
  const expected = expectedDecisions(hotel, members, requests.slice(0, scaled(2000, 200)));
  const mismatches =
    countMismatches(engine, expected) +
    countMismatches(casl, expected) +
    countMismatches(cedar, expected.slice(0, scaled(500, 100))) +
    countMismatches(casbin, expected.slice(0, scaled(500, 100)));

  const per_second_10k = rate(small);
  const ratios = {
    casbin: timesAsFast(small, casbin, 50),
    cedar: timesAsFast(small, cedar, 50),
    casl: timesAsFast(small, casl, BATCH),
  };

  const per_second_100k = rate(buildLintelEngine(hotel, scaled(100_000, 10_000)));
  const large = buildLintelEngine(hotel, MILLION);
  const per_second_1m = rate(large);
  const p99_1m_vs_10k = p99Ratio(large, small);
  const bytes_per_member = await bytesPerMember(MILLION);
  return {
    figures: { per_second_10k, per_second_100k, per_second_1m, bytes_per_member, mismatches },
    ratios: { ...ratios, p99_1m_vs_10k },
  };
};

export default { name: 'decide', smallerIsBetter: ['p99_1m_vs_10k'], run } satisfies Benchmark;
