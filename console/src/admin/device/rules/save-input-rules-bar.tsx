import type { InputRulesResponse } from '@lintel/wire-protocol/admin/device-input-rules';
import { useState } from 'preact/hooks';
import { useInputRulesDraft } from '../../../components/input-rules-editor/draft/use-rule-draft.ts';
import { toSavedInputRule } from '../../../components/input-rules-editor/draft-input-rule.ts';
import { useInputRulesTexts } from '../../../components/input-rules-editor/texts/input-rules-texts-provider.ts';
import { Button } from '../../../design/controls.tsx';
import { checkMarkIcon } from '../../../design/icons.ts';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { queryClient } from '../../api/query-client.ts';
import { ApiRequestError } from '../../api/send-request.ts';
import { buildOrganizationQueryKey } from '../../api/resource-hooks.ts';
import { useNotices } from '../../components/notices.tsx';
import { useMessages } from '../../messages/language.ts';

interface ApplyRulesBarProps {
  readonly path: string;
  readonly base: string;
  readonly issueCount: number;
  /** Not sticky while a rule is edited, so that it does not cover the field. */
  readonly isStatic: boolean;
}

/** Saves the draft. If the rules have changed since they were loaded, the editor shows both versions. */
export const SaveInputRulesBar = ({ path, base, issueCount, isStatic }: ApplyRulesBarProps) => {
  const { general, rules: messages } = useMessages();
  const { rules: texts, editConflict } = useInputRulesTexts();
  const { id, client } = useCurrentOrganization();
  const notices = useNotices();
  const draft = useInputRulesDraft();
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const saved = await client.put<InputRulesResponse>(path, {
        input_rules: draft.rules.map(toSavedInputRule),
        base,
      });
      draft.discard();
      queryClient.setQueryData(buildOrganizationQueryKey(id, 'device', path, {}), saved);
      notices.show(messages.saved);
    } catch (error) {
      const isOutdated = error instanceof ApiRequestError && error.args['field'] === 'base';
      if (isOutdated) await queryClient.invalidateQueries({ queryKey: [id, 'device'] });
      if (isOutdated) notices.show(editConflict.editConflictHeading);
      else notices.showError(error as Error);
    }
    setBusy(false);
  };
  return (
    <section
      class="card apply-bar"
      data-is-static={isStatic ? '' : undefined}
      aria-label={texts.inputRulesNotAppliedText}
    >
      <p>
        <strong>{texts.inputRulesNotAppliedText}</strong>{' '}
        {issueCount > 0 ? (
          <span class="wrong">{texts.invalidInputRuleCountText(issueCount)}</span>
        ) : (
          <span class="quiet small">{messages.saveHint}</span>
        )}
      </p>
      <div class="bar">
        <Button
          variant="primary"
          icon={checkMarkIcon}
          isDisabled={issueCount > 0 || isBusy || draft.isOutdated}
          onPress={() => void save()}
        >
          {general.save}
        </Button>
        <Button onPress={draft.discard}>{texts.discardChangesButton}</Button>
      </div>
    </section>
  );
};
