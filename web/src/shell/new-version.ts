import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { basePath } from '../api.ts';
import { ReloadButton } from '../ui/reload-button.tsx';

const id = 'new-version';

/** Says that the server has another page than the one that is open. Nothing is reloaded under somebody's hands. */
function tellNewVersion(): void {
  notifications.show({
    id,
    autoClose: false,
    title: 'There is a new version of this page',
    message: createElement(ReloadButton),
  });
}

/** The files of a page have other names after each change, so the document tells whether it is still this one. */
export async function checkVersion(): Promise<void> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module][src*="assets/"]');
  const name = own?.src.split('/').at(-1);
  if (name === undefined) return;
  const answer = await fetch(basePath, { cache: 'no-store' }).catch(() => undefined);
  if (!answer?.ok) return;
  const text = await answer.text();
  if (text.includes('assets/') && !text.includes(name)) tellNewVersion();
}
