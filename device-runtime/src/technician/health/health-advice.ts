import type { PartFault } from '@lintel/drivers/ports/part-fault';

/** What a technician does about a fault, by what its code begins with. The longest beginning counts. */
const advice: Readonly<Record<string, string>> = {
  'keypad:':
    'Check the keypad’s plug and cable, and that it has power. Unplug it and plug it in again: it is found by itself.',
  'reader:':
    'Check the reader’s cable and supply, and on RS-485 that A and B are not swapped. Unplug it and plug it in again: it is found by itself.',
  'outputs:': 'Check the relay board’s plug, cable and supply. It is found by itself when it is back.',
  'output:': 'The board did not take the command: put right what was found, then try the output again.',
  'inputs:': 'Check the cable and the supply of the board that the contacts and buttons hang on.',
  gadget:
    'Nothing is wired for this gadget: choose a profile that has a line for it, or remove the gadget at the desk.',
  tamper: 'Close the housing, and check the wire of its tamper switch.',
  clock_refused:
    'The system’s clock says something impossible. Let the line to the bridge or a time server come up, then look again.',
  slice_old: 'Bring the line to the bridge up: the door works by what it was told a week ago.',
  slice_refused: 'Bring the line to the bridge up: until then nobody is let in.',
  slice_damaged:
    'It is fetched again as soon as there is a line. If it comes back, the card or disk is failing: replace it.',
  digest_key: 'No PIN or card is known. Claim the controller anew, or restore the key file from where it was moved.',
  event_store: 'The disk does not take events. Look at the check of the disk: make room, or replace the card.',
  event_buffer_full: 'Bring the line to the bridge up: the oldest events are being lost.',
  event_file_damaged: 'The card or disk is failing: replace it soon.',
  state: 'The disk does not take writes. Look at the check of the disk: make room, or replace the card.',
  identity: 'The controller’s certificate is not valid. Claim the controller again with a ticket for this device.',
  bridge_silent: 'The line is there, but the bridge does not answer: call whoever runs the bridge.',
  kept_behind:
    'The broker or gateway in between does not pass everything on: restart the gateway, then tell whoever runs it.',
  claimed_anew: 'Nothing to do: what belonged to the earlier organization was put aside.',
  profile: 'Choose the profile anew on this page: the one that was kept cannot be used.',
  technician: 'The page at the door is not served: restart the controller, and send its log to whoever helps.',
  internal: 'Restart the controller, and send the support bundle to whoever helps.',
};

const OTHERWISE = 'Send the support bundle to whoever helps.';

/** About a part that is there: its plug and cable are not to blame. */
const adviceByKind: Readonly<Record<Exclude<PartFault['kind'], 'absent'>, string>> = {
  broken:
    'It is there, and does not work as it should: put right what was found. Where that does not say how, switch it off and on once, then send the support bundle to whoever helps.',
  tampered: 'Somebody has opened it: look for damage and for wires that do not belong there, then close it.',
};

/** `kind`: of a part at the door; null of whatever else is wrong. */
export const adviceFor = (code: string, kind: PartFault['kind'] | null): string => {
  if (kind !== null && kind !== 'absent') return adviceByKind[kind];
  const [best] = Object.keys(advice)
    .filter(beginning => code.startsWith(beginning))
    .sort((a, b) => b.length - a.length);
  return best === undefined ? OTHERWISE : advice[best]!;
};
