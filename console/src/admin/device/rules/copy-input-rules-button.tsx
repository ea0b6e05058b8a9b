import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import { useState } from 'preact/hooks';
import { Button } from '../../../design/controls.tsx';
import { copyIcon } from '../../../design/icons.ts';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { queryClient } from '../../api/query-client.ts';
import { useDevices } from '../../api/resource-hooks.ts';
import { CheckboxList } from '../../components/checkbox-list.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useNotices } from '../../components/notices.tsx';
import { useMessages } from '../../messages/language.ts';

interface CopyRulesProps {
  readonly device: DeviceResponse;
  /** Only saved rules are copied. */
  readonly isDirty: boolean;
}

/** Copies the saved rules to other controllers of the site. Own doors are matched by their names. */
export const CopyInputRulesButton = ({ device, isDirty }: CopyRulesProps) => {
  const { rules: texts } = useMessages();
  const { id, client } = useCurrentOrganization();
  const notices = useNotices();
  const { data: devices = [] } = useDevices();
  const [isOpen, setOpen] = useState(false);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const targets = devices.filter(
    other => other.site_id === device.site_id && other.id !== device.id && other.capabilities.input_rules,
  );
  if (targets.length === 0) return null;
  const copy = async (): Promise<void> => {
    const body = { device_ids: selected, own_gadgets: 'match' };
    await client.post(`/devices/${device.id}/input_rules/copy`, body);
    await queryClient.invalidateQueries({ queryKey: [id, 'device'] });
    notices.show(texts.copied(selected.length));
  };
  return (
    <div class="bar">
      <Button icon={copyIcon} isDisabled={isDirty} onPress={() => setOpen(true)}>
        {texts.copy}
      </Button>
      {isDirty ? <span class="quiet small">{texts.copyAfterSave}</span> : null}
      {isOpen ? (
        <ConfirmDialog
          title={texts.copy}
          confirmLabel={texts.copyConfirm}
          isDisabled={selected.length === 0}
          onConfirm={copy}
          onClose={() => setOpen(false)}
        >
          <p>{texts.copyText}</p>
          <CheckboxList label={texts.copyTo} options={targets} selected={selected} onChange={setSelected} />
        </ConfirmDialog>
      ) : null}
    </div>
  );
};
