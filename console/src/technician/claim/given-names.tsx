import type { GadgetCreate } from '@lintel/wire-protocol/rest/gadget';
import { Field } from '../frame/field.tsx';
import * as claimWords from '../words/english/claim-words.ts';

interface GivenNamesProps {
  readonly name: string;
  readonly setName: (name: string) => void;
  /** As the profile has them. */
  readonly usual: readonly GadgetCreate[];
  readonly gadgets: readonly string[];
  readonly setGadgets: (gadgets: readonly string[]) => void;
}

/** What a new controller and its gadgets are to be called. */
export const GivenNames = ({ name, setName, usual, gadgets, setGadgets }: GivenNamesProps) => (
  <>
    <Field id="device-name" label={claimWords.name}>
      {described => (
        <input
          {...described}
          value={name}
          maxlength={100}
          autocomplete="off"
          placeholder={claimWords.namePlaceholder}
          onInput={event => setName(event.currentTarget.value)}
        />
      )}
    </Field>
    {gadgets.length === 0 ? null : (
      <fieldset class="form">
        <legend>{claimWords.gadgets}</legend>
        {gadgets.map((gadget, index) => (
          <Field key={index} id={`gadget-name-${index}`} label={`${index + 1}. ${usual[index]?.name ?? ''}`}>
            {described => (
              <input
                {...described}
                value={gadget}
                maxlength={100}
                autocomplete="off"
                onInput={event => setGadgets(gadgets.with(index, event.currentTarget.value))}
              />
            )}
          </Field>
        ))}
      </fieldset>
    )}
  </>
);
