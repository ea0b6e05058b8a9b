import type {
  GuestContact,
  GuestMembership,
  GuestMeResponse,
  GuestPinsResponse,
} from '@lintel/wire-protocol/guest/guest-api';
import { guestApi, type GuestApiError } from './guest-api.ts';
import { type GuestHomeViewOptions, showGuestHome } from './views/home-view.ts';
import { type GuestLanguage, selectGuestLanguage } from './messages/language.ts';
import { createCodeCard } from './views/code-card.ts';
import { createContactLine } from './views/contact-line.ts';
import { showGuestLogin } from './views/login-view.ts';
import { showGuestNotice, showGuestLoading } from './views/notice-view.ts';
import { showGuestOffline } from './views/offline-view.ts';
import { LazyNearbyDoorsPanel } from './nearby/lazy-nearby-doors-panel.ts';
import {
  forgetPins,
  readStoredContact,
  readStoredPins,
  storeContact,
  storePins,
  updateStoredPins,
} from './stored-on-phone.ts';
import { registerGuestServiceWorker, selectWebAppManifest } from './progressive-web-app.ts';
import { describeGuestApiError } from './messages/describe-denial-and-api-error.ts';

const HOME = '/guest';
const LOGIN = '/guest/login';
const REFRESH_MS = 30_000;
const RECONNECT_MS = 900;
const PROBE_TIMEOUT_MS = 5000;

type GuestErrorArgs = Readonly<Record<string, string | undefined>>;

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
  const contact = contactLine();
  if (contact !== null) document.querySelector('#page')!.append(contact);
  void appendNearby();
};

/** The session ends earlier than the key of a phone. */
const appendNearby = async (): Promise<void> => {
  if (!(await nearby.isSetUp())) return;
  await nearby.show({ language, memberships: null, onSettled: () => undefined });
  document.querySelector('#page')!.append(nearby.element);
};

const signOut = async (): Promise<void> => {
  forgetPins();
  await nearby.forgetPhone();
  await guestApi.signOut();
  signIn();
};

const contactLine = (contact = readStoredContact()): HTMLElement | null =>
  createContactLine(language.messages, contact);

/** As an error of the bridge names it; else the last one that this phone has seen. */
const contactOf = ({ contact_name: name, contact_phone: phone }: GuestErrorArgs): GuestContact | null =>
  name === undefined ? readStoredContact() : { name, phone: phone ?? null };

const createOfflineCodeCard = (): HTMLElement | null => {
  const stored = readStoredPins(Date.now());
  const { messages } = language;
  if (stored === null) return null;
  return createCodeCard({ language, hint: messages.keptCode, load: async () => stored });
};

/** Another attempt while the page waits for the network. */
let reconnect: (() => void) | null = null;

/** Tries again at once when the phone is online, and otherwise every second, because the phone may not notice it. */
const retryWhenOnline = (retry: () => void): void => {
  const stop = (): void => {
    clearInterval(poll);
    window.removeEventListener('online', attemptNow);
    reconnect = null;
  };
  let isTrying = false;
  const attempt = async (): Promise<void> => {
    if (isTrying || document.hidden || !navigator.onLine) return;
    isTrying = true;
    const result = await guestApi.me(PROBE_TIMEOUT_MS);
    isTrying = false;
    if (reconnect !== stop || (!result.ok && result.error.kind === 'offline')) return;
    stop();
    retry();
  };
  /** Does not wait for an attempt that began without the network. */
  const attemptNow = (): void => {
    isTrying = false;
    void attempt();
  };
  reconnect?.();
  reconnect = stop;
  const poll = window.setInterval(() => void attempt(), RECONNECT_MS);
  window.addEventListener('online', attemptNow);
};

const showOffline = async (retry: () => void): Promise<void> => {
  const { messages } = language;
  const isNearby = await nearby.isSetUp();
  if (isNearby) await nearby.show({ language, memberships: null, onSettled: () => undefined });
  const codeCard = createOfflineCodeCard();
  showGuestOffline({
    messages,
    text: isNearby ? messages.offlineNearby : codeCard === null ? messages.offlinePin : messages.offlineCode,
    content: [isNearby ? nearby.element : null, codeCard, contactLine()],
    onRetry: retry,
  });
  retryWhenOnline(retry);
};

const showError = (error: GuestApiError, retry: () => void): void => {
  renderedState = '';
  reconnect?.();
  const { messages } = language;
  const text = describeGuestApiError(language, error);
  const tryAgain = { label: messages.tryAgain, onPress: retry };
  const toSignIn = { label: messages.signIn, onPress: () => signIn() };
  if (error.kind === 'offline') return void showOffline(retry);
  const contact = contactLine(contactOf(error.args));
  if (error.type === 'unauthorized' || error.type === 'permission_denied') forgetPins();
  switch (error.type) {
    case 'unauthorized':
      return signIn();
    case 'not_found':
      return showGuestNotice({ title: messages.linkGone, text: messages.askForLink, contact, buttons: [toSignIn] });
    case 'permission_denied':
      return showGuestNotice({ title: text, text: messages.askHost, contact, buttons: [toSignIn] });
    default:
      return showGuestNotice({ title: text, contact, buttons: [tryAgain] });
  }
};

const createHomeCodeCard = (membership: GuestMembership): HTMLElement | null => {
  if (membership.pins === 'none') return null;
  const { messages } = language;
  const load = async (): Promise<GuestPinsResponse | string> => {
    const result = await guestApi.revealPins(membership.member_id);
    if (result.ok) {
      storePins(membership, result.value);
      return result.value;
    }
    const stored = result.error.kind === 'offline' ? readStoredPins(Date.now()) : null;
    return stored?.member_id === membership.member_id ? stored : describeGuestApiError(language, result.error);
  };
  return createCodeCard({
    language,
    load,
    hint: membership.pins === 'offline' ? messages.codeHintKept : messages.codeHint,
  });
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
  storeContact(selected.contact);
  updateStoredPins(guest.memberships);
  const home: GuestHomeViewOptions = {
    guest,
    selected,
    language,
    nearby,
    codeCard: createHomeCodeCard(selected),
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
    return showGuestNotice({ title: messages.failed, contact: contactLine(), buttons });
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
