import { Alert, Code, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Response } from '../api.ts';
import { EventSentence } from '../events/event-sentence.tsx';
import { agree, numberText, plural } from '../ui/format.ts';
import { MoreButton } from '../ui/more-button.tsx';
import { Since } from '../ui/time.tsx';
import { bodyOf, type Form } from './form.ts';
import classes from './integrations.module.css';

type Preview = Response<'POST /api/admin/addons/preview'>;

/** The message as a receiver would read it: a text as it is, everything else as JSON. */
function messageText(message: Readonly<Record<string, unknown>>): string {
  const { body, text, message: words } = message;
  const shown = body ?? words ?? text ?? message;
  return typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2);
}

function PreviewedMessage({ previewed }: { readonly previewed: Preview['messages'][number] }) {
  const [isOpen, setOpen] = useState(false);
  const { event, message, problem } = previewed;
  return (
    <li>
      <Text size="sm" component="div">
        <EventSentence event={event} />{' '}
        <Text span size="xs" className="quiet">
          <Since instant={event.createdAt} />
        </Text>
      </Text>
      {problem !== undefined ? (
        <Text size="xs" c="var(--mantine-color-error)">
          {problem}
        </Text>
      ) : (
        <>
          <MoreButton isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide message' : 'Show message'}
          </MoreButton>
          {isOpen && message && (
            <Code block className={classes.code} tabIndex={0}>
              {messageText(message)}
            </Code>
          )}
        </>
      )}
    </li>
  );
}

const waitMs = 300;

/** Which of the last events would have been sent with the settings in the form, and what. */
export function PreviewPanel({
  provider,
  form,
}: {
  readonly provider: string;
  readonly form: Form;
}) {
  const {
    enabled: _,
    inOrder: __,
    retentionDays: ___,
    description: ____,
    ...asked
  } = bodyOf(provider, form);
  const [settled] = useDebouncedValue(asked, waitMs);
  const found = useQuery({
    queryKey: ['preview', settled],
    queryFn: ({ signal }) => api('POST /api/admin/addons/preview', { body: settled, signal }),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
    staleTime: 30_000,
  });
  return (
    <section aria-label="Preview" className={`card ${classes.aside}`}>
      <Stack p="md" gap="sm">
        <Title order={2} size="h5">
          Preview
        </Title>
        {found.isPending && <Skeleton h={60} aria-busy />}
        {found.isError && <Alert color="yellow">{found.error.message}</Alert>}
        {found.data && !found.isError && (
          <>
            <Text size="sm" role="status">
              <b>
                {numberText(found.data.matched)} of the last {plural(found.data.examined, 'event')}
              </b>{' '}
              {agree(found.data.matched, 'matches', 'match')}
            </Text>
            {found.data.matched === 0 ? (
              <Text size="sm" className="quiet">
                No recent events match. Select more event types or remove filters.
              </Text>
            ) : (
              <Stack component="ul" gap="sm" className={classes.plain ?? ''}>
                {found.data.messages.map((previewed) => (
                  <PreviewedMessage key={previewed.event.id} previewed={previewed} />
                ))}
              </Stack>
            )}
          </>
        )}
      </Stack>
    </section>
  );
}
