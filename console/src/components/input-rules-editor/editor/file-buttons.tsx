import { useRef } from 'preact/hooks';
import { Button } from '../../../design/controls.tsx';
import * as icons from '../../../design/icons.ts';
import { useInputRulesTexts } from '../texts/input-rules-texts-provider.ts';
import { toDraftInputRules, toSavedInputRule } from '../draft-input-rule.ts';
import { MAX_INPUT_RULES_FILE_BYTES, parseInputRulesFile, formatInputRulesFile } from '../draft/rules-file.ts';
import type { InputRulesDraft } from '../draft/use-rule-draft.ts';

const download = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
};

interface RulesFileButtonsProps {
  readonly draft: InputRulesDraft;
  /** Beginning of the file name. */
  readonly name: string;
  readonly notify: (text: string, isError?: boolean) => void;
}

/** Uses the file format of `lintel rules`. An import changes the draft only. */
export const InputRulesFileButtons = ({ draft, name, notify }: RulesFileButtonsProps) => {
  const { rules: ruleMessages } = useInputRulesTexts();
  const input = useRef<HTMLInputElement>(null);
  const importFile = async (file: File): Promise<void> => {
    const messages = ruleMessages.importResultTexts;
    if (file.size > MAX_INPUT_RULES_FILE_BYTES) return notify(messages.too_large, true);
    const content = parseInputRulesFile(await file.text());
    if (content.ok) {
      draft.edit(toDraftInputRules(content.rules));
      return notify(messages.imported(content.rules.length));
    }
    return notify(content.reason === 'not_text' ? messages.not_text(content.path) : messages[content.reason], true);
  };
  return (
    <>
      <Button variant="plain" icon={icons.uploadIcon} onPress={() => input.current?.click()}>
        {ruleMessages.importFileButton}
      </Button>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        onChange={event => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file !== undefined) void importFile(file);
        }}
      />
      <Button
        variant="plain"
        icon={icons.downloadIcon}
        onPress={() => download(`${name}-rules.json`, formatInputRulesFile(draft.rules.map(toSavedInputRule)))}
      >
        {ruleMessages.exportFileButton}
      </Button>
    </>
  );
};
