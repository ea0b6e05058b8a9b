import type { Demo } from './demo-orchestrator.ts';
import { demoEmployees, demoStays } from './demo-people.ts';

const [guest] = demoStays;
const manager = demoEmployees.find(({ key }) => key === 'frank');

/** `consoleUrl` signs a browser in once. */
type Addresses = Demo['addresses'] & { readonly consoleUrl: string };

const technicianPageOf = ({ bridgeUrl }: Addresses): string => `${bridgeUrl}/technician/`;

/** The addresses as JSON for scripts. */
export const buildDemoAddressesJson = (demo: Addresses, page: string) => ({
  ready: true,
  page,
  console: demo.consoleUrl,
  http: demo.bridgeUrl,
  technician: technicianPageOf(demo),
  mqtt: demo.mqttUrl,
  organization_id: demo.organizationId,
  logins: demo.logins,
  guest: demo.guestLink?.url ?? null,
  pin: guest!.pin,
  card: manager!.card,
});

export const createWelcomeText = (demo: Addresses, page: string, dataDir: string): string => `
Lintel is running.

  Simulator       ${page}
  Console         ${demo.consoleUrl}
                  signs you in once; later use ${demo.bridgeUrl}/
  Technician      ${technicianPageOf(demo)}      or “Technician page” in the simulator, which signs you in
  API             ${demo.bridgeUrl}/v2      documentation ${demo.bridgeUrl}/docs
  MQTT            ${demo.mqttUrl}
  Administrator   ${demo.logins.admin.email}, password ${demo.logins.admin.password}
  Application     client id ${demo.logins.application.client_id}, secret ${demo.logins.application.client_secret}

  Guest page      ${demo.guestLink?.url ?? '-'}      of ${guest!.name}
  Guest PIN       ${guest!.pin} (${guest!.name}: front door; on the first floor type 101 first)
  Manager card    ${manager!.card} (${manager!.name}: all doors)

Try the API in another terminal:

  TOKEN=$(npx lintel token --data ${dataDir}/bridge --organization ${demo.organizationId} --scope full_read_write)
  curl -H "Authorization: Bearer $TOKEN" "${demo.bridgeUrl}/v2/members?expand=pins,group_associations.member_group"
  curl -H "Authorization: Bearer $TOKEN" -X POST ${demo.bridgeUrl}/v2/gadgets/${demo.frontDoorId}/actions/open

Data folder: ${dataDir}/. To start over: npm start -- --fresh. To stop: Ctrl-C.
`;
