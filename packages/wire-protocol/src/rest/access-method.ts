export { accessMethods } from '@lintel/access-core/access-model';
