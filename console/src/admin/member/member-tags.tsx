import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import type { TagResponse } from '@lintel/wire-protocol/rest/tag';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { addIcon, crossMarkIcon } from '../../design/icons.ts';
import { editCurrentObject } from '../api/edit-object.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useApiList } from '../api/resource-hooks.ts';
import { GroupedSelectField } from '../components/grouped-select-field.tsx';
import { useNotices } from '../components/notices.tsx';
import { TextInputDialog } from '../components/text-input-dialog.tsx';
import { useNotifiedAction } from '../components/use-notified-action.ts';
import { useMessages } from '../messages/language.ts';
import { type ChangeTags, withoutTag, withTag } from '../members/add-or-remove-tag-id.ts';
import { type ExpandedMember, useReloadMembers } from './member-hooks.ts';

const NEW_TAG = 'new';

/** The tags of the member. */
export const MemberTagsEditor = ({ member }: { readonly member: ExpandedMember }) => {
  const { member: texts, bulk } = useMessages();
  const { id, client, allows } = useCurrentOrganization();
  const notices = useNotices();
  const { isBusy, run } = useNotifiedAction();
  const reload = useReloadMembers();
  const [isCreating, setCreating] = useState(false);
  const [chosen, setChosen] = useState('');
  const { data: tags = [] } = useApiList<TagResponse>('tag', '/tags', {}, allows('tags.read'));
  const canEdit = allows('members.write') && !member.is_deleted;
  const tagIds: readonly string[] = member.tag_ids;
  const save = async (change: ChangeTags): Promise<void> => {
    await editCurrentObject<MemberResponse>(client, `/members/${member.id}`, ({ tag_ids }) => ({
      tag_ids: change(tag_ids),
    }));
    await reload();
  };
  const change = (text: string, changed: ChangeTags, back: ChangeTags): Promise<void> =>
    run(async () => {
      await save(changed);
      notices.showUndo(text, () => save(back));
    });
  const create = async (name: string): Promise<void> => {
    const tag = await client.post<TagResponse>('/tags', { name });
    await queryClient.invalidateQueries({ queryKey: [id, 'tag'] });
    await save(withTag(tag.id));
    setChosen('');
  };
  const own = tags.filter(tag => tagIds.includes(tag.id));
  const others = tags.filter(tag => !tagIds.includes(tag.id));
  const canCreate = allows('tags.write');
  const add = async (): Promise<void> => {
    if (chosen === NEW_TAG) return setCreating(true);
    const tag = others.find(one => one.id === chosen);
    if (tag === undefined) return;
    await change(texts.tagAdded(tag.name), withTag(tag.id), withoutTag(tag.id));
    setChosen('');
  };
  return (
    <section class="card panel" aria-labelledby="member-tags">
      <h2 id="member-tags">{texts.tags}</h2>
      {own.length === 0 ? <p class="quiet">{texts.noTags}</p> : null}
      <ul class="tag-list">
        {own.map(({ id: tagId, name }) => (
          <li key={tagId} class="status-badge">
            {name}
            {canEdit ? (
              <Button
                icon={crossMarkIcon}
                variant="plain"
                label={`${bulk.actions.removeTag}: ${name}`}
                onPress={() => void change(texts.tagRemoved(name), withoutTag(tagId), withTag(tagId))}
              />
            ) : null}
          </li>
        ))}
      </ul>
      {canEdit && (canCreate || others.length > 0) ? (
        <div class="form add-choice">
          <GroupedSelectField
            id="add-tag"
            label={bulk.actions.addTag}
            value={chosen}
            options={[...others, ...(canCreate ? [{ id: NEW_TAG, name: bulk.newTag }] : [])]}
            placeholder={bulk.choose}
            onChange={setChosen}
          />
          <div class="bar">
            <Button icon={addIcon} isDisabled={chosen === '' || isBusy} onPress={() => void add()}>
              {texts.add}
            </Button>
          </div>
        </div>
      ) : null}
      {isCreating ? (
        <TextInputDialog
          title={bulk.actions.addTag}
          label={bulk.tagName}
          onSubmit={create}
          onClose={() => setCreating(false)}
        />
      ) : null}
    </section>
  );
};
