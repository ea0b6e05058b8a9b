import {
  commandOf,
  type CommandStreams,
  type CommandWriter,
  type RunCommand,
  UsageError,
} from '@lintel/service/command-line/command';
import { fingerprintOf, parseCall, required } from '@lintel/service/command-line/options';
import {
  type BridgedDevice,
  BridgeRulesError,
  getBridgedRules,
  setBridgedRules,
} from '../rules-command/bridge-rules.ts';
import {
  checkLocalRules,
  DeviceRulesError,
  getLocalRules,
  type LocalDevice,
  setLocalRules,
} from '../rules-command/device-rules.ts';
import { problemsInWords, readRulesFile, rulesInWords } from '../rules-command/rules-file.ts';

const usage = `lintel rules check FILE [--device URL [--fingerprint FP]] [--json]
lintel rules get --device URL [--fingerprint FP] [--json]
lintel rules get --bridge URL --id DEVICE [--json]
lintel rules set FILE --device URL [--fingerprint FP] [--json]
lintel rules set FILE --bridge URL --id DEVICE [--json]

Input rules: what a code typed before the PIN or the card does.

  check   checks a file without a network, and says what each code will do; with --device also
          whether its gadgets and actions are there
  get     prints the rules of a device as such a file
  set     checks a file and gives a device its rules in place of those it has

  --device URL       a controller on the local network, such as https://192.168.1.20:8443;
                     its setup code, or a technician pass of its site, is in LINTEL_CODE
  --fingerprint FP   of the controller's certificate, as on its label; without it any is taken
                     and its fingerprint is said
  --bridge URL       the bridge that the device belongs to; the access token is in LINTEL_TOKEN
  --id DEVICE        the device's id

FILE holds a list of rules, or an object with such a list under "input_rules":

  [{"code": "",   "gadget_id": "gad_front", "action_id": "open"},
   {"code": "*1", "gadget_id": "gad_garage", "action_id": "open"}]

An empty code is the default rule: a PIN or a card with nothing typed before. Codes are made of
0-9, # and *; none may begin another, and beside a default rule they start with * or #.

What "get --json" prints has a "base" too. As a FILE of "set" it is refused when somebody else has
changed the rules meanwhile. Rules set on a controller hold there at once; it tells the bridge when
it has a line.

  LINTEL_TOKEN=… npx lintel rules get --bridge https://doors.example.com --id dev_… > rules.json
  LINTEL_CODE=… npx lintel rules set rules.json --device https://lintel-7f3a.local:8443
`;

const options = {
  json: { type: 'boolean' },
  bridge: { type: 'string' },
  id: { type: 'string' },
  device: { type: 'string' },
  fingerprint: { type: 'string' },
} as const;

interface Values {
  readonly json?: boolean;
  readonly bridge?: string;
  readonly id?: string;
  readonly device?: string;
  readonly fingerprint?: string;
}

type Place =
  | { readonly kind: 'bridge'; readonly device: BridgedDevice }
  | { readonly kind: 'local'; readonly device: LocalDevice };

const print = (to: CommandWriter, text: string): void => {
  to.write(`${text}\n`);
};

interface Printing extends CommandStreams {
  readonly json: boolean;
}

const check = async (file: string, device: LocalDevice | null, printing: Printing): Promise<number> => {
  const { stdout, stderr, json } = printing;
  const read = readRulesFile(file);
  const remote = read.ok && device !== null ? (await checkLocalRules(device, read.value)).problems : [];
  const problems = read.ok ? remote : read.problems;
  const ok = problems.length === 0;
  if (json) {
    print(stdout, JSON.stringify(ok && read.ok ? { ok, input_rules: read.value.input_rules } : { ok, problems }));
  } else if (ok && read.ok) {
    print(stdout, rulesInWords(read.value.input_rules));
  } else {
    print(stderr, problemsInWords(file, problems));
  }
  return ok ? 0 : 1;
};

const get = async (place: Place, { stdout, json }: Printing): Promise<number> => {
  const rules = place.kind === 'bridge' ? await getBridgedRules(place.device) : await getLocalRules(place.device);
  print(stdout, json ? JSON.stringify(rules) : JSON.stringify({ input_rules: rules.input_rules }, null, 2));
  return 0;
};

const set = async (file: string, place: Place, { stdout, stderr, json }: Printing): Promise<number> => {
  const read = readRulesFile(file);
  if (!read.ok) {
    print(stderr, problemsInWords(file, read.problems));
    return 1;
  }
  const { value } = read;
  const written =
    place.kind === 'bridge' ? await setBridgedRules(place.device, value) : await setLocalRules(place.device, value);
  print(stdout, json ? JSON.stringify(written) : rulesInWords(value.input_rules));
  return 0;
};

const secretOf = (name: string): string => process.env[name] ?? '';

const localDevice = (url: string, fingerprint: string | undefined, stderr: CommandWriter): LocalDevice => {
  const code = secretOf('LINTEL_CODE');
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw new UsageError('--device must be an address: https://192.168.1.20:8443');
  const expected = fingerprintOf(fingerprint, 'fingerprint');
  if (code === '') throw new UsageError('LINTEL_CODE is needed: the setup code or a technician pass');
  return { url: new URL(url), code, fingerprint: expected, notice: text => print(stderr, text) };
};

const bridgedDevice = ({ bridge, id }: Values): BridgedDevice => {
  const token = secretOf('LINTEL_TOKEN');
  if (bridge === undefined || !URL.canParse(bridge))
    throw new UsageError('--device or --bridge must be an address: https://doors.example.com');
  const deviceId = required(id, 'id');
  if (token === '') throw new UsageError('LINTEL_TOKEN is needed: an access token');
  return { bridge, deviceId, token };
};

const placeOf = (values: Values, stderr: CommandWriter): Place => {
  if (values.device === undefined) return { kind: 'bridge', device: bridgedDevice(values) };
  if (values.bridge !== undefined) throw new UsageError('--device or --bridge, not both');
  return { kind: 'local', device: localDevice(values.device, values.fingerprint, stderr) };
};

const run: RunCommand = async (args, { stdin, stdout, stderr }) => {
  const { values, positionals } = parseCall({ args, options, allowPositionals: true });
  const [verb, file] = positionals;
  const printing = { stdin, stdout, stderr, json: values.json === true };
  if (verb === 'get') return get(placeOf(values, stderr), printing);
  if (file === undefined) throw new UsageError();
  if (verb === 'set') return set(file, placeOf(values, stderr), printing);
  if (verb !== 'check') throw new UsageError();
  const device = values.device === undefined ? null : localDevice(values.device, values.fingerprint, stderr);
  return check(file, device, printing);
};

const inWords = (error: unknown): string | null =>
  error instanceof BridgeRulesError || error instanceof DeviceRulesError ? error.message : null;

export const command = commandOf(usage, run, inWords);
