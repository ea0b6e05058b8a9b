export const appTitle = 'Technician';
export const loadingInProgressText = 'Loading…';
export const screenNames = {
  overview: 'Overview',
  claim: 'Claim',
  rules: 'Rules',
  live: 'Live',
  try: 'Try',
  tests: 'Tests',
  report: 'Report',
};
export const screenMenuLabel = 'Screens';
export const connectionStateNames = {
  connecting: 'Connecting',
  live: 'Connected',
  lost: 'Connection lost. Reconnecting',
  full: 'Connected. Live view off: too many open pages',
  forbidden: 'Connected. Live view off: your role does not show events',
};
export const remoteSessionBadge = 'Remote';
export const allControllersLink = 'All controllers';
export const pageErrorTexts = {
  title: 'This page has an error',
  text: 'The screen cannot be shown. Reload the page. If the error remains, report it with the log of the browser.',
  reload: 'Reload the page',
};
export const signOutButton = 'Sign out';
export const cancelButton = 'Cancel';
export const retryCountdownText = (time: string) => `Wait ${time}`;
export const controllerNotRespondingText =
  'The controller does not respond. Your changes are kept. Check the connection and try again.';
export const formatCountdown = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
export const openingNotPermittedText =
  'Your role does not permit opening doors and switching outputs remotely. Test it at the controller, or ask an administrator.';
export const operationNotPermittedText = (reason: string) => `Not permitted remotely. ${reason}`;
export const eventsNotPermittedText =
  'Your role does not permit viewing events remotely. Sign in at the controller with a technician pass, or ask an administrator.';
