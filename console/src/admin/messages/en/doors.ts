export const doors = {
  title: 'Doors',
  subtitle: (doors: number, devices: number) =>
    `${doors} ${doors === 1 ? 'door' : 'doors'} on ${devices} ${devices === 1 ? 'controller' : 'controllers'}`,
  filter: 'Filter by name',
  online: 'Online',
  offline: 'Offline',
  stateUnknown: 'State unknown',
  emptyTitle: 'No doors yet',
  emptyText: 'A technician adds doors by claiming a controller on site.',
  noMatch: 'No door has this name.',
  controller: (name: string) => `Controller: ${name}`,
  open: (action: string, door: string) => `${action}: ${door}`,
  confirmTitle: (action: string, door: string) => `${action} ${door}?`,
  confirmText: 'The door reacts immediately. The activity log records your name.',
  confirm: (action: string) => action,
  opening: 'Sending…',
  done: (action: string, door: string) => `${door}: ${action} – done`,
};
