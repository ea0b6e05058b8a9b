import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeTempFolder } from './sd-card-fixtures.ts';

const script = 'packages/packaging/files/first-boot/hotspot.sh';

interface Moment {
  readonly second: number;
  /** What happens then, in shell. */
  readonly happens: string;
}

const ADDRESS = "echo '2: eth0    inet 192.168.1.20/24 brd 192.168.1.255 scope global eth0' >$world/addresses";
const NO_ADDRESS = ': >$world/addresses';
const GUEST = "echo 'Station aa:bb:cc:dd:ee:ff (on wlan0)' >$world/stations";
const NO_GUEST = ': >$world/stations';
const CLAIMED = 'echo {} >$LINTEL_ROOT/var/lib/lintel/identity/membership.json';

/** Runs the script with simulated time and returns its calls of NetworkManager with their second. */
const watched = async (moments: readonly Moment[], connections = ''): Promise<string[]> => {
  const world = makeTempFolder();
  mkdirSync(join(world, 'var/lib/lintel/identity'), { recursive: true });
  for (const name of ['addresses', 'stations', 'calls']) writeFileSync(join(world, name), '');
  const stage = `
world=$LINTEL_ROOT
clock=0
note() { echo "$clock $*" >>$world/calls; }
ip() { cat $world/addresses; if [ -e $world/up ]; then echo '3: wlan0    inet 10.42.0.1/24 scope global wlan0'; fi; }
iw() { cat $world/stations; }
rfkill() { :; }
systemctl() { note systemctl "$*"; }
nmcli() {
  case "$*" in
    *'connection show'*) printf '${connections}802-11-wireless:lintel-hotspot\\n' ;;
    'connection up '*) touch $world/up; note up ;;
    'connection down '*) if [ -e $world/up ]; then rm $world/up; note down; else return 10; fi ;;
    'connection delete '*) note delete ;;
  esac
}
sleep() {
  clock=$((clock + $1))
  case $clock in
    ${moments.map(({ second, happens }) => `${second}) ${happens} ;;`).join('\n    ')}
    5000) exit 9 ;;
  esac
}
`;
  writeFileSync(join(world, 'stage'), stage);
  await promisify(execFile)('bash', [script], {
    env: { PATH: process.env['PATH'], BASH_ENV: join(world, 'stage'), LINTEL_ROOT: world },
  });
  return readFileSync(join(world, 'calls'), 'utf8').trim().split('\n');
};

const END = (second: number): string[] => [`${second} delete`, `${second} systemctl disable lintel-hotspot.service`];

describe('Hotspot of an unclaimed controller', () => {
  it('starts after a minute without a network and ends when the controller is claimed', async () => {
    expect(await watched([{ second: 600, happens: CLAIMED }])).toEqual(['60 up', '600 down', ...END(600)]);
  });

  it('does not start when there is a network', async () => {
    const moments = [
      { second: 20, happens: ADDRESS },
      { second: 600, happens: CLAIMED },
    ];
    expect(await watched(moments)).toEqual(END(600));
  });

  it('stops when a cable is plugged in and starts again a minute after it is unplugged', {
    tags: ['slow'],
  }, async () => {
    const moments = [
      { second: 100, happens: ADDRESS },
      { second: 300, happens: NO_ADDRESS },
      { second: 500, happens: CLAIMED },
    ];
    expect(await watched(moments)).toEqual(['60 up', '100 down', '355 up', '500 down', ...END(500)]);
  });

  it('pauses to look for the configured Wi-Fi, but not while a phone is connected', { tags: ['slow'] }, async () => {
    const moments = [
      { second: 200, happens: GUEST },
      { second: 900, happens: NO_GUEST },
      { second: 1400, happens: CLAIMED },
    ];
    const calls = await watched(moments, '802-11-wireless:lintel-wifi\\n');
    expect(calls.slice(0, 3)).toEqual(['60 up', '1195 down', '1255 up']);
  });
});
