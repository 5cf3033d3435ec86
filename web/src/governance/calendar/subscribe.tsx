import { Alert, Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Response } from '../../api.ts';
import { useProjectName } from '../../project-name.tsx';
import { invalidate, read } from '../../queries.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { Since } from '../../ui/time.tsx';
import classes from './calendar.module.css';

type Token = Response<'GET /api/admin/user/calendar-tokens'>['tokens'][number];

interface Scope {
  readonly project?: string | undefined;
  readonly feature?: string | undefined;
}

const tokensRead = 'GET /api/admin/user/calendar-tokens';

/** What a token covers, in words. */
function useScopeText() {
  const nameOf = useProjectName();
  return ({ project, feature }: Scope): string => {
    if (feature !== undefined) return `Feature ${feature}`;
    return project === undefined ? 'All projects you can see' : `Project ${nameOf(project)}`;
  };
}

function TokenRow({ token }: { readonly token: Token }) {
  const text = useScopeText()(token);
  const revoke = useMutation({
    mutationFn: () =>
      api('DELETE /api/admin/user/calendar-tokens/:id', { params: { id: String(token.id) } }),
    onSuccess: () => {
      tellDone({ id: 'calendar link revoked', title: 'Calendar link revoked' });
      return invalidate(tokensRead);
    },
    onError: (error) => tellProblem('revoke the calendar link', error),
  });
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" py={6}>
        <Text size="sm" component="div" className={classes.what ?? ''}>
          {text}
          <Text size="xs" className="quiet" component="div">
            Created <Since instant={token.createdAt} />
          </Text>
        </Text>
        <Button
          size="xs"
          variant="default"
          loading={revoke.isPending}
          aria-label={`Revoke the link for ${text}`}
          onClick={() => revoke.mutate()}
        >
          Revoke
        </Button>
      </Group>
    </li>
  );
}

function Links() {
  const tokens = useQuery(read(tokensRead, {})).data?.tokens ?? [];
  if (tokens.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600} id="calendar-links">
        Your links
      </Text>
      <ul className={classes.list} aria-labelledby="calendar-links">
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} />
        ))}
      </ul>
    </div>
  );
}

interface Props {
  /** What the page is filtered by. */
  readonly scope: Scope;
  readonly onClose: () => void;
}

/** Creates a link for calendar apps, and lists those of the user. */
export function Subscribe({ scope, onClose }: Props) {
  const textOf = useScopeText();
  const hasScope = scope.project !== undefined || scope.feature !== undefined;
  const [isAll, setAll] = useState(!hasScope);
  const create = useMutation({
    mutationFn: () =>
      api('POST /api/admin/user/calendar-tokens', {
        body: isAll
          ? {}
          : {
              ...(scope.project !== undefined && { project: scope.project }),
              ...(scope.feature !== undefined && { feature: scope.feature }),
            },
      }),
    onSuccess: () => invalidate(tokensRead),
    onError: (error) => tellProblem('create a calendar link', error),
  });
  const url = create.data?.url;
  return (
    <Modal
      opened
      onClose={onClose}
      title="Subscribe to the calendar"
      size="lg"
      transitionProps={{ duration: 0 }}
    >
      <Stack>
        <Text size="sm">
          Add the link to Google Calendar, Outlook, Apple Calendar, or another app that reads
          iCalendar. It gives read-only access to the scheduled changes that you can see.
        </Text>
        {hasScope && url === undefined && (
          <Radio.Group
            label="Scope"
            value={isAll ? 'all' : 'here'}
            onChange={(value) => setAll(value === 'all')}
          >
            <Stack gap={6} mt={4}>
              <Radio value="here" label={textOf(scope)} />
              <Radio value="all" label={textOf({})} />
            </Stack>
          </Radio.Group>
        )}
        {url === undefined ? (
          <Group>
            <Button loading={create.isPending} onClick={() => create.mutate()}>
              Create link
            </Button>
          </Group>
        ) : (
          <>
            <Alert color="yellow" role="status">
              Copy the link now. You won't be able to see it again. Anyone who has it can read this
              calendar.
            </Alert>
            <Copyable text={url} label="Copy link" testId="calendar-link" />
          </>
        )}
        <Links />
      </Stack>
    </Modal>
  );
}
