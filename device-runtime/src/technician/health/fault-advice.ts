import type { PartFault } from '@lintel/drivers/interfaces';

/** What to do about a fault, by prefix of its code. The longest prefix counts. */
const advice: Readonly<Record<string, string>> = {
  bluetooth:
    'Run lintel doctor. Install the package bluez, start the service bluetooth, and check that the adapter is plugged in.',
  'keypad:': 'Check the keypad’s plug, cable and power. Unplug it and plug it in again; it is detected automatically.',
  'reader:':
    'Check the reader’s cable and power supply, and on RS-485 that A and B are not swapped. Unplug it and plug it in again; it is detected automatically.',
  'outputs:': 'Check the relay board’s plug, cable and power supply. It is detected automatically when it is back.',
  'output:': 'The board rejected the command. Fix the reported problem, then test the output again.',
  'inputs:': 'Check the cable and power supply of the board with the contacts and buttons.',
  gadget:
    'No output is wired for this gadget. Choose a profile with an output for it, or delete the gadget in the console.',
  tamper: 'Close the housing, and check the wire of its tamper switch.',
  clock_refused:
    'The system clock is wrong. Connect the controller to the bridge or to a time server, then check again.',
  slice_old: 'Restore the connection to the bridge. The door works with access data that is a week old.',
  slice_refused: 'Restore the connection to the bridge. All access is denied until then.',
  slice_damaged:
    'Connect the controller to the bridge, which sends the data again. Until then open the door with a commissioning PIN. If the fault returns, replace the failing SD card or disk.',
  revocations_damaged: 'Replace the SD card or disk if the fault returns.',
  digest_key: 'PINs and cards are unknown. Claim the controller again, or restore the key file.',
  event_store: 'Events cannot be written. See the disk check: free up space, or replace the SD card.',
  disk_almost_full: 'Free up space: delete files that do not belong to the controller, or use a larger disk.',
  event_buffer_full: 'Restore the connection to the bridge. The oldest events are being lost.',
  event_file_damaged: 'Replace the failing SD card or disk soon.',
  state: 'Data cannot be written. See the disk check: free up space, or replace the SD card.',
  state_unreadable:
    'The file is kept. Check the disk, then restart the controller, which reads it again. Replace the SD card if the fault returns.',
  state_damaged:
    'Check what the message names, such as local rules. If the fault returns, replace the failing SD card.',
  identity: 'The controller’s certificate is not valid. Claim the controller again with a ticket for this device.',
  bridge_silent: 'The connection is up, but the bridge does not respond. Contact the operator of the bridge.',
  kept_behind: 'The broker or gateway does not forward all messages. Restart the gateway, then contact its operator.',
  replaced:
    'Switch it off and remove it. To use it again, press its setup button, sign in with the setup code, and claim it with a ticket for this device.',
  claimed_again: 'Nothing to do: data of the previous organization was archived.',
  profile: 'Choose a profile on this page again: the saved one cannot be used.',
  technician: 'The technician page is not available. Restart the controller, and send its log to support.',
  internal: 'Restart the controller, and send the support bundle to support.',
};

const DEFAULT_ADVICE = 'Send the support bundle to support.';

/** For a connected part, whose plug and cable are fine. */
const adviceByKind: Readonly<Record<Exclude<PartFault['kind'], 'absent'>, string>> = {
  broken:
    'The part is connected but does not work correctly. Fix the reported problem. If the message does not say how, switch the part off and on, then send the support bundle to support.',
  tampered: 'The part was opened. Look for damage and unknown wires, then close it.',
};

/** `kind`: for a part at the door; null for other faults. */
export const describeFaultAdvice = (code: string, kind: PartFault['kind'] | null): string => {
  if (kind !== null && kind !== 'absent') return adviceByKind[kind];
  const [best] = Object.keys(advice)
    .filter(beginning => code.startsWith(beginning))
    .sort((a, b) => b.length - a.length);
  return best === undefined ? DEFAULT_ADVICE : advice[best]!;
};
