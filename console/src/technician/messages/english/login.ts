export const connectingToControllerText = 'Connecting to the controller…';
export const connectingHint = 'Check that the phone is on the network or the setup hotspot of the controller.';
export const productAndFirmwareText = (product: string, firmware: string) => `${product}, firmware ${firmware}`;
export const signInUnclaimedText = 'Not claimed yet. Sign in with the setup code on the label.';
export const signInClaimedText =
  'Already claimed. Sign in with a technician pass for this site, or press the setup button to use the setup code.';
export const sessionExpiredHeading = 'Sign in again';
export const sessionExpiredHint = 'Your session has expired. Your unsaved work is still on this page.';
export const loginMethodLegend = 'Sign in with';
export const setupCodeMethodLabel = 'Setup code';
export const technicianPassMethodLabel = 'Technician pass';
export const setupCodeLabel = 'Setup code on the label';
export const setupCodeHint = '12 letters and digits. You can type O for 0 and I for 1.';
export const getTechnicianPassButton = 'Get a technician pass';
export const getTechnicianPassHint = (bridge: string) =>
  `Opens ${bridge}, where you confirm with your account. Only this step requires internet.`;
export const getNewTechnicianPassButton = 'Get a new pass';
export const storedTechnicianPassHint = (until: string) => `This browser has a technician pass. Valid until ${until}.`;
export const technicianPassOfOtherBrowserText =
  'This technician pass was issued for another browser. Get a pass in this browser.';
export const cannotStoreTechnicianPassText =
  'This browser cannot keep the key of a technician pass. Leave private browsing or use another browser.';
export const signInButton = 'Sign in';
export const signInInProgressText = 'Signing in…';
export const setupCodeLockedOutText =
  'Too many wrong setup codes. Wait until you can try again, or use a technician pass.';
export const wrongSetupCodeText = 'Wrong setup code. Check the label of this controller and try again.';
export const browserWarningHeading = 'Why does the browser show a warning?';
export const browserWarningReasonText =
  'The controller uses its own certificate, because public certificates are not available for addresses on a local network. The connection is encrypted.';
export const fingerprintCheckHint =
  'To check that you are connected to this controller, open the certificate in the address bar and compare its SHA-256 fingerprint with the label. It should be:';
export const fingerprintLabel = 'Fingerprint';
export const fingerprintMatchesLabelText = 'Matches the QR code that you scanned.';
export const fingerprintDiffersFromLabelText =
  'Does not match the QR code that you scanned. Stop: this is another controller, or the connection is intercepted.';
