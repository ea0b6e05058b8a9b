import type { InventoryCardResponse } from '@lintel/wire-protocol/admin/card-stock';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { Button } from '../../design/controls.tsx';
import { cardIcon, radioWavesIcon, uploadIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { usePagedApiList } from '../api/resource-hooks.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { SearchField } from '../components/search-field.tsx';
import { useDebouncedValue } from '../components/use-debounced-value.ts';
import { VirtualizedList } from '../components/virtualized-list.tsx';
import { ReadCardUidField } from '../credentials/read-card-uid-field.tsx';
import { CredentialRemovedDialog } from '../credentials/deleted-credential-status.tsx';
import { useMessages } from '../messages/language.ts';
import { useUrlQueryParameters } from '../router/links-and-query-parameters.ts';
import { ReplaceCardDialog } from '../credentials/replace-card.tsx';
import { formatCardLabel, CardListItem } from './card-list-item.tsx';
import { AssignCardToMemberDialog } from './assign-card-to-member-dialog.tsx';
import { ImportCardsDialog } from './import-cards.tsx';
import { DialogButtons } from '../components/dialog-buttons.tsx';

const ROW_HEIGHT = 64;
const PAGE_SIZE = 50;
const DEBOUNCE_MS = 200;
const UID = /^[0-9a-f]{8}$|^[0-9a-f]{14}$|^[0-9a-f]{20}$/;

const useReloadCards = (): (() => Promise<unknown>) => {
  const { id } = useCurrentOrganization();
  return () => Promise.all(['card', 'member'].map(kind => queryClient.invalidateQueries({ queryKey: [id, kind] })));
};

const NoCards = ({ search }: { readonly search: string }) => {
  const { cards: texts } = useMessages();
  const { allows } = useCurrentOrganization();
  const reload = useReloadCards();
  const [isAssigning, setAssigning] = useState(false);
  if (search === '') return <EmptyState icon={cardIcon} title={texts.emptyTitle} text={texts.emptyText} />;
  const isUid = UID.test(search) && allows('members.write');
  return (
    <EmptyState icon={cardIcon} title={texts.noMatch} text={isUid ? texts.unknownCard : texts.noMatchText}>
      {isUid ? <Button onPress={() => setAssigning(true)}>{texts.assign}</Button> : null}
      {isAssigning ? (
        <AssignCardToMemberDialog
          body={{ uid: search }}
          label={search}
          onChanged={reload}
          onClose={() => setAssigning(false)}
        />
      ) : null}
    </EmptyState>
  );
};

export const CardsScreen = () => {
  const { cards: texts, shell } = useMessages();
  const { allows } = useCurrentOrganization();
  const reload = useReloadCards();
  const [query, setQuery] = useUrlQueryParameters();
  const [text, setText] = useState(query['search'] ?? '');
  const search = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const [dialog, setDialog] = useState<'read' | 'import' | null>(null);
  // Not part of the row, which may disappear as soon as the card is deleted.
  const [deleted, setDeleted] = useState<InventoryCardResponse | null>(null);
  const [replaced, setReplaced] = useState<InventoryCardResponse | null>(null);
  useEffect(() => {
    if (search !== (query['search'] ?? '')) setQuery({ search });
  }, [search]);
  const list = usePagedApiList<InventoryCardResponse>('card', '/card_inventory', { search, limit: PAGE_SIZE });
  const showMore = (): void => {
    if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
  };
  return (
    <>
      <PageHeader title={shell.cards} subtitle={texts.subtitle}>
        {allows('cards.write') ? (
          <>
            <Button icon={uploadIcon} onPress={() => setDialog('import')}>
              {texts.import}
            </Button>
            <Button icon={radioWavesIcon} variant="primary" onPress={() => setDialog('read')}>
              {texts.readCard}
            </Button>
          </>
        ) : null}
      </PageHeader>
      <SearchField label={texts.search} value={text} onChange={setText} />
      <QueryContent query={list}>
        {() =>
          list.items.length === 0 ? (
            <NoCards search={search} />
          ) : (
            <VirtualizedList
              label={shell.cards}
              items={list.items}
              keyOf={({ id }) => id}
              estimatedHeight={ROW_HEIGHT}
              onEndReached={showMore}
            >
              {card => <CardListItem card={card} onReplace={setReplaced} onDelete={setDeleted} onChanged={reload} />}
            </VirtualizedList>
          )
        }
      </QueryContent>
      {dialog === 'read' ? (
        <Dialog label={texts.readCard} onClose={() => setDialog(null)}>
          <h2>{texts.readCard}</h2>
          <p>{texts.readText}</p>
          <ReadCardUidField
            onCard={uid => {
              setText(uid);
              setDialog(null);
            }}
          />
          <DialogButtons label="close" onClose={() => setDialog(null)} />
        </Dialog>
      ) : null}
      {deleted === null || deleted.member_id === null || deleted.member_card_id === null ? null : (
        <CredentialRemovedDialog
          memberId={deleted.member_id}
          credentialId={deleted.member_card_id}
          label={formatCardLabel(deleted)}
          onClose={() => setDeleted(null)}
        />
      )}
      {replaced === null ? null : (
        <ReplaceCardDialog
          memberId={replaced.member_id ?? ''}
          memberCardId={replaced.member_card_id ?? ''}
          label={formatCardLabel(replaced)}
          onChanged={reload}
          onClose={() => setReplaced(null)}
        />
      )}
      {dialog === 'import' ? <ImportCardsDialog onImported={reload} onClose={() => setDialog(null)} /> : null}
    </>
  );
};
