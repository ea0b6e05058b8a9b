import { commandOf } from '@lintel/service/command-line/command';
import { parseCall } from '@lintel/service/command-line/options';
import { checkProfileFile } from '@lintel/hardware-profiles/load-profiles';
import type { ProfileProblem } from '@lintel/hardware-profiles/profile-schema';
import { examine } from '../doctor/examine.ts';
import { type Finding, speaker } from '../doctor/finding.ts';

const usage = `lintel doctor [--profile FILE] [--data DIR] [--json]

Checks the machine that a controller runs on: serial ports, PC/SC, GPIO, keypads, clock, disk and
network; with a profile also whether what it wants is there. Says what to do. Answers 1 when
something is wrong.

  --profile FILE   the product, see \`lintel profile list\`
  --data DIR       the controller's folder: its disk, and its bridge when it is claimed (default: here)
  --json           one JSON document on stdout

  npx lintel doctor --profile hardware-profiles/profiles/rpi-gpio-acr122u.json --data /var/lib/lintel
`;

const titles: Readonly<Record<Finding['area'], string>> = {
  runtime: 'System',
  clock: 'Clock',
  disk: 'Disk',
  network: 'Network',
  serial: 'Serial ports',
  pcsc: 'Card readers (PC/SC)',
  gpio: 'GPIO',
  input: 'USB keypads',
  profile: 'What the profile wants',
};

const marks: Readonly<Record<Finding['level'], string>> = { ok: 'ok  ', note: 'note', bad: 'BAD ' };

const inWords = (findings: readonly Finding[]): string => {
  const sections = Object.entries(titles).flatMap(([area, title]) => {
    const own = findings.filter(finding => finding.area === area);
    const lines = own.flatMap(({ level, text, fix }) => [
      `  ${marks[level]}  ${text}`,
      ...(fix === undefined ? [] : [`        → ${fix}`]),
    ]);
    return own.length === 0 ? [] : [[title, ...lines].join('\n')];
  });
  const bad = findings.filter(({ level }) => level === 'bad').length;
  const end = bad === 0 ? 'Nothing is wrong.' : `${bad} ${bad === 1 ? 'thing is' : 'things are'} wrong.`;
  return `${sections.join('\n\n')}\n\n${end}\n`;
};

const options = { profile: { type: 'string' }, data: { type: 'string' }, json: { type: 'boolean' } } as const;

const { bad } = speaker('profile');

const brokenProfile = (file: string, problems: readonly ProfileProblem[]): readonly Finding[] =>
  problems.map(({ path, message }) => bad([file, ...(path === '' ? [] : [path]), message].join(': ')));

export const command = commandOf(usage, async (args, { stdout }) => {
  const { values } = parseCall({ args, options });
  const { profile: file, json = false } = values;
  const checked = file === undefined ? null : checkProfileFile(file);
  const wrong = file === undefined || checked === null || checked.ok ? [] : brokenProfile(file, checked.problems);
  if (wrong.length > 0 && !json) throw new Error(wrong.map(({ text }) => text).join('\n'));
  const examined = await examine(values.data ?? process.cwd());
  const wanted = checked?.ok === true ? examined.judge(checked.profile) : wrong;
  const findings = [...examined.findings, ...wanted];
  const isFine = findings.every(({ level }) => level !== 'bad');
  stdout.write(json ? `${JSON.stringify({ ok: isFine, findings })}\n` : inWords(findings));
  return isFine ? 0 : 1;
});
