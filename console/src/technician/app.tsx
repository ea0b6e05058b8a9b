import { useEffect, useRef, useState } from 'preact/hooks';
import { Choosing } from './choosing/choosing.tsx';
import { Claim } from './claim/claim.tsx';
import { ComingIn, ComingInAgain } from './coming-in/coming-in.tsx';
import { deviceName } from './frame/device-name.ts';
import { KnownProvider, useKnown } from './frame/known.ts';
import { Menu } from './frame/menu.tsx';
import { PageHeader } from './frame/page-header.tsx';
import { type Screen, screens, useScreen } from './frame/screens.ts';
import { useStore } from './link/store.ts';
import { NoticeContext, visit } from './link/use-visit.ts';
import type { Presence } from './link/visit.ts';
import { Live } from './live/live.tsx';
import { Overview } from './overview/overview.tsx';
import { Report } from './report/report.tsx';
import { ProvisionalBanner } from './rules/provisional.tsx';
import { Rules } from './rules/rules.tsx';
import { DraftProvider, useDraftDesk } from './rules/use-draft.ts';
import { Tests } from './tests/tests.tsx';
import { Trying } from './trying/trying.tsx';
import * as comingInWords from './words/english/coming-in-words.ts';
import * as frameWords from './words/english/frame-words.ts';

const NOTICE_MS = 5_000;

/** What needs somebody at the board. */
const onlyAtDoor: ReadonlySet<Screen> = new Set(['claim', 'trying']);

const contents = {
  overview: Overview,
  claim: Claim,
  rules: Rules,
  live: Live,
  trying: Trying,
  tests: Tests,
  report: Report,
} as const satisfies Record<Screen, unknown>;

/** Everything behind the login. It stays while somebody has to log in again. */
const Inside = () => {
  const here = useScreen();
  const known = useKnown();
  const draft = useDraftDesk(known.rules);
  const status = known.status.value;
  const called = status?.device_name ?? null;
  useEffect(() => deviceName.set(called), [called]);
  const isShown = (screen: Screen): boolean => {
    if (visit.place.isRemote && onlyAtDoor.has(screen)) return false;
    return screen !== 'claim' || status?.claimed === false || here === 'claim';
  };
  const marked = new Set<Screen>([
    ...(draft.isDirty || known.rules.value?.conflict != null ? (['rules'] as const) : []),
    ...(status?.claimed === false ? (['claim'] as const) : []),
  ]);
  const main = useRef<HTMLElement>(null);
  const cameFrom = useRef(here);
  useEffect(() => {
    if (cameFrom.current === here) return;
    cameFrom.current = here;
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [here]);
  const Content = contents[isShown(here) ? here : 'overview'];
  return (
    <KnownProvider value={known}>
      <DraftProvider value={draft}>
        <Menu here={here} shown={screens.filter(isShown)} marked={marked} />
        <main ref={main} tabIndex={-1} data-screen={here}>
          <ProvisionalBanner />
          <Content />
        </main>
      </DraftProvider>
    </KnownProvider>
  );
};

const Looking = () => {
  const trouble = useStore(visit.trouble);
  return (
    <main class="coming-in">
      <p class="quiet" role="status">
        {trouble === null || trouble.kind === 'offline' ? comingInWords.looking : trouble.message}
      </p>
    </main>
  );
};

const Place = ({ entry, wasIn }: Presence) => {
  if (entry !== 'in' && !wasIn) {
    if (entry === 'out') return <ComingIn />;
    return <Looking />;
  }
  if (visit.place.kind !== 'list') return <Inside />;
  return (
    <main>
      <Choosing />
    </main>
  );
};

interface Notice {
  readonly words: string;
  readonly isBad: boolean;
}

const useNotice = () => {
  const [notice, setNotice] = useState<Notice | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setNotice(null), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  return [notice, setNotice] as const;
};

export const App = () => {
  const { entry, wasIn } = useStore(visit.presence);
  const hello = useStore(visit.hello);
  const [notice, setNotice] = useNotice();
  const [notify] = useState(
    () =>
      (said: string, isBad = false) =>
        setNotice({ words: said, isBad }),
  );
  useEffect(() => void visit.begin(), []);
  const called = useStore(deviceName);
  const name = (wasIn ? called : null) ?? hello?.name ?? frameWords.title;
  useEffect(() => {
    document.title = `${name} · Lintel`;
  }, [name]);
  return (
    <NoticeContext.Provider value={notify}>
      <PageHeader name={name} />
      <div
        class="notice"
        role={notice?.isBad === true ? 'alert' : 'status'}
        data-is-bad={notice?.isBad === true ? '' : undefined}
      >
        {notice?.words ?? ''}
      </div>
      <Place entry={entry} wasIn={wasIn} />
      {entry === 'out' && wasIn ? <ComingInAgain /> : null}
    </NoticeContext.Provider>
  );
};
