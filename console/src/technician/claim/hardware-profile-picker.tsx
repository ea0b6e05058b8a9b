import type {
  HardwareProfileCheckResponse,
  HardwareProfileFit,
  HardwareDetectionResponse,
} from '@lintel/wire-protocol/technician/hardware-detection-and-profile';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { StatusIcon } from '../../components/status-icon.tsx';
import { useApiAction } from '../state/use-api-action.ts';
import { useControllerResource } from '../api/controller-hooks.ts';
import * as claimMessages from '../messages/english/claim.ts';

const SHOWN_PROFILES = 3;

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
  readonly profile: HardwareProfileFit;
  readonly isFixed: boolean;
  readonly onChoose: (profile: HardwareProfileFit) => void;
}

const Profile = ({ profile, isFixed, onChoose }: ProfileProps) => (
  <li class="check">
    <StatusIcon level={profile.fits ? 'ok' : 'neutral'} />
    <div>
      <p>
        <strong>{profile.name}</strong>{' '}
        <span class="quiet">
          {profile.fits
            ? claimMessages.profileMatchesBadge
            : claimMessages.detectedPartCountText(profile.found, profile.wanted)}
        </span>{' '}
        {profile.is_current ? <span class="badge">{claimMessages.profileInUseBadge}</span> : null}
      </p>
      <Findings title={claimMessages.missingPartsHeading} findings={profile.missing} />
      {isFixed || profile.is_current ? null : (
        <Button label={`${profile.name}: ${claimMessages.selectProfileButton}`} onPress={() => onChoose(profile)}>
          {claimMessages.selectProfileButton}
        </Button>
      )}
    </div>
  </li>
);

interface ProfileChangeProps {
  readonly check: HardwareProfileCheckResponse;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** What a claimed controller loses with another profile, before it happens. */
const ProfileChange = ({ check, isBusy, onConfirm, onCancel }: ProfileChangeProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [check]);
  const nameOf = (id: string): string => check.gadgets.find(({ gadget_id }) => gadget_id === id)?.name ?? id;
  const items = [
    ...check.gadgets.map(({ name, now, next }) => claimMessages.profileGadgetText(name, now, next)),
    ...check.rules.map(({ code, gadget_id }) => claimMessages.ruleWithoutHardwareText(code, nameOf(gadget_id))),
    ...check.lost_stations.map(claimMessages.lostReaderUnitText),
  ];
  return (
    <div class="section" role="group" aria-labelledby="profile-change">
      <h3 id="profile-change" ref={heading} tabIndex={-1}>
        {claimMessages.changeProfileHeading(check.name)}
      </h3>
      <ul class="findings">
        {items.map(text => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <p class="quiet small">{claimMessages.changeProfileHint}</p>
      <div class="bar">
        <Button variant="primary" isDisabled={isBusy} onPress={onConfirm}>
          {claimMessages.confirmProfileButton}
        </Button>
        <Button isDisabled={isBusy} onPress={onCancel}>
          {claimMessages.keepProfileButton}
        </Button>
      </div>
    </div>
  );
};

/** The hardware profiles, ranked by the detected parts. A claimed controller asks before it changes. */
export const HardwareProfilePicker = ({ isClaimed = false }: { readonly isClaimed?: boolean }) => {
  const { value } = useControllerResource<HardwareDetectionResponse>('/doctor');
  const { run, isBusy } = useApiAction();
  const [chosen, setChosen] = useState<string | null>(null);
  const isRestarting = chosen !== null && value?.current !== chosen;
  const [check, setCheck] = useState<HardwareProfileCheckResponse | null>(null);
  const save = async (body: { readonly name: string; readonly confirm?: true }): Promise<void> => {
    const result = await run({ method: 'PUT', path: '/profile', body });
    setCheck(null);
    if (result !== null) setChosen(body.name);
  };
  const choose = async ({ product_id: name }: HardwareProfileFit): Promise<void> => {
    if (!isClaimed) return save({ name });
    setCheck(await run<HardwareProfileCheckResponse>({ method: 'POST', path: '/profile/check', body: { name } }));
  };
  // The controller sorts the others, with simulated profiles last.
  const ranked = (value?.profiles ?? []).toSorted((a, b) => Number(b.is_current) - Number(a.is_current));
  const isFixed = value?.fixed_because != null;
  const first = isFixed ? 1 : SHOWN_PROFILES;
  const list = (profiles: readonly HardwareProfileFit[]) => (
    <ul class="checks">
      {profiles.map(profile => (
        <Profile
          key={profile.product_id}
          profile={profile}
          isFixed={isFixed || isRestarting || isBusy}
          onChoose={chosen => void choose(chosen)}
        />
      ))}
    </ul>
  );
  const others = ranked.slice(first);
  return (
    <section class="card panel" aria-labelledby="profile">
      <h2 id="profile">{claimMessages.hardwareProfileHeading}</h2>
      <p class="quiet" role="status">
        {isRestarting
          ? claimMessages.restartingWithProfileText
          : value === null
            ? claimMessages.detectingHardwareText
            : value.fixed_because === null
              ? claimMessages.hardwareProfileHint
              : (claimMessages.profileLockedReasonTexts[value.fixed_because] ?? value.fixed_because)}
      </p>
      {check === null ? null : (
        <ProfileChange
          check={check}
          isBusy={isBusy}
          onConfirm={() => void save({ name: check.product_id, confirm: true })}
          onCancel={() => setCheck(null)}
        />
      )}
      {list(ranked.slice(0, first))}
      {others.length === 0 ? null : (
        <details class="fine">
          <summary>{claimMessages.otherProfileCountText(others.length)}</summary>
          {list(others)}
        </details>
      )}
      <Findings title={claimMessages.detectedHardwareHeading} findings={value?.findings ?? []} />
    </section>
  );
};
