import type { ParsedSupportBundle } from './read-support-bundle.ts';
import { selectReplayProfile } from './select-replay-profile.ts';

/** Sentences about what a replay of this bundle cannot show. */
export const describeReplayLimitations = (read: ParsedSupportBundle): readonly string[] => {
  const { bundle, events, unreadable } = read;
  const [first] = events;
  const isComplete = first === undefined || first.sequence <= 1;
  const stations = bundle.status.stations.length;
  return [
    'A bundle contains no PINs, card numbers or names. The replay uses invented credentials.',
    'A bundle contains no permissions. All members may do everything, and denials by permission are not compared.',
    'Keys that led to no decision are not recorded.',
    ...(isComplete ? [] : [`Events before number ${first.sequence} are missing.`]),
    ...(selectReplayProfile(read).isShipped
      ? [`The profile in the bundle is invalid. The shipped profile ${bundle.status.product_id} was used.`]
      : []),
    ...(unreadable === 0 ? [] : [`${unreadable} events cannot be read by this version.`]),
    ...(stations > 1
      ? [`Events do not name the station (of ${stations}). All inputs are replayed at the first station.`]
      : []),
    ...(events.some(({ time_trusted }) => !time_trusted) ? ['Some times are from an untrusted clock.'] : []),
    ...(bundle.status.rules.pending || bundle.status.rules.conflict
      ? [
          'The rules were edited at the controller and not yet synchronized with the bridge. The replay uses the rules of the controller.',
        ]
      : []),
  ];
};
