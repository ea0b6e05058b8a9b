import type { TechnicianClaimState } from '@lintel/wire-protocol/technician/claim';
import type { TechnicianHealth } from '@lintel/wire-protocol/technician/health';
import type { TechnicianStatus } from '@lintel/wire-protocol/technician/status';
import { Icon } from '../../design/icon.tsx';
import * as shapes from '../../design/shapes.ts';
import { isBare } from '../claim/bare-board.ts';
import { type Fact, Facts } from '../frame/facts.tsx';
import { useWhatIsKnown } from '../frame/known.ts';
import { addressOf, type Screen } from '../frame/screens.ts';
import { StateMark } from '../frame/state-mark.tsx';
import { useReading, visit } from '../link/use-visit.ts';
import { judgedCount, testableParts } from '../tests/testable-parts.ts';
import { ageWords, momentWords } from '../words/times.ts';
import * as frameWords from '../words/english/frame-words.ts';
import * as overviewWords from '../words/english/overview-words.ts';
import * as reportWords from '../words/english/report-words.ts';
import { HealthList, moodOf } from '../health/health-list.tsx';

const HEALTH_MS = 8_000;

const Glance = ({ health }: { readonly health: TechnicianHealth | null }) => {
  const count = (state: string): number => health?.checks.filter(check => check.state === state).length ?? 0;
  const title =
    health === null
      ? overviewWords.unchecked
      : count('fail') > 0
        ? overviewWords.broken(count('fail'))
        : count('warn') > 0
          ? overviewWords.look(count('warn'))
          : overviewWords.allWell;
  const mood = health === null ? 'quiet' : count('fail') > 0 ? 'wrong' : count('warn') > 0 ? 'look' : moodOf('ok');
  return (
    <section class="card panel glance" data-mood={mood} aria-labelledby="glance">
      <div class="glance-title">
        <StateMark mood={mood} />
        <h1 id="glance">{title}</h1>
      </div>
      {health === null ? null : <HealthList checks={health.checks} />}
    </section>
  );
};

interface Step {
  readonly screen: Screen;
  readonly title: string;
  readonly isDone: boolean;
}

const useSteps = (status: TechnicianStatus, claim: TechnicianClaimState | null): readonly Step[] => {
  const { rules, tests } = useWhatIsKnown();
  const parts = testableParts(status);
  const isProven = tests.value?.data.some(({ id, result }) => id.startsWith('rule:') && result === 'passed') === true;
  const done = judgedCount(parts, tests.value?.data ?? []);
  const count = rules.value?.input_rules.length ?? 0;
  const steps = overviewWords.steps;
  const isWaiting = claim?.state === 'waiting';
  return [
    ...(visit.place.isRemote
      ? []
      : [
          {
            screen: 'claim' as const,
            title: isBare(status.product_id) ? steps.profile : isWaiting ? steps.claimWaiting : steps.claim,
            isDone: status.claimed,
          },
        ]),
    { screen: 'rules', title: count > 0 ? steps.rulesDone(count) : steps.rules, isDone: count > 0 },
    ...(visit.place.isRemote ? [] : [{ screen: 'trying' as const, title: steps.trying, isDone: isProven }]),
    {
      screen: 'tests',
      title: done === 0 ? steps.tests : steps.testsDone(done, parts.length),
      isDone: parts.length > 0 && done === parts.length,
    },
    { screen: 'report', title: steps.report, isDone: false },
  ];
};

const Steps = ({ steps }: { readonly steps: readonly Step[] }) => (
  <section class="card panel" aria-labelledby="steps">
    <h2 id="steps">{overviewWords.next}</h2>
    <ol class="steps">
      {steps.map(({ screen, title, isDone }) => (
        <li key={screen}>
          <a href={addressOf(screen)} data-is-done={isDone ? '' : undefined}>
            <StateMark mood={isDone ? 'good' : 'quiet'} />
            <span>{title}</span>
            <Icon shape={shapes.next} />
          </a>
        </li>
      ))}
    </ol>
  </section>
);

const lineWords = ({ connected, online }: TechnicianStatus['upstream']): string => {
  if (online) return overviewWords.online;
  return connected ? overviewWords.gatewayOnly : overviewWords.offline;
};

const Details = ({ status }: { readonly status: TechnicianStatus }) => {
  const { slice, clock } = status;
  const facts: readonly Fact[] = [
    ...(status.site_name === null ? [] : [[overviewWords.site, status.site_name] as const]),
    [overviewWords.bridge, lineWords(status.upstream)],
    [
      overviewWords.data,
      slice === null || slice.age_ms === null ? overviewWords.noData : overviewWords.dataAge(ageWords(slice.age_ms)),
    ],
    [overviewWords.events, String(status.waiting_events)],
    [
      overviewWords.time,
      `${momentWords(clock.time)}, ${clock.trusted ? overviewWords.trusted(clock.source) : overviewWords.untrusted}`,
    ],
    [reportWords.address, `${status.name}.local`],
    [overviewWords.firmware, `${status.product_id}, ${status.firmware}`],
    [overviewWords.uptime, ageWords(status.uptime_ms)],
    [overviewWords.keys, overviewWords.keptIn[status.digest_key_kept_in]],
  ];
  return (
    <section class="card panel" aria-labelledby="facts">
      <h2 id="facts">{overviewWords.facts}</h2>
      <Facts facts={facts} />
      <p>
        <a class="button" href={`${visit.place.base}/support_bundle`} download>
          <Icon shape={shapes.down} />
          {overviewWords.bundle}
        </a>
      </p>
      <p class="quiet small">{overviewWords.bundleHint}</p>
    </section>
  );
};

const Gadgets = ({ gadgets }: Pick<TechnicianStatus, 'gadgets'>) => (
  <section class="card panel" aria-labelledby="gadgets">
    <h2 id="gadgets">{overviewWords.gadgets}</h2>
    {gadgets.length === 0 ? <p class="quiet">{overviewWords.noGadgets}</p> : null}
    <ul class="gadgets">
      {gadgets.map(({ gadget_id, name, state_id }) => (
        <li key={gadget_id}>
          <Icon shape={shapes.door} />
          <strong>{name}</strong>
          <span class="quiet">{state_id ?? ''}</span>
        </li>
      ))}
    </ul>
  </section>
);

export const Overview = () => {
  const { status } = useWhatIsKnown();
  const health = useReading<TechnicianHealth>('/health', HEALTH_MS);
  const isAtDoor = !visit.place.isRemote && status.value?.claimed === false;
  const claim = useReading<TechnicianClaimState>(isAtDoor ? '/claim' : null, HEALTH_MS);
  if (status.value === null) return <p class="quiet">{frameWords.loading}</p>;
  return <Found status={status.value} health={health.value} claim={claim.value} />;
};

interface FoundProps {
  readonly status: TechnicianStatus;
  readonly health: TechnicianHealth | null;
  readonly claim: TechnicianClaimState | null;
}

const Found = ({ status, health, claim }: FoundProps) => {
  const steps = useSteps(status, claim);
  return (
    <div class="columns flowing">
      <Glance health={health} />
      <Steps steps={steps} />
      <Gadgets gadgets={status.gadgets} />
      <Details status={status} />
    </div>
  );
};
