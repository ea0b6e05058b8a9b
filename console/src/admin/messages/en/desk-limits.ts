export const deskLimitsMessages = {
  title: 'Front desk',
  mayGive: 'The front desk may give this group.',
  mayNotGive: 'The front desk may not give this group.',
  byDefault: (doors: number) =>
    doors <= 1 ? 'Default for a group that opens at most one door.' : `Default for a group that opens ${doors} doors.`,
  decided: 'An administrator has decided this.',
  allow: 'Allow',
  forbid: 'Do not allow',
  useDefault: 'Use the default',
  allowTitle: (group: string) => `Let the front desk give ${group}?`,
  allowText: 'Every user with the role front desk can then give anybody a PIN, a link or a card that opens:',
  groupClosed: 'Only an administrator may give this group.',
  noGroupForDoor: 'No group opens only this door. Ask an administrator to create one.',
  stayTooLong: (days: number) => `The front desk may give at most ${days} days. Choose an earlier end.`,
  errorGroup: (group: string) =>
    `The front desk may not give the group ${group}, nor change or show what opens its doors. Ask an administrator.`,
  longestStay: 'Longest stay in days',
  longestStayHint:
    'The front desk may give access for this long, counted from the start of the stay. Empty means no limit. Which groups it may give is on the page of each group.',
};
