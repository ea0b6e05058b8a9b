import type { ActivityStatisticsResponse } from '@lintel/wire-protocol/admin/activity-statistics';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';

const SHOWN = 5;

/** The doors with the most openings and denials of the period. */
export const BusiestDoorsPanel = ({ activity: { gadgets } }: { readonly activity: ActivityStatisticsResponse }) => {
  const { home } = useMessages();
  const linkTo = useLinkTo();
  if (gadgets.length === 0) return null;
  return (
    <>
      <h3 id="busiest-doors">{home.busiest}</h3>
      <ol class="busiest-doors" aria-labelledby="busiest-doors">
        {gadgets.slice(0, SHOWN).map(({ gadget_id, name, openings, denials }) => (
          <li key={gadget_id}>
            <a href={linkTo(`/doors/${gadget_id}`)}>{name}</a>
            <span class="quiet small">{home.chartSummary(openings, denials)}</span>
          </li>
        ))}
      </ol>
    </>
  );
};
