import type { World } from '@lintel/wire-protocol/simulator/world';
import { Press } from '../design/controls.tsx';
import { Mark } from '../design/mark.tsx';
import * as shapes from '../design/shapes.ts';
import type { LinkState } from './live/live-line.ts';

const linkWords: Readonly<Record<LinkState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connecting again',
};

const Addresses = ({ world }: { readonly world: World | null }) => (
  <details class="addresses">
    <summary class="button plain">Addresses</summary>
    <div class="sheet card">
      <dl>
        {world?.addresses.map(({ name, url }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <a href={url} target="_blank" rel="noreferrer">
                {url.replace(/^https?:\/\//, '')}
              </a>
            </dd>
          </div>
        ))}
        {world?.logins.map(({ name, user, secret }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{user}</code> <code>{secret}</code>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  </details>
);

interface PageHeaderProps {
  readonly world: World | null;
  readonly link: LinkState;
  readonly sound: { readonly isMuted: boolean; readonly toggle: () => void };
}

export const PageHeader = ({ world, link, sound }: PageHeaderProps) => (
  <header class="page-header">
    <Mark />
    <h1>Lintel</h1>
    <p class="link" role="status" data-link={link}>
      {linkWords[link]}
    </p>
    <span class="tools">
      <Addresses world={world} />
      <Press
        look="plain"
        icon={sound.isMuted ? shapes.silence : shapes.sound}
        label={sound.isMuted ? 'Sound on' : 'Sound off'}
        press={sound.toggle}
      />
    </span>
  </header>
);
