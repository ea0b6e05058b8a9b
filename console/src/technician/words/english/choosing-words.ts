export const heading = 'Controllers';
export const none = 'No controller is claimed here yet.';
export const noSites = 'No site is yours to work on.';
export const online = 'online';
export const offline = 'offline';
export const visit = 'For a visit without a line';
export const visitHint =
  'Fetch these before you go. The pass opens the controllers of this site for 7 days; a ticket claims one controller.';
export const pass = 'Technician pass';
export const ticket = 'Claim ticket';
export const ticketFor = 'Ticket for';
export const newDevice = 'a new device';
export const replaces = (name: string) => `${name}, on other hardware`;
export const code = (bridge: string) => `Or, where it has a line, this code and the address ${bridge}`;
export const copy = 'Copy';
export const copied = 'Copied.';
export const atDoor = (name: string) => `${name}, on its own network`;
