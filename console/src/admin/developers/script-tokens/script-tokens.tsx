import type { ScriptTokenCreatedResponse, ScriptTokenResponse } from '@lintel/wire-protocol/admin/script-token';
import { useState } from 'preact/hooks';
import { Button } from '../../../design/controls.tsx';
import { addIcon, deleteIcon, keyIcon } from '../../../design/icons.ts';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { useApiList, useReloadObjects } from '../../api/resource-hooks.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { SecretValue } from '../../components/secret-value.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useMessages } from '../../messages/language.ts';
import { useSiteTimeFormats } from '../../time/use-site-time-formats.ts';
import { DevelopersNavigation } from '../developers-navigation.tsx';
import { NewScriptTokenDialog } from './new-script-token-dialog.tsx';

const TokenItem = ({ token }: { readonly token: ScriptTokenResponse }) => {
  const { developers } = useMessages();
  const { client, allows } = useCurrentOrganization();
  const time = useSiteTimeFormats();
  const reload = useReloadObjects('oauth_application');
  const [isRevoking, setRevoking] = useState(false);
  const revoke = async (): Promise<void> => {
    await client.delete(`/tokens/${token.id}`);
    await reload();
  };
  return (
    <li>
      <span>
        <strong>{token.name}</strong>
        <small class="quiet">{developers.validUntil(time.formatDateTime(token.expires_at))}</small>
      </span>
      <StatusBadge level="neutral" text={developers.scopes[token.scope] ?? token.scope} />
      {allows('applications.write') ? (
        <Button
          icon={deleteIcon}
          variant="plain"
          label={`${developers.revoke}: ${token.name}`}
          onPress={() => setRevoking(true)}
        />
      ) : null}
      {isRevoking ? (
        <ConfirmDialog
          title={developers.revokeTitle(token.name)}
          confirmLabel={developers.revoke}
          isDangerous
          onConfirm={revoke}
          onClose={() => setRevoking(false)}
        >
          <p>{developers.revokeText}</p>
        </ConfirmDialog>
      ) : null}
    </li>
  );
};

/** Access tokens for scripts. */
export const ScriptTokensScreen = () => {
  const { developers } = useMessages();
  const { allows } = useCurrentOrganization();
  const tokens = useApiList<ScriptTokenResponse>('oauth_application', '/tokens');
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<ScriptTokenCreatedResponse | null>(null);
  return (
    <>
      <PageHeader title={developers.title} subtitle={developers.tokensText}>
        {allows('applications.write') ? (
          <Button icon={addIcon} variant="primary" onPress={() => setCreating(true)}>
            {developers.newToken}
          </Button>
        ) : null}
      </PageHeader>
      <DevelopersNavigation />
      {created === null ? null : (
        <section class="card panel" aria-label={created.name}>
          <h2>{developers.tokenCreated(created.name)}</h2>
          <SecretValue label={developers.accessToken} value={created.access_token} />
          <p class="mark">{developers.tokenOnce}</p>
        </section>
      )}
      <QueryContent query={tokens}>
        {list =>
          list.length === 0 ? (
            <EmptyState icon={keyIcon} title={developers.noTokens} text={developers.noTokensText} />
          ) : (
            <ul class="entry-list card panel" aria-label={developers.tokens}>
              {list.map(token => (
                <TokenItem key={token.id} token={token} />
              ))}
            </ul>
          )
        }
      </QueryContent>
      {isCreating ? <NewScriptTokenDialog onCreated={setCreated} onClose={() => setCreating(false)} /> : null}
    </>
  );
};
