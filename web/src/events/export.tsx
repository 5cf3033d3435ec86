import { Button, CopyButton, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload, IconTerminal2 } from '@tabler/icons-react';
import { useState } from 'react';
import { ask, basePath, errorOf } from '../api.ts';
import { plural } from '../ui/format.ts';
import { tellProblem } from '../ui/notices.tsx';
import { saveFile } from '../ui/save-file.ts';
import type { Log } from './log-pages.ts';
import type { EventParameters } from './query/translate.ts';

const formats = {
  ndjson: { accept: 'application/x-ndjson', label: 'NDJSON (with hashes, verifiable)' },
  csv: { accept: 'text/csv', label: 'CSV (for spreadsheets)' },
} as const;

type Format = keyof typeof formats;

const addressOf = (parameters: EventParameters): string =>
  `${basePath}api/admin/search/events?${new URLSearchParams(parameters as Record<string, string>)}`;

const commandOf = (parameters: EventParameters): string =>
  `curl -H 'Authorization: <token>' -H 'Accept: ${formats.ndjson.accept}' '${window.location.origin}${addressOf(parameters).replaceAll("'", '%27')}'`;

/** As a blob, because a browser keeps a large one on disk. */
async function download(parameters: EventParameters, format: Format): Promise<void> {
  const answer = await ask(addressOf(parameters), { headers: { accept: formats[format].accept } });
  if (!answer.ok) throw await errorOf(answer);
  const name = `events-${new Date().toISOString().slice(0, 10)}.${format}`;
  saveFile(name, await answer.blob());
}

/** Exports the events that match the query. */
export function ExportMenu({ log }: { readonly log: Log | undefined }) {
  const [isBusy, setBusy] = useState(false);
  const start = async (format: Format) => {
    if (!log) return;
    setBusy(true);
    await download(log.parameters, format).catch((error: Error) =>
      tellProblem('export events', error),
    );
    setBusy(false);
  };
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          loading={isBusy}
          disabled={!log || log.total === 0}
          leftSection={<IconDownload size={14} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{plural(log?.total ?? 0, 'event')}</Menu.Label>
        {(Object.keys(formats) as Format[]).map((format) => (
          <Menu.Item key={format} onClick={() => void start(format)}>
            {formats[format].label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <CopyButton value={log ? commandOf(log.parameters) : ''}>
          {({ copied, copy }) => (
            <Menu.Item
              closeMenuOnClick={false}
              leftSection={<IconTerminal2 size={14} aria-hidden />}
              onClick={copy}
            >
              {copied ? 'Copied' : 'Copy as cURL'}
            </Menu.Item>
          )}
        </CopyButton>
      </Menu.Dropdown>
    </Menu>
  );
}
