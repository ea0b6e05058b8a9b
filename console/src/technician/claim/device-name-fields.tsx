import type { CreateGadgetRequest } from '@lintel/wire-protocol/rest/gadget';
import { FormField } from '../../components/form-field.tsx';
import * as claimMessages from '../messages/english/claim.ts';

interface NameFieldsProps {
  readonly name: string;
  readonly setName: (name: string) => void;
  /** The gadgets of the hardware profile. */
  readonly defaults: readonly CreateGadgetRequest[];
  readonly gadgets: readonly string[];
  readonly setGadgets: (gadgets: readonly string[]) => void;
}

export const DeviceNameFields = ({ name, setName, defaults, gadgets, setGadgets }: NameFieldsProps) => (
  <>
    <FormField id="device-name" label={claimMessages.deviceNameLabel}>
      {described => (
        <input
          {...described}
          value={name}
          maxlength={100}
          autocomplete="off"
          placeholder={claimMessages.deviceNamePlaceholder}
          onInput={event => setName(event.currentTarget.value)}
        />
      )}
    </FormField>
    {gadgets.length === 0 ? null : (
      <fieldset class="form">
        <legend>{claimMessages.gadgetsHeading}</legend>
        {gadgets.map((gadget, index) => (
          <FormField key={index} id={`gadget-name-${index}`} label={`${index + 1}. ${defaults[index]?.name ?? ''}`}>
            {described => (
              <input
                {...described}
                value={gadget}
                maxlength={100}
                autocomplete="off"
                onInput={event => setGadgets(gadgets.with(index, event.currentTarget.value))}
              />
            )}
          </FormField>
        ))}
      </fieldset>
    )}
  </>
);
