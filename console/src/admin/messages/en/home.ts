export const homeMessages = {
  title: 'Home',
  doors: 'Doors',
  allDoors: (count: number) => `All ${count} doors`,
  attention: 'Needs attention',
  allWell: 'Everything is working. No controller, door or webhook needs attention.',
  since: (when: string) => `since ${when}`,
  wasUnlocked: (name: string) => `${name} was unlocked when its controller was last connected`,
  notCurrent: (when: string) => `No connection to the bridge. This was the state at ${when}.`,
  attentionKinds: {
    door_unlocked: (name: string) => `${name} is unlocked`,
    device_unconfirmed: (name: string) => `The controller of ${name} waits for your confirmation`,
    replaced_controller: (name: string, address: string | null) =>
      `A replaced controller of ${name} tried to log in${address === null ? '' : ` from ${address}`}. Switch it off, or claim it again`,
    credentials_pending: (name: string) => `${name} does not have all credentials yet`,
    input_rules_conflict: (name: string) => `The input rules of ${name} were changed in two places`,
    update_waiting: (name: string) => `An update for ${name} is waiting`,
    update_halted: () => 'A roll-out is halted',
    webhook_failing: () => 'A webhook receiver does not accept events',
  } as Readonly<Record<string, (name: string, address: string | null) => string>>,
  incidents: {
    bridge_behind:
      'The bridge was restored from older data. Revoked credentials stay revoked. Check members and access rights, and enter missing changes again',
    clock_ahead:
      'The clock of the bridge is ahead of the time that it expects: it is wrong, or the bridge was stopped for long. Nothing is deleted by this clock yet. Check the time',
    controller_ahead:
      'A controller reports data that this bridge has never sent. It may be compromised. Check it, reset it and claim it again',
    device_event_flood:
      'A controller sends more events than can happen at its doors. It may be compromised or defective. Check it, reset it and claim it again',
    rules_refused:
      'A controller reported changed input rules without proof that a technician may set them. The bridge did not apply them. Check the controller',
  } as Readonly<Record<string, string>>,
  bridgeClock: {
    clock: 'Clock of the bridge',
    expected: 'Expected time',
    confirm: 'The time is right',
    title: 'Is the time of the bridge right?',
    text: 'Compare it with another clock. If you confirm it, members whose stay has ended by then and history beyond its retention are deleted for good. If it is wrong, have the operator correct it: this notice then goes away by itself.',
    confirmed: 'The time is confirmed',
  },
  controller: 'a controller',
  recent: 'Recent activity',
  chart: 'Openings and denials',
  chartPeriod: 'Period',
  chartPeriods: { day: 'Last 24 hours', week: 'Last 7 days' },
  busiest: 'Busiest doors',
  openings: 'Openings',
  denials: 'Denials',
  chartSummary: (openings: number, denials: number) =>
    `${openings} ${openings === 1 ? 'opening' : 'openings'} and ${denials} ${denials === 1 ? 'denial' : 'denials'}`,
};
