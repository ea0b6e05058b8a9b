import type { TechnicianHealth } from '@lintel/wire-protocol/technician/health';
import { useWhatIsKnown } from '../frame/known.ts';
import { useReading, visit } from '../link/use-visit.ts';
import { HealthList } from '../health/health-list.tsx';
import * as frameWords from '../words/english/frame-words.ts';
import * as testWords from '../words/english/test-words.ts';
import { PartTest } from './part-test.tsx';
import { SelfTest } from './self-test.tsx';
import { judgedCount, type TestablePart, testableParts } from './testable-parts.ts';

const HEALTH_MS = 8_000;

const groups: readonly { readonly title: string; readonly kinds: readonly TestablePart['kind'][] }[] = [
  { title: testWords.groups.doors, kinds: ['gadget'] },
  { title: testWords.groups.stations, kinds: ['keypad', 'reader', 'feedback'] },
  { title: testWords.groups.inputs, kinds: ['input'] },
  { title: testWords.groups.outputs, kinds: ['output'] },
  { title: testWords.groups.power, kinds: ['power'] },
];

export const Tests = () => {
  const { status, tests } = useWhatIsKnown();
  const health = useReading<TechnicianHealth>('/health', HEALTH_MS);
  if (status.value === null) return <p class="quiet">{frameWords.loading}</p>;
  // A uid is not sent through the bridge: cards are read at the door.
  const parts = testableParts(status.value).filter(({ kind }) => kind !== 'reader' || !visit.place.isRemote);
  const done = judgedCount(parts, tests.value?.data ?? []);
  return (
    <>
      <div class="screen-title">
        <h1>{testWords.heading}</h1>
        <p class="quiet">{testWords.intro}</p>
        <p>
          <strong>{testWords.progress(done, parts.length)}</strong>
        </p>
        <progress value={done} max={Math.max(1, parts.length)} aria-label={testWords.progress(done, parts.length)} />
      </div>
      <div class="columns flowing">
        {groups.map(({ title, kinds }) => {
          const some = parts.filter(({ kind }) => kinds.includes(kind));
          return some.length === 0 ? null : (
            <section key={title} class="card panel" aria-label={title}>
              <h2>{title}</h2>
              <ul class="tests">
                {some.map(part => (
                  <PartTest key={part.id} part={part} />
                ))}
              </ul>
            </section>
          );
        })}
        {health.value === null ? null : (
          <section class="card panel" aria-label={testWords.groups.health}>
            <h2>{testWords.groups.health}</h2>
            <HealthList checks={health.value.checks} />
            <SelfTest />
          </section>
        )}
      </div>
    </>
  );
};
