/** What tests outside this package use of it. Production code does not import it. */
// What the commands build, with other inputs than those of a person.
export {
  type BuiltDebianPackage,
  buildDebianPackage,
  type DebianPackageOptions,
} from './debian-package/build-package.ts';
export { buildDebianPackageTree } from './debian-package/build-package-tree.ts';
export { bundleProgram } from './debian-package/bundle-program.ts';
export { debianPackagesByProgram } from './debian-package/debian-package-definitions.ts';
export { hostToolPackages } from './image/image-build-host-tools.ts';
export { writeImageInitialData } from './image/image-initial-data.ts';
export { writeLabelFile } from './labels/write-label-file.ts';
export { PreparePageServer } from './prepare-page/prepare-page-server.ts';
export { servePreparePage } from './prepare-page/serve-prepare-page.ts';
export { readFolderPayload } from './release-payload/read-folder-payload.ts';
export { parseSdCardSettings } from './sd-card/parse-prepare-command-options.ts';
export {
  type PreparedSdCard,
  prepareSdCard,
  type PrepareSdCardDependencies,
} from './sd-card/prepare-sd-card.ts';
