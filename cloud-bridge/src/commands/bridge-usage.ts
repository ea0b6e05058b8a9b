import { LOG_FORMAT_HELP } from '@lintel/service/command-line/program-log';

export const bridgeUsage = `lintel bridge --data DIR --http-port N --mqtt-port N [OPTIONS]

Runs the cloud bridge: the Access Control Service API under /v2, OAuth under /oauth2, events and device sync.
When it is ready, it prints its addresses as one line of JSON. Port 0 selects a free port.

  --data DIR           folder for database, keys and certificates; created at first start, keep it private
  --http-port N        plain HTTP, on loopback unless --http-host is given
  --http-host ADDR     serve plain HTTP on this address, for a reverse proxy in a private network (default 127.0.0.1)
  --mqtt-port N        plain MQTT, on loopback only
  --mqtt-url URL       use an external broker, such as mqtts://broker.example.com:8883; if several bridges share a
                       broker without shared subscriptions, add the number of this bridge: …?shard=1/3
                       a user name and password in the URL stay in this bridge
  --mqtt-public-url URL  broker address for controllers (default: --mqtt-url without user name and password)
  --mqtt-ca FILE       PEM certificate of the authority of that broker (default: public authorities and the bridge's own,
                       see lintel broker-certificate)
  --public-url URL     URL in links, claim tickets and as the OAuth issuer (default: the HTTP address)
  --lan                for a home or an office without a domain: serves HTTPS on port 8443 and MQTTS on port 8883 of this
                       machine's address in the network, with certificates of the bridge's own authority, and sets
                       --public-url to it; --http-port is 8080 and --mqtt-port 1883 unless given. If the machine has
                       several addresses, choose one with --host
  --host ADDR          also serve HTTPS on this address, for other machines
  --https-port N       port for HTTPS (default: a free port)
  --mqtts-port N       serve MQTT over TLS on --host
  --tls-cert F --tls-key F   PEM certificate and key for HTTPS (default: a certificate of the bridge's own authority,
                       whose fingerprint is printed), read again when they change. MQTTS always uses the bridge's own
                       authority
  --acme-agree         get the HTTPS certificate for the host of --public-url from an ACME server, such as Let's Encrypt,
                       and renew it; you agree to its terms of service. Requires --https-port, which the server reaches
                       as port 443
  --acme-http-port N   prove control of the name with HTTP on this port of --host, which the server reaches as port 80;
                       other requests are redirected to --public-url (default: with TLS on the HTTPS port)
  --acme-email ADDRESS  contact of the ACME account (default: none)
  --acme-directory URL  ACME server (default: Let's Encrypt)
  --webhook-allow CIDR  permit webhooks to a private address range, such as 10.0.0.0/8, or to one address and port, such
                       as 10.0.0.7:8080 (repeatable; default none)
  --trust-proxy CIDR   reverse proxy whose X-Forwarded-For is trusted, such as 127.0.0.1 or 10.0.0.0/8; without it, all
                       clients behind the proxy share one rate limit (repeatable; default none)
  --database URL       postgres://… instead of SQLite in DIR (use LINTEL_DATABASE if it contains a password)
  --database-direct URL  the same database without PgBouncer in between, for notifications: in transaction mode it does
                       not forward them, and bridges then notice each other's events only every few seconds
  --cluster-secret-file F  for several bridges with one database: the secret that seals their keys in it. Every bridge and
                       every command needs the same file; requires --database
  --new-database       start with an empty database although the data folder was used with another one, which is lost
  --smtp-url URL       mail server for login codes of guests, invitations and password resets, such as
                       smtp://user:password@host:587; requires --mail-from ADDRESS (default: login codes are shown on
                       the terminal, and the person who invites a user gets the link)
  --organization-creation WHO  which signed-in users may create organizations: owners (default; of any organization),
                       everyone or nobody; 3 of one user and 30 of the bridge in a day. The operator can always create
                       them with lintel organization
  --mail-limit N       mails of each kind (alerts, login codes, others) that the bridge sends in an hour; an organization
                       can send a tenth of them (default 5000)
  --metrics-port N     serve Prometheus metrics at /metrics on this loopback port
  --metrics-token-file F  serve /metrics on the other ports too, for requests with the bearer token in this file
  --release-keys DIR   public keys for verifying releases (default: release-keys in the data folder)
  --rate-limit N       requests per second and token, with bursts of ten times as many (default 100)
  --backup-dir DIR     write encrypted backups into this folder, see lintel backup; requires --backup-passphrase-file
  --backup-passphrase-file F  file with the passphrase, 12 characters or more
  --backup-interval T  time between backups, such as 12h or 7d (default 24h)
  --backup-keep N      number of backups that are kept (default 14)
  --event-retention T  delete events after this time, such as 365d; shorter times of an organization take precedence, see
                       lintel organization (default forever)
  --delivery-retention T  the same for the delivery logs of webhooks (default 30d)
  --log-level LEVEL    error, warn, info (default), debug; logs go to stderr
  --log-format FORMAT  ${LOG_FORMAT_HELP}
  --check              say what a start of this version would do: pending migrations, keys, database. Changes nothing;
                       exits with 1 if the bridge would not start
  --config FILE        TOML file with options, such as http_port = 8080

Every option can also be an environment variable: --http-port is LINTEL_HTTP_PORT. Separate several values by commas.
The command line takes precedence over the environment, and the environment over the file. Passwords in environment
variables or in the file are not visible in the process list.

  npx lintel bridge --data .lintel/bridge --http-port 8080 --mqtt-port 1883
  npx lintel bridge --data .lintel/bridge --lan
`;

export const bridgeOptions = {
  data: { type: 'string' },
  'http-port': { type: 'string' },
  'http-host': { type: 'string', default: '127.0.0.1' },
  'mqtt-port': { type: 'string' },
  lan: { type: 'boolean', default: false },
  host: { type: 'string' },
  'public-url': { type: 'string' },
  'https-port': { type: 'string' },
  'mqtts-port': { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'acme-agree': { type: 'boolean', default: false },
  'acme-email': { type: 'string' },
  'acme-directory': { type: 'string' },
  'acme-http-port': { type: 'string' },
  database: { type: 'string' },
  'database-direct': { type: 'string' },
  'cluster-secret-file': { type: 'string' },
  'new-database': { type: 'boolean', default: false },
  'mqtt-url': { type: 'string' },
  'mqtt-public-url': { type: 'string' },
  'mqtt-ca': { type: 'string' },
  'metrics-port': { type: 'string' },
  'metrics-token-file': { type: 'string' },
  'rate-limit': { type: 'string' },
  'release-keys': { type: 'string' },
  'smtp-url': { type: 'string' },
  'mail-from': { type: 'string' },
  'organization-creation': { type: 'string', default: 'owners' },
  'mail-limit': { type: 'string', default: '5000' },
  'webhook-allow': { type: 'string', multiple: true, default: [] },
  'trust-proxy': { type: 'string', multiple: true, default: [] },
  'backup-dir': { type: 'string' },
  'backup-passphrase-file': { type: 'string' },
  'backup-interval': { type: 'string', default: '24h' },
  'backup-keep': { type: 'string', default: '14' },
  'event-retention': { type: 'string', default: 'forever' },
  'delivery-retention': { type: 'string', default: '30d' },
  'log-level': { type: 'string', default: 'info' },
  'log-format': { type: 'string' },
  check: { type: 'boolean', default: false },
} as const;
