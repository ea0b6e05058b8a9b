export const codeSampleLanguages = ['curl', 'TypeScript', 'Python'] as const;
export type CodeSampleLanguage = (typeof codeSampleLanguages)[number];

export interface ApiRecipe {
  readonly id: 'stay' | 'open' | 'migration';
  readonly samples: (baseUrl: string) => Readonly<Record<CodeSampleLanguage, string>>;
}

const curlSetup = (baseUrl: string): string => `API=${baseUrl}
AUTH="Authorization: Bearer $TOKEN"
JSON="Content-Type: application/json"`;

const typeScriptSetup = (
  baseUrl: string,
): string => `// @lintel/client is not on npm. In a clone of Lintel: npm ci && npm pack -w packages/client
// In your project: npm install ./lintel-client-*.tgz
import { LintelClient } from '@lintel/client';

const lintel = new LintelClient({ baseUrl: '${baseUrl}', token: process.env.TOKEN ?? '' });`;

const pythonSetup = (baseUrl: string): string => `import json, os, urllib.request

def call(method, path, body=None):
    request = urllib.request.Request(
        "${baseUrl}" + path,
        method=method,
        headers={"Authorization": f"Bearer {os.environ['TOKEN']}", "Content-Type": "application/json"},
        data=None if body is None else json.dumps(body).encode(),
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)`;

const stay: ApiRecipe = {
  id: 'stay',
  samples: url => ({
    curl: `${curlSetup(url)}

MEMBER=$(curl -s "$API/members" -H "$AUTH" -H "$JSON" \\
  -d '{"name": "Reservation 4711", "starts_at": "2026-11-20T14:00:00Z", "ends_at": "2026-11-23T10:00:00Z",
       "metadata": {"reservation": "4711"}}' | jq -r .id)
curl -s "$API/members/$MEMBER/group_associations" -H "$AUTH" -H "$JSON" -d "{\\"member_group_id\\": \\"$GROUP\\"}"
curl -s "$API/members/$MEMBER/pins" -H "$AUTH" -H "$JSON" -d '{"length": 6}' | jq -r .pin

# The guest leaves early
curl -s -X PATCH "$API/members/$MEMBER" -H "$AUTH" -H "$JSON" -d '{"ends_at": "2026-11-22T10:00:00Z"}'`,
    TypeScript: `${typeScriptSetup(url)}

const member = await lintel.call('createMember', {
  body: {
    name: 'Reservation 4711',
    starts_at: '2026-11-20T14:00:00Z',
    ends_at: '2026-11-23T10:00:00Z',
    metadata: { reservation: '4711' },
  },
});
const path = { member_id: member.id };
await lintel.call('createMemberGroupAssociation', { path, body: { member_group_id: groupId } });
const { pin } = await lintel.call('createMemberPin', { path, body: { length: 6 } });

// The guest leaves early
await lintel.call('editMember', { path, body: { ends_at: '2026-11-22T10:00:00Z' } });`,
    Python: `${pythonSetup(url)}

member = call("POST", "/members", {
    "name": "Reservation 4711",
    "starts_at": "2026-11-20T14:00:00Z",
    "ends_at": "2026-11-23T10:00:00Z",
    "metadata": {"reservation": "4711"},
})
call("POST", f"/members/{member['id']}/group_associations", {"member_group_id": group_id})
pin = call("POST", f"/members/{member['id']}/pins", {"length": 6})["pin"]

# The guest leaves early
call("PATCH", f"/members/{member['id']}", {"ends_at": "2026-11-22T10:00:00Z"})`,
  }),
};

const open: ApiRecipe = {
  id: 'open',
  samples: url => ({
    curl: `${curlSetup(url)}

curl -s "$API/gadgets/$DOOR/actions/open/execute_as_member" -H "$AUTH" -H "$JSON" -d "{\\"member_id\\": \\"$MEMBER\\"}"`,
    TypeScript: `${typeScriptSetup(url)}

await lintel.call('executeGadgetActionAsMember', {
  path: { gadget_id: doorId, action_id: 'open' },
  body: { member_id: memberId },
});`,
    Python: `${pythonSetup(url)}

call("POST", f"/gadgets/{door_id}/actions/open/execute_as_member", {"member_id": member_id})`,
  }),
};

const migration: ApiRecipe = {
  id: 'migration',
  samples: url => ({
    curl: `${curlSetup(url)}

# people.csv: reference,name,card uid. The key makes a repeated run harmless.
while IFS=, read -r REFERENCE NAME UID_HEX; do
  MEMBER=$(curl -s "$API/members" -H "$AUTH" -H "$JSON" -H "Idempotency-Key: member-$REFERENCE" \\
    -d "{\\"name\\": \\"$NAME\\", \\"metadata\\": {\\"reference\\": \\"$REFERENCE\\"}}" | jq -r .id)
  curl -s "$API/members/$MEMBER/cards" -H "$AUTH" -H "$JSON" -H "Idempotency-Key: card-$REFERENCE" \\
    -d "{\\"uid\\": \\"$UID_HEX\\"}"
done < people.csv`,
    TypeScript: `${typeScriptSetup(url)}

// The key makes a repeated run harmless.
for (const { reference, name, uid } of people) {
  const member = await lintel.call('createMember', {
    body: { name, metadata: { reference } },
    idempotencyKey: \`member-\${reference}\`,
  });
  await lintel.call('createMemberCard', {
    path: { member_id: member.id },
    body: { uid },
    idempotencyKey: \`card-\${reference}\`,
  });
}`,
    Python: `${pythonSetup(url)}

# people.csv: reference,name,uid
import csv
import urllib.parse

with open("people.csv") as file:
    for row in csv.DictReader(file):
        reference = urllib.parse.quote(row["reference"], safe="")
        if call("GET", f"/members?metadata.reference={reference}")["data"]:
            continue  # from an earlier run
        member = call("POST", "/members", {"name": row["name"], "metadata": {"reference": row["reference"]}})
        call("POST", f"/members/{member['id']}/cards", {"uid": row["uid"]})`,
  }),
};

export const apiRecipes: readonly ApiRecipe[] = [stay, open, migration];
