import { copyFileSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';
import { englishGuestMessages } from './src/guest/messages/english.ts';
import { germanGuestMessages } from './src/guest/messages/german.ts';
import { spanishGuestMessages } from './src/guest/messages/spanish.ts';

const source = join(import.meta.dirname, 'src/guest');

const languages = { en: englishGuestMessages, de: germanGuestMessages, es: spanishGuestMessages };

const manifestOf = (lang: string, name: string): object => ({
  id: '/guest',
  name,
  short_name: name,
  lang,
  start_url: '/guest',
  scope: '/guest',
  display: 'standalone',
  background_color: '#eef2f1',
  theme_color: '#1f5f5b',
  icons: [
    { src: '/guest/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/guest/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/guest/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
});

/** What makes the guest page an app: the service worker, the script for Bluetooth, a manifest for each language, and the icons. */
export const buildGuestPwaFiles = async (built: string): Promise<void> => {
  const folder = join(built, 'guest');
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: {
      'service-worker': join(source, 'service-worker.ts'),
      nearby: join(source, 'nearby/nearby-doors-panel.ts'),
    },
    outdir: folder,
    ...bundleOptions,
  });
  for (const [lang, { title }] of Object.entries(languages))
    writeFileSync(join(folder, `manifest-${lang}.webmanifest`), JSON.stringify(manifestOf(lang, title)));
  for (const icon of globSync(join(source, 'icons/*.png'))) copyFileSync(icon, join(folder, basename(icon)));
};
