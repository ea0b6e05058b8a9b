import { tagAnswer, tagCreate, tagEdit } from '@lintel/wire-protocol/rest/tag';
import type { Endpoint } from '../http/endpoint.ts';
import { createTag, deleteTag, editTag } from '../resources/tags.ts';
import type { Services } from '../services.ts';
import { crud } from './crud.ts';

export const tagEndpoints = (services: Services): Endpoint[] => {
  const { list, get, create, edit, remove } = crud(services, {
    type: 'tag',
    tag: 'Tags',
    path: '/tags',
    one: 'a tag',
    many: 'tags',
    answer: tagAnswer,
  });
  return [
    list(),
    get(),
    create({ body: tagCreate, write: (context, { body }) => createTag(context, body) }),
    edit({ body: tagEdit, write: (context, { id, body }) => editTag(context, id, body) }),
    remove({ write: (context, { id }) => deleteTag(context, id) }),
  ];
};
