import type { ProfileFit, TechnicianDoctor } from '@lintel/wire-protocol/technician/doctor';
import { useState } from 'preact/hooks';
import { Press } from '../../design/controls.tsx';
import { StateMark } from '../frame/state-mark.tsx';
import { useOrder } from '../frame/use-order.ts';
import { useReading } from '../link/use-visit.ts';
import * as claimWords from '../words/english/claim-words.ts';

const SHOWN = 3;

interface FindingsProps {
  readonly title: string;
  readonly findings: readonly { readonly text: string; readonly fix: string | null }[];
}

const Findings = ({ title, findings }: FindingsProps) =>
  findings.length === 0 ? null : (
    <details class="small">
      <summary>{title}</summary>
      <ul class="findings">
        {findings.map(({ text, fix }) => (
          <li key={text}>
            {text}
            {fix === null ? null : <span class="quiet"> {fix}</span>}
          </li>
        ))}
      </ul>
    </details>
  );

interface ProfileProps {
  readonly profile: ProfileFit;
  readonly isFixed: boolean;
  readonly choose: (profile: ProfileFit) => void;
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
      <Findings title={claimWords.missing} findings={profile.missing} />
      {isFixed || profile.is_current ? null : (
        <Press label={`${profile.name}: ${claimWords.choose}`} press={() => choose(profile)}>
          {claimWords.choose}
        </Press>
      )}
    </div>
  </li>
);

/** What the hardware could be, from what is plugged in. */
export const Profiles = () => {
  const { value } = useReading<TechnicianDoctor>('/doctor');
  const { order, isBusy } = useOrder();
  const [chosen, setChosen] = useState<string | null>(null);
  const isRestarting = chosen !== null && value?.current !== chosen;
  const choose = async ({ product_id: name }: ProfileFit): Promise<void> => {
    const answer = await order({ method: 'PUT', path: '/profile', body: { name } });
    if (answer !== null) setChosen(name);
  };
  // Otherwise in the controller's own order, which puts simulated ones last.
  const ranked = (value?.profiles ?? []).toSorted((a, b) => Number(b.is_current) - Number(a.is_current));
  const isFixed = value?.fixed_because != null;
  const first = isFixed ? 1 : SHOWN;
  const list = (profiles: readonly ProfileFit[]) => (
    <ul class="checks">
      {profiles.map(profile => (
        <Profile
          key={profile.product_id}
          profile={profile}
          isFixed={isFixed || isRestarting || isBusy}
          choose={one => void choose(one)}
        />
      ))}
    </ul>
  );
  const others = ranked.slice(first);
  return (
    <section class="card panel" aria-labelledby="profile">
      <h2 id="profile">{claimWords.profile}</h2>
      <p class="quiet" role="status">
        {isRestarting
          ? claimWords.restarting
          : value === null
            ? claimWords.looking
            : value.fixed_because === null
              ? claimWords.profileHint
              : (claimWords.fixed[value.fixed_because] ?? value.fixed_because)}
      </p>
      {list(ranked.slice(0, first))}
      {others.length === 0 ? null : (
        <details class="fine">
          <summary>{claimWords.otherProfiles(others.length)}</summary>
          {list(others)}
        </details>
      )}
      <Findings title={claimWords.found} findings={value?.findings ?? []} />
    </section>
  );
};
