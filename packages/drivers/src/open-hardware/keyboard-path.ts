import { matchesKeyboardPattern } from '@lintel/hardware-profiles/keyboard-pattern';
import { type DeviceFiles, systemDeviceFiles } from '../device-files/device-files.ts';

const FOLDER = '/dev/input/by-id';

/** Returns the device path for the pattern of a profile, the first by name if several match. Throws if none matches. */
export const requireKeyboardPath = (pattern: string, tree: Pick<DeviceFiles, 'list'> = systemDeviceFiles): string => {
  if (!pattern.includes('*')) return `${FOLDER}/${pattern}`;
  let links: readonly string[] = [];
  try {
    links = tree.list(FOLDER);
  } catch {
    // The directory does not exist until an input device is plugged in.
  }
  const [first] = links.filter(link => matchesKeyboardPattern(pattern, link)).sort();
  if (first === undefined) throw new Error(`No USB keyboard matches ${pattern}`);
  return `${FOLDER}/${first}`;
};
