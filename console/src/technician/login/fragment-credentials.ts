import { ObservableValue } from '../api/observable-value.ts';
import { type FragmentCredentials, parseUrlFragment } from './login-input.ts';

/** The credentials of the URL, moved to memory at once so that they stay out of the history and of shared links. */
export const fragmentCredentials = new ObservableValue<FragmentCredentials>(parseUrlFragment(''));

const moveToMemory = (): void => {
  const found = parseUrlFragment(location.hash);
  if (Object.values(found).every(value => value === null)) return;
  fragmentCredentials.set(found);
  history.replaceState(null, '', `${location.pathname}${location.search}#/${found.ticket === null ? '' : 'claim'}`);
  dispatchEvent(new HashChangeEvent('hashchange'));
};

/** Also watches for changes: a link that is opened in an open page changes only the fragment. */
export const watchFragmentCredentials = (): void => {
  moveToMemory();
  addEventListener('hashchange', moveToMemory);
};
