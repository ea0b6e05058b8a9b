export const sitesMessages = {
  add: 'Add site',
  edit: (name: string) => `Edit ${name}`,
  name: 'Name',
  timezone: 'Time zone',
  timezoneHint: 'Schedules and dates apply in this time zone, for example Europe/Madrid.',
  coordinates: 'Location (optional)',
  coordinatesHint: 'Latitude and longitude. Rules that require presence need it.',
  radius: 'Radius in meters',
  radiusHint: 'A phone counts as present within this distance.',
  errors: {
    name: 'Enter a name.',
    timezone: 'This time zone does not exist. Choose one from the list.',
    coordinates: 'Enter latitude and longitude, for example 41.4036, 2.1744.',
    radius: 'Enter a number of meters.',
  },
  localTime: (time: string, zone: string) => `Local time ${time} (${zone})`,
  unknownTimezone: (time: string, zone: string) =>
    `This browser does not know the time zone ${zone}. Times are shown in UTC: ${time}.`,
  noTimezone: 'No time zone. Schedules do not apply; edit the site.',
  empty: 'No doors or controllers here yet.',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: 'The site has no controllers. Its events stay in the activity. You can restore the site later.',
  deleteWithDevicesText:
    'The site has controllers. They are deleted too, with their doors and the rules and triggers of these doors. The doors stop opening at once. You can restore the site with all of them later:',
  deleteWithDevices: 'Delete with controllers and doors',
  deleted: (count: number) => (count === 1 ? '1 deleted site' : `${count} deleted sites`),
  restore: (name: string) => `Restore ${name}`,
  restoreTitle: (name: string) => `Restore ${name}?`,
  restoreText:
    'The site returns with the controllers and doors that were deleted with it, except for controllers that were claimed again since. The doors open again for everyone whose groups allow it.',
  restored: (name: string) => `${name} is restored`,
};
