import type { DoorState } from '@lintel/wire-protocol/simulator/door-state';
import type { World } from '@lintel/wire-protocol/simulator/world';
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { announcements } from './announcements.ts';
import { Building } from './building/building.tsx';
import { type Hands, HandsProvider, useHands } from './live/hands.ts';
import { keyOf } from './live/key-of.ts';
import { type LinkState, listen } from './live/live-line.ts';
import { ordersTo } from './live/orders.ts';
import { Typist } from './live/typist.ts';
import { WallClockProvider, wallClockOf } from './live/wall-clock.ts';
import { worldAfter } from './live/world-after.ts';
import { PageHeader } from './page-header.tsx';
import { People } from './person/people.tsx';
import { PersonAtDoor } from './person/person-at-door.tsx';
import { Scenarios } from './scenarios/scenarios.tsx';
import { useSounds } from './sound/use-sounds.ts';
import { TimeLine } from './time-line/time-line.tsx';
import { WayMap } from './time-line/way-map.tsx';
import { Trouble } from './trouble/trouble.tsx';

const NOTICE_MS = 5000;
const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));

/** The hotel as it is, and whether somebody still tells of it. */
const useLive = () => {
  const [world, hear] = useReducer(worldAfter, null);
  const [link, setLink] = useState<LinkState>('connecting');
  useEffect(() => listen({ heard: hear, linked: setLink }), []);
  return { world, link };
};

/** Something to say for a moment; saying it again begins the moment anew. */
const useNotice = () => {
  const [notice, setNotice] = useState<{ readonly words: string } | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setNotice(null), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  return { notice: notice?.words ?? '', notify: (words: string) => setNotice({ words }) };
};

const useHandsOn = (world: World | null, refused: (why: string) => void): Hands => {
  const latest = useRef(world);
  latest.current = world;
  return useMemo(() => {
    const orders = ordersTo(refused);
    const stationOf = (controller: string, station: string) =>
      latest.current?.controllers.find(({ key }) => key === controller)?.stations.find(({ id }) => id === station);
    return { orders, typist: new Typist({ orders, stationOf, wait }) };
  }, []);
};

const useAnnouncement = (world: World | null): string => {
  const before = useRef<World | null>(null);
  const [said, say] = useState('');
  useEffect(() => {
    const news = before.current === null || world === null ? [] : announcements(before.current, world);
    before.current = world;
    if (news.length > 0) say(`${news.join('. ')}.`);
  }, [world]);
  return said;
};

/** Somebody who just types means the door that they stand at. */
const useTypingAnywhere = (door: DoorState | undefined): void => {
  const { typist } = useHands();
  useEffect(() => {
    const typed = (event: KeyboardEvent): void => {
      const key = keyOf(event);
      if (event.target !== document.body || key === null || door === undefined) return;
      event.preventDefault();
      void typist.press({ controller: door.controller, station: door.station, key });
    };
    addEventListener('keydown', typed);
    return () => removeEventListener('keydown', typed);
  }, [typist, door]);
};

const Hotel = ({ world }: { readonly world: World }) => {
  const [doorKey, goTo] = useState(world.doors[0]?.key);
  const [personKey, choose] = useState(world.people[0]?.key);
  const door = world.doors.find(({ key }) => key === doorKey) ?? world.doors[0];
  const who = world.people.find(({ key }) => key === personKey) ?? world.people[0];
  const timeZone = world.sites.find(({ key }) => key === door?.site)?.timezone ?? 'UTC';
  const clock = useMemo(() => wallClockOf(timeZone), [timeZone]);
  useTypingAnywhere(door);
  return (
    <WallClockProvider value={clock}>
      <main>
        <Building world={world} who={who ?? null} hereKey={door?.key ?? ''} goTo={goTo} />
        {door === undefined || who === undefined ? null : <PersonAtDoor who={who} door={door} />}
        {who === undefined ? null : <People people={world.people} who={who} choose={choose} />}
        <div class="news">
          <WayMap world={world} />
          <TimeLine happenings={world.happenings} />
        </div>
        <Trouble world={world} timeZone={timeZone} />
        <Scenarios scenarios={world.scenarios} runs={world.runs} />
      </main>
    </WallClockProvider>
  );
};

export const App = () => {
  const { world, link } = useLive();
  const { notice, notify } = useNotice();
  const hands = useHandsOn(world, notify);
  const sound = useSounds(world);
  const said = useAnnouncement(world);
  return (
    <HandsProvider value={hands}>
      <PageHeader world={world} link={link} sound={sound} />
      <div class="unseen" role="status" aria-live="polite">
        {said}
      </div>
      <div class="notice" role="alert">
        {notice}
      </div>
      {world === null ? null : <Hotel world={world} />}
    </HandsProvider>
  );
};
