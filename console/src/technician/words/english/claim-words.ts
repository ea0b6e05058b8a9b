export const heading = 'Claim this controller';
export const intro =
  'A claim ties the controller to an organization and a site. Without a line it waits, and completes by itself.';
export const replaceHeading = 'Replacing a dead controller?';
export const replace =
  'Use a ticket that was made for the old device. This hardware then becomes that device, with its name, gadgets, rules and people; the old hardware is locked out.';
export const profile = 'What is built in';
export const profileHint = 'From what is plugged in. The wiring follows the profile.';
export const profileFirst = 'First choose what is built in, below.';
export const otherProfiles = (count: number) => `${count} more`;
export const found = 'What was found';
export const profileFits = 'fits';
export const profileFound = (found: number, wanted: number) => `${found} of ${wanted} parts found`;
export const profileCurrent = 'in use';
export const choose = 'Use this profile';
export const fixed = {
  fixed_by_command: 'The profile was set when the controller was prepared.',
  already_claimed: 'The controller is claimed: its profile stays.',
  claim_waiting: 'A claim waits: its profile stays.',
} as Readonly<Record<string, string>>;
export const restarting = 'The controller restarts with it. This page comes back by itself.';
export const looking = 'Looking at what is plugged in…';
export const missing = 'Missing';
export const wayLegend = 'Claim with';
export const byTicket = 'Ticket';
export const byCode = 'Code';
export const ticket = 'Ticket';
export const ticketHint = 'Fetched at the desk beforehand. Paste it or its link, or scan it.';
export const ticketNew = 'Makes a new device';
export const ticketReplaces = 'Replaces a device: name, gadgets and rules come from it';
export const ticketOf = (bridge: string) => `Bridge ${bridge}`;
export const ticketUntil = (when: string) => `Good until ${when}`;
export const ticketOld = 'This ticket has expired. Fetch a new one.';
export const ticketUnreadable = 'This is not a ticket.';
export const code = 'Claim code';
export const codeHint = 'The short form of a ticket, from the desk. It needs a line.';
export const bridge = 'Address of the bridge';
export const bridgeHint = 'Such as https://doors.example.com';
export const notAddress = 'This is not an address.';
export const ownCertificate = 'The bridge made its own certificate';
export const authority = 'Fingerprint of its authority';
export const name = 'Name of the device';
export const namePlaceholder = 'Such as “Front door”';
export const gadgets = 'Doors and gadgets';
export const claim = 'Claim';
export const claiming = 'Handing it over…';
export const waitingHeading = 'Will complete when the line comes';
export const waiting =
  'The controller tries again by itself, also after a restart. Go on with everything else, or leave.';
export const steps = {
  kept: 'The controller has the claim',
  line: 'A line to the bridge',
  done: 'The bridge has made it a device',
};
export const lastTry = (message: string) => `Last try: ${message}`;
export const other = 'Use another ticket or code';
export const refused = 'The bridge refused the claim';
export const doneHeading = 'Claimed';
export const done =
  'The controller belongs to its organization now. From the next login on, a technician pass opens it.';
export const device = 'Device';
export const rules = 'Input rules';
export const goOn = 'Go on with the rules';
export const anewHeading = 'Does it change hands?';
export const anew =
  'It can be claimed anew by somebody at the board: press its setup button, log in with the setup code of the label, and go on here. At the same bridge, the old device has to be deleted before.';
export const stays = (why: string) =>
  `Not claimed anew, everything is as it was: ${why.includes('hardware_id') ? 'it still is a device of that bridge. Have that deleted at the desk, then try again.' : why}`;
export const anewStart = 'Claim it anew';
export const anewNeedsCode =
  'A pass does not do for this. Press the setup button on the board, log out, and log in with the setup code.';
export const anewSure = 'Take it from where it is?';
export const anewLoses =
  'Its rules, people and PINs go from this controller, and so do events that the bridge has not received yet. Nobody gets in until the new data has come.';
