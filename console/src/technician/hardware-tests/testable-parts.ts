import type { TechnicianStatusResponse } from '@lintel/wire-protocol/technician/status-and-support-bundle';
import type { HardwareTestRecord } from '@lintel/wire-protocol/technician/hardware-tests';

export interface ReaderUnitPart {
  readonly kind: 'keypad' | 'reader' | 'feedback';
  readonly id: string;
  readonly station: string;
}

/** A part that a technician can test. `id` identifies the test in the report. */
export type TestablePart =
  | {
      readonly kind: 'gadget';
      readonly id: string;
      readonly gadget_id: string;
      readonly name: string;
      readonly action_id: string;
      readonly action: string;
    }
  | { readonly kind: 'output'; readonly id: string; readonly output: string; readonly role: string | null }
  | ReaderUnitPart
  | {
      readonly kind: 'input';
      readonly id: string;
      readonly input: string;
      readonly role: string | null;
      readonly level: string;
    }
  | { readonly kind: 'power'; readonly id: string };

/** The lights and the buzzer of a station are one part, tested by their patterns. */
const stationParts = ({
  id,
  keypad,
  reader,
}: TechnicianStatusResponse['stations'][number]): readonly TestablePart[] => [
  ...(keypad ? [{ kind: 'keypad', id: `keypad:${id}`, station: id } as const] : []),
  ...(reader ? [{ kind: 'reader', id: `reader:${id}`, station: id } as const] : []),
  { kind: 'feedback', id: `feedback:${id}`, station: id },
];

const reportsPower = ({ power }: TechnicianStatusResponse): boolean =>
  power.mains_present !== null || power.battery_present !== null;

/** All parts that can be tested from here. Card UIDs are not sent through the bridge, so readers need a local session. */
export const listTestableParts = (status: TechnicianStatusResponse, isRemote: boolean): readonly TestablePart[] =>
  listParts(status).filter(({ kind }) => kind !== 'reader' || !isRemote);

const listParts = (status: TechnicianStatusResponse): readonly TestablePart[] => [
  ...status.gadgets.flatMap(({ gadget_id, name, actions }) =>
    actions.map(
      action =>
        ({
          kind: 'gadget',
          id: `gadget:${gadget_id}:${action.id}`,
          gadget_id,
          name,
          action_id: action.id,
          action: action.name,
        }) as const,
    ),
  ),
  ...status.stations.flatMap(stationParts),
  ...status.inputs.map(
    ({ input, role, level }) => ({ kind: 'input', id: `input:${input}`, input, role, level }) as const,
  ),
  ...status.outputs
    .filter(({ can_pulse }) => can_pulse)
    .map(({ output, role }) => ({ kind: 'output', id: `output:${output}`, output, role }) as const),
  ...(reportsPower(status) ? [{ kind: 'power', id: 'power:supply' } as const] : []),
];

/** The ids of the tests with a result. */
export const listCompletedTestIds = (entries: readonly HardwareTestRecord[]): ReadonlySet<string> =>
  new Set(entries.filter(({ result }) => result !== null).map(({ id }) => id));

export const countTestedParts = (parts: readonly TestablePart[], entries: readonly HardwareTestRecord[]): number => {
  const completed = listCompletedTestIds(entries);
  return parts.filter(({ id }) => completed.has(id)).length;
};
