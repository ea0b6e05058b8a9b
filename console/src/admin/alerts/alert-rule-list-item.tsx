import type { AlertRuleResponse, AlertRuleWrittenResponse } from '@lintel/wire-protocol/admin/alert-rules-and-alerts';
import { useState } from 'preact/hooks';
import { Button, Switch } from '../../design/controls.tsx';
import { playIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useReloadObjects } from '../api/resource-hooks.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { DeleteDialog } from '../components/delete-dialog.tsx';
import { useNotices } from '../components/notices.tsx';
import { useNotifiedAction } from '../components/use-notified-action.ts';
import { useMessages } from '../messages/language.ts';
import { AlertRuleForm } from './alert-rule-form.tsx';

interface RuleItemProps {
  readonly rule: AlertRuleResponse;
  readonly onSaved: (rule: AlertRuleWrittenResponse) => void;
}

export const AlertRuleListItem = ({ rule, onSaved }: RuleItemProps) => {
  const { alerts, developers } = useMessages();
  const { client, allows } = useCurrentOrganization();
  const notices = useNotices();
  const { run } = useNotifiedAction();
  const reload = useReloadObjects('alert');
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const path = `/alert_rules/${rule.id}`;
  const attempt = (work: () => Promise<unknown>, done: string | null): Promise<void> =>
    run(async () => {
      await work();
      if (done !== null) notices.show(done);
      await reload();
    });
  const receivers = [...rule.emails, ...(rule.webhook === null ? [] : [rule.webhook.host])].join(', ');
  const remove = async (): Promise<void> => {
    await client.delete(path);
    await reload();
  };
  return (
    <li class="user-item">
      <span>
        <strong>{rule.name}</strong>
        <small class="quiet">
          {alerts.describeRule(alerts.kinds[rule.kind] ?? rule.kind, rule.kind, rule.minutes, rule.count)} → {receivers}
        </small>
        {rule.unconfirmed_emails.length === 0 ? null : (
          <small>{alerts.unconfirmed(rule.unconfirmed_emails.join(', '))}</small>
        )}
      </span>
      {allows('alerts.write') ? (
        <span class="bar user-buttons">
          <Switch
            isOn={rule.is_enabled}
            label={`${alerts.enabled}: ${rule.name}`}
            onChange={is_enabled => void attempt(() => client.patch(path, { is_enabled }), null)}
          >
            {alerts.enabled}
          </Switch>
          <Button
            icon={playIcon}
            label={`${alerts.test}: ${rule.name}`}
            onPress={() => void attempt(() => client.post(`${path}/test`), alerts.testSent)}
          >
            {alerts.test}
          </Button>
          <Button label={`${developers.edit}: ${rule.name}`} onPress={() => setDialog('edit')}>
            {developers.edit}
          </Button>
          <DeleteButton name={rule.name} onPress={() => setDialog('delete')} />
        </span>
      ) : null}
      {dialog === 'edit' ? <AlertRuleForm rule={rule} onSaved={onSaved} onClose={() => setDialog(null)} /> : null}
      {dialog === 'delete' ? (
        <DeleteDialog
          title={alerts.deleteTitle(rule.name)}
          text={alerts.deleteText}
          onConfirm={remove}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </li>
  );
};
