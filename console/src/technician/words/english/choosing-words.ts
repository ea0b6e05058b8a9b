export const heading = 'Controllers';
export const none = 'No controller is claimed yet, or none is yours to work on.';
export const online = 'online';
export const offline = 'offline';
export const visit = 'For a visit without a line';
export const visitHint =
  'Fetch these before you go. The pass opens the controllers of this site for 7 days; a ticket claims one new controller.';
export const pass = 'Technician pass';
export const ticket = 'Claim ticket';
export const copy = 'Copy';
export const copied = 'Copied.';
export const atDoor = (name: string) => `${name}, on its own network`;
