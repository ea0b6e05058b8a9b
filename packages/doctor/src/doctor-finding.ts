/** `bad`: the door does not work correctly until this is fixed. `note`: worth knowing. */
export interface DoctorFinding {
  readonly area: 'runtime' | 'serial' | 'pcsc' | 'gpio' | 'input' | 'clock' | 'disk' | 'network' | 'profile';
  readonly level: 'ok' | 'note' | 'bad';
  readonly text: string;
  /** The command to run or the wire to move. */
  readonly fix?: string;
}

type CreateFinding = (text: string, fix?: string) => DoctorFinding;

/** Creates findings of one area. */
export const createFindingFactory = (
  area: DoctorFinding['area'],
): Readonly<Record<DoctorFinding['level'], CreateFinding>> => {
  const at =
    (level: DoctorFinding['level']): CreateFinding =>
    (text, fix) => ({ area, level, text, ...(fix === undefined ? {} : { fix }) });
  return { ok: at('ok'), note: at('note'), bad: at('bad') };
};
