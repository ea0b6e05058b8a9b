/** `bad`: the door will not work as it should until somebody does something. `note`: worth knowing. */
export interface Finding {
  readonly area: 'runtime' | 'serial' | 'pcsc' | 'gpio' | 'input' | 'clock' | 'disk' | 'network' | 'profile';
  readonly level: 'ok' | 'note' | 'bad';
  readonly text: string;
  /** The command to type or the wire to move. */
  readonly fix?: string;
}

type Say = (text: string, fix?: string) => Finding;

/** Short words for one area of the report. */
export const speaker = (area: Finding['area']): Readonly<Record<Finding['level'], Say>> => {
  const at =
    (level: Finding['level']): Say =>
    (text, fix) => ({ area, level, text, ...(fix === undefined ? {} : { fix }) });
  return { ok: at('ok'), note: at('note'), bad: at('bad') };
};
