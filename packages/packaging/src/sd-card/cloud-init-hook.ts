import { linesOf, lineEndOf, withoutBlock } from './marked-block.ts';
import { PrepareProblem } from './prepare-problem.ts';

/** The first-boot script takes the block out again by these. */
const marks = { begin: '# lintel first boot: begin', end: '# lintel first boot: end' };

/*
 * `bootcmd` and not `runcmd`: cloud-init marks the latter as done before it has run, so that a power cut at that moment
 * would leave the card without its first boot for good.
 */
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
  throw new PrepareProblem(
    `user-data begins with "${kind.slice(0, 60)}", only ${HEADER} can be added to: put what it does into a ${HEADER} file, or write the card anew without it`,
  );
};

const isBootcmd = (line: string): boolean => /^(["']?)bootcmd\1\s*:/.test(line);

/** Behind the key where the user has commands of that kind already, as the first of them. */
const intoList = (lines: readonly string[], at: number): string[] => {
  if (!/^(["']?)bootcmd\1\s*:\s*(?:#.*)?$/.test(lines[at]!))
    throw new PrepareProblem(
      `user-data:${at + 1}: bootcmd is written on one line: write each command on a line of its own, beginning with "- "`,
    );
  const item = lines.slice(at + 1).find(line => line.trim() !== '' && !line.trim().startsWith('#'));
  const indent = /^(\s*)-\s/.exec(item ?? '')?.[1] ?? '  ';
  const block = [marks.begin, CALL, marks.end].map(line => `${indent}${line}`);
  return [...lines.slice(0, at + 1), ...block, ...lines.slice(at + 1)];
};

/** `user-data` with the call of our first boot, and all that was in it. */
export const withFirstBootCall = (userData: string): string => {
  const end = lineEndOf(userData);
  const bare = withoutBlock(linesOf(userData), marks);
  const lines = bare.some(line => line.trim() !== '') ? bare : [HEADER];
  checkKind(lines);
  const at = lines.findIndex(isBootcmd);
  const added = at === -1 ? [...lines, marks.begin, 'bootcmd:', `  ${CALL}`, marks.end] : intoList(lines, at);
  return added.map(line => `${line}${end}`).join('');
};

/** Without these two files on the card cloud-init takes the card for one that says nothing. */
export const metaData = (name: string): string => `dsmode: local\ninstance-id: ${name}\n`;
