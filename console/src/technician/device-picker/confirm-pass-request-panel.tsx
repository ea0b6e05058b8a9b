import { Button } from '../../design/controls.tsx';
import * as devicePickerMessages from '../messages/english/device-picker.ts';
import * as shellMessages from '../messages/english/shell.ts';
import {
  buildTechnicianPassUrl,
  type TechnicianPassRequest,
  buildTechnicianPassSignInUrl,
} from '../pass/pass-request-urls.ts';
import { useApiAction } from '../state/use-api-action.ts';
import type { OrganizationWithSites } from './load-organizations-with-sites.ts';
import { resolveTechnicianPassRequestTarget, type TechnicianPassRequestTarget } from './resolve-pass-request-target.ts';

type ReadyTarget = Extract<TechnicianPassRequestTarget, { readonly kind: 'ready' }>;

const Confirmation = ({ target, publicKey }: { readonly target: ReadyTarget; readonly publicKey: string }) => {
  const { run, isBusy } = useApiAction();
  const { organizationId, controller, origin } = target;
  const sendPass = async (): Promise<void> => {
    const { site_id, device_id } = controller;
    const path = `/organizations/${organizationId}/technician_passes`;
    const body = { site_id, device_id, public_key: publicKey };
    const created = await run<{ pass: string }>({ method: 'POST', path, body });
    if (created !== null) location.replace(buildTechnicianPassUrl(origin, created.pass));
  };
  return (
    <>
      <p>{devicePickerMessages.technicianPassRequestHint(controller.site_name, origin)}</p>
      <Button variant="primary" isDisabled={isBusy} onPress={() => void sendPass()}>
        {devicePickerMessages.continueSignInButton}
      </Button>
    </>
  );
};

const AddressError = ({ origins }: { readonly origins: readonly string[] }) => (
  <>
    <p class="wrong" role="alert">
      {devicePickerMessages.addressNotReportedByControllerText}
    </p>
    <ul>
      {origins.map(origin => (
        <li key={origin}>
          <a href={buildTechnicianPassSignInUrl(origin)}>{origin}</a>
        </li>
      ))}
    </ul>
  </>
);

interface PassRequestCardProps {
  readonly request: TechnicianPassRequest;
  readonly organizations: readonly OrganizationWithSites[];
  readonly onCancel: () => void;
}

/** Asks before a controller's page gets a pass. */
export const TechnicianPassRequestPanel = ({ request, organizations, onCancel }: PassRequestCardProps) => {
  const target = resolveTechnicianPassRequestTarget(organizations, request);
  const name = target.kind === 'unknown_controller' ? null : target.controller.name;
  return (
    <section class="card panel" aria-label={devicePickerMessages.technicianPassRequestHeading(name)}>
      <h2>{devicePickerMessages.technicianPassRequestHeading(name)}</h2>
      {target.kind === 'ready' ? <Confirmation target={target} publicKey={request.public_key} /> : null}
      {target.kind === 'unknown_address' ? <AddressError origins={target.origins} /> : null}
      {target.kind === 'unknown_controller' ? (
        <p class="wrong" role="alert">
          {devicePickerMessages.noAccessToControllerText}
        </p>
      ) : null}
      <Button onPress={onCancel}>{shellMessages.cancelButton}</Button>
    </section>
  );
};
