import { resolve } from 'node:path';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { drawWiring } from '@lintel/hardware-profiles/wiring-drawing';
import { createLabelPdf } from '../labels/label-pdf.ts';
import { createLabelSvg } from '../labels/label-svg.ts';
import { buildTechnicianPageUrl } from '../labels/label-data.ts';
import type { PreparedSdCard } from '../sd-card/prepare-sd-card.ts';
import { requireWifiPassword } from '../sd-card/ask-wifi-password.ts';
import { findBootFolders } from './find-boot-folders.ts';
import { type PrepareFormValues, toPrepareArguments } from './prepare-form.ts';
import { PreparePageServer } from './prepare-page-server.ts';

/** Prepares a card as the command does, with these arguments. Returns the card and the file of its label. */
type PrepareCard = (
  args: readonly string[],
  wifiPassword: () => Promise<string>,
) => Promise<{ readonly prepared: PreparedSdCard; readonly file: string }>;

export interface PreparePageOptions {
  /** The card that the form shows first. */
  readonly bootFolder: string | null;
  /** Arguments that the form does not have, such as `--package FILE`. */
  readonly args: readonly string[];
  readonly prepareCard: PrepareCard;
}

/** Products that no card is prepared for. */
const notInstalled: ReadonlySet<string> = new Set(['gateway', 'virtual', 'laptop-simulator']);

/** The page of `lintel image prepare --web`. */
export const servePreparePage = ({ bootFolder, args, prepareCard }: PreparePageOptions) =>
  PreparePageServer.listen({
    choices: () => ({
      boot_folder: bootFolder,
      boot_folders: [...new Set([...(bootFolder === null ? [] : [bootFolder]), ...findBootFolders()])],
      profiles: loadProfiles()
        .filter(({ product_id }) => !notInstalled.has(product_id))
        .map(profile => ({ product_id: profile.product_id, name: profile.name, wiring: drawWiring(profile) })),
    }),
    prepare: async (form: PrepareFormValues) => {
      const { prepared, file } = await prepareCard([...args, ...toPrepareArguments(form)], async () =>
        requireWifiPassword(form.wifi_password),
      );
      const { label, warnings, isSameLabel } = prepared;
      return {
        name: label.name,
        address: buildTechnicianPageUrl(label),
        label_svg: createLabelSvg(label),
        label_pdf: Buffer.from(await createLabelPdf(label)).toString('base64'),
        label_file: resolve(file),
        same_label: isSameLabel,
        warnings,
      };
    },
  });
