/** How the page reaches the controller, which depends on the server of the page. */
export type ControllerEndpoint =
  | { readonly kind: 'local'; readonly base: string; readonly isRemote: false }
  /** Through the bridge, with the login of the bridge and without actions that require presence at the controller. */
  | { readonly kind: 'remote'; readonly base: string; readonly isRemote: true }
  /** At the bridge, before a controller is selected. */
  | { readonly kind: 'device_list'; readonly base: string; readonly isRemote: true };

const LOCAL = '/technician/v1';

export const parseTechnicianPagePath = (path: string): ControllerEndpoint => {
  const [, page, devices, device, ...rest] = path.replace(/\/+$/, '').split('/');
  if (page !== 'technician') return { kind: 'local', base: LOCAL, isRemote: false };
  if (devices === undefined) return { kind: 'device_list', base: '/admin/v1', isRemote: true };
  const isDevice = devices === 'devices' && device !== undefined && rest.length === 0;
  if (!isDevice) return { kind: 'local', base: LOCAL, isRemote: false };
  return { kind: 'remote', base: `/admin/v1/devices/${device}${LOCAL}`, isRemote: true };
};
