import { parseArgs } from 'node:util';
import { type BridgedDevice, BridgeRefusal, getBridgedRules, setBridgedRules } from '../bridge-rules.ts';
import { problemsInWords, readRulesFile, rulesInWords } from '../rules-file.ts';

const usage = `lintel rules check FILE [--json]
lintel rules get --bridge URL --id DEVICE [--json]
lintel rules set FILE --bridge URL --id DEVICE [--json]

Input rules: what a code typed before the PIN or the card does.

  check   checks a file without a network, and says what each code will do
  get     prints the rules of a device as such a file
  set     checks a file and gives a device its rules in place of those it has

  --bridge URL   the bridge that the device belongs to; the access token is in LINTEL_TOKEN
  --id DEVICE    the device's id

FILE holds a list of rules, or an object with such a list under "input_rules":

  [{"code": "",   "gadget_id": "gad_front", "action_id": "open"},
   {"code": "*1", "gadget_id": "gad_garage", "action_id": "open"}]

An empty code is the default rule: a PIN or a card with nothing typed before. Codes are made of
0-9, # and *; none may begin another, and beside a default rule they start with * or #.

What "get --json" prints has a "base" too. As a FILE of "set" it is refused when somebody else has
changed the rules meanwhile.

  LINTEL_TOKEN=… npx lintel rules get --bridge https://doors.example.com --id dev_… > rules.json
`;

const options = {
  json: { type: 'boolean' },
  bridge: { type: 'string' },
  id: { type: 'string' },
} as const;

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const complain = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

const check = (file: string, json: boolean): number => {
  const read = readRulesFile(file);
  if (json) {
    const { ok } = read;
    print(JSON.stringify(ok ? { ok, input_rules: read.value.input_rules } : { ok, problems: read.problems }));
  } else if (read.ok) {
    print(rulesInWords(read.value.input_rules));
  } else {
    complain(problemsInWords(file, read.problems));
  }
  return read.ok ? 0 : 1;
};

const get = async (device: BridgedDevice, json: boolean): Promise<number> => {
  const rules = await getBridgedRules(device);
  print(json ? JSON.stringify(rules) : JSON.stringify({ input_rules: rules.input_rules }, null, 2));
  return 0;
};

const set = async (file: string, device: BridgedDevice, json: boolean): Promise<number> => {
  const read = readRulesFile(file);
  if (!read.ok) {
    complain(problemsInWords(file, read.problems));
    return 1;
  }
  const written = await setBridgedRules(device, read.value);
  print(json ? JSON.stringify(written) : rulesInWords(read.value.input_rules));
  return 0;
};

/** The device that the options name, or what they lack. */
const deviceOf = ({ bridge, id }: { readonly bridge?: string; readonly id?: string }): BridgedDevice | string => {
  const token = process.env['LINTEL_TOKEN'];
  if (bridge === undefined || !URL.canParse(bridge)) return '--bridge must be an address: https://doors.example.com';
  if (id === undefined || id === '') return '--id is needed';
  return token === undefined || token === ''
    ? 'LINTEL_TOKEN is needed: an access token'
    : { bridge, deviceId: id, token };
};

const misused = (message?: string): number => {
  process.stderr.write(message === undefined ? usage : `${message}\n\n${usage}`);
  return 2;
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    return (error as Error).message;
  }
};

const run = async (args: readonly string[]): Promise<number> => {
  const parsed = parse(args);
  if (typeof parsed === 'string') return misused(parsed);
  const { values, positionals } = parsed;
  const [verb, file] = positionals;
  const json = values.json === true;
  if (verb === 'check' && file !== undefined) return check(file, json);
  if (verb !== 'get' && !(verb === 'set' && file !== undefined)) return misused();
  const device = deviceOf(values);
  if (typeof device === 'string') return misused(device);
  try {
    return verb === 'get' ? await get(device, json) : await set(file ?? '', device, json);
  } catch (error) {
    if (!(error instanceof BridgeRefusal)) throw error;
    complain(error.message);
    return 1;
  }
};

export const command = { usage, run };
