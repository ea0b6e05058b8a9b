import { type CliCommand, createCliCommand } from '@lintel/service/command-line/cli-command';
import { completeFromService, readInstalledService } from '@lintel/service/command-line/installed-service';
import { parseCommandArguments } from '@lintel/service/command-line/command-arguments';
import { checkProfileFile } from '@lintel/hardware-profiles/load-profiles';
import type { ProfileProblem } from '@lintel/hardware-profiles/check-profile';
import { createFindingFactory, type DoctorFinding, examineHardware } from '@lintel/drivers/doctor';

const usage = `lintel doctor [--profile FILE] [--data DIR] [--json]

Checks the machine that a controller runs on: serial ports, PC/SC, GPIO, keypads, clock, disk and
network; with a profile also whether its hardware is connected. Suggests fixes. Exits with 1 when
there is a problem.

  --profile FILE   the product: a file, or an id of \`lintel profile list\`
  --data DIR       the controller's data folder, default the current folder
  --json           one JSON document on stdout

Without --data and --profile it examines the controller that the package has installed, with the options in
/etc/lintel/controller.conf and the profile that was chosen on the technician page. It says on stderr what it uses.

  npx lintel doctor --profile hardware-profiles/profiles/rpi-gpio-acr122u.json --data /var/lib/lintel
`;

const titles: Readonly<Record<DoctorFinding['area'], string>> = {
  runtime: 'System',
  clock: 'Clock',
  disk: 'Disk',
  network: 'Network',
  serial: 'Serial ports',
  pcsc: 'Card readers (PC/SC)',
  gpio: 'GPIO',
  input: 'USB keypads',
  profile: 'Hardware of the profile',
};

const marks: Readonly<Record<DoctorFinding['level'], string>> = { ok: 'ok  ', note: 'note', bad: 'BAD ' };

const formatFindings = (findings: readonly DoctorFinding[]): string => {
  const sections = Object.entries(titles).flatMap(([area, title]) => {
    const ofArea = findings.filter(finding => finding.area === area);
    const lines = ofArea.flatMap(({ level, text, fix }) => [
      `  ${marks[level]}  ${text}`,
      ...(fix === undefined ? [] : [`        → ${fix}`]),
    ]);
    return ofArea.length === 0 ? [] : [[title, ...lines].join('\n')];
  });
  const bad = findings.filter(({ level }) => level === 'bad').length;
  const end = bad === 0 ? 'No problems found.' : `${bad} ${bad === 1 ? 'problem' : 'problems'} found.`;
  return `${sections.join('\n\n')}\n\n${end}\n`;
};

const options = { profile: { type: 'string' }, data: { type: 'string' }, json: { type: 'boolean' } } as const;

const { bad } = createFindingFactory('profile');

const profileFindings = (file: string, problems: readonly ProfileProblem[]): readonly DoctorFinding[] =>
  problems.map(({ path, message }) => bad([file, ...(path === '' ? [] : [path]), message].join(': ')));

/** `findService` returns the controller that is installed on this machine. */
export const createDoctorCommand = (findService = () => readInstalledService('controller')): CliCommand =>
  createCliCommand(usage, async (args, { stdout, stderr }) => {
    const { values } = parseCommandArguments({ args, options });
    const { json = false } = values;
    const { data = process.cwd(), profile: file, notice } = completeFromService(values, findService());
    stderr.write(notice);
    const checked = file === undefined ? null : checkProfileFile(file);
    const profileProblems =
      file === undefined || checked === null || checked.ok ? [] : profileFindings(file, checked.problems);
    if (profileProblems.length > 0 && !json) throw new Error(profileProblems.map(({ text }) => text).join('\n'));
    const examined = await examineHardware(data);
    const profileChecks = checked?.ok === true ? examined.checkProfile(checked.profile) : profileProblems;
    const findings = [...examined.findings, ...profileChecks];
    const isFine = findings.every(({ level }) => level !== 'bad');
    stdout.write(json ? `${JSON.stringify({ ok: isFine, findings })}\n` : formatFindings(findings));
    return isFine ? 0 : 1;
  });

export const command = createDoctorCommand();
