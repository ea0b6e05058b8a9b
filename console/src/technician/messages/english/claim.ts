export const heading = 'Claim this controller';
export const intro =
  'Claiming assigns the controller to an organization and a site. If the controller is offline, the claim completes when it is online.';
export const replaceHeading = 'Replacing a broken controller?';
export const replace =
  'Use a claim ticket that was created for the old device. This hardware takes over its name, gadgets, rules and people. The old hardware is locked out.';
export const profile = 'Hardware profile';
export const profileHint = 'Sorted by the hardware that was detected. The profile defines the wiring.';
export const profileFirst = 'Choose a hardware profile below first.';
export const otherProfiles = (count: number) => `${count} more`;
export const found = 'Detected hardware';
export const profileFits = 'matches';
export const profileFound = (found: number, wanted: number) => `${found} of ${wanted} parts detected`;
export const profileCurrent = 'in use';
export const choose = 'Use this profile';
export const fixed = {
  fixed_by_command: 'The profile was set at startup and cannot be changed here.',
  already_claimed: 'The controller is claimed. Its profile cannot be changed.',
  claim_waiting: 'A claim is pending. The profile cannot be changed until it completes.',
} as Readonly<Record<string, string>>;
export const restarting = 'The controller restarts with the new profile. This page reconnects automatically.';
export const detecting = 'Detecting hardware…';
export const missing = 'Missing parts';
export const methodLegend = 'Claim with';
export const byTicket = 'Ticket';
export const byCode = 'Code';
export const ticket = 'Claim ticket';
export const ticketHint =
  'Create it on the bridge before you leave. Paste the ticket or its link, or scan its QR code.';
export const ticketNew = 'Creates a new device';
export const ticketReplaces = 'Replaces a device and takes over its name, gadgets and rules';
export const ticketBridge = (bridge: string) => `Bridge ${bridge}`;
export const validUntil = (when: string) => `Valid until ${when}`;
export const ticketExpired = 'This ticket has expired. Create a new one on the bridge.';
export const ticketInvalid = 'This is not a claim ticket. Copy the whole ticket and try again.';
export const code = 'Claim code';
export const codeHint = 'The short form of a claim ticket. The controller must be online.';
export const bridge = 'Bridge address';
export const bridgeHint = 'For example https://doors.example.com';
export const invalidAddress = 'This is not a valid address. Enter an address like https://doors.example.com.';
export const selfSigned = 'The bridge uses its own certificate authority';
export const authority = 'Fingerprint of the certificate authority';
export const name = 'Device name';
export const namePlaceholder = 'For example “Front door”';
export const gadgets = 'Doors and gadgets';
export const claim = 'Claim';
export const claiming = 'Claiming…';
export const pendingHeading = 'The claim completes when the controller is online';
export const pending =
  'The controller retries automatically, also after a restart. You can continue with the other steps or leave.';
export const steps = {
  saved: 'Claim saved on the controller',
  connection: 'Connection to the bridge',
  registered: 'Device registered at the bridge',
};
export const lastAttempt = (message: string) => `Last attempt: ${message}`;
export const useOther = 'Use another ticket or code';
export const rejected = 'The bridge rejected the claim';
export const claimedHeading = 'Claimed';
export const claimed =
  'The controller belongs to your organization. From now on, sign in with a technician pass for this site.';
export const device = 'Device';
export const rules = 'Input rules';
export const continueWithRules = 'Continue with the rules';
export const transferHeading = 'Transferring this controller?';
export const transfer =
  'To claim this controller for another organization or site, press its setup button, sign in with the setup code on the label and continue here. If the bridge stays the same, delete the old device there first.';
export const notTransferred = (why: string) =>
  `The controller was not claimed again and nothing has changed: ${why.includes('hardware_id') ? 'the bridge still has the old device. Delete that device on the bridge and try again.' : why}`;
export const claimAgain = 'Claim again';
export const transferNeedsCode =
  'Claiming again requires the setup code. Press the setup button on the controller, sign out, and sign in with the setup code.';
export const confirmTransfer = 'Remove the controller from its organization?';
export const transferLoses =
  'This deletes the rules, people and PINs on this controller, and all events that the bridge has not received yet. Nobody can open its doors until the new data arrives.';
