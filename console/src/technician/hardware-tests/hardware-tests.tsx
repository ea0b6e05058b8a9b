import type { TechnicianHealth } from '@lintel/wire-protocol/technician/health';
import { useControllerData } from '../state/controller-data.ts';
import { useResource, controllerSession } from '../api/use-session.ts';
import { HealthList } from '../health/health-list.tsx';
import * as shellMessages from '../messages/english/shell.ts';
import * as testMessages from '../messages/english/hardware-tests.ts';
import { PartTestCard } from './part-test.tsx';
import { SelfTestCard } from './self-test.tsx';
import { countTestedParts, type TestablePart, listTestableParts } from './testable-parts.ts';

const HEALTH_POLL_MS = 8_000;

const groups: readonly { readonly title: string; readonly kinds: readonly TestablePart['kind'][] }[] = [
  { title: testMessages.testGroupNames.doors, kinds: ['gadget'] },
  { title: testMessages.testGroupNames.stations, kinds: ['keypad', 'reader', 'feedback'] },
  { title: testMessages.testGroupNames.inputs, kinds: ['input'] },
  { title: testMessages.testGroupNames.outputs, kinds: ['output'] },
  { title: testMessages.testGroupNames.power, kinds: ['power'] },
];

export const HardwareTestsScreen = () => {
  const { status, tests } = useControllerData();
  const health = useResource<TechnicianHealth>('/health', HEALTH_POLL_MS);
  if (status.value === null) return <p class="quiet">{shellMessages.loadingInProgress}</p>;
  const parts = listTestableParts(status.value, controllerSession.endpoint.isRemote);
  const done = countTestedParts(parts, tests.value?.data ?? []);
  return (
    <>
      <div class="screen-title">
        <h1>{testMessages.heading}</h1>
        <p class="quiet">{testMessages.intro}</p>
        <p>
          <strong>{testMessages.testProgress(done, parts.length)}</strong>
        </p>
        <progress
          value={done}
          max={Math.max(1, parts.length)}
          aria-label={testMessages.testProgress(done, parts.length)}
        />
      </div>
      <div class="columns flowing">
        {groups.map(({ title, kinds }) => {
          const members = parts.filter(({ kind }) => kinds.includes(kind));
          return members.length === 0 ? null : (
            <section key={title} class="card panel" aria-label={title}>
              <h2>{title}</h2>
              <ul class="tests">
                {members.map(part => (
                  <PartTestCard key={part.id} part={part} />
                ))}
              </ul>
            </section>
          );
        })}
        {health.value === null ? null : (
          <section class="card panel" aria-label={testMessages.testGroupNames.health}>
            <h2>{testMessages.testGroupNames.health}</h2>
            <HealthList checks={health.value.checks} />
            <SelfTestCard />
          </section>
        )}
      </div>
    </>
  );
};
