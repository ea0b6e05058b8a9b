import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export const effectiveUser = (): number => process.geteuid!();

/** The name of a user of this machine, or the number. */
export const userNameOf = (uid: number): string => {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find(entry => entry.split(':')[2] === String(uid));
    return line?.split(':')[0] ?? String(uid);
  } catch {
    return String(uid);
  }
};

/** The nearest file or folder of the path that exists. */
const existingPart = (path: string): string =>
  existsSync(path) || path === dirname(path) ? path : existingPart(dirname(path));

/** What a user who lacks permission for the path can do: `It belongs to lintel. Run the command as that user, with sudo -u lintel`. */
export const describePermissionRemedy = (path: string): string => {
  const part = existingPart(path);
  let owner: number;
  try {
    owner = statSync(part).uid;
  } catch {
    return 'Run the command as the user who owns it';
  }
  const subject = part === path ? 'It' : part;
  if (owner === effectiveUser()) return `${subject} belongs to you, but its mode denies this. Run: chmod u+rwX ${part}`;
  const name = userNameOf(owner);
  return owner === 0
    ? `${subject} belongs to root. Choose another place, or run the command with sudo`
    : `${subject} belongs to ${name}. Run the command as that user, with sudo -u ${name}`;
};
