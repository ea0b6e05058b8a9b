import { splitLines, detectLineBreak, removeMarkedBlock } from './remove-marked-block.ts';
import { SdCardPreparationError } from './sd-card-preparation-error.ts';

/** The first-boot script finds the block by these and removes it. */
const marks = { begin: '# lintel first boot: begin', end: '# lintel first boot: end' };

/* `bootcmd` and not `runcmd`, which cloud-init marks as done before it runs: a power cut would skip the first boot for good. */
const CALL = '- [sh, -c, "if [ -f /boot/firmware/lintel/start.sh ]; then sh /boot/firmware/lintel/start.sh now; fi"]';

const HEADER = '#cloud-config';

const otherKind = (first: string): string | null => {
  if (first === HEADER || first.startsWith('## template:')) return null;
  return /^(?:#|content-type:|mime-version:)/i.test(first) ? first : 'something else';
};

const checkKind = (lines: readonly string[]): void => {
  const first = lines.find(line => line.trim() !== '')?.trim() ?? '';
  const kind = otherKind(first);
  if (kind === null) return;
  throw new SdCardPreparationError(
    `user-data starts with "${kind.slice(0, 60)}". Only ${HEADER} files are supported. Convert it to ${HEADER}, or flash the card again without it`,
  );
};

const isBootcmd = (line: string): boolean => /^(["']?)bootcmd\1\s*:/.test(line);

/** Inserts the call before the commands that are in the list. */
const intoList = (lines: readonly string[], at: number): string[] => {
  if (!/^(["']?)bootcmd\1\s*:\s*(?:#.*)?$/.test(lines[at]!))
    throw new SdCardPreparationError(
      `user-data:${at + 1}: bootcmd is written on one line. Write each command on its own line, starting with "- "`,
    );
  const item = lines.slice(at + 1).find(line => line.trim() !== '' && !line.trim().startsWith('#'));
  const indent = /^(\s*)-\s/.exec(item ?? '')?.[1] ?? '  ';
  const block = [marks.begin, CALL, marks.end].map(line => `${indent}${line}`);
  return [...lines.slice(0, at + 1), ...block, ...lines.slice(at + 1)];
};

/** `user-data` with the call of the first boot, and everything that was in it. */
export const addFirstBootCallToCloudInit = (userData: string): string => {
  const end = detectLineBreak(userData);
  const bare = removeMarkedBlock(splitLines(userData), marks);
  const lines = bare.some(line => line.trim() !== '') ? bare : [HEADER];
  checkKind(lines);
  const at = lines.findIndex(isBootcmd);
  const added = at === -1 ? [...lines, marks.begin, 'bootcmd:', `  ${CALL}`, marks.end] : intoList(lines, at);
  return added.map(line => `${line}${end}`).join('');
};

/** Without this file cloud-init ignores `user-data`. */
export const createCloudInitMetaData = (name: string): string => `dsmode: local\ninstance-id: ${name}\n`;
