export const claimHeading = 'Claim this controller';
export const claimIntroText =
  'Claiming assigns the controller to an organization and a site. If the controller is offline, the claim completes when it is online.';
export const replaceControllerHeading = 'Replacing a broken controller?';
export const replaceControllerHint =
  'Use a claim ticket that was created for the old device. This hardware takes over its name, gadgets, rules and people. The old hardware is locked out.';
export const hardwareProfileHeading = 'Hardware profile';
export const hardwareProfileHint = 'Sorted by the hardware that was detected. The profile defines the wiring.';
export const chooseProfileFirstText = 'Choose a hardware profile below first.';
export const otherProfileCountText = (count: number) => `${count} more`;
export const detectedHardwareHeading = 'Detected hardware';
export const profileMatchesBadge = 'matches';
export const detectedPartCountText = (found: number, wanted: number) => `${found} of ${wanted} parts detected`;
export const profileInUseBadge = 'in use';
export const selectProfileButton = 'Use this profile';
export const profileLockedReasonTexts = {
  fixed_by_command: 'The profile was set at startup and cannot be changed here.',
  claim_waiting: 'A claim is pending. The profile cannot be changed until it completes.',
} as Readonly<Record<string, string>>;
export const restartingWithProfileText =
  'The controller restarts with the new profile. This page reconnects automatically.';
export const detectingHardwareText = 'Detecting hardware…';
export const missingPartsHeading = 'Missing parts';
export const claimMethodLegend = 'Claim with';
export const claimTicketMethodLabel = 'Ticket';
export const claimCodeMethodLabel = 'Code';
export const claimTicketLabel = 'Claim ticket';
export const claimTicketHint =
  'Create it on the bridge before you leave. Paste the ticket or its link, or scan its QR code.';
export const ticketCreatesDeviceText = 'Creates a new device';
export const ticketReplacesDeviceText = 'Replaces a device and takes over its name, gadgets and rules';
export const ticketBridgeNameText = (bridge: string) => `Bridge ${bridge}`;
export const ticketValidUntilText = (when: string) => `Valid until ${when}`;
export const ticketExpiredText = 'This ticket has expired. Create a new one on the bridge.';
export const ticketInvalidText = 'This is not a claim ticket. Copy the whole ticket and try again.';
export const claimCodeLabel = 'Claim code';
export const claimCodeHint = 'The short form of a claim ticket. The controller must be online.';
export const bridgeAddressLabel = 'Bridge address';
export const bridgeAddressHint = 'For example https://doors.example.com';
export const invalidBridgeAddressText = 'This is not a valid address. Enter an address like https://doors.example.com.';
export const ownAuthorityLabel = 'The bridge uses its own certificate authority';
export const authorityFingerprintLabel = 'Fingerprint of the certificate authority';
export const deviceNameLabel = 'Device name';
export const deviceNamePlaceholder = 'For example “Front door”';
export const gadgetsHeading = 'Doors and gadgets';
export const claimButton = 'Claim';
export const claimInProgressText = 'Claiming…';
export const pendingClaimHeading = 'The claim completes when the controller is online';
export const pendingClaimHint =
  'The controller retries automatically, also after a restart. Until then you can test relays, keypads, readers and contacts. Doors, input rules and commissioning PINs exist only after the claim: come back then, or set the rules in the console. You can leave.';
export const pendingClaimStepTexts = {
  saved: 'Claim saved on the controller',
  connection: 'Connection to the bridge',
  registered: 'Device registered at the bridge',
};
export const lastAttemptErrorText = (message: string) => `Last attempt: ${message}`;
export const changeClaimCredentialButton = 'Use another ticket or code';
export const claimRejectedText = 'The bridge rejected the claim';
export const claimedHeading = 'Claimed';
export const waitsForConfirmationText =
  'The controller waits for an administrator’s confirmation. Until then no member can open with it. Rules, tests and commissioning credentials work. Tell the administrator this fingerprint:';
export const keyFingerprintLabel = 'Fingerprint of the controller';
export const claimedHint =
  'The controller belongs to your organization. From now on, sign in with a technician pass for this site.';
export const deviceLabel = 'Device';
export const inputRulesLabel = 'Input rules';
export const continueWithRulesButton = 'Continue with the rules';
export const transferControllerHeading = 'Transferring this controller?';
export const transferControllerHint =
  'To claim this controller for another organization or site, press its setup button, sign in with the setup code on the label and continue here. If the bridge stays the same, delete the old device there first.';
export const transferControllerFailedText = (why: string) =>
  `The controller was not claimed again and nothing has changed: ${why.includes('hardware_id') ? 'the bridge still has the old device. Delete that device on the bridge and try again.' : why}`;
export const claimAgainButton = 'Claim again';
export const transferNeedsSetupCodeText =
  'Claiming again requires the setup code. Press the setup button on the controller, sign out, and sign in with the setup code.';
export const transferControllerQuestion = 'Remove the controller from its organization?';
export const transferControllerWarning =
  'This deletes the rules, people and PINs on this controller, and all events that the bridge has not received yet. Nobody can open its doors until the new data arrives.';
export const changeHardwareHeading = 'Other hardware?';
export const changeHardwareHint =
  'If the wrong hardware profile was chosen, or the relays or readers were replaced by others, change the profile. You see what changes first.';
export const changeProfileHeading = (name: string) => `Change to ${name}?`;
export const profileGadgetText = (gadget: string, now: string | null, next: string | null) => {
  if (next === null) return `${gadget}: no hardware in this profile. It stays in the system, but nothing moves.`;
  return now === next
    ? `${gadget}: stays on ${next}.`
    : `${gadget}: moves to ${next}${now === null ? '' : ` (now ${now})`}.`;
};
export const ruleWithoutHardwareText = (code: string, gadget: string) =>
  `${code === '' ? 'The default rule' : `Rule ${code}`} selects ${gadget}, which has no hardware.`;
export const lostReaderUnitText = (station: string) => `Reader unit ${station} is not part of this profile.`;
export const changeProfileHint =
  'People keep their permissions. The controller restarts, and all doors are closed meanwhile. Wire it as in the new profile, then test every part again: earlier test results are deleted.';
export const confirmProfileButton = 'Change and restart';
export const keepProfileButton = 'Cancel';
