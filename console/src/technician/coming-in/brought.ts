import { Store } from '../link/store.ts';
import { type Brought, broughtBy } from './fragment.ts';

/**
 * What the address brought along, kept in memory and taken out of the address at once: it would stay in the history, on
 * the screen and in every link that is passed on.
 */
export const brought = new Store<Brought>(broughtBy(''));

const take = (): void => {
  const found = broughtBy(location.hash);
  if (Object.values(found).every(value => value === null)) return;
  brought.set(found);
  history.replaceState(null, '', `${location.pathname}${location.search}#/${found.ticket === null ? '' : 'claim'}`);
  dispatchEvent(new HashChangeEvent('hashchange'));
};

/** A link that is opened into a page that is open already changes nothing but the part behind the `#`. */
export const watchAddress = (): void => {
  take();
  addEventListener('hashchange', take);
};
