import type { ReadBundle } from './bundle.ts';
import { profileOf } from './bundled-profile.ts';

/** What nobody can know from this bundle, said before anybody relies on it. */
export const untold = (read: ReadBundle): readonly string[] => {
  const { bundle, events, unreadable } = read;
  const [first] = events;
  const isWhole = first === undefined || first.sequence <= 1;
  const stations = bundle.status.stations.length;
  return [
    'PINs, card numbers and names are not in a bundle. Each credential that was used has an invented one here.',
    'Who may do what and when is not in it either: the stand-ins may do everything, and denials for such a reason are not judged again.',
    'Keys that led to no decision left no trace.',
    ...(isWhole ? [] : [`Events before number ${first.sequence} are not in it.`]),
    ...(profileOf(read).isShipped
      ? [`Its profile cannot be read here: that of ${bundle.status.product_id} as it is shipped was taken.`]
      : []),
    ...(unreadable === 0 ? [] : [`${unreadable} events are of a kind that this version does not know.`]),
    ...(stations > 1
      ? [`Events do not say at which of the ${stations} stations: all inputs are played at the first.`]
      : []),
    ...(events.some(({ time_trusted }) => !time_trusted) ? ['Some times are of a clock that was not trusted.'] : []),
    ...(bundle.status.rules.pending || bundle.status.rules.conflict
      ? [
          'The rules were edited at the door and not settled with the bridge: those in the bundle are those that held at the door.',
        ]
      : []),
  ];
};
