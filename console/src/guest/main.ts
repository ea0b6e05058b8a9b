import type { GuestAnswer } from '@lintel/wire-protocol/guest/guest-api';
import { api, type Failure } from './guest-api.ts';
import { showHome } from './home-view.ts';
import { type Language, languageOf } from './language.ts';
import { showLogin } from './login-view.ts';
import { showNotice, showWaiting } from './notice-view.ts';
import { failureWords } from './why-not.ts';

const HOME = '/guest';
const LOGIN = '/guest/login';
const REFRESH_MS = 30_000;

let language = languageOf(navigator.languages);
let chosenId: string | null = null;
/** What is on the screen, to leave it alone while nothing has changed. */
let shown = '';
let timer = 0;

const speak = (next: Language): void => {
  language = next;
  document.documentElement.lang = next.tag;
  document.title = next.words.title;
};

/** The address without what brought the guest here: a link's token stays neither in the bar nor in the history. */
const goTo = (path: string): void => {
  if (location.pathname !== path) history.replaceState(null, '', path);
};

const logIn = (hint: string | null = null): void => {
  shown = '';
  goTo(LOGIN);
  showLogin(language, hint, () => void home());
};

const showFailure = (failure: Failure, again: () => void): void => {
  shown = '';
  const { words } = language;
  const text = failureWords(language, failure);
  const tryAgain = { label: words.tryAgain, press: again };
  const toLogin = { label: words.logIn, press: () => logIn() };
  if (failure.kind === 'offline') return showNotice({ title: text, buttons: [tryAgain] });
  switch (failure.type) {
    case 'unauthorized':
      return logIn();
    case 'not_found':
      return showNotice({ title: words.linkGone, text: words.askForLink, buttons: [toLogin] });
    case 'permission_denied':
      return showNotice({ title: text, text: words.askHost, buttons: [toLogin] });
    default:
      return showNotice({ title: text, buttons: [tryAgain] });
  }
};

const isBusy = (): boolean => document.querySelector('[data-look="busy"], [data-look="done"]') !== null;

const render = (answer: GuestAnswer): void => {
  const chosen = answer.memberships.find(({ member_id }) => member_id === chosenId) ?? answer.memberships[0];
  if (chosen === undefined) return logIn();
  speak(languageOf([chosen.language, ...navigator.languages]));
  // The hour is part of it because "tomorrow" becomes "today".
  const state = JSON.stringify([answer.memberships, answer.now.slice(0, 13), chosen.member_id]);
  if (state === shown) return;
  shown = state;
  showHome({
    answer,
    chosen,
    language,
    choose: memberId => {
      chosenId = memberId;
      render(answer);
    },
    signOut: () => void api.signOut().then(() => logIn()),
    settled: () => plan(answer),
  });
};

/** Again in half a minute, or as soon as the next door opens for this guest. */
const plan = ({ memberships, now }: GuestAnswer): void => {
  clearTimeout(timer);
  const starts = memberships
    .flatMap(({ sites }) => sites.flatMap(({ gadgets }) => gadgets.flatMap(({ actions }) => actions)))
    .flatMap(({ allowed_from }) => (allowed_from === null ? [] : [Date.parse(allowed_from) - Date.parse(now)]));
  const soon = Math.min(REFRESH_MS, ...starts.map(wait => Math.max(wait, 0) + 1000));
  timer = window.setTimeout(() => void refresh(), soon);
};

/** Quietly: what is shown stays while the line is down or a door is moving. */
const refresh = async (): Promise<void> => {
  if (shown === '' || document.hidden || isBusy()) return void (timer = window.setTimeout(() => void refresh(), 5000));
  const answer = await api.me();
  if (answer.ok && !isBusy()) render(answer.value);
  if (answer.ok) return plan(answer.value);
  if (answer.failure.kind === 'refused' && answer.failure.type !== 'rate_limited') {
    return showFailure(answer.failure, () => void home());
  }
  timer = window.setTimeout(() => void refresh(), REFRESH_MS);
};

const home = async (): Promise<void> => {
  if (shown === '') showWaiting(language.words.loading);
  const answer = await api.me();
  if (!answer.ok) return showFailure(answer.failure, () => void home());
  goTo(HOME);
  render(answer.value);
  plan(answer.value);
};

/** Opened by a person's browser, not by whoever merely fetched the page. */
const openLink = async (token: string): Promise<void> => {
  showWaiting(language.words.openingLink);
  const answer = await api.openLink(token);
  if (answer.ok) {
    goTo(HOME);
    return home();
  }
  if (answer.failure.kind === 'refused' && answer.failure.type !== 'rate_limited') goTo(HOME);
  showFailure(answer.failure, () => void openLink(token));
};

speak(language);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void refresh();
});
const token = /^\/g\/([^/]+)/.exec(location.pathname)?.[1];
if (token !== undefined) void openLink(token);
else if (location.pathname.startsWith(LOGIN)) logIn();
else void home();
