import { formatCount } from '../../../components/texts/format-count.ts';

export const credentialTestHeading = 'Try credentials';
export const commissioningCredentialHeading = 'Test a rule at the keypad';
export const commissioningCredentialIntroText =
  'Creates a temporary PIN or card for you. It is valid for 15 minutes, works with every rule of this controller and is logged as yours.';
export const createPinButton = 'Create a PIN';
export const createCardCredentialButton = 'Use a card';
export const presentCardPrompt = (time: string) => `Present a card to any reader: ${time}`;
export const preparingReaderText = 'Wait: the controller is not ready for a card yet.';
export const noCardPresentedText = 'No card was presented. Try again.';
export const yourPinLabel = 'Your PIN';
export const pinShownOnceText = 'Shown once. Type the code of a rule, then this PIN.';
export const pinNoLongerShownText = 'The PIN was shown when it was created. Create a new one to see it.';
export const maskedCardUidText = (card: string) => `Card ${card}`;
export const credentialTimeLeftText = (time: string) => `${time} left`;
export const credentialUseCountText = (count: number) =>
  count === 0 ? 'Not used yet' : `Used ${formatCount(count, 'time', 'times')}`;
export const deleteCredentialButton = 'Delete it now';
export const accessWasGrantedText = 'Access was granted. Did it move?';
export const ownGadgetsOnlyText = 'It works only for gadgets of this controller.';
export const controllerNotClaimedText = 'This controller is not claimed yet. Claim it first.';
export const setupCodeEndedText =
  'The controller is claimed now. Press its setup button and try again, or sign in through the bridge.';
export const credentialCheckHeading = 'Check a PIN or card';
export const credentialCheckIntroText = 'Shows what a PIN or card would do. Nothing moves.';
export const inputRuleLabel = 'Rule';
export const inputRuleOptionLabel = (code: string, action: string) => `${code || 'No code'}: ${action}`;
export const credentialLegend = 'Credential';
export const pinLabel = 'PIN';
export const nextCardLabel = 'Next card';
export const checkCredentialButton = 'Check';
export const checkInProgressText = 'Checking…';
export const wouldBeGrantedText = (action: string) => `Would be granted: ${action}`;
export const wouldBeDeniedText = (action: string) => `Would be denied: ${action}`;
export const temporaryCredentialNotice = 'This is your temporary credential.';
export const otherControllerDecidesText = 'The controller of the gadget makes the final decision.';
export const pinEntryLockedOutText =
  'Too many wrong PINs. PIN entry is locked until the countdown ends; cards still work.';
export const readerInUseText = 'Another technician is waiting for a card. Try again in 30 seconds.';
