import { formatCount } from '../../../components/texts/format-count.ts';

export const noIssuesFoundText = 'No issues found';
export const warningCountText = (count: number) => `${formatCount(count, 'issue needs', 'issues need')} attention`;
export const faultCountText = (count: number) => formatCount(count, 'fault', 'faults');
export const checkInProgressText = 'Checking…';
export const passedCheckCountText = (count: number) => `${formatCount(count, 'check', 'checks')} passed`;
export const healthStateNames = { ok: 'ok', warn: 'warning', fail: 'fault', unknown: 'not run' };
export const installationStepsHeading = 'Installation steps';
export const installationStepTexts = {
  profile: 'Choose the hardware profile',
  claim: 'Claim the controller',
  claimPending: 'Claim pending: waiting for the bridge',
  rules: 'Set the input rules',
  rulesDone: (count: number) => formatCount(count, 'input rule', 'input rules'),
  ruleTest: 'Test a rule at the keypad',
  tests: 'Test the hardware',
  testsDone: (done: number, all: number) => `${done} of ${all} tests done`,
  report: 'Print the installation report',
};
export const gadgetsHeading = 'Doors and gadgets';
export const noGadgetsYetText =
  'None yet. They are added when the controller is claimed. Until then, test relays, contacts and readers.';
export const detailsHeading = 'Details';
export const siteLabel = 'Site';
export const bridgeLabel = 'Bridge';
export const bridgeConnectedText = 'Connected';
export const onlyGatewayConnectedText = 'Gateway connected, bridge not reachable';
export const bridgeOfflineText = 'Offline. Doors keep working';
export const notClaimedText = 'Not claimed yet';
export const controllerReplacedText = 'Refused: this controller was replaced';
export const accessDataLabel = 'Access data';
export const noAccessDataYetText = 'Not received yet';
export const accessDataAgeText = (age: string) => `${age} old`;
export const waitingEventsLabel = 'Events waiting';
export const clockLabel = 'Clock';
export const clockTrustedText = (source: string) => `trusted (${source})`;
export const clockNotTrustedText = 'not trusted: time-limited access is denied';
export const firmwareLabel = 'Firmware';
export const uptimeLabel = 'Uptime';
export const downloadSupportBundleButton = 'Download the support file';
export const supportBundleNotPermittedText =
  'The support bundle contains events, which your role does not permit viewing remotely. Download it at the controller.';
export const downloadSupportBundleHint = 'For support. Contains no PINs, cards, codes or names.';
