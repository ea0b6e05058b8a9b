export const heading = 'Controllers';
export const none = 'No claimed controllers at this site yet.';
export const noSites = 'You have no sites yet. Ask an administrator for access.';
export const online = 'online';
export const offline = 'offline';
export const offlineAccess = 'Working offline';
export const offlineHint =
  'Get these before you leave. A technician pass opens all controllers of this site for 7 days. A claim ticket claims one controller.';
export const pass = 'Technician pass';
export const createPass = 'Create a technician pass';
export const ticket = 'Claim ticket';
export const createTicket = 'Create a claim ticket';
export const ticketFor = 'Ticket for';
export const newDevice = 'New device';
export const replaces = (name: string) => `Replacement for ${name}`;
export const code = (bridge: string) =>
  `If the controller is online, you can enter this claim code and the bridge address ${bridge} instead:`;
export const copy = 'Copy';
export const copied = 'Copied';
export const openLocally = (name: string) => `Open ${name} on the local network`;
