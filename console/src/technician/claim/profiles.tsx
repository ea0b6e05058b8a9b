import type { ProfileFit, TechnicianDoctor } from '@lintel/wire-protocol/technician/doctor';
import { Press } from '../../design/controls.tsx';
import { StateMark } from '../frame/state-mark.tsx';
import { useOrder } from '../frame/use-order.ts';
import { useNotify, useReading } from '../link/use-visit.ts';
import * as claimWords from '../words/english/claim-words.ts';

const SHOWN = 4;

interface ProfileProps {
  readonly profile: ProfileFit;
  readonly isFixed: boolean;
  readonly choose: () => void;
}

const Profile = ({ profile, isFixed, choose }: ProfileProps) => (
  <li class="check">
    <StateMark mood={profile.fits ? 'good' : 'quiet'} />
    <div>
      <p>
        <strong>{profile.name}</strong>{' '}
        <span class="quiet">
          {profile.fits ? claimWords.profileFits : claimWords.profileFound(profile.found, profile.wanted)}
        </span>{' '}
        {profile.is_current ? <span class="badge">{claimWords.profileCurrent}</span> : null}
      </p>
      {profile.missing.length === 0 ? null : (
        <details class="small">
          <summary>{claimWords.missing}</summary>
          <ul>
            {profile.missing.map(({ text, fix }) => (
              <li key={text}>
                {text}
                {fix === null ? null : <span class="quiet"> {fix}</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
      {isFixed || profile.is_current ? null : <Press press={choose}>{claimWords.choose}</Press>}
    </div>
  </li>
);

/** What the hardware could be, from what is plugged in. */
export const Profiles = () => {
  const { value } = useReading<TechnicianDoctor>('/doctor');
  const { order } = useOrder();
  const notify = useNotify();
  const choose = async (name: string): Promise<void> => {
    const chosen = await order({ method: 'PUT', path: '/profile', body: { name } });
    if (chosen !== null) notify(claimWords.restarting);
  };
  const profiles = value?.profiles ?? [];
  const rank = ({ fits, is_current }: ProfileFit): number => (is_current ? 0 : fits ? 1 : 2);
  const ranked = profiles.toSorted((a, b) => rank(a) - rank(b));
  const shown = ranked.filter((profile, index) => rank(profile) < 2 || index < SHOWN);
  return (
    <section class="card panel" aria-labelledby="profile">
      <h2 id="profile">{claimWords.profile}</h2>
      <p class="quiet">
        {value === null
          ? claimWords.looking
          : value.fixed_because === null
            ? claimWords.profileHint
            : (claimWords.fixed[value.fixed_because] ?? value.fixed_because)}
      </p>
      <ul class="checks">
        {shown.map(profile => (
          <Profile
            key={profile.product_id}
            profile={profile}
            isFixed={value?.fixed_because != null}
            choose={() => void choose(profile.product_id)}
          />
        ))}
      </ul>
    </section>
  );
};
