import type { ManagedOAuthApplicationResponse } from '@lintel/wire-protocol/admin/oauth-application';
import { useState } from 'preact/hooks';
import { LabeledValueList } from '../../../components/labeled-value-list.tsx';
import { Button } from '../../../design/controls.tsx';
import { deleteIcon, keyIcon } from '../../../design/icons.ts';
import { useLocation } from 'preact-iso/router';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { useApiObject, useReloadObjects } from '../../api/resource-hooks.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DeleteDialog } from '../../components/delete-dialog.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { useMessages } from '../../messages/language.ts';
import { useLinkTo } from '../../router/links-and-query-parameters.ts';
import type { ScreenProps } from '../../router/screen-route-type.ts';
import { useSiteTimeFormats } from '../../time/use-site-time-formats.ts';
import { WebhookList } from '../webhooks/webhook-list.tsx';
import { type OAuthApplicationWithSecret, EditOAuthApplicationDialog } from './application-forms.tsx';
import { OAuthApplicationSecretPanel } from './application-secret.tsx';
import { isBuiltInOAuthApplication } from '../is-built-in-application.ts';

interface ApplicationActionsProps {
  readonly application: ManagedOAuthApplicationResponse;
  readonly onSecret: (application: OAuthApplicationWithSecret) => void;
}

const ApplicationActions = ({ application, onSecret }: ApplicationActionsProps) => {
  const { developers, general } = useMessages();
  const { client } = useCurrentOrganization();
  const { route } = useLocation();
  const linkTo = useLinkTo();
  const reload = useReloadObjects('oauth_application');
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const close = (): void => setDialog(null);
  const path = `/applications/${application.id}`;
  const rotate = async (): Promise<void> =>
    onSecret(await client.post<OAuthApplicationWithSecret>(`${path}/rotate_secret`));
  const remove = async (): Promise<void> => {
    await client.delete(path);
    route(linkTo('/developers'), true);
    await reload();
  };
  return (
    <>
      <Button onPress={() => setDialog('edit')}>{developers.edit}</Button>
      {application.is_public ? null : (
        <Button icon={keyIcon} onPress={() => setDialog('rotate')}>
          {developers.rotate}
        </Button>
      )}
      <Button icon={deleteIcon} variant="danger" onPress={() => setDialog('delete')}>
        {general.delete}
      </Button>
      {dialog === 'edit' ? <EditOAuthApplicationDialog application={application} onClose={close} /> : null}
      {dialog === 'rotate' ? (
        <ConfirmDialog
          title={developers.rotateTitle}
          confirmLabel={developers.rotate}
          isDangerous
          onConfirm={rotate}
          onClose={close}
        >
          <p>{developers.rotateText}</p>
        </ConfirmDialog>
      ) : null}
      {dialog === 'delete' ? (
        <DeleteDialog
          title={developers.deleteTitle(application.name)}
          text={developers.deleteText}
          onConfirm={remove}
          onClose={close}
        />
      ) : null}
    </>
  );
};

const ApplicationContent = ({ application }: { readonly application: ManagedOAuthApplicationResponse }) => {
  const { developers, general, webhooks } = useMessages();
  const { allows } = useCurrentOrganization();
  const time = useSiteTimeFormats();
  const [secret, setSecret] = useState<OAuthApplicationWithSecret | null>(null);
  const isEditable = allows('applications.write') && !isBuiltInOAuthApplication(application) && !application.is_deleted;
  return (
    <>
      <PageHeader
        title={application.name}
        subtitle={isBuiltInOAuthApplication(application) ? developers.builtInText : undefined}
      >
        {isEditable ? <ApplicationActions application={application} onSecret={setSecret} /> : null}
      </PageHeader>
      {secret === null ? null : <OAuthApplicationSecretPanel application={secret} />}
      <section class="card panel" aria-labelledby="application-details">
        <h2 id="application-details">{developers.details}</h2>
        <LabeledValueList
          facts={[
            [developers.clientId, application.client_id],
            [developers.redirectUris, application.redirect_uris.join('\n') || general.none],
            [developers.created, time.formatDateTime(application.created_at)],
          ]}
        />
      </section>
      <WebhookList application={application} title={webhooks.title} />
    </>
  );
};

export const OAuthApplicationScreen = ({ params }: ScreenProps) => {
  const { developers } = useMessages();
  const linkTo = useLinkTo();
  const application = useApiObject<ManagedOAuthApplicationResponse>(
    'oauth_application',
    `/applications/${params['application_id']}`,
  );
  return (
    <>
      <a class="back-link" href={linkTo('/developers')}>
        ← {developers.applications}
      </a>
      <QueryContent query={application}>{data => <ApplicationContent application={data} />}</QueryContent>
    </>
  );
};
