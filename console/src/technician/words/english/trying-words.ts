import { plural } from './plural.ts';

export const heading = 'Try';
export const proveHeading = 'Prove it at the door';
export const prove =
  'A PIN or card of your own for 15 minutes. It works with every rule of this controller and nowhere else, and is logged as yours.';
export const makePin = 'Make a PIN';
export const useCard = 'Use a card';
export const holdCard = (time: string) => `Hold a card to any reader: ${time}`;
export const noCard = 'No card came.';
export const yourPin = 'Your PIN';
export const pinOnce = 'Shown here only. Type a code of a rule, then this PIN.';
export const pinHidden = 'The PIN was shown when it was made. Make a new one to see it.';
export const yourCard = (card: string) => `Card ${card}`;
export const left = (time: string) => `${time} left`;
export const uses = (count: number) =>
  count === 0 ? 'Not used yet' : `Opened something ${plural(count, 'time', 'times')}`;
export const end = 'End it';
export const wasGranted = 'It was granted. Did it move?';
export const others = 'Gadgets of other controllers refuse it.';
export const notClaimed = 'Claim the controller first: until then there is nothing to open.';
export const asHeading = 'Try as somebody';
export const as = 'What a PIN or card would do. Nothing moves.';
export const rule = 'Rule';
export const choice = (code: string, deed: string) => `${code || 'No code'}: ${deed}`;
export const credentialLegend = 'Credential';
export const pin = 'PIN';
export const card = 'Next card';
export const press = 'Try';
export const trying = 'Trying…';
export const wouldGrant = (deed: string) => `Would be granted: ${deed}`;
export const wouldDeny = (deed: string) => `Would be denied: ${deed}`;
export const commissioning = 'This is your own commissioning credential.';
export const member = (id: string) => `Belongs to member ${id}`;
export const decidesAgain = 'The controller of the gadget decides again.';
export const locked = 'Too many wrong PINs were tried. None is looked at for a while; cards are.';
export const busy = 'Somebody else waits for a card. One at a time.';
