import { Press } from '../../design/controls.tsx';
import { Mark } from '../../design/mark.tsx';
import * as shapes from '../../design/shapes.ts';
import { useStore } from '../link/store.ts';
import { visit } from '../link/use-visit.ts';
import * as frameWords from '../words/english/frame-words.ts';

export const PageHeader = ({ name }: { readonly name: string }) => {
  const link = useStore(visit.link);
  const { entry } = useStore(visit.presence);
  const isIn = entry === 'in';
  return (
    <header class="page-header">
      <Mark />
      <p class="controller-name">{name}</p>
      {isIn && visit.place.kind !== 'list' ? (
        <p class="link" role="status" data-link={link === 'full' ? 'live' : link}>
          <span>{frameWords.link[link]}</span>
        </p>
      ) : null}
      {visit.place.isRemote ? <p class="badge">{frameWords.remote}</p> : null}
      {isIn && !visit.place.isRemote ? (
        <span class="tools">
          <Press look="plain" icon={shapes.exit} label={frameWords.logout} press={() => void visit.logout()} />
        </span>
      ) : null}
    </header>
  );
};
