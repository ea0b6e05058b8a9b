import { useObservableValue } from '../api/observable-value.ts';
import { controllerSession } from '../api/controller-hooks.ts';
import * as liveMessages from '../messages/english/live-log.ts';
import { useSharedControllerData } from '../state/shared-controller-data.ts';

/** The controller stores no names of members. The console shows them to people who may see them. */
export const MemberReference = ({ id }: { readonly id: string }) => {
  const bridge = useObservableValue(controllerSession.hello)?.bridge_url ?? null;
  const organization = useSharedControllerData().status.value?.organization_id ?? null;
  const origin = controllerSession.endpoint.isRemote ? location.origin : bridge;
  if (origin === null || organization === null) return <>{liveMessages.memberLabel(id)}</>;
  const href = `${origin.replace(/\/$/, '')}/organizations/${organization}/members/${id}`;
  return (
    <>
      {liveMessages.memberLabel(id)}
      {'. '}
      <a href={href} target="_blank" rel="noreferrer">
        {liveMessages.memberLinkHint}
      </a>
    </>
  );
};
