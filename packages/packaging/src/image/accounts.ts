/*
 * Users and groups as the packages declare them in sysusers.d. The programs that would make them at installation belong
 * to another processor and do not run here.
 */

interface Group {
  readonly name: string;
  readonly gid: number;
  readonly members: string[];
}

interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly comment: string;
  readonly home: string;
  readonly shell: string;
}

export interface AccountFiles {
  readonly passwd: string;
  readonly group: string;
  readonly shadow: string;
  readonly gshadow: string;
}

const HIGHEST_SYSTEM_ID = 999;
const NO_SHELL = '/usr/sbin/nologin';

const rows = (text: string): readonly string[] =>
  text.split('\n').filter(line => line.trim() !== '' && !line.trimStart().startsWith('#'));

/** Words, where quoted text is one word. */
const words = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(match => match[1] ?? match[2] ?? '');

class Accounts {
  readonly users: User[] = [];
  readonly groups: Group[] = [];

  /** From the top down, as systemd does it. */
  #freeId(): number {
    const taken = new Set([...this.users.map(({ uid }) => uid), ...this.groups.map(({ gid }) => gid)]);
    for (let id = HIGHEST_SYSTEM_ID; id > 100; id--) if (!taken.has(id)) return id;
    throw new Error('there are more system users than numbers for them');
  }

  group(name: string, id: string): Group {
    const known = this.groups.find(group => group.name === name);
    if (known !== undefined) return known;
    const group = { name, gid: /^\d+$/.test(id) ? Number(id) : this.#freeId(), members: [] };
    this.groups.push(group);
    return group;
  }

  user(name: string, id: string, comment: string, home: string, shell: string): void {
    if (this.users.some(user => user.name === name)) return;
    const [uid = '-', group] = id.split(':');
    const named =
      group === undefined ? undefined : this.groups.find(one => one.name === group || String(one.gid) === group);
    const { gid } = named ?? this.group(name, group ?? uid);
    this.users.push({ name, uid: /^\d+$/.test(uid) ? Number(uid) : gid, gid, comment, home, shell });
  }

  member(user: string, group: string): void {
    const { members } = this.group(group, '-');
    if (!members.includes(user)) members.push(user);
  }
}

const given = (word: string | undefined, otherwise: string): string =>
  word === undefined || word === '-' || word === '' ? otherwise : word;

const declare = (accounts: Accounts, line: string): void => {
  const [type = '', name = '', id = '-', comment, home, shell] = words(line);
  if (name.includes('%') || id.startsWith('/')) throw new Error(`an account of this kind is not known here: ${line}`);
  if (type === 'g') accounts.group(name, id);
  else if (type.startsWith('u')) accounts.user(name, id, given(comment, ''), given(home, '/'), given(shell, NO_SHELL));
  else if (type === 'm') accounts.member(name, id);
  else if (type !== 'r') throw new Error(`an account of this kind is not known here: ${line}`);
};

/** Groups first, users next, memberships last, whatever the order of the files. */
const ORDER = ['g', 'u', 'm', 'r'];

const ordered = (lines: readonly string[]): readonly string[] =>
  lines.toSorted((a, b) => ORDER.indexOf(a.trimStart()[0] ?? '') - ORDER.indexOf(b.trimStart()[0] ?? ''));

/** Nobody has a password: `*` matches none. */
export const accountFiles = (
  base: { readonly passwd: string; readonly group: string },
  declarations: readonly string[],
): AccountFiles => {
  const accounts = new Accounts();
  for (const line of rows(base.group)) {
    const [name = '', , gid = ''] = line.split(':');
    accounts.group(name, gid);
  }
  for (const line of rows(base.passwd)) {
    const [name = '', , uid = '', gid = '', comment = '', home = '/', shell = NO_SHELL] = line.split(':');
    accounts.users.push({ name, uid: Number(uid), gid: Number(gid), comment, home, shell });
  }
  for (const line of ordered(declarations.flatMap(text => rows(text)))) declare(accounts, line.trim());
  const { users, groups } = accounts;
  const file = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join('');
  return {
    passwd: file(
      users.map(({ name, uid, gid, comment, home, shell }) => [name, 'x', uid, gid, comment, home, shell].join(':')),
    ),
    group: file(groups.map(({ name, gid, members }) => [name, 'x', gid, members.join(',')].join(':'))),
    shadow: file(users.map(({ name }) => `${name}:*:20000:0:99999:7:::`)),
    gshadow: file(groups.map(({ name, members }) => `${name}:*::${members.join(',')}`)),
  };
};
