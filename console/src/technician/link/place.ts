/** Where the page is served from, and so how the controller is reached. */
export type Place =
  | { readonly kind: 'door'; readonly base: string; readonly isRemote: false }
  /** Through the bridge: its session stands for the login, and what needs somebody at the board is not offered. */
  | { readonly kind: 'afar'; readonly base: string; readonly isRemote: true }
  /** At the bridge, with no controller chosen yet. */
  | { readonly kind: 'list'; readonly base: string; readonly isRemote: true };

const LOCAL = '/technician/v1';

export const placeOf = (path: string): Place => {
  const [, room, devices, device, ...rest] = path.replace(/\/+$/, '').split('/');
  if (room !== 'technician') return { kind: 'door', base: LOCAL, isRemote: false };
  if (devices === undefined) return { kind: 'list', base: '/admin/v1', isRemote: true };
  const isDevice = devices === 'devices' && device !== undefined && rest.length === 0;
  if (!isDevice) return { kind: 'door', base: LOCAL, isRemote: false };
  return { kind: 'afar', base: `/admin/v1/devices/${device}${LOCAL}`, isRemote: true };
};
