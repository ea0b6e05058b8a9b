import { describe, expect, it } from 'vitest';
import { accountFiles } from './accounts.ts';

const base = {
  passwd: 'root:*:0:0:root:/root:/bin/bash\nnobody:*:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n',
  group: 'root:*:0:\ndialout:*:20:\nnogroup:*:65534:\n',
};

const made = (...declarations: readonly string[]) => accountFiles(base, declarations);

describe('accounts', () => {
  it('of declared users get free ids from the top and a group of the same name', () => {
    const { passwd, group } = made('# text\nu messagebus - "System Message Bus" /nonexistent\ng input -\n');
    expect(passwd).toContain('messagebus:x:998:998:System Message Bus:/nonexistent:/usr/sbin/nologin\n');
    expect(group).toContain('input:x:999:\n');
    expect(group).toContain('messagebus:x:998:\n');
  });

  it('keep fixed ids, and the first declaration of a name wins', () => {
    const { passwd, group } = made('g gpio 901\nu lintel 900 "Door" /var/lib/lintel\n', 'u lintel - "Another" /\n');
    expect(passwd.match(/^lintel:.*$/gm)).toEqual(['lintel:x:900:900:Door:/var/lib/lintel:/usr/sbin/nologin']);
    expect(group).toContain('gpio:x:901:\n');
  });

  it('may declare memberships before the group, which creates missing groups', () => {
    const { group, gshadow } = made('m lintel dialout\nm lintel gpio\nu lintel 900\n');
    expect(group).toContain('dialout:x:20:lintel\n');
    expect(group).toMatch(/^gpio:x:\d+:lintel$/m);
    expect(gshadow).toContain('dialout:*::lintel\n');
  });

  it('may use an existing group as primary group, and may be locked', () => {
    const { passwd } = made('u _apt 42:65534 - /nonexistent\nu! sync 4:nogroup - /bin /bin/sync\n');
    expect(passwd).toContain('_apt:x:42:65534::/nonexistent:/usr/sbin/nologin\n');
    expect(passwd).toContain('sync:x:4:65534::/bin:/bin/sync\n');
  });

  it('never have a password', () => {
    const { shadow } = made('u lintel 900\n');
    expect(shadow.trim().split('\n')).toHaveLength(3);
    for (const line of shadow.trim().split('\n')) expect(line.split(':')[1]).toBe('*');
  });

  it('with an unknown declaration are an error rather than silently missing', () => {
    expect(() => made('x lintel -\n')).toThrow('x lintel');
    expect(() => made('u lintel /usr/bin/door\n')).toThrow('/usr/bin/door');
  });
});
