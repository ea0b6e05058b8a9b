import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LoginState } from './api/controller-session.ts';
import { useObservableValue } from './api/observable-value.ts';
import { controllerSession } from './api/controller-hooks.ts';
import { NoticeContext } from './state/notice-context.ts';
import { ClaimScreen } from './claim/claim.tsx';
import { CredentialTestScreen } from './credential-test/credential-test.tsx';
import { DevicePicker } from './device-picker/device-picker.tsx';
import { HardwareTestsScreen } from './hardware-tests/hardware-tests.tsx';
import { LiveScreen } from './live/live-log.tsx';
import { LoginScreen, SessionExpiredDialog } from './login/login.tsx';
import { fragmentCredentials } from './login/fragment-credentials.ts';
import * as loginMessages from './messages/english/login.ts';
import * as shellMessages from './messages/english/shell.ts';
import { OverviewScreen } from './overview/overview.tsx';
import { HandoverReportScreen } from './report/handover-report.tsx';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import {
  InputRulesDraftProvider,
  useInputRulesDraftState,
} from '../components/input-rules-editor/draft/use-rule-draft.ts';
import { InputRulesScreen } from './input-rules/input-rules.tsx';
import { InputRulesTrialBar } from './input-rules/provisional-rules/keep-or-revert-bar.tsx';
import { deviceNameFromBridge } from './shell/observable-device-name.ts';
import { ScreenMenu } from './shell/screen-menu.tsx';
import { TechnicianPageHeader } from './shell/page-header.tsx';
import { type TechnicianScreenId, technicianScreenIds, useCurrentScreen } from './shell/screen-ids-and-urls.ts';
import { SharedControllerDataProvider, useSharedControllerDataLoader } from './state/shared-controller-data.ts';

const NOTICE_MS = 5_000;

/** Screens that require presence at the controller. */
const localScreens: ReadonlySet<TechnicianScreenId> = new Set(['claim', 'try']);

const contents = {
  overview: OverviewScreen,
  claim: ClaimScreen,
  rules: InputRulesScreen,
  live: LiveScreen,
  try: CredentialTestScreen,
  tests: HardwareTestsScreen,
  report: HandoverReportScreen,
} as const satisfies Record<TechnicianScreenId, unknown>;

const ScreenErrorBoundary = ({ children }: { readonly children: ComponentChildren }) => (
  <ErrorBoundary texts={shellMessages.pageErrorTexts} screen={useCurrentScreen()}>
    {children}
  </ErrorBoundary>
);

/** Stays mounted while the technician logs in again, so that unfinished work is kept. */
const Screens = () => {
  const current = useCurrentScreen();
  const data = useSharedControllerDataLoader();
  const draft = useInputRulesDraftState(data.rules);
  const status = data.status.value;
  const name = status?.device_name ?? null;
  useEffect(() => deviceNameFromBridge.set(name), [name]);
  const isShown = (screen: TechnicianScreenId): boolean => {
    if (controllerSession.endpoint.isRemote && localScreens.has(screen)) return false;
    return screen !== 'claim' || status?.claimed === false || current === 'claim';
  };
  const marked = new Set<TechnicianScreenId>([
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
    <SharedControllerDataProvider value={data}>
      <InputRulesDraftProvider value={draft}>
        <ScreenMenu current={current} shown={technicianScreenIds.filter(isShown)} marked={marked} />
        <InputRulesTrialBar />
        <main ref={main} tabIndex={-1} data-screen={current}>
          <ScreenErrorBoundary>
            <Content />
          </ScreenErrorBoundary>
        </main>
      </InputRulesDraftProvider>
    </SharedControllerDataProvider>
  );
};

const Connecting = () => {
  const error = useObservableValue(controllerSession.error);
  return (
    <main class="login">
      <p class="quiet" role="status">
        {error === null || error.kind === 'offline' ? loginMessages.connectingToControllerText : error.message}
      </p>
    </main>
  );
};

const Content = ({ status, wasLoggedIn }: LoginState) => {
  if (status !== 'logged_in' && !wasLoggedIn) return status === 'logged_out' ? <LoginScreen /> : <Connecting />;
  if (controllerSession.endpoint.kind !== 'device_list') return <Screens />;
  return (
    <main>
      <ScreenErrorBoundary>
        <DevicePicker />
      </ScreenErrorBoundary>
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

export const TechnicianApp = () => {
  const { status, wasLoggedIn } = useObservableValue(controllerSession.loginState);
  const hello = useObservableValue(controllerSession.hello);
  const [notice, setNotice] = useNotice();
  const [notify] = useState(
    () =>
      (text: string, isError = false) =>
        setNotice({ text, isError }),
  );
  useEffect(() => void controllerSession.start(), []);
  // A link that asks for a login is done when the page is already logged in.
  useEffect(() => {
    if (status === 'logged_in') fragmentCredentials.set({ ...fragmentCredentials.value, signIn: null });
  }, [status]);
  const device = useObservableValue(deviceNameFromBridge);
  const name = (wasLoggedIn ? device : null) ?? hello?.name ?? shellMessages.appTitle;
  useEffect(() => {
    document.title = `${name} · Lintel`;
  }, [name]);
  return (
    <NoticeContext.Provider value={notify}>
      <TechnicianPageHeader name={name} />
      <div
        class="notice"
        role={notice?.isError === true ? 'alert' : 'status'}
        data-is-error={notice?.isError === true ? '' : undefined}
      >
        {notice?.text ?? ''}
      </div>
      <Content status={status} wasLoggedIn={wasLoggedIn} />
      {status === 'logged_out' && wasLoggedIn ? <SessionExpiredDialog /> : null}
    </NoticeContext.Provider>
  );
};
