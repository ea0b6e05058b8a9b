export const title = 'Technician';
export const loading = 'One moment…';
export const screens = {
  overview: 'Overview',
  claim: 'Claim',
  rules: 'Rules',
  live: 'Live',
  trying: 'Try',
  tests: 'Tests',
  report: 'Report',
};
export const menu = 'Screens';
export const link = {
  connecting: 'Connecting',
  live: 'Connected',
  lost: 'No answer. Trying again by itself',
  full: 'Connected; too many pages look at it live',
};
export const remote = 'Through the bridge';
export const logout = 'Log out';
export const cancel = 'Cancel';
export const wait = (time: string) => `Wait ${time}`;
export const notAnswering = 'The controller does not answer. What you typed is kept.';
export const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
