import { useRef } from 'preact/hooks';
import { Press } from '../../design/controls.tsx';
import * as shapes from '../../design/shapes.ts';
import { useNotify } from '../link/use-visit.ts';
import * as ruleWords from '../words/english/rule-words.ts';
import { draftOf, plainRule } from './rule.ts';
import { LARGEST_FILE, readRulesFile, rulesFileText } from './rules-file.ts';
import type { DraftDesk } from './use-draft.ts';

const save = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
};

/** The same file as of `lintel rules`. What is read is a draft until it is applied. */
export const FileButtons = ({ desk, name }: { readonly desk: DraftDesk; readonly name: string }) => {
  const input = useRef<HTMLInputElement>(null);
  const notify = useNotify();
  const read = async (file: File): Promise<void> => {
    const said = ruleWords.file;
    if (file.size > LARGEST_FILE) return notify(said.too_large, true);
    const content = readRulesFile(await file.text());
    if (content.ok) {
      desk.edit(draftOf(content.rules));
      return notify(said.imported(content.rules.length));
    }
    return notify(content.reason === 'not_text' ? said.not_text(content.place) : said[content.reason], true);
  };
  return (
    <>
      <Press look="plain" icon={shapes.up} press={() => input.current?.click()}>
        {ruleWords.importFile}
      </Press>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        onChange={event => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file !== undefined) void read(file);
        }}
      />
      <Press
        look="plain"
        icon={shapes.down}
        press={() => save(`${name}-rules.json`, rulesFileText(desk.rules.map(plainRule)))}
      >
        {ruleWords.exportFile}
      </Press>
    </>
  );
};
