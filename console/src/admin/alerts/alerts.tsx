import type {
  ActiveAlertsResponse,
  AlertResponse,
  AlertRuleResponse,
  AlertRuleWrittenResponse,
} from '@lintel/wire-protocol/admin/alert-rules-and-alerts';
import { useState } from 'preact/hooks';
import { StatusIcon } from '../../components/status-icon.tsx';
import { Button } from '../../design/controls.tsx';
import { addIcon, bellIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useApiList, useApiObject } from '../api/resource-hooks.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { SecretValue } from '../components/secret-value.tsx';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { describeAlertResponse } from './describe-alert.ts';
import { ALERT_RELOAD_MS, AlertMessageList } from './alert-message-list.tsx';
import { AlertRuleForm } from './alert-rule-form.tsx';
import { AlertRuleListItem } from './alert-rule-list-item.tsx';

const ActiveAlert = ({ alert }: { readonly alert: AlertResponse }) => {
  const { home, alerts } = useMessages();
  const time = useSiteTimeFormats(alert.site_id ?? undefined);
  return (
    <li class="check">
      <StatusIcon level="error" />
      <div>
        <p>{describeAlertResponse(alerts.texts, alert)}</p>
        <p class="quiet small">{home.since(time.formatWithin(alert.since))}</p>
      </div>
    </li>
  );
};

const ActiveAlerts = () => {
  const { alerts } = useMessages();
  const active = useApiObject<ActiveAlertsResponse>('alert', '/active_alerts', {}, true, ALERT_RELOAD_MS);
  return (
    <section class="card panel" aria-labelledby="active-alerts">
      <h2 id="active-alerts">{alerts.active}</h2>
      <QueryContent query={active}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="check">
              <StatusIcon level="ok" />
              <span class="quiet">{alerts.noneActive}</span>
            </p>
          ) : (
            <ul class="checks">
              {items.map(item => (
                <ActiveAlert key={`${item.alert_rule_id} ${item.text}`} alert={item} />
              ))}
            </ul>
          )
        }
      </QueryContent>
    </section>
  );
};

/** Rules that send a message when a door or a controller needs attention. */
export const AlertsScreen = () => {
  const { alerts, webhooks } = useMessages();
  const { allows } = useCurrentOrganization();
  const rules = useApiList<AlertRuleResponse>('alert', '/alert_rules');
  const [isCreating, setCreating] = useState(false);
  const [saved, setSaved] = useState<AlertRuleWrittenResponse | null>(null);
  return (
    <>
      <PageHeader title={alerts.title} subtitle={alerts.subtitle}>
        {allows('alerts.write') ? (
          <Button icon={addIcon} variant="primary" onPress={() => setCreating(true)}>
            {alerts.newRule}
          </Button>
        ) : null}
      </PageHeader>
      {saved?.webhook_secret == null ? null : (
        <section class="card panel" aria-label={saved.name}>
          <SecretValue label={webhooks.secret} value={saved.webhook_secret} />
          <p class="mark">{webhooks.secretOnce}</p>
        </section>
      )}
      <ActiveAlerts />
      <QueryContent query={rules}>
        {list =>
          list.length === 0 ? (
            <EmptyState icon={bellIcon} title={alerts.noRules} text={alerts.noRulesText} />
          ) : (
            <ul class="entry-list card panel" aria-label={alerts.rules}>
              {list.map(rule => (
                <AlertRuleListItem key={rule.id} rule={rule} onSaved={setSaved} />
              ))}
            </ul>
          )
        }
      </QueryContent>
      <AlertMessageList />
      {isCreating ? <AlertRuleForm rule={null} onSaved={setSaved} onClose={() => setCreating(false)} /> : null}
    </>
  );
};
