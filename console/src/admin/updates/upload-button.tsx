import { useRef, useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { uploadIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useNotices } from '../components/notices.tsx';
import { useMessages } from '../messages/language.ts';
import { uploadRelease } from './upload-release.ts';

/** Uploads a signed archive and shows the progress. The bridge verifies the signature. */
export const ReleaseUploadButton = () => {
  const { updates: texts } = useMessages();
  const { id, client } = useCurrentOrganization();
  const notices = useNotices();
  const input = useRef<HTMLInputElement>(null);
  const [share, setShare] = useState<number | null>(null);
  const upload = async (file: File): Promise<void> => {
    setShare(0);
    try {
      const release = await uploadRelease(client, file, setShare);
      await queryClient.invalidateQueries({ queryKey: [id, 'release'] });
      notices.show(
        texts.uploaded(texts.releaseName(texts.programs[release.program] ?? release.program, release.version)),
      );
    } catch (error) {
      notices.showError(error as Error);
    }
    setShare(null);
  };
  return (
    <>
      <Button icon={uploadIcon} variant="primary" isDisabled={share !== null} onPress={() => input.current?.click()}>
        {share === null ? texts.upload : texts.uploading(Math.round(share * 100))}
      </Button>
      {share === null ? null : <progress max={1} value={share} aria-label={texts.upload} />}
      <input
        ref={input}
        type="file"
        accept=".release"
        aria-label={texts.upload}
        hidden
        onChange={event => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file !== undefined) void upload(file);
        }}
      />
    </>
  );
};
