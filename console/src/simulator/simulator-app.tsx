import type { SimulatedDoorState } from '@lintel/wire-protocol/simulator/door-state';
import type { SimulatorState } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { createScreenReaderAnnouncements } from './screen-reader-announcements.ts';
import { BuildingView } from './building/building.tsx';
import {
  type SimulatorControls,
  SimulatorControlsProvider,
  useSimulatorControls,
} from './api/simulator-controls-context.ts';
import { mapKeyboardKeyToKeypad } from './api/map-keyboard-key-to-keypad.ts';
import { type SimulatorLinkState, openSimulatorConnection } from './api/live-connection.ts';
import { createSimulatorCommands } from './api/simulator-commands.ts';
import { KeypadAndTapSender } from './api/keypad-and-tap-sender.ts';
import { SiteTimeFormatterProvider, createSiteTimeFormatter } from './api/site-time-formatter.ts';
import { applySimulatorMessage } from './api/apply-message.ts';
import { SimulatorPageHeader } from './page-header.tsx';
import { PeoplePanel } from './people/people.tsx';
import { PersonAtDoorPanel } from './people/person-at-door.tsx';
import { ScenariosPanel } from './scenarios/scenarios.tsx';
import { useDoorSounds } from './sound/use-door-sounds.ts';
import { ActivityList } from './activity/activity.tsx';
import { NetworkMap } from './activity/network-map.tsx';
import { VirtualDevicesPanel } from './virtual-devices/virtual-devices.tsx';
import { FaultsPanel } from './faults/faults.tsx';
import { TourPanel } from './tour/tour.tsx';

const pageErrorTexts = {
  title: 'This page has an error',
  text: 'Reload the page. If the error remains, report it with the log of the browser.',
  reload: 'Reload the page',
};
const NOTICE_MS = 5000;
const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));

const useSimulatorState = () => {
  const [world, onMessage] = useReducer(applySimulatorMessage, null);
  const [link, setLink] = useState<SimulatorLinkState>('connecting');
  useEffect(() => openSimulatorConnection({ onMessage, onLinkChange: setLink }), []);
  return { world, link };
};

const useNotice = () => {
  const [notice, setNotice] = useState<{ readonly text: string } | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setNotice(null), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  return { notice: notice?.text ?? '', notify: (text: string) => setNotice({ text }) };
};

const useSimulatorContext = (world: SimulatorState | null, onError: (message: string) => void): SimulatorControls => {
  const latest = useRef(world);
  latest.current = world;
  return useMemo(() => {
    const commands = createSimulatorCommands(onError);
    const stationOf = (controller: string, station: string) =>
      latest.current?.controllers.find(({ key }) => key === controller)?.stations.find(({ id }) => id === station);
    return { commands, keypadInput: new KeypadAndTapSender({ commands, stationOf, wait }) };
  }, []);
};

const useAnnouncement = (world: SimulatorState | null): string => {
  const before = useRef<SimulatorState | null>(null);
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    const news =
      before.current === null || world === null ? [] : createScreenReaderAnnouncements(before.current, world);
    before.current = world;
    if (news.length > 0) setAnnouncement(`${news.join('. ')}.`);
  }, [world]);
  return announcement;
};

/** Sends keys that are typed without a focus to the keypad of the selected door. */
const useGlobalKeys = (door: SimulatedDoorState | undefined): void => {
  const { keypadInput } = useSimulatorControls();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const key = mapKeyboardKeyToKeypad(event);
      if (event.target !== document.body || key === null || door === undefined) return;
      event.preventDefault();
      void keypadInput.press({ controller: door.controller, station: door.station, key });
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [keypadInput, door]);
};

const Simulation = ({ world }: { readonly world: SimulatorState }) => {
  const [doorKey, selectDoor] = useState(world.doors[0]?.key);
  const [personKey, selectPerson] = useState(world.people[0]?.key);
  const door = world.doors.find(({ key }) => key === doorKey) ?? world.doors[0];
  const person = world.people.find(({ key }) => key === personKey) ?? world.people[0];
  const timeZone = world.sites.find(({ key }) => key === door?.site)?.timezone ?? 'UTC';
  const clock = useMemo(() => createSiteTimeFormatter(timeZone), [timeZone]);
  useGlobalKeys(door);
  return (
    <SiteTimeFormatterProvider value={clock}>
      <main>
        <TourPanel world={world} />
        <BuildingView world={world} person={person ?? null} selectedDoor={door?.key ?? ''} onSelectDoor={selectDoor} />
        {door === undefined || person === undefined ? null : (
          <PersonAtDoorPanel
            person={person}
            door={door}
            guestUrl={world.guest_link?.person === person.key ? world.guest_link.url : null}
          />
        )}
        {person === undefined ? null : <PeoplePanel people={world.people} selected={person} onSelect={selectPerson} />}
        <div class="news">
          <NetworkMap world={world} />
          <ActivityList events={world.activity} />
        </div>
        <VirtualDevicesPanel devices={world.virtual_devices} />
        <FaultsPanel world={world} timeZone={timeZone} />
        <ScenariosPanel scenarios={world.scenarios} runs={world.runs} />
      </main>
    </SiteTimeFormatterProvider>
  );
};

export const SimulatorApp = () => {
  const { world, link } = useSimulatorState();
  const { notice, notify } = useNotice();
  const simulator = useSimulatorContext(world, notify);
  const sound = useDoorSounds(world);
  const announcement = useAnnouncement(world);
  return (
    <SimulatorControlsProvider value={simulator}>
      <SimulatorPageHeader world={world} link={link} sound={sound} />
      <div class="unseen" role="status" aria-live="polite">
        {announcement}
      </div>
      <div class="notice" role="alert">
        {notice}
      </div>
      {world === null ? null : (
        <ErrorBoundary texts={pageErrorTexts}>
          <Simulation world={world} />
        </ErrorBoundary>
      )}
    </SimulatorControlsProvider>
  );
};
