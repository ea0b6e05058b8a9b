export { accessMethods } from '@lintel/access-core/access-data-types';
