export const title = 'Technician';
export const loading = 'Loading…';
export const screens = {
  overview: 'Overview',
  claim: 'Claim',
  rules: 'Rules',
  live: 'Live',
  try: 'Try',
  tests: 'Tests',
  report: 'Report',
};
export const menu = 'Screens';
export const link = {
  connecting: 'Connecting',
  live: 'Connected',
  lost: 'Connection lost. Reconnecting',
  full: 'Connected. Live view off: too many open pages',
};
export const remote = 'Remote';
export const logout = 'Sign out';
export const cancel = 'Cancel';
export const wait = (time: string) => `Wait ${time}`;
export const notAnswering =
  'The controller does not respond. Your changes are kept. Check the connection and try again.';
export const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
