import { useStore } from '../link/store.ts';
import { visit } from '../link/use-visit.ts';
import * as comingInWords from '../words/english/coming-in-words.ts';
import { brought } from './brought.ts';

const plain = (fingerprint: string): string => fingerprint.replaceAll(/[^0-9a-f]/gi, '').toLowerCase();

/** Four pairs a group, as on the label: so one reads it aloud. */
export const groupsOf = (fingerprint: string): readonly string[] => {
  const pairs = fingerprint.split(':');
  return Array.from({ length: Math.ceil(pairs.length / 4) }, (_, index) =>
    pairs.slice(index * 4, index * 4 + 4).join(' '),
  );
};

const Fingerprint = ({ of }: { readonly of: string }) => (
  <p class="fingerprint" aria-label={comingInWords.fingerprint}>
    {groupsOf(of).map(group => (
      <code key={group}>{group}</code>
    ))}
  </p>
);

export const WarningExplained = () => {
  const hello = useStore(visit.hello);
  const { fingerprint: onLabel } = useStore(brought);
  if (hello === null) return null;
  const isSame = onLabel === null ? null : plain(onLabel) === plain(hello.fingerprint);
  return (
    <details class="card explanation" open={isSame === false}>
      <summary>
        <h2>{comingInWords.warningHeading}</h2>
      </summary>
      <p>{comingInWords.warning}</p>
      <p>{comingInWords.warningCheck}</p>
      <Fingerprint of={hello.fingerprint} />
      {isSame === null ? null : (
        <p class={isSame ? 'good' : 'wrong'}>{isSame ? comingInWords.labelMatches : comingInWords.labelDiffers}</p>
      )}
    </details>
  );
};
