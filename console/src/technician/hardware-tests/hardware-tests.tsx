import type { TechnicianHealth } from '@lintel/wire-protocol/technician/health';
import { useControllerData } from '../state/controller-data.ts';
import { useResource, session } from '../api/use-session.ts';
import { HealthList } from '../health/health-list.tsx';
import * as shellMessages from '../messages/english/shell.ts';
import * as testMessages from '../messages/english/hardware-tests.ts';
import { PartTest } from './part-test.tsx';
import { SelfTest } from './self-test.tsx';
import { countCompleted, type TestablePart, testableParts } from './testable-parts.ts';

const HEALTH_POLL_MS = 8_000;

const groups: readonly { readonly title: string; readonly kinds: readonly TestablePart['kind'][] }[] = [
  { title: testMessages.groups.doors, kinds: ['gadget'] },
  { title: testMessages.groups.stations, kinds: ['keypad', 'reader', 'feedback'] },
  { title: testMessages.groups.inputs, kinds: ['input'] },
  { title: testMessages.groups.outputs, kinds: ['output'] },
  { title: testMessages.groups.power, kinds: ['power'] },
];

export const HardwareTests = () => {
  const { status, tests } = useControllerData();
  const health = useResource<TechnicianHealth>('/health', HEALTH_POLL_MS);
  if (status.value === null) return <p class="quiet">{shellMessages.loading}</p>;
  // Card UIDs are not sent through the bridge.
  const parts = testableParts(status.value).filter(({ kind }) => kind !== 'reader' || !session.endpoint.isRemote);
  const done = countCompleted(parts, tests.value?.data ?? []);
  return (
    <>
      <div class="screen-title">
        <h1>{testMessages.heading}</h1>
        <p class="quiet">{testMessages.intro}</p>
        <p>
          <strong>{testMessages.progress(done, parts.length)}</strong>
        </p>
        <progress value={done} max={Math.max(1, parts.length)} aria-label={testMessages.progress(done, parts.length)} />
      </div>
      <div class="columns flowing">
        {groups.map(({ title, kinds }) => {
          const members = parts.filter(({ kind }) => kinds.includes(kind));
          return members.length === 0 ? null : (
            <section key={title} class="card panel" aria-label={title}>
              <h2>{title}</h2>
              <ul class="tests">
                {members.map(part => (
                  <PartTest key={part.id} part={part} />
                ))}
              </ul>
            </section>
          );
        })}
        {health.value === null ? null : (
          <section class="card panel" aria-label={testMessages.groups.health}>
            <h2>{testMessages.groups.health}</h2>
            <HealthList checks={health.value.checks} />
            <SelfTest />
          </section>
        )}
      </div>
    </>
  );
};
