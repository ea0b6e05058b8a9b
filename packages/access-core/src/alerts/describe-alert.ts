import type { AlertKind } from './alert-kinds.ts';
import { type FaultKind, faultKinds } from './fault-kinds.ts';

interface AlertNumbers {
  /** Denials. */
  readonly count: number | null;
  /** The period in which they occurred. */
  readonly minutes: number | null;
  /** Of the battery. */
  readonly percent: number | null;
}

interface AlertFacts extends AlertNumbers {
  /** Where a controller was claimed. */
  readonly site?: string | null | undefined;
  /** Who claimed it, if that is known. */
  readonly user?: string | null | undefined;
  /** It waits for the confirmation of an administrator. */
  readonly waits?: boolean | undefined;
}

/** What happened, for a text in any language. */
export interface AlertDetails extends AlertFacts {
  /** The door or the controller. */
  readonly name: string;
  /** The code of a device fault. */
  readonly fault: string | null;
  /** What the device reports about the fault, in English. */
  readonly message: string | null;
}

/** The sentences of one language. */
export interface AlertTexts {
  readonly kinds: Readonly<Record<AlertKind, (name: string, facts: AlertFacts) => string>>;
  readonly faults: Readonly<Record<FaultKind, (name: string) => string>>;
}

/** The part of their codes after the colon is a name that people know. Of other faults it is an id or a file. */
const kindsWithPart: readonly FaultKind[] = ['inputs', 'keypad', 'output', 'outputs', 'reader'];

/** `reader:front` is a fault of the kind `reader`. Undefined for a kind that this version does not know. */
export const describeFault = ({ faults }: AlertTexts, code: string, name: string): string | undefined => {
  const [given, part = ''] = code.split(':');
  const kind = faultKinds.find(known => known === given);
  if (kind === undefined) return undefined;
  return kindsWithPart.includes(kind) && part !== '' ? `${faults[kind](name)} (${part})` : faults[kind](name);
};

export const noAlertNumbers: AlertNumbers = { count: null, minutes: null, percent: null };

/** One sentence. A fault that this version does not know is described by the message of the device. */
export const describeAlert = (texts: AlertTexts, kind: AlertKind, details: AlertDetails): string => {
  const { name, fault, message } = details;
  if (fault === null) return texts.kinds[kind](name, details);
  return (
    describeFault(texts, fault, name) ?? (message === null ? texts.kinds[kind](name, details) : `${name}: ${message}`)
  );
};
