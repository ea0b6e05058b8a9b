import type { SimulatorState } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import { Button } from '../design/controls.tsx';
import { Logo } from '../design/logo.tsx';
import * as icons from '../design/icons.ts';
import type { SimulatorLinkState } from './api/live-connection.ts';

const linkText: Readonly<Record<SimulatorLinkState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Reconnecting',
};

const Addresses = ({ world }: { readonly world: SimulatorState | null }) => (
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
  readonly world: SimulatorState | null;
  readonly link: SimulatorLinkState;
  readonly sound: { readonly isMuted: boolean; readonly toggle: () => void };
}

export const SimulatorPageHeader = ({ world, link, sound }: PageHeaderProps) => (
  <header class="page-header">
    <Logo />
    <h1>Lintel</h1>
    <p class="link" role="status" data-link={link}>
      {linkText[link]}
    </p>
    <span class="tools">
      <Addresses world={world} />
      <Button
        variant="plain"
        icon={sound.isMuted ? icons.soundOffIcon : icons.soundOnIcon}
        label={sound.isMuted ? 'Turn sound on' : 'Turn sound off'}
        onPress={sound.toggle}
      />
    </span>
  </header>
);
