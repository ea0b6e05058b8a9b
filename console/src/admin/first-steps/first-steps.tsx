import { inferGadgetKind } from '@lintel/access-core/gadgets/infer-gadget-kind';
import { listPinEntries } from '@lintel/access-core/pin-entries';
import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { ListPageResponse } from '@lintel/wire-protocol/rest/list-page';
import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import { useState } from 'preact/hooks';
import { Icon } from '../../design/icon.tsx';
import { checkMarkIcon } from '../../design/icons.ts';
import { useDevices, useGadgets, useApiObject, useSites } from '../api/resource-hooks.ts';
import { LoadingIndicator } from '../components/loading-indicator.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { useMessages } from '../messages/language.ts';
import type { FirstMember } from './create-virtual-door-and-first-member.ts';
import { FirstDoorStep } from './door-step.tsx';
import { FirstMemberStep } from './member-step.tsx';
import { FirstSiteStep } from './site-step.tsx';
import { TryFirstDoorStep } from './try-door-step.tsx';

const isDoor = (actions: GadgetResponse['actions']): boolean => inferGadgetKind(actions.map(({ id }) => id)) === 'door';

/** What somebody who may do everything can open with a PIN. */
const listKeypadEntries = (doors: readonly GadgetResponse[], devices: readonly DeviceResponse[]) => {
  const grants = [{ access_methods: ['pin'] }];
  const access = doors.flatMap(({ id, actions }) =>
    actions.map(action => ({ gadget_id: id, action_id: action.id, grants })),
  );
  return listPinEntries(access, doors, devices);
};

const steps = ['site', 'door', 'member', 'try'] as const;
type Step = (typeof steps)[number];

const Progress = ({ current }: { readonly current: Step }) => {
  const { start } = useMessages();
  const position = steps.indexOf(current);
  return (
    <ol class="progress-steps" aria-label={start.progress}>
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={step === current ? 'step' : undefined}
          data-is-done={index < position ? '' : undefined}
        >
          <span class="step-number" aria-hidden="true">
            {index < position ? <Icon shape={checkMarkIcon} /> : index + 1}
          </span>
          {start.steps[step]}
          {index < position ? <span class="unseen"> ({start.done})</span> : null}
        </li>
      ))}
    </ol>
  );
};

/** Guides to the first open door. What exists already is skipped, so a reload continues where the user stopped. */
export const FirstStepsScreen = () => {
  const { start } = useMessages();
  const { data: sites } = useSites();
  const { data: doors } = useGadgets();
  const { data: devices } = useDevices();
  const { data: members } = useApiObject<ListPageResponse<MemberResponse>>('member', '/members', { limit: 1 });
  const [created, setCreated] = useState<FirstMember | null>(null);
  const [site] = sites ?? [];
  // What a person opens, rather than the first gadget by its name: a blind has no keypad.
  const typed = listKeypadEntries(doors ?? [], devices ?? []);
  const entry = typed.find(({ door: { actions } }) => isDoor(actions)) ?? typed[0];
  const door = entry?.door ?? doors?.find(({ actions }) => isDoor(actions)) ?? doors?.[0];
  const device = devices?.find(({ id }) => id === door?.device_id);
  const stepOf = (): Step => {
    if (site === undefined) return 'site';
    if (door === undefined || device === undefined) return 'door';
    return created === null && members?.data.length === 0 ? 'member' : 'try';
  };
  const step = stepOf();
  const isLoaded = sites !== undefined && doors !== undefined && devices !== undefined && members !== undefined;
  return (
    <>
      <PageHeader title={start.title} subtitle={start.subtitle} />
      {isLoaded ? (
        <div class="start">
          <Progress current={step} />
          {step === 'site' ? <FirstSiteStep /> : null}
          {step === 'door' ? <FirstDoorStep siteId={site!.id} /> : null}
          {step === 'member' ? <FirstMemberStep onCreated={setCreated} /> : null}
          {step === 'try' ? (
            <TryFirstDoorStep door={door!} device={device!} code={entry?.code ?? ''} member={created} />
          ) : null}
        </div>
      ) : (
        <LoadingIndicator />
      )}
    </>
  );
};
