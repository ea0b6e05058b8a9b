/** Texts that only browsers with Bluetooth load. */
export const englishNearbyMessages = {
  title: 'Open nearby doors',
  setUpHint: 'Open doors over Bluetooth, also without internet. The key stays on this phone.',
  setUp: 'Set up this phone',
  settingUp: 'Setting up…',
  hint: 'Go to the door, then choose it in the list of your browser.',
  open: 'Open over Bluetooth',
  connecting: 'Connecting…',
  off: 'Bluetooth is switched off. Switch it on and try again.',
  notChosen: 'No door was chosen. Go to the door and try again.',
  notAllowed: 'Allow this page to use Bluetooth and try again.',
  connectionLost: 'The connection to the door was lost. Go closer and try again.',
  unknown: 'This is none of your doors. Choose another one.',
  denied: 'The door denied access to this phone. Use your PIN or card, or contact your host.',
  tooSlow: 'The connection was too slow. Hold your phone closer to the door and try again.',
  busy: 'The door is busy. Wait a moment and try again.',
  phoneLimit: 'You have set up too many phones. Ask your host to remove one.',
};

export type NearbyMessages = typeof englishNearbyMessages;
