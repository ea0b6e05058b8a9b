import { readFileSync } from 'node:fs';
import { loadP256Signer } from '@lintel/crypto/p256';
import {
  createCliCommand,
  type CommandStreams,
  type CommandWriter,
  type CommandHandler,
  UsageError,
} from '@lintel/service/command-line/cli-command';
import {
  parseFingerprintOption,
  parseCommandArguments,
  rejectExtraArguments,
  requireOption,
} from '@lintel/service/command-line/command-arguments';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import { describeUnknownSubcommand } from '@lintel/service/command-line/subcommands';
import {
  type BridgeInputRulesTarget,
  BridgeInputRulesError,
  fetchInputRulesViaBridge,
  replaceInputRulesViaBridge,
} from '../rules-command/bridge-input-rules-client.ts';
import {
  checkInputRulesOnController,
  ControllerInputRulesError,
  fetchInputRulesFromController,
  type ControllerLoginCredential,
  type ControllerInputRulesTarget,
  replaceInputRulesOfController,
} from '../rules-command/controller-input-rules-client.ts';
import {
  describeInputRulesProblems,
  readInputRulesFile,
  describeInputRules,
  type InputRulesFile,
  warnAboutInputRules,
} from '../rules-command/rules-file.ts';

const usage = `lintel rules check FILE [--device URL [--fingerprint FP] [--pass-key KEY]] [--json]
lintel rules get --device URL [--fingerprint FP] [--pass-key KEY] [--json]
lintel rules get --bridge URL --id DEVICE [--json]
lintel rules set FILE --device URL [--fingerprint FP] [--pass-key KEY] [--json]
lintel rules set FILE --bridge URL --id DEVICE [--json]

Input rules: what a code typed before the PIN or the card does.

  check   checks a file offline and explains each code; with --device also checks that its gadgets
          and actions exist
  get     prints the rules of a device as such a file
  set     checks a file and replaces the rules of a device

  --device URL       a controller on the local network, such as https://192.168.1.20:8443;
                     set LINTEL_CODE to its setup code or to a technician pass for its site
  --pass-key KEY     file with the private key of the technician pass, in PEM
  --fingerprint FP   of the controller's certificate, as on its label. Default: any certificate is
                     accepted and its fingerprint is printed
  --bridge URL       the bridge of the device; set LINTEL_TOKEN to an access token
  --id DEVICE        the device's id

FILE holds a list of rules, or an object with such a list under "input_rules":

  [{"code": "",   "gadget_id": "gad_front", "action_id": "open"},
   {"code": "*1", "gadget_id": "gad_garage", "action_id": "open"}]

An empty code is the default rule: a PIN or a card with nothing typed before. Codes are made of
0-9, # and *. No code may be a prefix of another. With a default rule, codes must start with * or #.

The output of "get --json" also has a "base". As a FILE of "set" it is rejected if the rules were
changed in the meantime. Rules set on a controller apply at once; it uploads them to the bridge
when it is online.

  LINTEL_TOKEN=… npx lintel rules get --bridge https://doors.example.com --id dev_… > rules.json
  LINTEL_CODE=… npx lintel rules set rules.json --device https://lintel-7f3a.local:8443
`;

const options = {
  json: { type: 'boolean' },
  bridge: { type: 'string' },
  id: { type: 'string' },
  device: { type: 'string' },
  fingerprint: { type: 'string' },
  'pass-key': { type: 'string' },
} as const;

interface Values {
  readonly json?: boolean;
  readonly bridge?: string;
  readonly id?: string;
  readonly device?: string;
  readonly fingerprint?: string;
  readonly 'pass-key'?: string;
}

type RulesTarget =
  | { readonly kind: 'bridge'; readonly device: BridgeInputRulesTarget }
  | { readonly kind: 'local'; readonly device: ControllerInputRulesTarget };

const print = (to: CommandWriter, text: string): void => {
  to.write(`${text}\n`);
};

interface PrintOptions extends CommandStreams {
  readonly json: boolean;
}

const printWarnings = ({ input_rules }: InputRulesFile, stderr: CommandWriter): void => {
  for (const warning of warnAboutInputRules(input_rules)) print(stderr, `Warning: ${warning}`);
};

const describeChecked = ({ input_rules }: InputRulesFile) => {
  const warnings = warnAboutInputRules(input_rules);
  return { ok: true, input_rules, ...(warnings.length === 0 ? {} : { warnings }) };
};

const check = async (
  file: string,
  device: ControllerInputRulesTarget | null,
  printing: PrintOptions,
): Promise<number> => {
  const { stdout, stderr, json } = printing;
  const read = readInputRulesFile(file);
  const remote = read.ok && device !== null ? (await checkInputRulesOnController(device, read.value)).problems : [];
  const problems = read.ok ? remote : read.problems;
  const ok = problems.length === 0;
  if (json) {
    print(stdout, JSON.stringify(ok && read.ok ? describeChecked(read.value) : { ok, problems }));
  } else if (ok && read.ok) {
    print(stdout, describeInputRules(read.value.input_rules));
    printWarnings(read.value, stderr);
  } else {
    print(stderr, describeInputRulesProblems(file, problems));
  }
  return ok ? 0 : 1;
};

const get = async (target: RulesTarget, { stdout, json }: PrintOptions): Promise<number> => {
  const rules =
    target.kind === 'bridge'
      ? await fetchInputRulesViaBridge(target.device)
      : await fetchInputRulesFromController(target.device);
  print(stdout, json ? JSON.stringify(rules) : JSON.stringify({ input_rules: rules.input_rules }, null, 2));
  return 0;
};

const set = async (file: string, target: RulesTarget, { stdout, stderr, json }: PrintOptions): Promise<number> => {
  const read = readInputRulesFile(file);
  if (!read.ok) {
    print(stderr, describeInputRulesProblems(file, read.problems));
    return 1;
  }
  const { value } = read;
  const written =
    target.kind === 'bridge'
      ? await replaceInputRulesViaBridge(target.device, value)
      : await replaceInputRulesOfController(target.device, value);
  print(stdout, json ? JSON.stringify(written) : describeInputRules(value.input_rules));
  printWarnings(value, stderr);
  return 0;
};

const readSecret = (name: string): string => process.env[name] ?? '';

/** A pass is `<payload>.<signature>`; a setup code has no dot. */
const readCredential = (keyFile: string | undefined): ControllerLoginCredential => {
  const code = readSecret('LINTEL_CODE');
  if (code === '') throw new UsageError('LINTEL_CODE is required: the setup code or a technician pass');
  if (!code.includes('.')) return { code };
  if (keyFile === undefined)
    throw new UsageError('--pass-key is required: a technician pass is accepted only with its private key');
  let pem: string;
  try {
    pem = readFileSync(keyFile, 'utf8');
  } catch (error) {
    throw new ControllerInputRulesError(`--pass-key: ${describeSystemError(error, keyFile)}`);
  }
  try {
    return { pass: code, key: loadP256Signer(pem) };
  } catch {
    throw new ControllerInputRulesError(`--pass-key: ${keyFile} is not a P-256 private key in PEM format`);
  }
};

const parseLocalTarget = (url: string, values: Values, stderr: CommandWriter): ControllerInputRulesTarget => {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw new UsageError('--device must be a URL such as https://192.168.1.20:8443');
  const fingerprint = parseFingerprintOption(values.fingerprint, 'fingerprint');
  const credential = readCredential(values['pass-key']);
  return { url: new URL(url), credential, fingerprint, notice: text => print(stderr, text) };
};

const parseBridgeTarget = ({ bridge, id }: Values): BridgeInputRulesTarget => {
  const token = readSecret('LINTEL_TOKEN');
  if (bridge === undefined || !URL.canParse(bridge))
    throw new UsageError('--device or --bridge is required and must be a URL such as https://doors.example.com');
  const deviceId = requireOption(id, 'id');
  if (token === '') throw new UsageError('LINTEL_TOKEN is required: an access token');
  return { bridge, deviceId, token };
};

const parseTarget = (values: Values, stderr: CommandWriter): RulesTarget => {
  if (values.device === undefined) return { kind: 'bridge', device: parseBridgeTarget(values) };
  if (values.bridge !== undefined) throw new UsageError('Use either --device or --bridge');
  return { kind: 'local', device: parseLocalTarget(values.device, values, stderr) };
};

const verbs = ['check', 'get', 'set'];

const run: CommandHandler = async (args, { stdin, stdout, stderr }) => {
  const { values, positionals } = parseCommandArguments({ args, options, allowPositionals: true });
  const [verb, file] = positionals;
  const printing = { stdin, stdout, stderr, json: values.json === true };
  if (verb === undefined || !verbs.includes(verb)) throw new UsageError(describeUnknownSubcommand(verb ?? '', verbs));
  rejectExtraArguments(positionals, verb === 'get' ? 1 : 2);
  if (verb === 'get') return get(parseTarget(values, stderr), printing);
  if (file === undefined) throw new UsageError('FILE is required');
  if (verb === 'set') return set(file, parseTarget(values, stderr), printing);
  const device = values.device === undefined ? null : parseLocalTarget(values.device, values, stderr);
  return check(file, device, printing);
};

const describeError = (error: unknown): string | null =>
  error instanceof BridgeInputRulesError || error instanceof ControllerInputRulesError ? error.message : null;

export const command = createCliCommand(usage, run, describeError);
