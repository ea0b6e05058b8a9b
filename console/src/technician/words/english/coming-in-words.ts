export const looking = 'Looking for the controller…';
export const lookingHint = 'Is the phone on its network, or on its setup hotspot?';
export const product = (product: string, firmware: string) => `${product}, firmware ${firmware}`;
export const unclaimed = 'Not claimed yet: the setup code on its label opens it.';
export const claimed =
  'Claimed: a technician pass of its site opens it. The button on the board brings the setup code back.';
export const endedHeading = 'Log in again';
export const ended = 'The session has ended. Everything below is as you left it.';
export const wayLegend = 'Come in with';
export const byCode = 'Setup code';
export const byPass = 'Pass';
export const code = 'Setup code on the label';
export const codeHint = 'Twelve letters and digits. O and 0, I and 1 are taken alike.';
export const pass = 'Technician pass';
export const passHint = 'Paste the pass or its whole link, or scan it.';
export const enter = 'Log in';
export const entering = 'Logging in…';
export const throttled = 'Too many wrong codes. None is taken for a while; a pass still opens it.';
export const wrongCode = 'That is not the setup code of this controller.';
export const warningHeading = 'Why did the browser warn?';
export const warning =
  'The controller makes its own certificate: nobody on the internet can vouch for an address in this building. The connection is encrypted all the same.';
export const warningCheck =
  'To be sure that nobody is in between, open the certificate (the sign beside the address) and compare its SHA-256 fingerprint with the label. This page can only tell what it should be:';
export const fingerprint = 'Fingerprint';
export const labelMatches = 'The same as in the QR code that you scanned.';
export const labelDiffers =
  'Not the one in the QR code that you scanned. Stop: this is another controller, or somebody is in between.';
