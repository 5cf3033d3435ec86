import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { basePath } from '../api.ts';
import { ReloadButton } from '../ui/reload-button.tsx';

const id = 'new-version';

/** Says that the server has a newer UI than the one that is open. The user decides when to reload. */
function tellNewVersion(): void {
  notifications.show({
    id,
    autoClose: false,
    title: 'New version available',
    message: createElement(ReloadButton),
  });
}

/** The files of the UI have other names after each change, so the document shows whether it is still this one. */
export async function checkVersion(): Promise<void> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module][src*="assets/"]');
  const name = own?.src.split('/').at(-1);
  if (name === undefined) return;
  const answer = await fetch(basePath, { cache: 'no-store' }).catch(() => undefined);
  if (!answer?.ok) return;
  const text = await answer.text();
  if (text.includes('assets/') && !text.includes(name)) tellNewVersion();
}
