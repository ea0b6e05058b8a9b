import { AccessIndex } from '@lintel/access-core/access-index/access-index';
import type { Member } from '@lintel/access-core/access-model';
import { referenceDecide } from '../../packages/access-core/src/permission/reference-decide.test-support.ts';
import type { Benchmark, Measurement } from './benchmark.ts';
import { casbinEngine } from './decide-fixture/casbin-engine.ts';
import { caslEngine } from './decide-fixture/casl-engine.ts';
import { cedarEngine } from './decide-fixture/cedar-engine.ts';
import { type Hotel, makeHotel, makeMembers, makeRequests, type Visitor } from './decide-fixture/hotel.ts';
import { batchTimes, percentile } from './decide-fixture/batch-times.ts';
import { bytesPerMember } from './decide-fixture/bytes-per-member.ts';
import { type Engine, type Question, questionsFrom } from './decide-fixture/question.ts';

const QUESTIONS = 200_000;
const MILLION = 1_000_000;

interface Ours {
  readonly engine: Engine;
  readonly questions: readonly Question[];
}

/** Passes members on and notes some of them: at most as many as there are questions, spread over all. */
function* noting(members: Iterable<Member>, stride: number, noted: Visitor[]): Generator<Member> {
  let number = 0;
  for (const member of members) {
    const groups = member.group_associations.map(({ member_group_id }) => member_group_id);
    if (number++ % stride === 0) noted.push({ id: member.id, groups });
    yield member;
  }
}

const buildOurs = (hotel: Hotel, count: number): Ours => {
  const visitors: Visitor[] = [];
  const members = noting(makeMembers(hotel, count), Math.ceil(count / QUESTIONS), visitors);
  const index = new AccessIndex({ ...hotel, members });
  const questions = questionsFrom(hotel, makeRequests(hotel, visitors, QUESTIONS));
  return { engine: question => index.decide(question).outcome === 'grant', questions };
};

const BATCH = 1000;
const TURNS = 10;

/** Decisions a second in the middle batch, so that what else the machine does counts for nobody. */
const perSecond = (times: readonly number[], size: number): number => (size * 1000) / percentile(times, 0.5);

const rate = ({ engine, questions }: Ours): number => {
  batchTimes(engine, questions, { batches: 100, size: BATCH });
  return perSecond(batchTimes(engine, questions, { batches: 400, size: BATCH, from: 100 * BATCH }), BATCH);
};

/** How many times as fast as theirs. In turns, so that a busy minute of the machine falls upon both. */
const timesAsFast = ({ engine, questions }: Ours, theirs: Engine, size: number): number => {
  const times = { ours: [] as number[], theirs: [] as number[] };
  batchTimes(theirs, questions, { batches: 5, size });
  for (let turn = 0; turn < TURNS; turn++) {
    times.ours.push(...batchTimes(engine, questions, { batches: 40, size: BATCH, from: turn * 40 * BATCH }));
    times.theirs.push(...batchTimes(theirs, questions, { batches: 3, size, from: turn * 3 * size }));
  }
  return perSecond(times.ours, BATCH) / perSecond(times.theirs, size);
};

const countMismatches = (engine: Engine, expected: readonly (readonly [Question, boolean])[]): number =>
  expected.filter(([question, granted]) => engine(question) !== granted).length;

const expectedAnswers = (hotel: Hotel, members: readonly Member[], questions: readonly Question[]) => {
  const byId = new Map(members.map(member => [member.id, member]));
  return questions.map(question => {
    const world = { ...hotel, members: [byId.get(question.member_id)!] };
    return [question, referenceDecide(world, question).outcome === 'grant'] as const;
  });
};

const p99Ratio = (large: Ours, small: Ours): number => {
  const times = { large: [] as number[], small: [] as number[] };
  for (let turn = 0; turn < TURNS; turn++) {
    const part = { batches: 150, size: BATCH, from: turn * 150 * BATCH };
    times.small.push(...batchTimes(small.engine, small.questions, part));
    times.large.push(...batchTimes(large.engine, large.questions, part));
  }
  return percentile(times.large, 0.99) / percentile(times.small, 0.99);
};

const run = async (): Promise<Measurement> => {
  const hotel = makeHotel();
  const members = [...makeMembers(hotel, 10_000)];
  const world = { hotel, members };
  const small = buildOurs(hotel, 10_000);
  const { engine, questions } = small;

  const casbin = await casbinEngine(world);
  const cedar = cedarEngine(world);
  const casl = caslEngine(world);
  const expected = expectedAnswers(hotel, members, questions.slice(0, 2000));
  const mismatches =
    countMismatches(engine, expected) +
    countMismatches(casl, expected) +
    countMismatches(cedar, expected.slice(0, 500)) +
    countMismatches(casbin, expected.slice(0, 500));

  const per_second_10k = rate(small);
  const ratios = {
    casbin: timesAsFast(small, casbin, 50),
    cedar: timesAsFast(small, cedar, 50),
    casl: timesAsFast(small, casl, BATCH),
  };

  const per_second_100k = rate(buildOurs(hotel, 100_000));
  const large = buildOurs(hotel, MILLION);
  const per_second_1m = rate(large);
  const p99_1m_vs_10k = p99Ratio(large, small);
  const bytes_per_member = await bytesPerMember(MILLION);
  return {
    figures: { per_second_10k, per_second_100k, per_second_1m, bytes_per_member, mismatches },
    ratios: { ...ratios, p99_1m_vs_10k },
  };
};

export default { name: 'decide', run } satisfies Benchmark;
