import type { Demo } from './demo.ts';
import { adminLogin, application } from './demo-hotel.ts';
import { employees, stays } from './guests.ts';

const [guest] = stays;
const manager = employees.find(({ key }) => key === 'frank');

type Addresses = Demo['addresses'];

const technicianPageOf = ({ bridgeUrl }: Addresses): string => `${bridgeUrl}/technician/`;

/** For scripts. */
export const addressesOf = (demo: Addresses, page: string) => ({
  ready: true,
  page,
  http: demo.bridgeUrl,
  technician: technicianPageOf(demo),
  mqtt: demo.mqttUrl,
  organization_id: demo.organizationId,
  pin: guest!.pin,
  card: manager!.card,
});

export const welcome = (demo: Addresses, page: string, dataDir: string): string => `
Lintel is running.

  The hotel       ${page}
  Technician      ${technicianPageOf(demo)}      rules, tests and reports of the controllers, with the login below
  API             ${demo.bridgeUrl}/v2      documentation ${demo.bridgeUrl}/docs
  MQTT            ${demo.mqttUrl}
  Administrator   ${adminLogin.email}, password ${adminLogin.password}
  Application     client id ${application.client_id}, secret ${application.client_secret}

  A guest's PIN   ${guest!.pin} (${guest!.name}: front door; 101 and then the PIN on the first floor)
  A card          ${manager!.card} (${manager!.name}, every door)

Ask it something, in another terminal:

  TOKEN=$(npx lintel token --data ${dataDir}/bridge --organization ${demo.organizationId} --scope full_read_write)
  curl -H "Authorization: Bearer $TOKEN" "${demo.bridgeUrl}/v2/members?expand=pins,group_associations.member_group"
  curl -H "Authorization: Bearer $TOKEN" -X POST ${demo.bridgeUrl}/v2/gadgets/${demo.frontDoorId}/actions/open

Everything is kept in ${dataDir}/ for the next start; \`npm start -- --fresh\` starts over. Ctrl-C stops.
`;
