import type { GuestMeResponse } from '@lintel/wire-protocol/guest/guest-api';
import { guestApi, type GuestApiError } from './guest-api.ts';
import { type GuestHomeViewOptions, showGuestHome } from './views/home-view.ts';
import { type GuestLanguage, selectGuestLanguage } from './messages/language.ts';
import { showGuestLogin } from './views/login-view.ts';
import { showGuestNotice, showGuestLoading } from './views/notice-view.ts';
import { showGuestOffline } from './views/offline-view.ts';
import { LazyNearbyDoorsPanel } from './nearby/lazy-nearby-doors-panel.ts';
import { registerGuestServiceWorker, selectWebAppManifest } from './progressive-web-app.ts';
import { describeGuestApiError } from './messages/describe-denial-and-api-error.ts';

const HOME = '/guest';
const LOGIN = '/guest/login';
const REFRESH_MS = 30_000;

let language = selectGuestLanguage(navigator.languages);
let selectedId: string | null = null;
/** The rendered state, to skip a render without a change. */
let renderedState = '';
let timer = 0;

const nearby = new LazyNearbyDoorsPanel();

const setLanguage = (next: GuestLanguage): void => {
  language = next;
  document.documentElement.lang = next.tag;
  document.title = next.messages.title;
  selectWebAppManifest(next.tag);
};

/** Removes the token of a link from the address bar and the history. */
const replacePath = (path: string): void => {
  if (location.pathname !== path) history.replaceState(null, '', path);
};

const signIn = (hint: string | null = null): void => {
  renderedState = '';
  replacePath(LOGIN);
  showGuestLogin(language, hint, () => void loadHome());
  void appendNearby();
};

/** The session ends earlier than the key of a phone. */
const appendNearby = async (): Promise<void> => {
  if (!(await nearby.isSetUp())) return;
  await nearby.show({ language, memberships: null, onSettled: () => undefined });
  document.querySelector('#page')!.append(nearby.element);
};

const signOut = async (): Promise<void> => {
  await nearby.forgetPhone();
  await guestApi.signOut();
  signIn();
};

const showOffline = async (retry: () => void): Promise<void> => {
  const { messages } = language;
  if (!(await nearby.isSetUp())) {
    const buttons = [{ label: messages.tryAgain, onPress: retry }];
    return showGuestNotice({ title: messages.offlineTitle, text: messages.offlinePin, buttons });
  }
  await nearby.show({ language, memberships: null, onSettled: () => undefined });
  showGuestOffline(messages, nearby.element, retry);
};

const showError = (error: GuestApiError, retry: () => void): void => {
  renderedState = '';
  const { messages } = language;
  const text = describeGuestApiError(language, error);
  const tryAgain = { label: messages.tryAgain, onPress: retry };
  const toSignIn = { label: messages.signIn, onPress: () => signIn() };
  if (error.kind === 'offline') return void showOffline(retry);
  switch (error.type) {
    case 'unauthorized':
      return signIn();
    case 'not_found':
      return showGuestNotice({ title: messages.linkGone, text: messages.askForLink, buttons: [toSignIn] });
    case 'permission_denied':
      return showGuestNotice({ title: text, text: messages.askHost, buttons: [toSignIn] });
    default:
      return showGuestNotice({ title: text, buttons: [tryAgain] });
  }
};

const isBusy = (): boolean => document.querySelector('[data-appearance="busy"], [data-appearance="done"]') !== null;

const render = (guest: GuestMeResponse): void => {
  const selected = guest.memberships.find(({ member_id }) => member_id === selectedId) ?? guest.memberships[0];
  if (selected === undefined) return signIn();
  setLanguage(selectGuestLanguage([selected.language, ...navigator.languages]));
  // Includes the hour, because "tomorrow" becomes "today".
  const state = JSON.stringify([guest.memberships, guest.now.slice(0, 13), selected.member_id]);
  if (state === renderedState) return;
  renderedState = state;
  const home: GuestHomeViewOptions = {
    guest,
    selected,
    language,
    nearby,
    onChoose: memberId => {
      selectedId = memberId;
      render(guest);
    },
    onSignOut: () => void signOut(),
    onSettled: () => scheduleRefresh(guest),
  };
  try {
    showGuestHome(home);
  } catch (error) {
    console.error(error);
    const { messages } = language;
    const buttons = [{ label: messages.tryAgain, onPress: () => location.reload() }];
    return showGuestNotice({ title: messages.failed, buttons });
  }
  void showNearby(guest);
};

const showNearby = async (guest: GuestMeResponse): Promise<void> => {
  const { memberships } = guest;
  await nearby.updateDoors(memberships);
  await nearby.show({ language, memberships, onSettled: () => scheduleRefresh(guest) });
};

/** Refreshes after 30 seconds, or earlier when the next access starts. */
const scheduleRefresh = ({ memberships, now }: GuestMeResponse): void => {
  clearTimeout(timer);
  const startDelays = memberships
    .flatMap(({ sites }) => sites.flatMap(({ gadgets }) => gadgets.flatMap(({ actions }) => actions)))
    .flatMap(({ allowed_from }) => (allowed_from === null ? [] : [Date.parse(allowed_from) - Date.parse(now)]));
  const delay = Math.min(REFRESH_MS, ...startDelays.map(wait => Math.max(wait, 0) + 1000));
  timer = window.setTimeout(() => void refresh(), delay);
};

/** Keeps the page as it is while offline and while an action runs. */
const refresh = async (): Promise<void> => {
  if (renderedState === '' || document.hidden || isBusy())
    return void (timer = window.setTimeout(() => void refresh(), 5000));
  const result = await guestApi.me();
  if (result.ok && !isBusy()) render(result.value);
  if (result.ok) return scheduleRefresh(result.value);
  if (result.error.kind === 'rejected' && result.error.type !== 'rate_limited') {
    return showError(result.error, () => void loadHome());
  }
  timer = window.setTimeout(() => void refresh(), REFRESH_MS);
};

const loadHome = async (): Promise<void> => {
  if (renderedState === '') showGuestLoading(language.messages.loading);
  const result = await guestApi.me();
  if (!result.ok) return showError(result.error, () => void loadHome());
  replacePath(HOME);
  render(result.value);
  scheduleRefresh(result.value);
};

const openLink = async (token: string): Promise<void> => {
  showGuestLoading(language.messages.openingLink);
  const result = await guestApi.openLink(token);
  if (result.ok) {
    replacePath(HOME);
    return loadHome();
  }
  if (result.error.kind === 'rejected' && result.error.type !== 'rate_limited') replacePath(HOME);
  showError(result.error, () => void openLink(token));
};

/** The link of a mail that signs in without typing a code. */
const openLoginLink = async (loginId: string, code: string): Promise<void> => {
  showGuestLoading(language.messages.openingLink);
  const result = await guestApi.enterCode(loginId, code);
  if (result.ok) return loadHome();
  if (result.error.kind === 'rejected' && result.error.type === 'invalid_request')
    return signIn(language.messages.loginLinkGone);
  showError(result.error, () => void openLoginLink(loginId, code));
};

setLanguage(language);
registerGuestServiceWorker();
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void refresh();
});
const token = /^\/g\/([^/]+)/.exec(location.pathname)?.[1];
if (token !== undefined) void openLink(token);
else if (location.pathname.startsWith(LOGIN)) {
  const [, loginId, code] = /^#([\w-]+)\.(\d{6})$/.exec(location.hash) ?? [];
  if (location.hash !== '') history.replaceState(null, '', LOGIN);
  if (loginId === undefined || code === undefined) signIn();
  else void openLoginLink(loginId, code);
} else void loadHome();
