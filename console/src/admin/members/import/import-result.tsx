import { Button } from '../../../design/controls.tsx';
import { useLanguage } from '../../messages/language.ts';
import { type ImportedPerson, saveImportResult } from './import-files.ts';

interface ImportResultProps {
  readonly people: readonly ImportedPerson[];
}

/** The members with their new PINs and links. */
export const ImportResult = ({ people }: ImportResultProps) => {
  const language = useLanguage();
  const { memberImport: texts } = language.messages;
  const hasPins = people.some(({ pin }) => pin !== null);
  const hasLinks = people.some(({ link }) => link !== null);
  if (!hasPins && !hasLinks) return null;
  return (
    <>
      <p class="mark">{texts.secretsOnce}</p>
      <div class="bar no-print">
        <Button variant="primary" onPress={() => saveImportResult(people, language)}>
          {texts.saveList}
        </Button>
        <Button onPress={() => window.print()}>{texts.print}</Button>
      </div>
      <div class="import-table" tabIndex={0} role="region" aria-label={texts.credentials}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.fields.name}</th>
              {hasPins ? <th scope="col">{texts.fields.pin}</th> : null}
              <th scope="col">{texts.fields.groups}</th>
              <th scope="col">{language.messages.stay.dates}</th>
              {hasLinks ? <th scope="col">{texts.link}</th> : null}
            </tr>
          </thead>
          <tbody>
            {people.map(({ line, name, validity, groupNames, pin, link }) => (
              <tr key={line}>
                <td>{name}</td>
                {hasPins ? (
                  <td>
                    <code>{pin}</code>
                  </td>
                ) : null}
                <td>{groupNames.join(', ')}</td>
                <td>{validity}</td>
                {hasLinks ? (
                  <td>
                    <code class="import-link">{link}</code>
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};
