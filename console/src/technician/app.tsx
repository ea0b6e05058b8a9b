import { useEffect, useRef, useState } from 'preact/hooks';
import type { LoginState } from './api/controller-session.ts';
import { useStore } from './api/store.ts';
import { NoticeContext, session } from './api/use-session.ts';
import { Claim } from './claim/claim.tsx';
import { CredentialTest } from './credential-test/credential-test.tsx';
import { DevicePicker } from './device-picker/device-picker.tsx';
import { HardwareTests } from './hardware-tests/hardware-tests.tsx';
import { Live } from './live/live.tsx';
import { Login, LoginDialog } from './login/login.tsx';
import { urlCredentials } from './login/url-credentials.ts';
import * as loginMessages from './messages/english/login.ts';
import * as shellMessages from './messages/english/shell.ts';
import { Overview } from './overview/overview.tsx';
import { Report } from './report/report.tsx';
import { RuleDraftProvider, useRuleDraftState } from './rules/draft/use-rule-draft.ts';
import { Rules } from './rules/rules.tsx';
import { TrialBanner } from './rules/trial-banner.tsx';
import { deviceName } from './shell/device-name.ts';
import { Menu } from './shell/menu.tsx';
import { PageHeader } from './shell/page-header.tsx';
import { type Screen, screens, useScreen } from './shell/screens.ts';
import { ControllerDataProvider, useControllerDataLoader } from './state/controller-data.ts';

const NOTICE_MS = 5_000;

/** Screens that require presence at the controller. */
const localScreens: ReadonlySet<Screen> = new Set(['claim', 'try']);

const contents = {
  overview: Overview,
  claim: Claim,
  rules: Rules,
  live: Live,
  try: CredentialTest,
  tests: HardwareTests,
  report: Report,
} as const satisfies Record<Screen, unknown>;

/** Stays mounted while the technician logs in again, so that unfinished work is kept. */
const Screens = () => {
  const current = useScreen();
  const data = useControllerDataLoader();
  const draft = useRuleDraftState(data.rules);
  const status = data.status.value;
  const name = status?.device_name ?? null;
  useEffect(() => deviceName.set(name), [name]);
  const isShown = (screen: Screen): boolean => {
    if (session.endpoint.isRemote && localScreens.has(screen)) return false;
    return screen !== 'claim' || status?.claimed === false || current === 'claim';
  };
  const marked = new Set<Screen>([
    ...(draft.isDirty || data.rules.value?.conflict != null ? (['rules'] as const) : []),
    ...(status?.claimed === false ? (['claim'] as const) : []),
  ]);
  const main = useRef<HTMLElement>(null);
  const previous = useRef(current);
  useEffect(() => {
    if (previous.current === current) return;
    previous.current = current;
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [current]);
  const Content = contents[isShown(current) ? current : 'overview'];
  return (
    <ControllerDataProvider value={data}>
      <RuleDraftProvider value={draft}>
        <Menu current={current} shown={screens.filter(isShown)} marked={marked} />
        <main ref={main} tabIndex={-1} data-screen={current}>
          <TrialBanner />
          <Content />
        </main>
      </RuleDraftProvider>
    </ControllerDataProvider>
  );
};

const Connecting = () => {
  const error = useStore(session.error);
  return (
    <main class="login">
      <p class="quiet" role="status">
        {error === null || error.kind === 'offline' ? loginMessages.connecting : error.message}
      </p>
    </main>
  );
};

const Content = ({ status, wasLoggedIn }: LoginState) => {
  if (status !== 'logged_in' && !wasLoggedIn) return status === 'logged_out' ? <Login /> : <Connecting />;
  if (session.endpoint.kind !== 'device_list') return <Screens />;
  return (
    <main>
      <DevicePicker />
    </main>
  );
};

interface Notice {
  readonly text: string;
  readonly isError: boolean;
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
  const { status, wasLoggedIn } = useStore(session.loginState);
  const hello = useStore(session.hello);
  const [notice, setNotice] = useNotice();
  const [notify] = useState(
    () =>
      (text: string, isError = false) =>
        setNotice({ text, isError }),
  );
  useEffect(() => void session.start(), []);
  // A link that asks for a login is done when the page is already logged in.
  useEffect(() => {
    if (status === 'logged_in') urlCredentials.set({ ...urlCredentials.value, signIn: null });
  }, [status]);
  const device = useStore(deviceName);
  const name = (wasLoggedIn ? device : null) ?? hello?.name ?? shellMessages.title;
  useEffect(() => {
    document.title = `${name} · Lintel`;
  }, [name]);
  return (
    <NoticeContext.Provider value={notify}>
      <PageHeader name={name} />
      <div
        class="notice"
        role={notice?.isError === true ? 'alert' : 'status'}
        data-is-error={notice?.isError === true ? '' : undefined}
      >
        {notice?.text ?? ''}
      </div>
      <Content status={status} wasLoggedIn={wasLoggedIn} />
      {status === 'logged_out' && wasLoggedIn ? <LoginDialog /> : null}
    </NoticeContext.Provider>
  );
};
